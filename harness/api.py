"""Run kernels from Python on the caller's data: `harness.run`, `launch` and `empty`, and the `Result` of a run.

The kernel runs in the caller's process.  That spares copies between processes and
lets tensors stay on their device, but nothing shields the process: a kernel that
faults takes its context of the device with it, torch's and CuPy's too, and a
kernel that never ends is waited for without end.  The command line runs kernels in
a child, for code that is not trusted yet.

Results are not compared with an oracle, since the data may be anything; what is
wrong whatever the values should be is in `Result.problems`.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from harness import catalogue
from harness.backends import devices, in_process
from harness.backends.base import Backend, Outcome, Request
from harness.backends.inputs import convert_input, find_device, name_inputs
from harness.backends.max_backend import MaxBackend
from harness.build.graphs import build_graphs
from harness.build.hosts import explain_kernels_only
from harness.build.unit import Build
from harness.cases import check, kernel_launch, pipeline
from harness.cases.prepare import compile_cases, prepare_simulator
from harness.errors import EnvironmentFault, LaunchFault, UsageError
from harness.model.case import Case, Dataset
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources, find_reference
from harness.report.findings import make_renderer

__all__ = ["Result", "empty", "launch", "run"]

MOST_BYTES = 1 << 48  # of an array; no machine has them
SIMULATOR_SECONDS = 60.0  # a launch on a GPU has no limit here


class Result:
    """What a kernel left behind; made by `run`.

    Attributes:
        case: The case's id.
        backend: `max` on a GPU, `simulator`, or `cpu` for the sequential reference.
        device: What it ran on, for people.
        findings: What the simulator found; empty on other backends.
        seconds: From the launch to the end of its synchronisation.
        printed: The lines that the kernel printed, where that can be seen.
    """

    def __init__(self, request: Request, backend: Backend, outcome: Outcome, sources: Sources) -> None:
        self.case, self.backend, self.device = request.case.id, backend.name, backend.device
        self.findings, self.seconds, self.printed = outcome.findings, outcome.run_seconds, outcome.printed
        self._request, self._outcome, self._sources = request, outcome, sources
        self._changed = check.find_changed_inputs(request, outcome)  # now: the caller may change its arrays afterwards

    @cached_property
    def outputs(self) -> Mapping[str, np.ndarray]:
        """Outputs and scratch by name, on the host; brought there when first asked for."""
        return MappingProxyType({name: result.values for name, result in self._outcome.results.items()})

    @property
    def device_outputs(self) -> Mapping[str, Any]:
        """Outputs and scratch by name where the kernel left them, without a copy: MAX's buffers, which speak DLPack.

        They lie on the GPU, with backend `cpu` in the host's memory. The launch has ended, so any stream may read them.
        A caller that writes to them before the first use of `outputs` or `problems` sees its values there.

        Raises:
            UsageError: The case ran in the simulator.
        """
        if not self._outcome.buffers:
            raise UsageError("the simulator's results lie in the host's memory: use `outputs`.")
        return MappingProxyType(dict(self._outcome.buffers))

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """What is wrong whatever the values should be, in words; empty when all is well.

        Findings of the simulator of severity `warning` or worse, another launch than the documented one, writes
        outside a buffer, elements of an output that nobody wrote, and changed inputs (of those that came from the
        host).
        """
        problems = (*check.find_misbehaviour(self._request, self._outcome), *self._changed)
        return tuple(map(make_renderer(self._sources).line, problems))

    def __repr__(self) -> str:
        shapes = [f"{tensor.name} {tensor.dtype}{list(tensor.shape)}" for tensor in self._request.instance.results]
        return f"<Result of {self.case} on {self.device} ({self.backend}): {', '.join(shapes)}>"


def run(
    case: str | Case,
    inputs: Any,
    *,
    target: str | None = None,
    backend: str = "auto",
    kernels: str = "solutions",
    file: str | os.PathLike[str] | None = None,
) -> Result:
    """Runs a case's kernel on the caller's data, with the documented launch; its results are compared with nothing.

    What is wrong whatever the values should be is in `Result.problems`, and raises nothing. On a GPU a hang is waited
    for without end, and after a fault this process cannot use the GPU again.

    Args:
        case: The case's id, `p15` or `p26:pair-swap`, or the case itself.
        inputs: By name, or the one input of a case that has one. `harness.backends.inputs` says what may be given. A
            tensor that lies on the first GPU that this process sees (torch, CuPy, MAX) is used there; all else is
            copied.
        target: `vendor:architecture`; this machine's GPU, else `nvidia`, if None.
        backend: `auto`, `max`, `simulator` or `cpu`, as on the command line.
        kernels: `solutions` or `problems`.
        file: A kernel file of the caller's own, in place of `kernels`.

    Raises:
        UsageError: Unknown names, inputs that the case does not take, a backend that does not run the case, or data on
            another GPU than the first.
        CompileError: The kernel does not compile; has the compiler's lines.
        LaunchFault: The kernel faulted, or the simulator gave it up.
        EnvironmentFault: Nothing here can run it.
        ArtifactError: What was built does not fit the device or the catalogue.
    """
    entry = _case(case)
    sources = _sources(entry, kernels, file)
    plan = _plan(_text("target", target) if target is not None else None, _text("backend", backend))
    if plan.backend != "cpu" and (refusal := entry.refusal(plan.target)) is not None:
        raise EnvironmentFault(f"{entry.id} does not run on {plan.target}: {refusal}.")
    return _launched(entry, inputs, plan, sources)


def launch(
    file: str | os.PathLike[str],
    kernel: str,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    arguments: Mapping[str, Any] | Sequence[Any],
    *,
    cluster: int | Sequence[int] = 1,
    target: str | None = None,
    backend: str = "auto",
    parameters: Mapping[str, Any] | None = None,
    shared_bytes: int = 0,
) -> Result:
    """Launches any kernel of a Mojo file once, on NumPy arrays; its results are compared with nothing.

    Arrays are written in place where their types let the kernel write. In the simulator all checks are on. The file is
    compiled alone, without what lies beside it, and needs no `main`.

    Args:
        file: The Mojo file with the kernel, a function that belongs to no struct.
        kernel: The kernel's name.
        grid: Blocks in x, y and z (blocks, not clusters).
        block: Threads of a block in x, y and z.
        arguments: By name, or in the kernel's order. A `TileTensor`, a `LayoutTensor` or an `UnsafePointer` is a NumPy
            array, row by row; or `harness.simt.Buffer(array, initialised=False)` of one that the host has not written,
            and that the kernel is to write whole. A number is Python's or NumPy's.
        cluster: Blocks of a cluster in x, y and z.
        target: As in `run`.
        backend: `max` (a GPU), `simulator`, or `auto`: a GPU if there is one, else the simulator.
        parameters: By name, the kernel's compile-time parameters; element types and layouts follow from the arrays, and
            what has a default may be left out. A text is Mojo.
        shared_bytes: Dynamic shared memory of a block.

    Returns:
        What was left behind. What the simulator found is in its `findings` and `problems`, and raises nothing.

    Raises:
        UsageError: Unknown names, arguments that the kernel does not take, or a written array that shares memory.
        CompileError, LaunchFault, EnvironmentFault: As of `run`; the arrays are then as they were.
    """
    if _text("backend", backend) == "cpu":
        raise UsageError("a kernel is launched on a GPU or in the simulator: backend is auto, max or simulator.")
    try:
        path = Path(file)
    except TypeError:
        raise UsageError(f"file is a path, but got {type(file).__name__}.") from None
    shape = kernel_launch.make_geometry(grid, block, cluster, shared_bytes)
    wanted = kernel_launch.make_kernel_launch(path, _text("kernel", kernel), shape, arguments, parameters or {})
    plan = _plan(_text("target", target) if target is not None else None, backend)
    result = _launched(wanted.case, wanted.inputs, plan, wanted.sources)
    for name, array in wanted.arrays.items():
        array[...] = result.outputs[name]
    return result


def _launched(entry: Case, inputs: Any, plan: LaunchPlan, sources: Sources) -> Result:
    instance = entry.instance(plan.target.warp_width)
    given = name_inputs(inputs, instance.initialized)
    tensors = _tensors(given, plan) if plan.backend == "max" else {}
    arrays = {
        tensor.name: convert_input(tensor.name, given[tensor.name], tensor)
        for tensor in instance.initialized
        if tensor.name not in tensors
    }
    # Views: a data set freezes its arrays, and the caller's own must stay as they are.
    data = Dataset("given", {name: array.view() for name, array in arrays.items()}, "")
    request = Request(
        case=entry,
        instance=instance,
        dataset=data,
        tensors=tensors,
        counted=False,
    )
    chosen = _backend(entry, plan, sources)
    outcome = chosen.launch(request)
    if outcome.failure is not None:
        raise LaunchFault(f"{entry.id}: {outcome.failure.reason}")
    return Result(request, chosen, outcome, sources)


def empty(shape: int | Sequence[int], dtype: Any = np.float32) -> np.ndarray:
    """Returns an array that moves to the GPU without a copy on the host; its elements are not initialised.

    It lies in page-locked memory where `run` would take a GPU, and is an ordinary array elsewhere, as it is below a few
    pages. The first one starts the engine; the memory is given back with the last view of it.

    Raises:
        UsageError: An extent is negative or no whole number, or the type is not boolean, integer or floating-point.
        EnvironmentFault: There is no memory for it, or MAX does not start.
    """
    try:
        extents = tuple(map(operator.index, shape if isinstance(shape, Sequence) else (shape,)))
        kind = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError) as error:  # NumPy reads some names of types as Python does
        raise UsageError(f"no array of shape {shape!r} and type {dtype!r}: {error}.") from None
    if min(extents, default=0) < 0 or kind.kind not in "biuf":
        raise UsageError(f"no array of shape {extents} and type {kind}: it takes extents from 0 on, and real numbers.")
    size = math.prod(extents) * kind.itemsize
    if size >= MOST_BYTES:
        raise EnvironmentFault(
            f"no memory for an array of shape {extents} and type {kind}: it would have {size} bytes."
        )
    plan = _plan(None, "auto")
    try:
        if plan.backend != "max" or 0 in extents:
            return np.empty(extents, kind)
        return in_process.get_engine(plan.gpus[0]).staging.empty(extents, kind)
    except (MemoryError, RuntimeError, ValueError) as error:
        raise EnvironmentFault(f"no memory for an array of shape {extents} and type {kind}: {error}.") from None


@cache
def _plan(target: str | None, backend: str) -> LaunchPlan:
    # A process keeps its GPUs, and asking the driver for them takes longer than a launch.
    return replace(pipeline.plan(target, backend), launch_seconds=SIMULATOR_SECONDS)


def _case(case: Any) -> Case:
    return case if isinstance(case, Case) else catalogue.select_one_case(_text("case", case))


def _sources(case: Case, kernels: Any, file: Any) -> Sources:
    kind = _text("kernels", kernels)
    if file is None:
        return Sources(kind)
    try:
        return Sources(kind, {case.puzzle: Path(file)})
    except TypeError:
        raise UsageError(f"file is a path, but got {type(file).__name__}.") from None


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{name} is given by its name, but got {type(value).__name__}.")
    return value


def _tensors(inputs: Mapping[str, Any], plan: LaunchPlan) -> dict[str, Any]:
    """Return the inputs that lie on any GPU, by name and unchanged.

    Raises:
        UsageError: The first such input lies on another GPU than number 0, or there is no such input and the plan's
            first GPU is not number 0. The GPUs of further inputs are not checked.
    """
    places = {name: place for name, value in inputs.items() if (place := find_device(value)) is not None}
    gpu = next((number for _, number in places.values()), plan.gpus[0])
    if gpu != 0:
        raise UsageError(
            f"GPU {gpu} cannot be used here, since graphs are made for the first that a process sees: "
            f"set {devices.VISIBLE[plan.target.vendor]}={gpu} before Python starts, or move the data to GPU 0."
        )
    return {name: inputs[name] for name in places}


def _backend(entry: Case, plan: LaunchPlan, sources: Sources) -> Backend:
    """Compile the case, and return what executes it in this process.

    Raises:
        CompileError: The case does not compile.
        UsageError: The backend does not run such a case (one with host functions is for the simulator), or there is no
            reference for `cpu`.
    """
    build = Build(target=plan.target, sources=sources, reference=plan.backend == "cpu")
    if plan.backend == "simulator":
        compiled = compile_cases([entry], build)
        compiled.require(entry)
        return prepare_simulator([entry], plan, sources, compiled).backends[0]
    if entry.called:
        raise UsageError(f"{explain_kernels_only(f'backend {plan.backend}', entry)}: name the backend simulator.")
    target = plan.target if plan.backend == "max" else None
    if target is None and find_reference(entry) is None:
        raise UsageError(f"{entry.puzzle} has no reference.mojo that a processor could run: use another backend.")
    graphs = build_graphs([entry], build)
    if entry.id in graphs.errors:
        raise graphs.errors[entry.id]
    return MaxBackend(target, graphs, in_process.InProcess(plan.gpus[0] if target else None))
