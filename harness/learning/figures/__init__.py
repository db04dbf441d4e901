"""Draw a lesson's figure by its kind, from a trace or the catalogue, as reproducible SVG; siblings draw each kind.

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

from harness.errors import UsageError, unknown_name
from harness.learning.figures.buffers import draw_cells, draw_owners
from harness.learning.figures.declared import counts, graph, room
from harness.learning.figures.figure import Figure, FigureRequest, load_figure_phrases
from harness.learning.figures.registers import draw_exchange
from harness.learning.figures.requests import banks, fragment, sectors
from harness.learning.figures.time import draw_blocks, draw_lanes, warps
from harness.learning.replay import DecodedTrace
from harness.learning.words import Phrases
from harness.model.case import Case

__all__ = ["DECLARED", "KINDS", "Figure", "FigureRequest", "draw", "draw_declared", "load_figure_phrases"]

KINDS: dict[str, Callable[[DecodedTrace, FigureRequest, Phrases], Figure]] = {
    "cells": draw_cells,
    "owners": draw_owners,
    "exchange": draw_exchange,
    "lanes": draw_lanes,
    "blocks": draw_blocks,
    "warps": warps,
    "sectors": sectors,
    "banks": banks,
    "fragment": fragment,
}
DECLARED: dict[str, Callable[[Sequence[Case], FigureRequest, Phrases], Figure]] = {
    "graph": graph,
    "counts": counts,
    "room": room,
}


def draw(data: Mapping[str, Any], wish: FigureRequest, say: Phrases) -> Figure:
    """Draw a figure from a trace; kinds of `DECLARED`, which need no trace, are unknown to it.

    Args:
        data: The trace's data.
        wish: The figure's kind, name and options.
        say: The texts, from `load_figure_phrases`.

    Raises:
        UsageError: The kind is not in `KINDS`, the trace has nothing of that name, or there is nothing to show.
    """
    if wish.kind not in KINDS:
        raise unknown_name("kind of figure", wish.kind, [*KINDS, *DECLARED])
    figure = KINDS[wish.kind](DecodedTrace(data), wish, say)
    if not figure.row_count:
        raise UsageError(f"{wish}: nothing happens there that this kind of figure shows.")
    return figure


def draw_declared(cases: Sequence[Case], wish: FigureRequest, say: Phrases) -> Figure:
    """Draw a figure of what the catalogue says.

    Args:
        cases: The cases of the puzzle; the one that the figure is of comes first.
        wish: The request; its kind is one of `DECLARED`.
        say: The texts, from `load_figure_phrases`.

    Raises:
        UsageError: The catalogue says nothing of that kind about the case.
    """
    return DECLARED[wish.kind](cases, wish, say)
