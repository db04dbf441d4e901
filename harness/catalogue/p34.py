"""Puzzle 34: cluster-wide reduction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from harness.catalogue.data import infinities, one_hot, random_fractions
from harness.model.case import (
    Arrays,
    Case,
    CodeClaim,
    CounterClaim,
    Dataset,
    Instance,
    Kernel,
    Need,
    ScalarArgument,
    Size,
    TensorArgument,
)

__all__ = ["CASES", "CLUSTERS"]

SIZE, TPB, CLUSTER_SIZE = 1024, 256, 4

CLUSTERS = Need(
    lambda target: target.has_clusters,
    "thread block clusters need an NVIDIA GPU of compute capability 9.0 or later (nvidia:sm_90)",
)


def _datasets() -> tuple[Dataset, ...]:
    counted = np.arange(SIZE, dtype=np.float32)
    edges = (0, 255, 256, 511, 512, 767, 768, 1023)

    def data(name: str, values: np.ndarray, catches: str) -> Dataset:
        return Dataset(name, {"input": values}, catches)

    return (
        data("documented", counted, "the documents' own data: 0..1023"),
        *(
            data(f"one-at-{index}", one_hot((SIZE,), index), "an element dropped at the edge of a block")
            for index in edges
        ),
        data("negatives", -1 - counted, "a sum that keeps only what is positive"),
        data("infinity", infinities(counted, {700: np.inf}), "a block whose partial sum is lost"),
        data("random-34", random_fractions((SIZE,), seed=34), "anything that the patterns above hide"),
    )


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (1,)),
            TensorArgument("input", "input", (SIZE,)),
            TensorArgument("temp_storage", "scratch", (CLUSTER_SIZE,)),
            ScalarArgument("size_dev", SIZE),
        ),
        constants={"SIZE": SIZE, "TPB": TPB, "CLUSTER_SIZE": CLUSTER_SIZE},
        datasets=_datasets(),
    )


def _oracle(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    values = inputs["input"].astype(np.float64)
    values[int(inputs.get("size_dev", np.asarray(SIZE))) :] = 0  # what lies past the end counts for nothing
    return {"output": values.sum(keepdims=True), "temp_storage": values.reshape(CLUSTER_SIZE, TPB).sum(axis=1)}


def _printed(_width: int, got: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    result, promised = float(got[0]), float(expected[0])
    lines = (
        "Testing Cluster-Wide Reduction",
        f"SIZE: {SIZE} TPB: {TPB} CLUSTER_SIZE: {CLUSTER_SIZE}",
        f"Expected sum: {promised!r}",
        f"Cluster reduction result: {result!r}",
        f"Expected: {promised!r}",
        f"Error: {abs(result - promised)!r}",
    )
    passed = (
        "✅ Passed: Cluster reduction accuracy test",
        "✅ Cluster-wide collective operations tests passed!",
    )
    return (*lines, *passed) if ok else lines


def _in_torch(torch: Any, values: Any, output: Any) -> Callable[[], object]:
    """The partial sums are results too."""
    rows, partials = values.view(CLUSTER_SIZE, -1), torch.empty(CLUSTER_SIZE, device="cuda")
    return lambda: (torch.sum(rows, 1, out=partials), torch.sum(partials, 0, keepdim=True, out=output))


_MEET = "the puzzle is about `cluster_sync()`, behind which a block sees what the others of its cluster wrote"
_SHARE = "the blocks of a cluster run side by side: each sums its own part"
_ELECTED = (
    "`elect_one_sync()` elects a lane in each warp, eight in a block, which write one value here: "
    "name one warp too, `local_i < WARP_SIZE`, and a single thread is left"
)

CASES = (
    Case(
        puzzle="p34",
        mode="reduction",
        title="cluster-wide reduction",
        steps=(
            Kernel(
                "cluster_collective_operations",
                "output input temp_storage size_dev",
                grid=CLUSTER_SIZE,
                block=TPB,
                cluster=CLUSTER_SIZE,
                parameters={"tpb": TPB},
            ),
        ),
        resolve=_instance,
        oracle=_oracle,
        printed=_printed,
        peers={
            "torch": _in_torch,
            # Less than the puzzle does: its partial sums are left out.
            "torch graph, total alone": lambda torch, input, output: (
                lambda: torch.sum(input, 0, keepdim=True, out=output)
            ),
            "cupy": lambda _, input, output: lambda: input.sum(keepdims=True, out=output),
        },
        size=Size("size_dev", SIZE),
        needs=(CLUSTERS,),
        repetitions=100,  # blocks of a cluster wait for one another: rare orders need many tries
        claims=(
            CounterClaim("each input element is read once", "reads_per_input_element", lambda _: 1),
            CounterClaim(
                "log2(256) = 8 steps in a block",
                "reduction_steps",
                lambda _: 8,
                why="a tree adds side by side: 8 steps for 256 values, where one thread takes 255",
            ),
            # No number of barriers in a block is promised: one or two in a step are right.
            CounterClaim("one cluster barrier", "cluster_barriers_per_thread", lambda _: 1, why=_MEET),
            CounterClaim(
                "a block uses TPB elements of shared memory",
                "shared_bytes_per_block",
                lambda _: TPB * 4,
                why="within a block the sum goes through shared memory; the cluster comes after it",
            ),
            CounterClaim(
                "one thread in the whole cluster writes the sum",
                "output_writers",
                lambda _: 1,
                why=_ELECTED,
            ),
            CounterClaim(
                "that thread is one of block rank 0",
                "first_writing_block",
                lambda _: 0,
                why="the blocks of a cluster agree on one by its rank, and the documents take rank 0",
            ),
            CounterClaim(
                "four partial sums, one from each block", "scratch_writers", lambda _: CLUSTER_SIZE, why=_SHARE
            ),
            CounterClaim("all four blocks contribute", "contributing_blocks", lambda _: CLUSTER_SIZE, why=_SHARE),
            CounterClaim(
                "block 0 reads what its three peers wrote", "communicating_blocks", lambda _: CLUSTER_SIZE, why=_MEET
            ),
            CodeClaim(
                "blocks meet at the cluster barrier and one lane is elected",
                "nvidia",
                has=("barrier.cluster.arrive", "barrier.cluster.wait", "elect.sync"),
                why=_MEET,
            ),
        ),
    ),
)
