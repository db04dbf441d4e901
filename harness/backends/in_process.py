"""Launches in this process, through engines that stay for the next one."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.backends.base import Observed, Outcome, Request
from harness.backends.guarded import GUARD_ELEMENTS, guarded, split
from harness.backends.inputs import check_device_tensor
from harness.backends.messages import Argument, LaunchOrder
from harness.build.graphs import Artifact
from harness.build.unit import parameters_of
from harness.errors import ArtifactError, EnvironmentFault, LaunchFault, UsageError
from harness.model.case import Buffer, Instance, Launch
from harness.model.target import Target

if TYPE_CHECKING:
    from harness.backends.engine import Engine, OnDevice

__all__ = ["Launched", "engine", "launch"]

# One engine for each device. The driver's launch trace and a staging buffer serve one
# caller at a time, so that threads take turns.
_engines: dict[int | None, Engine] = {}
_lost: dict[int | None, str] = {}
_turn = threading.RLock()


@dataclass(frozen=True, slots=True)
class Launched:
    """A launch that has ended; what it left is still on the device.

    Attributes:
        device: For people.
        buffers: Outputs and scratch by name, as MAX's buffers.
        seconds: From the launch to the end of its synchronisation.
        inputs: Those that came from the host, as they are afterwards.
    """

    device: str
    buffers: Mapping[str, Any]
    seconds: float
    inputs: Mapping[str, np.ndarray]
    _engine: Engine
    _held: OnDevice
    _sized: Instance

    def observe(self) -> Outcome:
        """Brings the results, with the guard words around them, to the host."""
        results = {}
        with _turn:
            for buffer in self._sized.results:
                arena = self._engine.staging.download(self._held.buffers[buffer.name])
                results[buffer.name] = Observed(*split(arena, buffer.shape))
        traced = None
        if self._held.traced is not None:
            traced = tuple((name, Launch(grid=grid, block=block)) for name, grid, block in self._held.traced)
        return Outcome(results=results, traced=traced, run_seconds=self.seconds)


def engine(gpu: int | None) -> Engine:
    """The engine of a device, started when it is first asked for.

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
                from harness.backends.engine import Engine

                _engines[gpu] = Engine(gpu)
            except Exception as error:  # of any kind: MAX is missing, or finds no such device
                raise EnvironmentFault(f"the MAX engine does not start here: {_first_line(error)}.") from None
        return _engines[gpu]


def launch(
    request: Request, artifact: Artifact, target: Target | None, tensors: Mapping[str, Any], gpu: int | None
) -> Launched:
    """Executes a request once.

    Args:
        request: Its data set holds the inputs that come from the host.
        artifact: What was built for the case.
        target: What for; None for the reference on the host CPU.
        tensors: The other inputs, which lie on the device already.
        gpu: The number of the device, or None for the host CPU.

    Raises:
        UsageError: A tensor cannot be used in place.
        LaunchFault: The launch failed; names case, kernel, error and phase.
        ArtifactError: The artifact does not fit the device or the request.
        EnvironmentFault: As `engine`.
    """
    case, instance = request.case, request.instance
    if parameters_of(instance) != artifact.parameters:
        raise ArtifactError(
            f"{case.id} was built with {dict(artifact.parameters)}, but is asked to run with {parameters_of(instance)}."
        )
    with _turn:
        gpu_engine = engine(gpu)
        ready = gpu_engine.ready
        if target is not None and (ready.api != target.max_api or not target.fits(ready.architecture)):
            where = f"{ready.name} ({ready.architecture})"
            raise ArtifactError(f"{case.id} was built for {target}, but the device is {where}.")
        order = LaunchOrder(str(artifact.mef), artifact.graph, _arguments(request, tensors, gpu_engine), GUARD_ELEMENTS)
        try:
            held = gpu_engine.execute(order)
            # At once: the caller may change the arrays afterwards.
            after = {name: gpu_engine.staging.download(held.buffers[name]) for name in request.dataset.inputs}
        except Exception as error:  # MAX has no errors of its own for a fault of the device
            raise _fault(request, gpu_engine, gpu, error) from None
    buffers = dict(zip((buffer.name for buffer in instance.buffers), held.arguments, strict=True))
    return Launched(
        device=f"{ready.name} ({ready.architecture})" if target else "host CPU, sequential reference",
        buffers={buffer.name: buffers[buffer.name] for buffer in instance.results},
        seconds=held.seconds,
        inputs=after,
        _engine=gpu_engine,
        _held=held,
        _sized=instance,
    )


def _arguments(request: Request, tensors: Mapping[str, Any], gpu_engine: Engine) -> tuple[Argument, ...]:
    arguments = []
    for buffer in request.instance.buffers:
        name, shape = buffer.name, buffer.shape
        if buffer.role != "input":
            arguments.append(Argument(name, guarded(shape, buffer.dtype, request.fill), shape))
        elif name in tensors:
            arguments.append(Argument(name, _adopted(tensors[name], buffer, gpu_engine)))
        else:
            arguments.append(Argument(name, request.dataset.inputs[name]))
    return tuple(arguments)


def _adopted(tensor: Any, buffer: Buffer, gpu_engine: Engine) -> Any:
    check_device_tensor(buffer.name, tensor, buffer)
    try:
        adopted = gpu_engine.adopt(tensor)
        dtype = adopted.dtype.to_numpy()
    except Exception as error:  # whatever the tensor's producer raises
        raise UsageError(f"input {buffer.name} cannot be used in place: {_first_line(error)}.") from None
    if dtype != buffer.dtype:
        raise UsageError(f"input {buffer.name} is {dtype}, but the case takes {buffer.dtype}: convert it there.")
    return adopted


def _fault(request: Request, gpu_engine: Engine, gpu: int | None, error: Exception) -> LaunchFault:
    from harness.backends.engine import reason

    said = f"{request.case.id}: {request.case.kernel}: {reason(error)} (phase: {gpu_engine.phase})"
    if gpu is not None and gpu_engine.phase != "load":
        _lost[gpu] = said  # it stays with the process: whatever is called later fails as well
    return LaunchFault(said)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")
