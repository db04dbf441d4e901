"""Sum simulated launches into a profile for each kernel: costs by line, traffic per element, occupancy; records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.model.occupancy import Occupancy, Resources, compute_occupancy
from harness.model.target import Target
from harness.simt.findings import Counts
from harness.simt.rows import Row, sum_rows

__all__ = ["KernelProfile", "Measured", "profile_launches"]


@dataclass(frozen=True, slots=True)
class Measured:
    """A launch that was observed for a profile.

    Attributes:
        kernel: The kernel's name in the source.
        symbol: Its name in the code.
        block: Threads of a block in x, y and z.
        dynamic_bytes: Shared memory that the launch adds to what the kernel declares.
        rows: The costs by source location.
        counters: The launch's counters.
    """

    kernel: str
    symbol: str
    block: tuple[int, ...]
    dynamic_bytes: int
    rows: tuple[Row, ...]
    counters: Counts


@dataclass(frozen=True, slots=True)
class KernelProfile:
    """The costs of a kernel in all of its launches of one shape.

    Attributes:
        kernel: The kernel's name.
        launches: The number of launches.
        rows: The costs by source location, of all launches together.
        bytes_per_element: Bytes requested from global memory, per element of it that was written; None if none was.
        operations_per_element: Floating-point operations per element; None as above.
        resources: The resources of its machine code, or None if unknown.
        occupancy: The occupancy of a multiprocessor, or None if unknown.
    """

    kernel: str
    launches: int
    rows: tuple[Row, ...]
    bytes_per_element: float | None
    operations_per_element: float | None
    resources: Resources | None
    occupancy: Occupancy | None


def profile_launches(
    launches: Iterable[Measured], target: Target, resources: Mapping[str, Resources] | None = None
) -> tuple[KernelProfile, ...]:
    """Return a profile for each kernel and launch shape (a block's extents and added shared memory), by first launch.

    Launches of one shape are added up.

    Args:
        launches: The observed launches.
        target: The GPU.
        resources: The resources of each kernel's machine code, by the kernel's symbol.
    """
    shapes: dict[tuple[object, ...], list[Measured]] = {}
    for launch in launches:
        shapes.setdefault((launch.symbol, launch.kernel, *launch.block, launch.dynamic_bytes), []).append(launch)
    return tuple(
        _profile_one(same_shape, target, (resources or {}).get(same_shape[0].symbol)) for same_shape in shapes.values()
    )


def _profile_one(launches: Sequence[Measured], target: Target, resources: Resources | None) -> KernelProfile:
    first, total_rows = launches[0], sum_rows(row for launch in launches for row in launch.rows)
    elements = sum(launch.counters.get("elements_written") or 0 for launch in launches)
    moved = sum(row.bytes for row in total_rows if row.what.startswith("global"))
    declared = first.counters.get("shared_bytes_per_block")
    if declared is None:  # it holds what a launch adds too; what the code declares is known without it
        declared = (resources.shared_bytes if resources else 0) + first.dynamic_bytes
    full = compute_occupancy(
        target.gpu, math.prod(first.block), int(declared), resources.registers if resources else None
    )
    return KernelProfile(
        first.kernel,
        len(launches),
        total_rows,
        moved / elements if elements else None,
        sum(row.operations for row in total_rows) / elements if elements else None,
        resources,
        full,
    )
