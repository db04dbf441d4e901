"""The child that runs kernels through the MAX engine.

It takes one message for each launch and answers with what the launch left
behind.  Before every phase it says which one begins, so that the parent can
name it when nothing more comes.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.backends import channel
from harness.backends.child import die_with_parent

__all__ = ["Answer", "Order", "Phase", "Ready"]


@dataclass(frozen=True, slots=True)
class Ready:
    """The device that the worker holds: its name, its interface and its architecture."""

    name: str
    api: str
    architecture: str


@dataclass(frozen=True, slots=True)
class Phase:
    """What begins now."""

    name: str


@dataclass(frozen=True, slots=True)
class Order:
    """One launch.

    Attributes:
        mef: The compiled artifact.
        graph: The model in it.
        arguments: In the op's order: (name, array, shape or None). With a
            shape the array is a flat arena, `guard` elements on both sides of
            a buffer of that shape; without, it is an input.
        guard: Elements of a guard.
    """

    mef: str
    graph: str
    arguments: tuple[tuple[str, np.ndarray, tuple[int, ...] | None], ...]
    guard: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a launch left behind.

    Attributes:
        arrays: Every argument afterwards, by name.
        traced: (kernel, grid, block) of each launch that the driver saw, or None.
        seconds: From the launch to the end of its synchronisation.
        error: The engine's text if it failed; the worker is of no use afterwards.
    """

    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    traced: tuple[tuple[str, tuple[int, int, int], tuple[int, int, int]], ...] | None = None
    seconds: float = 0.0
    error: str = ""


def main() -> None:
    """Serves launches until the channel closes or a launch fails."""
    incoming, outgoing, parent = map(int, sys.argv[1:4])
    die_with_parent(parent)
    engine = _Engine(sys.argv[4] == "gpu")
    channel.send(outgoing, engine.ready)
    while True:
        try:
            order = channel.receive(incoming)
        except channel.ClosedError:
            break
        try:
            answer = engine.launch(order, lambda name: channel.send(outgoing, Phase(name)))
        except Exception as error:
            # A fault of the device stays with the process: the parent starts another.
            channel.send(outgoing, Answer(error=_text(error)))
            break
        channel.send(outgoing, answer)
    os._exit(0)  # the runtime's own shutdown synchronises with a device that may be faulty


def _text(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    lines = f"{error}".strip().splitlines()
    return lines[0] if lines else repr(error)  # below are hints on how to debug the engine


class _Engine:
    """The device, the session and the models loaded so far."""

    def __init__(self, gpu: bool) -> None:
        from max import driver, engine

        self._driver, self._engine = driver, engine
        self._host = driver.CPU()
        self._gpu = gpu
        self._device = driver.Accelerator() if gpu else self._host
        self._session = engine.InferenceSession(devices=[self._device])
        self._models: dict[str, Any] = {}
        architecture = self._device.architecture_name if gpu else ""
        name = getattr(self._device, "model_name", "") if gpu else "host CPU"
        self.ready = Ready(name, self._device.api, architecture)

    def launch(self, order: Order, begin) -> Answer:
        """Executes one order; `begin` is told the name of each phase."""
        begin("load")
        if order.mef not in self._models:
            self._models[order.mef] = self._session.init_all(self._engine.read(order.mef))
        model = self._models[order.mef][order.graph]
        begin("copy in")
        buffers, arguments = {}, []
        for name, array, shape in order.arguments:
            buffer = self._driver.Buffer.from_numpy(np.array(array))
            buffers[name] = buffer = buffer.to(self._device) if self._gpu else buffer
            if shape is not None:
                middle = buffer[order.guard : array.size - order.guard]
                buffer = middle.view(buffer.dtype, shape)
            arguments.append(buffer)
        self._device.synchronize()
        begin("execute")
        if self._gpu:
            self._driver.begin_launch_trace()
        started = time.perf_counter()
        model.execute(*arguments)
        self._device.synchronize()
        seconds = time.perf_counter() - started
        traced = self._launches() if self._gpu else None
        begin("copy out")
        arrays = {name: np.array(buffer.to(self._host).to_numpy()) for name, buffer in buffers.items()}
        return Answer(arrays, traced, seconds)

    def _launches(self):
        kernel = self._driver.LaunchTraceEntry.OperationKind.KERNEL_LAUNCH
        return tuple(
            (one.name, (one.grid_x, one.grid_y, one.grid_z), (one.block_x, one.block_y, one.block_z))
            for one in self._driver.take_launch_trace()
            if one.kind == kernel
        )


if __name__ == "__main__":
    # Run as a script this module is `__main__`, but the messages name the importable one.
    from harness.backends.worker import main as served

    served()
