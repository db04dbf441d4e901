"""Suggest a command for an unknown one, by spelling or synonym; find the case that a puzzle and a flag mean."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from harness.cli.late import single_threaded_blas
from harness.errors import MIN_SIMILARITY, UsageError, unknown_name

__all__ = ["SYNONYMS", "find_case_with_mode", "make_unknown_command_error"]

# What other tools call a command of ours, and ours.
SYNONYMS: Mapping[str, str] = {
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


def make_unknown_command_error(word: str, commands: Iterable[str]) -> UsageError:
    """Return the error for an unknown command; it suggests the nearest by letters or meaning, or a puzzle.

    Args:
        word: The word that was typed.
        commands: The commands without those of the puzzles.
    """
    with single_threaded_blas():
        from harness.catalogue import CASES, PUZZLES  # late: it takes NumPy along

    commands = list(commands)
    if word.lower() not in commands:  # else only the capitals are wrong
        matches = difflib.get_close_matches(word.lower(), [*commands, *SYNONYMS], n=1, cutoff=MIN_SIMILARITY)
        if matches and matches[0] in SYNONYMS:
            return UsageError(f"unknown command {word!r}: did you mean {SYNONYMS[matches[0]]!r}?")
    modes = [f"{case.puzzle} --{case.mode}" for case in CASES if case.mode]
    return unknown_name("command", word, [*commands, *PUZZLES, *(modes if ":" in word else ())])


def find_case_with_mode(flag: str, words: Sequence[str]) -> str | None:
    """Return the id of the case that a puzzle's name and a flag with its mode mean, or None: `p16 --tiled` is
    `p16:tiled`.
    """
    with single_threaded_blas():
        from harness.catalogue import CASES

    moded = (case for case in CASES if case.mode and case.puzzle in words)
    return next((case.id for case in moded if f"--{case.mode}" == flag), None)
