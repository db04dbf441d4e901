"""Targets: what a kernel is compiled for, and what that implies.

A target is written `vendor:architecture`: `nvidia:sm_90`, `amd:gfx942`, `apple:apple-m4`. What is known of each is in
`harness.simt.gpus`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from harness.errors import ALIKE, UsageError, unknown
from harness.simt import gpus
from harness.simt.gpus import DEFAULTS, VENDORS, Gpu, Vendor

__all__ = ["DEFAULT_ARCHITECTURES", "VENDORS", "VENDOR_NAMES", "Target", "Vendor", "unknown_target"]

VENDOR_NAMES: dict[str, str] = {"nvidia": "NVIDIA", "amd": "AMD", "apple": "Apple"}  # for people

DEFAULT_ARCHITECTURES = DEFAULTS


def unknown_target(text: str, targets: Iterable[str]) -> UsageError:
    """Return the refusal of a target; it names the nearest target or vendor.

    Args:
        text: What was typed; an architecture without its vendor means the target of that architecture.
        targets: Those that there are, `vendor:architecture`.
    """
    targets = list(targets)
    if target := next((name for name in targets if name.partition(":")[2] == text.lower()), None):
        return UsageError(f"unknown target {text!r}: did you mean {target!r}?")
    if ":" not in text and (vendors := difflib.get_close_matches(text.lower(), VENDORS, n=1, cutoff=ALIKE)):
        return UsageError(f"unknown target {text!r}: did you mean {vendors[0]!r}?")
    return unknown("target", text, targets)


@dataclass(frozen=True, slots=True)
class Target:
    """One GPU architecture of one vendor.

    Attributes:
        vendor: Who makes it.
        architecture: The compiler's name for it, `sm_90` or `sm_90a` for instance.
    """

    vendor: Vendor
    architecture: str

    @classmethod
    def parse(cls, text: str) -> Target:
        """Reads `vendor:architecture`, or a vendor alone for its default.

        Raises:
            UsageError: The vendor or the architecture is unknown, or Mojo does not compile for it; names the nearest.
        """
        vendor, colon, architecture = text.partition(":")
        gpu = gpus.find_gpu(text)
        if gpu is None:
            if vendor in VENDORS and colon and not architecture:
                raise UsageError(f"target {text!r} names no architecture after the colon.")
            raise unknown_target(text, cls.known())
        if not gpu.mojo:
            raise UsageError(
                f"Mojo does not compile for {text}: choose another target, or give `puzzles simulate` "
                "LLVM IR that another compiler made for it."
            )
        return cls(gpu.vendor, architecture or gpu.architecture)

    @staticmethod
    def known() -> tuple[str, ...]:
        """Every target that Mojo compiles for, by its full name."""
        return tuple(gpu.target for gpu in gpus.GPUS if gpu.mojo)

    @property
    def name(self) -> str:
        """`vendor:architecture`."""
        return f"{self.vendor}:{self.architecture}"

    @property
    def gpu(self) -> Gpu:
        """What is known of the architecture."""
        gpu = gpus.find_gpu(self.name)
        if gpu is None:
            raise unknown("target", self.name, self.known())
        return gpu

    @property
    def warp_width(self) -> int:
        """Lanes of a warp (wavefront, SIMD-group)."""
        return self.gpu.warp_width

    @property
    def has_clusters(self) -> bool:
        """Whether thread block clusters exist."""
        return "clusters" in self.gpu.features

    @property
    def shared_bytes(self) -> int:
        """The most shared memory (local data share, threadgroup memory) that one block can have."""
        return self.gpu.shared_bytes

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
