"""Format reports of programs that ran: lines for stderr, rows of a table, JSON values. Nothing is printed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness.model.language import current_words
from harness.model.language import translate as in_language
from harness.model.named import display_name, relativize_files
from harness.model.sources import ROOT
from harness.programs import Execution, Launched
from harness.report import lines as placed
from harness.report import profile
from harness.report.told import of_programs
from harness.simt.excerpt import Excerpts
from harness.simt.findings import Finding
from harness.simt.plain import plain, printable
from harness.simt.render import MARK, Renderer

__all__ = ["as_dict", "display_name", "explain_verdict", "format_execution", "renderer", "summarise"]

_LAST = 8  # lines of a failed program's stderr
_UNWATCHED = "uninitialised-copy.unwatched"  # not a finding of the program, but what was not looked at


def renderer(executions: Sequence[Execution]) -> Renderer:
    """Make a renderer that quotes files below the current folder and in the programs' folders, and no others."""
    folders = (Path.cwd(), *(execution.file.resolve().parent for execution in executions))
    return Renderer(Excerpts(*folders, root=ROOT), words=current_words(), detail=False, named=display_name)


def format_execution(execution: Execution, show: Renderer | None = None, *, form: str = "text") -> Iterator[str]:
    """Yield lines with compile errors, the findings and their number, and what else ended the program.

    The last eight lines of the program's stderr come first, in both forms, if the exit status is not 0. Information is
    shown where it fails the program. A program that passed yields nothing, unless it has accepted findings or copies
    that were not checked.

    Args:
        form: `text`, or `lines` for editors, without the number of findings, accepted ones and unchecked copies.
    """
    show = show or renderer([execution])
    if execution.status:  # kept where it had no terminal of its own
        error_lines = execution.errors.decode(errors="replace").splitlines()
        yield from map(printable, [line for line in error_lines if line.strip()][-_LAST:])
    if form == "lines":
        yield from _format_lines(execution, show)
        yield from _explain_option(execution, show)
        return
    if execution.diagnostics:
        yield printable(in_language(f"error: {display_name(os.path.abspath(execution.file))} does not compile"))
        yield from printable(relativize_files(execution.diagnostics)).splitlines()
    selected = _select_findings(execution)
    for finding in selected:
        yield from (f"{MARK} {line}".rstrip() for line in show.block(finding))
        yield MARK
    if selected or execution.accepted:
        errors = sum(finding.severity == "error" for finding in selected)
        warnings = sum(finding.severity == "warning" for finding in selected)
        counts = f"{_format_count(errors, 'error')}, {_format_count(warnings, 'warning')}"
        accepted = f"{counts}, {len(execution.accepted)} accepted" if execution.accepted else counts
        yield f"{MARK} {in_language(accepted)}"
    yield from _explain_option(execution, show)
    for finding in execution.findings:
        if finding.id == _UNWATCHED and finding not in selected:
            yield f"{MARK} {in_language('information')}: {show.line(finding)}"
    for missing in execution.missing:
        yield printable(f"{MARK} {in_language(f'INCOMPLETE: {missing}')}")
    if execution.limit:
        yield printable(f"{MARK} {in_language(f'LIMIT: the program {execution.limit}')}")
    if execution.status < 0 and not execution.limit and not selected:
        yield printable(f"{MARK} {in_language(f'ENDED BY A SIGNAL: {execution.reason}')}")


def _explain_option(execution: Execution, show: Renderer) -> Iterator[str]:
    """Yield why a program fails that would pass by default, if it does."""
    if why := show.fails_by_option(execution.findings, execution.fail_on, "error"):
        yield f"{MARK} {why}"


def _select_findings(execution: Execution) -> list[Finding]:
    """Return the errors, the warnings, and the information that makes the program fail."""
    return [each for each in execution.findings if _is_selected(each, execution)]


def _is_selected(finding: Finding, execution: Execution) -> bool:
    return finding.severity != "information" or finding in execution.failing


def _format_lines(execution: Execution, show: Renderer) -> Iterator[str]:
    """Yield a line for each finding, and one at the file's first line for each other cause of the end.

    Accepted findings are left out, and information that does not make the program fail.
    """
    every = (each for each in of_programs([execution]) if not each.accepted)
    selected = [each for each in every if _is_selected(each.finding, execution)]
    yield from placed.format_findings(selected, show)
    endings = [("incomplete", missing) for missing in execution.missing]
    endings += [("limit", f"the program {execution.limit}")] if execution.limit else []
    if execution.status < 0 and not execution.limit and not selected:
        endings.append(("signal", execution.reason))
    endings = [(name, in_language(text)) for name, text in endings]
    home = f"{display_name(os.path.abspath(execution.file))}:1:1"
    yield from (placed.format_line(home, "error", name, text) for name, text in endings)


def as_dict(executions: Sequence[Execution]) -> dict[str, Any]:
    """Return programs that ran as JSON values: a list `programs`.

    Each has its file, arguments, target, verdict, launches, findings, accepted findings, counters and profiles.
    """
    show = renderer(executions)
    return {"programs": [_program(execution, show) for execution in executions]}


def summarise(executions: Sequence[Execution]) -> list[dict[str, str]]:
    """Return for each execution texts by English key: program, arguments, verdict, launches, seconds, reason."""
    show = renderer(executions)
    return [
        {
            "program": printable(display_name(os.path.abspath(execution.file))),
            "arguments": printable(" ".join(execution.arguments)),
            "verdict": execution.verdict,
            "launches": str(len(execution.launches)),
            "seconds": f"{execution.seconds:.2f}",
            "reason": printable(explain_verdict(execution, show)),
        }
        for execution in executions
    ]


def explain_verdict(execution: Execution, show: Renderer) -> str:
    """Return in one line, in the user's language, why a program is not right; empty if it is."""
    why = execution.reason
    if why == "; ".join(execution.missing):
        return "; ".join(map(in_language, execution.missing))
    return next((show.line(each) for each in execution.failing if str(each) == why), in_language(relativize_files(why)))


def _program(execution: Execution, show: Renderer) -> dict[str, Any]:
    return {
        "file": str(execution.file),
        "arguments": list(execution.arguments),
        "target": execution.target.name,
        "backend": execution.backend,
        "verdict": execution.verdict,
        "reason": explain_verdict(execution, show),
        "status": execution.status,
        "exit_code": execution.exit_code,
        "fail_on": execution.fail_on,
        "seconds": execution.seconds,
        "launches": [_launch(launch) for launch in execution.launches],
        "findings": [show.record(finding) for finding in execution.findings],
        "accepted": [{**show.record(each.finding), "reason": each.reason} for each in execution.accepted],
        "missing": list(execution.missing),
        "limit": execution.limit,
        "counters": plain(execution.counters),
        "profiles": plain(profile.as_dict(execution.profiles)),
    }


def _launch(launch: Launched) -> dict[str, Any]:
    # Its findings stand among the program's, where equal ones of several launches are one; so does its profile.
    facts: dict[str, Any] = plain(launch)
    facts["engine"]["why"] = launch.engine.why  # a property, which `plain` leaves out
    return {name: value for name, value in facts.items() if name not in ("findings", "profile")}


def _format_count(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
