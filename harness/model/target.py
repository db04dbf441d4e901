"""The GPU that kernels are compiled for, as vendor and architecture: parse, suggest names, look up its properties.

A target is written `vendor:architecture`: `nvidia:sm_90`, `amd:gfx942`, `apple:apple-m4`. `harness.simt.gpus` has the
facts about each.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from harness.errors import MIN_SIMILARITY, UsageError, unknown_name
from harness.simt import gpus
from harness.simt.gpus import DEFAULTS, VENDORS, Gpu, Vendor

__all__ = ["DEFAULT_ARCHITECTURES", "VENDORS", "VENDOR_NAMES", "Target", "Vendor", "make_unknown_target_error"]

VENDOR_NAMES: dict[str, str] = {"nvidia": "NVIDIA", "amd": "AMD", "apple": "Apple"}  # for people

DEFAULT_ARCHITECTURES = DEFAULTS
_FIRST_SPECIFIC = 90  # Mojo takes `sm_90` for `sm_90a`, and `sm_100`, `sm_103`, `sm_120` and `sm_121` likewise


def make_unknown_target_error(text: str, targets: Iterable[str]) -> UsageError:
    """Return the error for an unknown target; it suggests the nearest target or vendor.

    Args:
        text: What was typed; an architecture without its vendor suggests the target of that architecture.
        targets: The known targets, `vendor:architecture` each.
    """
    targets = list(targets)
    if target := next((name for name in targets if name.partition(":")[2] == text.lower()), None):
        return UsageError(f"unknown target {text!r}: did you mean {target!r}?")
    if ":" not in text and (vendors := difflib.get_close_matches(text.lower(), VENDORS, n=1, cutoff=MIN_SIMILARITY)):
        return UsageError(f"unknown target {text!r}: did you mean {vendors[0]!r}?")
    return unknown_name("target", text, targets)


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
        """Parse `vendor:architecture`, or a vendor alone for its default architecture.

        Raises:
            UsageError: The vendor or architecture is unknown, or Mojo does not compile for it.
        """
        vendor, colon, architecture = text.partition(":")
        gpu = gpus.find_gpu(text)
        if gpu is None:
            if vendor in VENDORS and colon and not architecture:
                raise UsageError(f"target {text!r} names no architecture after the colon.")
            raise make_unknown_target_error(text, cls.all_names())
        if not gpu.mojo:
            raise UsageError(
                f"Mojo does not compile for {text}: choose another target, or give `puzzles simulate` "
                "LLVM IR that another compiler made for it."
            )
        return cls(gpu.vendor, architecture or gpu.architecture)

    @staticmethod
    def all_names() -> tuple[str, ...]:
        """Return the name of every target that Mojo compiles for."""
        return tuple(gpu.target for gpu in gpus.GPUS if gpu.mojo)

    @property
    def name(self) -> str:
        """`vendor:architecture`."""
        return f"{self.vendor}:{self.architecture}"

    @property
    def gpu(self) -> Gpu:
        """The facts about the architecture.

        Raises:
            UsageError: It is unknown.
        """
        gpu = gpus.find_gpu(self.name)
        if gpu is None:
            raise unknown_name("target", self.name, self.all_names())
        return gpu

    @property
    def warp_width(self) -> int:
        """Lanes of a warp (wavefront, SIMD-group)."""
        return self.gpu.warp_width

    @property
    def has_clusters(self) -> bool:
        """True if thread block clusters exist."""
        return "clusters" in self.gpu.features

    @property
    def shared_bytes(self) -> int:
        """The maximum shared memory (local data share, threadgroup memory) of one block, in bytes."""
        return self.gpu.shared_bytes

    @property
    def max_can_build(self) -> bool:
        """True if MAX compiles graphs for it without a device (Metal: not yet)."""
        return self.vendor != "apple"

    def runs_on(self, device_architecture: str) -> bool:
        """Return whether code that Mojo built for this target runs on a device of that architecture.

        NVIDIA code runs on the same or a later minor version of its major version: `sm_80` on `sm_86`, and `sm_100f` on
        `sm_103`. Code with an architecture's own instructions runs on that one alone: `sm_90a`, and from `sm_90` on all
        that Mojo builds without a suffix. The device's suffix is ignored. A name that is not like `sm_90` runs nowhere.
        Of other vendors the names must be equal.
        """
        if self.vendor != "nvidia":
            return device_architecture == self.architecture
        mine = re.fullmatch(r"sm_(\d+)([af]?)", self.architecture)
        other = re.match(r"sm_(\d+)", device_architecture)
        if not mine or not other:
            return False
        built, present = int(mine[1]), int(other[1])
        if mine[2] == "a" or (not mine[2] and built >= _FIRST_SPECIFIC):
            return built == present
        return built // 10 == present // 10 and built <= present

    def __str__(self) -> str:
        return self.name
