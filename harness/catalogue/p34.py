"""Puzzle 34: clusters of blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from harness.catalogue.data import infinities, one_hot, one_input, random_fractions
from harness.catalogue.parts import FEATURES
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, shared_elements
from harness.model.case import (
    Arrays,
    Case,
    CodeClaim,
    CounterClaim,
    Instance,
    Kernel,
    Need,
    ScalarArgument,
    Size,
    TensorArgument,
    Within,
)
from harness.model.place import Place

__all__ = ["CASES", "CLUSTERS", "PLACE"]

PLACE = Place(FEATURES, ("p12", "p27"))

SIZE, TPB, CLUSTER_SIZE = 1024, 256, 4
_SIZES = f"SIZE: {SIZE} TPB: {TPB} CLUSTER_SIZE: {CLUSTER_SIZE}"

CLUSTERS = Need(
    lambda target: target.has_clusters,
    "thread block clusters need an NVIDIA GPU of compute capability 9.0 or later (nvidia:sm_90)",
)


_EDGES = (0, 255, 256, 511, 512, 767, 768, 1023)
_COUNTED = np.arange(SIZE, dtype=np.float32)


def _instance(width: int, documented: np.ndarray, shown: str, *results: TensorArgument) -> Instance:
    """A case at a warp width; of the elements at the edges of blocks, and of the warps of one, each is alone once."""
    data = partial(one_input, "input")
    alone = _EDGES if len(results) > 1 else sorted({*_EDGES, 31, 32, 223, 224})
    output, *scratch = results
    return Instance(
        width=width,
        arguments=(output, TensorArgument("input", "input", (SIZE,)), *scratch, ScalarArgument("size_dev", SIZE)),
        constants={"SIZE": SIZE, "TPB": TPB, "CLUSTER_SIZE": CLUSTER_SIZE},
        datasets=(
            data("documented", documented, f"the documents' own data: {shown}"),
            *(data(f"one-at-{index}", one_hot((SIZE,), index), "an element dropped at an edge") for index in alone),
            data("negatives", -1 - _COUNTED, "a sum that keeps only what is positive"),
            data("infinity", infinities(_COUNTED, {700: np.inf}), "a block whose partial sum is lost"),
            data("random-34", random_fractions((SIZE,), seed=34), "anything that the patterns above hide"),
        ),
    )


def _reduction(width: int) -> Instance:
    partial = TensorArgument("temp_storage", "scratch", (CLUSTER_SIZE,))
    return _instance(width, _COUNTED, "0..1023", TensorArgument("output", "output", (1,)), partial)


def _by_block(period: int, unit: float) -> Callable[[int], Instance]:
    documented = (np.arange(SIZE) % period).astype(np.float32) * np.float32(unit)
    output = TensorArgument("output", "output", (CLUSTER_SIZE,))
    return lambda width: _instance(width, documented, f"i % {period} times {unit}", output)


def _parts(inputs: Arrays) -> np.ndarray:
    """The sum of each block's elements; what lies past the end counts for nothing."""
    values = inputs["input"].astype(np.float64)
    values[int(inputs.get("size_dev", np.asarray(SIZE))) :] = 0
    return np.asarray(values.reshape(CLUSTER_SIZE, TPB).sum(axis=1))


