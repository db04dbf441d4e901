"""`trace` and `show`: what the lanes of a kernel do, as text and as a page."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from harness.cases import pipeline
from harness.catalogue import select
from harness.cli.files import require_folders
from harness.errors import EnvironmentFault, UsageError
from harness.learning import text
from harness.learning.page import page
from harness.learning.trace import Trace, of_case
from harness.learning.words import phrases
from harness.model import exit_code
from harness.model.case import Case
from harness.model.language import language
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.report import console

__all__ = ["show", "trace"]


def trace(arguments: Namespace) -> int:
    """Prints every step of a case."""
    say = phrases(language())
    made, report = _traced(arguments)
    for line in text.lines(made.data, say, arguments.lane):
        print(line)
    return exit_code.of_statuses([report.verdict])


def show(arguments: Namespace) -> int:
    """Writes a page, and says where."""
    say = phrases(language())
    out: Path = arguments.output or Path(f"{_case(arguments.case).id.replace(':', '-')}.html")
    require_folders(out)
    made, report = _traced(arguments)
    try:
        out.write_text(page(made, say), encoding="utf-8")
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {out}: {error.strerror}.") from None
    print(out)
    return exit_code.of_statuses([report.verdict])


def _case(name: str) -> Case:
    cases = select([name])
    if len(cases) > 1:
        raise UsageError(f"{name} has several cases: choose one of {', '.join(case.id for case in cases)}.")
    return cases[0]


def _traced(arguments: Namespace) -> tuple[Trace, CaseReport]:
    case = _case(arguments.case)
    file: Path | None = arguments.file
    if file is not None and not file.is_file():
        raise UsageError(f"no file at {file}.")
    sources = Sources(overrides={case.puzzle: file}) if file else Sources()
    plan = pipeline.plan(arguments.target, "simulator")
    with console.progress() as notify:
        made, report = of_case(case, plan=plan, sources=sources, notify=notify)
    sys.stdout.flush()
    return made, report
