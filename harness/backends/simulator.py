"""`SimulatorBackend` runs a case in the simulator: kernels in several thread orders, host calls by `replay`."""

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
from harness.backends.calls import CallInputs, Calls, HostCalls
from harness.backends.done import StepOutcome
from harness.backends.elements import add_element_index
from harness.backends.guarded import make_guarded, split
from harness.backends.memory_limit import find_memory_failure
from harness.backends.replay import Replay
from harness.build.device_code import restore_paths
from harness.model.case import Case, Dataset, Instance, Kernel, ScalarArgument, TensorArgument
from harness.model.launch_plan import LaunchPlan
from harness.model.launcher import Launcher
from harness.model.verdict import Verdict
from harness.simt.observing.default import observers as default_observers
from harness.simt.options import Objects

__all__ = ["SimulatorBackend", "make_call_inputs"]

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

    def with_recorders(
        self,
        recorders: Mapping[int, simt.Observer],
        seed: int | None = None,
        beside: Callable[..., tuple[simt.Observer, ...]] = lambda **_: (),
    ) -> SimulatorBackend:
        """Return a copy of this backend whose only observers are `recorders` and `beside`: the usual checks, which were
        made before, are left out.

        The copy does not call a host function again if a call of it came to its end, with any data set: it repeats the
        launches of that call.

        Args:
            recorders: An observer by the step's number, for the first launch of the step.
            seed: The order of the threads; None for that of this backend.
            beside: Makes the observers of every launch; gets the keywords of `harness.simt.observers`.
        """
        other = copy(self)
        plan = self._launcher.plan if seed is None else replace(self._launcher.plan, seed=seed)
        other._launcher = replace(self._launcher, plan=plan, observe=beside)
        other._recorders, other._calls_again = recorders, False
        return other

    def launch(self, request: Request) -> Outcome:
        """Execute one request on fresh memory, each step in a fixed order of the threads, and in others while that is
        quick.

        A step's memory is the next one's; nothing runs after a step that failed, faulted or ended early. Elements that
        nobody wrote count only after the last step. Buffers that do not fit into memory, and launches that cannot be
        made, are failures without results.
        """
        case, instance = request.case, request.instance
        if failure := find_memory_failure(request, COPIES):
            return Outcome(failure=failure)
        memory = _allocate(instance, request.dataset, request.fill)
        outcomes: list[StepOutcome] = []
        for number, step in enumerate(case.steps):
            try:
                run = self._launch_kernel if isinstance(step, Kernel) else self._call_host
                outcomes.append(run(request, number, memory))
            except simt.SimtError as error:
                return Outcome(failure=Failure(Verdict.LAUNCH_ERROR, f"{step.name}: {error}"))
            if outcomes[-1].is_last:
                break  # what comes after it would work on what it left half done
        findings = [
            finding for outcome in outcomes[:-1] for finding in outcome.all_findings if finding.kind != "never-written"
        ]
        findings += outcomes[-1].all_findings  # by now everything was to be written
        launched = [result for outcome in outcomes for result in outcome.results]
        most = max(launched, key=lambda result: result.orders, default=None)
        return Outcome(
            results={
                tensor.name: Observed(*split(memory.results[tensor.name], tensor.shape)) for tensor in instance.results
            },
            inputs=memory.inputs,
            host_launches={
                number: outcome.launches for number, outcome in enumerate(outcomes) if outcome.launches is not None
            },
            run_seconds=sum(result.seconds for result in launched),
            failure=outcomes[-1].failure,
            findings=tuple(
                add_element_index(self._restore_paths(finding), instance)
                for finding in findings
                if _matters(finding, instance)
            ),
            counters=tuple(result.counters for result in launched),
            measured=tuple(measured for outcome in outcomes for measured in outcome.measured),
            printed=tuple(restore_paths(line, self._files) for outcome in outcomes for line in outcome.printed),
            orders=most.orders if most else 0,
            why_no_more=most.why_no_more if most else "",
        )

    def _launch_kernel(self, request: Request, number: int, memory: _Memory) -> StepOutcome:
        """Launch one step's kernel on the memory, in several orders of the threads; the first order's results stay.

        Its failure is a hang, or that the simulator cannot complete it; other faults are in the result. Raises
        SimtError if it cannot be launched.
        """
        case, instance = request.case, request.instance
        step = case.steps[number]
        assert isinstance(step, Kernel)
        launch = step.launch(instance.width)
        values: dict[str, object] = dict(request.scalars)
        for tensor in instance.tensors:
            buffer = memory.buffers[tensor.name]
            values[tensor.name] = (buffer, *_make_layout_fields(tensor.shape)) if tensor.form == "layout" else buffer
        result = self._launcher.launch(
            self._decode(case)[case.kernel_steps.index(step)],
            None,
            launch,
            [values[argument.name] for argument in instance.arguments_of(step)],
            observers=self._make_observers(number, request),
            options=self._launcher.options(launch.lanes, request.time_limit_seconds),
            seeds=request.seeds,
        )
        return StepOutcome([result], _find_failure(result, step.name), printed=result.printed, shapes=[launch])

    def _call_host(self, request: Request, number: int, memory: _Memory) -> StepOutcome:
        """Make the launches of a host function, as its own process reports them.

        Its failure is a malformed report, that of a launch, or the call's own. A LAUNCH_ERROR of the call is left out
        if a finding of severity `error` says why. Raises SimtError if a launch cannot be made.
        """
        assert self._calls is not None
        step = request.case.steps[number]
        earlier = None if self._calls_again else self._calls.find_completed(request.case, number)
        run = earlier or self._calls.run_call(
            request, number, lambda dataset: _make_inputs(request, number, dataset, memory)
        )
        report = run.report
        replay = Replay(
            launcher=self._launcher,
            arguments=_make_inputs(request, number, request.dataset, memory).buffers,
            kernels=run.kernels,
            observers=self._make_observers(number, request),
            options=self._launcher.options(1, request.time_limit_seconds),
            seeds=request.seeds,
        )
        try:
            replay.follow(report.journal)
        except ValueError as error:
            reason = f"{step.name}: its process told of what no device does ({error})"
            return StepOutcome(failure=Failure(Verdict.LAUNCH_ERROR, reason))
        failure = next(filter(None, (_find_failure(result, result.kernel) for result in replay.results)), None)
        findings, early = (
            (*map(replay.rename_buffers, report.findings), *replay.find_host_writes()),
            report.failure is not None,
        )
        shapes = [launch for _, launch in replay.launches]
        outcome = StepOutcome(replay.results, failure, findings, replay.launches, report.printed, early, shapes)
        wrong = any(finding.severity == "error" for finding in outcome.all_findings)
        broken = report.failure is not None and report.failure.kind == Verdict.LAUNCH_ERROR
        if failure or (wrong and broken):  # which says why, and where
            return outcome
        return replace(outcome, failure=report.failure)

    def _make_observers(self, step: int, request: Request) -> Callable[[], tuple[simt.Observer, ...]]:
        """Return a function that makes fresh observers, at its first call with the step's recorder, for the first
        launch.
        """
        once = [self._recorders[step]] if step in self._recorders else []
        counted = request.promised_counters(self._launcher.plan.target.vendor) if request.counted else None
        make = partial(self._launcher.observers, counters=request.counted, counted=counted, measured=request.counted)
        return lambda: (*([once.pop()] if once else ()), *make())

    def _restore_paths(self, finding: simt.Finding) -> simt.Finding:
        """Return the finding; if it quotes what a kernel printed, with the real file instead of the compiled copy."""
        if "said" not in finding.values:
            return finding
        return replace(finding, values={**finding.values, "said": restore_paths(finding.values["said"], self._files)})

    def close(self) -> None:
        """Do nothing: the simulator holds no process."""

    def _decode(self, case: Case) -> list[simt.Module]:
        """Return the module of each kernel that a case launches, in order; decoded once for each case id."""
        if case.id not in self._modules:
            codes = self._code[case.id]
            self._modules[case.id] = [simt.decode(code) if isinstance(code, str) else code for code in codes]
        return self._modules[case.id]


