"""The gallery: each defect is found at its line, each fixed program is clean, and the page says what was run."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from harness.backends import devices
from harness.model.sources import ROOT
from harness.programs import Execution
from harness.report import programs
from harness.simt.findings import failing
from tests.gallery import record
from tests.gallery.entries import ENTRIES, FOLDER, LONGEST, Entry, code, documentation
from tests.gallery.running import run
from tests.generate import gallery

BY_ID = {entry.name: entry for entry in ENTRIES}
NVIDIA_AMD = ("nvidia", "amd")  # what `tests` compile; `full` has Apple too
RIGHT, ENDLESS = {"output": "42 42\n", "end": "0", "times": 19}, {"output": "", "end": "hangs", "times": 1}
RUN = {"text": "", "outcomes": [RIGHT, ENDLESS]}
FACTS = {"device": "NVIDIA H200", "date": "2026-11-28", "versions": {"mojo": "1.2.0"}}


def cases(vendors: tuple[str, ...], *, harmless: bool = False) -> list[pytest.param]:
    pairs = [(entry, vendor) for entry in ENTRIES for vendor in (entry.harmless_on if harmless else entry.targets)]
    marks = {vendor: () if vendor in vendors else (pytest.mark.full,) for _, vendor in pairs}
    return [pytest.param(entry, vendor, id=f"{entry.name}-{vendor}", marks=marks[vendor]) for entry, vendor in pairs]


def lines_of(execution: Execution) -> Iterator[tuple[str, str]]:
    """The id and the source line of each error and warning."""
    for finding in failing(execution.findings, "warning"):
        place = finding.sites[0]
        yield finding.id, (ROOT / place.file).read_text(encoding="utf-8").split("\n")[place.line - 1]


def is_clean(name: str, vendor: str) -> None:
    execution = run(name, vendor)

    assert not failing(execution.findings, "warning"), "\n".join(programs.format_execution(execution))
    assert execution.exit_code == 0 and execution.output


@pytest.mark.slow
@pytest.mark.parametrize(("entry", "vendor"), cases(NVIDIA_AMD))
def test_a_defect_is_found_at_its_line_and_the_fixed_program_is_clean(entry: Entry, vendor: str):
    execution = run(entry.name, vendor)

    told = list(lines_of(execution))
    assert [name for name, _ in told] == [name for name, _ in entry.findings], "\n".join(
        programs.format_execution(execution)
    )
    for (_, line), (_, part) in zip(told, entry.findings, strict=True):
        assert part in line
    assert {ROOT / finding.sites[0].file for finding in failing(execution.findings, "warning")} == {entry.faulty}
    is_clean(f"{entry.name}_fixed", vendor)


@pytest.mark.slow
@pytest.mark.parametrize(("entry", "vendor"), cases(NVIDIA_AMD, harmless=True))
def test_where_a_defect_does_no_harm_nothing_is_found(entry: Entry, vendor: str):
    is_clean(entry.name, vendor)
    is_clean(f"{entry.name}_fixed", vendor)


def test_each_program_belongs_to_an_entry_and_is_short():
    assert set(FOLDER.glob("*.mojo")) == {path for each in ENTRIES for path in (each.faulty, each.fixed)}
    assert len(ENTRIES) >= 12 and len(BY_ID) == len(ENTRIES)
    for path in FOLDER.glob("*.mojo"):
        assert len([line for line in code(path) if line.strip()]) <= LONGEST, path.name
        title, text = documentation(path)
        assert title and (path.stem.endswith("_fixed") or text), path.name


def test_a_fixed_program_differs_in_few_lines():
    for entry in ENTRIES:
        changed = [line for line in gallery._difference(entry) if line[0] in "+-"]
        assert 1 <= len(changed) <= 10, entry.name


def test_a_report_is_shortened_by_threads_alone_and_says_so():
    head, places, end = "========= Race", "=========     write at a.mojo:1:1", "=========     Remedy: wait."
    also = [f"=========     also thread ({n},0,0) in block (0,0,0)" for n in range(3)]
    by = [f"=========     by thread ({n},0,0) in block (0,0,0)" for n in range(3)]
    more, dots = "=========     and 9 more like this", "=========     ..."

    assert gallery.shorten([head, places, *also, more, end]) == [head, places, dots, end]
    assert gallery.shorten([head, places, *by, more, end]) == [head, places, by[0], dots, end]
    assert gallery.shorten([head, places, by[0], end]) == [head, places, by[0], end]


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """Writes a record, and lets the page be made from it."""

    def write(**runs):
        file = tmp_path / "recorded.json"
        file.write_text(json.dumps({**FACTS, "runs": runs, "tools": {}}))
        monkeypatch.setattr(gallery, "RECORD", file)

    return write


def test_the_page_says_what_a_gpu_printed_only_where_that_was_recorded_of_this_text(recorded):
    tail, digest = BY_ID["tail"], record.sha256_hex((FOLDER / "tail.mojo").read_bytes())
    recorded()
    assert list(gallery._recorded(tail)) == []
    recorded(tail={**RUN, "text": "of another text"})
    assert list(gallery._recorded(tail)) == []
    recorded(tail={**RUN, "text": digest})
    told = list(gallery._recorded(tail))
    assert told[0] == "An NVIDIA H200 ran it 20 times (2026-11-28):"
    assert "19 times:  42 42" in told and "1 time:  (did not end)" in told
    assert list(gallery._recorded(BY_ID["radix"])) == []


def test_a_record_keeps_what_is_of_the_same_machine():
    before = {**FACTS, "runs": {"tail": RUN}, "tools": {"memcheck": {"tail": "yes"}}}

    later = record.drop_stale(before, {**FACTS, "date": "2026-12-01"})
    assert later["runs"] == before["runs"] and later["tools"] == before["tools"] and later["date"] == "2026-12-01"
    for change in ({"device": "NVIDIA B200"}, {"versions": {"mojo": "1.3.0"}}):
        assert record.drop_stale(before, {**FACTS, **change})["runs"] == {}
    assert record.load(FOLDER / "nowhere.json") == {"runs": {}, "tools": {}}


@pytest.mark.slow
def test_runs_are_counted_by_what_they_came_to():
    held = record.record_runs("tail", 2, backend="simulator")

    assert held["outcomes"] == [{"output": "42 42\n", "end": "0", "times": 2}]
    assert record.outcomes_of({"runs": {"tail": held}}, "tail") == held["outcomes"]


def test_a_tools_own_words_are_what_counts():
    says = record.MOJO_TOOLS["-D ASSERT=all"][2]

    assert record.reported(b"At: a.mojo:1:1: Assert Error: no", says, hangs=False) == "yes"
    assert record.reported(b"42\n", says, hangs=False) == "no" and record.reported(b"", says, hangs=True) == "hangs"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["tial"], 2, "error: unknown program 'tial': did you mean 'tail'?\n"),
        (["tail"], 3, "error: there is no NVIDIA GPU on this machine, and what it prints cannot be recorded.\n"),
    ],
)
def test_what_cannot_be_recorded_is_one_sentence(words, code, told, tmp_path, capsys):
    if code == 3 and devices.discover():
        pytest.skip("there is a GPU on this machine")
    out = tmp_path / "recorded.json"

    assert record.main([*words, "--out", str(out)]) == code
    assert capsys.readouterr().err == told and not out.exists()
