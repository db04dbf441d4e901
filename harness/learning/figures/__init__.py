"""Figures of lessons, drawn from a trace: equal traces give equal bytes.

A lesson asks for one by its case, its kind and the kind's words, `p15 cells cache label=stride`:

    cells NAME      a buffer's cells after each step that writes to it: the tree of a sum
    owners NAME     a buffer's cells, and which thread reads or writes each of them
    exchange [NAME] how lanes exchange a variable's values: the butterfly
    lanes           the lanes of a block through time, with barriers, and what passes from one to another
    blocks          the blocks of a grid through time, with barriers and cluster barriers
    warps           the same of the warps of a block: threads with different jobs
    sectors NAME    the sectors of global memory that a warp's first requests for a buffer touch
    banks NAME      the banks of shared memory that a warp's first request for a buffer touches
    fragment NAME   the piece of a matrix that a warp reads first, and which lane gets which element

Some are drawn from what the catalogue promises of the puzzle, which each run checks, and not from a trace:

    graph           the node of a MAX graph, with the launches that its op makes
    counts COUNTER  what a counter has to be at each launch of the puzzle
    room            what a kernel's blocks take of a multiprocessor
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.errors import UsageError, unknown
from harness.learning.figures.buffers import cells, owners
from harness.learning.figures.declared import counts, graph, room
from harness.learning.figures.figure import Figure, Wish, figure_phrases
from harness.learning.figures.registers import exchange
from harness.learning.figures.requests import banks, fragment, sectors
from harness.learning.figures.time import blocks, lanes, warps
from harness.learning.replay import Replay
from harness.learning.words import Phrases
from harness.model.case import Case

__all__ = ["DECLARED", "KINDS", "Figure", "Wish", "draw_declared", "drawn", "figure_phrases"]

KINDS: dict[str, Callable[[Replay, Wish, Phrases], Figure]] = {
    "cells": cells,
    "owners": owners,
    "exchange": exchange,
    "lanes": lanes,
    "blocks": blocks,
    "warps": warps,
    "sectors": sectors,
    "banks": banks,
    "fragment": fragment,
}
DECLARED: dict[str, Callable[[Sequence[Case], Wish, Phrases], Figure]] = {
    "graph": graph,
    "counts": counts,
    "room": room,
}


def drawn(data: Mapping[str, Any], wish: Wish, say: Phrases) -> Figure:
    """A figure of a trace.

    Args:
        data: Of the trace.
        wish: What is to be seen.
        say: The language, of `figure_phrases`.

    Raises:
        UsageError: There is no such kind, or the trace has nothing of that name.
    """
    if wish.kind not in KINDS:
        raise unknown("kind of figure", wish.kind, [*KINDS, *DECLARED])
    figure = KINDS[wish.kind](Replay(data), wish, say)
    if not figure.rows:
        raise UsageError(f"{wish}: nothing happens there that this kind of figure shows.")
    return figure


def draw_declared(cases: Sequence[Case], wish: Wish, say: Phrases) -> Figure:
    """Draw a figure of what the catalogue says.

    Args:
        cases: Those of the puzzle, with the one that the figure is of first.
        wish: What is to be seen; its kind is one of `DECLARED`.
        say: The language, of `figure_phrases`.

    Raises:
        UsageError: The catalogue says nothing of that kind about the case.
    """
    return DECLARED[wish.kind](cases, wish, say)
