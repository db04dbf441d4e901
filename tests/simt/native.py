"""Runs the kernels of tests on an NVIDIA GPU too: `python -m pytest -n 0 -p tests.simt.native tests/simt/test_mma.py`.

A launch that is clean in the simulator is made anew on the GPU with the same arguments, and what the GPU leaves takes
the place of what the simulator left: so each test holds that against what it expects. At the end stands which launches
differed bit by bit, and which ones could not run there. What fails is tried once more without the driver's optimiser,
which has defects of its own. Launches run in a child process, which a time limit ends.
"""

from __future__ import annotations

import ctypes
import dataclasses
import multiprocessing
import os
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest

from harness import simt
from harness.simt.intrinsics.nvvm_tensor import REDUCTIONS
from harness.simt.ir.upgrade import to_accepted
from harness.simt.state.tensor_map import Box
from tests import cuda

__all__ = ["nobody_drives_the_gpu", "pytest_configure", "pytest_runtest_protocol", "pytest_terminal_summary"]

TARGETS = ("nvidia:sm_80", "nvidia:sm_90")
TIME_LIMIT_SECONDS = 20
KERNEL = re.compile(r"^define\b.*\bptx_kernel\b.*?@([\w.]+)\(", re.MULTILINE)
AGGREGATE = re.compile(r"^define\b.*\bptx_kernel\b.*?\([^)]*[<{]", re.MULTILINE)  # a parameter is a vector or a struct
BYVAL = "byval([128 x i8]) align 64"
REDUCED = re.compile(r"i64 0, i32 (\d), i1 false\)")


@dataclasses.dataclass(frozen=True, slots=True)
class _Launch:
    """A launch as it goes to the child: arrays are passed by address, or as tensors of a map, and bytes by value."""

    text: str
    kernel: str
    extents: tuple[int | Sequence[int], ...]
    arguments: tuple[np.ndarray | tuple[Box, np.ndarray] | bytes, ...]
    optimised: int = 4  # the level, from 0, of the driver's compiler
    shared: int = 0  # bytes of shared memory beside what the kernel declares


def _accepted(text: str) -> str:
    """IR as LLVM and its NVPTX back end take it, where Mojo's compiler has other words."""
    text = to_accepted(text)
    # The address of a parameter goes to the instruction, not that of a copy.
    text = text.replace(BYVAL, f'{BYVAL} "nvvm.grid_constant"')
    if found := REDUCED.search(text):  # the operation is an operand, not a part of the name
        text = text.replace("reduce.tile", f"reduce.{REDUCTIONS[int(found[1])]}.tile")
        text = text.replace(found[0], "i64 0, i1 false)").replace("i64, i32, i1)", "i64, i1)")
    return text


def _run(device: cuda.Device, launch: _Launch) -> tuple[list[np.ndarray | None], str]:
    """What a launch leaves in its arrays, and prints."""
    arrays, places, given = [], [], []
    for argument in launch.arguments:
        array = argument[1] if isinstance(argument, tuple) else argument
        arrays.append(array if isinstance(array, np.ndarray) else None)
        places.append(0 if arrays[-1] is None else device.upload(arrays[-1]))
        match argument:
            case bytes():
                given.append(argument)
            case tuple():
                given.append(device.tensor_map(argument[0], places[-1]))
            case _:
                given.append(struct.pack("<Q", places[-1]))
    grid, block, cluster = launch.extents
    with tempfile.TemporaryFile() as file:
        own = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            text = cuda.ptx(launch.text)
            device.launch(text, launch.kernel, grid, block, given, launch.optimised, cluster, launch.shared)
        finally:
            ctypes.CDLL(None).fflush(None)  # what kernels print goes through C's buffer
            os.dup2(own, 1)
            os.close(own)
        file.seek(0)
        printed = file.read().decode(errors="replace")
    for place, array in zip(places, arrays, strict=True):
        if array is not None:
            device.download(place, array)
    device.free([place for place in places if place])
    return arrays, printed


def _serve(ours: Connection) -> None:
    """Runs launches, until one fails: a GPU that reported a fault runs no more for this process."""
    device = cuda.Device()
    while True:
        launch = ours.recv()
        try:
            ours.send(_run(device, launch))
        except Exception as error:
            ours.send(f"{type(error).__name__}: {error}")
            return


