"""Draw a buffer: `cells` (its content after each step that writes it), `owners` (threads that access each cell)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.errors import unknown_name
from harness.learning.figures.figure import Figure, FigureRequest
from harness.learning.figures.moments import shorten_number, threads_per_block
from harness.learning.figures.scene import CHARACTER, Scene, text_width
from harness.learning.replay import DecodedTrace, RecordedState, Step
from harness.learning.words import Phrases
from harness.simt.observing.columns import LOAD, SETTLED, STORE

__all__ = ["buffer_of", "draw_cells", "draw_owners"]

_HEIGHT, _ROW, _GAP = 24, 58, 4
_EMPTY = "·"


@dataclass(slots=True)
class _Row:
    lines: list[int]
    label: str
    texts: list[str]
    written: set[int]
    links: list[tuple[int, int]]  # from a cell of the row above to one of this row


def draw_cells(replay: DecodedTrace, wish: FigureRequest, say: Phrases) -> Figure:
    """Draw a row of a buffer's cells after each step that writes to it; the content before the first write is left out.

    Each row shows all cells, `·` where the content is unknown. Lines lead to a written cell from the cells of the row
    above that its lane read since its last write. Successive steps that write different cells, without having read any,
    share a row. The option `label` names a variable: its value labels a row if the lanes agree on it, otherwise the
    source lines do. At most the first `most` (32) cells are shown; of shared memory, those of block `block` (0).
    `row_count` is 0 if none of these cells is written.

    Raises:
        UsageError: The trace has no such buffer, or not the variable that labels the rows.
    """
    data, most = replay.data, wish.number("most", 32)
    number = buffer_of(data, wish.name)
    buffer = data["buffers"][number]
    block = wish.number("block", 0) if buffer["rows"] == "block" else 0
    first, count = block * buffer["cells"], min(buffer["cells"], most)
    table = _collect_rows(replay, number, range(first, first + count), wish.options.get("label"))
    labels = [_label_row(row, wish.options.get("label"), say) for row in table]
    scene = Scene()
    x_start = 14 + round(max(map(text_width, labels), default=0))
    box_width = max(26, 10 + round(CHARACTER * max((len(text) for row in table for text in row.texts), default=1)))

    def middle(column: int) -> int:
        return x_start + column * (box_width + _GAP) + box_width // 2

    for column in range(count):
        scene.add_text("soft", middle(column), 10, f"[{column}]")
    for at, row in enumerate(table):
        top = 20 + at * _ROW
        scene.add_text("left soft", 0, top + 16, labels[at])
        for column, text in enumerate(row.texts):
            scene.add_box(
                "written" if column in row.written else "held", middle(column) - box_width // 2, top, box_width, _HEIGHT
            )
            scene.add_text("bold" if column in row.written else "", middle(column), top + 16, text)
        for source, target in row.links if at else ():
            ends = (middle(source), top - _ROW + _HEIGHT), (middle(target), top)
            if source == target:
                scene.add_line("same", *ends)
            else:
                scene.add_flow(*ends)
    description = "; ".join(f"{label}: {' '.join(row.texts)}" for label, row in zip(labels, table, strict=True))
    where = say("of_block", block=block) if buffer["rows"] == "block" else ""
    alt = say("alt_cells", name=wish.name, where=where, rows=_shorten(description))
    return Figure(scene.render_svg(alt), alt, scene.width, len(table))


def _collect_rows(replay: DecodedTrace, number: int, visible: range, variable: str | None) -> list[_Row]:
    names = [entry["name"] for entry in replay.data["variables"]]
    if variable is not None and variable not in names:
        raise unknown_name("variable", variable, names)
    read: dict[int, list[int]] = {}  # by lane, the cells since its last write
    table: list[_Row] = []
    for step, state in zip(replay.steps, replay.states(), strict=True):
        written: set[int] = set()
        links: list[tuple[int, int]] = []
        lanes: list[int] = []
        for access in step.accesses:
            if access.buffer != number:
                continue
            if access.kind == SETTLED:  # of atomics
                written |= {cell - visible.start for cell in access.cells.reshape(-1).tolist() if cell in visible}
                continue
            for lane, touched in zip(access.lanes.tolist(), access.cells.tolist(), strict=True):
                indices = [cell - visible.start for cell in touched if cell in visible]
                if access.kind == LOAD:
                    read.setdefault(lane, []).extend(indices)
                elif indices and access.kind == STORE:
                    written.update(indices)
                    lanes.append(lane)
                    links += [(source, cell) for cell in indices for source in dict.fromkeys(read.pop(lane, []))]
        if not written:
            continue
        texts_by_cell = state.cells[number]
        texts = [
            shorten_number(replay.text(texts_by_cell[cell])) if cell in texts_by_cell else _EMPTY for cell in visible
        ]
        label = "" if variable is None else _common_value(replay, state, names.index(variable), step, lanes)
        row = _Row([replay.data["lines"][step.line][1]], label, texts, written, links)
        if table and not links and not table[-1].links and not row.written & table[-1].written:
            row.lines, row.written = sorted({*table[-1].lines, *row.lines}), table.pop().written | row.written
        table.append(row)
    return table


def _common_value(replay: DecodedTrace, state: RecordedState, variable: int, step: Step, lanes: list[int]) -> str:
    """Return the text of a variable's value if all lanes that have one agree; else, or if no lane has one, "".

    `variable` is an index in the trace. An empty `lanes` means all lanes that run the step.
    """
    texts_by_lane = state.variables[variable]
    values = {texts_by_lane[lane] for lane in lanes or step.active.tolist() if lane in texts_by_lane}
    return shorten_number(replay.text(values.pop())) if len(values) == 1 else ""


def _label_row(row: _Row, variable: str | None, say: Phrases) -> str:
    if variable and row.label:
        return f"{variable} {row.label}"
    return ", ".join(say("line", line=line) for line in row.lines)


def draw_owners(replay: DecodedTrace, wish: FigureRequest, say: Phrases) -> Figure:
    """Draw a buffer's cells in the rows of its shape, each with the first and the last of the threads that access it.

    Threads are ordered by their first access, a read or a write, of the cell; `·` is a cell without any. If only one
    block accesses a row, its number stands beside the row; otherwise threads are written `block:thread`. Of shared
    memory only block 0's cells are drawn.

    It shows at most `most` (32) rows and columns. `row_count` is 0 if no thread accesses the buffer.

    Raises:
        UsageError: The trace has no such buffer.
    """
    data = replay.data
    number = buffer_of(data, wish.name)
    buffer, threads = data["buffers"][number], threads_per_block(data)
    touched: dict[int, list[int]] = {}
    kinds = set()
    for step in replay.steps:
        for access in step.accesses:
            if access.buffer == number and access.kind != SETTLED:
                kinds.add(access.kind)
                for lane, places in zip(access.lanes.tolist(), access.cells.tolist(), strict=True):
                    for cell in places:
                        touched.setdefault(cell, []).append(lane)
    across = min(buffer["shape"][-1] if len(buffer["shape"]) > 1 else buffer["cells"], wish.number("most", 32))
    inner = buffer["shape"][-1] if len(buffer["shape"]) > 1 else buffer["cells"]
    cell_rows = [range(first, first + across) for first in range(0, buffer["cells"], inner)][: wish.number("most", 32)]
    scene, descriptions = Scene(), []
    texts, heads, tails = [], [], []
    for at, row in enumerate(cell_rows):
        lanes = [dict.fromkeys(touched.get(cell, ())) for cell in row]
        blocks = {lane // threads for users in lanes for lane in users}
        is_one_block = len(blocks) == 1
        texts.append([_format_users(users, threads, is_one_block) for users in lanes])
        heads.append(f"[{at}]" if len(cell_rows) > 1 else "")
        tails.append(say("block", block=next(iter(blocks))) if is_one_block else "")
        names = [say("row_n", row=at)] if len(cell_rows) > 1 else []
        descriptions.append(
            f"{', '.join([*names, *filter(None, tails[-1:])])}: {' '.join(texts[-1])}".removeprefix(": ")
        )
    x_start = 10 + round(max(map(text_width, heads)))
    box_width = max(30, 10 + round(CHARACTER * max(len(text) for row in texts for text in row)))
    for column in range(across):
        scene.add_text("soft", x_start + column * (box_width + _GAP) + box_width // 2, 10, f"[{column}]")
    for at, row_texts in enumerate(texts):
        top = 20 + at * (_HEIGHT + _GAP)
        scene.add_text("left soft", 0, top + 16, heads[at])
        for column, text in enumerate(row_texts):
            x = x_start + column * (box_width + _GAP)
            scene.add_box(
                "held" if text == _EMPTY else "run" if kinds == {LOAD} else "written", x, top, box_width, _HEIGHT
            )
            scene.add_text("", x + box_width // 2, top + 16, text)
        scene.add_text("left soft", x_start + across * (box_width + _GAP) + 8, top + 16, tails[at])
    does = say("reads_it" if kinds == {LOAD} else "writes_it" if LOAD not in kinds else "touches_it")
    note = say("owners_note", does=does)
    scene.add_text("left soft", x_start, 20 + len(cell_rows) * (_HEIGHT + _GAP) + 16, note)
    alt = say("alt_owners", name=wish.name, does=does, rows=_shorten("; ".join(descriptions)))
    return Figure(scene.render_svg(alt), alt, scene.width, len(cell_rows) if touched else 0)


def _format_users(lanes: Mapping[int, None], threads: int, alone: bool) -> str:
    names = [f"{lane % threads}" if alone else f"{lane // threads}:{lane % threads}" for lane in lanes]
    return _EMPTY if not names else names[0] if len(names) == 1 else f"{names[0]}…{names[-1]}"


def buffer_of(data: Mapping[str, Any], name: str) -> int:
    """Return the index of the first buffer with a name, in which a figure writes `-` for a space.

    Raises:
        UsageError: There is no such buffer.
    """
    names = [buffer["name"].replace(" ", "-") for buffer in data["buffers"]]
    if name not in names:
        raise unknown_name("buffer", name, names)
    return names.index(name)


def _shorten(text: str) -> str:
    return text if len(text) <= 400 else f"{text[:400].rpartition(' ')[0]} …"
