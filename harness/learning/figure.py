"""Figures of a lesson, drawn from a trace: equal traces give equal bytes.

Time goes down, lanes or cells go across; a line shows whose value went where. Text has the colour of
the page around it, so that a figure fits light and dark ones.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.learning.replay import Replay
from harness.learning.words import Phrases
from harness.simt.observing.columns import LOAD, STORE

__all__ = ["lanes", "memory"]

HEIGHT, ROW, CELL, HEAD, LABEL = 24, 62, 8, 30, 78
CHARACTER = 7.2  # the width of one, in pixels
Link = tuple[int, int]  # from a column of the row above to one of this row


@dataclass(slots=True)
class _Row:
    label: str
    texts: list[str]
    lit: set[int] = field(default_factory=set)
    links: list[Link] = field(default_factory=list)


def lanes(data: Mapping[str, Any], variable: str, say: Phrases, *, block: int = 0, most: int = 32) -> str:
    """How a variable's values pass between lanes: the butterfly.

    Args:
        data: Of the trace.
        variable: Its name; a row for each step that exchanges values and changes it.
        say: The language.
        block: Whose lanes, by its number in the grid.
        most: Lanes that are drawn, from the first.

    Returns:
        SVG.

    Raises:
        ValueError: No variable is called so.
    """
    names = [variable["name"] for variable in data["variables"]]
    if variable not in names:
        raise ValueError(f"no variable {variable!r}: there are {', '.join(names)}")
    number, replay = names.index(variable), Replay(data)
    threads = data["block"][0] * data["block"][1] * data["block"][2]
    count, first = min(threads, most), block * threads
    rows: list[_Row] = []
    for step, state in zip(replay.steps, replay.states(), strict=True):
        changed = any(value.variable == number for value in step.values)
        if not changed or (rows and not step.shuffles):
            continue
        held = state.variables[number]
        texts = [replay.text(held[first + at]) if first + at in held else "" for at in range(count)]
        row = _Row(say("line", line=data["lines"][step.line][1]), texts)
        for shuffle in step.shuffles:
            for lane, source in zip(shuffle.lanes.tolist(), _listed(shuffle.sources), strict=False):
                if 0 <= lane - first < count and 0 <= source - first < count:
                    row.links += [(source - first, lane - first), (lane - first, lane - first)]
                    row.lit.add(lane - first)
        rows.append(row)
    title = f"{data['kernel']}: {variable}"
    return _drawn(title, [str(at) for at in range(count)], rows)


def memory(data: Mapping[str, Any], buffer: str, say: Phrases, *, owner: int = 0, most: int = 32) -> str:
    """How the cells of a buffer are combined: the tree of a sum, the partial sums of a cluster.

    Args:
        data: Of the trace.
        buffer: Its name; a row for each step that writes to it.
        say: The language.
        owner: Of shared memory, the number of the block in the grid.
        most: Cells that are drawn, from the first.

    Returns:
        SVG. A line goes from each cell that a lane has read since it last wrote there to the cell that it writes.

    Raises:
        ValueError: No buffer is called so.
    """
    names = [buffer["name"] for buffer in data["buffers"]]
    if buffer not in names:
        raise ValueError(f"no buffer {buffer!r}: there are {', '.join(names)}")
    number, replay = names.index(buffer), Replay(data)
    cells = data["buffers"][number]["cells"]
    first, count = owner * cells, min(cells, most)
    read: dict[int, list[int]] = {}  # by lane, the cells since its last write
    rows: list[_Row] = []
    for step, state in zip(replay.steps, replay.states(), strict=True):
        lit: set[int] = set()
        links: list[Link] = []
        for access in step.accesses:
            if access.buffer != number or access.kind not in (LOAD, STORE):
                continue
            for lane, touched in zip(access.lanes.tolist(), access.cells.tolist(), strict=True):
                own = [cell - first for cell in touched if 0 <= cell - first < count]
                if access.kind == LOAD:
                    read.setdefault(lane, []).extend(own)
                    continue
                lit.update(own)
                links += [(source, cell) for cell in own for source in dict.fromkeys(read.pop(lane, []))]
        if not lit:
            continue
        held = state.cells[number]
        texts = [replay.text(held[first + at]) if first + at in held else "" for at in range(count)]
        label = say("line", line=data["lines"][step.line][1])
        if rows and rows[-1].label != label and not links and not rows[-1].links:
            rows.pop()  # two branches that fill the same cells
        rows.append(_Row(label, texts, lit, links))
    return _drawn(f"{data['kernel']}: {buffer}", [str(at) for at in range(count)], rows)


def _listed(sources: Any) -> list[int]:
    return [] if sources is None else [int(source) for source in sources]


def _drawn(title: str, heads: Sequence[str], rows: Sequence[_Row]) -> str:
    """The rows below one another, with the lines between them."""
    longest = max((len(text) for row in rows for text in row.texts), default=1)
    wide = max(28, round(CHARACTER * longest) + CELL)
    width, height = LABEL + len(heads) * (wide + 4), HEAD + max(1, len(rows)) * ROW

    def middle(column: int) -> int:
        return LABEL + column * (wide + 4) + wide // 2

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'font-family="ui-monospace, monospace" font-size="12" fill="currentColor">',
        f"<title>{html.escape(title)}</title>",
    ]
    for column, head in enumerate(heads):
        lines.append(f'<text x="{middle(column)}" y="16" text-anchor="middle" opacity="0.7">{html.escape(head)}</text>')
    for number, row in enumerate(rows):
        top = HEAD + number * ROW
        if number:
            for source, target in row.links:
                lines.append(
                    f'<line x1="{middle(source)}" y1="{top - ROW + HEIGHT}" x2="{middle(target)}" y2="{top}" '
                    f'stroke="#0072b2" stroke-width="{1 if source == target else 2}"/>'
                )
        lines.append(f'<text x="0" y="{top + 16}" opacity="0.7">{html.escape(row.label)}</text>')
        for column, text in enumerate(row.texts):
            mark = ' stroke="#0072b2" stroke-width="2"' if column in row.lit else ' stroke="currentColor" opacity="0.4"'
            left = LABEL + column * (wide + 4)
            lines.append(f'<rect x="{left}" y="{top}" width="{wide}" height="{HEIGHT}" rx="4" fill="none"{mark}/>')
            lines.append(f'<text x="{middle(column)}" y="{top + 16}" text-anchor="middle">{html.escape(text)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
