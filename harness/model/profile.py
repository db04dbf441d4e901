"""What a profiler shows of a kernel, of a launch in the simulator."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.model.occupancy import Occupancy, Resources, occupancy
from harness.model.target import Target
from harness.simt.findings import Counts
from harness.simt.rows import Row, sum_rows

__all__ = ["KernelProfile", "Measured", "profiled"]


@dataclass(frozen=True, slots=True)
class Measured:
    """A launch that was observed for a profile.

    Attributes:
        kernel: Its name in the source.
        symbol: Its name in the code.
        block: Threads of a block in x, y and z.
        dynamic_bytes: Shared memory that the launch adds to what the kernel declares.
        rows: What each place of the source did.
        counters: Of the launch.
    """

    kernel: str
    symbol: str
    block: tuple[int, ...]
    dynamic_bytes: int
    rows: tuple[Row, ...]
    counters: Counts


@dataclass(frozen=True, slots=True)
class KernelProfile:
    """What a kernel did, in all of its launches of one shape.

    Attributes:
        kernel: Its name.
        launches: How many there were.
        rows: What each place of the source did, in all of them.
        bytes_per_element: That were asked of global memory, for each element of it that was written; None where
            none was.
        operations_per_element: On floating-point numbers; the same.
        resources: What its machine code takes, or None.
        occupancy: Of a multiprocessor; None where that is not known.
    """

    kernel: str
    launches: int
    rows: tuple[Row, ...]
    bytes_per_element: float | None
    operations_per_element: float | None
    resources: Resources | None
    occupancy: Occupancy | None


def profiled(
    launches: Iterable[Measured], target: Target, resources: Mapping[str, Resources] | None = None
) -> tuple[KernelProfile, ...]:
    """One profile for each kernel and shape of its launches, in their order.

    Args:
        resources: By the kernel's symbol.
    """
    shapes: dict[tuple[object, ...], list[Measured]] = {}
    for launch in launches:
        shapes.setdefault((launch.symbol, launch.kernel, *launch.block, launch.dynamic_bytes), []).append(launch)
    return tuple(_profile(alike, target, (resources or {}).get(alike[0].symbol)) for alike in shapes.values())


def _profile(launches: Sequence[Measured], target: Target, resources: Resources | None) -> KernelProfile:
    first, rows = launches[0], sum_rows(row for launch in launches for row in launch.rows)
    elements = sum(launch.counters.get("elements_written") or 0 for launch in launches)
    moved = sum(row.bytes for row in rows if row.what.startswith("global"))
    declared = first.counters.get("shared_bytes_per_block")
    if declared is None:  # it holds what a launch adds too; what the code declares is known without it
        declared = (resources.shared_bytes if resources else 0) + first.dynamic_bytes
    full = occupancy(target.gpu, math.prod(first.block), int(declared), resources.registers if resources else None)
    return KernelProfile(
        first.kernel,
        len(launches),
        rows,
        moved / elements if elements else None,
        sum(row.operations for row in rows) / elements if elements else None,
        resources,
        full,
    )
