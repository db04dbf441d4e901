"""Undocumented cases of full size: axis sum, row maximum and cluster sum for any number of elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from harness.catalogue.data import format_floats, one_hot, random_fractions, with_infinities
from harness.catalogue.p34 import CLUSTERS
from harness.model.case import Arrays, Case, Dataset, Instance, Kernel, TensorArgument
from harness.model.sources import MOJO

__all__ = [
    "CASES",
    "CLUSTER_BLOCKS",
    "ScaledCase",
    "axis_sum",
    "choose_cluster_count",
    "cluster_sum",
    "row_max",
]

VECTOR = 4  # elements of a load
VECTOR_BYTES = 16
MAX_THREADS = 256  # of a block
MAX_COLUMNS = 16_384
CLUSTER_BLOCKS = 4
MAX_CLUSTERS = 4096  # far more than fit at once: the scheduler evens them out (4.55 TB/s, not 4.22)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaledCase(Case):
    """A case of any size.

    Attributes:
        shape: Makes the `Instance` without the data.
        at: Makes the same case for a number of elements, a power of two.
        reduces: The reduction of each row, or of the vector.
        again: The reduction of the results to one number, if one vector has several results.
    """

    shape: Callable[[int], Instance]
    at: Callable[[int], ScaledCase]
    reduces: Literal["sum", "max"]
    again: ScaledCase | None = None

    def geometry(self, width: int) -> Instance:
        """Return the case at a warp width without its data, which would not fit at full size."""
        return self.shape(width)


def _choose_shape(elements: int) -> tuple[int, int]:
    """Return (rows, columns) for a power of two of elements: square or twice as wide, up to `MAX_COLUMNS` columns."""
    columns = min(MAX_COLUMNS, 1 << math.ceil(math.log2(elements) / 2))
    return elements // columns, columns


def _row_threads(columns: int, width: int) -> int:
    vectors = max(1, columns // VECTOR)
    return min(MAX_THREADS, max(width, 1 << (vectors - 1).bit_length()))


def choose_cluster_count(size: int) -> int:
    """Return the number of clusters for a vector of `size` elements: at least 1, at most `MAX_CLUSTERS`.

    If there is more than one, each thread makes at least four loads of a vector of `VECTOR` elements.
    """
    return max(1, min(MAX_CLUSTERS, size // (4 * VECTOR * CLUSTER_BLOCKS * MAX_THREADS)))


def _data(buffer: str, name: str, values: np.ndarray, catches: str) -> Dataset:
    return Dataset(name, {buffer: np.asarray(values, np.float32)}, catches)


def _edges(shape: tuple[int, int]) -> np.ndarray:
    values = np.zeros(shape, np.float32)
    values[:, 0] += 3.0
    values[:, -1] += 5.0
    return values


def _print_first_elements(_width: int, actual: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    return (f"out: {format_floats(actual.ravel()[:8])}", f"expected: {format_floats(expected.ravel()[:8])}")


def _launch_by_row(name: str, rows: int, columns: int) -> tuple[Kernel, ...]:
    """Return a tuple of one launch: `rows` blocks in x.

    A block has a thread for each `VECTOR` columns, rounded up to a power of two, from one warp to `MAX_THREADS`.
    """

    def threads(width: int) -> int:
        return _row_threads(columns, width)

    def parameters(width: int) -> dict[str, int]:
        return {"rows": rows, "columns": columns, "threads": threads(width)}

    return (Kernel(name, "output a", grid=rows, block=threads, parameters=parameters),)


def _matrix(rows: int, columns: int, width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (rows, 1)),
            TensorArgument("a", "input", (rows, columns), alignment=VECTOR_BYTES),
        ),
        datasets=(),
    )


def axis_sum(rows: int, columns: int) -> ScaledCase:
    """Make the case `p15@scale`: the sum of each row of a matrix, shape (rows, 1); a block takes a row."""
    shape = (rows, columns)

    def geometry(width: int) -> Instance:
        return _matrix(rows, columns, width)

    def datasets() -> tuple[Dataset, ...]:
        fractions = random_fractions(shape, 15, columns)
        return (
            _data("a", "fractions", fractions, "an element left out or added twice"),
            _data("a", "ends", _edges(shape), "a head or a tail left out"),
            _data("a", "infinity", with_infinities(fractions, {columns - 1: np.inf}), "a row that leaks on"),
        )

    return ScaledCase(
        puzzle="p15@scale",
        mode=None,
        title=f"axis sum of {rows} x {columns}",
        steps=_launch_by_row("axis_sum", rows, columns),
        file=MOJO / "scaled" / "axis_sum.mojo",
        documented=False,
        shape=geometry,
        at=lambda elements: axis_sum(*_choose_shape(elements)),
        reduces="sum",
        peers={
            "torch": lambda torch, a, output: lambda: torch.sum(a, 1, keepdim=True, out=output),
            "cupy": lambda _, a, output: lambda: a.sum(axis=1, keepdims=True, out=output),
            "triton": lambda triton, a, output: triton.row_sum(a, output),
        },
        resolve=lambda width: replace(geometry(width), datasets=datasets()),
        oracle=lambda inputs, _: {"output": inputs["a"].sum(axis=1, keepdims=True, dtype=np.float64)},
        printed=_print_first_elements,
    )


def row_max(rows: int, columns: int) -> ScaledCase:
    """Make the case `p26@scale`: the maximum of each row of a matrix, shape (rows, 1); a block takes a row."""
    shape = (rows, columns)

    def geometry(width: int) -> Instance:
        return _matrix(rows, columns, width)

    def datasets() -> tuple[Dataset, ...]:
        fractions = random_fractions(shape, 26, columns)
        falling = -np.arange(rows * columns, dtype=np.float32).reshape(shape) % 4093 - 1
        last = -_edges(shape)
        last[:, -1] = 7
        return (
            _data("a", "fractions", fractions, "anything that the patterns below hide"),
            _data("a", "negatives", -1 - np.abs(falling), "a maximum that starts from zero"),
            _data("a", "last", last, "a tail left out"),
            _data("a", "infinity", with_infinities(fractions, {columns - 1: np.inf}), "a row that leaks on"),
            _data("a", "minus-infinity", np.full(shape, -np.inf), "a start from a finite value"),
        )

    return ScaledCase(
        puzzle="p26@scale",
        mode=None,
        title=f"row maximum of {rows} x {columns}",
        steps=_launch_by_row("row_max", rows, columns),
        file=MOJO / "scaled" / "row_max.mojo",
        documented=False,
        shape=geometry,
        at=lambda elements: row_max(*_choose_shape(elements)),
        reduces="max",
        peers={
            "torch": lambda torch, a, output: lambda: torch.amax(a, 1, keepdim=True, out=output),
            "cupy": lambda _, a, output: lambda: a.max(axis=1, keepdims=True, out=output),
            "triton": lambda triton, a, output: triton.row_max(a, output),
        },
        resolve=lambda width: replace(geometry(width), datasets=datasets()),
        oracle=lambda inputs, _: {"output": inputs["a"].max(axis=1, keepdims=True).astype(np.float64)},
        printed=_print_first_elements,
    )


def cluster_sum(size: int, clusters: int | None = None) -> ScaledCase:
    """Make the case `p34@scale`: each cluster sums its share of a vector.

    If there are several clusters, its `again` is the case that adds their sums; otherwise it is None.

    Args:
        size: The elements of the vector.
        clusters: The clusters of the grid, 4 blocks each; `choose_cluster_count(size)` if None.
    """
    count = choose_cluster_count(size) if clusters is None else clusters
    blocks = count * CLUSTER_BLOCKS

    def geometry(width: int) -> Instance:
        return Instance(
            width=width,
            arguments=(
                TensorArgument("output", "output", (count,)),
                TensorArgument("input", "input", (size,), alignment=VECTOR_BYTES),
                TensorArgument("temp_storage", "scratch", (blocks,)),
            ),
            datasets=(),
        )

    def datasets() -> tuple[Dataset, ...]:
        fractions = random_fractions((size,), 34)
        probes = sorted({0, size // 2, size // VECTOR * VECTOR - 1, size - 1} & set(range(size)))
        return (
            _data("input", "fractions", fractions, "an element left out or added twice"),
            *(
                _data("input", f"one-at-{index}", one_hot((size,), index), "an element dropped at an edge")
                for index in probes
            ),
        )

    def oracle(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
        return _compute_shares(inputs["input"], count, blocks)

    return ScaledCase(
        puzzle="p34@scale",
        mode=None,
        title=f"cluster-wide sum of {size}",
        steps=(
            Kernel(
                "cluster_sum",
                "output input temp_storage",
                grid=blocks,
                block=MAX_THREADS,
                cluster=CLUSTER_BLOCKS,
                parameters={"size": size, "clusters": count, "cluster_size": CLUSTER_BLOCKS, "threads": MAX_THREADS},
            ),
        ),
        file=MOJO / "scaled" / "cluster_sum.mojo",
        documented=False,
        shape=geometry,
        at=cluster_sum,
        reduces="sum",
        again=cluster_sum(count, 1) if count > 1 else None,
        peers={
            "torch": lambda torch, input, output: lambda: torch.sum(input, 0, keepdim=True, out=output),
            "cupy": lambda _, input, output: lambda: input.sum(keepdims=True, out=output),
            "triton": lambda triton, input, output: triton.whole_sum(input, output),
        },
        resolve=lambda width: replace(geometry(width), datasets=datasets()),
        oracle=oracle,
        printed=_print_first_elements,
        needs=(CLUSTERS,),
    )


def _compute_shares(values: np.ndarray, clusters: int, blocks: int) -> dict[str, np.ndarray]:
    """Return the sums of the blocks as `temp_storage` and of the clusters as `output`, in float64.

    Vectors of 4 elements are dealt out in turn, 256 vectors to a block; the elements left over go to block 0.
    """
    body = values.size // VECTOR * VECTOR
    turn = blocks * MAX_THREADS * VECTOR
    padded = np.zeros(-(-max(body, 1) // turn) * turn)
    padded[:body] = values[:body]
    sums = padded.reshape(-1, blocks, MAX_THREADS * VECTOR).sum(axis=(0, 2))
    sums[0] += values[body:].sum(dtype=np.float64)  # the first threads take what is left
    return {"temp_storage": sums, "output": sums.reshape(clusters, -1).sum(axis=1)}


# Sizes that the simulator takes in seconds and that exercise every branch: odd rows,
# a head, a tail and more than one round of loads.
CASES: tuple[ScaledCase, ...] = (axis_sum(129, 4099), row_max(129, 4099), cluster_sum(65_539, 4))