@dataclass(frozen=True, slots=True)
class _Memory:
    """The arrays that the steps of a case share.

    Attributes:
        results: By name, what a case writes, between its guards.
        inputs: By name, what it reads.
        buffers: All of these, as launches take them.
    """

    results: dict[str, np.ndarray]
    inputs: dict[str, np.ndarray]
    buffers: dict[str, simt.Buffer]


def _allocate(instance: Instance, dataset: Dataset, fill: str) -> _Memory:
    """Allocate memory for a data set: copies of its inputs, and results between guards.

    Results are undefined unless the data set has contents for them or `fill` is `zero`. Inputs are not writable.
    """
    memory = _Memory({}, {}, {})
    for tensor in instance.tensors:
        name, content = tensor.name, dataset.inputs.get(tensor.name)
        if not tensor.written:
            memory.inputs[name] = np.array(content)
            memory.buffers[name] = simt.Buffer(memory.inputs[name], name, writable=False)
            continue
        memory.results[name] = make_guarded(tensor.shape, tensor.dtype, fill, content=content)
        values, _, _ = split(memory.results[name], tensor.shape)
        is_initialised = tensor.has_data or fill == "zero"
        undefined = None if is_initialised else np.ones(values.nbytes, bool)
        memory.buffers[name] = simt.Buffer(values, name, undefined=undefined)
    return memory


