"""What the simulator must know of a target: width, address spaces, features."""

from dataclasses import dataclass

from harness.simt.errors import LaunchError

__all__ = ["Target", "target_of"]


@dataclass(frozen=True, slots=True)
class Target:
    """A GPU as the simulator sees it.

    Attributes:
        name: As the caller gave it, `vendor:architecture`.
        vendor: `nvidia`, `amd` or `apple`.
        warp: Lanes of a warp (wavefront, SIMD-group).
        shared_limit: Shared memory of a block, in bytes.
        clusters: Whether blocks can form clusters.
        independent: Whether a lane makes progress while others of its warp spin.
        spaces: The name of each address space that has its own memory.
    """

    name: str
    vendor: str
    warp: int
    shared_limit: int
    clusters: bool
    independent: bool
    spaces: tuple

    def space_name(self, number: int) -> str:
        """What an address space holds."""
        return dict(self.spaces).get(number, "generic")


NVIDIA_SPACES = (
    (0, "generic"),
    (1, "global"),
    (3, "shared"),
    (4, "constant"),
    (5, "private"),
    (7, "cluster"),
    (101, "param"),
)
AMD_SPACES = (
    (0, "generic"),
    (1, "global"),
    (3, "shared"),
    (4, "constant"),
    (5, "private"),
)
APPLE_SPACES = ((0, "generic"), (1, "global"), (2, "constant"), (3, "shared"))
CDNA = ("gfx90", "gfx94", "gfx95")


def target_of(name: str) -> Target:
    """The target named `vendor:architecture`.

    Raises:
        LaunchError: If the vendor is not known.
    """
    vendor, _, chip = name.partition(":")
    match vendor:
        case "nvidia":
            digits = "".join(c for c in chip.removeprefix("sm_") if c.isdigit())
            version = int(digits or 0)
            return Target(
                name,
                vendor,
                32,
                227 * 1024 if version >= 90 else 48 * 1024,
                version >= 90,
                version >= 70,
                NVIDIA_SPACES,
            )
        case "amd":
            wide = chip.startswith(CDNA)
            return Target(name, vendor, 64 if wide else 32, 64 * 1024, False, False, AMD_SPACES)
        case "apple":
            return Target(name, vendor, 32, 32 * 1024, False, False, APPLE_SPACES)
    raise LaunchError(f"unknown target {name!r}: expected nvidia:, amd: or apple: and a chip")
