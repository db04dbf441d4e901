"""`exec`: any Mojo GPU programs, as they are."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from harness.cli.files import require_folders
from harness.errors import UsageError
from harness.model import exit_code
from harness.model.language import chosen, told
from harness.programs import Options, Run, execute_all
from harness.programs.many import execute_one, of_file, of_paths
from harness.programs.one import plan_program
from harness.programs.streams import Streams
from harness.report import programs
from harness.report.acceptances import Acceptances, FilteredRun, list_stale
from harness.simt.plain import printable

__all__ = ["definitions", "folders", "how_to_run", "notify", "report", "run"]


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
    how = how_to_run(arguments)
    acceptances = Acceptances(arguments.baseline)
    acceptances.check(dict.fromkeys(run.file for run in runs), folders(arguments.include))
    if len(runs) == 1:
        judged = [_alone(runs[0], how, acceptances, arguments.format)]
        code = judged[0].execution.exit_code
    else:
        judged = _together(runs, how, acceptances, arguments.format, arguments.jobs)
        code = exit_code.of_statuses(each.execution.verdict for each in judged)
    report(arguments, acceptances, judged)
    return code


def how_to_run(arguments: Namespace) -> dict[str, Any]:
    """Convert the flags that say how programs run to keywords of `harness.programs.execute`.

    Raises:
        UsageError: Flags contradict each other, or name what is not there.
    """
    simulated = {"--profile counts": arguments.profile, "--shapes looks": arguments.shapes}
    for what, wanted in simulated.items():
        if wanted and arguments.backend == "max":
            raise UsageError(f"{what} in the simulator: leave out --backend max.")
    return {
        "target": arguments.target,
        "backend": "simulator" if any(simulated.values()) else arguments.backend,
        "defines": definitions(arguments.define),
        "includes": folders(arguments.include),
        "options": _options(arguments),
    }


def report(arguments: Namespace, acceptances: Acceptances, judged: Sequence[FilteredRun]) -> None:
    """Tells what belongs to all programs that ran, and writes the reports that the flags name."""
    executions = [each.execution for each in judged]
    _tell(acceptances, judged)
    launched = [launch for execution in executions for launch in execution.launches]
    reported = (each for each in launched if each.engine.is_reported(arguments.engine, each.seconds))
    for line in dict.fromkeys(launch.engine.note(launch.kernel, chosen()) for launch in reported):
        print(printable(line), file=sys.stderr)
    simulated_on = {each.target.vendor for each in executions if each.backend == "simulator" and each.launches}
    if "apple" in simulated_on:
        from harness.report import console

        console.print_code_generator("apple")
    for execution in executions if arguments.profile else ():
        from harness.report import profile

        with redirect_stdout(sys.stderr):  # stdout is the programs' own
            profile.print_profiles(execution.profiles, programs.named)
    if arguments.json:
        from harness.report import json_report

        json_report.write(arguments.json, programs.as_dict(executions))
    if arguments.junit:
        from harness.report import junit

        junit.write_programs(arguments.junit, executions, programs.renderer(executions))
    if arguments.sarif:
        from harness.report import sarif

        sarif.write(arguments.sarif, sarif.of_programs(executions), programs.renderer(executions), root=Path.cwd())


def _tell(acceptances: Acceptances, judged: Sequence[FilteredRun]) -> None:
    """How many findings are accepted, and what is accepted and no longer there."""
    if accepted := sum(len(each.execution.accepted) for each in judged):
        print(told(f"accepted: {accepted} finding{'s' * (accepted > 1)}"), file=sys.stderr)
    for sentence in (*list_stale(judged), *acceptances.absent_programs):
        print(printable(told(f"accepted no longer: {sentence}.")), file=sys.stderr)


def _alone(run: Run, how: dict[str, Any], acceptances: Acceptances, form: str) -> FilteredRun:
    sys.stdout.flush()
    # A line, not a display that comes and goes: the terminal is the program's.
    plan = plan_program(run.file, arguments=run.arguments, notify=notify, **how)
    execution = execute_one(plan, Streams(0, 1, 2))
    judged = acceptances.judged(execution, how["includes"])
    for line in programs.format_execution(judged.execution, form=form):
        print(line, file=sys.stderr)
    return judged


def notify(line: str) -> None:
    """Says on standard error what begins now."""
    print(f"{told(line)} ...", file=sys.stderr, flush=True)


def _together(
    runs: list[Run], how: dict[str, Any], acceptances: Acceptances, form: str, jobs: int | None
) -> list[FilteredRun]:
    from harness.report import console  # late, as the reports: one program waits for none of it

    files = len({run.file for run in runs})
    whole = f"{files} program{'s' * (files > 1)}"
    what = whole if files == len(runs) else f"{len(runs)} runs of {whole}"
    print(told(f"to run: {what}, each compiled first; Ctrl-C ends it"), file=sys.stderr, flush=True)
    with console.show_progress() as notify:
        judged = [
            acceptances.judged(each, how["includes"]) for each in execute_all(runs, notify=notify, jobs=jobs, **how)
        ]
    executions = [each.execution for each in judged]
    shown = programs.renderer(executions)
    for execution in executions:
        lines = list(programs.format_execution(execution, shown, form=form))
        if lines:
            print("\n".join([f"{execution.name}:", *lines]), file=sys.stderr)
    console.print_programs(programs.summarise(executions))
    return judged


def _options(arguments: Namespace) -> Options:
    return Options(
        seed=arguments.seed,
        eager=arguments.eager,
        seconds=arguments.seconds,
        launch_seconds=arguments.launch_seconds,
        memory_bytes=arguments.memory << 20 if arguments.memory else None,
        launches=arguments.launches,
        observed_launches=arguments.observed_launches,
        engine=arguments.engine,
        counters=bool(arguments.json or arguments.profile),
        profile=arguments.profile,
        orders=not arguments.one_order,
        shapes=arguments.shapes,
        fail_on=arguments.fail_on,
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
