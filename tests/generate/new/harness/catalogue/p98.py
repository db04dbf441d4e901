"""Puzzle 98: a host function, and the graph that calls it as an op."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import ExpectedLaunch, Graph, HostStep

__all__ = ["CASES"]

SIZE = 4
_CALL = HostStep("AddTen.execute", "output a", ('"gpu"', str(SIZE)), (ExpectedLaunch("add_10_kernel", block=SIZE),))
_ADDED = make_simple_case(
    "p98",
    "map as an op",
    _CALL,
    {"a": np.arange(SIZE)},
    lambda a: a + 10,
    form="op",
    constants={},
    claims=(WRITTEN_ONCE, READ_ONCE),
)

CASES = (replace(_ADDED, graph=Graph("add_10", "add_10", "a", parameters={"size": SIZE})),)
