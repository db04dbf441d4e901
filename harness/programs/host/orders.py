"""Other orders of the threads of a program's launch: what only they show is found, and nothing else of them is left."""

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
        """See `harness.simt.run.orders.ChangeableMemory`."""
        return Snapshot(self.allocations).restore


def reachable(program: Program, pointers: Iterable[Pointer]) -> Reachable | None:
    """Return the memory of a launch, if other orders of it can be undone.

    They cannot where it allocates memory, nor where the host may write to its memory meanwhile. It is not worth it
    where its memory is large.
    """
    storages: dict[int, Storage] = {}
    types: dict[int, set[Type | None]] = {}
    for position, at, _, storage in pointers:
        storages[storage.allocation.number] = storage
        types.setdefault(storage.allocation.number, set()).add(program.element_types.get((position, at)))
    if any(storage.host is not None and not storage.unified for storage in storages.values()):
        return None
    allocations = [storage.allocation for storage in storages.values()]
    called = {one.name for one in program.called}
    if sum(len(one.data) for one in allocations) > MOST or "malloc" in called:
        return None
    return Reachable(allocations, list(_typed(allocations, types)), "free" in called)


def _typed(allocations: Iterable[Allocation], types: dict[int, set[Type | None]]) -> Iterator[tuple[str, Array]]:
    for one in allocations:
        (element, *others) = types[one.number]
        if others or not isinstance(element, Int | Float) or element == BFLOAT or element == Int(1):
            continue
        kind = dtype_of(element)
        if kind.hasobject:
            continue
        yield one.name, one.data[: len(one.data) // kind.itemsize * kind.itemsize].view(kind)


@dataclass(slots=True)
class OtherOrders:
    """Tries the launches of a program in other orders, as long as those of a kernel take little time.

    The first launch of a kernel gets all orders of `check`, each later one the next of them.

    Attributes:
        launcher: Makes the launches.
        device: The allocations of the device, by number.
        spent: Seconds of work that other orders took, by the symbol of the kernel.
        seconds: What all of them took by the clock.
    """

    launcher: Launcher
    device: dict[int, Allocation]
    spent: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    def wanted(self, symbol: str) -> bool:
        """Return whether launches of a kernel still get other orders."""
        return self.spent.get(symbol, 0.0) < LITTLE

    def of(
        self,
        first: simt.LaunchResult,
        run: Run,
        memory: Reachable,
        before: Callable[[], None],
        wrote: Iterable[Touched],
        options: simt.Options,
        count: int,
    ) -> simt.LaunchResult:
        """Add to a result what only other orders show; where the first one shows something, that is told alone.

        Args:
            before: Makes memory what it was before the first order.
            wrote: What the first order touched.
            count: The number of the launch among those of its kernel.
        """
        if first.ordered or first.verdict != simt.LaunchVerdict.CLEAN:
            return first
        known = {one.number for one in memory.allocations}
        # By a pointer that lies in memory it came to others, of which there is no copy.
        if any(one.wrote and one.allocation.number not in known for one in wrote):
            return first
        if memory.frees and any(one.heap and not one.freed for one in self.device.values()):
            return first
        stopwatch = Stopwatch()
        with self._locked(known) as names:

            def guarded(observers: Iterable[Observer], how: simt.Options) -> simt.LaunchResult:
                result = run(observers, how)
                kept = (one for one in result.findings if one.kind != "write-to-constant" or one.argument not in names)
                return replace(result, findings=tuple(kept))

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
        if any(one.severity != "information" for one in result.findings):  # which is why results differ
            result = replace(result, findings=tuple(one for one in result.findings if one.kind != "order-dependent"))
        return result

    @contextmanager
    def _locked(self, known: set[int]) -> Iterator[set[str]]:
        """Nothing is stored to any other memory meanwhile; yields its names."""
        others = [one for number, one in self.device.items() if number not in known and one.writable]
        for one in others:
            one.writable = False
        try:
            yield {one.name for one in others}
        finally:
            for one in others:
                one.writable = True
