"""The nearest right word for a wrong one, where the catalogue or the meaning has to be known for it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from harness.cli.late import numpy_alone
from harness.errors import ALIKE, UsageError, unknown

__all__ = ["MEANT", "case_with_mode", "unknown_command"]

# What other tools call a command of ours, and ours.
MEANT: Mapping[str, str] = {
    "answer": "solution",
    "benchmark": "bench",
    "compile": "build",
    "create": "start",
    "execute": "exec",
    "init": "start",
    "ls": "list",
    "new": "start",
    "score": "grade",
    "status": "next",
    "test": "check",
    "tip": "hint",
    "verify": "check",
}


def unknown_command(word: str, commands: Iterable[str]) -> UsageError:
    """Return the refusal of a word that is no command; it names the nearest: by letters, by meaning, or a puzzle.

    Args:
        word: What was typed.
        commands: The commands but those of the puzzles.
    """
    with numpy_alone():
        from harness.catalogue import CASES, PUZZLES  # late: it takes NumPy along

    commands = list(commands)
    if word.lower() not in commands:  # else only the capitals are wrong
        matches = difflib.get_close_matches(word.lower(), [*commands, *MEANT], n=1, cutoff=ALIKE)
        if matches and matches[0] in MEANT:
            return UsageError(f"unknown command {word!r}: did you mean {MEANT[matches[0]]!r}?")
    modes = [f"{case.puzzle} --{case.mode}" for case in CASES if case.mode]
    return unknown("command", word, [*commands, *PUZZLES, *(modes if ":" in word else ())])


def case_with_mode(flag: str, words: Sequence[str]) -> str | None:
    """Return the case that a puzzle and a flag with the name of its mode mean: `p16 --tiled` is `p16:tiled`."""
    with numpy_alone():
        from harness.catalogue import CASES

    return next((case.id for case in CASES if f"--{case.mode}" == flag and case.puzzle in words), None)
