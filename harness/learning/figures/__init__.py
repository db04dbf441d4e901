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

from harness.errors import UsageError, unknown
from harness.learning.figures.buffers import cells, owners
from harness.learning.figures.figure import Figure, Wish, figure_phrases
from harness.learning.figures.registers import exchange
from harness.learning.figures.time import blocks, lanes
from harness.learning.replay import Replay
from harness.learning.words import Phrases

__all__ = ["KINDS", "Figure", "Wish", "drawn", "figure_phrases"]

KINDS: dict[str, Callable[[Replay, Wish, Phrases], Figure]] = {
    "cells": cells,
    "owners": owners,
    "exchange": exchange,
    "lanes": lanes,
    "blocks": blocks,
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
        raise unknown("kind of figure", wish.kind, KINDS)
    figure = KINDS[wish.kind](Replay(data), wish, say)
    if not figure.rows:
        raise UsageError(f"{wish}: nothing happens there that this kind of figure shows.")
    return figure
