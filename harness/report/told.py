"""Collect findings of cases and programs with facts of their run, for reports; make findings of compiler output."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from harness.model.named import display_name
from harness.model.report import CaseReport
from harness.simt.findings import Finding, SourceLocation

if TYPE_CHECKING:  # most reports are of no program
    from harness.programs.result import Accepted, Execution

__all__ = ["LEVELS", "ReportedFinding", "make_compile_finding", "of_cases", "of_programs", "parse_diagnostics"]

LEVELS = {"error": "error", "warning": "warning", "information": "note"}
# Where a compiler's line begins with one; its notes are indented.
_DIAGNOSTIC = re.compile(r"^ *(?P<file>\S.*?):(?P<line>\d+):(?P<column>\d+): (?P<level>error|note): (?P<text>.*)$")


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding, and the facts of the run that found it, such as the case.

    Attributes:
        file: Where a finding without a place of its own belongs, as in code without lines: code scanning wants one.
        accepted: By whom it is accepted, if it is.
    """

    finding: Finding
    facts: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    accepted: Accepted | None = None


def of_cases(cases: Iterable[CaseReport]) -> Iterator[ReportedFinding]:
    """Yield the findings of cases, each once even if several data sets show it.

    Findings of one id, with the same sites and argument, are the same. Unkept promises come after a case's own
    findings.
    """
    for case in cases:
        facts = {"case": case.case, "target": case.target, "backend": case.backend, "verdict": case.verdict}
        yielded: list[tuple[str, tuple[SourceLocation, ...], str | None]] = []
        datasets = [
            (finding, {**facts, "dataset": dataset.name}) for dataset in case.datasets for finding in dataset.findings
        ]
        for finding, dataset_facts in [*((finding, facts) for finding in (*case.findings, *case.unkept)), *datasets]:
            what = (finding.id, finding.sites, finding.argument)
            if what not in yielded:
                yielded.append(what)
                yield ReportedFinding(finding, dataset_facts)


def of_programs(executions: Sequence[Execution]) -> Iterator[ReportedFinding]:
    """Yield the findings of each program that ran, or of its compiler, then those of it that are accepted, marked as
    such.
    """
    for execution in executions:
        facts = {
            "program": display_name(os.path.abspath(execution.file)),
            "arguments": " ".join(execution.arguments),
            "target": execution.target.name,
            "backend": execution.backend,
        }
        file = str(execution.file)
        compiler = [make_compile_finding(file, execution.diagnostics)] if execution.diagnostics else []
        yield from (ReportedFinding(finding, facts, file) for finding in (*compiler, *execution.findings))
        yield from (ReportedFinding(each.finding, facts, file, each) for each in execution.accepted)


def make_compile_finding(file: str, compiler_output: str) -> Finding:
    """Return the finding `run.compile-error`, without sites: its `items` are the compiler's lines.

    Its values have advice too, if some fits; for that the file is read, if it can be.
    """
    # Late: a program that compiles needs none of these.
    from harness.build.compile_advice import find_advice
    from harness.model.messages import make_finding

    items = tuple({"line": line} for line in compiler_output.splitlines())
    reason = f"{display_name(os.path.abspath(file))} does not compile"
    try:
        source = Path(file).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        source = []
    return make_finding("run.compile-error", reason=reason, items=items, **find_advice(compiler_output, source))


def parse_diagnostics(items: Iterable[str]) -> Iterator[tuple[str, SourceLocation]]:
    """Yield the level, `error` or `note`, and the place of each compiler line that has one; its `instruction` is the
    text.
    """
    for item in items:
        if match := _DIAGNOSTIC.match(item):
            yield match["level"], SourceLocation(match["file"], int(match["line"]), int(match["column"]), match["text"])
