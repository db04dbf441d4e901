"""What a case does: launches of kernels, in order, on the buffers and numbers that they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from harness.model.launch import Extent, Launch

__all__ = ["Extents", "Kernel"]

# In x, y and z, what is left out being 1; or a function from the warp width to that.
Extents = int | tuple[int, ...] | Callable[[int], int | tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Kernel:
    """One launch of a kernel of the puzzle's file.

    Attributes:
        name: The Mojo function.
        arguments: Of the case's arguments those that it takes, by name in the order of its signature, with blanks
            between them; empty for all of them in the case's order.
        grid: Blocks, never clusters.
        block: Threads of a block.
        cluster: Blocks of a cluster.
        shared_bytes: Dynamic shared memory of a block, beside what the kernel declares.
        parameters: Its compile-time parameters in the order of its signature, or a function from the warp width to
            them; they are passed as literals.
    """

    name: str
    arguments: str = ""
    grid: Extents = 1
    block: Extents = 1
    cluster: Extents = 1
    shared_bytes: int = 0
    parameters: Mapping[str, int] | Callable[[int], Mapping[str, int]] = field(default_factory=dict, hash=False)

    def launch(self, width: int) -> Launch:
        """Its geometry at a warp width.

        Raises:
            ValueError: There is no such launch.
        """
        return Launch(
            grid=_whole(self.grid, width),
            block=_whole(self.block, width),
            cluster=_whole(self.cluster, width),
            shared_bytes=self.shared_bytes,
        )

    def values(self, width: int) -> Mapping[str, int]:
        """Its compile-time parameters at a warp width."""
        return self.parameters(width) if callable(self.parameters) else self.parameters


def _whole(extents: Extents, width: int) -> Extent:
    given = extents(width) if callable(extents) else extents
    x, y, z = (*(given if isinstance(given, tuple) else (given,)), 1, 1)[:3]
    return x, y, z
