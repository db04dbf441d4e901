"""The GPU as the MAX engine shows it: buffers, events, launches, and a flush of its cache."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from harness.backends.engine import MaxEngine
from harness.bench.stats import StopRule, Timing, sample, summarise
from harness.bench.work import Periodic, Work
from harness.cases.check import which_fit

__all__ = ["LoadedGraph", "TimedGpu", "batch_of"]

# The engine's pool leaves room for the peers' own allocations (percent of the memory).
os.environ.setdefault("MODULAR_DEVICE_CONTEXT_MEMORY_MANAGER_SIZE_PERCENT", "40")
FLUSH_BYTES = 256 * 2**20  # each way; several times the L2 cache of any GPU so far
BATCH = 100  # calls between two events, for calls too short for one
HEAD_START = 20  # flushes: over 2 ms, in which the host enqueues a whole batch


class TimedGpu:
    """One accelerator, its default queue and what timing on it needs."""

    def __init__(self) -> None:
        from max.driver import Buffer, DeviceEvent
        from max.dtype import DType

        self.engine = MaxEngine(0)
        self.device = self.engine.device
        self.queue = self.device.default_queue
        self._start = DeviceEvent(self.device, enable_timing=True)
        self._end = DeviceEvent(self.device, enable_timing=True)
        self._float32 = DType.float32
        words = FLUSH_BYTES // 4
        self._flushed = [Buffer(DType.float32, [words], device=self.device) for _ in range(2)]
        self._buffer = Buffer

    @property
    def name(self) -> str:
        """The model, for people."""
        return f"{self.device.model_name} ({self.device.architecture_name})"

    @property
    def stream(self) -> int:
        """The queue's native handle: peers launch on the same one."""
        handle: int = self.queue.native_stream_handle
        return handle

    def empty(self, shape: Sequence[int], dtype: np.dtype) -> Any:
        """A buffer that holds NaN, or of integers -1, so that what is never written shows."""
        return self.upload(np.full(shape, np.nan if dtype.kind == "f" else -1, dtype))

    def upload(self, array: np.ndarray) -> Any:
        """A copy of an array in the GPU's memory."""
        return self._buffer.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def periodic(self, data: Periodic, elements: int) -> Any:
        """A long vector of the periodic data: uploaded once, then doubled in place."""
        vector = self._buffer(self._float32, [elements], device=self.device)
        filled = min(data.period, elements)
        vector[:filled].inplace_copy_from(self.upload(data.values[:filled]))
        while filled < elements:
            more = min(filled, elements - filled)
            vector[filled : filled + more].inplace_copy_from(vector[:more])
            filled += more
        self.device.synchronize()
        return vector

    def flush(self) -> None:
        """Enqueues a copy that leaves nothing else in the cache."""
        self._flushed[0].inplace_copy_from(self._flushed[1])

    def timed(self, call: Callable[[], object], calls: int = 1, flush: bool = True) -> float:
        """Microseconds of the GPU for each of `calls` calls, between two events on the queue.

        The flush before them also keeps the GPU busy while the host enqueues, so
        that the host's own time is not in the figure of a single call.
        """
        if flush:
            self.flush()
        self.queue.record_event(self._start)
        for _ in range(calls):
            call()
        self.queue.record_event(self._end)
        self._end.synchronize()
        milliseconds: float = self._start.elapsed_time(self._end)
        return milliseconds * 1000 / calls

    def cold(self, call: Callable[[], object], rule: StopRule | None = None) -> Timing:
        """A single call after a flush, by device events."""
        return sample(lambda: self.timed(call), rule)

    def busy(self, call: Callable[[], object], calls: int = BATCH) -> Timing:
        """Each of many calls in a row while the host is far ahead: the GPU's own time, by device events."""

        def once() -> float:
            for _ in range(HEAD_START):
                self.flush()
            return self.timed(call, calls, flush=False)

        return sample(once)

    def in_turns(self, calls: Sequence[Callable[[], object]], rounds: int = 500) -> list[Timing]:
        """Each of several calls that wait for their own end, in turns, by the host's clock.

        Whatever drifts meanwhile is the same for all.
        """
        taken: list[list[float]] = [[] for _ in calls]
        for _ in range(rounds):
            for call, times in zip(calls, taken, strict=True):
                started = time.perf_counter_ns()
                call()
                times.append((time.perf_counter_ns() - started) / 1000)
        return [summarise(times) for times in taken]

    def host(self, call: Callable[[], object], calls: int = BATCH) -> Timing:
        """Each of many calls in a row, by the host's clock, the last one awaited."""

        def once() -> float:
            started = time.perf_counter_ns()
            for _ in range(calls):
                call()
            self.device.synchronize()
            return (time.perf_counter_ns() - started) / 1000 / calls

        return sample(once)


