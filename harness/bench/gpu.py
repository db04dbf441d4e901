"""`TimedGpu` times calls by device events or the host's clock; `LoadedGraph` runs, replays and checks a graph."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from harness.backends.engine import MaxEngine
from harness.bench.stats import StopRule, Timing, summarise, take_samples
from harness.bench.work import BenchmarkGraph, Periodic
from harness.cases.check import compare_values

__all__ = ["LoadedGraph", "TimedGpu", "choose_batch"]

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
        """Make a buffer of NaN, or of -1 for integers, so that an element that is never written shows."""
        return self.upload(np.full(shape, np.nan if dtype.kind == "f" else -1, dtype))

    def upload(self, array: np.ndarray) -> Any:
        """Copy an array into the GPU's memory."""
        return self._buffer.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def periodic(self, data: Periodic, elements: int) -> Any:
        """Return a buffer with the periodic data repeated to so many elements, float32; waits until it is there."""
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
        """Enqueue a copy that leaves nothing else in the cache."""
        self._flushed[0].inplace_copy_from(self._flushed[1])

    def time_calls(self, call: Callable[[], object], calls: int = 1, flush: bool = True) -> float:
        """Time `calls` calls between two events on the queue; return the GPU's microseconds for each.

        The flush before them also keeps the GPU busy while the host enqueues, so that the host's own time is not in the
        figure of a single call. Without `flush` it may be, and the cache is warm.
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

    def time_cold(self, call: Callable[[], object], rule: StopRule | None = None) -> Timing:
        """Time a single call after a flush, by device events."""
        return take_samples(lambda: self.time_calls(call), rule)

    def time_on_device(self, call: Callable[[], object], calls: int = BATCH) -> Timing:
        """Time each of many calls in a row while the host is far ahead: the GPU's own time, by device events.

        A sample is the mean of `calls` calls, without a flush between them.
        """

        def once() -> float:
            for _ in range(HEAD_START):
                self.flush()
            return self.time_calls(call, calls, flush=False)

        return take_samples(once)

    def time_in_turns(self, calls: Sequence[Callable[[], object]], rounds: int = 500) -> list[Timing]:
        """Time several calls that wait for their own end, in turns, by the host's clock.

        Whatever drifts meanwhile is the same for all. Each is called `rounds` times, all of which count.
        """
        times_of_call: list[list[float]] = [[] for _ in calls]
        for _ in range(rounds):
            for call, times in zip(calls, times_of_call, strict=True):
                started = time.perf_counter_ns()
                call()
                times.append((time.perf_counter_ns() - started) / 1000)
        return [summarise(times) for times in times_of_call]

    def time_on_host(self, call: Callable[[], object], calls: int = BATCH) -> Timing:
        """Time each of many calls in a row, by the host's clock; wait for the last one.

        A sample is the mean of `calls` calls.
        """

        def once() -> float:
            started = time.perf_counter_ns()
            for _ in range(calls):
                call()
            self.device.synchronize()
            return (time.perf_counter_ns() - started) / 1000 / calls

        return take_samples(once)


def choose_batch(milliseconds: float) -> int:
    """Choose how many calls to time together, 1 to 100, from the milliseconds of one: at most 50 ms of them if that is
    possible.
    """
    return max(1, min(BATCH, int(50 / milliseconds))) if milliseconds > 0 else BATCH


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
        work: BenchmarkGraph,
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
        self._input_names = frozenset(inputs)
        self._is_captured = False

    @staticmethod
    def load_models(gpu: TimedGpu, path: Path) -> tuple[dict[str, Any], float]:
        """Load every model of a MEF; return them by name, with the milliseconds that loading took."""
        from max.engine import InferenceSession

        session = InferenceSession(devices=[gpu.device])
        started = time.perf_counter()
        models = dict(session.load_all(path))
        return models, (time.perf_counter() - started) * 1000

    def execute(self) -> None:
        """Enqueue one execution through the engine."""
        self._model.execute(*self.arguments)

    def execute_and_wait(self) -> None:
        """Execute once through the engine, and wait for the end."""
        self._model.execute(*self.arguments)
        self._gpu.device.synchronize()

    def bind_harness_run(self) -> Callable[[], object]:
        """Return a call that executes through the harness, as the worker does for a launch."""
        return partial(self._gpu.engine.run, self._model, self.arguments)

    def replay(self) -> None:
        """Enqueue one replay of the captured graph."""
        self._model.replay(self._key, *self.arguments)

    def bind_replay(self) -> Callable[[], object]:
        """Return a call that replays without the checks of arguments that the engine repeats each time.

        It is `Model.replay` after those checks, a private name of the pinned version.
        """
        return partial(self._model._replay, [self._key], self.arguments)

    def capture(self) -> None:
        """Capture the launches in a graph; needed before `replay`."""
        if not self._is_captured:
            self._model.capture(self._key, *self.arguments)
            self._is_captured = True

    def time_first(self) -> float:
        """Execute once and wait for the end; return the milliseconds that took. It is for the first execution."""
        started = time.perf_counter()
        self.execute()
        self._gpu.device.synchronize()
        return (time.perf_counter() - started) * 1000

    def describe_error(self, *, once: bool = False) -> str:
        """Return how many elements of the first wrong result are wrong, in words; empty if all is right. Waits for the
        GPU.

        Args:
            once: Whether there was exactly one execution; inputs updated in place are compared only then.
        """
        self._gpu.device.synchronize()
        for tensor, buffer in zip(self.work.tensors, self.arguments, strict=True):
            if tensor.name not in self.expected or (tensor.name in self._input_names and not once):
                continue
            actual, expected = buffer.to_numpy(), self.expected[tensor.name]
            right = compare_values(actual, np.asarray(expected), self.work.entry.tolerance(tensor.name, "documented"))
            right |= np.broadcast_to(np.ma.getmaskarray(expected), actual.shape).reshape(-1)  # that may hold anything
            if not right.all():
                wrong_count = int(np.count_nonzero(~right))
                return f"{self.work.graph}: {wrong_count} of {right.size} elements of {tensor.name} are wrong"
        return ""
