"""The sandboxed process that calls a puzzle's host functions natively: its order, reports, limits, entry point.

The program is a stranger's. It gets inputs, and reports what was done with the device. The sandbox holds no seed, no
oracle and no verdict. `calls` starts it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from harness import simt
from harness.backends.calls import CallInputs, CallReport
from harness.build.cache import Cache, make_key
from harness.build.hosts import HostProgram
from harness.grading.work import HostCode
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.process.child import Limits
from harness.process.stage import Stage
from harness.programs.host_calls import make_compiled, run_call

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
    """The inputs of a call: for each buffer its bytes and a mask of the uninitialised ones, and the numbers."""

    buffers: tuple[tuple[bytes, bytes], ...]
    scalars: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call, made with several data sets.

    Attributes:
        name: The name of the function, for people.
        number: The number of the call in its program.
        sets: The data.
    """

    name: str
    number: int
    sets: tuple[DataSet, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOrder:
    """A program and its calls.

    Attributes:
        program: The program, from the compile stage.
        target: The target of its kernels.
        calls: Each is made in a process of its own.
        limits: The limits of the stage, and of each of these processes.
    """

    program: HostCode
    target: str
    calls: tuple[Call, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class Called:
    """The reports of each call, one for each data set, up to the first that failed."""

    reports: tuple[tuple[CallReport, ...], ...]


STAGE = Stage(__name__, CallOrder, Called, most_bytes=64 << 20)


def main() -> None:
    """Serve one order: make its calls."""
    STAGE.serve(_run_calls)


def _run_calls(order: CallOrder, folder: Path) -> Called:
    cache = Cache(folder / "cache")
    data = {"host": order.program.host, "kernels": json.dumps(dict(order.program.kernels)).encode()}
    blobs = cache.put(make_key({"kind": "program"}), data)
    limits, target = replace(order.limits, seconds=CALL_SECONDS), Target.parse(order.target)
    if machine_code := order.program.machine_code:
        make_compiled(HostProgram(blobs["host"], blobs["kernels"], 0), target, cache).keep(
            zlib.decompress(machine_code)
        )
    reports = []
    for call in order.calls:
        program = HostProgram(blobs["host"], blobs["kernels"], call.number)
        reports_of_call = run_call(program, call.name, list(_inputs_of(call.sets)), target, cache, limits)
        reports.append(tuple(map(_without_repeated_work, reports_of_call)))
    return Called(tuple(reports))


def _inputs_of(sets: Sequence[DataSet]) -> Iterator[CallInputs]:
    for data_set in sets:
        buffers = (
            simt.Buffer(np.frombuffer(octets, np.uint8), str(number), undefined=np.frombuffer(undefined, bool))
            for number, (octets, undefined) in enumerate(data_set.buffers)
        )
        yield CallInputs(tuple(buffers), data_set.scalars)


def _without_repeated_work(report: CallReport) -> CallReport:
    """Return a report without its journal if the call failed, other than by LAUNCH_ERROR: it may repeat endlessly."""
    return replace(report, journal=()) if report.failure and report.failure.kind != Verdict.LAUNCH_ERROR else report
