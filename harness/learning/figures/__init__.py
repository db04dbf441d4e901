"""Figures of lessons, drawn from a trace: equal traces give equal bytes.

A lesson asks for one by its case, its kind and the kind's words, `p15 cells cache label=stride`:

    cells NAME      a buffer's cells after each step that writes to it: the tree of a sum
    owners NAME     a buffer's cells, and which thread reads or writes each of them
    exchange [NAME] how lanes exchange a variable's values: the butterfly
    lanes           the lanes of a block through time, with barriers, and what passes from one to another
    blocks          the blocks of a grid through time, with barriers and cluster barriers
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.errors import UsageError, unknown_name
from harness.learning.figures.buffers import draw_cells, draw_owners
from harness.learning.figures.figure import Figure, FigureRequest, load_figure_phrases
from harness.learning.figures.registers import draw_exchange
from harness.learning.figures.time import draw_blocks, draw_lanes
from harness.learning.replay import DecodedTrace
from harness.learning.words import Phrases

__all__ = ["KINDS", "Figure", "FigureRequest", "draw", "load_figure_phrases"]

KINDS: dict[str, Callable[[DecodedTrace, FigureRequest, Phrases], Figure]] = {
    "cells": draw_cells,
    "owners": draw_owners,
    "exchange": draw_exchange,
    "lanes": draw_lanes,
    "blocks": draw_blocks,
}


def draw(data: Mapping[str, Any], wish: FigureRequest, say: Phrases) -> Figure:
    """Draw a figure from a trace.

    Args:
        data: The trace's data.
        wish: The figure's kind, name and options.
        say: The texts, from `load_figure_phrases`.

    Raises:
        UsageError: There is no such kind, or the trace has nothing of that name.
    """
    if wish.kind not in KINDS:
        raise unknown_name("kind of figure", wish.kind, KINDS)
    figure = KINDS[wish.kind](DecodedTrace(data), wish, say)
    if not figure.row_count:
        raise UsageError(f"{wish}: nothing happens there that this kind of figure shows.")
    return figure
