"""Old spellings of commands and flags: accepted for one release, with a note that names the present one."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from harness.model.lines import fold_for_stream

__all__ = ["OLD_COMMANDS", "OLD_FLAGS", "present_name", "replace_old_flags"]

# CHANGELOG.md lists them; the release after the one that lists them drops them.
OLD_COMMANDS: Mapping[str, str] = {"where": "next"}
OLD_FLAGS: Mapping[str, Mapping[str, str]] = {  # by command
    "grade": {"--points": "--assignment", "--seed": "--data-seed"},
    "op": {"--expected": "--expect"},
    "show": {"--output": "--out"},
    "simulate": {"--time-limit": "--launch-seconds"},
}
# Also old, but parsed as they are: a contradiction, `--require-gpu --backend cpu`, is to be refused.
_PARSED: Mapping[str, Mapping[str, str]] = {"run": {"--require-gpu": "--backend max"}}


def present_name(command: str) -> str:
    """Return the present name of a command; print a note on stderr if an old one was given."""
    if command not in OLD_COMMANDS:
        return command
    _print_note(f"puzzles {command}", f"puzzles {OLD_COMMANDS[command]}")
    return OLD_COMMANDS[command]


def replace_old_flags(words: Sequence[str]) -> list[str]:
    """Replace old flags in a command line by the present ones, and print a note on stderr about each.

    `--require-gpu` of `run` gets a note too, but stays.

    Args:
        words: The command and its arguments; it is not changed.
    """
    command, *others = words
    old = OLD_FLAGS.get(command, {})
    replaced = [command]
    for word in others:
        if present := _PARSED.get(command, {}).get(word):
            _print_note(word, present)
        flag, sign, value = word.partition("=")
        if flag in old:
            _print_note(flag, old[flag])
            word = f"{old[flag]}{sign}{value}"
        replaced.append(word)
    return replaced


def _print_note(old: str, new: str) -> None:
    from harness.learning.messages import say  # late: hardly any command needs it

    print(fold_for_stream(say("learn.renamed", old=old, new=new), sys.stderr), file=sys.stderr)
