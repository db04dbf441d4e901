"""Add to a race, missed barrier or endless loop the loop or condition in the source that its remedy names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from harness.simt.findings import Finding, SourceLocation
from harness.simt.nesting import LOOPS, common_headers, enclosing_headers, has_loop, headers_from, lines_within

__all__ = ["with_placed_remedy"]

Source = Callable[[str], Sequence[str]]
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_WORDS = ("and", "or", "not", "True", "False", "Int", "UInt")
_BLOCK = ("warp", "block")  # what a barrier of a block orders


def with_placed_remedy(finding: Finding, source: Source) -> Finding:
    """Return a finding whose remedy names the loop or the condition that it is about, if the source shows it.

    Only some races, missed or divergent barriers, endless loops and `check.reason` findings change, by more `values`;
    an endless loop whose condition cannot change also by its site, which becomes the condition's line.

    Args:
        finding: Of a kernel.
        source: Returns the lines of a file, by the name in source locations; none if the file is unknown.
    """
    values: dict[str, Any] = {}
    if finding.kind == "race" and finding.values.get("level") in (*_BLOCK, "step", "statement"):
        values = _place_barrier(finding, source)
    elif finding.kind in ("missed-barrier", "divergent-barrier"):
        values = _place_around_barrier(finding, source)
    elif finding.id == "endless-loop.no-exit":
        return _place_at_condition(finding, source)
    elif finding.id.startswith("check.reason."):
        sites = [(lines, place.line) for place in finding.sites if place.known and (lines := source(place.file))]
        if sites and not any(has_loop(lines, line) for lines, line in sites):
            values = {"around": "lines"}
    return replace(finding, values=finding.values | values) if values else finding


def _place_at_condition(finding: Finding, source: Source) -> Finding:
    """Return an endless loop with its `while` line as first site, and the condition's variables as value `unchanged`.

    The finding is returned as it is if the loop assigns one of the variables, or the source does not show its
    condition.
    """
    place = finding.sites[0]
    lines = source(place.file) if place.known else ()
    loop = next((header for header in headers_from(lines, place.line) if header.word in LOOPS), None)
    if loop is None or loop.word != "while":
        return finding
    names = [name for name in dict.fromkeys(_NAME.findall(loop.text)) if name not in _WORDS and not name.isupper()]
    assigned = re.compile(rf"\b(?:{'|'.join(names)})\s*(?://|\*\*|<<|>>|[-+*/%&|^])?=(?!=)")
    body = [lines[number - 1] for number in lines_within(lines, loop.line)]
    if not names or any(assigned.search(line.partition("#")[0]) for line in body):
        return finding
    header = lines[loop.line - 1]
    site = replace(place, line=loop.line, column=len(header) - len(header.lstrip()) + 1)
    values = {"loop": loop.line, "exit": "unchanged", "ends": "unchanged", "unchanged": _quote(names)}
    return replace(finding, sites=(site, *finding.sites[1:]), values=finding.values | values)


def _quote(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"`{name}`" for name in names)


def _place_barrier(finding: Finding, source: Source) -> dict[str, Any]:
    """Return the message values that say where a barrier between two accesses fits.

    Empty if the two are not in one function, or nothing is to be added. If they race between rounds of a loop, `level`
    is `round`, with the lines of the loop's header (`loop`) and of its `last` access. If the innermost header around
    both is a condition, `level` is `if` or `statement-if`, with the condition's line (`opened`). With that, or for the
    level `statement`, `again` says whether a loop encloses both: `loop` or `none`.
    """
    sites = [place for place in finding.sites[:2] if place.known]
    if len(sites) < 2 or (sites[0].file, sites[0].function) != (sites[1].file, sites[1].function):
        return {}
    (first, second), level = (place.line for place in sites), finding.values["level"]
    headers = common_headers(source(sites[0].file), first, second)
    loop = next((header for header in headers if header.word in LOOPS), None)
    if loop is not None and (level == "step" or (level in _BLOCK and first > second)):
        return {"level": "round", "loop": loop.line, "last": first}
    again = {"again": "loop" if loop else "none"} if headers or source(sites[0].file) else {}
    if headers and headers[0].is_condition and level != "step":
        return {"level": "statement-if" if level == "statement" else "if", "opened": headers[0].line, **again}
    return again if level == "statement" else {}


def _place_around_barrier(finding: Finding, source: Source) -> dict[str, Any]:
    """Return the message values that say how to let all threads reach a barrier that some miss.

    `way` is `return` if threads ended at a `return`, or at a line that is unknown. It is `if` if exactly one barrier
    stands in a condition, with the line of that (`opened`). Otherwise it is `branch` for a missed barrier, `branches`
    if threads wait at two barriers.
    """
    places = [place for place in finding.sites if place.known]
    if finding.id == "missed-barrier.ended" and _end_at_return(places[1:], source):
        return {"way": "return"}
    inner = [
        enclosing_headers(source(place.file), place.line)[:1] for place in places[: 1 if _is_missed(finding) else 2]
    ]
    opened = [headers[0] for headers in inner if headers and headers[0].is_condition]
    if len(opened) == 1:
        return {"way": "if", "opened": opened[0].line}
    return {"way": "branch" if _is_missed(finding) else "branches"}


def _is_missed(finding: Finding) -> bool:
    return finding.kind == "missed-barrier"


def _end_at_return(places: Sequence[SourceLocation], source: Source) -> bool:
    """Return True if any of the lines where threads end has a `return`, or the source shows none of these lines."""
    lines = [source(place.file)[place.line - 1 : place.line] for place in places]
    return any("return" in line for several in lines for line in several) or not any(lines)
