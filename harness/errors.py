"""Exceptions that end a command with a sentence (`HarnessError`); `unknown_name` suggests the nearest known name.

`harness.model.exit_code` says how each ends a command.

* HarnessError
  x UsageError           unknown case, target or flag, unusable argument
  x EnvironmentFault     something is missing or unusable on this machine
  x CompileError         a Mojo file that does not compile
    x CompileTimeout     one whose compilation does not end
    x PythonError        a puzzle's Python that ends with an exception
  x ArtifactError        an artifact that does not fit
  x LaunchFault          a launch without a result, for callers from Python

A wrong answer is not an error: it is a verdict (see `harness.cases.check`), and so is a
launch without a result on the command line.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

__all__ = [
    "MIN_SIMILARITY",
    "ArtifactError",
    "CompileError",
    "CompileTimeout",
    "EnvironmentFault",
    "HarnessError",
    "LaunchFault",
    "PythonError",
    "UsageError",
    "unknown_name",
]

MIN_SIMILARITY = 0.6  # of two names, from which on one may be meant by the other
MOST_NAMED = 40  # of known names in one sentence
_LISTED = {"command": "puzzles --help", "case": "puzzles list", "puzzle": "puzzles list"}  # where there are more


class HarnessError(Exception):
    """The base of every error that ends a command with one sentence."""


class UsageError(HarnessError):
    """The command names something that does not exist, or is used wrongly."""


class EnvironmentFault(HarnessError):
    """This machine lacks something: a tool, a GPU, room on the disk."""


class ArtifactError(HarnessError):
    """A built artifact does not fit the device, the versions or the catalogue."""


class CompileError(HarnessError):
    """A Mojo file does not compile.

    Attributes:
        diagnostics: The compiler's own lines, `file:line:column: error: ...`.
    """

    def __init__(self, message: str, diagnostics: str = "") -> None:
        super().__init__(message)
        self.diagnostics = diagnostics

    @property
    def items(self) -> tuple[dict[str, str], ...]:
        """The compiler's lines as items of a finding, a dict with `line` each; empty if it printed nothing."""
        return tuple({"line": line} for line in self.diagnostics.split("\n")) if self.diagnostics else ()


class CompileTimeout(CompileError):
    """A Mojo file takes longer to compile than the limit."""


class PythonError(CompileError):
    """A puzzle's Python is well formed and ends with an exception, which no compiler finds."""


class LaunchFault(HarnessError):
    """A kernel faulted or hung, or the simulator cannot execute it."""


def unknown_name(kind: str, name: str, valid_names: Iterable[str]) -> UsageError:
    """Return (not raise) the error for an unknown name, with the nearest known one; never a puzzle with quite another
    number.

    If no name is near, it lists the known ones, however many; only for more than 40 commands, cases or puzzles it names
    the command that lists them.

    Args:
        kind: What is named, in words: `case`, `flag`.
        name: What was typed; capital letters do not count.
        valid_names: The known names.
    """
    names = candidates = list(dict.fromkeys(valid_names))
    word = name.lower()  # capital letters are the least of a name
    meant = _puzzle_in(word)
    if meant in names:  # whatever else is like it: the number says it
        return UsageError(f"unknown {kind} {name!r}: did you mean {meant!r}?")
    if re.fullmatch(r"p\d+", word):
        names = [candidate for candidate in names if re.fullmatch(r"p\d+", candidate)] or names
        numbers = {candidate: match[0] for candidate in names if (match := re.match(r"p\d+", candidate))}
        candidates = [
            candidate for candidate, number in numbers.items() if word.startswith(number) or number.startswith(word)
        ]
    lowered = {candidate.lower(): candidate for candidate in candidates}
    if closest := difflib.get_close_matches(word, lowered, n=1, cutoff=MIN_SIMILARITY):
        return UsageError(f"unknown {kind} {name!r}: did you mean {lowered[closest[0]]!r}?")
    if (puzzle := word.partition(":")[0]) in names:  # and no mode of it, or one where none is to be named
        return UsageError(f"unknown {kind} {name!r}: did you mean {puzzle!r}?")
    if len(names) > MOST_NAMED and kind in _LISTED:
        return UsageError(f"unknown {kind} {name!r}: see `{_LISTED[kind]}`.")
    return UsageError(f"unknown {kind} {name!r}: known: {', '.join(sorted(names, key=_sort_key))}.")


def _puzzle_in(name: str) -> str:
    """Return the puzzle, as `p15` or `p04`, that a name in small letters means: `15`, `p015`, `p4/problem.mojo`.

    Of several names, `p01,p02`, only the first counts. Empty for every other form, also for `p26:pair-swap`.
    """
    match = re.fullmatch(r"p?0*([0-9]+)(?:[/.,].*)?", name, re.DOTALL)
    return f"p{match[1]:0>2}" if match else ""


def _sort_key(name: str) -> int:
    """Return the number of the puzzle that a known name begins with, 26 for `p26:pair-swap`; -1 for other names."""
    match = re.match(r"p([0-9]+)", name)
    return int(match[1]) if match else -1
