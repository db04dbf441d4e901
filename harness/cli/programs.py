"""`exec`: run Mojo GPU programs, one or many; convert flags to options and write reports, for `call` too."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from harness.cli.files import require_writable_reports
from harness.errors import UsageError
from harness.model import exit_code
from harness.model.language import current_words, translate
from harness.process.processors import count_processors
from harness.programs import Options, Run, execute_all
from harness.programs.many import of_file, of_paths
from harness.programs.program_plan import execute_plan, plan_program
from harness.programs.streams import Streams
from harness.report import programs
from harness.report.acceptances import Acceptances, FilteredRun, list_stale
from harness.simt.plain import printable

__all__ = ["check_folders", "execute_options", "parse_definitions", "print_progress", "run", "write_reports"]


def run(arguments: Namespace) -> int:
    """Run the command `exec`: run programs, and report what is wrong.

    A single program has the standard streams to itself, and the exit code is its own unless that would hide what is
    wrong. Several programs are summarised in a table, and the exit code combines their verdicts. One that does not
    compile is reported like the others, as ended with status 1. The reports are written.

    Raises:
        UsageError: No program is named, a named file, folder or baseline is not there or not usable, or flags
            contradict each other.
        EnvironmentFault: A program cannot be run here, or a report cannot be written where a flag says.
    """
    require_writable_reports(arguments.json, arguments.junit, arguments.sarif)
    if arguments.rest and not arguments.files:
        raise UsageError("exec: what follows -- goes to programs that stand before it; --cases names their arguments.")
    runs = of_paths(arguments.files, arguments.rest)
    if arguments.cases:
        runs += of_file(arguments.cases)
    if not runs:
        raise UsageError("exec: name a program, a folder with programs, or a file with --cases.")
    how = execute_options(arguments)
    acceptances = Acceptances(arguments.baseline)
    acceptances.check(dict.fromkeys(run.file for run in runs), check_folders(arguments.include))
    if len(runs) == 1:
        judged = [_run_one(runs[0], how, acceptances, arguments.format)]
        code = judged[0].execution.exit_code
    else:
        judged = _run_several(runs, how, acceptances, arguments.format, arguments.jobs)
        code = exit_code.combine_statuses(each.execution.verdict for each in judged)
    write_reports(arguments, acceptances, judged)
    return code


def execute_options(arguments: Namespace) -> dict[str, Any]:
    """Convert the flags that say how programs run to keywords of `harness.programs.execute`; `--profile` and `--shapes`
    choose the simulator.

    Raises:
        UsageError: `--profile` or `--shapes` stands beside `--backend max`, a folder of `-I` does not exist, or a
            definition has no name.
    """
    needs_simulator = {"--profile counts": arguments.profile, "--shapes looks": arguments.shapes}
    for clause, is_set in needs_simulator.items():
        if is_set and arguments.backend == "max":
            raise UsageError(f"{clause} in the simulator: leave out --backend max.")
    return {
        "target": arguments.target,
        "backend": "simulator" if any(needs_simulator.values()) else arguments.backend,
        "defines": parse_definitions(arguments.define),
        "includes": check_folders(arguments.include),
        "options": _make_options(arguments),
    }


def write_reports(arguments: Namespace, acceptances: Acceptances, judged: Sequence[FilteredRun]) -> None:
    """Print what concerns all programs that ran, on stderr, and write the reports that flags name.

    Printed are the accepted findings, why launches were interpreted, and the profile if asked for.
    """
    executions = [each.execution for each in judged]
    _print_acceptances(acceptances, judged)
    launched = [launch for execution in executions for launch in execution.launches]
    reported = (each for each in launched if each.engine.is_reported(arguments.engine, each.seconds))
    for line in dict.fromkeys(launch.engine.note(launch.kernel, current_words()) for launch in reported):
        print(printable(line), file=sys.stderr)
    simulated_on = {each.target.vendor for each in executions if each.backend == "simulator" and each.launches}
    if "apple" in simulated_on:
        from harness.report import console

        console.print_code_generator("apple")
    for execution in executions if arguments.profile else ():
        from harness.report import profile

        with redirect_stdout(sys.stderr):  # stdout is the programs' own
            profile.print_profiles(execution.profiles, programs.display_name)
    if arguments.json:
        from harness.report import json_report

        json_report.write(arguments.json, programs.as_dict(executions))
    if arguments.junit:
        from harness.report import junit

        junit.write_programs(arguments.junit, executions, programs.renderer(executions))
    if arguments.sarif:
        from harness.report import sarif

        sarif.write(arguments.sarif, sarif.of_programs(executions), programs.renderer(executions), root=Path.cwd())


def _print_acceptances(acceptances: Acceptances, judged: Sequence[FilteredRun]) -> None:
    """Print on stderr how many findings are accepted, and which accepted ones no longer occur."""
    if accepted := sum(len(each.execution.accepted) for each in judged):
        print(translate(f"accepted: {accepted} finding{'s' * (accepted > 1)}"), file=sys.stderr)
    for sentence in (*list_stale(judged), *acceptances.absent_programs):
        print(printable(translate(f"accepted no longer: {sentence}.")), file=sys.stderr)


def _run_one(run: Run, options: dict[str, Any], acceptances: Acceptances, form: str) -> FilteredRun:
    sys.stdout.flush()
    # A line, not a display that comes and goes: the terminal is the program's.
    plan = plan_program(run.file, arguments=run.arguments, notify=print_progress, **options)
    execution = execute_plan(plan, Streams(0, 1, 2))
    judged = acceptances.judged(execution, options["includes"])
    for line in programs.format_execution(judged.execution, form=form):
        print(line, file=sys.stderr)
    return judged


def print_progress(line: str) -> None:
    """Print a line of progress on stderr."""
    print(f"{translate(line)} ...", file=sys.stderr, flush=True)


def _run_several(
    runs: list[Run], options: dict[str, Any], acceptances: Acceptances, form: str, jobs: int | None
) -> list[FilteredRun]:
    from harness.report import console  # late, as the reports: one program waits for none of it

    files = len({run.file for run in runs})
    counted = f"{files} program{'s' * (files > 1)}"
    description = counted if files == len(runs) else f"{len(runs)} runs of {counted}"
    print(translate(f"to run: {description}, each compiled first; Ctrl-C ends it"), file=sys.stderr, flush=True)
    with console.show_progress() as notify:
        judged = [
            acceptances.judged(each, options["includes"])
            for each in execute_all(runs, notify=notify, jobs=jobs, **options)
        ]
    executions = [each.execution for each in judged]
    renderer = programs.renderer(executions)
    for execution in executions:
        lines = list(programs.format_execution(execution, renderer, form=form))
        if lines:
            print("\n".join([f"{execution.name}:", *lines]), file=sys.stderr)
    console.print_programs(programs.summarise(executions))
    return judged


def _make_options(arguments: Namespace) -> Options:
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
        workers=count_processors(),
    )


def check_folders(paths: list[Path]) -> list[Path]:
    """Return the folders of `-I` unchanged, if they exist.

    Raises:
        UsageError: A folder does not exist.
    """
    for folder in paths:
        if not folder.is_dir():
            raise UsageError(f"-I {folder}: there is no such folder.")
    return paths


def parse_definitions(texts: list[str]) -> dict[str, str]:
    """Parse the definitions of `-D` into a dict by name; without `=` the value is empty, and the last of one name
    counts.

    Raises:
        UsageError: A text has no name.
    """
    defines = {}
    for text in texts:
        name, _, value = text.partition("=")
        if not name:
            raise UsageError(f"-D {text!r} is not NAME=VALUE.")
        defines[name] = value
    return defines
