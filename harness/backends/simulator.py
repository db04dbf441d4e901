"""Executes the kernel's own compiled device code in the SIMT simulator."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from harness import simt
from harness.backends.base import Failure, Observed, Outcome, Request
from harness.backends.guarded import guarded, split
from harness.backends.memory_limit import too_large
from harness.build.device_code import unstaged
from harness.model.case import Instance, ScalarArgument
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
        code: LLVM IR of each case's kernel, or its module decoded before, by case id.
        seed: Shuffles the order of blocks, warps and lanes; None for the
            deterministic order, and a few others where that is quick.
        observers: Makes fresh observers for each launch, as `harness.simt.observers` does.
        files: The kernels' files by module, to be named in what they print.
    """

    name = "simulator"
    executes_kernel = True

    def __init__(
        self,
        target: Target,
        code: Mapping[str, str | simt.Module],
        *,
        seed: int | None = None,
        observers: Callable[..., tuple[simt.Observer, ...]] = lambda **_: (),
        files: Mapping[str, Path] | None = None,
    ) -> None:
        self.device = f"SIMT simulator, {target.warp_width} lanes a warp"
        self._target, self._code, self._seed, self._observers = target, code, seed, observers
        self._files = files or {}
        self._modules: dict[str, simt.Module] = {}

    def launch(self, request: Request) -> Outcome:
        """Executes one request on fresh memory: in a fixed order of the threads, and in others while that is quick."""
        case, instance = request.case, request.instance
        if failure := too_large(request, COPIES):
            return Outcome(failure=failure)
        results = {tensor.name: guarded(tensor.shape, tensor.dtype, request.fill) for tensor in instance.results}
        inputs = {name: np.array(array) for name, array in request.dataset.inputs.items()}
        args: list[object] = []
        for argument in instance.arguments:
            if isinstance(argument, ScalarArgument):
                args.append(request.scalars[argument.name])
            elif argument.role == "input":
                args.append(simt.Buffer(inputs[argument.name], argument.name, writable=False))
            else:
                values, _, _ = split(results[argument.name], argument.shape)
                written = request.fill == "zero"
                args.append(simt.Buffer(values, argument.name, initialised=written))
        try:
            result = simt.launch_in_orders(
                self._module(case.id),
                target=self._target.name,
                grid=instance.launch.grid,
                block=instance.launch.block,
                cluster=instance.launch.cluster,
                dynamic_shared_bytes=instance.launch.shared_bytes,
                args=args,
                observers=partial(self._observers, counters=request.counted),
                seeds=_seeds(request),
                options=simt.Options(seed=self._seed, max_seconds=request.time_limit_seconds or _limit(instance)),
            )
        except simt.SimtError as error:
            return Outcome(failure=Failure("LAUNCH_ERROR", f"{case.kernel}: {error}"))
        return Outcome(
            results={tensor.name: Observed(*split(results[tensor.name], tensor.shape)) for tensor in instance.results},
            inputs=inputs,
            run_seconds=result.seconds,
            failure=_failure(result, request),
            findings=tuple(self._at_home(finding) for finding in result.findings if _matters(finding, instance)),
            counters=result.counters,
            printed=tuple(unstaged(line, self._files) for line in result.printed),
            orders=result.orders,
            why_no_more=result.why_no_more,
        )

    def _at_home(self, finding: simt.Finding) -> simt.Finding:
        """The same finding; what a kernel printed before it ended itself names the kernel's file."""
        if "said" not in finding.values:
            return finding
        return replace(finding, values={**finding.values, "said": unstaged(finding.values["said"], self._files)})

    def close(self) -> None:
        """Holds nothing."""

    def _module(self, case_id: str) -> simt.Module:
        if case_id not in self._modules:
            code = self._code[case_id]
            self._modules[case_id] = simt.decode(code) if isinstance(code, str) else code
        return self._modules[case_id]


def _limit(instance: Instance) -> float:
    """The seconds that a launch of this size may take."""
    lanes = math.prod(instance.launch.grid) * math.prod(instance.launch.block)
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
    """What scratch memory holds may depend on the order of the threads."""
    outputs = {tensor.name for tensor in instance.results if tensor.role == "output"}
    return finding.kind != "order-dependent" or finding.argument in outputs


def _failure(result: simt.LaunchResult, request: Request) -> Failure | None:
    if isinstance(result.fault, simt.BudgetExceeded | simt.Livelock):
        return Failure("TIMEOUT", f"{request.case.kernel}: {result.fault}")
    if result.verdict == "incomplete":
        return Failure("INCOMPLETE", f"{result.kernel}: {result.fault}")
    return None
