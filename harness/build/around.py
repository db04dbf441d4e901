"""Two cases that the harness launches around another one on a GPU: one fills shared memory, one compares results."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from harness.model.case import Case, Dataset, Instance, Kernel, TensorArgument
from harness.model.sources import HARNESS_MOJO
from harness.model.target import Target

__all__ = ["COMPARED", "DIFFERING", "WARMUP", "make_comparison", "make_shared_filler", "surrounding_cases"]

WARMUP, DIFFERING = "warmup", "differing"
# Several times the multiprocessors of any GPU so far: each gets some.
BLOCKS = 1024
THREADS = 256
COMPARING = 64  # blocks, whose threads keep a GPU's memory busy
COMPARED = 1 << 22  # words at a time: what is left over of a result is compared on the host
UINT32 = np.dtype(np.uint32)
NAN = np.array(0x7FC0BEEF, np.uint32).view(np.float32)


def surrounding_cases(target: Target) -> tuple[Case, ...]:
    """Return two cases, in this order: the filler of shared memory for a target, and the comparison of results."""
    return make_shared_filler(target), make_comparison()


def make_shared_filler(target: Target) -> Case:
    """Return a case whose kernel fills the shared memory of every multiprocessor with its input `pattern`, one float32.

    In its only data set that is a NaN. Each of `BLOCKS` blocks sets its element of the output `witness` to 1 if it
    reads the same bits back, else to 0.

    Args:
        target: The GPU. A block takes all its shared memory, so that no multiprocessor runs two blocks at a time.
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
        puzzle=WARMUP,
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


def make_comparison() -> Case:
    """Return a case that compares the inputs `one` and `other`, `COMPARED` 32-bit words each.

    Each thread sets its element of `witness` to 1 if it finds a difference, else leaves the element as it was. Thread t
    compares the words t, t + threads, ... In the only data set `witness` is 0, and only word 0 differs.
    """
    threads = COMPARING * THREADS
    compare = Kernel("differing", grid=COMPARING, block=THREADS, parameters={"threads": threads, "words": COMPARED})

    def resolve(width: int) -> Instance:
        words = np.arange(COMPARED, dtype=np.uint32)
        return Instance(
            width=width,
            arguments=(
                TensorArgument("witness", "inout", (threads,), UINT32),
                TensorArgument("one", "input", (COMPARED,), UINT32),
                TensorArgument("other", "input", (COMPARED,), UINT32),
            ),
            datasets=(
                Dataset(
                    "first word",
                    {
                        "witness": np.zeros(threads, np.uint32),
                        "one": words,
                        "other": np.append(words[:1] + 1, words[1:]),
                    },
                    "a comparison that finds nothing",
                ),
            ),
        )

    def oracle(inputs: Mapping[str, np.ndarray], _width: int) -> dict[str, np.ndarray]:
        differs = (inputs["one"] != inputs["other"]).reshape(-1, threads).any(0)
        return {"witness": inputs["witness"] | differs}

    return Case(
        puzzle=DIFFERING,
        mode=None,
        title="compare results",
        steps=(compare,),
        resolve=resolve,
        oracle=oracle,
        printed=lambda *_: (),
        printed_output="witness",
        file=HARNESS_MOJO / "differing.mojo",
        documented=False,
    )
