"""One simulated launch, from plain values to what it left behind: in this process or in another one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from harness import simt
from harness.backends.base import Failure, Fill, Observed, Outcome
from harness.backends.guarded import guarded, split
from harness.build.device_code import at_home
from harness.model.case import Dataset, Instance, ScalarArgument

__all__ = ["Simulation", "load", "simulate"]


def load() -> None:
    """Loads all that the first launch needs, which otherwise takes a tenth of a second of it."""
    from harness.simt import public

    _ = public, np.ma, np.random  # NumPy loads these two when `unique` and a generator are first asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """What is simulated, apart from the code: values that another process can be told.

    Attributes:
        case: The case's id.
        kernel: The Mojo function.
        target: What the code was compiled for.
        instance: Arguments and launch, without its data sets.
        dataset: The inputs.
        fill: What outputs and scratch hold before the launch.
        seed: Shuffles the order of blocks, warps and lanes; None for the deterministic order and those of `seeds`.
        seeds: Of the other orders.
        max_seconds: After this the kernel is given up.
    """

    case: str
    kernel: str
    target: str
    instance: Instance
    dataset: Dataset
    fill: Fill
    seed: int | None
    seeds: tuple[int, ...]
    max_seconds: float


def simulate(
    wanted: Simulation,
    module: simt.Module,
    observers: Callable[[], tuple[simt.Observer, ...]],
    files: Mapping[str, Path],
) -> Outcome:
    """Executes one launch on fresh memory, in a fixed order of the threads, and in others while that is quick.

    Args:
        wanted: The launch.
        module: The case's device code.
        observers: Makes fresh observers for each order.
        files: The kernels' files by module, to be named in what they print.
    """
    instance = wanted.instance
    arenas = {buffer.name: guarded(buffer.shape, buffer.dtype, wanted.fill) for buffer in instance.results}
    inputs = {name: np.array(array) for name, array in wanted.dataset.inputs.items()}
    args: list[object] = []
    for argument in instance.arguments:
        if isinstance(argument, ScalarArgument):
            args.append(argument.dtype.type(wanted.dataset.scalars.get(argument.name, argument.value)))
        elif argument.role == "input":
            args.append(simt.Buffer(inputs[argument.name], argument.name, writable=False))
        else:
            values, _, _ = split(arenas[argument.name], argument.shape)
            written = wanted.fill == "zero"
            args.append(simt.Buffer(values, argument.name, initialised=written))
    try:
        result = simt.launch_in_orders(
            module,
            target=wanted.target,
            grid=instance.launch.grid,
            block=instance.launch.block,
            cluster=instance.launch.cluster,
            dynamic_shared_bytes=instance.launch.shared_bytes,
            args=args,
            observers=observers,
            seeds=wanted.seeds,
            options=simt.Options(seed=wanted.seed, max_seconds=wanted.max_seconds),
        )
    except simt.SimtError as error:
        return Outcome(failure=Failure("LAUNCH_ERROR", f"{wanted.kernel}: {error}"))
    return Outcome(
        results={buffer.name: Observed(*split(arenas[buffer.name], buffer.shape)) for buffer in instance.results},
        inputs=inputs,
        run_seconds=result.seconds,
        failure=_failure(result, wanted.kernel),
        findings=tuple(_at_home(finding, files) for finding in result.findings if _matters(finding, instance)),
        counters=result.counters,
        printed=tuple(at_home(line, files) for line in result.printed),
    )


def _at_home(finding: simt.Finding, files: Mapping[str, Path]) -> simt.Finding:
    """The same finding; what a kernel printed before it ended itself names the kernel's file."""
    if "said" not in finding.values:
        return finding
    return replace(finding, values={**finding.values, "said": at_home(finding.values["said"], files)})


def _matters(finding: simt.Finding, instance: Instance) -> bool:
    """What scratch memory holds may depend on the order of the threads."""
    outputs = {buffer.name for buffer in instance.results if buffer.role == "output"}
    return finding.kind != "order-dependent" or finding.argument in outputs


def _failure(result: simt.LaunchResult, kernel: str) -> Failure | None:
    if isinstance(result.fault, simt.BudgetExceeded | simt.Livelock):
        return Failure("TIMEOUT", f"{kernel}: {result.fault}")
    if result.verdict == "incomplete":
        return Failure("INCOMPLETE", f"{result.kernel}: {result.fault}")
    return None
