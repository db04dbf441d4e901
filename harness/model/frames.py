"""A problem's frame and its marked regions: what a learner fills in, and what is to stay.

A region begins with a line `# FILL ME IN: <hint>` and ends with a line `# END OF FILL ME IN`.
Outside of its regions a problem file equals its solution. A file that is handed out without a region, because it is
wrong or complete, is the learner's as a whole.

Files may be a stranger's: whatever they hold, reading them takes time in proportion to their length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = [
    "Change",
    "as_handed_out",
    "blank",
    "changes",
    "filled",
    "first_region",
    "frame",
    "in_frame",
    "left_empty",
    "regions",
    "unfilled",
]

_BEGIN, _END = "# FILL ME IN: ", "# END OF FILL ME IN"
_BLANKS = " \t\r"
_FUNCTION = re.compile(r"(?:def|fn|struct) (\w+)\b")
_CONSTANT = re.compile(r"comptime (\w+)\b[^=]*=(.*)")
_EMPTY = ("", "pass", "...")
_INSIDE = ("", *_BLANKS, ")", "]", "#")  # how a line of a function may begin below its first
_QUOTES = re.compile("\"\"\"|'''")
# What stands before a comment: texts, in which `#` is no comment, and all else.
_BEFORE_COMMENT = re.compile(r"""(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^#"'])*""")
ALIKE = 0.6  # of two lines from which on one is a changed form of the other
_MOST_COMPARED, _WIDEST = 40, 400  # lines of one change and characters of a line that are compared, each with each


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


class Filled(NamedTuple):
    """A file whose region holds something.

    Attributes:
        text: The file's.
        line: The line of what its region holds, from 1.
        column: The column of that, from 1.
    """

    text: str
    line: int
    column: int


class _Region(NamedTuple):
    """A marked region: the places of its two marks among the lines of a file, from 0."""

    begin: int
    end: int


def blank(solution: str) -> str:
    """The text of a solution with each region replaced by `pass`: the pristine problem."""
    return _framed(solution, "pass")


def filled(text: str, functions: Sequence[str], body: str) -> Filled | None:
    """A file with a text in the one region that its functions have; None where they have none, or several.

    Args:
        text: The file.
        functions: Whose region is meant.
        body: What it holds then, not indented.
    """
    lines = text.split("\n")
    of_function = _functions(lines)
    own = [region for region in _regions(lines) if of_function[region.begin] in functions]
    if len(own) != 1:
        return None
    mark = lines[own[0].begin]
    pad = mark[: len(mark) - len(mark.lstrip(_BLANKS))]
    inner = [f"{pad}{line}" if line.strip() else line for line in body.split("\n")]
    whole = "\n".join([*lines[: own[0].begin + 1], *inner, *lines[own[0].end :]])
    return Filled(whole, own[0].begin + 2, len(pad) + 1)


def frame(text: str) -> str:
    """The text of a file without what stands in its regions."""
    return _framed(text)


def regions(text: str) -> int:
    """How many regions a file has."""
    return len(_regions(text.split("\n")))


def in_frame(text: str, line: int) -> bool:
    """Whether a line of a file with regions, counted from 1, lies in none of them."""
    found = _regions(text.split("\n"))
    return bool(found) and not any(region.begin < line <= region.end for region in found)


def unfilled(text: str, functions: Sequence[str], handed_out: str) -> int | None:
    """The first line of a region in some functions if nobody has written anything into its function, from 1; else None.

    Comments are nothing, and code counts wherever in its function it stands.

    Args:
        text: The file.
        functions: Their names, and those of structs whose functions are meant.
        handed_out: The file as it was handed out, or its solution.
    """
    return next((own[0] for own, filled in _empty(text, functions, handed_out) if own and not filled), None)


def left_empty(text: str, functions: Sequence[str], handed_out: str) -> int | None:
    """The first line of an empty region in some functions of which another holds something, from 1; else None.

    That may be right: code counts wherever in its function it stands. Arguments as of `unfilled`.
    """
    return next((own[0] for own, filled in _empty(text, functions, handed_out) if own and filled), None)


def _empty(text: str, functions: Sequence[str], handed_out: str) -> Iterator[tuple[list[int], int]]:
    """For each function that was changed in its regions at most, where empty ones begin, and how many are not."""
    lines = text.split("\n")
    of_function = _functions(lines)
    own, theirs = frame(text), frame(handed_out)
    found: dict[str, list[_Region]] = {}
    for region in _regions(lines):
        found.setdefault(of_function[region.begin], []).append(region)
    for name, marked in found.items():
        if name in functions and _code(_function(own, name)) == _code(_function(theirs, name)):
            empty = [region.begin + 1 for region in marked if _is_empty(lines, region)]
            yield empty, len(marked) - len(empty)


def first_region(text: str, functions: Sequence[str]) -> int | None:
    """The first line of the first region in some functions, from 1; None where there are no marks in them.

    Args:
        text: The file.
        functions: Their names, and those of structs whose functions are meant.
    """
    lines = text.split("\n")
    of_function = _functions(lines)
    return next((region.begin + 1 for region in _regions(lines) if of_function[region.begin] in functions), None)


def as_handed_out(text: str, handed_out: str) -> bool:
    """Whether a file differs in comments and blank lines at most from what was handed out.

    Args:
        text: The file.
        handed_out: The file as it was handed out, or its solution.
    """
    lines = text.split("\n")
    empty = all(_is_empty(lines, region) for region in _regions(lines))
    return empty and _code(frame(text).split("\n")) == _code(frame(handed_out).split("\n"))


def changes(text: str, solution: str) -> Iterator[Change]:
    """What was changed outside of the regions, line by line; comments and blank lines do not count.

    A file whose marks are gone holds a kernel from elsewhere, which may stand in a frame of
    its own: of it, and of one that never had marks, only the constants are told that have another value.
    """
    if not regions(solution) or regions(text) != regions(solution):
        yield from _constants(text, solution)
        return
    own, handed_out = _numbered(text), [line for _, line in _numbered(solution)]
    # Of a long file lines that stand in it very often count for nothing (`autojunk`), or each would be compared with
    # each.
    matcher = SequenceMatcher(None, handed_out, [line for _, line in own])
    for what, first, last, start, end in matcher.get_opcodes():
        if what != "equal":
            here = own[min(start, len(own) - 1)][0] if own else 1
            yield from _paired(handed_out[first:last], own[start:end], here)


def _paired(was: list[str], now: list[tuple[int, str]], here: int) -> Iterator[Change]:
    """Lines that took the place of others, each beside the one that it is most like."""
    left = list(was)
    for place, (number, line) in enumerate(now):
        like, most = "", ALIKE
        for other in left if place < _MOST_COMPARED else ():
            ratio = SequenceMatcher(None, other[:_WIDEST], line[:_WIDEST]).ratio()
            if ratio >= most and (ratio > most or not like):
                like, most = other, ratio
        if like:
            left.remove(like)
        yield Change(number, line.strip(), like.strip())
    yield from (Change(here, "", line.strip()) for line in left)


def _constants(text: str, solution: str) -> Iterator[Change]:
    handed_out = {match[1]: match for match in map(_CONSTANT.match, solution.split("\n")) if match}
    for number, line in enumerate(text.split("\n"), start=1):
        match = _CONSTANT.match(line)
        was = handed_out.get(match[1]) if match else None
        if match and was and _value(was) != _value(match):
            yield Change(number, line.strip(), was[0].strip())


def _value(constant: re.Match[str]) -> str:
    return constant[2].partition("#")[0].strip()


def _numbered(text: str) -> list[tuple[int, str]]:
    """The lines of a file's frame that count, and the marks, with their numbers in the file."""
    lines = text.split("\n")
    inside = {at for region in _regions(lines) for at in range(region.begin + 1, region.end)}
    return [
        (at + 1, _without_comment(line).rstrip())
        for at, line in enumerate(lines)
        if at not in inside and (_counts(line) or _is_mark(line))
    ]


def _regions(lines: Sequence[str]) -> list[_Region]:
    found: list[_Region] = []
    begin = None
    for at, line in enumerate(lines):
        words = line.strip(_BLANKS)
        if begin is None and words.startswith(_BEGIN):
            begin = at
        elif begin is not None and words == _END:
            found.append(_Region(begin, at))
            begin = None
    return found


def _is_empty(lines: Sequence[str], region: _Region) -> bool:
    body = lines[region.begin + 1 : region.end]
    return all(line.partition("#")[0].strip(_BLANKS) in _EMPTY for line in body)


def _functions(lines: Sequence[str]) -> list[str]:
    """For each line the name of the last function or struct that begins above it; empty where there is none."""
    names, name = [], ""
    for line in lines:
        names.append(name)
        if match := _FUNCTION.match(line):
            name = match[1]
    return names


def _function(text: str, name: str) -> list[str]:
    """The lines of a function or a struct, up to the next that is none of it."""
    lines = text.split("\n")
    begins = (at for at, line in enumerate(lines) if (match := _FUNCTION.match(line)) and match[1] == name)
    if (begin := next(begins, None)) is None:
        return []
    ends = (at for at in range(begin + 1, len(lines)) if lines[at][:1] not in _INSIDE)
    return lines[begin : next(ends, len(lines))]


def _code(lines: Sequence[str]) -> list[str]:
    """The lines that count, without what is blank at their ends."""
    return [_without_comment(line) for line in lines if _counts(line)]


def _without_comment(line: str) -> str:
    """Return a line without the comment behind its code; a mark, or what may close a text from above, stays whole."""
    if _QUOTES.search(line) or _is_mark(line):
        return line.rstrip(_BLANKS)
    match = _BEFORE_COMMENT.match(line)
    assert match  # it matches nothing if need be
    code = line[: match.end()] if line[match.end() : match.end() + 1] == "#" else line
    return code.rstrip(_BLANKS)


def _counts(line: str) -> bool:
    """Whether a line is neither blank nor a comment alone; what looks like one may close a string from above."""
    words = line.strip(_BLANKS)
    return bool(words) and (words[0] != "#" or _QUOTES.search(words) is not None)


def _is_mark(line: str) -> bool:
    words = line.strip(_BLANKS)
    return words.startswith(_BEGIN) or words == _END


def _framed(text: str, *body: str) -> str:
    """A text with these lines, indented, in the place of what stands in each region."""
    lines, out, at = text.split("\n"), list[str](), 0
    for region in _regions(lines):
        mark = lines[region.begin]
        pad = mark[: len(mark) - len(mark.lstrip(_BLANKS))]
        out += [*lines[at : region.begin + 1], *(f"{pad}{line}" for line in body)]
        at = region.end
    return "\n".join([*out, *lines[at:]])
