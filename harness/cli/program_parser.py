"""The arguments of `exec`, `call`, `op` and `bench`, and of the reports that other commands write too."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.cli.flags import Parser, natural, path, positive, seconds, shared

__all__ = ["REPORTS", "calls", "migration", "ops", "programs", "timing"]

REPORTS = ("--profile", "--json", "--junit", "--sarif")  # what a run may write


def programs(command: argparse.ArgumentParser) -> None:
    """Adds the arguments of `exec`."""
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
    _execution(command)


def calls(command: Parser) -> None:
    """Adds the arguments of `call`."""
    command.manuals = {"values": "values of arguments"}
    command.add_argument("file", type=path, metavar="FILE", help="a Mojo file")
    command.add_argument("function", metavar="FUNCTION", help="a function that it exports")
    for flag, value, help_ in (
        ("--arg", "NAME=VALUE", "what it takes, in any order; empty:...: an output"),
        ("--expect", "NAME=VALUE", "what an array must hold afterwards; a number: in all elements"),
        ("--host", "NAME", "an array that lies in the host's memory (default: the device's)"),
    ):
        command.add_argument(flag, action="append", default=[], metavar=value, help=help_)
    shared(command, "--rtol", "--atol")
    command.add_argument("--out", type=path, metavar="DIR", help="write every array there afterwards")
    _execution(command)


def _execution(command: argparse.ArgumentParser) -> None:
    """Adds what says how a program runs, and what is reported of it."""
    from harness.programs.host import options

    defaults = options.Options()
    shared(command, "--target", "--backend", "--engine", "--seed")
    command.add_argument("--eager", action="store_true", help="run work when it is queued, not when it is waited for")
    command.add_argument(
        "--one-order", action="store_true", help="try no launch in other orders of its threads, which takes little time"
    )
    shared(command, "-I", "-D", "--as-is")
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
    shared(command, "--format", "--fail-on")
    command.add_argument(
        "--baseline",
        action="append",
        default=[],
        type=path,
        metavar="FILE",
        help="accept the findings in what `exec --sarif FILE` wrote: only others fail; may be repeated",
    )
    shared(command, *REPORTS)


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
    shared(command, "--rtol", "--atol")
    command.add_argument("--graph", action="store_true", help="through a MAX graph too, for the same bits; needs a GPU")
    shared(command, "--target", "--backend", "--seed", "--format", "--sarif", "--as-is")
    shared(command, "--fail-on", default="warning")


def migration(command: argparse.ArgumentParser) -> None:
    """Adds the arguments of `migrate`."""
    command.add_argument("files", nargs="+", type=path, metavar="FILE|DIR", help="Mojo files, or folders of them")
    command.add_argument("--write", action="store_true", help="change the files (default: show what would change)")
    command.add_argument("--no-compile", action="store_true", help="do not compile the result")
    shared(command, "--target", "-I", "-D")


def timing(command: argparse.ArgumentParser) -> None:
    """Adds the arguments of `bench`."""
    from harness.bench.work import SIZES

    shared(command, "cases")
    command.add_argument(
        "--out", type=path, default=Path("build/bench"), metavar="DIR", help="for the JSON, the tables and the plot"
    )
    command.add_argument(
        "--largest", type=positive, default=SIZES[-1], metavar="BYTES", help="of the largest input (%(default)d)"
    )
    command.add_argument("--roof", type=float, metavar="TB/s", help="the memory's read bandwidth, for the plot")
    command.add_argument("--no-peers", action="store_true", help="leave out torch, CuPy and Triton")
    command.add_argument("--no-transfers", action="store_true", help="leave out the transfers")
    command.add_argument(
        "--graphs", type=path, metavar="FILE", help="what --build FILE wrote, instead of compiling here"
    )
    command.add_argument("--build", type=path, metavar="FILE", help="only compile the graphs, which needs no GPU")
    command.add_argument("--target", metavar="T", help="with --build: vendor:architecture, or a vendor")
