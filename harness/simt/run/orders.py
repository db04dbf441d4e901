"""A launch in other orders of its threads, where that costs little.

Threads that race or leave an order open may do right in one order and wrong in the next.
What only another order shows is told with the seed that repeats it. Where barriers order
all accesses of different threads to one place, and nothing else can tell who was first,
every order gives the same, and one is enough.
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
from harness.simt.run.bound import Buffer
from harness.simt.run.launch import launch
from harness.simt.run.scalars import flattened
from harness.simt.stopwatch import Stopwatch

__all__ = ["LITTLE", "SEEDS", "Changeable", "in_orders", "launch_in_orders", "try_other_orders"]

SEEDS = (1, 2, 3)
LITTLE = 0.2  # seconds of work: of the first launch, and of all others together
LONG = 20  # times what the first took: an order that takes so long is left
# Floats that differ by less, relatively, differ by rounding: half, float, double.
ELSEWHERE = "others are tried on other data"
ROUNDING = {2: 1e-2, 4: 1e-4, 8: 1e-10}


class Changeable(Protocol):
    """The memory that a launch may change."""

    @property
    def arrays(self) -> Sequence[tuple[str, Array]]:
        """What is compared between the orders, with the names that findings use."""

    def keep(self) -> Callable[[], None]:
        """Copy all of it; return what puts the copy back, as often as it is called."""


@dataclass(frozen=True, slots=True)
class _Arrays:
    """Arrays of the caller, and what is noted of their bytes."""

    arrays: Sequence[tuple[str, Array]]
    masks: Sequence[Array]

    def keep(self) -> Callable[[], None]:
        """See `Changeable`."""
        parts = [*(array for _, array in self.arrays), *self.masks]
        copies = [part.copy() for part in parts]

        def restore() -> None:
            for part, copy in zip(parts, copies, strict=True):
                part[...] = copy

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
    """Does what `launch` does and, if the options name no seed, the same again with others.

    Args:
        args: As for `launch`; in the end the arrays are what the first order made of them.
        observers: Makes fresh ones for each launch.
        seeds: The other orders, tried while they take little time.
        how: The other arguments of `launch`.

    Returns:
        The first order's result; with the errors and warnings that only others show, and a
        finding `order-dependent` for each argument that they change. It says in how many
        orders the kernel ran, and why in no more.

    Raises:
        SimtError: As `launch` does.
    """
    options = options or Options()
    module = ir if isinstance(ir, Module) else decode(ir)
    arrays, masks = ([], []) if options.seed is not None else _written(args)

    def run(observers: Iterable[Observer], options: Options) -> LaunchResult:
        return launch(module, args=args, observers=observers, options=options, **how)

    return in_orders(run, arrays, masks, observers=observers, options=options, seeds=seeds)


def in_orders(
    run: Callable[[Iterable[Observer], Options], LaunchResult],
    arrays: Sequence[tuple[str, Array]],
    masks: Sequence[Array],
    *,
    observers: Callable[[], Iterable[Observer]],
    options: Options,
    seeds: Sequence[int],
) -> LaunchResult:
    """The same of any launch.

    Args:
        run: Launches it.
        arrays: What it may change, with the names of that.
        masks: What is noted of the bytes.

    The others, and what comes of it, are as for `launch_in_orders`.
    """
    memory = _Arrays(arrays, masks)
    before = memory.keep()
    first = run(observers(), options)
    return try_other_orders(first, run, memory, before, observers=observers, options=options, seeds=seeds)


def try_other_orders(
    first: LaunchResult,
    run: Callable[[Iterable[Observer], Options], LaunchResult],
    memory: Changeable,
    before: Callable[[], None],
    *,
    observers: Callable[[], Iterable[Observer]],
    options: Options,
    seeds: Sequence[int],
    changed: str = "warning",
    until_found: bool = False,
) -> LaunchResult:
    """Repeat a launch that has run in its first order; in the end memory is what that order made of it.

    Args:
        first: What came of it.
        before: Makes memory what it was before the first order.
        changed: The severity of a result that depends on the order.
        until_found: Whether the first order that shows an error or a warning is the last one.

    The others, and what comes of it, are as for `in_orders`.
    """
    if why := _enough(first, options):
        return replace(first, why_no_more=why)
    arrays, after = memory.arrays, memory.keep()
    expected = [array.copy() for _, array in arrays]
    findings = list(first.findings)
    limit = min(options.max_seconds, max(LITTLE, LONG * first.work))
    stopwatch = Stopwatch()
    ran, why = 1, "" if len(seeds) >= len(SEEDS) else ELSEWHERE
    try:
        for seed in seeds:
            before()
            again = replace(options.impatient(limit), seed=seed)
            other = run(observers(), again)
            if other.verdict != LaunchVerdict.INCOMPLETE:
                findings += _new(findings, other.findings, seed)
                if other.fault is None:
                    findings += _changed(findings, arrays, expected, seed, first.kernel, changed)
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


def _enough(first: LaunchResult, options: Options) -> str:
    """Why no other order is tried; empty if others are."""
    if options.seed is not None:
        return "a seed asks for this one"
    if first.fault is not None:
        return "it did not end"
    if first.ordered:
        return "every order gives the same"
    return "it takes long" if first.work > LITTLE else ""


def _written(args: Sequence[Any]) -> tuple[list[tuple[str, Array]], list[Array]]:
    """The arrays that a kernel may change, with the names of their arguments; and what is noted of their bytes."""
    arrays, masks = [], []
    for position, argument in enumerate(args):
        for value in flattened(argument):
            buffer = value if isinstance(value, Buffer) else Buffer(value)
            if isinstance(buffer.array, np.ndarray) and buffer.writable and buffer.array.flags.writeable:
                arrays.append((buffer.name or f"argument {position}", buffer.array))
                masks += [] if buffer.undefined is None else [buffer.undefined]
    return arrays, masks


def _new(known: Iterable[Finding], findings: Iterable[Finding], seed: int) -> list[Finding]:
    """The errors and warnings that are not known yet."""

    def key(finding: Finding) -> tuple[Any, ...]:
        return finding.kind, finding.severity, finding.sites, finding.argument

    seen = {key(finding) for finding in known}
    return [
        replace(finding, values=finding.values | {"seed": seed})
        for finding in findings
        if finding.severity != "information" and key(finding) not in seen
    ]


def _changed(
    known: Iterable[Finding],
    arrays: Sequence[tuple[str, Array]],
    after: Sequence[Array],
    seed: int,
    kernel: str,
    severity: str,
) -> list[Finding]:
    """A finding for each array that is not what the first order made of it, unless there is one."""
    told = {finding.argument for finding in known if finding.kind == "order-dependent"}
    findings = []
    for (name, array), expected in zip(arrays, after, strict=True):
        if name in told or array.tobytes() == expected.tobytes():
            continue
        told.add(name)
        rounded = _rounded(array, expected)
        octets = (np.ascontiguousarray(values).view(np.uint8).reshape(values.size, -1) for values in (array, expected))
        differ = np.flatnonzero(np.not_equal(*octets).any(1))
        at = int(differ[0])
        findings.append(
            Finding(
                "order-dependent.rounding" if rounded else "order-dependent.result",
                "information" if rounded else severity,
                kernel,
                argument=name,
                values={
                    "seed": seed,
                    "index": ", ".join(map(str, np.unravel_index(at, array.shape))),
                    "first": str(expected.flat[at]),
                    "other": str(array.flat[at]),
                    "total": array.size,
                },
                count=len(differ),
            )
        )
    return findings


def _rounded(left: Array, right: Array) -> bool:
    """Whether floats differ by no more than their rounding in another order."""
    if left.dtype.kind not in "fc":
        return False
    tolerance = ROUNDING.get(left.real.dtype.itemsize, 0.0)
    scale = float(np.nanmax(np.abs(np.where(np.isfinite(right), right, 0)), initial=0))
    return bool(np.allclose(left, right, rtol=tolerance, atol=tolerance * scale, equal_nan=True))
