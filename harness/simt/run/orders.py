"""Repeat a launch in other orders of its threads, if cheap; report their new findings and differing results.

Threads that race or leave an order open may be right in one order and wrong in the next.
What only another order shows is reported with the seed that repeats it. If barriers order
all accesses of different threads to each location, and nothing else depends on which was first,
every order gives the same result, and one is enough.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from harness.simt.arrays import Array
from harness.simt.findings import SEVERITIES, Finding, LaunchVerdict, failing
from harness.simt.ir.parse import Module, decode
from harness.simt.observe import Observer
from harness.simt.options import Options
from harness.simt.result import LaunchResult
from harness.simt.run.bound_arguments import Buffer
from harness.simt.run.launch import launch
from harness.simt.run.scalars import flatten
from harness.simt.stopwatch import Stopwatch

__all__ = ["LITTLE", "SEEDS", "ChangeableMemory", "launch_in_orders", "run_in_orders", "try_other_orders"]

SEEDS = (1, 2, 3)
LITTLE = 0.2  # seconds of work: of the first launch, of all others together, and of the last one before them
LONG_FACTOR = 20  # times the first order's work: an order that takes longer is stopped
OTHER_DATA = "others are tried on other data"
# By size, the relative difference of floats that rounding may explain: half, float, double.
ROUNDING = {2: 1e-2, 4: 1e-4, 8: 1e-10}


class ChangeableMemory(Protocol):
    """The memory that a launch may change."""

    @property
    def arrays(self) -> Sequence[tuple[str, Array]]:
        """The arrays to compare between the orders, with the names that findings use."""

    def snapshot(self) -> Callable[[], None]:
        """Copy all of it; return a function that puts the copy back, as often as it is called."""


@dataclass(frozen=True, slots=True)
class _HostArrays:
    """Arrays of the caller, and the masks of their undefined bytes."""

    arrays: Sequence[tuple[str, Array]]
    masks: Sequence[Array]

    def snapshot(self) -> Callable[[], None]:
        """Copy the arrays and the masks; return a function that puts the copies back, in place."""
        originals = [*(array for _, array in self.arrays), *self.masks]
        copies = [original.copy() for original in originals]

        def restore() -> None:
            for original, copy in zip(originals, copies, strict=True):
                original[...] = copy

        return restore


def launch_in_orders(
    ir: str | Module,
    *,
    args: Sequence[Any],
    observers: Callable[[], Iterable[Observer]] = tuple,
    options: Options | None = None,
    seeds: Sequence[int] = SEEDS,
    **how: Any,
) -> LaunchResult:
    """Run `launch`, and then, if the options name no seed, the same launch with other orders of its threads.

    Args:
        args: As for `launch`; in the end the arrays hold the first order's results.
        observers: Makes fresh ones for each launch.
        seeds: The other orders, tried while they take little time.
        how: The other arguments of `launch`.

    Returns:
        The first order's result, with the errors and warnings that only other orders show, and a finding
        `order-dependent` for each argument that they change. `orders` says in how many orders the kernel ran,
        `why_no_more` why not in more: a seed asks for this one, the first did not end, every order gives the same, it
        takes long, or `seeds` has fewer than `SEEDS`: the caller tries other orders on other data.

    Raises:
        SimtError: As `launch` does.
    """
    options = options or Options()
    module = ir if isinstance(ir, Module) else decode(ir)
    arrays, masks = ([], []) if options.seed is not None else _writable_arrays(args)

    def run(observers: Iterable[Observer], options: Options) -> LaunchResult:
        return launch(module, args=args, observers=observers, options=options, **how)

    return run_in_orders(run, arrays, masks, observers=observers, options=options, seeds=seeds)


def run_in_orders(
    run: Callable[[Iterable[Observer], Options], LaunchResult],
    arrays: Sequence[tuple[str, Array]],
    masks: Sequence[Array],
    *,
    observers: Callable[[], Iterable[Observer]],
    options: Options,
    seeds: Sequence[int],
) -> LaunchResult:
    """Run any launch, and then repeat it with other orders of its threads.

    In the end the arrays and masks hold the first order's results.

    Args:
        run: Runs the launch once, with these observers and options, on the same arrays each time.
        arrays: The arrays that it may change, with their names.
        masks: The masks of their undefined bytes.

    The other arguments, and the result, are as for `launch_in_orders`.
    """
    memory = _HostArrays(arrays, masks)
    before = memory.snapshot()
    first = run(observers(), options)
    return try_other_orders(first, run, memory, before, observers=observers, options=options, seeds=seeds)


def try_other_orders(
    first: LaunchResult,
    run: Callable[[Iterable[Observer], Options], LaunchResult],
    memory: ChangeableMemory,
    before: Callable[[], None],
    *,
    observers: Callable[[], Iterable[Observer]],
    options: Options,
    seeds: Sequence[int],
    changed: str = "warning",
    until_found: bool = False,
) -> LaunchResult:
    """Repeat a launch that has run in its first order; in the end memory holds the first order's results.

    No other order is tried if the options name a seed, or if the first did not end, takes long, or shows that every
    order gives the same. Others are tried until they took `LITTLE` seconds together. One that takes more than `LITTLE`
    seconds and `LONG_FACTOR` times as long as the first, or `options.max_seconds`, is stopped and adds no findings.

    Args:
        first: The result of the first order.
        before: Puts memory back as it was before the first order.
        changed: The severity of a result that depends on the order.
        until_found: Whether to stop after an order once there is an error or a warning, be it one of `first`.

    The other arguments, and the result, are as for `run_in_orders`.
    """
    if why := _reason_to_stop(first, options):
        return replace(first, why_no_more=why)
    arrays, after = memory.arrays, memory.snapshot()
    expected = [array.copy() for _, array in arrays]
    findings = list(first.findings)
    limit = min(options.max_seconds, max(LITTLE, LONG_FACTOR * first.work))
    stopwatch = Stopwatch()
    ran, why = 1, "" if len(seeds) >= len(SEEDS) else OTHER_DATA
    try:
        for seed in seeds:
            before()
            again = replace(options.impatient(limit), seed=seed)
            other = run(observers(), again)
            if other.verdict != LaunchVerdict.INCOMPLETE:
                findings += _new_findings(findings, other.findings, seed)
                if other.fault is None:
                    findings += _order_findings(findings, arrays, expected, seed, first.kernel, changed)
            ran += 1
            if until_found and failing(findings, "warning"):
                break
            if stopwatch.work > LITTLE and ran <= len(seeds):
                why = "it takes long"
                break
    finally:
        after()
    findings.sort(key=lambda finding: SEVERITIES.index(finding.severity))
    bad = failing(findings, "warning")
    verdict = LaunchVerdict.FINDINGS if first.verdict == LaunchVerdict.CLEAN and bad else first.verdict
    return replace(first, findings=tuple(findings), verdict=verdict, orders=ran, why_no_more=why)


def _reason_to_stop(first: LaunchResult, options: Options) -> str:
    """Return why no other order is tried, for people; empty if others are."""
    if options.seed is not None:
        return "a seed asks for this one"
    if first.fault is not None:
        return "it did not end"
    if first.ordered:
        return "every order gives the same"
    # Machine code runs the first order alone: how long it took says little of the others.
    return "it takes long" if max(first.work, first.seeded_work) > LITTLE else ""


def _writable_arrays(args: Sequence[Any]) -> tuple[list[tuple[str, Array]], list[Array]]:
    """Return the arrays that a kernel may change, with the names of their arguments; and their undefined masks.

    Arrays within tuples, lists and mappings are among them; read-only ones are not. An array without a name is
    `argument N`, counted from 0.
    """
    arrays, masks = [], []
    for position, argument in enumerate(args):
        for value in flatten(argument):
            buffer = value if isinstance(value, Buffer) else Buffer(value)
            if isinstance(buffer.array, np.ndarray) and buffer.writable and buffer.array.flags.writeable:
                arrays.append((buffer.name or f"argument {position}", buffer.array))
                masks += [] if buffer.undefined is None else [buffer.undefined]
    return arrays, masks


def _new_findings(previous: Iterable[Finding], findings: Iterable[Finding], seed: int) -> list[Finding]:
    """Return the errors and warnings that are not among the previous ones, each with the seed added.

    Findings of the same kind, severity, sites and argument count as equal.
    """

    def key(finding: Finding) -> tuple[Any, ...]:
        return finding.kind, finding.severity, finding.sites, finding.argument

    keys = {key(finding) for finding in previous}
    return [
        replace(finding, values=finding.values | {"seed": seed})
        for finding in findings
        if finding.severity != "information" and key(finding) not in keys
    ]


def _order_findings(
    previous: Iterable[Finding],
    arrays: Sequence[tuple[str, Array]],
    first_results: Sequence[Array],
    seed: int,
    kernel: str,
    severity: str,
) -> list[Finding]:
    """Return a finding for each array that differs from the first order's result, if `previous` has none for its name.

    Differences that rounding explains are an information. The finding names the first element that differs.

    Args:
        arrays: Hold the results of another order now.
        first_results: The contents after the first order.
        severity: Of other differences.
    """
    reported = {finding.argument for finding in previous if finding.kind == "order-dependent"}
    findings = []
    for (name, array), expected in zip(arrays, first_results, strict=True):
        if name in reported or array.tobytes() == expected.tobytes():
            continue
        reported.add(name)
        is_rounding = _differ_by_rounding(array, expected)
        octets = (np.ascontiguousarray(values).view(np.uint8).reshape(values.size, -1) for values in (array, expected))
        differ = np.flatnonzero(np.not_equal(*octets).any(1))
        first_index = int(differ[0])
        findings.append(
            Finding(
                "order-dependent.rounding" if is_rounding else "order-dependent.result",
                "information" if is_rounding else severity,
                kernel,
                argument=name,
                values={
                    "seed": seed,
                    "index": ", ".join(map(str, np.unravel_index(first_index, array.shape))),
                    "first": str(expected.flat[first_index]),
                    "other": str(array.flat[first_index]),
                    "total": array.size,
                },
                count=len(differ),
            )
        )
    return findings


def _differ_by_rounding(left: Array, right: Array) -> bool:
    """Return whether arrays are floats or complex, and differ by no more than `ROUNDING` allows; NaN equals NaN.

    Args:
        right: The reference: its largest finite element scales what is allowed.
    """
    if left.dtype.kind not in "fc":
        return False
    tolerance = ROUNDING.get(left.real.dtype.itemsize, 0.0)
    scale = float(np.nanmax(np.abs(np.where(np.isfinite(right), right, 0)), initial=0))
    return bool(np.allclose(left, right, rtol=tolerance, atol=tolerance * scale, equal_nan=True))
