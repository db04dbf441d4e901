"""Choose the `if` that an access outside an array lacks, from the source's conditions and the threads' elements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from harness.model.case import Case, Instance
from harness.simt.findings import Finding, Who
from harness.simt.nesting import Header, enclosing_headers

__all__ = ["choose_guard", "has_element", "list_threads_beyond"]

_NUMBER_FIRST = re.compile(r"(?<![\w.])\d+\s*<=")  # such as `0 <= i`, which lets nobody pass at the end
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_MOST_BEYOND = 2048  # threads beyond a result; each is compared with every lane that comes to a line


def choose_guard(finding: Finding, case: Case, instance: Instance, lines: Sequence[str]) -> dict[str, Any]:
    """Return the parameters of the remedy where threads come to an access that they must not make; always with `fix`.

    `fix` is the kind of guard:

    - `guard-before` or `guard-after`, if each of the threads has an element of the result: only its neighbour does not
      exist. `written` is the index as the source has it, `thread` the first thread; before the array also `condition`,
      what the `if` around the access must ask for. If a condition there is to be changed, `-line` is appended.
    - Otherwise `guard` if no condition encloses the access, `guard-equal` if one with `<=` does, else `guard-line`.
      Only `guard` and `guard-line` get `-each` appended, if a grid or block has a y axis.

    `guard` is the line number of the condition that is to be changed; missing if there is none.

    Args:
        finding: Of accesses outside of an array.
        case: The case that was run.
        instance: The case at the width of its warps.
        lines: The lines of the kernel's file.
    """
    place = finding.sites[0]
    conditions = [header for header in enclosing_headers(lines, place.line) if header.word in ("if", "elif")]
    if neighbour := _guard_neighbour(finding, case, instance, lines, conditions):
        return neighbour
    wide = any(
        extents[1] > 1
        for step in case.steps
        for launch in step.geometries(instance.width)
        for extents in (launch.grid, launch.block)
    )
    if not conditions:
        return {"fix": "guard-each" if wide else "guard"}
    equal = [header for header in conditions if "<=" in _NUMBER_FIRST.sub("", header.text)]
    kind = "equal" if equal else "line-each" if wide else "line"
    return {"fix": f"guard-{kind}", "guard": (equal or conditions)[0].line}


def has_element(who: Who, case: Case, instance: Instance) -> bool | None:
    """Return whether a thread of the last launch has an element of the first result; None if that is not known.

    Counted in the grid, thread x has element x of a vector, thread (x, y) element [y, x] of a matrix, if there are
    enough threads along each axis. Of a vector with an element for each block, the first thread of a block has it.
    """
    launches = case.steps[-1].geometries(instance.width)
    if not launches or not instance.results:
        return None
    grid, block, shape = launches[-1].grid, launches[-1].block, instance.results[0].indexed_shape
    counts = [blocks * threads for blocks, threads in zip(grid, block, strict=True)]
    numbers = [at * threads + own for at, threads, own in zip(who.block, block, who.thread, strict=True)]
    if len(shape) == 1 and counts[1:] == [1, 1]:
        if shape[0] == grid[0] > 1:
            return who.thread[0] == 0
        return numbers[0] < shape[0] if counts[0] >= shape[0] else None
    if len(shape) == 2 and counts[2] == 1 and counts[0] >= shape[1] and counts[1] >= shape[0]:
        return numbers[0] < shape[1] and numbers[1] < shape[0]
    return None


def list_threads_beyond(case: Case, instance: Instance) -> list[Who]:
    """Return the threads of the last launch that have no element of the first result; empty if that is not known, or if
    the launch has over 4096 threads or over 2048 of them have none.
    """
    launches = case.steps[-1].geometries(instance.width)
    if not launches:
        return []
    grid, block = launches[-1].grid, launches[-1].block
    blocks, threads = grid[0] * grid[1] * grid[2], block[0] * block[1] * block[2]
    if blocks * threads > 2 * _MOST_BEYOND:
        return []
    every = [Who.numbered(at, thread, grid, block, instance.width) for at in range(blocks) for thread in range(threads)]
    beyond = [who for who in every if has_element(who, case, instance) is False]
    return beyond if len(beyond) <= _MOST_BEYOND else []


def _guard_neighbour(
    finding: Finding, case: Case, instance: Instance, lines: Sequence[str], conditions: Sequence[Header]
) -> dict[str, Any]:
    """Return the parameters of `guard-before` or `guard-after` (see `choose_guard`) if the access is a load at an index
    in the source, and each of its threads has an element of the result; else {}.
    """
    place = finding.sites[0]
    if finding.values.get("access") != "load" or not finding.who or not 0 < place.line <= len(lines):
        return {}
    written = _find_varied_index(lines[place.line - 1][place.column - 1 :])
    if not written or not all(has_element(who, case, instance) for who in finding.who):
        return {}
    results = {tensor.name for tensor in instance.results}
    own = _find_condition_of(written, conditions, lines, results)
    values: dict[str, Any] = {
        "fix": "guard-after",
        "written": written,
        "thread": "({},{},{})".format(*finding.who[0].thread),
    }
    if finding.id == "out-of-bounds.before":
        values |= {"fix": "guard-before", "condition": _keep_from_negative(written)}
    return values | ({"fix": f"{values['fix']}-line", "guard": own.line} if own else {})


def _find_varied_index(text: str) -> str:
    """Return the index at the start of a text, such as `i - 1` of `[i - 1] + b`; empty if there is none.

    Of several indices, the only one with `+` or `-` is returned; empty if none or several have such a sign. It is empty
    too if the bracket is not closed.
    """
    if not text.startswith("["):
        return ""
    indices, depth, start = [], 0, 1
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 or (depth == 1 and character == ","):
            indices.append(text[start:at].strip())
            start = at + 1
        if depth == 0:
            break
    else:
        return ""  # it ends on another line
    varied = [each for each in indices if re.search(r"[-+]", each)]
    return indices[0] if len(indices) == 1 else varied[0] if len(varied) == 1 else ""


def _keep_from_negative(written: str) -> str:
    """Return the condition under which an index is not negative: `i >= 1` for `i - 1`, `i + j >= 0` for `i + j`.

    A difference is avoided, since an unsigned one is never below 0.
    """
    depth, last = 0, -1
    for at, character in enumerate(written):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and character in "+-" and written[:at].strip():
            last = at
    if last > 0 and written[last] == "-":
        return f"{written[:last].strip()} >= {written[last + 1 :].strip()}"
    return f"{written} >= 0"


def _find_condition_of(
    written: str, conditions: Sequence[Header], lines: Sequence[str], results: set[str]
) -> Header | None:
    """Return the first condition (they come innermost first) with a variable of an index. None if there is none, or if
    that condition encloses a result's store.
    """
    names = set(_NAME.findall(written))
    store = re.compile(rf"^\s*(?:{'|'.join(map(re.escape, sorted(results)))})(?:\[.*\]\s*[-+*/]?=(?!=)|\.store\b)")
    stores = [number for number, line in enumerate(lines, 1) if store.match(line)]
    for header in conditions:
        if not names.isdisjoint(_NAME.findall(header.text)):
            enclosed = (header in enclosing_headers(lines, number) for number in stores)
            return None if any(enclosed) else header
    return None
