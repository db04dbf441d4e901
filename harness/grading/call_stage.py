"""In a box of its own, natively runs a program that calls the host functions of a puzzle's file.

What runs there is a stranger's: it gets inputs, and tells what was done with the device. Neither a seed, nor an oracle,
nor a verdict is in there (`harness.grading.calls`).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from harness import simt
from harness.backends.calls import Given, Told
from harness.build.cache import Cache, key_of
from harness.build.hosts import HostProgram
from harness.grading.work import HostCode
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.process.child import Limits
from harness.process.stage import Stage
from harness.programs.called import called, compiled_of

__all__ = ["CALL_SECONDS", "LIMITS", "STAGE", "Call", "CallOrder", "Called", "DataSet", "main"]

# A puzzle's calls take a second of the processor each, with all data sets. By the clock there is room for each of them
# to come to its limit.
LIMITS = Limits(
    memory_bytes=2 << 30,
    cpu_seconds=30,
    file_bytes=64 << 20,
    open_files=256,
    processes=16,
    folder_bytes=256 << 20,
    seconds=400.0,
)
CALL_SECONDS = 60.0  # by the clock, of a call with all data sets


@dataclass(frozen=True, slots=True)
class DataSet:
    """What a call gets: of each buffer its bytes, and for each byte whether nobody has written it; and its numbers."""

    buffers: tuple[tuple[bytes, bytes], ...]
    scalars: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call, made with several data sets.

    Attributes:
        name: Of the function, for people.
        number: Of the call in its program.
        sets: The data.
    """

    name: str
    number: int
    sets: tuple[DataSet, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOrder:
    """A program and its calls.

    Attributes:
        program: From the compile stage.
        target: What its kernels are compiled for.
        calls: Each is made in a process of its own.
        limits: On all of it, and on each of these processes.
    """

    program: HostCode
    target: str
    calls: tuple[Call, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class Called:
    """What each call told for each data set, up to the first at which it failed."""

    told: tuple[tuple[Told, ...], ...]


STAGE = Stage(__name__, CallOrder, Called, most_bytes=64 << 20)


def main() -> None:
    """Does what the order asks."""
    STAGE.serve(_called)


def _called(order: CallOrder, folder: Path) -> Called:
    cache = Cache(folder / "cache")
    data = {"host": order.program.host, "kernels": json.dumps(dict(order.program.kernels)).encode()}
    blobs = cache.put(key_of({"kind": "program"}), data)
    limits, target = replace(order.limits, seconds=CALL_SECONDS), Target.parse(order.target)
    if made := order.program.machine_code:
        compiled_of(HostProgram(blobs["host"], blobs["kernels"], 0), target, cache).keep(zlib.decompress(made))
    told = []
    for call in order.calls:
        program = HostProgram(blobs["host"], blobs["kernels"], call.number)
        own = called(program, call.name, list(_given(call.sets)), target, cache, limits)
        told.append(tuple(map(_short, own)))
    return Called(tuple(told))


def _given(sets: Sequence[DataSet]) -> Iterator[Given]:
    for one in sets:
        buffers = (
            simt.Buffer(np.frombuffer(octets, np.uint8), str(number), undefined=np.frombuffer(undefined, bool))
            for number, (octets, undefined) in enumerate(one.buffers)
        )
        yield Given(tuple(buffers), one.scalars)


def _short(told: Told) -> Told:
    """Of a call that was ended what it did is not followed: it may have done it over and over."""
    return replace(told, journal=()) if told.failure and told.failure.kind != Verdict.LAUNCH_ERROR else told
