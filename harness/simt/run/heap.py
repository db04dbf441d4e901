"""`malloc` and `free` of lanes on the heap of `state.device`; report a full heap, double frees and foreign ones.

See: https://docs.nvidia.com/cuda/cuda-c-programming-guide/#dynamic-global-memory-allocation-and-operations
"""

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.errors import LaunchError
from harness.simt.ir.site import Site
from harness.simt.run.observation import Observation
from harness.simt.state.device import Device
from harness.simt.state.lanes import LaneSet

__all__ = ["Heap"]

LIMIT = 8 << 20  # bytes: CUDA's default


class Heap:
    """The device's heap, as the lanes of a launch use it."""

    def __init__(self, device: Device, observation: Observation) -> None:
        self._device, self._observation = device, observation

    def allocate(self, lanes: LaneSet, sizes: Integers, site: Site) -> Integers:
        """Allocate a block of the device's heap for each lane, of `sizes` bytes taken as unsigned.

        Returns:
            The address of each block, (n,); 0 if all live blocks would exceed 8 MiB together, or the device has too
            many allocations. Both are reported as a warning.
        """
        place = site.place
        name = f"a block of `malloc` at {place.file}:{place.line}" if place.known else "a block of `malloc`"
        addresses = np.zeros(lanes.n, np.int64)
        for position, size in enumerate(np.broadcast_to(sizes, (lanes.n,)).view(np.uint64).tolist()):
            try:
                block = self._device.heap_block(size, name, LIMIT)
            except LaunchError:
                block = None
            if block is None:
                position_array, values = np.array([position]), {"limit": LIMIT}
                self._observation.report(
                    "heap.full", "warning", (site,), lanes, position_array, size=size, values=values
                )
            else:
                addresses[position] = block.base
        return addresses

    def free(self, lanes: LaneSet, pointers: Array, site: Site) -> None:
        """Free the blocks at the lanes' pointers; ignore null, and report pointers that are no block or freed
        already.
        """
        for position, pointer in enumerate(np.broadcast_to(pointers, (lanes.n,)).tolist()):
            block = self._device.block_at(pointer)
            position_array = np.array([position])
            if block is None and pointer:
                values = {"address": pointer & (1 << 64) - 1}
                self._observation.report("heap.foreign-free", "error", (site,), lanes, position_array, values=values)
            elif block is not None and block.freed:
                self._observation.report(
                    "heap.double-free", "error", (site,), lanes, position_array, argument=block.name
                )
            elif block is not None:
                self._device.free_block(block)
