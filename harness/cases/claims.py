"""The promises of the documents, checked: what is promised and what is measured.

A `CounterClaim` is a number that the simulator counts (`harness.simt.observing.counters`
and `harness.simt.observing.dataflow_counters` define each). A `CodeClaim` says which instructions the
compiled code of one vendor has and lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from harness.model.case import Case, CodeClaim
from harness.model.report import CaseReport
from harness.model.target import Target

__all__ = ["ClaimReport", "as_dict", "broken", "check", "lines"]

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """One promise and what became of it.

    Attributes:
        sentence: The promise, in one sentence.
        promised: A number with its counter's name, or which instructions.
        measured: The same, as found.
        holds: Whether they agree.
    """

    sentence: str
    promised: str
    measured: str
    holds: bool

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "does not hold"
        return f"{self.sentence}: {verdict}, promised {self.promised}, measured {self.measured}"


def check(case: Case, target: Target, counters: Mapping[str, Any], code: str | None = None) -> tuple[ClaimReport, ...]:
    """Checks the claims of a case.

    Args:
        counters: Of one clean launch on the documented data.
        code: The assembly of the kernel; without it instructions are not checked.
    """
    reports = []
    for claim in case.claims:
        if not isinstance(claim, CodeClaim):
            promised = claim.expected(target.warp_width)
            measured = counters.get(claim.counter, "nothing")
            name = claim.counter.replace("_", " ")
            reports.append(ClaimReport(claim.sentence, f"{promised} {name}", str(measured), measured == promised))
        elif claim.vendor == target.vendor and code is not None:
            reports.append(_in_code(claim, code))
    return tuple(reports)


def _in_code(claim: CodeClaim, code: str) -> ClaimReport:
    promised = [f"{text} occurs" for text in claim.has] + [f"no {text}" for text in claim.lacks]
    counts = {text: code.count(text) for text in (*claim.has, *claim.lacks)}
    measured = [f"{count} {text}" for text, count in counts.items() if count or text in claim.has]
    holds = all(counts[text] for text in claim.has) and not any(counts[text] for text in claim.lacks)
    return ClaimReport(claim.sentence, ", ".join(promised), ", ".join(measured) or "none of these", holds)


def broken(claims: Iterable[ClaimReport]) -> str:
    """The claims that do not hold, as the reason of a verdict; empty if all do."""
    return "; ".join(f"claim: {claim}" for claim in claims if not claim.holds)


def lines(reports: Iterable[CaseReport]) -> list[str]:
    """The claims of each case, for people."""
    text = []
    for report in reports:
        text.append(f"{report.case} on {report.target}")
        if not report.claims:
            text.append(f"  {report.verdict}: {report.reason or 'no claims'}")
        for claim in report.claims:
            mark = "ok  " if claim.holds else "FAIL"
            text.append(f"  {mark} {claim.sentence}")
            text.append(f"       promised {claim.promised}, measured {claim.measured}")
    return text


def as_dict(reports: Iterable[CaseReport]) -> dict[str, Any]:
    """The same for machines."""
    return {
        "schema_version": SCHEMA_VERSION,
        "cases": [
            {
                "case": report.case,
                "target": report.target,
                "verdict": report.verdict,
                "reason": report.reason,
                "claims": [asdict(claim) for claim in report.claims],
            }
            for report in reports
        ],
    }
