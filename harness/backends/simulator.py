"""Executes the kernel's own compiled device code in the SIMT simulator."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from harness import simt
from harness.backends.base import Failure, Observed, Outcome, Request
from harness.backends.guarded import guarded, split
from harness.backends.memory_limit import too_large
from harness.build.device_code import unstaged
from harness.model.case import Case, Instance, Kernel, Launch
from harness.model.target import Target

__all__ = ["SimulatorBackend"]

SECONDS = 2.0  # for each of `CHUNK_LANES`, which run one after another; the puzzles take a tenth of it
CHUNK_LANES = 16384
TRIED = 2  # data sets with which an order is tried: each launch more is one that a learner waits for
COPIES = 12  # of a launch's buffers: themselves, and what the observers know of each byte


class SimulatorBackend:
    """Runs in this process: simulated memory cannot harm it, and budgets end a hang.

    Args:
        target: What the device code was compiled for.
        code: Of each launch of a case its LLVM IR, or its module decoded before, by case id.
        seed: Shuffles the order of blocks, warps and lanes; None for the
            deterministic order, and a few others where that is quick.
        observers: Makes fresh observers for each launch, as `harness.simt.observers` does.
        files: The kernels' files by module, to be named in what they print.
        recorders: Further observers of a step's first launch, by the step's number.
    """

    name = "simulator"
    executes_kernel = True

    def __init__(
        self,
        target: Target,
        code: Mapping[str, Sequence[str | simt.Module]],
        *,
        seed: int | None = None,
        observers: Callable[..., tuple[simt.Observer, ...]] = lambda **_: (),
        files: Mapping[str, Path] | None = None,
        recorders: Mapping[int, simt.Observer] | None = None,
    ) -> None:
        self.device = f"SIMT simulator, {target.warp_width} lanes a warp"
        self._target, self._code, self._seed, self._observers = target, code, seed, observers
        self._files, self._recorders = files or {}, recorders or {}
        self._modules: dict[str, list[simt.Module]] = {}

    def launch(self, request: Request) -> Outcome:
        """Executes one request on fresh memory, each step in a fixed order of the threads, and in others while that is
        quick; what a step left is what the next one finds.
        """
        case, instance = request.case, request.instance
        if failure := too_large(request, COPIES):
            return Outcome(failure=failure)
        before = request.dataset.inputs
        results = {
            tensor.name: guarded(tensor.shape, tensor.dtype, request.fill, content=before.get(tensor.name))
            for tensor in instance.results
        }
        inputs = {tensor.name: np.array(before[tensor.name]) for tensor in instance.inputs}
        given: dict[str, object] = dict(request.scalars)
        for tensor in instance.tensors:
            if not tensor.written:
                buffer = simt.Buffer(inputs[tensor.name], tensor.name, writable=False)
            else:
                values, _, _ = split(results[tensor.name], tensor.shape)
                held = tensor.given or request.fill == "zero"
                undefined = None if held else np.ones(values.nbytes, bool)
                buffer = simt.Buffer(values, tensor.name, undefined=undefined)
            given[tensor.name] = (buffer, *_layout(tensor.shape)) if tensor.form == "layout" else buffer
        done: list[simt.LaunchResult] = []
        kernels = [(number, step) for number, step in enumerate(case.steps) if isinstance(step, Kernel)]
        for (number, step), module in zip(kernels, self._modules_of(case), strict=True):
            launch = step.launch(instance.width)
            seconds = request.time_limit_seconds or _limit(launch)
            try:
                result = simt.launch_in_orders(
                    module,
                    target=self._target.name,
                    grid=launch.grid,
                    block=launch.block,
                    cluster=launch.cluster,
                    dynamic_shared_bytes=launch.shared_bytes,
                    args=[given[argument.name] for argument in instance.taken(step)],
                    observers=self._observing(number, request.counted),
                    seeds=_seeds(request),
                    options=simt.Options(seed=self._seed, max_seconds=seconds),
                )
            except simt.SimtError as error:
                return Outcome(failure=Failure("LAUNCH_ERROR", f"{step.name}: {error}"))
            done.append(result)
            failure = _failure(result, step.name)
            if failure or result.fault is not None:
                break  # what comes after it would work on what it left half done
        findings = [finding for result in done[:-1] for finding in result.findings if finding.kind != "never-written"]
        findings += done[-1].findings  # by now everything was to be written
        most = max(done, key=lambda result: result.orders)
        return Outcome(
            results={tensor.name: Observed(*split(results[tensor.name], tensor.shape)) for tensor in instance.results},
            inputs=inputs,
            run_seconds=sum(result.seconds for result in done),
            failure=failure,
            findings=tuple(self._at_home(finding) for finding in findings if _matters(finding, instance)),
            counters=tuple(result.counters for result in done),
            printed=tuple(unstaged(line, self._files) for result in done for line in result.printed),
            orders=most.orders,
            why_no_more=most.why_no_more,
        )

    def _observing(self, step: int, counted: bool) -> Callable[[], tuple[simt.Observer, ...]]:
        """Makes the observers of a step's launches; a recorder is for the first, which is in the fixed order."""
        once = [self._recorders[step]] if step in self._recorders else []

        def observers() -> tuple[simt.Observer, ...]:
            return (*([once.pop()] if once else ()), *self._observers(counters=counted))

        return observers

    def _at_home(self, finding: simt.Finding) -> simt.Finding:
        """The same finding; what a kernel printed before it ended itself names the kernel's file."""
        if "said" not in finding.values:
            return finding
        return replace(finding, values={**finding.values, "said": unstaged(finding.values["said"], self._files)})

    def close(self) -> None:
        """Holds nothing."""

    def _modules_of(self, case: Case) -> list[simt.Module]:
        """The module of each step's kernel."""
        if case.id not in self._modules:
            codes = self._code[case.id]
            self._modules[case.id] = [simt.decode(code) if isinstance(code, str) else code for code in codes]
        return self._modules[case.id]


