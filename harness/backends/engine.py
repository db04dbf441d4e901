"""`MaxEngine`, MAX on one device: fill guarded buffers, run and repeat graphs, compare results, trace launches."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from harness.backends.guarded import POISON, Fill, make_guarded
from harness.backends.protocol import Argument, Around, LaunchOrder, LaunchReply, OnDevice, Ready
from harness.backends.staging import Staging

__all__ = ["MaxEngine", "format_reason"]

# Repetitions are for races. What takes this long has so many threads or so much memory that a race shows in few
# executions, and each other fill is one more. So none begins later than this after the first execution began, unless a
# result has differed: then all are made, and told of.
REPEAT_SECONDS = 0.05


def format_reason(error: BaseException) -> str:
    """Return the first line of the innermost `__cause__` of MAX's error, or that cause's `repr` if it has no text.

    For an error without a cause it is that of the error itself.
    """
    while error.__cause__ is not None:
        error = error.__cause__
    lines = f"{error}".strip().splitlines()
    return lines[0] if lines else repr(error)  # below are hints on how to debug the engine


class MaxEngine:
    """A device with a session on it and the graphs loaded so far.

    Args:
        gpu: Its number, or None for the host CPU.

    Attributes:
        device: The `max.driver` device.
        ready: What it runs on.
        phase: What it was doing last: load, copy in, prepare, execute,
            synchronize, repeat or copy out.
    """

    def __init__(self, gpu: int | None) -> None:
        from max import driver
        from max.dtype import DType

        self._driver, self._gpu = driver, gpu is not None
        self._host, self._dtypes = driver.CPU(), DType
        self.phase = "start"
        with ThreadPoolExecutor(1) as pool:
            # Making a GPU's context and importing the engine take 0.2 and 0.3 s: side by side.
            device = pool.submit(driver.Accelerator, gpu) if self._gpu else None
            from max import engine

            self.device = device.result() if device else self._host
        self._engine = engine
        self._session = engine.InferenceSession(devices=[self.device])
        self._models: dict[str, Any] = {}
        self.staging = Staging(self.device)
        self.ready = Ready(
            getattr(self.device, "model_name", "") if self._gpu else "host CPU",
            self.device.api,
            self.device.architecture_name if self._gpu else "",
        )

    def launch(self, order: LaunchOrder, begin: Callable[[str], None] = lambda _: None) -> Iterator[LaunchReply]:
        """Execute an order once for each initial content of results in `order.fills`; yield a reply for each.

        The first reply has all results, and names those that repetitions changed. A later reply has only results that
        differ from the first reply's bit for bit. Each also has the inputs that the kernel changed.

        Args:
            order: The order.
            begin: Called with the name of each phase that could hang, before the phase.

        Raises:
            Exception: Whatever MAX raises; `phase` says when. The device is of
                no use afterwards.
        """
        on_device: dict[str, Any] = {}
        device_copies: dict[str, Any] = {}
        known_arrays = {argument.name: argument.array for argument in order.arguments if argument.shape is None}
        for fill in order.fills:
            yield self._launch_on(order, fill, on_device, known_arrays, device_copies, begin)

    def _launch_on(
        self,
        order: LaunchOrder,
        fill: Fill,
        on_device: dict[str, Any],
        known_arrays: dict[str, Any],
        device_copies: dict[str, Any],
        begin: Callable[[str], None],
    ) -> LaunchReply:
        """Execute an order with one fill; reply with the arrays that `known_arrays` lacks, or has with other contents.

        An array that `known_arrays` lacks is added to it; if it is large and later results are compared with it, a copy
        of its buffer is added to `device_copies`. The buffer of an array that differs is removed from `on_device`, so
        that the next fill uploads it again. With the order's first fill alone the execution is then repeated.
        """
        again = order.repeats > 1 or len(order.fills) > 1
        state = self.execute(order, fill, begin, on_device)
        self._begin("copy out", begin)
        arrays = {}
        for name, buffer in state.buffers.items():
            if name not in known_arrays:
                arrays[name] = known_arrays[name] = self.staging.download(buffer)
                if order.compare is not None and again and known_arrays[name].nbytes >= 4 * order.compare.words:
                    device_copies[name] = buffer.copy()
            elif not self._is_same(order.compare, buffer, known_arrays[name], device_copies.get(name)):
                arrays[name] = self.staging.download(buffer)
                on_device.pop(name, None)  # it is given anew
        unstable = self._repeat(order, state, known_arrays, device_copies, begin) if fill == order.fills[0] else ()
        return LaunchReply(arrays, state.traced, state.seconds, unstable)

    def execute(
        self,
        order: LaunchOrder,
        fill: Fill,
        begin: Callable[[str], None] = lambda _: None,
        on_device: dict[str, Any] | None = None,
    ) -> OnDevice:
        """Execute one order once, without repetitions, and leave everything on the device; set `phase`.

        Only the execution and its synchronisation are timed. Raises as `launch`, also RuntimeError if `order.warmup`
        did not fill all shared memory.

        Args:
            order: The order.
            fill: What its results hold where they have no contents.
            begin: See `launch`.
            on_device: By name, buffers that still hold the order's contents. They are reused; buffers made here are
                added. A result without contents always gets a new buffer.
        """
        self._begin("load", begin)
        for helper in filter(None, (order.warmup, order.compare)):
            self._load_model(helper.mef, helper.graph)
        model = self._load_model(order.mef, order.graph)
        self._begin("copy in", begin)
        on_device = {} if on_device is None else on_device
        for argument in order.arguments:
            if argument.array is None or argument.name not in on_device:
                on_device[argument.name] = self._make_buffer(argument, order.guard, fill)
        again = order.repeats > 1 or len(order.fills) > 1
        results = [argument.name for argument in order.arguments if argument.shape is not None]
        pristine = {name: on_device[name] for name in results if again}
        buffers = {**on_device, **{name: buffer.copy() for name, buffer in pristine.items()}}
        arguments = []
        for argument in order.arguments:
            buffer = buffers[argument.name]
            if argument.shape is not None:
                end = order.guard + math.prod(argument.shape)
                buffer = buffer[order.guard : end].view(buffer.dtype, argument.shape)
            arguments.append(buffer)
        arguments += [self._driver.Buffer.from_numpy(np.asarray(scalar)) for scalar in order.scalars]
        self.device.synchronize()
        if order.warmup is not None:
            self._begin("prepare", begin)
            self._fill_shared(order.warmup, POISON[fill])
        self._begin("execute", begin)
        if self._gpu:
            self._driver.begin_launch_trace()
        started = time.perf_counter()
        buffers |= self._name_results(order, self.run(model, arguments))
        seconds = time.perf_counter() - started
        traced = self._take_trace() if self._gpu else None
        return OnDevice(buffers, model, arguments, pristine, traced, seconds)

    def _repeat(
        self,
        order: LaunchOrder,
        state: OnDevice,
        known_arrays: Mapping[str, Any],
        device_copies: Mapping[str, Any],
        begin: Callable[[str], None],
    ) -> tuple[str, ...]:
        """Return the names of results that a repetition leaves otherwise than the first execution.

        Executes up to `order.repeats - 1` times; resets results before each, not inputs. As long as no result differs,
        no further repetition begins once the first execution and the repetitions took `REPEAT_SECONDS` together. After
        a difference all are made.
        """
        unstable: dict[str, None] = {}
        ends = time.perf_counter() + REPEAT_SECONDS - state.seconds
        for _ in range(order.repeats - 1):
            if not unstable and time.perf_counter() > ends:
                break
            self._begin("repeat", begin)
            for name, pristine in state.pristine.items():
                state.buffers[name].inplace_copy_from(pristine)
            self.device.synchronize()  # on the host a copy is not ordered before what is executed next
            again = {**state.buffers, **self._name_results(order, self.run(state.model, state.arguments))}
            for name in (*state.pristine, *order.returned):
                if not self._is_same(order.compare, again[name], known_arrays[name], device_copies.get(name)):
                    unstable[name] = None
        return tuple(unstable)

    def _is_same(self, compare: Around | None, buffer: Any, array: np.ndarray, device_copy: Any) -> bool:
        """Return True if a buffer has an array's shape and equals it bit for bit; a copy on the device, if there is
        one, is compared there.
        """
        if compare is None or device_copy is None or tuple(buffer.shape) != array.shape:
            return self.staging.is_same(buffer, array)
        octets, words = self._dtypes.uint8, self._dtypes.uint32
        both = [operand.view(octets, [array.nbytes]) for operand in (buffer, device_copy)]
        step, model = 4 * compare.words, self._load_model(compare.mef, compare.graph)
        last = array.nbytes // step * step
        witness = self.staging.upload(np.zeros(compare.witnesses, np.uint32))
        for start in range(0, last, step):
            model.execute(witness, *(operand[start : start + step].view(words, [compare.words]) for operand in both))
        self.device.synchronize()
        if self.staging.download(witness).any():
            return self.staging.is_same(buffer, array)  # what is kept may be what a kernel wrote to behind its bounds
        rest = np.ascontiguousarray(array).reshape(-1).view(np.uint8)[last:]
        return not rest.size or self.staging.is_same(both[0][last:], rest)

    def adopt(self, tensor: Any) -> Any:
        """Return a buffer over the memory of a contiguous tensor that lies on this device.

        Its producer is told on which queue it will be read, so that whatever it
        has enqueued for the tensor is done by then.

        Raises:
            ValueError: The tensor lies on another device.
            Exception: Whatever its producer raises.
        """
        if not isinstance(tensor, self._driver.Buffer):
            tensor = self._driver.Buffer.from_dlpack(_OnQueue(tensor, self.device.default_queue))
        if tensor.device != self.device:
            raise ValueError(f"it lies on {tensor.device}, but the kernel runs on {self.device}")
        return tensor

    def _make_buffer(self, argument: Argument, guard: int, fill: Fill) -> Any:
        """Return a buffer on the device with an argument's contents; an argument that is a buffer is returned itself.

        A result is flat, with `guard` elements before and after it, and holds its own contents, or else the fill.
        Without contents and with fill `unset` it has no guards, and nothing is written to it. An input keeps its shape.
        """
        value = argument.array
        if isinstance(value, self._driver.Buffer):
            return value
        if argument.shape is not None:
            if value is None and fill == "unset":
                return self.staging.allocate((math.prod(argument.shape),), argument.dtype)
            if value is None and not self.device.is_host:
                return self.staging.make_guarded(argument.shape, argument.dtype, fill, guard)
            value = make_guarded(argument.shape, argument.dtype, fill, guard, value)
        return self.staging.upload(np.ascontiguousarray(value))

    def _begin(self, phase: str, begin: Callable[[str], None]) -> None:
        self.phase = phase
        begin(phase)

    def run(self, model: Any, arguments: list[Any]) -> list[Any]:
        """Execute a loaded model on buffers of its device, wait, return its results; set `phase` to `synchronize`."""
        returned: list[Any] = model.execute(*arguments)
        self.phase = "synchronize"  # where the device's own faults come to light
        self.device.synchronize()
        return returned

    def _name_results(self, order: LaunchOrder, returned: list[Any]) -> dict[str, Any]:
        """Return the results of an execution by name."""
        return dict(zip(order.returned, returned, strict=True))

    def _load_model(self, mef: str, graph: str) -> Any:
        if mef not in self._models:
            self._models[mef] = self._session.init_all(self._engine.read(mef))
        return self._models[mef][graph]

    def _fill_shared(self, warmup: Around, word: int) -> None:
        """Fill all shared memory with a word, and wait; RuntimeError if a multiprocessor was left out."""
        witness = self.staging.upload(np.zeros(warmup.witnesses, np.float32))
        pattern = self.staging.upload(np.array([word], np.uint32).view(np.float32))
        # Not `run`: a fault here is none of the kernel's, and the phase must say so.
        self._load_model(warmup.mef, warmup.graph).execute(witness, pattern)
        self.device.synchronize()
        if not (self.staging.download(witness) == 1).all():
            raise RuntimeError("the shared memory of some multiprocessor could not be filled")

    def _take_trace(self) -> tuple[tuple[str, tuple[int, int, int], tuple[int, int, int]], ...]:
        """End the driver's trace, and return the (kernel, grid, block) of each kernel launch in it, in order."""
        kernel = self._driver.LaunchTraceEntry.OperationKind.KERNEL_LAUNCH
        return tuple(
            (
                entry.name,
                (entry.grid_x, entry.grid_y, entry.grid_z),
                (entry.block_x, entry.block_y, entry.block_z),
            )
            for entry in self._driver.take_launch_trace()
            if entry.kind == kernel
        )


class _OnQueue:
    """A tensor whose memory is asked for on behalf of a queue.

    `Buffer.from_dlpack` names no queue, and then a producer such as torch orders
    its own work before the default stream, which MAX does not use.
    """

    def __init__(self, tensor: Any, queue: Any) -> None:
        self._tensor, self._stream = tensor, queue.native_stream_handle or None

    def __dlpack__(self, **options: Any) -> Any:
        return self._tensor.__dlpack__(**{**options, "stream": self._stream})

    def __dlpack_device__(self) -> Any:
        return self._tensor.__dlpack_device__()
