"""What the commands say of a case: its verdict, its findings and the promises that it did not keep."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from harness.model.language import chosen
from harness.model.messages import finding
from harness.model.report import FAIL_ON, CaseReport
from harness.model.sizes import OtherSize, trimmed
from harness.model.sources import MOJO, ROOT, Sources
from harness.model.verdict import Verdict
from harness.report import lines
from harness.report.causes import causes
from harness.report.told import ReportedFinding
from harness.simt.excerpt import Excerpts
from harness.simt.findings import Finding, failing
from harness.simt.plain import printable
from harness.simt.render import Renderer

__all__ = ["case_lines", "promise_lines", "reason_of", "renderer", "small", "told_of"]

UNFILLED = ("frame.unfilled", "predict.open")  # of such a file that is all there is to say
_WRONG = (Verdict.MISMATCH, Verdict.FINDING)
FIRST = 5  # findings of a case that are shown whole; the JSON report has all of them


def renderer(sources: Sources | None = None, *more: Path) -> Renderer:
    """Shows findings with the lines of the kernels' files, and of these files and folders, and of no others."""
    own = sources.overrides.values() if sources else ()
    return Renderer(Excerpts(MOJO, *own, *more, root=ROOT), words=chosen(), detail=False, named=_from_here)


def case_lines(report: CaseReport, show: Renderer, *, remarks: bool = False, home: str = "") -> Iterator[str]:
    """The verdict of a case with all that belongs to it; files below the current folder are named from there.

    Args:
        report: Of the case.
        show: From `renderer`.
        remarks: Whether to show also what is for information, of a case that is right.
        home: Where given, findings are lines for editors, and what has no place stands at this `file:line:column`.
    """
    here = f"{Path.cwd()}{os.sep}"
    for line in _case_lines(report, show, remarks, home):
        yield line.replace(here, "")


def _case_lines(report: CaseReport, show: Renderer, remarks: bool, home: str) -> Iterator[str]:
    said, told = told_of(report, show, remarks=remarks)
    if home:
        yield from said[: 1 + bool(report.resized)]
        yield from _by_option(report, show)
        every = [finding for finding in report.findings if finding.id in UNFILLED]
        yield from lines.of(map(ReportedFinding, (*every, *report.unkept, *_told(report, remarks))), show, home)
        return
    yield from said
    count = _shown_whole(told)
    for message in told[:count]:
        yield from (f"  {line}" for line in show.block(message))
    for message in told[count:]:
        yield f"  {show.words.text(finding('case.also', line=show.line(message)))}"
    if more := len(_told(report, remarks)) - len(told):
        yield f"  {show.words.text(finding('case.more', count=more))}"


def _shown_whole(findings: Sequence[Finding]) -> int:
    """Return how many findings are shown whole: what is told of the file, the first cause, and what it explains."""
    first = sum(finding.kind == "frame" for finding in findings)
    explains = [finding.id.rpartition(".")[0] for finding in findings[first : first + 2]]
    return first + 1 + (not first and explains == ["check.reason", "check.wrong-value"])


def told_of(report: CaseReport, show: Renderer, *, remarks: bool = False) -> tuple[list[str], list[Finding]]:
    """What is said of a case: its verdict with the promises that it did not keep, and the findings that are shown.

    Args:
        report: Of the case.
        show: From `renderer`.
        remarks: Whether to show also what is for information, of a case that is right.
    """
    unfilled = next((finding for finding in report.findings if finding.id in UNFILLED), None)
    said = [printable(show.words.text(unfilled or _verdict(report)))]
    if report.decisive and report.decisive.launch and report.verdict in _WRONG and not unfilled:
        said.append(f"  {show.words.text(finding('case.coincidence'))}.")
    if report.resized:
        said.append(f"  {show.words.text(small(report.case, report.resized))}")
    findings = [_as_it_counts(finding, report) for finding in _told(report, remarks)[:FIRST]]
    return [*said, *_by_option(report, show), *promise_lines(report, show)], findings