def _oracle(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    parts = _parts(inputs)
    return {"output": parts.sum(keepdims=True), "temp_storage": parts}


def _weighted(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    return {"output": _parts(inputs) * np.arange(1, CLUSTER_SIZE + 1)}


def _printed(_width: int, got: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    result, promised = float(got[0]), float(expected[0])
    lines = (
        "Testing Cluster-Wide Reduction",
        _SIZES,
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


def _told(
    test: str, results: str, result: str, passed: str
) -> Callable[[int, np.ndarray, np.ndarray, bool], Sequence[str]]:
    def printed(_width: int, got: np.ndarray, _expected: np.ndarray, ok: bool) -> Sequence[str]:
        values = [str(np.float32(value)) for value in got]
        lines = (
            f"Testing {test}",
            _SIZES,
            f"{results} results:",
            *(f"  Block {n} : {v}" for n, v in enumerate(values)),
        )
        right = (*(f"✅ {result.format(n)} result: {v}" for n, v in enumerate(values)), f"✅ {passed} tests passed!")
        return (*lines, *right) if ok else lines

    return printed


def _in_torch(torch: Any, values: Any, output: Any) -> Callable[[], object]:
    """The partial sums are results too."""
    rows, partials = values.view(CLUSTER_SIZE, -1), torch.empty(CLUSTER_SIZE, device="cuda")
    return lambda: (torch.sum(rows, 1, out=partials), torch.sum(partials, 0, keepdim=True, out=output))


_MEET = "the puzzle is about `cluster_sync()`, behind which a block sees what the others of its cluster wrote"
_SHARE = "the blocks of a cluster run side by side: each sums its own part"
_ELECTED = (
    "`elect_one_sync()` elects a lane in each warp of each block: a single thread is left only behind three "
    "conditions, on the block's rank, on the warp and on the elected lane"
)

_LOADED = "the blocks of a cluster run side by side, and tell one another how far they are"
_ROUNDED = Within(
    rtol=2.0**-16,
    atol=0,
    why="the documents' data is no multiple of a power of two, and positive: of 256 addends each is rounded when it is "
    "scaled, and 255 sums are; all other data is exact",
)


def _code(sentence: str, *has: str) -> CodeClaim:
    return CodeClaim(sentence, "nvidia", has=has, why=_LOADED)


def _case(
    mode: str,
    title: str,
    kernel: str,
    resolve: Callable[[int], Instance],
    printed: Any,
    *claims: CounterClaim | CodeClaim,
) -> Case:
    return Case(
        puzzle="p34",
        mode=mode,
        title=title,
        steps=(
            Kernel(
                kernel,
                "output input size_dev",
                grid=CLUSTER_SIZE,
                block=TPB,
                cluster=CLUSTER_SIZE,
                parameters={"tpb": TPB},
            ),
        ),
        resolve=resolve,
        oracle=_weighted,
        within={"output": _ROUNDED},
        printed=printed,
        size=Size("size_dev", SIZE),
        needs=(CLUSTERS,),
        claims=(
            READ_ONCE,
            WRITTEN_ONCE,
            shared_elements(TPB),
            CounterClaim("one thread of each block writes its sum", "output_writers", lambda _: CLUSTER_SIZE),
            CounterClaim("one cluster barrier", "cluster_barriers_per_thread", lambda _: 1, why=_LOADED),
            *claims,
        ),
    )


CASES = (
    _case(
        "coordination",
        "sums of the blocks of a cluster",
        "cluster_coordination_basics",
        _by_block(10, 0.1),
        _told("Multi-Block Coordination", "Block coordination", "Block {} produced", "Multi-block coordination"),
        _code("blocks arrive at the cluster barrier and wait at it", "barrier.cluster.arrive", "barrier.cluster.wait"),
    ),
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
        resolve=_reduction,
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
            READ_ONCE,
            CounterClaim(
                "log2(256) = 8 steps in a block",
                "reduction_steps",
                lambda _: 8,
                why="a tree adds side by side: 8 steps for 256 values, where one thread takes 255",
            ),
            # No number of barriers in a block is promised: one or two in a step are right.
            CounterClaim("one cluster barrier", "cluster_barriers_per_thread", lambda _: 1, why=_MEET),
            shared_elements(TPB, "within a block the sum goes through shared memory; the cluster comes after it"),
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
    _case(
        "advanced",
        "sums of a cluster's blocks, warp by warp",
        "advanced_cluster_patterns",
        _by_block(50, 0.02),
        _told(
            "Advanced Cluster Algorithms",
            "Advanced cluster algorithm",
            "Advanced Block {}",
            "Advanced cluster patterns",
        ),
        _code("one lane of each warp is elected", "elect.sync", "barrier.cluster.arrive", "barrier.cluster.wait"),
    ),
)
