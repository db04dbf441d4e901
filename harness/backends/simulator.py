"""Executes the kernel's own compiled device code in the SIMT simulator."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from harness import simt
from harness.backends.base import Failure, Observed, Outcome, Request
from harness.backends.calls import Calls, Given, HostCalls
from harness.backends.done import Done
from harness.backends.elements import by_element
from harness.backends.guarded import guarded, split
from harness.backends.memory_limit import too_large
from harness.backends.replay import Replay
from harness.build.device_code import restore_paths
from harness.model.case import Case, Dataset, Instance, Kernel, ScalarArgument, TensorArgument
from harness.model.launch_plan import LaunchPlan
from harness.model.launcher import Launcher
from harness.model.verdict import Verdict
from harness.simt.observing.default import observers as default_observers
from harness.simt.options import Objects

__all__ = ["SimulatorBackend", "given"]

COPIES = 12  # of a launch's buffers: themselves, and what the observers know of each byte


class SimulatorBackend:
    """Runs in this process: simulated memory cannot harm it, and budgets end a hang.

    Args:
        plan: What the code was compiled for, and how its launches are made.
        code: Of each launch of a case its LLVM IR, or its module decoded before, by case id.
        observers: Makes fresh observers for each launch, as `harness.simt.observers` does.
        files: The kernels' files by module, to be named in what they print.
        recorders: Further observers of a step's first launch, by the step's number.
        calls: Makes the calls of host functions.
        objects: Where machine code of kernels is kept; see `harness.simt.Options`.
    """

    name = "simulator"
    executes_kernel = True

    def __init__(
        self,
        plan: LaunchPlan,
        code: Mapping[str, Sequence[str | simt.Module]],
        *,
        observers: Callable[..., tuple[simt.Observer, ...]] = default_observers,
        files: Mapping[str, Path] | None = None,
        recorders: Mapping[int, simt.Observer] | None = None,
        calls: Calls | None = None,
        objects: Objects | None = None,
    ) -> None:
        self.device = f"SIMT simulator, {plan.target.warp_width} lanes a warp"
        self._launcher = Launcher(plan=plan, objects=objects, observe=observers)
        self._code, self._modules = code, dict[str, list[simt.Module]]()
        self._files, self._recorders = files or {}, recorders or {}
        self._calls = HostCalls(calls) if calls else None
        self._calls_again = True

    def watched(
        self,
        recorders: Mapping[int, simt.Observer],
        seed: int | None = None,
        beside: Callable[..., tuple[simt.Observer, ...]] = lambda **_: (),
    ) -> SimulatorBackend:
        """The same kernels, watched by some recorders alone: what is found of them was found before.

        Functions of the host are not called again: what they did with one data set is done with others.

        Args:
            recorders: By the step's number.
            seed: The order of the threads; None for that of this backend.
            beside: Makes observers of every launch.
        """
        other = copy(self)
        plan = self._launcher.plan if seed is None else replace(self._launcher.plan, seed=seed)
        other._launcher = replace(self._launcher, plan=plan, observe=beside)
        other._recorders, other._calls_again = recorders, False
        return other

    def launch(self, request: Request) -> Outcome:
        """Executes one request on fresh memory, each step in a fixed order of the threads, and in others while that is
        quick; what a step left is what the next one finds.
        """
        case, instance = request.case, request.instance
        if failure := too_large(request, COPIES):
            return Outcome(failure=failure)
        memory = _memory(instance, request.dataset, request.fill)
        done: list[Done] = []
        for number, step in enumerate(case.steps):
            try:
                run = self._launch_kernel if isinstance(step, Kernel) else self._call_host
                done.append(run(request, number, memory))
            except simt.SimtError as error:
                return Outcome(failure=Failure(Verdict.LAUNCH_ERROR, f"{step.name}: {error}"))
            if done[-1].ended:
                break  # what comes after it would work on what it left half done
        findings = [found for one in done[:-1] for found in one.all_findings if found.kind != "never-written"]
        findings += done[-1].all_findings  # by now everything was to be written
        launched = [result for one in done for result in one.results]
        most = max(launched, key=lambda result: result.orders, default=None)
        return Outcome(
            results={
                tensor.name: Observed(*split(memory.results[tensor.name], tensor.shape)) for tensor in instance.results
            },
            inputs=memory.inputs,
            made={number: one.made for number, one in enumerate(done) if one.made is not None},
            run_seconds=sum(result.seconds for result in launched),
            failure=done[-1].failure,
            findings=tuple(
                by_element(self._at_home(found), instance) for found in findings if _matters(found, instance)
            ),
            counters=tuple(result.counters for result in launched),
            measured=tuple(measured for one in done for measured in one.measured),
            printed=tuple(restore_paths(line, self._files) for one in done for line in one.printed),
            orders=most.orders if most else 0,
            why_no_more=most.why_no_more if most else "",
        )

    def _launch_kernel(self, request: Request, number: int, memory: _Memory) -> Done:
        case, instance = request.case, request.instance
        step = case.steps[number]
        assert isinstance(step, Kernel)
        launch = step.launch(instance.width)
        values: dict[str, object] = dict(request.scalars)
        for tensor in instance.tensors:
            buffer = memory.buffers[tensor.name]
            values[tensor.name] = (buffer, *_layout(tensor.shape)) if tensor.form == "layout" else buffer
        result = self._launcher.launch(
            self._decode(case)[case.kernel_steps.index(step)],
            None,
            launch,
            [values[argument.name] for argument in instance.arguments_of(step)],
            observers=self._observing(number, request),
            options=self._launcher.options(launch.lanes, request.time_limit_seconds),
            seeds=request.seeds,
        )
        return Done([result], _failure(result, step.name), printed=result.printed, shapes=[launch])

    def _call_host(self, request: Request, number: int, memory: _Memory) -> Done:
        """Make the launches of a host function, as its own process reports them."""
        assert self._calls is not None
        step = request.case.steps[number]
        known = None if self._calls_again else self._calls.known(request.case, number)
        run = known or self._calls.of(request, number, lambda dataset: _given(request, number, dataset, memory))
        told = run.told
        replay = Replay(
            launcher=self._launcher,
            given=_given(request, number, request.dataset, memory).buffers,
            kernels=run.kernels,
            observers=self._observing(number, request),
            options=self._launcher.options(1, request.time_limit_seconds),
            seeds=request.seeds,
        )
        try:
            replay.follow(told.journal)
        except ValueError as error:
            reason = f"{step.name}: its process told of what no device does ({error})"
            return Done(failure=Failure(Verdict.LAUNCH_ERROR, reason))
        failure = next(filter(None, (_failure(result, result.kernel) for result in replay.results)), None)
        findings, early = (*map(replay.named, told.findings), *replay.by_host()), told.failure is not None
        shapes = [launch for _, launch in replay.made]
        done = Done(replay.results, failure, findings, replay.made, told.printed, early, shapes)
        wrong = any(found.severity == "error" for found in done.all_findings)
        broken = told.failure is not None and told.failure.kind == Verdict.LAUNCH_ERROR
        if failure or (wrong and broken):  # which says why, and where
            return done
        return replace(done, failure=told.failure)

    def _observing(self, step: int, request: Request) -> Callable[[], tuple[simt.Observer, ...]]:
        """Return what makes the observers of a step's launches; a recorder is for the first, in the fixed order."""
        once = [self._recorders[step]] if step in self._recorders else []
        counted = request.promised_counters(self._launcher.plan.target.vendor) if request.counted else None
        make = partial(self._launcher.observers, counters=request.counted, counted=counted, measured=request.counted)
        return lambda: (*([once.pop()] if once else ()), *make())

    def _at_home(self, finding: simt.Finding) -> simt.Finding:
        """The same finding; what a kernel printed before it ended itself names the kernel's file."""
        if "said" not in finding.values:
            return finding
        return replace(finding, values={**finding.values, "said": restore_paths(finding.values["said"], self._files)})

    def close(self) -> None:
        """Holds nothing."""

    def _decode(self, case: Case) -> list[simt.Module]:
        """Return the module of each kernel that a case launches."""
        if case.id not in self._modules:
            codes = self._code[case.id]
            self._modules[case.id] = [simt.decode(code) if isinstance(code, str) else code for code in codes]
        return self._modules[case.id]


