"""`Parser`, with translated help and one-sentence errors; flags that commands share; types of numbers and paths."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import indent
from types import MappingProxyType
from typing import Any, NoReturn, TypeAlias, TypeVar

from harness.errors import UsageError, unknown_name
from harness.model.language import translate
from harness.model.lines import display_width, wrap
from harness.simt.findings import SEVERITIES
from harness.simt.options import ENGINES

__all__ = [
    "TARGET_VARIABLE",
    "Arguments",
    "Command",
    "Parser",
    "Version",
    "add_shared",
    "natural",
    "parse_path",
    "positive",
    "seconds",
    "tolerance",
]

N = TypeVar("N", int, float)
FORMATS = ("text", "lines")  # of findings
TARGET_VARIABLE = "HARNESS_TARGET"  # set by the vendor environments of pixi.toml


class _Formatter(argparse.HelpFormatter):
    """Formats help in the current language, wrapped to the terminal; Korean letters count as two columns."""

    def __init__(self, prog: str, **how: Any) -> None:
        super().__init__(prog, **how)
        first = translate("usage: ")
        self._width -= display_width(first) - len(first)  # beside it stands what argparse breaks by itself

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, translate("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and translate(heading))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and translate(action.help)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrap(" ".join(translate(text).split()), width - len(indent)))


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence with a suggestion, in the current language.

    Attributes:
        manuals: Modules of this package whose docstring follows the help, with its title.
    """

    manuals: Mapping[str, str] = MappingProxyType({})

    def __init__(self, **how: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **how})

    def format_help(self) -> str:
        texts = [super().format_help()]
        for name, title in self.manuals.items():
            lines = f"{import_module(f'harness.cli.{name}').__doc__}".strip()
            texts.append(f"\n{title}:\n{indent(lines, '  ')}\n")
        return "".join(texts)

    def _print_message(self, message: str, file: Any = None) -> None:
        print(message, end="", file=file or sys.stderr)  # argparse itself passes over a reader that has left

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}; see `{self.prog} --help`.")

    def refuse(self, word: str, words: Sequence[str] = ()) -> NoReturn:
        """Raise the error for an unknown argument; for a flag it names the case that was meant, or the nearest flag.

        Args:
            word: The argument.
            words: All arguments; if they name a puzzle, the flag may be its mode.

        Raises:
            UsageError: Always.
        """
        if word.startswith("-"):
            from harness.cli.wrong_words import find_case_with_mode  # late: it is of refusals alone

            if meant := find_case_with_mode(word, words):
                raise UsageError(f"unknown flag {word!r}: did you mean {meant!r}?")
            visible = (action for action in self._actions if action.help != argparse.SUPPRESS)
            options = [name for action in visible for name in action.option_strings]
            raise unknown_name("flag", word.split("=")[0], [name for name in options if name.startswith("--")])
        self.error(f"unexpected argument {word!r}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does: return the namespace and the unknown arguments.

        Raises:
            UsageError: An argument is missing or has a wrong value; if one is missing and the first unknown argument is
                a flag, the error names that flag.
        """
        try:
            return super().parse_known_args(args, namespace)
        except UsageError:
            missing = [action for action in self._actions if action.required]
            for action in missing:
                action.required = False
            try:
                _, rest = super().parse_known_args(args)
            finally:
                for action in missing:
                    action.required = True
            if rest and rest[0].startswith("-"):
                self.refuse(rest[0], args or ())
            raise

    def parse_all(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse the arguments, and refuse unknown ones.

        Raises:
            UsageError: An argument is unknown or missing, or has a wrong value.
        """
        parsed: argparse.Namespace
        parsed, rest = self.parse_known_args(words)
        if rest:
            # The command's own parser knows which flags there are.
            parsed.parser.refuse(rest[0], words)
        return parsed


Arguments: TypeAlias = Callable[[Parser], None]  # adds the arguments of a command to its parser
Command: TypeAlias = tuple[str, str, Arguments]  # its summary; what it executes, see `load_command`; its arguments


class Version(argparse.Action):
    """Prints the version and exits; the version is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from harness.cli.version import describe_versions

        print(describe_versions())
        parser.exit()


def _number_parser(read: Callable[[str], N], fits: Callable[[N], bool], requirement: str) -> Callable[[str], N]:
    """Return a function that parses a number with `read`; it raises ArgumentTypeError, with `requirement`, if that
    fails or the number does not fit.
    """

    def number(text: str) -> N:
        with contextlib.suppress(ValueError):
            if fits(value := read(text)):
                return value
        raise argparse.ArgumentTypeError(f"must be {requirement}, but is {text!r}")

    return number


natural = _number_parser(int, lambda number: number >= 0, "a whole number of at least 0")
positive = _number_parser(int, lambda number: number > 0, "a whole number above 0")
seconds = _number_parser(float, lambda number: 0 < number < math.inf, "a number of seconds above 0")
tolerance = _number_parser(float, lambda number: 0 <= number < math.inf, "a number from 0 on")


def parse_path(text: str) -> Path:
    """Parse a path; an empty text is an error, because it would mean the current folder.

    Raises:
        ArgumentTypeError: The text is empty.
    """
    if not text:
        raise argparse.ArgumentTypeError("must name a file or a folder, but is empty")
    return Path(text)


def _choice_parser(kind: str, options: Sequence[str]) -> Callable[[str], str]:
    """Return a function that returns a word if it is one of `options`, and raises UsageError, naming `kind`, if it is
    not.
    """

    def word(text: str) -> str:
        if text not in options:
            raise unknown_name(kind, text, options)
        return text

    return word


# What several commands take, as argparse is told of it.
SHARED: Mapping[str, Mapping[str, Any]] = {
    "cases": {
        "nargs": "*",
        "metavar": "CASE",
        "help": "choose cases: p26:pair-swap, p26 for all of its modes, p01-p08; they run in the order of "
        "`puzzles list` (default: all)",
    },
    "--as-is": {"action": "store_true", "help": "compile the text as it is, without replacing older spellings of Mojo"},
    "--assertions": {"action": "store_true", "help": "compile `debug_assert` in, and run in the simulator"},
    "--atol": {"type": tolerance, "default": 0.0, "metavar": "X", "help": "allow this absolute difference (0)"},
    "--backend": {
        "default": "auto",
        "metavar": "auto|max|simulator",
        "help": "choose where to run (default: a GPU, else the simulator)",
    },
    "-D": {"dest": "define", "action": "append", "default": [], "metavar": "NAME=VALUE", "help": "define a name"},
    "--data-seed": {
        "type": natural,
        "metavar": "N",
        "help": "draw the same fresh data again (default: new data in each run)",
    },
    "--documented-size": {
        "action": "store_true",
        "help": "use the documented sizes in the simulator too; may take hours (default: small sizes)",
    },
    "--engine": {
        "default": "auto",
        "type": _choice_parser("engine", ENGINES),
        "metavar": "auto|native|reference",
        "help": "choose the simulator's engine: native compiles what it can check, reference interprets, auto compiles "
        "where that takes no longer (default: auto)",
    },
    "--jobs": {
        "type": positive,
        "metavar": "N",
        "help": "use N processes for the simulator (default: as many as there are processors and memory for)",
    },
    "--fail-on": {
        "default": "error",
        "type": _choice_parser("severity", SEVERITIES),
        "metavar": "error|warning|information",
        "help": "fail on findings of this severity or worse (default: %(default)s)",
    },
    "--format": {
        "default": "text",
        "type": _choice_parser("format", FORMATS),
        "metavar": "text|lines",
        "help": "print findings as text, or for editors as lines: `file:line:column: severity: id: text` (default: "
        "text)",
    },
    "-I": {
        "dest": "include",
        "action": "append",
        "default": [],
        "type": Path,
        "metavar": "DIR",
        "help": "look for modules there",
    },
    "--json": {"type": Path, "metavar": "FILE", "help": "write a JSON report"},
    "--junit": {"type": Path, "metavar": "FILE", "help": "write a JUnit report"},
    "--kernels": {
        "default": "solutions",
        "metavar": "solutions|problems",
        "help": "choose the kernels: our solutions, or the problems' files (default: solutions)",
    },
    "--profile": {
        "action": "store_true",
        "help": "count memory, branches and arithmetic by source line, registers and occupancy, in the simulator",
    },
    "--rtol": {"type": tolerance, "default": 0.0, "metavar": "X", "help": "allow this relative difference (0)"},
    "--sarif": {"type": Path, "metavar": "FILE", "help": "write the findings as SARIF 2.1.0"},
    "--scheduler": {
        "metavar": "local|tcp://...|tls://...",
        "help": "use the workers of a Dask scheduler, see docs/cluster.md (default: this process)",
    },
    "--seed": {"type": natural, "metavar": "N", "help": "seed the simulator's random schedule"},
    "--target": {
        "metavar": "T",
        "help": "choose a vendor, or vendor:architecture (default: this machine's GPU, else nvidia)",
    },
}


def add_shared(command: argparse.ArgumentParser, *names: str, **overrides: Any) -> None:
    """Add shared flags to a parser, in this order; `--target` has the default that the environment sets.

    Args:
        command: The parser.
        names: Keys of `SHARED`.
        overrides: Options of argparse that replace those of `SHARED`, for all of these flags.
    """
    for name in names:
        late = {"default": os.environ.get(TARGET_VARIABLE) or None} if name == "--target" else {}
        command.add_argument(name, **{**SHARED[name], **late, **overrides})
