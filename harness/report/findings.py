"""Lines about a case for people: its verdict, findings and broken promises; renderers that quote its files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from harness.model.language import current_words
from harness.model.launch_plan import FAIL_ON
from harness.model.messages import make_finding
from harness.model.report import CaseReport
from harness.model.sizes import OtherSize, trim_extent
from harness.model.sources import MOJO, ROOT, Sources
from harness.model.verdict import Verdict
from harness.report import lines
from harness.report.causes import select_causes
from harness.report.told import ReportedFinding
from harness.simt.excerpt import Excerpts
from harness.simt.findings import Finding, failing
from harness.simt.plain import printable
from harness.simt.render import Renderer

__all__ = ["describe_case", "describe_size", "find_reason", "format_case", "format_promises", "make_renderer"]

UNFILLED = ("frame.unfilled", "predict.open")  # of such a file that is all there is to say
_WRONG = (Verdict.MISMATCH, Verdict.FINDING)
FIRST = 5  # findings of a case that are shown whole; the JSON report has all of them


def make_renderer(sources: Sources | None = None, *more: Path) -> Renderer:
    """Make a renderer in the user's language that quotes lines of some files, and of no others.

    These are the files below `MOJO`, those that `sources` puts in their place, and the files and folders in `more`.
    """
    files = sources.overrides.values() if sources else ()
    return Renderer(Excerpts(MOJO, *files, *more, root=ROOT), words=current_words(), detail=False, named=_relative_path)


def format_case(report: CaseReport, show: Renderer, *, remarks: bool = False, home: str = "") -> Iterator[str]:
    """Yield lines with a case's verdict, broken promises and findings; paths below the current folder are relative.

    Findings of the file and the first cause are shown whole, others in a line each, at most five together; then comes
    the number of findings left out.

    Args:
        report: The case.
        show: From `make_renderer`.
        remarks: Whether a case that is right shows findings of severity `information` too.
        home: If not empty, lines for editors follow the verdict: one for each promise and finding, without a limit.
            A finding without a site gets this `file:line:column`.
    """
    folder = f"{Path.cwd()}{os.sep}"
    for line in _format_case(report, show, remarks, home):
        yield line.replace(folder, "")


def _format_case(report: CaseReport, show: Renderer, remarks: bool, home: str) -> Iterator[str]:
    summary, selected = describe_case(report, show, remarks=remarks)
    if home:
        yield from summary[: 1 + bool(report.resized)]
        yield from _explain_option(report, show)
        every = [finding for finding in report.findings if finding.id in UNFILLED]
        yield from lines.format_findings(
            map(ReportedFinding, (*every, *report.unkept, *_select_findings(report, remarks))), show, home
        )
        return
    yield from summary
    count = _count_whole(selected)
    for message in selected[:count]:
        yield from (f"  {line}" for line in show.block(message))
    for message in selected[count:]:
        yield f"  {show.words.text(make_finding('case.also', line=show.line(message)))}"
    if more := len(_select_findings(report, remarks)) - len(selected):
        yield f"  {show.words.text(make_finding('case.more', count=more))}"


def _count_whole(findings: Sequence[Finding]) -> int:
    """Return how many findings are shown whole: those of the file, the first cause, and what it explains.

    The latter is a wrong value right after its reason, if the file has no findings. It may exceed their number.
    """
    first = sum(finding.kind == "frame" for finding in findings)
    explains = [finding.id.rpartition(".")[0] for finding in findings[first : first + 2]]
    return first + 1 + (not first and explains == ["check.reason", "check.wrong-value"])


def describe_case(report: CaseReport, show: Renderer, *, remarks: bool = False) -> tuple[list[str], list[Finding]]:
    """Return the lines of a case's verdict and broken promises, and the findings to show, at most five.

    If regions of the problem's file are still to be filled in, a line on that replaces the verdict. Further lines say
    that the case is right at the documented launch alone, that its size is not the documented one, or that an option
    makes it fail. A warning that makes the case fail is returned as an error.

    Args:
        report: The case.
        show: From `make_renderer`.
        remarks: Whether findings of severity `information` are returned too, if the case is right.
    """
    unfilled = next((finding for finding in report.findings if finding.id in UNFILLED), None)
    summary = [printable(show.words.text(unfilled or _describe_verdict(report)))]
    if report.decisive and report.decisive.launch and report.verdict in _WRONG and not unfilled:
        summary.append(f"  {show.words.text(make_finding('case.coincidence'))}.")
    if report.resized:
        summary.append(f"  {show.words.text(describe_size(report.case, report.resized))}")
    findings = [_raise_severity(finding, report) for finding in _select_findings(report, remarks)[:FIRST]]
    return [*summary, *_explain_option(report, show), *format_promises(report, show)], findings


def _raise_severity(finding: Finding, report: CaseReport) -> Finding:
    """Return a warning as an error if the case fails for it: "Warning" over a failure reads as all right."""
    fails = report.verdict == Verdict.FINDING and bool(failing([finding], report.fail_on))
    return replace(finding, severity="error") if fails and finding.severity == "warning" else finding


def _select_findings(report: CaseReport, remarks: bool) -> list[Finding]:
    """Return the findings that people see, without what follows from others, unfilled regions and unkept promises.

    Why an element is wrong counts as an error. Other information is left out unless `remarks` are wanted of a case that
    is right, or it is all there is: the case did not run, or fails by information.
    """
    is_explained = not report.datasets or report.verdict == Verdict.SKIPPED or _fails_by_information(report)
    remarks = (remarks and report.ok) or is_explained
    selected = [
        finding
        for finding in select_causes(report.findings)
        if remarks or finding.severity != "information" or finding.id.startswith("check.reason.")
    ]
    return [
        replace(finding, severity="error") if finding.id.startswith("check.reason.") else finding
        for finding in selected
        if finding.id not in UNFILLED and finding not in report.unkept
    ]


def _explain_option(report: CaseReport, show: Renderer) -> Iterator[str]:
    """Yield the line that says why a case fails that would pass by default; nothing for others."""
    why = show.fails_by_option(report.findings, report.fail_on, FAIL_ON)
    if why and report.verdict == Verdict.FINDING:
        yield f"  {why}"


def _fails_by_information(report: CaseReport) -> bool:
    return report.verdict == Verdict.FINDING and not failing(report.findings, FAIL_ON)


def describe_size(case: str, size: OtherSize) -> Finding:
    """Return the finding that a case ran at another size than the documented one."""
    return make_finding("case.small", case=case, **asdict(size))


def _describe_verdict(report: CaseReport) -> Finding:
    """Return the message on a case's verdict, with the number of data sets that passed, unless none ran.

    If a data set decided the verdict, the message has its name, and its launch if that is not the documented one.
    """
    if not report.datasets:
        return make_finding("case.unrun", case=report.case, verdict=report.verdict)
    counts: dict[str, Any] = {"passed": report.passed, "total": len(report.datasets)}
    if report.decisive is None:  # all data sets are right; what is wrong then is no kernel
        name = "case.right" if report.ok else "case.beside"
        return make_finding(name, case=report.case, verdict=report.verdict, **counts)
    facts: dict[str, Any] = {"case": report.case, "verdict": report.verdict, "dataset": report.decisive.name, **counts}
    launch = report.decisive.launch
    if launch is None:
        return make_finding("case.wrong", **facts)
    facts["dataset"] = report.decisive.name.removesuffix(f" with {launch}")
    if launch.grid is None:
        return make_finding("case.wrong-at.sizes", sizes=launch.sizes, **facts)
    facts["sizes"] = f" ({launch.sizes})" if launch.constants else ""
    if launch.is_one_dimensional:
        return make_finding("case.wrong-at.row", blocks=launch.grid[0], threads=launch.block[0], **facts)
    grid, block = (" x ".join(map(str, trim_extent(extent))) for extent in (launch.grid, launch.block))
    return make_finding("case.wrong-at.grid", grid=grid, block=block, **facts)


def format_promises(report: CaseReport, show: Renderer) -> Iterator[str]:
    """Yield the promises of a case that it did not keep, with reasons, below a heading; nothing if it kept all."""
    if not report.unkept:
        return
    yield f"  {show.words.text(make_finding('case.promises'))}"
    for promise in report.unkept:
        text = show.words.text(promise)
        yield printable(f"    - {text[:1].upper()}{text[1:]}.")
        if why := find_reason(promise, show):
            yield printable(f"      {show.words.text(make_finding('case.why', why=why))}.")


def find_reason(promise: Finding, show: Renderer) -> str:
    """Return why a promise is broken: the puzzle's text, else the remedy of its message; empty if there is neither."""
    puzzle_reason: str = promise.values.get("why", "")
    return show.words.word("why", puzzle_reason) if puzzle_reason else show.words.remedy(promise)


def _relative_path(file: str) -> str:
    """Turn a path that is relative to the repository's root into one that is relative to the current folder.

    Absolute paths, and relative ones of no file below the root, are returned unchanged.
    """
    path = ROOT / file
    if Path(file).is_absolute() or Path.cwd() == ROOT or not path.is_file():
        return file
    return os.path.relpath(path)
