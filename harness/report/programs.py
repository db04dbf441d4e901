"""Write the report of a program that ran, for stderr: its stdout is its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness.model.language import chosen
from harness.model.language import told as in_language
from harness.model.named import from_here, named
from harness.model.sources import ROOT
from harness.programs import Execution, Launched
from harness.report import lines as placed
from harness.report import profile
from harness.report.told import of_programs
from harness.simt.excerpt import Excerpts
from harness.simt.findings import Finding
from harness.simt.plain import plain, printable
from harness.simt.render import MARK, Renderer

__all__ = ["as_dict", "lines", "named", "reason", "renderer", "summary"]

_LAST = 8  # lines of a failed program's stderr
_UNWATCHED = "uninitialised-copy.unwatched"  # not a finding of the program, but what was not looked at


def renderer(executions: Sequence[Execution]) -> Renderer:
    """Shows findings with the lines of files below the current folder and beside the programs."""
    folders = (Path.cwd(), *(execution.file.resolve().parent for execution in executions))
    return Renderer(Excerpts(*folders, root=ROOT), words=chosen(), detail=False, named=named)


def lines(execution: Execution, shown: Renderer | None = None, *, form: str = "text") -> Iterator[str]:
    """The findings, and whatever else ended the program; nothing where all is well.

    Args:
        form: `text`, or `lines` for editors.
    """
    shown = shown or renderer([execution])
    if execution.status:  # kept where it had no terminal of its own
        said = execution.errors.decode(errors="replace").splitlines()
        yield from map(printable, [line for line in said if line.strip()][-_LAST:])
    if form == "lines":
        yield from _placed(execution, shown)
        yield from _by_option(execution, shown)
        return
    if execution.diagnostics:
        yield printable(in_language(f"error: {named(os.path.abspath(execution.file))} does not compile"))
        yield from printable(from_here(execution.diagnostics)).splitlines()
    told = _worth_telling(execution)
    for finding in told:
        yield from (f"{MARK} {line}".rstrip() for line in shown.block(finding))
        yield MARK
    if told or execution.accepted:
        errors = sum(finding.severity == "error" for finding in told)
        warnings = sum(finding.severity == "warning" for finding in told)
        counts = f"{_number(errors, 'error')}, {_number(warnings, 'warning')}"
        accepted = f"{counts}, {len(execution.accepted)} accepted" if execution.accepted else counts
        yield f"{MARK} {in_language(accepted)}"
    yield from _by_option(execution, shown)
    for finding in execution.findings:
        if finding.id == _UNWATCHED and finding not in told:
            yield f"{MARK} {in_language('information')}: {shown.line(finding)}"
    for missing in execution.missing:
        yield printable(f"{MARK} {in_language(f'INCOMPLETE: {missing}')}")
    if execution.limit:
        yield printable(f"{MARK} {in_language(f'LIMIT: the program {execution.limit}')}")
    if execution.status < 0 and not execution.limit and not told:
        yield printable(f"{MARK} {in_language(f'ENDED BY A SIGNAL: {execution.reason}')}")


def _by_option(execution: Execution, shown: Renderer) -> Iterator[str]:
    """Yield why a program fails that would pass by default, if it does."""
    if why := shown.fails_by_option(execution.findings, execution.fail_on, "error"):
        yield f"{MARK} {why}"


def _worth_telling(execution: Execution) -> list[Finding]:
    """Return the errors, the warnings, and the information that makes the program fail."""
    return [each for each in execution.findings if _is_worth_telling(each, execution)]


def _is_worth_telling(finding: Finding, execution: Execution) -> bool:
    return finding.severity != "information" or finding in execution.failing


def _placed(execution: Execution, shown: Renderer) -> Iterator[str]:
    """A line for each finding, and for each other thing that ended the program, at its first line."""
    every = (each for each in of_programs([execution]) if not each.accepted)
    told = [each for each in every if _is_worth_telling(each.finding, execution)]
    yield from placed.of(told, shown)
    ended = [("incomplete", missing) for missing in execution.missing]
    ended += [("limit", f"the program {execution.limit}")] if execution.limit else []
    if execution.status < 0 and not execution.limit and not told:
        ended.append(("signal", execution.reason))
    ended = [(name, in_language(text)) for name, text in ended]
    home = f"{named(os.path.abspath(execution.file))}:1:1"
    yield from (placed.line(home, "error", name, text) for name, text in ended)


def as_dict(executions: Sequence[Execution]) -> dict[str, Any]:
    """Programs that ran, for JSON."""
    shown = renderer(executions)
    return {"programs": [_program(execution, shown) for execution in executions]}


def summary(executions: Sequence[Execution]) -> list[dict[str, str]]:
    """A row for each program and each set of arguments."""
    shown = renderer(executions)
    return [
        {
            "program": printable(named(os.path.abspath(execution.file))),
            "arguments": printable(" ".join(execution.arguments)),
            "verdict": execution.verdict,
            "launches": str(len(execution.launches)),
            "seconds": f"{execution.seconds:.2f}",
            "reason": printable(reason(execution, shown)),
        }
        for execution in executions
    ]


def reason(execution: Execution, shown: Renderer) -> str:
    """Why a program is not right, in one line: a finding by the names that its text has."""
    why = execution.reason
    if why == "; ".join(execution.missing):
        return "; ".join(map(in_language, execution.missing))
    return next((shown.line(each) for each in execution.failing if str(each) == why), in_language(from_here(why)))


def _program(execution: Execution, shown: Renderer) -> dict[str, Any]:
    return {
        "file": str(execution.file),
        "arguments": list(execution.arguments),
        "target": execution.target.name,
        "backend": execution.backend,
        "verdict": execution.verdict,
        "reason": reason(execution, shown),
        "status": execution.status,
        "exit_code": execution.exit_code,
        "fail_on": execution.fail_on,
        "seconds": execution.seconds,
        "launches": [_launch(launch) for launch in execution.launches],
        "findings": [shown.record(finding) for finding in execution.findings],
        "accepted": [{**shown.record(each.finding), "reason": each.reason} for each in execution.accepted],
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


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
