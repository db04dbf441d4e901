"""`InProcess` makes a `MaxBackend`'s launches in this process, on shared engines; device tensors are used in place.

Threads take turns. After a fault the GPU is lost to this process; without one, engines stay for the next launch.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.backends.base import Request
from harness.backends.inputs import check_device_tensor
from harness.backends.protocol import Argument, LaunchOrder, LaunchReply, Ready
from harness.errors import EnvironmentFault, UsageError
from harness.model.case import TensorArgument
from harness.model.lazy import LazyMapping

if TYPE_CHECKING:
    from harness.backends.engine import MaxEngine

__all__ = ["InProcess", "get_engine"]

# One engine for each device. The driver's launch trace and a staging buffer serve one
# caller at a time, so that threads take turns.
_engines: dict[int | None, MaxEngine] = {}
_lost: dict[int | None, str] = {}
_turn = threading.RLock()


def get_engine(gpu: int | None) -> MaxEngine:
    """Return the engine of a device, started when it is first asked for and kept for the process.

    Args:
        gpu: Its number, or None for the host CPU.

    Raises:
        EnvironmentFault: MAX does not start, or the process lost the device to an earlier fault.
    """
    with _turn:
        if gpu in _lost:
            raise EnvironmentFault(f"this process lost its GPU to an earlier fault ({_lost[gpu]}); restart it.")
        if gpu not in _engines:
            try:
                from harness.backends.engine import MaxEngine

                _engines[gpu] = MaxEngine(gpu)
            except Exception as error:  # of any kind: MAX is missing, or finds no such device
                raise EnvironmentFault(f"the MAX engine does not start here: {_first_line(error)}.") from None
        return _engines[gpu]


class InProcess:
    """The engine of a device in this process. A launch has no limit of time.

    Args:
        gpu: The number of the device, or None for the host CPU.
    """

    copies = 2  # as given, and as they come back

    def __init__(self, gpu: int | None) -> None:
        self._gpu = gpu

    def begin(self) -> None:
        """Does nothing: the engine would start in the caller's thread."""

    def ready(self) -> Ready:
        """Return the device; raises as `get_engine`."""
        return get_engine(self._gpu).ready

    def exchange(self, order: LaunchOrder, request: Request) -> tuple[LaunchReply]:
        """Launch once, with the order's first fill; results are brought to the host when they are first asked for.

        A fault is in the reply's `error`, not raised; after one outside the phase `load` a GPU is lost to this process.

        Raises:
            UsageError: A tensor cannot be used in place.
            EnvironmentFault: As for `get_engine`.
        """
        tensors = {tensor.name: tensor for tensor in request.instance.tensors}
        with _turn:
            gpu_engine = get_engine(self._gpu)
            arguments = tuple(
                _adopt_argument(argument, tensors[argument.name], gpu_engine) for argument in order.arguments
            )
            try:
                state = gpu_engine.execute(replace(order, arguments=arguments), order.fills[0])
                arrays = LazyMapping(state.buffers, lambda name: _download(gpu_engine, state.buffers[name]))
                for name in request.dataset.inputs:
                    arrays.get(name)  # at once: the caller may change its own arrays afterwards
            except Exception as error:  # MAX has no errors of its own for a fault of the device
                return (self._make_failed_reply(gpu_engine, request, error),)
        on_device = dict(zip(tensors, state.arguments[: len(tensors)], strict=True))  # behind them come the scalars
        return (LaunchReply(arrays, state.traced, state.seconds, buffers=on_device),)

    def close(self) -> None:
        """Does nothing: the engine stays for the next launch."""

    def _make_failed_reply(self, gpu_engine: MaxEngine, request: Request, error: Exception) -> LaunchReply:
        """Return the reply for an error; unless it came while loading, a GPU (not the CPU) is lost to this process."""
        from harness.backends.engine import format_reason

        reply = LaunchReply(error=format_reason(error), phase=gpu_engine.phase)
        if self._gpu is not None and gpu_engine.phase != "load":
            # It stays with the process: whatever is called later fails as well.
            _lost[self._gpu] = f"{request.case.id}: {request.case.kernel_names}: {reply.error}"
        return reply


def _download(gpu_engine: MaxEngine, buffer: Any) -> np.ndarray:
    with _turn:
        return gpu_engine.staging.download(buffer)


def _adopt_argument(argument: Argument, tensor: TensorArgument, gpu_engine: MaxEngine) -> Argument:
    """Return an argument that the engine takes: a device's tensor becomes a buffer over its memory, others stay.

    Raises UsageError if the tensor's shape, layout, device or element type is not what the case takes.
    """
    if argument.array is None or isinstance(argument.array, np.ndarray):
        return argument
    check_device_tensor(tensor.name, argument.array, tensor)
    try:
        adopted = gpu_engine.adopt(argument.array)
        dtype = adopted.dtype.to_numpy()
    except Exception as error:  # whatever the tensor's producer raises
        raise UsageError(f"input {tensor.name} cannot be used in place: {_first_line(error)}.") from None
    if dtype != tensor.dtype:
        raise UsageError(f"input {tensor.name} is {dtype}, but the case takes {tensor.dtype}: convert it there.")
    return replace(argument, array=adopted)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")
