"""A problem's frame and its marked regions: what a learner fills in, and what is to stay.

A region begins with a line `# FILL ME IN: <hint>` and ends with a line `# END OF FILL ME IN`.
Outside of its regions a problem file equals its solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = ["Change", "blank", "changes", "frame", "regions", "unfilled"]

_REGION = re.compile(
    r"(?P<pad>[ ]*)# FILL ME IN: (?P<hint>[^\n]*)\n(?P<body>.*?)(?P=pad)# END OF FILL ME IN\n", re.DOTALL
)
_FUNCTION = re.compile(r"^(?:def|fn) (\w+)", re.MULTILINE)
_CONSTANT = re.compile(r"^comptime (\w+)[^=\n]*= *(.*?) *(?:#.*)?$", re.MULTILINE)
_EMPTY = ("", "pass", "...")
ALIKE = 0.6  # of two lines from which on one is a changed form of the other


class Change(NamedTuple):
    """A line that is not as it was handed out.

    Attributes:
        line: Its number in the file, from 1; of a line that was taken away, where it stood.
        now: As it is; empty where it was taken away.
        was: As it was handed out; empty where it was added.
    """

    line: int
    now: str
    was: str


def blank(solution: str) -> str:
    """The text of a solution with each region replaced by `pass`: the pristine problem."""
    return _REGION.sub(lambda region: _framed(region, f"{region['pad']}pass\n"), solution)


def frame(text: str) -> str:
    """The text of a file without what stands in its regions."""
    return _REGION.sub(lambda region: _framed(region, ""), text)


def regions(text: str) -> int:
    """How many regions a file has."""
    return len(_REGION.findall(text))


def unfilled(text: str, kernels: Sequence[str]) -> int | None:
    """The first line of a region in some kernels that nobody has filled in, from 1; None if they are filled in.

    Comments fill nothing in.
    """
    for region in _REGION.finditer(text):
        function = _FUNCTION.findall(text[: region.start()])[-1:]
        code = (line.partition("#")[0].strip() for line in region["body"].splitlines())
        if function and function[0] in kernels and all(line in _EMPTY for line in code):
            return text.count("\n", 0, region.start()) + 1
    return None


def changes(text: str, solution: str) -> Iterator[Change]:
    """What was changed outside of the regions, line by line; blank lines do not count.

    A file whose marks are gone holds a kernel from elsewhere, which may stand in a frame of
    its own: of it only the constants are told that have another value.
    """
    if regions(text) != regions(solution):
        yield from _constants(text, solution)
        return
    own, handed_out = _numbered(text), [line for _, line in _numbered(solution)]
    matcher = SequenceMatcher(None, handed_out, [line for _, line in own], autojunk=False)
    for what, first, last, start, end in matcher.get_opcodes():
        if what != "equal":
            here = own[min(start, len(own) - 1)][0] if own else 1
            yield from _paired(handed_out[first:last], own[start:end], here)


def _paired(was: list[str], now: list[tuple[int, str]], here: int) -> Iterator[Change]:
    """Lines that took the place of others, each beside the one that it is most like."""
    left = list(was)
    for number, line in now:
        like = max(left, key=lambda other: SequenceMatcher(None, other, line).ratio(), default="")
        if SequenceMatcher(None, like, line).ratio() < ALIKE:
            like = ""
        else:
            left.remove(like)
        yield Change(number, line.strip(), like.strip())
    yield from (Change(here, "", line.strip()) for line in left)


def _constants(text: str, solution: str) -> Iterator[Change]:
    handed_out = {match[1]: match for match in _CONSTANT.finditer(solution)}
    for match in _CONSTANT.finditer(text):
        was = handed_out.get(match[1])
        if was is not None and was[2] != match[2]:
            yield Change(text.count("\n", 0, match.start()) + 1, match[0].strip(), was[0].strip())


def _numbered(text: str) -> list[tuple[int, str]]:
    """The lines of a file's frame, without blank ones, with their numbers in the file."""
    lines = text.splitlines()
    inside = {
        number
        for region in _REGION.finditer(text)
        for number in range(text.count("\n", 0, region.start("body")), text.count("\n", 0, region.end("body")))
    }
    return [(at + 1, line.rstrip()) for at, line in enumerate(lines) if at not in inside and line.strip()]


def _framed(region: re.Match[str], body: str) -> str:
    pad = region["pad"]
    return f"{pad}# FILL ME IN: {region['hint']}\n{body}{pad}# END OF FILL ME IN\n"
