"""Draw a warp's first requests for a buffer: `sectors` of global memory, shared memory `banks`, matrix `fragment`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np

from harness.errors import UsageError
from harness.learning.figures.buffers import buffer_of
from harness.learning.figures.figure import Figure, FigureRequest
from harness.learning.figures.scene import Scene
from harness.learning.replay import DecodedTrace, RecordedAccess
from harness.learning.words import Phrases
from harness.simt.observing.columns import LOAD, SETTLED

__all__ = ["banks", "fragment", "sectors"]

_SECTOR = 32  # bytes
_BANKS, _WORD = 32, 4  # of shared memory, and the bytes of a word
_CELL, _HIGH, _GAP = 13, 18, 8
_ACROSS = 4  # sectors in a row


def sectors(replay: DecodedTrace, wish: FigureRequest, say: Phrases) -> Figure:
    """Draw the sectors that the first requests of a warp for a buffer touch, with the lane that wants each element.

    It shows the first `most` (1) requests of the first warp of block `block` (0). The option `line` restricts them to a
    line of the source (0 for any). `row_count` is the number of requests drawn.

    Raises:
        UsageError: The trace has no such buffer.
    """
    number = buffer_of(replay.data, wish.name)
    size = np.dtype(replay.data["buffers"][number]["dtype"]).itemsize
    per = _SECTOR // size
    scene, bottom, headings = Scene(), 0, []
    for line, access in islice(_requests(replay, number, wish), wish.number("most", 1)):
        lanes = dict(_list_cells(replay, access, wish))
        touched = sorted({cell // per for cell in lanes})
        head = say("sectors_head", line=line, count=len(touched), used=len(lanes) * size, bytes=len(touched) * _SECTOR)
        scene.add_text("left bold", 0, bottom + 10, head)
        headings.append(head)
        bottom += 18
        for at, sector in enumerate(touched):
            left, top = at % _ACROSS * (per * _CELL + _GAP), bottom + at // _ACROSS * (_HIGH + 20)
            scene.add_text("left soft small", left, top + 10, f"[{sector * per}]")
            for place in range(per):
                lane = lanes.get(sector * per + place)
                style = "idle" if lane is None else "run" if access.kind == LOAD else "written"
                scene.add_box(style, left + place * _CELL, top + 14, _CELL, _HIGH)
                if lane is not None:
                    scene.add_text("small", left + place * _CELL + _CELL // 2, top + 27, str(lane))
        bottom += -(-len(touched) // _ACROSS) * (_HIGH + 20) + 12
    scene.add_note(bottom + 8, say("sectors_note"))
    alt = say("alt_sectors", name=wish.name, rows="; ".join(headings))
    return Figure(scene.render_svg(alt), alt, scene.width, len(headings))


def banks(replay: DecodedTrace, wish: FigureRequest, say: Phrases) -> Figure:
    """Draw the words of shared memory that a warp's first request wants, below their banks, with the lane of each.

    The warp is the first of block `block` (0); the option `line` restricts its requests to a line of the source. An
    element is drawn as a word of 4 bytes, whatever its type. `row_count` is the number of rows of 32 words, from word 0
    to the last word wanted.

    Raises:
        UsageError: The trace has no such buffer, or the warp does not touch it.
    """
    number = buffer_of(replay.data, wish.name)
    line, access = next(_requests(replay, number, wish), (0, None))
    if access is None:
        raise UsageError(f"{wish}: warp 0 does not touch {wish.name}.")
    words = dict(_list_cells(replay, access, wish))
    passes = max(Counter(word % _BANKS for word in words).values())
    scene = Scene()
    head = say("banks_head", line=line, passes=passes)
    scene.add_text("left bold", 0, 10, head)
    left = 26
    for bank in range(_BANKS):
        scene.add_text("soft small", left + bank * _CELL + _CELL // 2, 28, str(bank))
    rows = range(max(words) // _BANKS + 1)
    for row in rows:
        top = 34 + row * (_HIGH + 4)
        scene.add_text("right soft small", left - 4, top + 13, str(row * _BANKS))
        for bank in range(_BANKS):
            lane = words.get(row * _BANKS + bank)
            style = "idle" if lane is None else "run" if access.kind == LOAD else "written"
            scene.add_box(style, left + bank * _CELL, top, _CELL, _HIGH)
            if lane is not None:
                scene.add_text("small", left + bank * _CELL + _CELL // 2, top + 13, str(lane))
    scene.add_note(34 + len(rows) * (_HIGH + 4) + 16, say("banks_note"))
    alt = say("alt_banks", name=wish.name, head=head, banks=len({word % _BANKS for word in words}))
    return Figure(scene.render_svg(alt), alt, scene.width, len(rows))


def fragment(replay: DecodedTrace, wish: FigureRequest, say: Phrases) -> Figure:
    """Draw the piece of a matrix that a warp reads first, with the lane whose registers get each element.

    It takes the warp's loads until one repeats an element, or `most` (128) elements are there; a row has `across`
    elements (the last extent of the buffer's shape). The warp is the first of block `block` (0); the option `line`
    restricts its loads to a line of the source. `row_count` is the number of the matrix's rows that it reads.

    Raises:
        UsageError: The trace has no such buffer, or the warp does not read it.
    """
    number = buffer_of(replay.data, wish.name)
    buffer = replay.data["buffers"][number]
    inner = wish.number("across", buffer["shape"][-1])
    lane_of_cell: dict[tuple[int, int], int] = {}
    for _, access in _requests(replay, number, wish):
        if access.kind != LOAD:
            continue
        new = {divmod(cell, inner): lane for cell, lane in _list_cells(replay, access, wish)}
        if lane_of_cell.keys() & new.keys() or len(lane_of_cell) >= wish.number("most", 128):
            break
        lane_of_cell |= new
    if not lane_of_cell:
        raise UsageError(f"{wish}: warp 0 does not read {wish.name}.")
    rows, columns = sorted({row for row, _ in lane_of_cell}), sorted({column for _, column in lane_of_cell})
    scene, wide = Scene(), 30
    for at, column in enumerate(columns):
        scene.add_text("soft", 26 + at * wide + wide // 2, 10, f"[{column}]")
    for at, row in enumerate(rows):
        scene.add_text("left soft", 0, 20 + at * (_HIGH + 2) + 13, f"[{row}]")
        for place, column in enumerate(columns):
            lane = lane_of_cell.get((row, column))
            x = 30 + place * wide
            scene.add_box(
                "idle" if lane is None else "written" if lane == 0 else "run", x, 20 + at * 20, wide - 2, _HIGH
            )
            if lane is not None:
                scene.add_text("bold" if lane == 0 else "", x + wide // 2 - 1, 20 + at * 20 + 13, str(lane))
    scene.add_note(20 + len(rows) * 20 + 16, say("fragment_note"))
    each = sorted(Counter(lane_of_cell.values()).values())
    alt = say(
        "alt_fragment",
        name=wish.options.get("label", wish.name),
        rows=len(rows),
        columns=len(columns),
        lanes=len(each),
        each=each[0],
    )
    return Figure(scene.render_svg(alt), alt, scene.width, len(rows))


def _requests(replay: DecodedTrace, buffer: int, wish: FigureRequest) -> Iterator[tuple[int, RecordedAccess]]:
    """Yield each access of a buffer in which the block's first warp takes part, after its source line (from 1).

    `buffer` is an index in the trace. The request's options are the `block` (0) and the `line` (0 for any). Other lanes
    of such an access are not removed.
    """
    width = int(replay.data["warp"])
    first, wanted_line = wish.number("block", 0) * _block_threads(replay), wish.number("line", 0)
    for step in replay.steps:
        if wanted_line not in (0, replay.data["lines"][step.line][1]):
            continue
        for access in step.accesses:
            in_warp = (access.lanes >= first) & (access.lanes < first + width)
            if access.buffer == buffer and access.kind != SETTLED and in_warp.any():
                yield replay.data["lines"][step.line][1], access


def _list_cells(replay: DecodedTrace, access: RecordedAccess, wish: FigureRequest) -> Iterator[tuple[int, int]]:
    """Yield (cell, lane in the warp) for each cell of an access that the first warp of the request's block touches.

    A cell is an index in the buffer, or in the block's part of it if each block has its own.
    """
    width, number = int(replay.data["warp"]), wish.number("block", 0)
    buffer, first = replay.data["buffers"][access.buffer], number * _block_threads(replay)
    base = number * buffer["cells"] if buffer["rows"] == "block" else 0
    for lane, cells in zip(access.lanes.tolist(), access.cells.tolist(), strict=True):
        if 0 <= lane - first < width:
            for cell in cells:
                yield cell - base, lane - first


def _block_threads(replay: DecodedTrace) -> int:
    x, y, z = replay.data["block"]
    return int(x * y * z)
