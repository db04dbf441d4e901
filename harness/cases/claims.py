"""Compare a case's promises with measurements: the simulator's counters, instructions in assembly, occupancy.

A `CounterClaim` is a number that the simulator counts (`harness.simt.observing.counters`
and `harness.simt.observing.dataflow_counters` define each). A `CodeClaim` says which instructions the
compiled code of one vendor has and lacks, an `OccupancyClaim` that its registers cost no occupancy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from harness.errors import EnvironmentFault
from harness.model.case import Case, CodeClaim, CounterClaim, OccupancyClaim
from harness.model.messages import has_message, make_finding
from harness.model.occupancy import compute_occupancy
from harness.model.report import ClaimReport
from harness.model.target import Target
from harness.simt.findings import Counts

__all__ = ["check"]


def check(case: Case, target: Target, counters: Sequence[Counts], code: str | None = None) -> tuple[ClaimReport, ...]:
    """Check the claims of a case and return a report for each that can be measured: not those for other vendors.

    The report of a claim that does not hold has a finding of severity `information`, `broken`. A counter that was not
    counted, as when a launch was not made, breaks its promise.

    Args:
        counters: The counters of each launch on the documented data, in the order of the launches.
        code: The assembly of the kernel; without it neither instructions nor occupancy are checked.
    """
    reports: list[ClaimReport] = []
    for claim in case.claims:
        if isinstance(claim, OccupancyClaim):
            reports += _check_occupancy(claim, target, code)
        elif isinstance(claim, CounterClaim):
            if claim.vendor not in (None, target.vendor):
                continue
            # A host function may launch less.
            launch_counters = counters[claim.step] if claim.step < len(counters) else {}
            measured = launch_counters.get(claim.counter, "nothing")
            reports.append(_check_counter(claim, claim.expected(target.warp_width), measured))
        elif claim.vendor == target.vendor and code is not None:
            reports.append(_check_code(claim, code))
    return tuple(reports)


def _check_occupancy(claim: OccupancyClaim, target: Target, code: str | None) -> Iterator[ClaimReport]:
    """Yield at most one report: the claim is broken if the registers of the first kernel lower the occupancy.

    No report comes without code, or if the GPU's figures are not known. The report has `is_known` False, and raises
    nothing, if the registers cannot be determined on this machine.
    """
    from harness.build.registers import find_resources  # late: few claims ask for it

    most = compute_occupancy(target.gpu, claim.threads, claim.shared)
    try:
        resources = [kernel for text in find_resources([code]) for kernel in text.values()] if code else []
    except EnvironmentFault as error:
        if most is not None:
            yield ClaimReport(claim.sentence, f"{most.percent:.1f}% occupancy", str(error), None, is_known=False)
        return
    achieved = compute_occupancy(target.gpu, claim.threads, claim.shared, resources[0].registers) if resources else None
    if achieved is None or most is None:
        return
    promised = f"{most.percent:.1f}% occupancy"
    limits = " and ".join(achieved.limited_by)
    measured = f"{achieved.percent:.1f}% with {resources[0].registers} registers, limited by {limits}"
    broken = None
    if achieved.warps != most.warps:
        values: dict[str, Any] = {"promised": promised, "measured": measured, "why": claim.why}
        broken = make_finding("promise.occupancy", "information", sentence=claim.sentence, **values)
    yield ClaimReport(claim.sentence, promised, measured, broken)


def _check_counter(claim: CounterClaim, promised: int, measured: float | str | None) -> ClaimReport:
    name = claim.counter.replace("_", " ")
    broken = None
    if measured != promised:
        message = f"promise.{claim.counter}"
        values: dict[str, Any] = {"promised": promised, "measured": measured, "counter": name, "why": claim.why}
        broken = make_finding(
            message if has_message(message) else "promise.counter", "information", sentence=claim.sentence, **values
        )
    return ClaimReport(claim.sentence, f"{promised} {name}", str(measured), broken)


def _check_code(claim: CodeClaim, code: str) -> ClaimReport:
    promised = [f"{text} occurs" for text in claim.has] + [f"no {text}" for text in claim.lacks]
    counts = {text: code.count(text) for text in (*claim.has, *claim.lacks)}
    measured = ", ".join(f"{count} {text}" for text, count in counts.items() if count or text in claim.has)
    broken = None
    if not all(counts[text] for text in claim.has) or any(counts[text] for text in claim.lacks):
        values: dict[str, Any] = {"promised": tuple(promised), "measured": measured, "why": claim.why}
        broken = make_finding("promise.code", "information", sentence=claim.sentence, **values)
    return ClaimReport(claim.sentence, ", ".join(promised), measured or "none of these", broken)
