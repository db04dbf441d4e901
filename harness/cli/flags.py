"""What the commands' parsers have in common: errors in one sentence, and numbers that are checked."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import indent
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from harness.errors import UsageError, unknown
from harness.model.language import told
from harness.model.lines import columns, wrapped
from harness.process.python import BLAS_THREADS
from harness.simt.options import ENGINES

__all__ = [
    "TARGET_VARIABLE",
    "Parser",
    "Version",
    "assertions",
    "cases",
    "command_of",
    "data_seed",
    "documented_size",
    "engine",
    "findings_format",
    "json_flag",
    "natural",
    "numpy_alone",
    "observing",
    "path",
    "positive",
    "profile",
    "seconds",
    "seed",
    "target",
    "tolerance",
]

N = TypeVar("N", int, float)
FORMATS = ("text", "lines")  # of findings
TARGET_VARIABLE = "HARNESS_TARGET"  # set by the vendor environments of pixi.toml


class _Formatter(argparse.HelpFormatter):
    """Help in the language in use; lines end where the terminal's do, though some letters take two columns."""

    def __init__(self, prog: str, **how: Any) -> None:
        super().__init__(prog, **how)
        first = told("usage: ")
        self._width -= columns(first) - len(first)  # beside it stands what argparse breaks by itself

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, told("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and told(heading))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and told(action.help)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrapped(" ".join(told(text).split()), width - len(indent)))


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence that names what is near, in the language in use.

    Attributes:
        manuals: Modules of this package whose description follows the help, with its title.
    """

    manuals: Mapping[str, str] = MappingProxyType({})

    def __init__(self, **how: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **how})

    def format_help(self) -> str:
        parts = [super().format_help()]
        for name, title in self.manuals.items():
            lines = f"{import_module(f'harness.cli.{name}').__doc__}".strip()
            parts.append(f"\n{title}:\n{indent(lines, '  ')}\n")
        return "".join(parts)

    def _print_message(self, message: str, file: Any = None) -> None:
        print(message, end="", file=file or sys.stderr)  # argparse itself passes over a reader that has left

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}; see `{self.prog} --help`.")

    def refuse(self, word: str) -> NoReturn:
        """Says that an argument is not known, and which flag is nearest."""
        if word.startswith("-"):
            options = [name for action in self._actions for name in action.option_strings]
            raise unknown("flag", word.split("=")[0], [name for name in options if name.startswith("--")])
        self.error(f"unexpected argument {word!r}")

    def understood(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments; what is left over is refused."""
        parsed, rest = self.parse_known_args(words)
        if rest:
            # The command's own parser knows which flags there are.
            parsed.parser.refuse(rest[0])
        return parsed


class Version(argparse.Action):
    """Prints the version, which is found out only then, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from harness.cli.version import described

        print(described())
        parser.exit()


def natural(text: str) -> int:
    """A number that is not negative.

    Raises:
        ArgumentTypeError: The text is none.
    """
    return _number(int, text, lambda number: number >= 0, "a whole number of at least 0")


def positive(text: str) -> int:
    """A number above 0.

    Raises:
        ArgumentTypeError: The text is none.
    """
    return _number(int, text, lambda number: number > 0, "a whole number above 0")


def seconds(text: str) -> float:
    """A time above 0.

    Raises:
        ArgumentTypeError: The text is none.
    """
    return _number(float, text, lambda number: 0 < number < math.inf, "a number of seconds above 0")


def tolerance(text: str) -> float:
    """A number from 0 on.

    Raises:
        ArgumentTypeError: The text is none.
    """
    return _number(float, text, lambda number: 0 <= number < math.inf, "a number from 0 on")


def _number(read: Callable[[str], N], text: str, fits: Callable[[N], bool], what: str) -> N:
    with contextlib.suppress(ValueError):
        if fits(number := read(text)):
            return number
    raise argparse.ArgumentTypeError(f"must be {what}, but is {text!r}")


def path(text: str) -> Path:
    """A path; no text is none, for it would mean the current folder.

    Raises:
        ArgumentTypeError: The text is empty.
    """
    if not text:
        raise argparse.ArgumentTypeError("must name a file or a folder, but is empty")
    return Path(text)


def cases(command: argparse.ArgumentParser, help: str = "p26:pair-swap, or p26 for all of it; all if none") -> None:
    """Adds the names of cases."""
    command.add_argument("cases", nargs="*", metavar="CASE", help=help)


def target(command: argparse.ArgumentParser) -> None:
    """Adds the target, by default that of the environment variable."""
    command.add_argument(
        "--target",
        default=os.environ.get(TARGET_VARIABLE) or None,
        metavar="T",
        help="vendor:architecture, or a vendor; this machine's GPU, else nvidia, if none",
    )


def assertions(command: argparse.ArgumentParser) -> None:
    """Adds whether `debug_assert` is compiled in."""
    command.add_argument(
        "--assertions", action="store_true", help="compile `debug_assert` in, and run in the simulator"
    )


def data_seed(command: argparse.ArgumentParser) -> None:
    """Adds the seed of the fresh data."""
    command.add_argument(
        "--data-seed", type=natural, metavar="N", help="draw the same fresh data again (default: new data in each run)"
    )


def documented_size(command: argparse.ArgumentParser) -> None:
    """Adds whether the simulator takes no small sizes."""
    command.add_argument(
        "--documented-size",
        action="store_true",
        help="in the simulator too, which takes small sizes otherwise; may take hours",
    )


def seed(command: argparse.ArgumentParser, help: str) -> None:
    """Adds the seed of an order."""
    command.add_argument("--seed", type=natural, metavar="N", help=help)


def _format(text: str) -> str:
    if text not in FORMATS:
        raise unknown("format", text, FORMATS)
    return text


def findings_format(command: argparse.ArgumentParser) -> None:
    """Adds in which form findings are told."""
    command.add_argument(
        "--format",
        default="text",
        type=_format,
        metavar="text|lines",
        help="of findings; lines: one for each, `file:line:column: severity: id: text`, for editors (default: text)",
    )


def _engine(text: str) -> str:
    if text not in ENGINES:
        raise unknown("engine", text, ENGINES)
    return text


def observing(command: argparse.ArgumentParser) -> None:
    """How a launch is watched, and what runs it."""
    command.add_argument(
        "--observers", metavar="NAME,...", help="use these alone, or all but these: no-NAME,... (default: all)"
    )
    engine(command)


def engine(command: argparse.ArgumentParser) -> None:
    """Adds what runs launches in the simulator."""
    command.add_argument(
        "--engine",
        default="auto",
        type=_engine,
        metavar="auto|native|reference",
        help="in the simulator; native: machine code where that can prove that all is well, auto: where it takes no "
        "longer than Python, reference: Python alone (default: auto)",
    )


def profile(command: argparse.ArgumentParser) -> None:
    """Adds whether what kernels do is shown by the lines of their source."""
    command.add_argument(
        "--profile",
        action="store_true",
        help="in the simulator: memory, branches and arithmetic by source line; registers, occupancy",
    )


def json_flag(command: argparse.ArgumentParser) -> None:
    """Adds whether JSON is printed."""
    command.add_argument("--json", action="store_true", help="print JSON")


@contextlib.contextmanager
def numpy_alone() -> Iterator[None]:
    """If NumPy is loaded meanwhile, it starts no threads for BLAS, unless the environment says how many."""
    if BLAS_THREADS in os.environ:
        yield
        return
    os.environ[BLAS_THREADS] = "1"
    try:
        yield
    finally:
        del os.environ[BLAS_THREADS]  # no program that is started inherits it


def command_of(command: argparse.ArgumentParser, module: str, function: str) -> None:
    """Sets what a command executes: a function of a module of this package."""

    def call(arguments: argparse.Namespace) -> int:
        # Imported late: a command pays for what it uses only.
        with numpy_alone():
            execute: Callable[[argparse.Namespace], int] = getattr(import_module(f"harness.cli.{module}"), function)
        return execute(arguments)

    command.set_defaults(command=call)
