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
    "ArtifactError",
    "CompileError",
    "CompileTimeout",
    "EnvironmentFault",
    "HarnessError",
    "LaunchFault",
    "UsageError",
    "unknown",
]


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


class CompileTimeout(CompileError):
    """A Mojo file that takes longer to compile than the limit."""


class LaunchFault(HarnessError):
    """A kernel that faulted or hung, or that the simulator cannot execute."""


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Says that `name` is no known `kind`, and which known one is nearest; never a puzzle with quite another number."""
    names = alike = list(known)
    if re.fullmatch(r"p\d+", name):
        names = [one for one in names if re.fullmatch(r"p\d+", one)] or names
        numbers = {one: found[0] for one in names if (found := re.match(r"p\d+", one))}
        alike = [one for one, own in numbers.items() if name.startswith(own) or own.startswith(name)]
    near = difflib.get_close_matches(name, alike, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names)}."
    return UsageError(f"unknown {kind} {name!r}: {hint}")
