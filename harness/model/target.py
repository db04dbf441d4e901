"""Targets: what a kernel is compiled for, and what that implies.

A target is written `vendor:architecture`: `nvidia:sm_90`, `amd:gfx942`,
`apple:apple-m4`.  Sources: NVIDIA's CUDA programming guide (compute
capabilities), AMD's ISA manuals (wave64 on CDNA, wave32 on RDNA), Apple's Metal
feature tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from harness.errors import UsageError, unknown

__all__ = ["DEFAULT_ARCHITECTURES", "VENDORS", "Target", "Vendor"]

Vendor = Literal["nvidia", "amd", "apple"]

# The architecture that a vendor's name alone stands for.
DEFAULT_ARCHITECTURES: dict[str, str] = {
    "nvidia": "sm_90",
    "amd": "gfx942",
    "apple": "apple-m4",
}
VENDORS: tuple[str, ...] = tuple(DEFAULT_ARCHITECTURES)

_KNOWN: dict[str, tuple[str, ...]] = {
    "nvidia": ("sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120"),
    "amd": (
        "gfx90a",
        "gfx942",
        "gfx950",
        "gfx1030",
        "gfx1100",
        "gfx1101",
        "gfx1102",
        "gfx1151",
        "gfx1200",
        "gfx1201",
    ),
    "apple": ("apple-m1", "apple-m2", "apple-m3", "apple-m4", "apple-m5"),
}
# The most shared memory of a block, in KiB: the CUDA programming guide's technical
# specifications by compute capability (48 everywhere without asking), AMD's ISA
# manuals (local data share), Apple's Metal feature tables (threadgroup memory).
_SHARED_KIB = {
    "sm_80": 163,
    "sm_86": 99,
    "sm_87": 163,
    "sm_89": 99,
    "sm_90": 227,
    "sm_100": 227,
    "sm_103": 227,
    "sm_120": 99,
    "gfx950": 160,
    "amd": 64,
    "apple": 32,
}
_MAX_API = {"nvidia": "cuda", "amd": "hip", "apple": "metal"}


@dataclass(frozen=True, slots=True)
class Target:
    """One GPU architecture of one vendor.

    Attributes:
        vendor: Who makes it.
        architecture: The compiler's name for it, `sm_90` for instance.
    """

    vendor: Vendor
    architecture: str

    @classmethod
    def parse(cls, text: str) -> Target:
        """Reads `vendor:architecture`, or a vendor alone for its default.

        Raises:
            UsageError: The vendor or the architecture is unknown; names the nearest.
        """
        vendor, colon, architecture = text.partition(":")
        if vendor not in VENDORS:
            raise unknown("target", text, cls.known())
        if colon and not architecture:
            raise UsageError(f"target {text!r} names no architecture after the colon.")
        architecture = architecture or DEFAULT_ARCHITECTURES[vendor]
        if _base(architecture) not in _KNOWN[vendor]:
            raise unknown("target", text, cls.known())
        return cls(vendor, architecture)  # type: ignore[arg-type]

    @staticmethod
    def known() -> tuple[str, ...]:
        """Every target by its full name."""
        return tuple(f"{vendor}:{name}" for vendor, names in _KNOWN.items() for name in names)

    @property
    def name(self) -> str:
        """`vendor:architecture`."""
        return f"{self.vendor}:{self.architecture}"

    @property
    def warp_width(self) -> int:
        """Lanes of a warp (wavefront, SIMD-group)."""
        return 64 if self.architecture.startswith("gfx9") else 32

    @property
    def compute_capability(self) -> int | None:
        """NVIDIA's compute capability times ten, 90 for `sm_90`; else None."""
        found = re.fullmatch(r"sm_(\d+)[af]?", self.architecture)
        return int(found[1]) if found else None

    @property
    def has_clusters(self) -> bool:
        """Whether thread block clusters exist."""
        capability = self.compute_capability
        return capability is not None and capability >= 90

    @property
    def shared_bytes(self) -> int:
        """The most shared memory (local data share, threadgroup memory) that one block can have."""
        return 1024 * (_SHARED_KIB.get(_base(self.architecture)) or _SHARED_KIB[self.vendor])

    @property
    def max_api(self) -> str:
        """MAX's name for the vendor's driver interface."""
        return _MAX_API[self.vendor]

    @property
    def max_can_build(self) -> bool:
        """Whether MAX compiles graphs for it without a device (Metal: not yet)."""
        return self.vendor != "apple"

    def fits(self, device_architecture: str) -> bool:
        """Whether code built for this target runs on a device of that architecture.

        NVIDIA code for `sm_90` runs on 9.x devices of the same major version;
        everywhere else the names must be equal.
        """
        if self.vendor != "nvidia":
            return device_architecture == self.architecture
        mine, other = (re.match(r"sm_(\d+)", name) for name in (self.architecture, device_architecture))
        if not mine or not other:
            return False
        return int(mine[1]) // 10 == int(other[1]) // 10 and int(mine[1]) <= int(other[1])

    def __str__(self) -> str:
        return self.name


def _base(architecture: str) -> str:
    """The compiler names sm_90a and sm_90 apart; for a puzzle they are one."""
    return re.sub(r"^(sm_\d+)[af]$", r"\1", architecture)
