"""`exec`: any Mojo GPU programs, as they are."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from harness.cli.files import require_folders
from harness.errors import UsageError
from harness.model import exit_code
from harness.programs import Options, Run, execute_all
from harness.programs.many import execute_one, of_file, of_paths
from harness.programs.result import Execution
from harness.programs.streams import Streams
from harness.report import programs

__all__ = ["definitions", "folders", "run"]


def run(arguments: Namespace) -> int:
    """Runs programs.

    One program has the standard streams to itself, and the exit code is its own unless that hides what is wrong. Of
    several there is a table.
    """
    require_folders(arguments.json, arguments.junit, arguments.sarif)
    if arguments.rest and not arguments.files:
        raise UsageError("exec: what follows -- goes to programs that stand before it; --cases names their arguments.")
    runs = of_paths(arguments.files, arguments.rest)
    if arguments.cases:
        runs += of_file(arguments.cases)
    if not runs:
        raise UsageError("exec: name a program, a folder with programs, or a file with --cases.")
    if arguments.profile and arguments.backend == "max":
        raise UsageError("--profile counts in the simulator: leave out --backend max.")
    how: dict[str, Any] = {
        "target": arguments.target,
        "backend": "simulator" if arguments.profile else arguments.backend,
        "defines": definitions(arguments.define),
        "includes": folders(arguments.include),
        "options": _options(arguments),
    }
    if len(runs) == 1:
        executions = [_alone(runs[0], how, arguments.format)]
        code = executions[0].exit_code
    else:
        executions = _together(runs, how, arguments.format)
        code = exit_code.of_statuses(execution.verdict for execution in executions)
    for execution in executions if arguments.profile else ():
        from harness.report import profile

        with redirect_stdout(sys.stderr):  # stdout is the programs' own
            profile.show(execution.profiles, programs.named)
    if arguments.json:
        from harness.report import json_report

        json_report.write(arguments.json, programs.as_dict(executions))
    if arguments.junit:
        from harness.report import junit

        junit.write_programs(arguments.junit, executions, programs.renderer(executions))
    if arguments.sarif:
        from harness.report import sarif

        sarif.write(arguments.sarif, sarif.of_programs(executions), programs.renderer(executions), root=Path.cwd())
    return code


def _alone(run: Run, how: dict[str, Any], form: str) -> Execution:
    sys.stdout.flush()
    # A line, not a display that comes and goes: the terminal is the program's.
    execution = execute_one(run, streams=Streams(0, 1, 2), notify=_notify, **how)
    for line in programs.lines(execution, form=form):
        print(line, file=sys.stderr)
    return execution


def _notify(line: str) -> None:
    print(f"{line} ...", file=sys.stderr, flush=True)


def _together(runs: list[Run], how: dict[str, Any], form: str) -> list[Execution]:
    from harness.report import console  # late, as the reports: one program waits for none of it

    files = len({run.file for run in runs})
    what = f"{files} programs" if files == len(runs) else f"{len(runs)} runs of {files} programs"
    print(f"to run: {what}, each compiled first; Ctrl-C ends it", file=sys.stderr, flush=True)
    with console.progress() as notify:
        executions = execute_all(runs, notify=notify, **how)
    shown = programs.renderer(executions)
    for execution in executions:
        told = list(programs.lines(execution, shown, form=form))
        if told:
            print("\n".join([f"{execution.name}:", *told]), file=sys.stderr)
    console.programs(programs.summary(executions))
    return executions


def _options(arguments: Namespace) -> Options:
    return Options(
        seed=arguments.seed,
        eager=arguments.eager,
        seconds=arguments.seconds,
        launch_seconds=arguments.launch_seconds,
        memory_bytes=arguments.memory << 20 if arguments.memory else None,
        launches=arguments.launches,
        observed_launches=arguments.observed_launches,
        profile=arguments.profile,
    )


def folders(given: list[Path]) -> list[Path]:
    """What `-I` names.

    Raises:
        UsageError: There is no such folder.
    """
    for folder in given:
        if not folder.is_dir():
            raise UsageError(f"-I {folder}: there is no such folder.")
    return given


def definitions(given: list[str]) -> dict[str, str]:
    """What `-D` says.

    Raises:
        UsageError: It is no definition.
    """
    defines = {}
    for text in given:
        name, _, value = text.partition("=")
        if not name:
            raise UsageError(f"-D {text!r} is not NAME=VALUE.")
        defines[name] = value
    return defines