def _as_it_counts(finding: Finding, report: CaseReport) -> Finding:
    """Return a finding as an error if the case fails for it: "Warning" over a failure reads as all right."""
    fails = report.verdict == Verdict.FINDING and bool(failing([finding], report.fail_on))
    return replace(finding, severity="error") if fails and finding.severity == "warning" else finding


def _told(report: CaseReport, remarks: bool) -> list[Finding]:
    said_why = not report.datasets or report.verdict == Verdict.SKIPPED or _fails_by_information(report)
    remarks = (remarks and report.ok) or said_why
    told = [
        finding
        for finding in causes(report.findings)
        if remarks or finding.severity != "information" or finding.id.startswith("check.reason.")
    ]
    return [
        replace(finding, severity="error") if finding.id.startswith("check.reason.") else finding
        for finding in told
        if finding.id not in UNFILLED and finding not in report.unkept
    ]


def _by_option(report: CaseReport, show: Renderer) -> Iterator[str]:
    """Yield why a case fails that would pass by default, if it does."""
    why = show.fails_by_option(report.findings, report.fail_on, FAIL_ON)
    if why and report.verdict == Verdict.FINDING:
        yield f"  {why}"


def _fails_by_information(report: CaseReport) -> bool:
    return report.verdict == Verdict.FINDING and not failing(report.findings, FAIL_ON)


def small(case: str, size: OtherSize) -> Finding:
    """That a case ran at a size that is not the documented one."""
    return finding("case.small", case=case, **asdict(size))


def _verdict(report: CaseReport) -> Finding:
    if not report.datasets:
        return finding("case.unrun", case=report.case, verdict=report.verdict)
    counts: dict[str, Any] = {"passed": report.passed, "total": len(report.datasets)}
    if report.decisive is None:  # all data sets are right; what is wrong then is no kernel
        name = "case.right" if report.ok else "case.beside"
        return finding(name, case=report.case, verdict=report.verdict, **counts)
    told: dict[str, Any] = {"case": report.case, "verdict": report.verdict, "dataset": report.decisive.name, **counts}
    launch = report.decisive.launch
    if launch is None:
        return finding("case.wrong", **told)
    told["dataset"] = report.decisive.name.removesuffix(f" with {launch}")
    if launch.grid is None:
        return finding("case.wrong-at.sizes", sizes=launch.sizes, **told)
    told["sizes"] = f" ({launch.sizes})" if launch.constants else ""
    if launch.in_a_row:
        return finding("case.wrong-at.row", blocks=launch.grid[0], threads=launch.block[0], **told)
    grid, block = (" x ".join(map(str, trimmed(extent))) for extent in (launch.grid, launch.block))
    return finding("case.wrong-at.grid", grid=grid, block=block, **told)


def promise_lines(report: CaseReport, show: Renderer) -> Iterator[str]:
    """What the puzzle asks for beside the answer, and did not get."""
    if not report.unkept:
        return
    yield f"  {show.words.text(finding('case.promises'))}"
    for promise in report.unkept:
        text = show.words.text(promise)
        yield printable(f"    - {text[:1].upper()}{text[1:]}.")
        if why := reason_of(promise, show):
            yield printable(f"      {show.words.text(finding('case.why', why=why))}.")


def reason_of(promise: Finding, show: Renderer) -> str:
    """Why a puzzle asks for it: the puzzle's own reason, or the one that holds everywhere."""
    own: str = promise.values.get("why", "")
    return show.words.word("why", own) if own else show.words.remedy(promise)


def _from_here(file: str) -> str:
    """A file of the repository as the current folder has it, so that a terminal can follow it."""
    path = ROOT / file
    if Path(file).is_absolute() or Path.cwd() == ROOT or not path.is_file():
        return file
    return os.path.relpath(path)
