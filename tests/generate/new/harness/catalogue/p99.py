"""Puzzle 99: a program that is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Kernel
from harness.model.handout import Wrong

__all__ = ["CASES"]

SIZE = 4
_RIGHT = make_simple_case(
    "p99",
    "a wrong sign",
    Kernel("add_10", "output a", block=SIZE),
    {"a": np.arange(SIZE)},
    lambda a: a + 10,
    constants={"SIZE": SIZE},
    claims=(WRITTEN_ONCE, READ_ONCE),
)

CASES = (replace(_RIGHT, handout=Wrong({"a[i] + 10": "a[i] - 10"}, {"check.wrong-value.owned": "output[i] ="})),)
