"""Add the arguments of `exec`, `call`, `op`, `simulate`, `migrate` and `bench`; the names of report flags."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.cli.flags import Parser, add_shared, natural, parse_path, positive, seconds

__all__ = ["REPORTS", "add_bench", "add_call", "add_exec", "add_migrate", "add_op", "add_simulate"]

REPORTS = ("--profile", "--json", "--junit", "--sarif")  # what a run may write


def add_exec(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `exec`."""
    command.add_argument(
        "files",
        nargs="*",
        type=parse_path,
        metavar="FILE|DIR",
        help="run programs, or folders of them; their arguments follow --",
    )
    command.add_argument(
        "--cases", type=Path, metavar="FILE", help="read programs from a file: one in a line, with its arguments"
    )
    add_shared(
        command, "--jobs", help="run N programs at once (default: as many as there are processors and memory for)"
    )
    _add_execution(command)


def add_call(command: Parser) -> None:
    """Add the arguments of `call`."""
    command.manuals = {"values": "values of arguments"}
    command.add_argument("file", type=parse_path, metavar="FILE", help="read this Mojo file")
    command.add_argument("function", metavar="FUNCTION", help="call this function, which the file exports")
    for flag, value, help_ in (
        ("--arg", "NAME=VALUE", "pass an argument, in any order; empty:... is an output"),
        ("--expect", "NAME=VALUE", "compare an array with VALUE afterwards; a number stands for all elements"),
        ("--host", "NAME", "keep an array in the host's memory (default: the device's)"),
    ):
        command.add_argument(flag, action="append", default=[], metavar=value, help=help_)
    add_shared(command, "--rtol", "--atol")
    command.add_argument("--out", type=parse_path, metavar="DIR", help="write every array there afterwards")
    _add_execution(command)


def _add_execution(command: argparse.ArgumentParser) -> None:
    """Add the arguments about how a program runs, and what is reported of it."""
    from harness.programs.host import options

    defaults = options.Options()
    add_shared(command, "--target", "--backend", "--engine", "--seed")
    command.add_argument(
        "--eager", action="store_true", help="run work when it is queued (default: when it is waited for)"
    )
    command.add_argument(
        "--one-order", action="store_true", help="run each launch in one order of its threads (default: in others too)"
    )
    add_shared(command, "-I", "-D", "--as-is")
    for flag, kind, default, name, help_ in (
        ("--seconds", seconds, defaults.seconds, "S", "limit a program to S seconds (default: %(default)g)"),
        (
            "--launch-seconds",
            seconds,
            defaults.launch_seconds,
            "S",
            "stop a simulated launch none of whose blocks ends for S seconds of the processor (default: %(default)g)",
        ),
        ("--memory", positive, None, "MIB", "limit the memory of a program to MIB (default: no limit)"),
        ("--launches", positive, None, "N", "limit the simulated launches of each kernel (default: no limit)"),
        (
            "--observed-launches",
            natural,
            defaults.observed_launches,
            "N",
            "limit the interpreted launches of each kernel (default: %(default)d)",
        ),
    ):
        command.add_argument(flag, type=kind, default=default, metavar=name, help=help_)
    command.add_argument(
        "--shapes",
        action="store_true",
        help="check indices against the shapes of arrays too, from a debug build in the simulator",
    )
    add_shared(command, "--format", "--fail-on")
    command.add_argument(
        "--baseline",
        action="append",
        default=[],
        type=parse_path,
        metavar="FILE",
        help="accept the findings that `exec --sarif FILE` wrote; may be repeated",
    )
    add_shared(command, *REPORTS)


def add_op(command: Parser) -> None:
    """Add the arguments of `op`."""
    command.manuals = {"ops": "tensors"}
    command.add_argument(
        "folder", type=parse_path, metavar="FOLDER", help="read the library, with its __init__.mojo; or one Mojo file"
    )
    command.add_argument("name", metavar="NAME", help="call the op that is registered under this name")
    for flag, value, help_ in (
        ("--input", "TENSOR", "pass an input, one after another, as below"),
        ("--output", "TENSOR", "declare an output, one after another: f32[4]"),
        ("--parameter", "NAME=VALUE", "set a compile-time parameter"),
        ("--expect", "FILE.npy", "compare an output with it, one after another"),
    ):
        command.add_argument(flag, action="append", default=[], metavar=value, help=help_)
    add_shared(command, "--rtol", "--atol")
    command.add_argument(
        "--graph", action="store_true", help="call it through a MAX graph too and compare all bits; needs a GPU"
    )
    add_shared(command, "--target", "--backend", "--seed", "--format", "--sarif", "--as-is")
    add_shared(command, "--fail-on", default="warning")


