"""Cases of puzzle 34: sums over the blocks of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from harness.catalogue.data import make_dataset, one_hot, random_fractions, with_infinities
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import FEATURES
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, promise_shared
from harness.catalogue.sizes import pad_masked
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
    Within,
)
from harness.model.place import CoursePlace

__all__ = ["CASES", "CLUSTERS", "PLACE", "Sizes", "reduction_at"]

PLACE = CoursePlace(FEATURES, ("p12", "p27"))

SIZE, TPB, CLUSTER_SIZE = 1024, 256, 4
_SIZES = f"SIZE: {SIZE} TPB: {TPB} CLUSTER_SIZE: {CLUSTER_SIZE}"

CLUSTERS = Need(
    lambda target: target.has_clusters,
    "thread block clusters need an NVIDIA GPU of compute capability 9.0 or later (nvidia:sm_90)",
)


class Sizes(NamedTuple):
    """The sizes of a launch and of its data.

    Attributes:
        size: The elements.
        threads: The threads of a block.
        cluster: The blocks of a cluster.
        blocks: The blocks of the grid.
        spare: The elements of the result after the sums, which must stay unwritten.
    """

    size: int
    threads: int
    cluster: int
    blocks: int
    spare: int = 0


DOCUMENTED = Sizes(SIZE, TPB, CLUSTER_SIZE, CLUSTER_SIZE)
# The last block but one has idle threads, and the last has no others.
CLUSTERS_OF_TWO = Sizes(300, 64, 2, 6, spare=1)
# One cluster, since one alone may write the sum of all; with as little as `LESS` its last block has idle threads alone.
ONE_OF_TWO, LESS = Sizes(100, 64, 2, 2, spare=1), 50

_EDGES = (0, 255, 256, 511, 512, 767, 768, 1023)
_COUNTED = np.arange(SIZE, dtype=np.float32)


def _datasets(documented: np.ndarray, description: str, alone: Sequence[int]) -> tuple[Dataset, ...]:
    """Make the documented data set, one per index in `alone` with a 1 there, and negative, infinite and random ones."""
    data = partial(make_dataset, "input")
    return (
        data("documented", documented, f"the documents' own data: {description}"),
        *(data(f"one-at-{index}", one_hot((SIZE,), index), "an element dropped at an edge") for index in alone),
        data("negatives", -1 - _COUNTED, "a sum that keeps only what is positive"),
        data("infinity", with_infinities(_COUNTED, {700: np.inf}), "a block whose partial sum is lost"),
        data("random-34", random_fractions((SIZE,), seed=34), "anything that the patterns above hide"),
    )


def _instance(sizes: Sizes, results: Sequence[TensorArgument], data: Callable[[], tuple[Dataset, ...]]) -> Any:
    output, *scratch = results

    def instance(width: int) -> Instance:
        elements = TensorArgument("input", "input", (sizes.size,))
        return Instance(
            width=width,
            arguments=(output, elements, *scratch, ScalarArgument("size_dev", sizes.size)),
            constants={"SIZE": sizes.size, "TPB": sizes.threads, "CLUSTER_SIZE": sizes.cluster},
            datasets=data() if sizes == DOCUMENTED else (),
        )

    return instance


def _sum_blocks(sizes: Sizes, inputs: Arrays) -> np.ndarray:
    """Return the sum of each block's elements; elements past the size count as zero."""
    values = np.zeros(sizes.blocks * sizes.threads)
    last = int(inputs.get("size_dev", np.asarray(sizes.size)))
    values[:last] = inputs["input"][:last]
    return np.asarray(values.reshape(sizes.blocks, sizes.threads).sum(axis=1))


