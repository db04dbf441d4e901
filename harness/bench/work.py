"""Define the timed graphs (documented cases, scaled ones of 4 KiB to 8 GiB), and data with exact results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from harness.build.max_compiler import GraphSpec, OpCall
from harness.build.unit import Build, BuildUnit, make_units
from harness.catalogue import CASES, KNOWN
from harness.catalogue.scaled import ScaledCase
from harness.errors import unknown_name
from harness.model.case import Case
from harness.model.target import Target

__all__ = [
    "SIZES",
    "BenchmarkGraph",
    "Periodic",
    "Tensor",
    "format_size",
    "make_graph",
    "select_graphs",
    "select_host_cases",
]

SIZES = (2**12, 2**16, 2**20, 2**24, 2**28, 2**30, 2**31, 2**33)  # bytes read
ELEMENT = 4


@dataclass(frozen=True, slots=True)
class Tensor:
    """An argument of a graph: name, shape, whether a kernel may write it, and its element type."""

    name: str
    shape: tuple[int, ...]
    written: bool
    dtype: np.dtype = field(default_factory=lambda: np.dtype(np.float32))


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkGraph:
    """A graph to be timed.

    Attributes:
        entry: What is timed, at its size.
        graph: Unique in the compiled file.
        tensors: Its arguments.
        launches: What it launches, and which of its tensors that takes, by number.
        size: Bytes of the input.
    """

    entry: Case
    graph: str
    tensors: tuple[Tensor, ...]
    launches: tuple[tuple[BuildUnit, tuple[int, ...]], ...]
    size: int

    @property
    def case(self) -> str:
        """The id of the case."""
        return self.entry.id

    @property
    def scaled(self) -> bool:
        """True if it is a scaled case, which has a size."""
        return isinstance(self.entry, ScaledCase)

    @property
    def spec(self) -> GraphSpec:
        """The graph, as the compiler takes it; scalars are constants in it."""
        calls = []
        for unit, tensor_numbers in self.launches:
            # Constants of the graph: a replay would only check them again, and the peers' graphs hold theirs too.
            scalars = tuple((scalar.dtype.name, scalar.value) for scalar in unit.scalars)
            calls.append(OpCall(unit.op, tensor_numbers, unit.launch.parameters(), scalars))
        buffers = tuple((tensor.shape, tensor.dtype.name, tensor.written) for tensor in self.tensors)
        return GraphSpec(self.graph, buffers, tuple(calls))


def format_size(size: int) -> str:
    """Format a number of bytes for people in the largest unit up to GiB that it fills: `512 B`, `1.5 GiB`."""
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size} B"


def select_graphs(names: Sequence[str], target: Target, sizes: Sequence[int] = SIZES) -> tuple[BenchmarkGraph, ...]:
    """Return the graphs that the names select: one for each documented case, then one for each scaled case and size.
    Cases that call host functions are left out (`select_host_cases`).

    Args:
        names: Ids of cases, puzzles (`p15`) for all of their documented cases, or `p15@scale` for the scaled ones;
            empty for all.
        target: Sizes depend on its warp width; what it cannot run is left out.
        sizes: Of the scaled cases' inputs, in bytes.

    Raises:
        UsageError: A name is unknown; names the nearest.
    """
    names_by_case = {case.id: {case.id, case.puzzle} for case in KNOWN}
    for name in names:
        if not any(name in group for group in names_by_case.values()):
            raise unknown_name("case", name, names_by_case)
    selected = {case for case, group in names_by_case.items() if not names or group & set(names)}
    runnable = [case for case in CASES if case.id in selected and case.refusal(target) is None]
    works = [make_graph(case, target, case.op) for case in runnable if not case.called]
    for small in KNOWN:
        if isinstance(small, ScaledCase) and small.id in selected and small.refusal(target) is None:
            works += [_make_scaled_graph(small.at(size // ELEMENT), size, target) for size in sizes]
    return tuple(works)


def select_host_cases(names: Sequence[str], target: Target) -> tuple[Case, ...]:
    """Return the selected documented cases that call host functions.

    Args:
        names: As of `select_graphs`, which has refused what is unknown.
        target: What it cannot run is left out.
    """
    selected = (case for case in CASES if not names or {case.id, case.puzzle} & set(names))
    return tuple(case for case in selected if case.called and case.refusal(target) is None)


def make_graph(case: Case, target: Target, graph: str) -> BenchmarkGraph:
    """Make one graph of a case, with each of its kernel launches; nothing is compiled.

    Args:
        case: Of the catalogue.
        target: Sizes depend on its warp width.
        graph: A name for it and its ops, unique in the compiled file.
    """
    launched = make_units([replace(case, op=graph)], Build(target=target))
    instance = launched[0].instance
    tensors = tuple(Tensor(tensor.name, tensor.shape, tensor.writable, tensor.dtype) for tensor in instance.tensors)
    numbers = {tensor.name: number for number, tensor in enumerate(instance.tensors)}
    launches = tuple((unit, tuple(numbers[tensor.name] for tensor in unit.tensors)) for unit in launched)
    size = sum(tensor.elements for tensor in instance.initialized) * ELEMENT
    return BenchmarkGraph(entry=case, graph=graph, tensors=tensors, launches=launches, size=size)


def _make_scaled_graph(case: ScaledCase, size: int, target: Target) -> BenchmarkGraph:
    work = make_graph(case, target, f"{case.op}_{size}")
    return work if case.again is None else _add_final_launch(work, case.again, target)


def _add_final_launch(work: BenchmarkGraph, again: ScaledCase, target: Target) -> BenchmarkGraph:
    """Add a second launch that reduces the results of the first to one number.

    The tensors are then `output` (the number), the vector, `partials` (the first results) and the scratch.
    """
    output, vector, temp = work.tensors
    tensors = (Tensor("output", (1,), True), vector, Tensor("partials", output.shape, True), temp)
    first = work.launches[0][0]
    last = make_graph(again, target, f"{work.graph}_total").launches[0][0]
    handed_on = replace(last, handed_on=frozenset(tensor.name for tensor in again.geometry(target.warp_width).inputs))
    return replace(work, tensors=tensors, launches=((first, (2, 1, 3)), (handed_on, (0, 2, 3))))


class Periodic:
    """Integers that repeat with a prime period, so that any expected result is cheap.

    Their signs are even and large ones are rare: sums stay far below 2^24 and
    rows differ in their maxima.  One buffer of them serves every size.
    """

    period = 1_048_573  # prime: no two rows of a power of two begin alike

    def __init__(self) -> None:
        generator = np.random.default_rng(2026)
        values = generator.geometric(0.5, self.period) * generator.choice((-1, 1), self.period)
        self.values = values.astype(np.float32)
        self._prefix = np.concatenate([[0], np.cumsum(values)])

    def expected(self, work: BenchmarkGraph) -> np.ndarray:
        """Return the sum or the maximum of each row, as a scaled case computes it: float64, in the output's shape."""
        output, source = work.tensors[:2]
        columns = source.shape[-1]
        first = np.arange(math.prod(source.shape) // columns, dtype=np.int64) * columns
        assert isinstance(work.entry, ScaledCase)
        if work.entry.reduces == "sum":
            return np.array(self._until(first + columns) - self._until(first), np.float64).reshape(output.shape)
        window: np.ndarray = np.concatenate([self.values, self.values[:columns]])
        length = 1
        while length < columns:  # columns are a power of two
            window = np.maximum(window[:-length], window[length:])
            length *= 2
        return window[first % self.period].astype(np.float64).reshape(output.shape)

    def _until(self, end: np.ndarray) -> np.ndarray:
        periods, rest = np.divmod(end, self.period)
        sums: np.ndarray = periods * self._prefix[-1] + self._prefix[rest]
        return sums
