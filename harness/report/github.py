"""Report a run in a GitHub Actions job: a Markdown summary on its page, annotations at lines of a pull request.

See GitHub's "Workflow commands": a line `::error file=...,line=...::text` on stdout
becomes an annotation, whatever wrote it, so what kernels and compilers say is escaped.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from harness.model.report import CaseReport, RunReport
from harness.model.verdict import Verdict
from harness.report.findings import format_case, make_renderer
from harness.report.told import parse_diagnostics
from harness.simt.render import Renderer

__all__ = ["format_annotations", "report_to_job"]

_COMMANDS = {"error": "error", "warning": "warning"}  # information is no reason to mark a line


def report_to_job(report: RunReport) -> None:
    """Append the summary to the file in `GITHUB_STEP_SUMMARY`; print annotations if `GITHUB_ACTIONS` is `true`.

    Without these variables nothing happens. A summary that cannot be written is only noted on stderr.
    """
    if page := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(page).open("a", encoding="utf-8") as file:
                file.write(_format_summary(report))
        except OSError as error:
            # The run was judged; a page that cannot be written must not change its exit code.
            print(f"no summary at {page}: {error.strerror}", file=sys.stderr)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        for line in format_annotations(report):
            print(line)


def _format_summary(report: RunReport) -> str:
    lines = [
        f"### {report.plan.target} on {report.plan.device}",
        "",
        "| verdict | case | data sets | reason |",
        "| --- | --- | --- | --- |",
    ]
    for case in report.cases:
        reason = case.reason.replace("|", "\\|").replace("\n", " ")
        lines.append(f"| {case.verdict} | `{case.case}` | {case.tally} | {reason} |")
    show = make_renderer(report.sources)
    for case in report.cases:
        if details := _choose_details(report, case):
            # A fence that is longer than any in the text, which is a stranger's.
            text = "\n".join(format_case(case, show))
            fence = "`" * (1 + max(2, *map(len, re.findall("`+", text)), 0))
            lines += [
                "",
                f"<details><summary>{case.case}: {details}</summary>",
                "",
                fence,
                text,
                fence,
                "",
                "</details>",
            ]
    return "\n".join([*lines, "", ""])


def _choose_details(report: RunReport, case: CaseReport) -> str:
    """Return the title of a case's details, or an empty string if there are none."""
    return "findings" if not case.ok and case.datasets else "promises" if report.binding and case.unkept else ""


def format_annotations(report: RunReport) -> Iterator[str]:
    """Yield a workflow command for each finding and compile error; at least one for each case that fails.

    Information and findings without a place are left out; so are cases that pass or are skipped.
    """
    show = make_renderer(report.sources)
    for case in report.cases:
        if case.ok or case.verdict == Verdict.SKIPPED:
            continue
        placed = [*_findings(case, show), *_diagnostics(case, show)]
        yield from placed or [_command("error", case, case.reason)]


def _findings(case: CaseReport, show: Renderer) -> Iterator[str]:
    for finding in case.findings:
        place = next((site for site in finding.sites if site.known), None)
        if place is not None and finding.severity in _COMMANDS:
            place = show.at(place)
            where = {"file": place.file, "line": place.line, "col": place.column}
            yield _command(_COMMANDS[finding.severity], case, "\n".join(show.block(finding)), where)


def _diagnostics(case: CaseReport, show: Renderer) -> Iterator[str]:
    """Yield a command for each error of the compiler, if the case does not compile."""
    if case.verdict != Verdict.COMPILE_ERROR:
        return
    for level, place in parse_diagnostics(
        item["line"] for finding in case.findings for item in finding.values.get("items", ())
    ):
        if level == "error":
            where = {"file": place.file, "line": place.line, "col": show.at(place).column}
            yield _command("error", case, place.instruction, where)


def _command(name: str, case: CaseReport, text: str, where: dict[str, object] | None = None) -> str:
    properties = {**(where or {}), "title": f"{case.case} on {case.target}: {case.verdict}"}
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
