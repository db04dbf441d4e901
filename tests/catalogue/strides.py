"""Numbers with which blocks still reach every element when a kernel takes them for the threads of a block.

`grid_dim.x * block_idx.x + thread_idx.x` is right wherever a grid has no more blocks than a block has threads, and its
last block reaches the end: what two blocks compute gets one value. Kernels that use shared memory are not looked at:
there two blocks may compute different values of one element.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.catalogue.definitions import classes
from tests.catalogue.guards import is_made_of, read_comparisons
from tests.catalogue.mojo_constants import WARP_SIZE, evaluate
from tests.catalogue.mojo_functions import function_of
from tests.catalogue.quantities import Observation, Subject

__all__ = ["Stride", "strides"]

_TAKEN = frozenset({"grid_dim.x", "grid_dim.y", "block_dim.x", "block_dim.y", "blocks", "cluster", WARP_SIZE})


@dataclass(frozen=True, slots=True)
class Stride:
    """A number that passes for the threads of a block.

    Attributes:
        kernel: The kernel.
        axis: The axis of the grid.
        names: All names of the number.
        right: All names of the threads of a block there.
    """

    kernel: str
    axis: str
    names: tuple[str, ...]
    right: tuple[str, ...]

    def __str__(self) -> str:
        name = next(name for name in self.names if name in _TAKEN)
        return f"`{name} * block_idx.{self.axis} + thread_idx.{self.axis}` reaches every element"


def strides(subject: Subject, solution: str) -> Iterator[Stride]:
    """Yield the numbers that pass in each launch, for the axes in which a solution compares a thread's place.

    What is equal to the threads of a block in each launch is a coincidence already, and left out.
    """
    if "AddressSpace.SHARED" in function_of(solution, subject.kernel).text:
        return
    variables, comparisons = read_comparisons(subject, solution)
    several = classes(subject)
    for axis in "xy":
        used = [at for at in subject.observations if at.values.get(f"grid_dim.{axis}", 1) > 1]
        bounds = [
            ast.unparse(tree.comparators[0])
            for tree in comparisons.values()
            if is_made_of(f"block_idx.{axis}", tree.left, variables) and isinstance(tree.ops[0], ast.Lt | ast.GtE)
        ]
        right = next((names for names in several if f"block_dim.{axis}" in names), ())
        for names in several if used and bounds else ():
            differs = bool(right) and subject.values(names[0]) != subject.values(right[0])
            passes = (_reaches(at, axis, at.values[names[0]], bounds, variables) for at in used)
            if differs and _TAKEN.intersection(names) and all(passes):
                yield Stride(subject.kernel, axis, names, right)


def _reaches(observation: Observation, axis: str, stride: int, bounds: list[str], variables: Mapping[str, str]) -> bool:
    """Whether blocks that begin that far from one another leave out nothing of what a launch needs."""
    known = {**variables, **observation.names, **observation.values}
    needed = [bound for text in bounds if isinstance(bound := evaluate(text, known), int)]
    blocks, threads = (observation.values[f"{kind}_dim.{axis}"] for kind in ("grid", "block"))
    reached = (blocks - 1) * stride + threads
    return bool(needed) and stride <= threads and reached >= min(blocks * threads, max(needed))