def add_simulate(command: Parser) -> None:
    """Add the arguments of `simulate`."""
    command.manuals = {"values": "values of arguments", "launches": "files of launches"}
    command.add_argument(
        "file", type=Path, metavar="FILE.ll|FILE.mojo", help="read LLVM IR of a device, or a Mojo file"
    )
    command.add_argument(
        "--kernel", metavar="NAME", help="choose the kernel: its name in the source, its symbol, or a part of that"
    )
    command.add_argument("--target", required=True, metavar="T", help="choose a target, vendor:architecture")
    for name, what in (
        ("grid", "launch these blocks"),
        ("block", "launch these threads in a block"),
        ("cluster", "launch these blocks in a cluster"),
    ):
        command.add_argument(f"--{name}", metavar="X,Y,Z", help=what)
    command.add_argument(
        "--arg", action="append", default=[], metavar="NAME=VALUE", help="pass an argument, in the kernel's order"
    )
    command.add_argument(
        "--shared-bytes", type=natural, metavar="N", help="give a block N bytes of dynamic shared memory"
    )
    command.add_argument(
        "--launches", type=Path, metavar="FILE", help="read several launches from a file, instead of the flags above"
    )
    add_shared(
        command, "--seed", help="seed the random schedule (default: a fixed order, and others where that is quick)"
    )
    command.add_argument(
        "--launch-seconds",
        dest="time_limit",
        type=seconds,
        default=60.0,
        metavar="S",
        help="limit each launch to S seconds (default: 60)",
    )
    command.add_argument(
        "--observers", metavar="NAME,...", help="use these alone, or all but these: no-NAME,... (default: all)"
    )
    add_shared(command, "--engine")
    command.add_argument(
        "--severity",
        default="information",
        metavar="error|warning|information",
        help="show findings of this severity or worse; reports have all (default: information)",
    )
    command.add_argument("--out", type=Path, metavar="DIR", help="write every array there afterwards")
    add_shared(command, "--fail-on", default="warning")
    add_shared(command, "--format", "--profile", "--json", "--sarif", "--as-is")


def add_migrate(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `migrate`."""
    command.add_argument(
        "files", nargs="+", type=parse_path, metavar="FILE|DIR", help="read Mojo files, or folders of them"
    )
    command.add_argument("--write", action="store_true", help="change the files (default: show what would change)")
    command.add_argument("--no-compile", action="store_true", help="skip compiling the result")
    add_shared(command, "--target", "-I", "-D")


def add_bench(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `bench`."""
    from harness.bench.work import SIZES

    add_shared(command, "cases")
    command.add_argument(
        "--out",
        type=parse_path,
        default=Path("build/bench"),
        metavar="DIR",
        help="write the JSON, the tables and the plot there (default: %(default)s)",
    )
    command.add_argument(
        "--largest",
        type=positive,
        default=SIZES[-1],
        metavar="BYTES",
        help="limit the largest input (default: %(default)d)",
    )
    command.add_argument("--roof", type=float, metavar="TB/s", help="draw the memory's read bandwidth in the plot")
    command.add_argument("--no-peers", action="store_true", help="leave out torch, CuPy and Triton")
    command.add_argument("--no-transfers", action="store_true", help="leave out the transfers")
    command.add_argument(
        "--graphs", type=parse_path, metavar="FILE", help="read what --build FILE wrote instead of compiling here"
    )
    command.add_argument("--build", type=parse_path, metavar="FILE", help="compile the graphs and stop; needs no GPU")
    command.add_argument("--target", metavar="T", help="choose the target of --build: a vendor, or vendor:architecture")
