"""Drop a case's findings that only follow from others (missed barriers, races); shorten lists of elements.

Reports for programs have all findings. One that was dropped is shown when its cause is fixed, if it is still
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.model.faults import FOLLOWS, MISSED, is_fault
from harness.simt.findings import Finding

__all__ = ["select_causes"]

_REASON = "check.reason."
_VALUES = "check.wrong-value"
_LAUNCHES = ("check.made", "check.launch")  # another launch than the documented one
_OUTCOMES = (_VALUES, "check.never-written")  # what the results came to
_EXAMPLES = 2  # wrong elements that are shown below the reason of one of them


def select_causes(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings without those that follow from others; the arguments stay unchanged.

    First come those of the file (`frame...`: it changed where it must not), then why an element is wrong
    (`check.reason...`, dropped if no element is wrong), then the others in their order. Of findings that read alike
    the first stays. If reasons are shown, lists of wrong elements are shortened.

    What follows: findings with `FOLLOWS` in their values; all but the first of the kinds `MISSED`, and of `async-copy`;
    races if there is a fault of these kinds; races with the remedy of an earlier race; `order-dependent` if there is a
    race or a fault of these kinds; undefined reads if there is an `async-copy`, or if only another order shows them and
    their array races; wrong or unwritten elements if the kernel has any fault, or other launches than documented.
    """
    faults = [finding for finding in findings if is_fault(finding) and FOLLOWS not in finding.values]
    kinds = {finding.kind for finding in faults}
    raced = {finding.argument for finding in faults if finding.kind == "race"}
    missed = not kinds.isdisjoint(MISSED)
    flying = "async-copy" in kinds
    wrong = any(finding.id.startswith(_VALUES) for finding in findings)
    framed = any(finding.kind == "frame" for finding in findings)
    launched = any(finding.id.startswith(_LAUNCHES) for finding in findings)
    reasons = [finding for finding in findings if finding.id.startswith(_REASON) and wrong]
    unwritten = [finding for finding in findings if finding.id.startswith(_REASON) and not wrong]
    selected: dict[object, Finding] = {}
    for finding in sorted(findings, key=lambda each: (each.kind != "frame", each not in reasons)):
        follows = (
            FOLLOWS in finding.values
            or finding in unwritten  # that nobody writes it says more than which input it lacks
            or (bool(reasons) and finding.id == "check.never-written")
            or (finding.kind in MISSED and finding is not _find_first(faults, *MISSED))
            or (finding.kind in ("race", "absent-lane") and missed)
            or (flying and finding.kind in ("race", "uninitialised", "order-dependent"))
            or (flying and finding.kind == "async-copy" and finding is not _find_first(faults, "async-copy"))
            or (finding.kind == "race" and finding is not _find_first_of_remedy(faults, finding))
            or (finding.kind == "order-dependent" and bool(raced or missed))
            or (finding.kind == "uninitialised" and "seed" in finding.values and finding.values["source"] in raced)
            or (finding.id.startswith(_OUTCOMES) and (bool(faults) or launched))
        )
        if follows:
            continue
        if reasons:
            finding = _shorten(finding, long=any(len(reason.sites) > _EXAMPLES for reason in reasons))
        if framed and finding.id.startswith(_REASON):
            finding = replace(finding, sites=finding.sites[-_EXAMPLES:])
        # A read and a write of one statement race with those of another thread in more than one way; the same of
        # several launches, or of one function compiled with several parameters, is the same.
        race = finding.kind == "race"
        places = frozenset((place.file, place.line, 0 if race else place.column) for place in finding.sites)
        selected.setdefault((finding.id, finding.argument, places, "" if race else str(finding.values)), finding)
    return list(selected.values())


def _find_first(faults: Sequence[Finding], *kinds: str) -> Finding | None:
    return next((finding for finding in faults if finding.kind in kinds), None)


def _find_first_of_remedy(faults: Sequence[Finding], race: Finding) -> Finding:
    """Return the first race among `faults` that the same remedy orders as `race`, which may be `race` itself.

    Races have the same remedy if array and level (see `APART` in `harness.simt.findings`) are the same, and the sites
    share a source line.
    """
    lines = {(place.file, place.line) for place in race.sites}
    matches = (
        each
        for each in faults
        if each.kind == "race"
        and (each.argument, each.values.get("level")) == (race.argument, race.values.get("level"))
        and not lines.isdisjoint((place.file, place.line) for place in each.sites)
    )
    return next(matches, race)


def _shorten(finding: Finding, *, long: bool) -> Finding:
    """Return a `check.wrong-value...` finding with two of its elements (with `long`, a single one) and no sites.

    A `check.reason...` with more than two sites and more than three steps (`items`) keeps the first two steps and the
    last. Other findings are returned unchanged.
    """
    items = finding.values.get("items", ())
    if finding.id.startswith(_VALUES):
        return replace(finding, sites=(), values=finding.values | {"items": items[: 1 if long else _EXAMPLES]})
    if finding.id.startswith(_REASON) and len(finding.sites) > _EXAMPLES < len(items) - 1:
        return replace(finding, values=finding.values | {"items": (*items[:_EXAMPLES], items[-1])})
    return finding
