"""`trace` and `show`: what the lanes of a case's kernel or a program's kernels do, as text and as a page."""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from harness.cases import pipeline
from harness.cases.predicted import questions_of, without_answers
from harness.cli import programs
from harness.cli.chosen import pictured_case, puzzle_of_path
from harness.cli.files import require_folders
from harness.cli.solution import may_see
from harness.errors import EnvironmentFault, UsageError
from harness.learning import text
from harness.learning.launches import of_program
from harness.learning.loop import Desk
from harness.learning.page import page
from harness.learning.trace import Trace, of_case
from harness.learning.words import phrases
from harness.model import exit_code
from harness.model.case import Case
from harness.model.language import language
from harness.model.lines import folded
from harness.model.sources import SUFFIXES, Sources
from harness.model.whole_file import write_whole
from harness.model.workspace import workspace
from harness.report import console
from harness.report import programs as told
from harness.simt.rows import Row, sum_rows

__all__ = ["show", "trace"]


class _Pictured(NamedTuple):
    """Traces to show, none if nothing was run, with the exit code, the costs of lines, and questions."""

    traces: list[Trace]
    code: int
    profile: tuple[Row, ...] = ()
    questions: Sequence[Mapping[str, Any]] = ()


def trace(arguments: Namespace) -> int:
    """Prints every step of a case, or of a program's launches."""
    say = phrases(language())
    pictured = _pictured(arguments)
    traces = pictured.traces
    lanes = max((_lanes(made.data) for made in traces), default=0)
    if traces and arguments.lane is not None and arguments.lane >= lanes:
        raise UsageError(f"there is no lane {arguments.lane}: the grid has 0 to {lanes - 1}.")
    for number, made in enumerate(traces):
        if number:
            print()
        for line in text.lines(made.data, say, arguments.lane):
            print(folded(line, sys.stdout))
    return pictured.code


def _lanes(data: Mapping[str, Any]) -> int:
    """How many lanes the grid of a launch has."""
    return math.prod((*data["grid"], *data["block"]))


def show(arguments: Namespace) -> int:
    """Writes a page, and says where."""
    say = phrases(language())
    program = _program(arguments)
    name = program.stem if program else pictured_case(arguments.case).id.replace(":", "-")
    out: Path = arguments.output or Path(f"{name}.html")
    require_folders(out)
    pictured = _pictured(arguments, asks=True)
    if not pictured.traces:
        return pictured.code
    try:
        write_whole(out, page(pictured.traces, say, pictured.profile, pictured.questions).encode())
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {out}: {error.strerror}.") from None
    print(out)
    return pictured.code


def _program(arguments: Namespace) -> Path | None:
    """The program that is asked for, or None where it is a case, be it by a puzzle's own file."""
    path, root = Path(arguments.case), workspace()
    is_problem = root is not None and puzzle_of_path(root, arguments.case) is not None
    return path if path.suffix in SUFFIXES and not is_problem else None


def _pictured(arguments: Namespace, *, asks: bool = False) -> _Pictured:
    """Record what the arguments name; `asks` adds the questions of a case, and the profile that answers them."""
    program, profile = _program(arguments), getattr(arguments, "profile", False)
    if program:
        if profile:
            raise UsageError("--profile of `show` is for cases: `exec --profile` has that of a program.")
        return _Pictured(*_of_program(program, arguments))
    for given, flag in ((arguments.launch, "--launch"), (arguments.include, "-I"), (arguments.define, "-D")):
        if given:
            raise UsageError(f"{flag} is for programs: {arguments.case} is no file that ends in .mojo.")
    if arguments.rest:
        raise UsageError(f"what follows -- goes to a program: {arguments.case} is no file that ends in .mojo.")
    case = pictured_case(arguments.case)
    sources = _sources(arguments, case)
    if sources is None:
        return _Pictured([], exit_code.OK)
    questions = questions_of(case, sources) if asks else []
    plan = replace(pipeline.plan(arguments.target, "simulator"), profile=profile or bool(questions))
    with console.show_progress() as notify:
        traces, report = of_case(case, plan=plan, sources=sources, notify=notify)
    sys.stdout.flush()
    rows = sum_rows(row for launch in report.measured for row in launch.rows)
    if questions and sources.are_solutions(case):  # whose file answers them
        traces = [Trace(without_answers(trace.data)) for trace in traces]
    return _Pictured(traces, exit_code.of_statuses([report.verdict]), rows, questions)


def _sources(arguments: Namespace, case: Case) -> Sources | None:
    """Whose kernels are shown: a file's, in a workspace the learner's, else the solution; None where nobody is sure."""
    file: Path | None = arguments.file
    if file is not None:
        if arguments.solution:
            raise UsageError("--file and --solution name two kernels: give one of them.")
        if not file.is_file():
            raise UsageError(f"no file at {file}.")
        return Sources(overrides={case.puzzle: file})
    if workspace() is None:
        return Sources()
    desk = Desk.here()
    if not arguments.solution:
        return desk.sources(case)
    command = f"{arguments.named} {case.id} --solution"
    return Sources() if may_see(desk, case, command, sure=arguments.yes) else None


def _of_program(file: Path, arguments: Namespace) -> tuple[list[Trace], int]:
    if arguments.file is not None or arguments.solution:
        raise UsageError(f"{'--file' if arguments.file else '--solution'} is for cases: a program is its own file.")
    with console.show_progress() as notify:
        traces, execution = of_program(
            file,
            target=arguments.target,
            launch=arguments.launch,
            arguments=arguments.rest,
            defines=programs.definitions(arguments.define),
            includes=programs.folders(arguments.include),
            notify=notify,
        )
    for line in told.format_execution(execution):
        print(line, file=sys.stderr)
    return traces, execution.exit_code
