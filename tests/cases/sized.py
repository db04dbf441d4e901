"""A case whose documented size the simulator does not take, and modes that are judged over several blocks too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from harness.catalogue import find_case
from harness.catalogue.sizes import at_sizes, lazy_inputs
from harness.model.case import Case, Dataset, Instance, Kernel, TensorArgument

__all__ = ["BLOCK", "DOCUMENTED", "MADE", "ONE_BLOCK", "OVER_ALL", "SMALL", "TEXT", "WRONG", "twice"]

# Modes of puzzle 25 whose documented launch has one block, and what of a solution is right over all blocks.
ONE_BLOCK = (find_case("p25:broadcast-basic"), find_case("p25:neighbor"))
OVER_ALL = "                total += input[first + i]"
DOCUMENTED, SMALL, BLOCK = 256, 64, 32
TEXT = """from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import block_dim, block_idx, thread_idx

comptime BLOCKS = SIZE // 32
comptime SIZE = 4 * 64  # elements
comptime layout = row_major[SIZE]()
comptime Layout = type_of(layout)


def twice(
    output: TileTensor[mut=True, DType.float32, Layout, MutAnyOrigin],
    a: TileTensor[mut=False, DType.float32, Layout, ImmutAnyOrigin],
):
    var i = UInt32(block_dim.x * block_idx.x + thread_idx.x)
    if i < SIZE:
        output[Int(i)] = 2 * a[Int(i)]
"""
WRONG = TEXT.replace("2 * a[Int(i)]", "2 * a[Int(i) + 1]")
MADE: list[int] = []  # the sizes at which data was made


def twice(file: Path) -> Case:
    """A case of a file, at two sizes; the data that is made is noted in `MADE`."""

    def at(size: int) -> Case:
        def values() -> np.ndarray:
            MADE.append(size)
            return np.arange(size, dtype=np.float32)

        instance = Instance(
            width=32,
            arguments=(TensorArgument("output", "output", (size,)), TensorArgument("a", "input", (size,))),
            constants={"SIZE": size, "BLOCKS": size // BLOCK},
            datasets=(Dataset("documented", lazy_inputs(a=values), ""),),
        )
        return replace(
            find_case("p01"),
            puzzle="twice",
            further=(),
            op="twice",
            file=file,
            steps=(Kernel("twice", "output a", grid=size // BLOCK, block=BLOCK),),
            resolve=lambda _: instance,
            oracle=lambda inputs, _: {"output": 2 * inputs["a"].astype(np.float64)},
            claims=(),
        )

    return at_sizes(at, "SIZE", documented=DOCUMENTED, small=SMALL)