def _layout(shape: tuple[int, ...]) -> tuple[int, ...]:
    """What a `LayoutTensor` holds beside its pointer: extents and strides, in elements, and those of an element."""
    strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
    return (*shape, *strides, 1, 1)


def _limit(launch: Launch) -> float:
    """The seconds that a launch of this size may take."""
    lanes = math.prod(launch.grid) * math.prod(launch.block)
    return SECONDS * -(-lanes // CHUNK_LANES)


def _seeds(request: Request) -> tuple[int, ...]:
    """The other orders to try: all, or where there are many data sets each order with `TRIED` of them."""
    if request.fill == "zero":  # only to be printed: the same data follows on poison
        return ()
    datasets, seeds = [dataset.name for dataset in request.instance.datasets], simt.SEEDS
    if len(datasets) < len(seeds) or request.dataset.name not in datasets:
        return seeds
    place = datasets.index(request.dataset.name)
    return (seeds[place % len(seeds)],) if place < TRIED * len(seeds) else ()


def _matters(finding: simt.Finding, instance: Instance) -> bool:
    """What scratch memory holds may depend on the order of the threads, and what is partly written has gaps."""
    gaps = {"order-dependent": "scratch", "never-written": "partial"}
    roles = {tensor.name: tensor.role for tensor in instance.results}
    return finding.kind not in gaps or roles.get(finding.argument or "") != gaps[finding.kind]


def _failure(result: simt.LaunchResult, kernel: str) -> Failure | None:
    if isinstance(result.fault, simt.BudgetExceeded | simt.Livelock):
        return Failure("TIMEOUT", f"{kernel}: {result.fault}")
    if result.verdict == "incomplete":
        return Failure("INCOMPLETE", f"{result.kernel}: {result.fault}")
    return None
