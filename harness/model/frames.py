"""Blank or fill a problem's FILL ME IN regions, find empty ones, and find changes in the code outside of them.

A region begins with a line `# FILL ME IN: <hint>` and ends with a line `# END OF FILL ME IN`. Outside of its regions a
problem equals its solution. A file without regions, because it is wrong or complete, may be changed everywhere.

Files are not trusted: reading them takes time in proportion to their length, whatever they contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

__all__ = [
    "Change",
    "blank_regions",
    "count_regions",
    "extract_frame",
    "fill_region",
    "find_changes",
    "find_first_region",
    "find_left_empty",
    "find_unfilled",
    "is_in_frame",
    "is_untouched",
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
    """A line that differs from the original.

    Attributes:
        line: Its number in the file, from 1; for a deleted line, where it stood.
        now: The line; empty if it was deleted.
        was: The original line; empty if it was added.
    """

    line: int
    now: str
    was: str


class FilledFile(NamedTuple):
    """A file with a filled region.

    Attributes:
        text: The file's text.
        line: The line of the region's content, from 1.
        column: The column of the content, from 1.
    """

    text: str
    line: int
    column: int


class _Region(NamedTuple):
    """A marked region, by the indices of its two mark lines, from 0."""

    begin: int
    end: int


def blank_regions(solution: str) -> str:
    """Return a solution's text with each region replaced by `pass`: the original problem."""
    return _replace_regions(solution, "pass")


def fill_region(text: str, functions: Sequence[str], body: str) -> FilledFile | None:
    """Put a text into the one region of some functions; None if they have no region, or several.

    Args:
        text: The file's text.
        functions: The functions whose region is filled.
        body: The region's content, not indented; it replaces what is there, indented as the mark.
    """
    lines = text.split("\n")
    function_of_line = _functions_by_line(lines)
    candidates = [region for region in _find_regions(lines) if function_of_line[region.begin] in functions]
    if len(candidates) != 1:
        return None
    mark = lines[candidates[0].begin]
    pad = mark[: len(mark) - len(mark.lstrip(_BLANKS))]
    inner = [f"{pad}{line}" if line.strip() else line for line in body.split("\n")]
    complete = "\n".join([*lines[: candidates[0].begin + 1], *inner, *lines[candidates[0].end :]])
    return FilledFile(complete, candidates[0].begin + 2, len(pad) + 1)


def extract_frame(text: str) -> str:
    """Return a file's text without the content of its regions; their marks stay."""
    return _replace_regions(text)


def count_regions(text: str) -> int:
    """Return the number of regions in a file."""
    return len(_find_regions(text.split("\n")))


def is_in_frame(text: str, line: int) -> bool:
    """Return whether a file has regions and a line (from 1) is outside of them; an end mark is, a begin mark is not."""
    marked = _find_regions(text.split("\n"))
    return bool(marked) and not any(region.begin < line <= region.end for region in marked)


def find_unfilled(text: str, functions: Sequence[str], original: str) -> int | None:
    """Return the mark's line, from 1, of the first empty region in functions that nobody has filled in; None if there
    is none.

    A function counts as filled in if one of its regions has code, or if code elsewhere in it was changed. Comments,
    `pass` and `...` are no code of a region.

    Args:
        text: The file's text.
        functions: The names of functions, or of structs that contain them.
        original: The original text, or its solution.
    """
    return next(
        (
            empty_lines[0]
            for empty_lines, filled_count in _find_empty(text, functions, original)
            if empty_lines and not filled_count
        ),
        None,
    )


def find_left_empty(text: str, functions: Sequence[str], original: str) -> int | None:
    """Return the mark's line, from 1, of the first empty region in a function that has a filled one too; else None.

    Only functions that are unchanged outside of their regions count. The arguments are those of `find_unfilled`.
    """
    return next(
        (
            empty_lines[0]
            for empty_lines, filled_count in _find_empty(text, functions, original)
            if empty_lines and filled_count
        ),
        None,
    )


def _find_empty(text: str, functions: Sequence[str], original: str) -> Iterator[tuple[list[int], int]]:
    """Yield, for each of `functions` with regions that is unchanged outside of them, in the file's order, the lines of
    the begin marks, from 1, of its empty regions, and how many of its regions are filled.
    """
    lines = text.split("\n")
    of_function = _functions_by_line(lines)
    own_frame, theirs = extract_frame(text), extract_frame(original)
    regions_by_function: dict[str, list[_Region]] = {}
    for region in _find_regions(lines):
        regions_by_function.setdefault(of_function[region.begin], []).append(region)
    for name, marked in regions_by_function.items():
        if name in functions and _code_lines(_function_lines(own_frame, name)) == _code_lines(
            _function_lines(theirs, name)
        ):
            empty = [region.begin + 1 for region in marked if _is_empty(lines, region)]
            yield empty, len(marked) - len(empty)


def find_first_region(text: str, functions: Sequence[str]) -> int | None:
    """Return the begin mark's line, from 1, of a file's first region that lies in any of these functions or structs."""
    lines = text.split("\n")
    of_function = _functions_by_line(lines)
    return next((region.begin + 1 for region in _find_regions(lines) if of_function[region.begin] in functions), None)


def is_untouched(text: str, original: str) -> bool:
    """Return whether all regions are empty and other code, comments aside, is that of `original`, or its solution."""
    lines = text.split("\n")
    empty = all(_is_empty(lines, region) for region in _find_regions(lines))
    return empty and _code_lines(extract_frame(text).split("\n")) == _code_lines(extract_frame(original).split("\n"))


