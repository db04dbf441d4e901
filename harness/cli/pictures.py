"""`trace` and `show`: record a case's or program's launches in the simulator; print each step, or write a page."""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from harness.cases import pipeline
from harness.cases.predicted import hide_answers, list_questions
from harness.cli import programs
from harness.cli.chosen import pictured_case, puzzle_of_path
from harness.cli.files import require_writable_reports
from harness.cli.solution import confirm_solution
from harness.errors import EnvironmentFault, UsageError
from harness.learning import text
from harness.learning.launches import record_program
from harness.learning.loop import Desk
from harness.learning.page import render_page
from harness.learning.trace import Trace, record_case
from harness.learning.words import load_phrases
from harness.model import exit_code
from harness.model.case import Case
from harness.model.language import current_language
from harness.model.lines import fold_for_stream
from harness.model.sources import SUFFIXES, Sources
from harness.model.whole_file import replace_file
from harness.model.workspace import find_workspace
from harness.report import console
from harness.report import programs as told
from harness.simt.rows import Row, sum_rows

__all__ = ["show", "trace"]


class _Recording(NamedTuple):
    """Recorded traces, empty if nothing was run, with the exit code, the profile's rows, and questions."""

    traces: list[Trace]
    code: int
    profile: tuple[Row, ...] = ()
    questions: Sequence[Mapping[str, Any]] = ()


def trace(arguments: Namespace) -> int:
    """Print every step of a case, or of a program's launches, or only what one lane does; return the run's exit code.

    Nothing is printed if no launch was recorded.

    Raises:
        UsageError: No launch has the lane, or as `_record`.
    """
    say = load_phrases(current_language())
    recording = _record(arguments)
    traces = recording.traces
    lanes = max((_count_lanes(recorded.data) for recorded in traces), default=0)
    if traces and arguments.lane is not None and arguments.lane >= lanes:
        raise UsageError(f"there is no lane {arguments.lane}: the grid has 0 to {lanes - 1}.")
    for number, recorded in enumerate(traces):
        if number:
            print()
        for line in text.format_trace(recorded.data, say, arguments.lane):
            print(fold_for_stream(line, sys.stdout))
    return recording.code


def _count_lanes(data: Mapping[str, Any]) -> int:
    """Return the number of lanes in the grid of a launch."""
    return math.prod((*data["grid"], *data["block"]))


def show(arguments: Namespace) -> int:
    """Run a case or a program, write an HTML page of its steps, and print the page's path; return the run's exit code.

    Nothing is written if no launch was recorded, or if the learner does not confirm to see the solution (code 0 then).

    Raises:
        EnvironmentFault: The page cannot be written.
    """
    say = load_phrases(current_language())
    program = _program_path(arguments)
    name = program.stem if program else pictured_case(arguments.case).id.replace(":", "-")
    out: Path = arguments.output or Path(f"{name}.html")
    require_writable_reports(out)
    recording = _record(arguments, asks=True)
    if not recording.traces:
        return recording.code
    try:
        replace_file(out, render_page(recording.traces, say, recording.profile, recording.questions).encode())
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {out}: {error.strerror}.") from None
    print(out)
    return recording.code


def _program_path(arguments: Namespace) -> Path | None:
    """Return the path of the named program, whether it exists or not, or None if a case is named, perhaps by a puzzle's
    own file.
    """
    path, root = Path(arguments.case), find_workspace()
    is_problem = root is not None and puzzle_of_path(root, arguments.case) is not None
    return path if path.suffix in SUFFIXES and not is_problem else None


def _record(arguments: Namespace, *, asks: bool = False) -> _Recording:
    """Run and record what the arguments name; `asks` adds a case's questions, and the profile that answers them.

    Empty, with exit code 0, if the learner does not confirm to see the solution. If there are questions, the solution's
    answers are hidden in the traces.

    Raises:
        UsageError: A flag of programs is given for a case, or one of cases for a program.
    """
    program, profile = _program_path(arguments), getattr(arguments, "profile", False)
    if program:
        if profile:
            raise UsageError("--profile of `show` is for cases: `exec --profile` has that of a program.")
        return _Recording(*_record_program(program, arguments))
    for value, flag in ((arguments.launch, "--launch"), (arguments.include, "-I"), (arguments.define, "-D")):
        if value:
            raise UsageError(f"{flag} is for programs: {arguments.case} is no file that ends in .mojo.")
    if arguments.rest:
        raise UsageError(f"what follows -- goes to a program: {arguments.case} is no file that ends in .mojo.")
    case = pictured_case(arguments.case)
    sources = _choose_sources(arguments, case)
    if sources is None:
        return _Recording([], exit_code.OK)
    questions = list_questions(case, sources) if asks else []
    plan = replace(pipeline.plan(arguments.target, "simulator"), profile=profile or bool(questions))
    with console.show_progress() as notify:
        traces, report = record_case(case, plan=plan, sources=sources, notify=notify)
    sys.stdout.flush()
    rows = sum_rows(row for launch in report.measured for row in launch.rows)
    if questions and sources.are_solutions(case):  # whose file answers them
        traces = [Trace(hide_answers(trace.data)) for trace in traces]
    return _Recording(traces, exit_code.combine_statuses([report.verdict]), rows, questions)


def _choose_sources(arguments: Namespace, case: Case) -> Sources | None:
    """Return the kernels to show: those of `--file`, in a workspace the learner's, else the solution's.

    In a workspace `--solution` shows the solution if the learner confirms; None if not.

    Raises `UsageError` if both `--file` and `--solution` are given, or there is no such file.
    """
    file: Path | None = arguments.file
    if file is not None:
        if arguments.solution:
            raise UsageError("--file and --solution name two kernels: give one of them.")
        if not file.is_file():
            raise UsageError(f"no file at {file}.")
        return Sources(overrides={case.puzzle: file})
    if find_workspace() is None:
        return Sources()
    desk = Desk.of_current_folder()
    if not arguments.solution:
        return desk.sources(case)
    command = f"{arguments.named} {case.id} --solution"
    return Sources() if confirm_solution(desk, case, command, sure=arguments.yes) else None


def _record_program(file: Path, arguments: Namespace) -> tuple[list[Trace], int]:
    if arguments.file is not None or arguments.solution:
        raise UsageError(f"{'--file' if arguments.file else '--solution'} is for cases: a program is its own file.")
    with console.show_progress() as notify:
        traces, execution = record_program(
            file,
            target=arguments.target,
            launch=arguments.launch,
            arguments=arguments.rest,
            defines=programs.parse_definitions(arguments.define),
            includes=programs.check_folders(arguments.include),
            notify=notify,
        )
    for line in told.format_execution(execution):
        print(line, file=sys.stderr)
    return traces, execution.exit_code
