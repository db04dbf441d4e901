"""The command line: what can be said, and which command it goes to."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from harness.cli import program_parser
from harness.cli.flags import (
    TARGET_VARIABLE,
    Command,
    Parser,
    Version,
    command_of,
    natural,
    positive,
    seconds,
    shared,
)
from harness.cli.learner_parser import LOOP, puzzles
from harness.errors import unknown
from harness.model import exit_code, spelling
from harness.model.language import asked_for, choose, told
from harness.model.report import BACKENDS, LEVELS
from harness.simt.messages import LANGUAGES

__all__ = ["TARGET_VARIABLE", "execute", "parser", "understood"]


def execute(argv: Sequence[str]) -> int:
    """Runs the command that `argv` names; returns its exit code.

    Raises:
        HarnessError: The command cannot be done; the message says what to do.
    """
    arguments = understood(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    return command(arguments)


def understood(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments of the command that `argv` names.

    Raises:
        UsageError: There is no such command, or it takes something else.
    """
    choose(asked_for(argv))
    if not argv or argv[0].partition("=")[0] == "--language":  # no command: what is next
        argv = ["where", *argv]
    first = argv[0]
    commands = _COMMANDS if first in _COMMANDS else {**_COMMANDS, **puzzles()}
    if not first.startswith("-") and first not in commands:
        raise unknown("command", first, commands)
    words, rest = list(argv), []
    if first in ("exec", "show", "trace") and "--" in words:  # what follows is the program's
        at = words.index("--")
        words, rest = words[:at], words[at + 1 :]
    arguments = _parser(commands, first if first in commands else None).understood(words)
    choose(arguments.language)  # or refuses it
    spelling.choose(as_is=getattr(arguments, "as_is", False))
    arguments.rest = rest
    return arguments


def parser() -> argparse.ArgumentParser:
    """The parser with every command."""
    return _parser({**_COMMANDS, **puzzles()}, None)


def _parser(every: Mapping[str, Command], wanted: str | None) -> Parser:
    """A parser of commands, of which one is to take its arguments: what they are may cost an import. None for all."""
    root = Parser(
        prog="puzzles",
        description="Runs Mojo GPU puzzles: on a GPU through MAX, on any machine in a simulator.",
        epilog=f"Exit codes: {'; '.join(f'{code} {told(meaning)}' for code, meaning in exit_code.MEANINGS.items())}.",
    )
    root.add_argument("--version", action=Version, nargs=0, help="print the version and end")
    commands = root.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for name, (summary, place, arguments) in every.items():
        command = commands.add_parser(name, help=summary, description=summary)
        command.set_defaults(parser=command, command=command_of(place))
        if wanted in (name, None):
            arguments(command)
            command.add_argument(
                "--language", metavar="|".join(LANGUAGES), help="of what is told (default: the locale's, else en)"
            )
    return root


