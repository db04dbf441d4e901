"""The geometry of a launch (grid, block, cluster, shared bytes): validation, thread count, text, MAX parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass

from harness.simt.gpus import BLOCK_THREADS, PORTABLE_CLUSTER_BLOCKS

__all__ = ["Extent", "Launch"]

Extent = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """Launch geometry, each extent as (x, y, z).

    Attributes:
        grid: Blocks of the grid. Always blocks, never clusters.
        block: Threads of a block, at most 1024 in all.
        cluster: Blocks of a cluster; it divides the grid.
        shared_bytes: Dynamic shared memory of a block, beside what the kernel declares.
    """

    grid: Extent
    block: Extent
    cluster: Extent = (1, 1, 1)
    shared_bytes: int = 0

    def __post_init__(self) -> None:
        for name, extent in (("grid", self.grid), ("block", self.block), ("cluster", self.cluster)):
            if len(extent) != 3 or not all(isinstance(size, int) and size >= 1 for size in extent):
                raise ValueError(f"{name} must be three positive whole numbers, but got {extent}")
        if math.prod(self.block) > BLOCK_THREADS:
            raise ValueError(f"a block has at most {BLOCK_THREADS} threads, but got {self.block}")
        if math.prod(self.cluster) > PORTABLE_CLUSTER_BLOCKS:
            raise ValueError(f"a cluster has at most {PORTABLE_CLUSTER_BLOCKS} blocks, but got {self.cluster}")
        if any(blocks % size for blocks, size in zip(self.grid, self.cluster, strict=True)):
            raise ValueError(f"cluster {self.cluster} does not divide grid {self.grid}")

    @property
    def lanes(self) -> int:
        """The number of threads."""
        return math.prod(self.grid) * math.prod(self.block)

    def parameters(self) -> dict[str, int]:
        """Return the launch as parameters of a MAX op: `grid_x`, `grid_y`, `block_x`, `block_y`, and other extents that
        are not 1 (`cluster_x`); not the shared memory.
        """
        extents = {"grid": self.grid, "block": self.block, "cluster": self.cluster}
        return {
            f"{kind}_{axis}": size
            for kind, extent in extents.items()
            for axis, size in zip("xyz", extent, strict=True)
            if size != 1 or (kind != "cluster" and axis != "z")
        }

    def __str__(self) -> str:
        def short(extent: Extent) -> str:
            return f"({extent[0]}, {extent[1]})" if extent[2] == 1 else str(extent)

        text = f"{short(self.grid)} x {short(self.block)}"
        return text if self.cluster == (1, 1, 1) else f"{text} x {self.cluster}"