def _oracle(sizes: Sizes, inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    block_sums = _sum_blocks(sizes, inputs)
    return {"output": pad_masked(block_sums.sum(keepdims=True), (1 + sizes.spare,)), "temp_storage": block_sums}


def _weighted(sizes: Sizes, inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    ranks = np.arange(sizes.blocks) % sizes.cluster
    return {"output": pad_masked(_sum_blocks(sizes, inputs) * (ranks + 1), (sizes.blocks + sizes.spare,))}


def _print_lines(_width: int, actual: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    result, promised = float(actual[0]), float(expected[0])
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


def _printer(
    test: str, results: str, result: str, passed: str
) -> Callable[[int, np.ndarray, np.ndarray, bool], Sequence[str]]:
    def printed(_width: int, actual: np.ndarray, _expected: np.ndarray, ok: bool) -> Sequence[str]:
        values = [str(np.float32(value)) for value in actual]
        lines = (
            f"Testing {test}",
            _SIZES,
            f"{results} results:",
            *(f"  Block {n} : {v}" for n, v in enumerate(values)),
        )
        right = (*(f"✅ {result.format(n)} result: {v}" for n, v in enumerate(values)), f"✅ {passed} tests passed!")
        return (*lines, *right) if ok else lines

    return printed


def _sum_in_torch(torch: Any, values: Any, output: Any) -> Callable[[], object]:
    """Return a call that writes the sum of `values` to `output` by torch, by way of a sum for each block."""
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


def _kernel(name: str, arguments: str, sizes: Sizes) -> Kernel:
    return Kernel(
        name,
        arguments,
        grid=sizes.blocks,
        block=sizes.threads,
        cluster=sizes.cluster,
        parameters={"tpb": sizes.threads},
    )


def _make_case(
    mode: str, title: str, kernel: str, documented: tuple[int, float], printed: Any, *claims: CounterClaim | CodeClaim
) -> Case:
    """Make a mode of block sums times (rank in the cluster + 1); `documented`: (period, unit) of i % period * unit."""
    period, unit = documented
    values = (np.arange(SIZE) % period).astype(np.float32) * np.float32(unit)
    data = partial(_datasets, values, f"i % {period} times {unit}", sorted({*_EDGES, 31, 32, 223, 224}))

    def at(sizes: Sizes) -> Case:
        output = TensorArgument("output", "output", (sizes.blocks + sizes.spare,))
        return Case(
            puzzle="p34",
            mode=mode,
            title=title,
            steps=(_kernel(kernel, "output input size_dev", sizes),),
            resolve=_instance(sizes, (output,), data),
            oracle=partial(_weighted, sizes),
            within={"output": _ROUNDED},
            printed=printed,
            size=Size("size_dev", sizes.size),
            needs=(CLUSTERS,),
            claims=(
                READ_ONCE,
                WRITTEN_ONCE,
                promise_shared(TPB),
                CounterClaim("one thread of each block writes its sum", "output_writers", lambda _: CLUSTER_SIZE),
                CounterClaim("one cluster barrier", "cluster_barriers_per_thread", lambda _: 1, why=_LOADED),
                *claims,
            ),
        )

    return _add_further(at(DOCUMENTED), at(CLUSTERS_OF_TWO), CLUSTERS_OF_TWO, "cluster_layout")


def _add_further(documented: Case, further: Case, sizes: Sizes, layout: str, less: int | None = None) -> Case:
    """Add a launch at `sizes` to a mode; `layout` names the constant of the output's layout, `less` a smaller size."""
    redefined: dict[str, int | str] = {
        "SIZE": sizes.size,
        "TPB": sizes.threads,
        "CLUSTER_SIZE": sizes.cluster,
        layout: f"row_major[{further.geometry(32).tensors[0].elements}]()",
    }
    return with_further(documented, make_further(further, redefined, size=less))


def reduction_at(sizes: Sizes) -> Case:
    scratch = TensorArgument("temp_storage", "scratch", (sizes.blocks,))
    results = TensorArgument("output", "output", (1 + sizes.spare,)), scratch
    return Case(
        puzzle="p34",
        mode="reduction",
        title="cluster-wide reduction",
        steps=(_kernel("cluster_collective_operations", "output input temp_storage size_dev", sizes),),
        resolve=_instance(sizes, results, partial(_datasets, _COUNTED, "0..1023", _EDGES)),
        oracle=partial(_oracle, sizes),
        printed=_print_lines,
        peers={
            "torch": _sum_in_torch,
            # Less than the puzzle does: its partial sums are left out.
            "torch graph, total alone": lambda torch, input, output: (
                lambda: torch.sum(input, 0, keepdim=True, out=output)
            ),
            "cupy": lambda _, input, output: lambda: input.sum(keepdims=True, out=output),
        },
        size=Size("size_dev", sizes.size),
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
            promise_shared(TPB, "within a block the sum goes through shared memory; the cluster comes after it"),
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
                why="the blocks of a cluster agree on one by its rank, and the original book takes rank 0",
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
    )


CASES = (
    _make_case(
        "coordination",
        "sums of the blocks of a cluster",
        "cluster_coordination_basics",
        (10, 0.1),
        _printer("Multi-Block Coordination", "Block coordination", "Block {} produced", "Multi-block coordination"),
        _code("blocks arrive at the cluster barrier and wait at it", "barrier.cluster.arrive", "barrier.cluster.wait"),
    ),
    _add_further(reduction_at(DOCUMENTED), reduction_at(ONE_OF_TWO), ONE_OF_TWO, "out_layout", LESS),
    _make_case(
        "advanced",
        "sums of a cluster's blocks, warp by warp",
        "advanced_cluster_patterns",
        (50, 0.02),
        _printer(
            "Advanced Cluster Algorithms",
            "Advanced cluster algorithm",
            "Advanced Block {}",
            "Advanced cluster patterns",
        ),
        _code("one lane of each warp is elected", "elect.sync", "barrier.cluster.arrive", "barrier.cluster.wait"),
    ),
)
