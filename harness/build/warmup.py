"""The kernel that fills shared memory before a case is launched on a GPU."""

from __future__ import annotations

import numpy as np

from harness.model.case import Case, Dataset, Instance, Kernel, TensorArgument
from harness.model.sources import HARNESS_MOJO
from harness.model.target import Target

__all__ = ["dirty_shared"]


# Several times the multiprocessors of any GPU so far: each gets some.
BLOCKS = 1024
THREADS = 256
NAN = np.array(0x7FC0BEEF, np.uint32).view(np.float32)


def dirty_shared(target: Target) -> Case:
    """Fills the shared memory of every multiprocessor with a pattern.

    Args:
        target: A block takes all the shared memory that it gives, so that no
            multiprocessor runs two blocks at a time and each is filled whole.
    """
    fill = Kernel(
        "dirty_shared",
        grid=BLOCKS,
        block=THREADS,
        shared_bytes=target.shared_bytes,
        parameters={"blocks": BLOCKS, "shared_bytes": target.shared_bytes},
    )

    def resolve(width: int) -> Instance:
        return Instance(
            width=width,
            arguments=(TensorArgument("witness", "output", (BLOCKS,)), TensorArgument("pattern", "input", (1,))),
            datasets=(Dataset("nan", {"pattern": np.full(1, NAN)}, "a witness that compares NaN with itself"),),
        )

    return Case(
        puzzle="warmup",
        mode=None,
        title="fill shared memory",
        steps=(fill,),
        resolve=resolve,
        oracle=lambda _inputs, _width: {"witness": np.ones(BLOCKS)},
        printed=lambda *_: (),
        printed_output="witness",
        file=HARNESS_MOJO / "dirty_shared.mojo",
        documented=False,
    )