def batch_of(milliseconds: float) -> int:
    """How many calls stand between two readings of a clock, where one takes so long: a twentieth of a second."""
    return max(1, min(BATCH, int(50 / milliseconds)))


class LoadedGraph:
    """A graph ready to run.

    Args:
        gpu: Where.
        work: What it computes.
        model: The initialised model.
        inputs: The input buffers, by tensor name.
        expected: The expected output, by tensor name.
        key: Of the captured graph, one for each copy of the buffers.
    """

    def __init__(
        self,
        gpu: TimedGpu,
        work: Work,
        model: Any,
        inputs: Mapping[str, Any],
        expected: Mapping[str, np.ndarray],
        key: int = 0,
    ) -> None:
        self.work, self._gpu, self._model, self._key = work, gpu, model, key
        self.expected = expected
        self.arguments = [
            inputs[tensor.name] if tensor.name in inputs else gpu.empty(tensor.shape, tensor.dtype)
            for tensor in work.tensors
        ]
        self._given = frozenset(inputs)
        self._captured = False

    @staticmethod
    def models(gpu: TimedGpu, path: Path) -> tuple[dict[str, Any], float]:
        """Every model of a MEF, and the milliseconds that loading took."""
        from max.engine import InferenceSession

        session = InferenceSession(devices=[gpu.device])
        started = time.perf_counter()
        models = dict(session.load_all(path))
        return models, (time.perf_counter() - started) * 1000

    def execute(self) -> None:
        """Enqueues one execution through the engine."""
        self._model.execute(*self.arguments)

    def awaited(self) -> None:
        """One execution through the engine, and its end."""
        self._model.execute(*self.arguments)
        self._gpu.device.synchronize()

    def harness(self) -> Callable[[], object]:
        """The same by the harness's own way, which is what the worker calls for a launch."""
        return partial(self._gpu.engine.run, self._model, self.arguments)

    def replay(self) -> None:
        """Enqueues one replay of the captured graph."""
        self._model.replay(self._key, *self.arguments)

    def bound(self) -> Callable[[], object]:
        """A replay without the checks of its arguments that the engine repeats each time.

        It is `Model.replay` after those checks, a private name of the pinned version.
        """
        return partial(self._model._replay, [self._key], self.arguments)

    def capture(self) -> None:
        """Records the launches; needed before `replay`."""
        if not self._captured:
            self._model.capture(self._key, *self.arguments)
            self._captured = True

    def first(self) -> float:
        """Milliseconds from the first call to its result."""
        started = time.perf_counter()
        self.execute()
        self._gpu.device.synchronize()
        return (time.perf_counter() - started) * 1000

    def wrong(self, *, once: bool = False) -> str:
        """Return how results differ from the expected ones, or an empty string.

        Args:
            once: Whether there was one execution: what is updated in place is looked at then alone.
        """
        self._gpu.device.synchronize()
        for tensor, buffer in zip(self.work.tensors, self.arguments, strict=True):
            if tensor.name not in self.expected or (tensor.name in self._given and not once):
                continue
            got, expected = buffer.to_numpy(), self.expected[tensor.name]
            right = which_fit(got, np.asarray(expected), self.work.entry.bound(tensor.name, "documented"))
            right |= np.broadcast_to(np.ma.getmaskarray(expected), got.shape).reshape(-1)  # that may hold anything
            if not right.all():
                wrong = int(np.count_nonzero(~right))
                return f"{self.work.graph}: {wrong} of {right.size} elements of {tensor.name} are wrong"
        return ""
