"""Executes the kernel's own compiled device code in the SIMT simulator."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from harness import simt
from harness.backends.base import Outcome, Request
from harness.backends.memory_limit import too_large
from harness.backends.second import Second
from harness.backends.simulation import Simulation, simulate
from harness.model.case import Instance
from harness.model.target import Target

__all__ = ["SimulatorBackend"]

SECONDS = 2.0  # for each of `CHUNK_LANES`, which run one after another; the puzzles take a tenth of it
CHUNK_LANES = 16384
COPIES = 12  # of a launch's buffers: themselves, and what the observers know of each byte


class SimulatorBackend:
    """Runs in this process: simulated memory cannot harm it, and budgets end a hang.

    Args:
        target: What the device code was compiled for.
        code: LLVM IR of each case's kernel, or its module decoded before, by case id.
        seed: Shuffles the order of blocks, warps and lanes; None for the
            deterministic order, and a few others where that is quick.
        observers: Makes fresh observers for each launch.
        files: The kernels' files by module, to be named in what they print.
        second: Takes other data sets meanwhile, with all observers; closed with this backend.
    """

    name = "simulator"
    executes_kernel = True

    def __init__(
        self,
        target: Target,
        code: Mapping[str, str | simt.Module],
        *,
        seed: int | None = None,
        observers: Callable[[], tuple[simt.Observer, ...]] = tuple,
        files: Mapping[str, Path] | None = None,
        second: Second | None = None,
    ) -> None:
        self.device = f"SIMT simulator, {target.warp_width} lanes a warp"
        self._target, self._code, self._seed, self._observers = target, code, seed, observers
        self._files = files or {}
        self._second = second
        self._modules: dict[str, simt.Module] = {}

    def launch(self, request: Request) -> Outcome:
        """Executes one request on fresh memory: in a fixed order of the threads, and in others while that is quick."""
        if failure := too_large(request, COPIES):
            return Outcome(failure=failure)
        wanted, case_id = self._simulation(request), request.case.id
        if self._second is not None:
            if outcome := self._second.outcome(wanted):
                return outcome
            if isinstance(text := self._code[case_id], str):
                self._second.begin([self._simulation(later) for later in _following(request)], text, self._files)
        return simulate(wanted, self._module(case_id), self._observers, self._files)

    def close(self) -> None:
        """Ends the second process, if there is one."""
        if self._second is not None:
            self._second.close()

    def _simulation(self, request: Request) -> Simulation:
        return Simulation(
            case=request.case.id,
            kernel=request.case.kernel,
            target=self._target.name,
            instance=replace(request.instance, datasets=()),
            dataset=request.dataset,
            fill=request.fill,
            seed=self._seed,
            seeds=_seeds(request),
            max_seconds=request.time_limit_seconds or _limit(request.instance),
        )

    def _module(self, case_id: str) -> simt.Module:
        if case_id not in self._modules:
            code = self._code[case_id]
            self._modules[case_id] = simt.decode(code) if isinstance(code, str) else code
        return self._modules[case_id]


def _following(request: Request) -> list[Request]:
    """What is likely to be asked for next: a printed run comes before all data sets, and these come in order."""
    datasets = request.instance.datasets
    if request.fill == "zero":
        return [replace(request, dataset=dataset, fill="poison") for dataset in datasets]
    names = [dataset.name for dataset in datasets]
    after = names.index(request.dataset.name) + 1 if request.dataset.name in names else len(names)
    return [replace(request, dataset=dataset) for dataset in datasets[after:]]


def _limit(instance: Instance) -> float:
    """The seconds that a launch of this size may take."""
    lanes = math.prod(instance.launch.grid) * math.prod(instance.launch.block)
    return SECONDS * -(-lanes // CHUNK_LANES)


def _seeds(request: Request) -> tuple[int, ...]:
    """The other orders to try: where there are many data sets, another one with each."""
    datasets, seeds = [dataset.name for dataset in request.instance.datasets], simt.SEEDS
    if len(datasets) < len(seeds) or request.dataset.name not in datasets:
        return seeds
    return (seeds[datasets.index(request.dataset.name) % len(seeds)],)
