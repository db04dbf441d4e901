"""What is launched around the cases on a GPU: no case of the documents."""

from __future__ import annotations

import numpy as np

from harness.model.case import Buffer, Case, Dataset, Instance, Launch
from harness.model.target import Target

__all__ = ["DIRTY_SHARED", "dirty_shared"]

PUZZLE, MODE = "hygiene", "dirty-shared"
DIRTY_SHARED = f"{PUZZLE}:{MODE}"

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
    sizes = {"shared_bytes": target.shared_bytes}
    launch = Launch(grid=(BLOCKS, 1, 1), block=(THREADS, 1, 1))

    def resolve(width: int) -> Instance:
        return Instance(
            width=width,
            buffers=(Buffer("witness", "output", (BLOCKS,)), Buffer("pattern", "input", (1,))),
            parameters=sizes,
            launch=launch,
            datasets=(Dataset("nan", {"pattern": np.full(1, NAN)}, "a witness that compares NaN with itself"),),
        )

    return Case(
        puzzle=PUZZLE,
        mode=MODE,
        title="fill shared memory",
        kernel="dirty_shared",
        resolve=resolve,
        oracle=lambda _inputs, _width: {"witness": np.ones(BLOCKS)},
        printed=lambda *_: (),
        printed_buffer="witness",
        folder="hygiene",
        module="dirty_shared",
    )
