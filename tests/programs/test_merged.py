"""`harness.programs.merge_findings`: one finding for a cause."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from harness.programs.merge_findings import Occurrence, merge_findings
from harness.report import sarif
from harness.simt.findings import Finding, SourceLocation, Who
from harness.simt.messages import words
from harness.simt.render import Renderer

LINES = ["def k():", "    x = a[i]", "    b[i] = x", "    _ = a^"]
READ = SourceLocation("k.mojo", 2, 9, "load float, ptr %1", function="k")
OTHER = SourceLocation("k.mojo", 3, 5, "store float %2, ptr %3", function="k")
FREED = SourceLocation("k.mojo", 4, 5, "release")
OUTSIDE = Finding(
    "out-of-bounds.after",
    "error",
    "k",
    (READ,),
    (Who((0, 0, 0), (4, 0, 0), 0, 4),),
    argument="buffer 0",
    size=4,
    values={"access": "load", "space": "global", "distance": 0, "allocation": 16},
    count=8,
)
RACE = Finding("race.shared.write-read", "error", "k", (READ, OTHER), argument="x")
REDUNDANT = Finding("redundant-barrier.one", "information", "k", (READ,))


def shown(*seen: Occurrence, **observed: int) -> list[Finding]:
    return list(merge_findings(seen, Counter(observed)))


def copy(finding: Finding, number: int) -> Finding:
    """The same in a further copy of its line."""
    place = replace(finding.sites[0], instruction=f"load float, ptr %{number}", column=number)
    return replace(finding, sites=(place, *finding.sites[1:]))


def test_one_line_is_one_finding_over_copies_launches_and_buffers():
    seen = [
        Occurrence(replace(copy(OUTSIDE, number), argument=f"buffer {buffer}"), launch=launch)
        for launch in (1, 2, 3)
        for buffer in range(6)
        for number in (1, 2)
    ]

    (finding,) = shown(*seen)

    assert (finding.count, finding.argument, finding.who) == (3 * 6 * 2 * 8, "buffer 0", OUTSIDE.who)
    text = Renderer(lambda _: LINES).block(finding)
    assert "    also in 2 other launches" in text
    assert "    also of buffer 1, buffer 2, buffer 3, ..." in text


def test_other_lines_kinds_and_severities_stay_apart():
    others = [
        replace(OUTSIDE, sites=(OTHER,)),
        replace(OUTSIDE, id="misaligned"),
        replace(OUTSIDE, severity="warning"),
    ]

    assert len(shown(*(Occurrence(finding, launch=1) for finding in (OUTSIDE, *others)))) == 4


def test_a_pair_is_one_finding_in_either_order_and_other_pairs_stay_apart():
    turned = replace(RACE, id="race.shared.read-write", sites=(OTHER, READ))
    other = replace(RACE, sites=(READ, READ))

    assert [finding.count for finding in shown(*(Occurrence(race, launch=1) for race in (RACE, turned, other)))] == [
        2,
        1,
    ]


def test_the_remedy_of_a_race_is_one_for_all_launches():
    """In that of one block a barrier would do, in the next one no more."""
    seen = [
        Occurrence(replace(RACE, values={"level": level, "space": "global"}), launch=launch)
        for launch, level in enumerate(("block", "grid", "warp"), 1)
    ]

    (finding,) = shown(*seen)

    assert "blocks do not wait" in words("en").remedy(finding)


def test_memory_that_was_freed_at_one_place_is_one_finding_with_that_place():
    use = replace(OUTSIDE, id="use-after-free")
    seen = [Occurrence(use, FREED, 1), Occurrence(replace(use, sites=(OTHER,), argument="buffer 1"), FREED, 2)]

    (finding,) = shown(*seen)

    assert [place.line for place in finding.sites] == [2, 4, 3]
    text = Renderer(lambda _: LINES).block(finding)
    assert "    read at k.mojo:2:9 in k" in text
    assert "    freed at k.mojo:4:5" in text
    assert "`_ = buffer^`" in text[-1]


def test_a_barrier_is_redundant_only_if_all_launches_of_its_kernel_say_so():
    twice = [Occurrence(REDUNDANT, launch=launch, kernel="k") for launch in (1, 2)]

    assert not shown(*twice, k=3)
    assert [finding.count for finding in shown(*twice, k=2)] == [2]


def test_a_finding_is_known_again_however_often_it_is_seen():
    def fingerprint(*seen: Occurrence) -> str:
        told = [sarif.ReportedFinding(finding) for finding in shown(*seen)]
        (result,) = sarif.document(told, Renderer(lambda _: LINES))["runs"][0]["results"]
        return str(result["partialFingerprints"]["finding/v1"])

    once = fingerprint(Occurrence(OUTSIDE, launch=1))
    again = (Occurrence(copy(replace(OUTSIDE, argument="buffer 9"), 7), launch=launch) for launch in range(2, 9))

    assert fingerprint(Occurrence(OUTSIDE, launch=1), *again) == once
