"""Figures of a warp's requests show the warp of the block that they are asked for; those of votes show nothing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from harness.errors import UsageError
from harness.learning.figures.figure import FigureRequest, load_figure_phrases
from harness.learning.figures.registers import draw_exchange
from harness.learning.figures.requests import fragment, sectors
from harness.learning.replay import DecodedTrace, RecordedAccess, RecordedShuffle
from harness.simt.observing.columns import LOAD


@pytest.mark.parametrize("rows", ["grid", "block"])
@pytest.mark.parametrize("block", [0, 1, 2])
def test_a_step_of_all_blocks_is_drawn_for_the_one_that_is_asked_for(block, rows):
    """Three blocks of four lanes load together: block 1 two sectors, the others one."""
    cells = np.array([0, 1, 2, 3, 0, 1, 8, 9, 4, 5, 6, 7])
    if rows == "block":
        cells += 16 * np.repeat(np.arange(3), 4)
    access = RecordedAccess(LOAD, 0, np.arange(12), cells[:, None], None)
    data = {
        "warp": 4,
        "block": (4, 1, 1),
        "lines": [("k.mojo", 7)],
        "buffers": [{"name": "a", "rows": rows, "cells": 16, "dtype": "float32"}],
    }
    replay = cast(DecodedTrace, SimpleNamespace(data=data, steps=[SimpleNamespace(line=0, accesses=[access])]))
    words = load_figure_phrases("en")

    figure = sectors(replay, FigureRequest.parse(f"p01 sectors a block={block}"), words)

    count = 2 if block == 1 else 1
    assert words("sectors_head", line=7, count=count, used=16, bytes=32 * count) in figure.alt


def test_a_fragment_of_a_buffer_that_the_warp_does_not_read_is_refused():
    buffers = [{"name": "a", "rows": "grid", "cells": 16, "dtype": "float32", "shape": [4, 4]}]
    data = {"warp": 4, "block": (4, 1, 1), "lines": [("k.mojo", 7)], "buffers": buffers}
    replay = cast(DecodedTrace, SimpleNamespace(data=data, steps=[]))

    with pytest.raises(UsageError, match="warp 0 does not read a"):
        fragment(replay, FigureRequest.parse("p33 fragment a"), load_figure_phrases("en"))


def test_a_step_with_votes_alone_exchanges_nothing():
    lanes = np.arange(4)
    vote = RecordedShuffle(lanes, None, lanes, lanes, "vote")
    step = SimpleNamespace(line=0, shuffles=[vote, vote], values=[])
    data = {"warp": 4, "block": (4, 1, 1), "lines": [("k.mojo", 7)], "variables": []}
    replay = cast(DecodedTrace, SimpleNamespace(data=data, steps=[step]))

    assert draw_exchange(replay, FigureRequest.parse("p26 exchange"), load_figure_phrases("en")).row_count == 0
