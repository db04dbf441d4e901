"""Old spellings of commands and flags: accepted for one release, with a note that names the present one."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from harness.model.lines import fold_for_stream

__all__ = ["OLD_COMMANDS", "OLD_FLAGS", "replace_old_words"]

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


def replace_old_words(words: Sequence[str]) -> list[str]:
    """Replace an old command and its old flags in a command line by the present ones; print a note on stderr of each.

    `--require-gpu` of `run` gets a note too, but stays.

    Args:
        words: The command, without which it is a ValueError, and its arguments; it is not changed. What follows `--` is
            a program's own.
    """
    command, *others = words
    if present := OLD_COMMANDS.get(command):
        _print_note(f"puzzles {command}", f"puzzles {present}")
        command = present
    old, parsed = OLD_FLAGS.get(command, {}), _PARSED.get(command, {})
    at = others.index("--") if "--" in others else len(others)
    for place, word in enumerate(others[:at]):
        flag, sign, value = word.partition("=")
        if word in parsed:
            _print_note(word, parsed[word])
        if flag in old:
            _print_note(flag, old[flag])
            others[place] = f"{old[flag]}{sign}{value}"
    return [command, *others]


def _print_note(old: str, new: str) -> None:
    from harness.learning.messages import say  # late: hardly any command needs it

    print(fold_for_stream(say("learn.renamed", old=old, new=new), sys.stderr), file=sys.stderr)
