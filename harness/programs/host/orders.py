"""Repeat launches in other thread orders and add their findings; find and restore memory that pointers reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from harness import simt
from harness.model.launcher import Launcher
from harness.programs.host.storage import Storage
from harness.simt.arrays import Array
from harness.simt.compile.program import Program
from harness.simt.ir.types import BFLOAT, Float, Int, Type, dtype_of
from harness.simt.observe import Observer
from harness.simt.run.orders import LITTLE, try_other_orders
from harness.simt.state.allocation import Allocation, Snapshot
from harness.simt.stopwatch import Stopwatch

if TYPE_CHECKING:
    from harness.programs.host.touched import Touched

__all__ = ["OtherOrders", "Pointer", "Reachable", "reachable"]

MOST = 1 << 20  # bytes of memory that are copied for each launch
Run = Callable[[Iterable[Observer], simt.Options], simt.LaunchResult]
# Where a pointer stands in the parameters: the parameter, its byte, the byte of the memory that it points to.
Pointer = tuple[int, int, int, Storage]


@dataclass(frozen=True, slots=True)
class Reachable:
    """The memory that a launch is given.

    Attributes:
        allocations: Each one, once.
        arrays: Those of which the code says what they hold, as such arrays.
        frees: Whether its threads free what they allocated, in this launch or in one before.
    """

    allocations: Sequence[Allocation]
    arrays: Sequence[tuple[str, Array]]
    frees: bool

    def snapshot(self) -> Callable[[], None]:
        """Copy the allocations' bytes and undefined marks; return a function that puts the copies back, repeatedly."""
        return Snapshot(self.allocations).restore


def reachable(program: Program, pointers: Iterable[Pointer]) -> Reachable | None:
    """Return the allocations that a launch's pointers lead to, or None if it is not to be tried in other orders.

    None if the kernel may call `malloc` or one of them is a host buffer, because neither can be undone. None also if
    they have more than 1 MiB in all, because copies would take too long.
    """
    size, allocations = 0, dict[int, Allocation]()
    types: dict[int, set[Type | None]] = {}
    for position, at, _, storage in pointers:
        if storage.host is not None and not storage.unified:
            return None
        number = storage.allocation.number
        if number not in allocations:
            allocations[number], types[number] = storage.allocation, set()
            size += len(storage.allocation.data)
        types[number].add(program.element_types.get((position, at)))
    called = {item.name for item in program.called}
    if size > MOST or "malloc" in called:
        return None
    distinct = tuple(allocations.values())
    return Reachable(distinct, tuple(_typed(distinct, types)), "free" in called)


def _typed(allocations: Iterable[Allocation], types: dict[int, set[Type | None]]) -> Iterator[tuple[str, Array]]:
    for allocation in allocations:
        (element, *others) = types[allocation.number]
        if others or not isinstance(element, Int | Float) or element == BFLOAT or element == Int(1):
            continue
        kind = dtype_of(element)
        if kind.hasobject:
            continue
        yield allocation.name, allocation.data[: len(allocation.data) // kind.itemsize * kind.itemsize].view(kind)


@dataclass(slots=True)
class OtherOrders:
    """Repeats a program's launches in other thread orders, as long as those of a kernel take little time.

    The first launch of a kernel is repeated in all orders of `check`, each later one in the next of them.

    Attributes:
        launcher: Makes the launches.
        device: The device's allocations, by number.
        spent: Seconds that other orders took, by the kernel's symbol.
        seconds: Wall-clock seconds that all of them took.
    """

    launcher: Launcher
    device: dict[int, Allocation]
    spent: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    def has_budget(self, symbol: str) -> bool:
        """Return whether launches of a kernel still get other orders."""
        return self.spent.get(symbol, 0.0) < LITTLE

    def try_orders(
        self,
        first: simt.LaunchResult,
        run: Run,
        memory: Reachable,
        before: Callable[[], None],
        wrote: Iterable[Touched],
        options: simt.Options,
        count: int,
    ) -> simt.LaunchResult:
        """Run a launch in other orders until one shows an error or a warning; return `first` with the further findings.

        The first result is returned as it is if it is ordered or not clean, or if its memory cannot be put back. That
        arrays depend on the order is an information, left out beside an error or a warning. In the end memory holds the
        first order's results. If orders were tried, the time is added to `spent` and `seconds`.

        Args:
            run: Makes the launch again with other observers and options.
            before: Makes memory what it was before the first order.
            wrote: What the first order touched, reads too.
            count: The number of the launch among those of its kernel: 1 gets all orders, later ones one each.
        """
        if first.ordered or first.verdict != simt.LaunchVerdict.CLEAN:
            return first
        reachable = {item.number for item in memory.allocations}
        # By a pointer that lies in memory it came to others, of which there is no copy.
        if any(item.wrote and item.allocation.number not in reachable for item in wrote):
            return first
        if memory.frees and any(item.heap and not item.freed for item in self.device.values()):
            return first
        stopwatch = Stopwatch()
        with self._locked(reachable) as names:

            def guarded(observers: Iterable[Observer], how: simt.Options) -> simt.LaunchResult:
                result = run(observers, how)
                kept_findings = (
                    item for item in result.findings if item.kind != "write-to-constant" or item.argument not in names
                )
                return replace(result, findings=tuple(kept_findings))

            result = try_other_orders(
                first,
                guarded,
                memory,
                before,
                observers=partial(self.launcher.observers, counters=False, measured=False, without=("redundant",)),
                options=options.impatient(min(options.max_seconds, LITTLE)),
                seeds=simt.SEEDS if count == 1 else (simt.SEEDS[count % len(simt.SEEDS)],),
                until_found=True,
                changed="information",  # a program may sort what it gets, or take all of it together
            )
        self.spent[first.symbol] = self.spent.get(first.symbol, 0.0) + stopwatch.work
        self.seconds += stopwatch.seconds
        if any(item.severity != "information" for item in result.findings):  # which is why results differ
            result = replace(result, findings=tuple(item for item in result.findings if item.kind != "order-dependent"))
        return result

    @contextmanager
    def _locked(self, writable_numbers: set[int]) -> Iterator[set[str]]:
        """Make all other writable allocations of the device read-only in the `with` block; yield the names of these.

        Args:
            writable_numbers: The numbers of the allocations that stay writable.
        """
        others = [
            allocation
            for number, allocation in self.device.items()
            if number not in writable_numbers and allocation.writable
        ]
        for allocation in others:
            allocation.writable = False
        try:
            yield {allocation.name for allocation in others}
        finally:
            for allocation in others:
                allocation.writable = True
