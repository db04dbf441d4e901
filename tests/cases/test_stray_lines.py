"""The lines that wrote elements which are to stay as they are: only those that did."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from harness.cases.fresh import add_fresh_data
from harness.cases.stray_lines import add_stray_lines, explain_strays
from harness.catalogue import find_case
from harness.model.messages import make_finding
from harness.simt.findings import Finding, SourceLocation
from harness.simt.messages import words

INSTANCE = add_fresh_data(find_case("p14:complete"), find_case("p14:complete").instance(32), 7)


def trail_of(lines: dict[int, int]) -> Any:
    """A record in which lines store elements of `output`, by flat index."""
    places = {flat: SourceLocation("p14.mojo", line, 9, "store") for flat, line in lines.items()}
    return SimpleNamespace(
        last_store=lambda name, flat: (
            SimpleNamespace(place=places[flat]) if name == "output" and flat in places else None
        )
    )


def touched(*places: str) -> Any:
    return make_finding("check.touched", argument="output", count=len(places), total=17, places=places)


def test_only_the_lines_that_wrote_them_are_named():
    """Other lines store the same result, in other elements."""
    trails = [trail_of({0: 138, 15: 140, 16: 140}), trail_of({0: 163})]
    finding = add_stray_lines(touched("[15]", "[16]", "..."), INSTANCE, trails)

    assert [place.line for place in finding.sites] == [140]


def test_of_several_steps_the_last_that_wrote_one_counts():
    finding = add_stray_lines(touched("[0]"), INSTANCE, [trail_of({0: 138}), trail_of({0: 163})])

    assert [place.line for place in finding.sites] == [163]


def test_what_no_record_shows_stays_without_a_line():
    assert not add_stray_lines(touched("[3]"), INSTANCE, [trail_of({})]).sites


def test_an_undefined_read_of_the_same_buffer_leads_to_the_index_of_the_store():
    """To write what is read "before" would leave the strays."""
    values = {"source": "output", "cell": "", "origin": "argument", "write": "argument"}
    undefined = Finding("uninitialised.output", "error", argument="output", values=values)
    other = replace(undefined, values=values | {"source": "scratch"})
    first, second, _ = explain_strays([undefined, other, touched("[15]", "[16]")], INSTANCE, [trail_of({15: 140})])

    assert "correct the index of the write: it writes output[15], output[16]" in words("en").remedy(first)
    assert "output[15], output[16]" in words("ko").remedy(first) and "인덱스를 고치세요" in words("ko").remedy(first)
    assert second == other
