"""Which findings are told to people: those of causes, without what only follows from one of them.

Reports for programs have all. What follows is told as soon as its cause is mended, if it is still there.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.simt.findings import Finding

__all__ = ["causes"]

_MISSED = ("missed-barrier", "divergent-barrier", "cluster-protocol", "deadlock")
_OUTCOMES = ("check.wrong-value", "check.never-written")  # what the results came to
_OF_THE_RUN = ("check", "frame", "run", "case", "promise", "graph")


def causes(findings: Sequence[Finding]) -> list[Finding]:
    """The findings without those that follow from others, in their order.

    Where threads miss a barrier, nothing orders what it was to order; where two accesses race, another order gives
    another value, undefined where the read came first; where the kernel did what it must not, results are wrong too.
    """
    faults = [finding for finding in findings if finding.severity != "information" and finding.kind not in _OF_THE_RUN]
    kinds = {finding.kind for finding in faults}
    raced = {finding.argument for finding in faults if finding.kind == "race"}
    missed = not kinds.isdisjoint(_MISSED)
    told: dict[object, Finding] = {}
    for finding in findings:
        follows = (
            (finding.kind in ("race", "absent-lane") and missed)
            or (finding.kind == "order-dependent" and bool(raced or missed))
            or (finding.kind == "uninitialised" and "seed" in finding.values and finding.values["source"] in raced)
            or (finding.id.startswith(_OUTCOMES) and bool(faults))
        )
        if follows:
            continue
        # A read and a write of one statement race with those of another thread in more than one way; the same of
        # several launches, or of one function compiled with several parameters, is the same.
        race = finding.kind == "race"
        places = frozenset((place.file, place.line, 0 if race else place.column) for place in finding.sites)
        told.setdefault((finding.id, finding.argument, places, "" if race else str(finding.values)), finding)
    return list(told.values())