class _Child:
    """The process that has the GPU; the next launch starts it anew if one has ended it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, launch: _Launch) -> tuple[list[np.ndarray | None], str] | str:
        """What the launch leaves and prints, or why there is nothing."""
        if self._process is None:
            self._ours, theirs = multiprocessing.Pipe()
            self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 - as long as the process
            command = [sys.executable, "-m", "tests.simt.native", str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=self._errors)
            theirs.close()
        try:
            self._ours.send(launch)
            if self._ours.poll(TIME_LIMIT_SECONDS):
                answer = self._ours.recv()
                if isinstance(answer, str):
                    self.end()
                return answer
            reason = f"did not end within {TIME_LIMIT_SECONDS} s"
        except (EOFError, OSError):
            self._process.wait()
            self._errors.seek(0)
            said = self._errors.read()
            found = re.search(r"LLVM ERROR: .*", said)
            reason = found[0] if found else said.strip().rpartition("\n")[2] or "its process ended"
        self.end()
        return reason

    def end(self) -> None:
        """Ends the process, and with it whatever runs on the GPU."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._ours.close()
            self._errors.close()
            self._process = None


_child = _Child()
_counts: Counter[str] = Counter()
_told: list[str] = []
_test, _left_out = "", False


def _tell(what: str, why: str = "") -> None:
    _counts[what] += 1
    if why:
        line = f"{_test}: {why}"
        if line not in _told:
            _told.append(line)


def _array(argument: Any) -> np.ndarray | None:
    return argument if isinstance(argument, np.ndarray) else getattr(argument, "array", None)


def _before(argument: Any) -> np.ndarray | tuple[Box, np.ndarray] | bytes | None:
    """An argument as it is before a launch; None for what is none of those that are known here."""
    array = _array(argument)
    if array is None:
        return argument.tobytes() if isinstance(argument, np.generic) else None
    if isinstance(argument, simt.TensorMap):
        box = Box.decode(argument.encode())
        return box and (box, array.copy())
    return array.copy() if array.flags.c_contiguous else None


_simulate = simt.launch


def _launch(ir: Any, **given: Any) -> simt.LaunchResult:
    """`simt.launch`, and then the GPU."""
    if given["target"] not in TARGETS or _left_out:
        return _simulate(ir, **given)
    before = tuple(map(_before, given["args"]))
    result = _simulate(ir, **given)
    names = [given["kernel"]] if given.get("kernel") else KERNEL.findall(ir) if isinstance(ir, str) else []
    known = len(names) == 1 and not AGGREGATE.search(ir) and all(argument is not None for argument in before)
    if result.verdict != "clean" or not known:
        _tell("not run: it is not clean, or its arguments are none of those known here")
        return result
    extents = tuple(given.get(name, 1) for name in ("grid", "block", "cluster"))
    launch = _Launch(_accepted(ir), names[0], extents, before, shared=given.get("dynamic_shared_bytes", 0))
    answer, how = _child.run(launch), ""
    if isinstance(answer, str):
        why = answer
        answer, how = _child.run(dataclasses.replace(launch, optimised=0)), ", where the driver does not optimise"
        if isinstance(answer, str):
            _tell("did not come through", answer)
            return result
        _tell("came through without the driver's optimiser alone", why)
    same = True
    for argument, left in zip(given["args"], answer[0], strict=True):
        if left is not None:
            array = _array(argument)
            same &= array.tobytes() == left.tobytes()
            array[...] = left
    _tell(f"the same bytes{how}" if same else f"other bytes{how}", "" if same else "other bytes than in the simulator")
    return dataclasses.replace(result, printed=(answer[1],)) if result.printed else result


def pytest_configure() -> None:
    """Puts the GPU behind every launch of the session."""
    simt.launch = _launch


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Notes which test is running."""
    global _test, _left_out
    _test, _left_out = item.nodeid, item.get_closest_marker("simulated") is not None
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tells what became of the launches."""
    terminalreporter.section("on the GPU")
    for line in _told:
        terminalreporter.write_line(line)
    for what, count in _counts.items():
        terminalreporter.write_line(f"{count} {what}")


@pytest.fixture(scope="module", autouse=True)
def nobody_drives_the_gpu(nobody_is_left_behind: None) -> Iterator[None]:
    """The child ends with the file, before it is looked whether any is left."""
    yield
    _child.end()


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])))
