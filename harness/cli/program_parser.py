"""The arguments of `exec`, and of the reports that other commands write too."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.cli.flags import (
    Parser,
    command_of,
    engine,
    findings_format,
    natural,
    path,
    positive,
    profile,
    seconds,
    seed,
    target,
    tolerance,
)

__all__ = ["compiler", "json_file", "ops", "programs", "reports", "sarif_file"]


def compiler(command: argparse.ArgumentParser) -> None:
    """Adds the compiler's own flags, for programs."""
    command.add_argument("-I", dest="include", action="append", default=[], type=Path, metavar="DIR", help="modules")
    command.add_argument("-D", dest="define", action="append", default=[], metavar="NAME=VALUE", help="a definition")


def programs(command: argparse.ArgumentParser) -> None:
    """Adds the arguments of `exec`."""
    from harness.programs.host import options

    defaults = options.Options()
    command.add_argument(
        "files",
        nargs="*",
        type=path,
        metavar="FILE|DIR",
        help="programs, or folders of them; what follows -- is theirs",
    )
    command.add_argument(
        "--cases", type=Path, metavar="FILE", help="a file that names programs: one in a line, with its arguments"
    )
    target(command)
    command.add_argument(
        "--backend",
        default="auto",
        metavar="|".join(options.BACKENDS),
        help="where to run (default: GPU, else simulator)",
    )
    engine(command)
    seed(command, "random seed for the simulator's schedule")
    command.add_argument("--eager", action="store_true", help="run work when it is queued, not when it is waited for")
    compiler(command)
    for flag, kind, default, name, help_ in (
        ("--seconds", seconds, defaults.seconds, "S", "time limit of a program (%(default)g)"),
        ("--launch-seconds", seconds, defaults.launch_seconds, "S", "time limit of a simulated launch (%(default)g)"),
        ("--memory", positive, None, "MIB", "most memory of a program (any)"),
        ("--launches", positive, None, "N", "most simulated launches of one kernel (any)"),
        (
            "--observed-launches",
            natural,
            defaults.observed_launches,
            "N",
            "of one kernel that Python checks (%(default)d)",
        ),
    ):
        command.add_argument(flag, type=kind, default=default, metavar=name, help=help_)
    command.add_argument(
        "--shapes",
        action="store_true",
        help="in the simulator, from a debug build: indices that an array's shape does not have, too",
    )
    findings_format(command)
    command.add_argument(
        "--baseline",
        action="append",
        default=[],
        type=path,
        metavar="FILE",
        help="accept the findings in what `exec --sarif FILE` wrote: only others fail; may be repeated",
    )
    reports(command)
    command_of(command, "programs", "run")


def ops(command: Parser) -> None:
    """Adds the arguments of `op`."""
    command.manuals = {"ops": "tensors"}
    command.add_argument(
        "folder", type=path, metavar="FOLDER", help="the library, with its __init__.mojo; or one Mojo file"
    )
    command.add_argument("name", metavar="NAME", help="under which the op is registered")
    for flag, value, help_ in (
        ("--input", "TENSOR", "what it takes, one after another, as below"),
        ("--output", "TENSOR", "what it gives, one after another: f32[4]"),
        ("--parameter", "NAME=VALUE", "of the compile time"),
        ("--expected", "FILE.npy", "what the results must hold, one after another"),
    ):
        command.add_argument(flag, action="append", default=[], metavar=value, help=help_)
    command.add_argument("--rtol", type=tolerance, default=0.0, metavar="X", help="how far from it, relative (0)")
    command.add_argument("--atol", type=tolerance, default=0.0, metavar="X", help="how far beside that (0)")
    command.add_argument("--graph", action="store_true", help="through a MAX graph too, for the same bits; needs a GPU")
    target(command)
    command.add_argument(
        "--backend", default="auto", metavar="auto|max|simulator", help="where to run (default: GPU, else simulator)"
    )
    seed(command, "random seed for the simulator's schedule")
    findings_format(command)
    sarif_file(command)
    command_of(command, "ops", "call")


def reports(command: argparse.ArgumentParser) -> None:
    """Adds what a run may write."""
    profile(command)
    json_file(command)
    command.add_argument("--junit", type=Path, metavar="FILE", help="write a JUnit report")
    sarif_file(command)


def json_file(command: argparse.ArgumentParser) -> None:
    """Adds the file of a JSON report."""
    command.add_argument("--json", type=Path, metavar="FILE", help="write a JSON report")


def sarif_file(command: argparse.ArgumentParser) -> None:
    """Adds the file of a SARIF report."""
    command.add_argument("--sarif", type=Path, metavar="FILE", help="write the findings as SARIF 2.1.0")