@dataclass(frozen=True, slots=True)
class _Memory:
    """What the steps work on.

    Attributes:
        results: By name, what a case writes, between its guards.
        inputs: By name, what it reads.
        buffers: All of these, as launches take them.
    """

    results: dict[str, np.ndarray]
    inputs: dict[str, np.ndarray]
    buffers: dict[str, simt.Buffer]


def _memory(instance: Instance, dataset: Dataset, fill: str) -> _Memory:
    """Fresh memory: what a data set gives, and what nobody has written yet."""
    before = dataset.inputs
    results = {
        tensor.name: guarded(tensor.shape, tensor.dtype, fill, content=before.get(tensor.name))
        for tensor in instance.results
    }
    inputs = {tensor.name: np.array(before[tensor.name]) for tensor in instance.inputs}
    buffers = {}
    for tensor in instance.tensors:
        if not tensor.written:
            buffers[tensor.name] = simt.Buffer(inputs[tensor.name], tensor.name, writable=False)
        else:
            values, _, _ = split(results[tensor.name], tensor.shape)
            held = tensor.has_data or fill == "zero"
            undefined = None if held else np.ones(values.nbytes, bool)
            buffers[tensor.name] = simt.Buffer(values, tensor.name, undefined=undefined)
    return _Memory(results, inputs, buffers)


def given(request: Request, number: int) -> Given:
    """What a call that is on its own gets with the data set of a request, whoever makes the call."""
    return _given(request, number, request.dataset, _memory(request.instance, request.dataset, request.fill))


def _given(request: Request, number: int, dataset: Dataset, memory: _Memory) -> Given:
    """What a call gets with a data set: with that of the request what the steps before it left."""
    instance, step = request.instance, request.case.steps[number]
    own = memory if dataset is request.dataset else _memory(instance, dataset, request.fill)
    scalars = replace(request, dataset=dataset).scalars
    taken = instance.arguments_of(step)
    return Given(
        [own.buffers[argument.name] for argument in taken if isinstance(argument, TensorArgument)],
        [float(scalars[argument.name]) for argument in taken if isinstance(argument, ScalarArgument)],
    )


def _layout(shape: tuple[int, ...]) -> tuple[int, ...]:
    """What a `LayoutTensor` holds beside its pointer: extents and strides, in elements, and those of an element."""
    strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
    return (*shape, *strides, 1, 1)


def _matters(finding: simt.Finding, instance: Instance) -> bool:
    """What scratch memory holds may depend on the order of the threads, and what is partly written has gaps."""
    gaps = {"order-dependent": "scratch", "never-written": "partial"}
    roles = {tensor.name: tensor.role for tensor in instance.results}
    return finding.kind not in gaps or roles.get(finding.argument or "") != gaps[finding.kind]


def _failure(result: simt.LaunchResult, kernel: str) -> Failure | None:
    if isinstance(result.fault, simt.BudgetExceeded | simt.Livelock):
        return Failure(Verdict.TIMEOUT, f"{kernel}: {result.fault}")
    if result.verdict == simt.LaunchVerdict.INCOMPLETE:
        return Failure(Verdict.INCOMPLETE, f"{result.kernel}: {result.fault}")
    return None
