"""`SimulatedTarget`: a GPU's warp width, rules of progress and barriers, address spaces and their pointer widths.

`harness.simt.gpus` has the facts; `target_of` returns a target.
"""

from dataclasses import dataclass
from functools import cache

from harness.simt.errors import LaunchError
from harness.simt.gpus import GPUS, Gpu, find_gpu
from harness.simt.ir.types import Pointer, Type

__all__ = ["SimulatedTarget", "target_of"]

# The name of each address space that has its own memory.
SPACES = {
    "nvidia": {0: "generic", 1: "global", 3: "shared", 4: "constant", 5: "private", 7: "cluster", 101: "param"},
    "amd": {0: "generic", 1: "global", 3: "shared", 4: "constant", 5: "private"},
    "apple": {0: "generic", 1: "global", 2: "constant", 3: "shared"},
}
# Address spaces whose pointers have 32 bits: shared memory, and that of a cluster.
SMALL = {"nvidia": (3, 7), "amd": (3,), "apple": ()}


@dataclass(frozen=True, slots=True)
class SimulatedTarget:
    """A GPU as the simulator sees it.

    Attributes:
        name: As the caller gave it, `vendor:architecture`.
        gpu: The facts of its architecture.
        warp: Lanes of a warp (wavefront, SIMD-group).
        independent: Whether a lane makes progress while others of its warp spin.
        awaits_living: Whether barriers are defined to wait only for threads that have not ended.
    """

    name: str
    gpu: Gpu
    warp: int
    independent: bool
    awaits_living: bool

    @property
    def vendor(self) -> str:
        """`nvidia`, `amd` or `apple`."""
        return self.gpu.vendor

    def space_name(self, number: int) -> str:
        """Return the name of an address space, such as `shared`; `generic` if it is unknown."""
        return SPACES[self.vendor].get(number, "generic")

    def is_small(self, ty: Type) -> bool:
        """Return whether a type is that of 32-bit pointers into shared memory."""
        return isinstance(ty, Pointer) and ty.space in SMALL[self.vendor]


@cache
def target_of(name: str) -> SimulatedTarget:
    """Return the target named `vendor:architecture`, or a vendor's default by its name alone; see `find_gpu`.

    Raises:
        LaunchError: If it is not known.
    """
    gpu = find_gpu(name)
    if gpu is None:
        names = ", ".join(gpu.target for gpu in GPUS)
        raise LaunchError(f"unknown target {name!r}: expected one of {names}")
    return SimulatedTarget(
        name, gpu, gpu.warp_width, "independent lanes" in gpu.features, "barriers of living threads" in gpu.features
    )
