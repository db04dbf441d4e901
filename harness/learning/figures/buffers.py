"""Figures of memory: how a buffer's cells are combined, and who touches them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.errors import unknown
from harness.learning.figures.figure import Figure, Wish
from harness.learning.figures.moments import short, threads_of
from harness.learning.figures.scene import CHARACTER, Scene, width_of
from harness.learning.replay import Replay, State, Step
from harness.learning.words import Phrases
from harness.simt.observing.columns import LOAD, SETTLED, STORE

__all__ = ["buffer_of", "cells", "owners"]

_HEIGHT, _ROW, _GAP = 24, 58, 4
_EMPTY = "·"


@dataclass(slots=True)
class _Row:
    lines: list[int]
    label: str
    texts: list[str]
    written: set[int]
    links: list[tuple[int, int]]  # from a cell of the row above to one of this row


def cells(replay: Replay, wish: Wish, say: Phrases) -> Figure:
    """The cells of a buffer after each step that writes to it, with a line from each cell that was read.

    Of shared memory those of one block. A row for each line; lines one after the other that only fill are one row.
    """
    data, most = replay.data, wish.number("most", 32)
    number = buffer_of(data, wish.name)
    buffer = data["buffers"][number]
    block = wish.number("block", 0) if buffer["rows"] == "block" else 0
    first, count = block * buffer["cells"], min(buffer["cells"], most)
    rows = _rows(replay, number, range(first, first + count), wish.options.get("label"))
    labels = [_label(row, wish.options.get("label"), say) for row in rows]
    scene = Scene()
    left = 14 + round(max(map(width_of, labels), default=0))
    wide = max(26, 10 + round(CHARACTER * max((len(text) for row in rows for text in row.texts), default=1)))

    def middle(column: int) -> int:
        return left + column * (wide + _GAP) + wide // 2

    for column in range(count):
        scene.text("soft", middle(column), 10, f"[{column}]")
    for at, row in enumerate(rows):
        top = 20 + at * _ROW
        scene.text("left soft", 0, top + 16, labels[at])
        for column, text in enumerate(row.texts):
            scene.box("written" if column in row.written else "held", middle(column) - wide // 2, top, wide, _HEIGHT)
            scene.text("bold" if column in row.written else "", middle(column), top + 16, text)
        for source, target in row.links if at else ():
            ends = (middle(source), top - _ROW + _HEIGHT), (middle(target), top)
            if source == target:
                scene.line("same", *ends)
            else:
                scene.flow(*ends)
    told = "; ".join(f"{label}: {' '.join(row.texts)}" for label, row in zip(labels, rows, strict=True))
    where = say("of_block", block=block) if buffer["rows"] == "block" else ""
    alt = say("alt_cells", name=wish.name, where=where, rows=_shortened(told))
    return Figure(scene.svg(alt), alt, scene.width, len(rows))


def _rows(replay: Replay, number: int, shown: range, variable: str | None) -> list[_Row]:
    names = [entry["name"] for entry in replay.data["variables"]]
    if variable is not None and variable not in names:
        raise unknown("variable", variable, names)
    read: dict[int, list[int]] = {}  # by lane, the cells since its last write
    rows: list[_Row] = []
    for step, state in zip(replay.steps, replay.states(), strict=True):
        written: set[int] = set()
        links: list[tuple[int, int]] = []
        lanes: list[int] = []
        for access in step.accesses:
            if access.buffer != number:
                continue
            if access.kind == SETTLED:  # of atomics
                written |= {cell - shown.start for cell in access.cells.reshape(-1).tolist() if cell in shown}
                continue
            for lane, touched in zip(access.lanes.tolist(), access.cells.tolist(), strict=True):
                places = [cell - shown.start for cell in touched if cell in shown]
                if access.kind == LOAD:
                    read.setdefault(lane, []).extend(places)
                elif places and access.kind == STORE:
                    written.update(places)
                    lanes.append(lane)
                    links += [(source, cell) for cell in places for source in dict.fromkeys(read.pop(lane, []))]
        if not written:
            continue
        held = state.cells[number]
        texts = [short(replay.text(held[cell])) if cell in held else _EMPTY for cell in shown]
        label = "" if variable is None else _value(replay, state, names.index(variable), step, lanes)
        row = _Row([replay.data["lines"][step.line][1]], label, texts, written, links)
        if rows and not links and not rows[-1].links and not row.written & rows[-1].written:
            row.lines, row.written = sorted({*rows[-1].lines, *row.lines}), rows.pop().written | row.written
        rows.append(row)
    return rows


def _value(replay: Replay, state: State, variable: int, step: Step, lanes: list[int]) -> str:
    """What a variable holds in the lanes that write, where it is the same in all."""
    held = state.variables[variable]
    values = {held[lane] for lane in lanes or step.active.tolist() if lane in held}
    return short(replay.text(values.pop())) if len(values) == 1 else ""


def _label(row: _Row, variable: str | None, say: Phrases) -> str:
    if variable and row.label:
        return f"{variable} {row.label}"
    return ", ".join(say("line", line=line) for line in row.lines)


def owners(replay: Replay, wish: Wish, say: Phrases) -> Figure:
    """The cells of a buffer, in rows as its shape has them, and in each who touches it.

    A row whose cells are all one block's says so beside it; else each cell names its block too.
    """
    data = replay.data
    number = buffer_of(data, wish.name)
    buffer, threads = data["buffers"][number], threads_of(data)
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
    rows = [range(first, first + across) for first in range(0, buffer["cells"], inner)][: wish.number("most", 32)]
    scene, told = Scene(), []
    texts, heads, tails = [], [], []
    for at, row in enumerate(rows):
        lanes = [dict.fromkeys(touched.get(cell, ())) for cell in row]
        blocks = {lane // threads for users in lanes for lane in users}
        alone = len(blocks) == 1
        texts.append([_who(users, threads, alone) for users in lanes])
        heads.append(f"[{at}]" if len(rows) > 1 else "")
        tails.append(say("block", block=next(iter(blocks))) if alone else "")
        names = [say("row_n", row=at)] if len(rows) > 1 else []
        told.append(f"{', '.join([*names, *filter(None, tails[-1:])])}: {' '.join(texts[-1])}".removeprefix(": "))
    left = 10 + round(max(map(width_of, heads)))
    wide = max(30, 10 + round(CHARACTER * max(len(text) for row in texts for text in row)))
    for column in range(across):
        scene.text("soft", left + column * (wide + _GAP) + wide // 2, 10, f"[{column}]")
    for at, row_texts in enumerate(texts):
        top = 20 + at * (_HEIGHT + _GAP)
        scene.text("left soft", 0, top + 16, heads[at])
        for column, text in enumerate(row_texts):
            x = left + column * (wide + _GAP)
            scene.box("held" if text == _EMPTY else "run" if kinds == {LOAD} else "written", x, top, wide, _HEIGHT)
            scene.text("", x + wide // 2, top + 16, text)
        scene.text("left soft", left + across * (wide + _GAP) + 8, top + 16, tails[at])
    does = say("reads_it" if kinds == {LOAD} else "writes_it" if LOAD not in kinds else "touches_it")
    note = say("owners_note", does=does)
    scene.text("left soft", left, 20 + len(rows) * (_HEIGHT + _GAP) + 16, note)
    alt = say("alt_owners", name=wish.name, does=does, rows=_shortened("; ".join(told)))
    return Figure(scene.svg(alt), alt, scene.width, len(rows) if touched else 0)


def _who(lanes: Mapping[int, None], threads: int, alone: bool) -> str:
    names = [f"{lane % threads}" if alone else f"{lane // threads}:{lane % threads}" for lane in lanes]
    return _EMPTY if not names else names[0] if len(names) == 1 else f"{names[0]}…{names[-1]}"


def buffer_of(data: Mapping[str, Any], name: str) -> int:
    """Return the number of a buffer by its name, in which a figure writes `-` for a space.

    Raises:
        UsageError: There is no such buffer.
    """
    names = [buffer["name"].replace(" ", "-") for buffer in data["buffers"]]
    if name not in names:
        raise unknown("buffer", name, names)
    return names.index(name)


def _shortened(text: str) -> str:
    return text if len(text) <= 400 else f"{text[:400].rpartition(' ')[0]} …"
