"""A second process of the simulator: it takes the last data sets of a case while this one begins with the first.

It starts while a compiler runs and is used from when it says that it is ready. What it makes of a launch is what this
process would make of it; where it is late, gone or busy with something else, the launch is made here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness.process import channel
from harness.process.child import Worker

if TYPE_CHECKING:  # they take the simulator along
    from harness.backends.base import Outcome
    from harness.backends.simulation import Simulation

__all__ = ["READY", "Second"]

WORKER = "harness.backends.simulator_worker"
READY = "ready"
LITTLE_BYTES = 1 << 20  # of inputs: what is larger is not copied to another process
LATE = 4.0  # times the limit of a launch: the other orders count too


class Second:
    """The parent's side; one launch at a time is made there."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._ready = False
        self._known: set[str] = set()  # the cases whose code it has
        self._busy: Simulation | None = None
        self._done: list[tuple[Simulation, Outcome]] = []

    def start(self) -> None:
        """Starts it, where there is a processor for it."""
        if _processors() > 1:
            self._worker = Worker(WORKER)

    def begin(self, ahead: Sequence[Simulation], code: str, files: Mapping[str, Path]) -> None:
        """Begins the last launch of those that are not made yet, if it is free.

        Args:
            ahead: Launches of one case that will be asked for, in order.
            code: LLVM IR of the case's kernel.
            files: The kernels' files by module.
        """
        self._collect()
        self._done = [made for made in self._done if ahead and made[0].case == ahead[0].case]
        left = [simulation for simulation in ahead if not any(_same(simulation, made) for made, _ in self._done)]
        if self._worker is None or not self._ready or self._busy is not None or not left:
            return
        wanted = left[-1]
        if sum(array.nbytes for array in wanted.dataset.inputs.values()) > LITTLE_BYTES:
            return
        text = None if wanted.case in self._known else code
        self._known.add(wanted.case)
        self._busy = wanted
        try:
            self._worker.send((wanted, text, dict(files)))
        except channel.ClosedError:
            self.close()

    def outcome(self, wanted: Simulation) -> Outcome | None:
        """What became of a launch that was begun there; None for any other, and if nothing came of it."""
        self._collect()
        if self._busy is not None and self._done and _same(self._busy, wanted):  # it has begun before this process
            self._receive(LATE * wanted.max_seconds)
        for place, (made, outcome) in enumerate(self._done):
            if _same(made, wanted):
                del self._done[place]
                return outcome
        return None

    def close(self) -> None:
        """Ends it."""
        if self._worker is not None:
            self._worker.close()
        self._worker = self._busy = None

    def _collect(self) -> None:
        """Takes what it has sent."""
        while self._worker is not None and self._worker.has_sent():
            self._receive(LATE)

    def _receive(self, seconds: float) -> None:
        assert self._worker is not None
        try:
            message = self._worker.receive(seconds)
        except (channel.ClosedError, channel.TimeUpError, channel.GarbageError):
            self.close()
            return
        if self._busy is None:
            self._ready = message == READY
        else:
            self._done.append((self._busy, message))
            self._busy = None


def _same(simulation: Simulation, other: Simulation) -> bool:
    """Whether two launches are the same, bit for bit."""
    if replace(simulation, dataset=other.dataset) != other or simulation.dataset.scalars != other.dataset.scalars:
        return False
    given, asked = simulation.dataset.inputs, other.dataset.inputs
    return given.keys() == asked.keys() and all(given[name].tobytes() == asked[name].tobytes() for name in asked)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