def make_call_inputs(request: Request, number: int) -> CallInputs:
    """Return the arguments of a call that is independent of other steps, with the request's data set, in new memory."""
    return _make_inputs(request, number, request.dataset, _allocate(request.instance, request.dataset, request.fill))


def _make_inputs(request: Request, number: int, dataset: Dataset, memory: _Memory) -> CallInputs:
    """Return the arguments of step `number` with a data set: with the request's own they lie in `memory`, as the steps
    before left it; with another data set in new memory.
    """
    instance, step = request.instance, request.case.steps[number]
    call_memory = memory if dataset is request.dataset else _allocate(instance, dataset, request.fill)
    scalars = replace(request, dataset=dataset).scalars
    arguments = instance.arguments_of(step)
    return CallInputs(
        [call_memory.buffers[argument.name] for argument in arguments if isinstance(argument, TensorArgument)],
        [float(scalars[argument.name]) for argument in arguments if isinstance(argument, ScalarArgument)],
    )


def _make_layout_fields(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the fields of a `LayoutTensor` after its pointer: extents, row-major strides in elements, and 1, 1, the
    extent and stride within an element.
    """
    strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
    return (*shape, *strides, 1, 1)


def _matters(finding: simt.Finding, instance: Instance) -> bool:
    """Return False for two kinds of findings: `order-dependent` of a scratch buffer, `never-written` of partial output.

    True for all others, such as a race in scratch.
    """
    gaps = {"order-dependent": "scratch", "never-written": "partial"}
    roles = {tensor.name: tensor.role for tensor in instance.results}
    return finding.kind not in gaps or roles.get(finding.argument or "") != gaps[finding.kind]


def _find_failure(result: simt.LaunchResult, kernel: str) -> Failure | None:
    if isinstance(result.fault, simt.BudgetExceeded | simt.Livelock):
        return Failure(Verdict.TIMEOUT, f"{kernel}: {result.fault}")
    if result.verdict == simt.LaunchVerdict.INCOMPLETE:
        return Failure(Verdict.INCOMPLETE, f"{result.kernel}: {result.fault}")
    return None