def _list(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def _run(command: argparse.ArgumentParser) -> None:
    shared(command, "cases", "--target")
    shared(command, "--backend", metavar="|".join(BACKENDS))
    command.add_argument("--require-gpu", action="store_true", help="fail where there is no GPU: --backend max")
    command.add_argument("--devices", default="", metavar="all|N,...", help="GPUs for the cases (default: the first)")
    shared(command, "--scheduler")
    shared(command, "--kernels", default=None)
    command.add_argument("--artifacts", type=Path, metavar="DIR", help="run what `build --out DIR` made; needs a GPU")
    shared(command, "--seed", help="random seed for the simulator's schedule, or on a GPU for the order of the cases")
    shared(command, "--data-seed", "--engine", "--documented-size")
    command.add_argument(
        "--sanitize",
        nargs="?",
        const="",
        metavar="TOOL,...",
        help="run under compute-sanitizer; all tools if none is named",
    )
    command.add_argument("--counters", action="store_true", help="show the simulator's counters")
    shared(command, *program_parser.REPORTS)


def _build(command: argparse.ArgumentParser) -> None:
    shared(command, "cases")
    command.add_argument(
        "--target", action="append", required=True, metavar="T", help="vendor:architecture; may be repeated"
    )
    command.add_argument("--code", action="store_true", help="LLVM IR and assembly too, otherwise made when needed")
    command.add_argument("--out", type=Path, metavar="DIR", help="all that a GPU machine needs, for `run --artifacts`")
    shared(command, "--kernels", "--json")


def _grade(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "submissions", type=Path, metavar="SUBMISSIONS", help="a folder with a folder or an archive for each person"
    )
    command.add_argument("--out", type=Path, metavar="DIR", help="where results go, and where a stopped run goes on")
    command.add_argument("--points", type=Path, metavar="FILE", help="what modes are worth, in TOML (default: 1 each)")
    shared(command, "--target")
    shared(command, "--backend")
    shared(command, "--seed", help="seed of the fresh data (default: a secret one, printed afterwards)")
    command.add_argument(
        "--sandbox", default="auto", metavar="auto|bwrap|limits|off", help="how submissions are shut in (default: auto)"
    )
    command.add_argument("--workers", type=natural, default=0, metavar="N", help="files at a time (default: cores + 1)")
    shared(command, "--scheduler")
    command.add_argument(
        "--format",
        metavar="gradescope|classroom50",
        help="SUBMISSIONS is one person's; write FILE, --out, for a service",
    )


def _claims(command: argparse.ArgumentParser) -> None:
    shared(command, "cases", "--target", "--kernels", "--documented-size")
    command.add_argument("--json", action="store_true", help="print JSON")
    shared(command, "--sarif")


def _inspect(command: argparse.ArgumentParser) -> None:
    command.add_argument("case", metavar="CASE", help="p15, p26:pair-swap")
    shared(command, "--target")
    command.add_argument("--level", default="asm", metavar="|".join(LEVELS), help="what to print (default: asm)")
    shared(command, "--kernels")


def _picture(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "case", metavar="CASE|FILE.mojo", help="p15, p26:pair-swap, or a program; what follows -- is its own"
    )
    command.add_argument(
        "--file", type=Path, metavar="FILE", help="the kernels of this file (default: in a workspace yours)"
    )
    command.add_argument("--solution", action="store_true", help="our kernels, in a workspace too")
    command.add_argument("--yes", action="store_true", help="with --solution: do not ask first")
    shared(command, "--target")
    command.add_argument("--launch", type=positive, metavar="N", help="of a program only this launch, from 1")
    shared(command, "-I", "-D", "--as-is")


def _show(command: argparse.ArgumentParser) -> None:
    _picture(command)
    shared(command, "--profile")
    command.add_argument("-o", "--output", type=Path, metavar="FILE.html", help="the page (default: its name)")
    command.set_defaults(named="show")


def _trace(command: argparse.ArgumentParser) -> None:
    _picture(command)
    command.add_argument("--lane", type=natural, metavar="N", help="only what this lane does; counted in the grid")
    command.set_defaults(named="trace")


def _simulate(command: Parser) -> None:
    command.manuals = {"values": "values of arguments", "launches": "files of launches"}
    command.add_argument("file", type=Path, metavar="FILE.ll|FILE.mojo", help="LLVM IR of a device, or a Mojo file")
    command.add_argument("--kernel", metavar="NAME", help="its name in the source, its symbol, or a part of that")
    command.add_argument("--target", required=True, metavar="T", help="vendor:architecture")
    for name, what in (("grid", "blocks"), ("block", "threads of a block"), ("cluster", "blocks of a cluster")):
        command.add_argument(f"--{name}", metavar="X,Y,Z", help=what)
    command.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE", help="in the kernel's order")
    command.add_argument("--shared-bytes", type=natural, metavar="N", help="dynamic shared memory of a block")
    command.add_argument("--launches", type=Path, metavar="FILE", help="several launches, instead of the flags above")
    shared(
        command, "--seed", help="random seed for the schedule (default: a fixed order, and others where that is quick)"
    )
    command.add_argument(
        "--time-limit", type=seconds, default=60.0, metavar="SECONDS", help="for each launch (default: 60)"
    )
    command.add_argument(
        "--observers", metavar="NAME,...", help="use these alone, or all but these: no-NAME,... (default: all)"
    )
    shared(command, "--engine")
    command.add_argument(
        "--severity",
        default="information",
        metavar="error|warning|information",
        help="show findings from this severity on; reports have all",
    )
    command.add_argument("--out", type=Path, metavar="DIR", help="write every array there afterwards")
    shared(command, "--fail-on", default="warning")
    shared(command, "--format", "--profile", "--json", "--sarif", "--as-is")


def _worker(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "scheduler", metavar="SCHEDULER", help="tcp://127.0.0.1:8786 on this machine, tls://HOST:8786 anywhere"
    )
    command.add_argument(
        "--simulators",
        type=natural,
        metavar="N",
        help="jobs of the simulator at a time (default: one more than processors, fewer where memory is short)",
    )
    command.add_argument("--devices", default="all", metavar="all|N,...", help="GPUs, one worker each (default: all)")
    command.add_argument(
        "--port", type=natural, default=0, metavar="N", help="listen on N, the next worker on the next (default: any)"
    )


_COMMANDS: dict[str, Command] = {
    **LOOP,
    "list": ("List the cases.", "listing.show", _list),
    "doctor": (
        "Show versions, devices, what each target would run on, and the cache.",
        "doctor.examine",
        lambda _: None,
    ),
    "run": ("Run cases on all of their data sets.", "artifacts.run", _run),
    "build": ("Build cases for targets; no GPU needed.", "running.build", _build),
    "exec": ("Run Mojo GPU programs as they are.", "programs.run", program_parser.programs),
    "call": (
        "Call a function that a Mojo file exports, on a GPU or in the simulator.",
        "calls.run",
        program_parser.calls,
    ),
    "grade": ("Grade the submissions of many people.", "grade.run", _grade),
    "claims": ("Check what the documents promise of each kernel.", "claims.claims", _claims),
    "inspect": ("Print the graph, LLVM IR or assembly of a case.", "running.inspect", _inspect),
    "show": (
        "Write a page that shows what the lanes of a kernel do, or those of a program, step by step.",
        "pictures.show",
        _show,
    ),
    "trace": (
        "Print what the lanes of a kernel do, or those of a program, step by step.",
        "pictures.trace",
        _trace,
    ),
    "bench": (
        "Time launches, full sizes and transfers on a GPU, beside the peers installed here.",
        "timing.bench",
        program_parser.timing,
    ),
    "migrate": (
        "Rewrite programs of an older Mojo for Mojo 1.2, and list what only you can change.",
        "migrating.migrate",
        program_parser.migration,
    ),
    "op": ("Call an op of a MAX library of custom ops, on a GPU or in the simulator.", "ops.call", program_parser.ops),
    "simulate": ("Run any compiled kernel in the SIMT simulator.", "simulate.simulate", _simulate),
    "worker": ("Work for a Dask scheduler with what this host has.", "worker.run", _worker),
}
