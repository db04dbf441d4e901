"""The errors that a user can meet; `harness.model.exit_code` says how each ends a command.

* HarnessError
  x UsageError           unknown case, target or flag, unusable argument
  x EnvironmentFault     something is missing or unusable on this machine
  x CompileError         a Mojo file that does not compile
    x CompileTimeout     one whose compilation does not end
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
    "ALIKE",
    "ArtifactError",
    "CompileError",
    "CompileTimeout",
    "EnvironmentFault",
    "HarnessError",
    "LaunchFault",
    "PythonError",
    "UsageError",
    "unknown",
]

ALIKE = 0.6  # of two names, from which on one may be meant by the other
MOST_NAMED = 40  # of known names in one sentence
_LISTED = {"command": "puzzles --help", "case": "puzzles list", "puzzle": "puzzles list"}  # where there are more


class HarnessError(Exception):
    """The base of every error that ends a command with one sentence."""


class UsageError(HarnessError):
    """The command asks for something that does not exist."""


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
        """The compiler's lines as those of a finding; none where it said nothing."""
        return tuple({"line": line} for line in self.diagnostics.split("\n")) if self.diagnostics else ()


class CompileTimeout(CompileError):
    """A Mojo file that takes longer to compile than the limit."""


class PythonError(CompileError):
    """A puzzle's Python that is well formed and ends with an exception: no compiler finds that."""


class LaunchFault(HarnessError):
    """A kernel that faulted or hung, or that the simulator cannot execute."""


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Says that `name` is no known `kind`, and which known one is nearest; never a puzzle with quite another number."""
    names = alike = list(dict.fromkeys(known))
    word = name.lower()  # capital letters are the least of a name
    meant = _puzzle(word)
    if meant in names:  # whatever else is like it: the number says it
        return UsageError(f"unknown {kind} {name!r}: did you mean {meant!r}?")
    if re.fullmatch(r"p\d+", word):
        names = [one for one in names if re.fullmatch(r"p\d+", one)] or names
        numbers = {one: found[0] for one in names if (found := re.match(r"p\d+", one))}
        alike = [one for one, own in numbers.items() if word.startswith(own) or own.startswith(word)]
    lowered = {candidate.lower(): candidate for candidate in alike}
    if near := difflib.get_close_matches(word, lowered, n=1, cutoff=ALIKE):
        return UsageError(f"unknown {kind} {name!r}: did you mean {lowered[near[0]]!r}?")
    if (puzzle := word.partition(":")[0]) in names:  # and no mode of it, or one where none is to be named
        return UsageError(f"unknown {kind} {name!r}: did you mean {puzzle!r}?")
    if len(names) > MOST_NAMED and kind in _LISTED:
        return UsageError(f"unknown {kind} {name!r}: see `{_LISTED[kind]}`.")
    return UsageError(f"unknown {kind} {name!r}: known: {', '.join(sorted(names, key=_number))}.")


def _puzzle(name: str) -> str:
    """The puzzle of a name like `1`, `p015`, `p15.mojo`, `p15/problem.mojo` or `p01,p02`; empty if it has none."""
    found = re.fullmatch(r"p?0*([0-9]+)(?:[/.,].*)?", name, re.DOTALL)
    return f"p{found[1]:0>2}" if found else ""


def _number(name: str) -> int:
    """What known names are sorted by: the number of a puzzle, behind all that is none."""
    found = re.match(r"p([0-9]+)", name)
    return int(found[1]) if found else -1
