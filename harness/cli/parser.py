"""Parse a command line and execute its command; the table of all commands, their help's groups, and some parsers."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from harness.cli import program_parser
from harness.cli.command_help import RootParser
from harness.cli.flags import (
    TARGET_VARIABLE,
    Command,
    Parser,
    add_shared,
    natural,
    positive,
)
from harness.cli.late import load_command
from harness.cli.learner_parser import LOOP, puzzle_commands
from harness.cli.renamed import replace_old_words
from harness.cli.wrong_words import make_unknown_command_error
from harness.model import spelling
from harness.model.language import requested_language, set_language
from harness.model.report import BACKENDS, LEVELS
from harness.simt.messages import LANGUAGES

__all__ = ["GROUPS", "TARGET_VARIABLE", "execute", "make_parser", "parse_command_line"]


def execute(argv: Sequence[str]) -> int:
    """Run the command that `argv` names; return its exit code.

    Raises:
        HarnessError: The command cannot be done; the message says what to do.
    """
    arguments = parse_command_line(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    return command(arguments)


def parse_command_line(argv: Sequence[str]) -> argparse.Namespace:
    """Parse a command line, with old names replaced; sets the process's language and the treatment of older spellings.

    In the result, `command` is the function to call with it, and `rest` what follows `--` of `exec`, `show` and
    `trace`.

    Raises:
        UsageError: There is no such command, it does not take these arguments, or the language is unknown.
    """
    set_language(requested_language(argv))
    words, rest = replace_old_words(_put_command_first(argv)), []
    first = words[0]
    is_puzzle = first not in _COMMANDS and not first.startswith("-")
    commands = {**_COMMANDS, **puzzle_commands()} if is_puzzle else _COMMANDS
    if is_puzzle and first not in commands:
        raise make_unknown_command_error(first, _COMMANDS)
    if first in ("exec", "show", "trace") and "--" in words:  # what follows is the program's
        at = words.index("--")
        words, rest = words[:at], words[at + 1 :]
    arguments = _make_parser(commands, first if first in commands else None).parse_all(words)
    set_language(arguments.language)  # or refuses it
    spelling.set_as_is(as_is=getattr(arguments, "as_is", False))
    arguments.rest = rest
    return arguments


def _put_command_first(argv: Sequence[str]) -> list[str]:
    """Return a command line that begins with the command, `--language` after it.

    Without a command, it is `next`; `help COMMAND` is `COMMAND --help`. `-h`, `--help` and `--version` in place of a
    command stay first, and the language before them is dropped.
    """
    words, language = list(argv), list[str]()
    while words and words[0].partition("=")[0] == "--language":
        count = 1 if "=" in words[0] else 2
        language += words[:count]
        del words[:count]
    if words and words[0] in ("-h", "--help", "--version"):  # they are of no command; the language is chosen already
        return words
    if words and words[0] == "help":
        topic = [word for word in words[1:2] if not word.startswith("-")]
        words = [*topic, "--help", *words[1 + len(topic) :]]
    command, *others = words or ["next"]
    return [command, *language, *others]


def make_parser() -> argparse.ArgumentParser:
    """Return the parser with every command."""
    return _make_parser({**_COMMANDS, **puzzle_commands()}, None)


def _make_parser(all_commands: Mapping[str, Command], selected: str | None) -> Parser:
    """Return a parser of commands; only the `selected` one gets its arguments, or each one if `selected` is None."""
    root = RootParser(GROUPS)
    commands = root.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for name, (summary, place, arguments) in all_commands.items():
        command = commands.add_parser(name, help=summary, description=summary)
        command.set_defaults(parser=command, command=load_command(place))
        if selected in (name, None):
            arguments(command)
            command.add_argument(
                "--language", metavar="|".join(LANGUAGES), help="choose the language (default: the locale's, else en)"
            )
    return root


def _add_list(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def _add_run(command: argparse.ArgumentParser) -> None:
    add_shared(command, "cases", "--target")
    add_shared(command, "--backend", metavar="|".join(BACKENDS))
    command.add_argument("--require-gpu", action="store_true", help=argparse.SUPPRESS)  # as --backend max
    command.add_argument("--devices", default="", metavar="all|N,...", help="choose the GPUs (default: the first)")
    add_shared(command, "--scheduler")
    add_shared(command, "--kernels", default=None)
    command.add_argument("--artifacts", type=Path, metavar="DIR", help="run what `build --out DIR` made; needs a GPU")
    add_shared(command, "--seed", help="seed the simulator's random schedule, or on a GPU the order of the cases")
    add_shared(command, "--data-seed", "--engine", "--documented-size", "--jobs")
    command.add_argument(
        "--sanitize",
        nargs="?",
        const="",
        metavar="TOOL,...",
        help="run under compute-sanitizer's tools (default: all of them)",
    )
    command.add_argument("--counters", action="store_true", help="show the simulator's counters")
    add_shared(command, *program_parser.REPORTS)


def _add_build(command: argparse.ArgumentParser) -> None:
    add_shared(command, "cases")
    command.add_argument(
        "--target",
        action="append",
        required=True,
        metavar="T",
        help="choose a target, vendor:architecture; may be repeated",
    )
    command.add_argument("--code", action="store_true", help="write LLVM IR and assembly too (default: when needed)")
    command.add_argument(
        "--out", type=Path, metavar="DIR", help="write all that a GPU machine needs, for `run --artifacts`"
    )
    add_shared(command, "--kernels", "--json")


def _add_grade(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "submissions",
        type=Path,
        metavar="SUBMISSIONS",
        help="read a folder that has a folder or an archive for each person",
    )
    command.add_argument("--out", type=Path, metavar="DIR", help="write the results there; a stopped run goes on there")
    command.add_argument(
        "--assignment",
        type=Path,
        metavar="FILE",
        help="read the puzzles asked for and their points from TOML (default: all, 1 for each mode)",
    )
    add_shared(command, "--target")
    add_shared(command, "--backend")
    add_shared(
        command, "--data-seed", dest="seed", help="seed the fresh data (default: a secret seed, printed afterwards)"
    )
    command.add_argument(
        "--sandbox",
        default="auto",
        metavar="auto|bwrap|limits|off",
        help="choose how submissions are isolated (default: auto)",
    )
    command.add_argument(
        "--workers", type=natural, default=0, metavar="N", help="judge N files at a time (default: cores + 1)"
    )
    add_shared(command, "--scheduler")
    command.add_argument(
        "--format",
        metavar="gradescope|classroom50",
        help="grade one person's SUBMISSIONS and write the file --out for a service",
    )


def _add_claims(command: argparse.ArgumentParser) -> None:
    add_shared(command, "cases", "--target", "--kernels", "--documented-size", "--jobs")
    command.add_argument("--json", action="store_true", help="print JSON")
    add_shared(command, "--sarif")


def _add_inspect(command: argparse.ArgumentParser) -> None:
    command.add_argument("case", metavar="CASE", help="choose a case: p15, p26:pair-swap")
    add_shared(command, "--target")
    command.add_argument("--level", default="asm", metavar="|".join(LEVELS), help="choose what to print (default: asm)")
    add_shared(command, "--kernels")


def _add_picture(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "case", metavar="CASE|FILE.mojo", help="choose a case, p26:pair-swap, or a program; its arguments follow --"
    )
    command.add_argument(
        "--file", type=Path, metavar="FILE", help="take the kernels of this file (default: in a workspace yours)"
    )
    command.add_argument("--solution", action="store_true", help="take our kernels, in a workspace too")
    command.add_argument("--yes", action="store_true", help="show the solution without asking")
    add_shared(command, "--target")
    command.add_argument("--launch", type=positive, metavar="N", help="take only this launch of a program, from 1")
    add_shared(command, "-I", "-D", "--as-is")


def _add_show(command: argparse.ArgumentParser) -> None:
    _add_picture(command)
    add_shared(command, "--profile")
    command.add_argument(
        "-o", "--out", dest="output", type=Path, metavar="FILE.html", help="write the page there (default: CASE.html)"
    )
    command.set_defaults(named="show")


def _add_trace(command: argparse.ArgumentParser) -> None:
    _add_picture(command)
    command.add_argument(
        "--lane", type=natural, metavar="N", help="print only what this lane does; counted in the grid"
    )
    command.set_defaults(named="trace")


def _add_worker(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "scheduler",
        metavar="SCHEDULER",
        help="connect to tcp://127.0.0.1:8786 on this machine, tls://HOST:8786 anywhere",
    )
    command.add_argument(
        "--simulators",
        type=natural,
        metavar="N",
        help="run N simulator jobs at a time (default: one more than processors, fewer where memory is short)",
    )
    command.add_argument(
        "--devices", default="all", metavar="all|N,...", help="use these GPUs, one worker each (default: all)"
    )
    command.add_argument(
        "--port",
        type=natural,
        default=0,
        metavar="N",
        help="listen on port N, the next worker on the next port (default: any)",
    )


# In the order of the help; the groups name each command once.
_COMMANDS: dict[str, Command] = {
    **LOOP,
    "show": ("Write a page that shows what each lane does, step by step.", "pictures.show", _add_show),
    "trace": ("Print what each lane does, step by step.", "pictures.trace", _add_trace),
    "list": ("List the puzzles and their modes.", "listing.show", _add_list),
    "exec": ("Run Mojo GPU programs and report what is wrong.", "programs.run", program_parser.add_exec),
    "call": ("Call a function that a Mojo file exports.", "calls.run", program_parser.add_call),
    "op": ("Call an op of a MAX library of custom ops.", "ops.call", program_parser.add_op),
    "simulate": ("Run any compiled kernel in the simulator.", "simulate.simulate", program_parser.add_simulate),
    "migrate": (
        "Rewrite programs of an older Mojo for Mojo 1.2.",
        "migrating.migrate",
        program_parser.add_migrate,
    ),
    "grade": ("Grade the submissions of a class.", "grade.run", _add_grade),
    "run": ("Run puzzles on all of their data sets.", "artifacts.run", _add_run),
    "build": ("Build puzzles for targets; needs no GPU.", "running.build", _add_build),
    "claims": ("Check what the puzzles promise of each kernel.", "claims.claims", _add_claims),
    "inspect": ("Print the graph, LLVM IR or assembly of a puzzle.", "running.inspect", _add_inspect),
    "bench": ("Time launches and transfers on a GPU, beside its peers.", "timing.bench", program_parser.add_bench),
    "worker": ("Serve a Dask scheduler with this machine.", "worker.run", _add_worker),
    "doctor": ("Show versions, devices and the cache.", "doctor.examine", lambda _: None),
}
GROUPS: dict[str, tuple[str, ...]] = {
    "solve the puzzles": (
        "start",
        "next",
        "watch",
        "check",
        "hint",
        "solution",
        "show",
        "trace",
        "reset",
        "progress",
        "list",
    ),
    "run your own Mojo": ("exec", "call", "op", "simulate", "migrate"),
    "grade, build and measure": ("grade", "run", "build", "claims", "inspect", "bench", "worker", "doctor"),
}
