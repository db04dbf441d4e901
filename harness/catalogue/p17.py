"""Case of puzzle 17: a convolution as a custom op of MAX."""

from __future__ import annotations

import numpy as np

from harness.catalogue.data import FACTOR_DRAW, make_datasets, print_out_and_expected, random_factors
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import MAX_OPS
from harness.catalogue.promises import WRITTEN_ONCE
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    ExpectedLaunch,
    Graph,
    HostStep,
    Instance,
    TensorArgument,
)
from harness.model.place import CoursePlace

__all__ = ["CASES", "DOCUMENTED", "OVER_BLOCKS", "PLACE", "REDEFINED"]

PLACE = CoursePlace(MAX_OPS, ("p13",))


def _make_case(size: int, weights: int, blocks: int, tpb: int) -> Case:
    """Make the case of a convolution of `size` elements with `weights` weights, in `blocks` blocks of `tpb` threads."""

    def instance(width: int) -> Instance:
        documented = {"input": np.arange(size), "kernel": np.arange(weights)}
        return Instance(
            width=width,
            arguments=(
                TensorArgument("output", "output", (size,), form="op"),
                *(TensorArgument(name, "input", array.shape, form="op") for name, array in documented.items()),
            ),
            constants={"TPB": tpb},
            datasets=make_datasets(documented, 17, random_factors),
        )

    return Case(
        puzzle="p17",
        mode=None,
        title="a convolution as an op of MAX",
        steps=(
            HostStep(
                "Conv1DCustomOp.execute",
                "output input kernel",
                ('"gpu"', str(size), str(weights)),
                (ExpectedLaunch("conv1d_kernel", grid=blocks, block=tpb),),
            ),
        ),
        resolve=instance,
        oracle=_convolved,
        draw=FACTOR_DRAW,
        printed=print_out_and_expected,
        graph=Graph(
            "conv_1d",
            "conv1d",
            "input kernel",
            parameters={"input_size": size, "conv_size": weights},
            defaults={"dtype": np.dtype(np.float32)},
        ),
        claims=(
            WRITTEN_ONCE,
            CounterClaim(
                "a block holds its share, what it needs of the next one, and the weights in shared memory",
                "shared_bytes_per_block",
                lambda _: (tpb + 2 * weights - 1) * 4,
            ),
        ),
    )


def _convolved(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    kernel = inputs["kernel"].astype(np.float64)
    longer = np.append(inputs["input"].astype(np.float64), np.zeros(kernel.size - 1))
    return {"output": np.correlate(longer, kernel, "valid")}


DOCUMENTED = _make_case(size=15, weights=4, blocks=2, tpb=15)
# The documents' vector fits into one block, which never reads what the next block has. Here blocks do, the last one
# but one has idle threads, and the last one has nothing to do.
OVER_BLOCKS = _make_case(size=26, weights=3, blocks=7, tpb=5)
REDEFINED: dict[str, int | str] = {"TPB": 5, "BLOCKS_PER_GRID": "(7, 1)"}
CASES = (with_further(DOCUMENTED, make_further(OVER_BLOCKS, REDEFINED)),)
