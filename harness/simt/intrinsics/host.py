"""Traps, and calls that a kernel makes to the host: printing, freeing."""

import re
import struct
from typing import Any

import numpy as np

from harness.simt.compile.registry import ignored, stateful
from harness.simt.intrinsics.handlers import Given, Marks, Result
from harness.simt.ir.site import Site
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

ignored("free")
CONVERSION = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?(hh|h|ll|l|z|j|t)?([diouxXcsfFeEgGp%])")
SHORT = {"h": 16, "hh": 8}  # bits of a number that was passed as 32
TEXT_LIMIT = 1 << 16


@stateful("llvm.trap", "llvm.ubsantrap", "abort")
def trap(engine: Engine, lanes: LaneSet, site: Site, _values: Given, _taints: Marks) -> Result:
    """Ends the launch."""
    last = engine.host.printed[-lanes.n :]
    if last:
        engine.observation.fail("trap.printed", (site,), lanes, said=last[0].strip())
    engine.observation.fail("trap.silent", (site,), lanes)
    return None, None


@stateful("llvm.debugtrap")
def stop_for_debugger(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """Ends the launch, as there is no debugger; on AMD it goes on then.

    See: https://llvm.org/docs/AMDGPUUsage.html#trap-handler-abi
    """
    return (None, None) if engine.target.vendor == "amd" else trap(engine, lanes, site, values, taints)


def text_at(engine: Engine, pointer: int, row: int) -> str:
    """A C string of one lane's view of memory."""
    allocation = engine.memory.find(pointer)
    if allocation is None:
        return "<bad pointer>"
    start = pointer - allocation.base
    if allocation.rows != "grid":
        start += row * allocation.stride
    data = allocation.data[start : start + TEXT_LIMIT].tobytes()
    return data.split(b"\0")[0].decode(errors="replace")


@stateful("vprintf", exact=False)
def print_formatted(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """`printf` with its arguments packed in memory, each at its own alignment; gives how many they are.

    See: https://docs.nvidia.com/cuda/cuda-c-programming-guide/#formatted-output
    """
    formats, packed = (np.broadcast_to(value, (lanes.n,)) for value in values)
    counts = np.zeros(lanes.n, np.int32)
    pairs = zip(formats.tolist(), packed.tolist(), lanes.idx.tolist(), strict=True)
    for position, (at, args, lane) in enumerate(pairs):
        text, counts[position] = _formatted(engine, text_at(engine, at, lane), args, lane)
        engine.host.printed.append(text)
    return counts, None


def _formatted(engine: Engine, template: str, args: int, lane: int) -> tuple[str, int]:
    """The text, and how many arguments it took."""
    allocation = engine.memory.find(args)
    data, offset, taken = b"", 0, 0
    if allocation is not None:
        start = args - allocation.base
        if allocation.rows != "grid":
            start += lane * allocation.stride
        data = allocation.data[start:].tobytes()[:4096]

    def take(code: str, size: int) -> Any:
        nonlocal offset, taken
        taken += 1
        offset = -(-offset // size) * size
        value = struct.unpack_from(code, data, offset)[0]
        offset += size
        return value

    def replace(match: re.Match[str]) -> str:
        length, kind = match.groups()
        if kind == "%":
            return "%"
        plain: str = match.group().replace(length or "\0", "", 1)
        if kind == "s":
            return plain % text_at(engine, take("<q", 8), lane)
        if kind in "fFeEgG":
            return str(plain % take("<d", 8))
        if kind == "p":
            return f"{take('<Q', 8):#x}"
        wide = length in ("ll", "l", "z", "j", "t")
        signed = kind in "dic"
        code = ("<q" if signed else "<Q") if wide else ("<i" if signed else "<I")
        plain = plain[:-1] + "d" if kind == "u" else plain
        value = take(code, 8 if wide else 4)
        if bits := SHORT.get("hh" if kind == "c" else length):
            value &= (1 << bits) - 1
            value -= (value >> bits - 1 << bits) if kind in "di" else 0
        return plain % (chr(value) if kind == "c" else value)

    return CONVERSION.sub(replace, template), taken


@stateful("__mojo_metal_os_log_64", exact=False)
def log_metal(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """Metal's log of one message of text."""
    pointers = np.broadcast_to(values[0], (lanes.n,))
    for pointer, lane in zip(pointers.tolist(), lanes.idx.tolist(), strict=True):
        engine.host.printed.append(text_at(engine, pointer, lane))
    return None, None