def find_changes(text: str, solution: str) -> Iterator[Change]:
    """Yield the changes outside of the regions, line by line; comments and blank lines do not count.

    If the solution has no regions, or the file another number of them, only top-level constants with another value are
    reported: such a file may have a frame of its own.
    """
    if not count_regions(solution) or count_regions(text) != count_regions(solution):
        yield from _find_changed_constants(text, solution)
        return
    numbered, original = _number_frame_lines(text), [line for _, line in _number_frame_lines(solution)]
    # Of a long file lines that stand in it very often count for nothing (`autojunk`), or each would be compared with
    # each.
    matcher = SequenceMatcher(None, original, [line for _, line in numbered])
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag != "equal":
            line_number = numbered[min(start, len(numbered) - 1)][0] if numbered else 1
            yield from _pair_lines(original[first:last], numbered[start:end], line_number)


def _pair_lines(was: list[str], now: list[tuple[int, str]], line_number: int) -> Iterator[Change]:
    """Yield each of `now` as a change of the original left that is most like it, to at least 60 %, else as added
    (always from the 41st on). Then yield the originals that are left, as deleted at `line_number`.
    """
    remaining = list(was)
    for place, (number, line) in enumerate(now):
        closest, most = "", ALIKE
        for other in remaining if place < _MOST_COMPARED else ():
            ratio = SequenceMatcher(None, other[:_WIDEST], line[:_WIDEST]).ratio()
            if ratio >= most and (ratio > most or not closest):
                closest, most = other, ratio
        if closest:
            remaining.remove(closest)
        yield Change(number, line.strip(), closest.strip())
    yield from (Change(line_number, "", line.strip()) for line in remaining)


def _find_changed_constants(text: str, solution: str) -> Iterator[Change]:
    originals = {match[1]: match for match in map(_CONSTANT.match, solution.split("\n")) if match}
    for number, line in enumerate(text.split("\n"), start=1):
        match = _CONSTANT.match(line)
        was = originals.get(match[1]) if match else None
        if match and was and _constant_value(was) != _constant_value(match):
            yield Change(number, line.strip(), was[0].strip())


def _constant_value(constant: re.Match[str]) -> str:
    return constant[2].partition("#")[0].strip()


def _number_frame_lines(text: str) -> list[tuple[int, str]]:
    """Return the code lines, without comments, and marks of a file's frame, with their numbers in the file, from 1."""
    lines = text.split("\n")
    inside = {at for region in _find_regions(lines) for at in range(region.begin + 1, region.end)}
    return [
        (at + 1, _strip_comment(line).rstrip())
        for at, line in enumerate(lines)
        if at not in inside and (_has_code(line) or _is_mark(line))
    ]


def _find_regions(lines: Sequence[str]) -> list[_Region]:
    result: list[_Region] = []
    begin = None
    for at, line in enumerate(lines):
        words = line.strip(_BLANKS)
        if begin is None and words.startswith(_BEGIN):
            begin = at
        elif begin is not None and words == _END:
            result.append(_Region(begin, at))
            begin = None
    return result


def _is_empty(lines: Sequence[str], region: _Region) -> bool:
    body = lines[region.begin + 1 : region.end]
    return all(line.partition("#")[0].strip(_BLANKS) in _EMPTY for line in body)


def _functions_by_line(lines: Sequence[str]) -> list[str]:
    """Return, for each line, the last top-level function or struct that begins on an earlier line, or an empty text."""
    names, name = [], ""
    for line in lines:
        names.append(name)
        if match := _FUNCTION.match(line):
            name = match[1]
    return names


def _function_lines(text: str, name: str) -> list[str]:
    """Return the lines of a top-level function or struct, up to other code that is not indented; empty if missing."""
    lines = text.split("\n")
    begins = (at for at, line in enumerate(lines) if (match := _FUNCTION.match(line)) and match[1] == name)
    if (begin := next(begins, None)) is None:
        return []
    ends = (at for at in range(begin + 1, len(lines)) if lines[at][:1] not in _INSIDE)
    return lines[begin : next(ends, len(lines))]


def _code_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines with code, without comments and trailing blanks."""
    return [_strip_comment(line) for line in lines if _has_code(line)]


def _strip_comment(line: str) -> str:
    """Return a line without trailing blanks and comment; a mark, or a line with triple quotes, keeps its comment."""
    if _QUOTES.search(line) or _is_mark(line):
        return line.rstrip(_BLANKS)
    match = _BEFORE_COMMENT.match(line)
    assert match  # it matches nothing if need be
    code = line[: match.end()] if line[match.end() : match.end() + 1] == "#" else line
    return code.rstrip(_BLANKS)


def _has_code(line: str) -> bool:
    """Return whether a line is neither blank nor a comment; one with triple quotes is code: it may close a string."""
    words = line.strip(_BLANKS)
    return bool(words) and (words[0] != "#" or _QUOTES.search(words) is not None)


def _is_mark(line: str) -> bool:
    words = line.strip(_BLANKS)
    return words.startswith(_BEGIN) or words == _END


def _replace_regions(text: str, *body: str) -> str:
    """Replace the content of each region by some lines, indented like its mark, or by none; the marks stay."""
    lines, out, at = text.split("\n"), list[str](), 0
    for region in _find_regions(lines):
        mark = lines[region.begin]
        pad = mark[: len(mark) - len(mark.lstrip(_BLANKS))]
        out += [*lines[at : region.begin + 1], *(f"{pad}{line}" for line in body)]
        at = region.end
    return "\n".join([*out, *lines[at:]])
