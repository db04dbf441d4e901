"""The requests that an access of lanes makes: in which warps, and in how many instructions."""

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.events import AccessEvent
from harness.simt.state.lanes import LaneSet
from harness.simt.targets import SimulatedTarget
from harness.simt.traffic import parts

__all__ = ["pieces", "served", "warps"]

_WIDEST = 16  # bytes that an instruction moves for a lane


def warps(lanes: LaneSet) -> tuple[Integers, Integers]:
    """Where each warp begins in a lane set, and how many lanes of it are there."""
    found: tuple[Integers, Integers] | None = lanes.cache.get("warps")
    if found is None:
        warp = lanes.get("warp")
        starts = np.flatnonzero(np.diff(warp, prepend=-1))
        found = lanes.cache["warps"] = starts, np.diff(starts, append=lanes.n)
    return found


def served(lanes: LaneSet, size: int) -> tuple[Integers, int]:
    """What `parts` says of lanes that access so many bytes of shared memory each."""
    key = "parts", size
    found: tuple[Integers, int] | None = lanes.cache.get(key)
    if found is None:
        found = lanes.cache[key] = parts(lanes.get("warp"), lanes.get("lane"), size)
    return found


def pieces(event: AccessEvent, target: SimulatedTarget) -> tuple[int, list[Integers]]:
    """The bytes that one instruction moves for a lane, and the first byte of each lane for each instruction.

    A vector that is wider than an instruction is moved in several; on NVIDIA also one of which the compiler does not
    know that its address is a multiple of its size.
    """
    size, instruction = event.size, event.site.instruction
    if size <= 4 or instruction.opcode not in ("load", "store"):
        return size, [event.offsets]
    widest = _WIDEST
    if target.vendor == "nvidia":
        element = size // event.values.shape[1] if event.values.ndim > 1 else size
        widest = min(widest, max(element, instruction.attrs.get("align") or size))
    if size <= widest:
        return size, [event.offsets]
    return widest, [event.offsets + first for first in range(0, size, widest)]
