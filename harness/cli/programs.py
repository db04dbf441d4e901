"""`exec`: any Mojo GPU program, as it is."""

from __future__ import annotations

import sys
from argparse import Namespace

from harness.errors import UsageError
from harness.programs import Options, execute
from harness.programs.simulated import Streams
from harness.report import console, json_report, programs

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Runs a program; its stdout is its own, the exit code too, unless that hides what is wrong."""
    sys.stdout.flush()
    with console.progress() as notify:
        execution = execute(
            arguments.file,
            arguments=arguments.rest,
            target=arguments.target or "nvidia",
            defines=_defines(arguments.define),
            includes=arguments.include,
            options=Options(
                seed=arguments.seed,
                eager=arguments.eager,
                seconds=arguments.seconds,
                launch_seconds=arguments.launch_seconds,
                memory_bytes=arguments.memory and arguments.memory << 20,
                launches=arguments.launches,
                observed_launches=arguments.observed_launches,
            ),
            streams=Streams(0, 1, 2),
            notify=notify,
        )
    for line in programs.lines(execution):
        print(line, file=sys.stderr)
    if arguments.json:
        json_report.write(arguments.json, programs.as_dict([execution]))
    return execution.exit_code


def _defines(given: list[str]) -> dict[str, str]:
    defines = {}
    for text in given:
        name, _, value = text.partition("=")
        if not name:
            raise UsageError(f"-D {text!r} is not NAME=VALUE.")
        defines[name] = value
    return defines
