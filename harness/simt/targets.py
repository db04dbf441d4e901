"""What the simulator must know of a target: its figures and its address spaces."""

from dataclasses import dataclass
from functools import cache

from harness.simt.errors import LaunchError
from harness.simt.gpus import GPUS, Gpu, find
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
        gpu: What is known of its architecture.
        warp: Lanes of a warp (wavefront, SIMD-group).
        independent: Whether a lane makes progress while others of its warp spin.
        awaits_living: Whether barriers are defined to wait for threads that have not ended, and for no others.
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
        """What an address space holds."""
        return SPACES[self.vendor].get(number, "generic")

    def is_small(self, ty: Type) -> bool:
        """Whether a type is that of 32-bit pointers into shared memory."""
        return isinstance(ty, Pointer) and ty.space in SMALL[self.vendor]


@cache
def target_of(name: str) -> SimulatedTarget:
    """The target named `vendor:architecture`, or a vendor's default by its name alone.

    Raises:
        LaunchError: If it is not known.
    """
    gpu = find(name)
    if gpu is None:
        known = ", ".join(gpu.target for gpu in GPUS)
        raise LaunchError(f"unknown target {name!r}: expected one of {known}")
    return SimulatedTarget(
        name, gpu, gpu.warp_width, "independent lanes" in gpu.features, "barriers of living threads" in gpu.features
    )
