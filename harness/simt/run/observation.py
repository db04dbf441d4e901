"""Observing a launch: who listens, and what they are told."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.compile.declarations import scope_of
from harness.simt.compile.program import Program
from harness.simt.events import (
    AccessEvent,
    TaintEvent,
    VariableEvent,
)
from harness.simt.findings import Collector
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, RunningLaunch, Seen
from harness.simt.run.budget import Budget
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.index_event import IndexEvent
from harness.simt.state.lanes import LaneSet
from harness.simt.state.origins import Origins

__all__ = ["Hooks", "Observation"]

Told = TypeVar("Told")


class Hooks(list[Callable[[Told], None]], Generic[Told]):
    """One hook of those observers that override it; whoever tells asks first whether there are any."""

    __slots__ = ()

    def __call__(self, told: Told) -> None:
        """Tells all of them."""
        for hook in self:
            hook(told)


def _hooks(observers: Sequence[Observer], hook: Callable[[Observer, Told], None]) -> Hooks[Told]:
    """One of `Observer`'s."""
    name = hook.__name__
    return Hooks(getattr(each, name) for each in observers if getattr(type(each), name) is not hook)


class Observation(Seen):
    """What observers are told of a launch.

    Attributes:
        observers: Those that the kernel concerns.
        on_...: The hooks; an event is built where somebody listens: `if observation.on_exit: observation.on_exit(...)`.
        tracked: Whether undefined values are followed: somebody wants to know of their use.
    """

    def __init__(
        self, program: Program, observers: Sequence[Observer], budget: Budget, origins: Origins | None = None
    ) -> None:
        super().__init__(program, origins or Origins())
        self._budget = budget
        self.observers = observers = [observer for observer in observers if observer.concerns(program)]
        self.on_launch_begin = _hooks(observers, Observer.launch_begin)
        self.on_launch_end = _hooks(observers, Observer.launch_end)
        self.on_chunk_begin = _hooks(observers, Observer.chunk_begin)
        self.on_chunk_end = _hooks(observers, Observer.chunk_end)
        self.on_segment = _hooks(observers, Observer.segment)
        self.on_access: Hooks[AccessEvent] = _hooks(observers, Observer.access)
        self.on_barrier = _hooks(observers, Observer.barrier)
        self.on_warp_sync = _hooks(observers, Observer.warp_sync)
        self.on_shuffle = _hooks(observers, Observer.shuffle)
        self.on_cluster = _hooks(observers, Observer.cluster)
        self.on_copy = _hooks(observers, Observer.copy)
        self.on_phase = _hooks(observers, Observer.phase)
        self.on_fence = _hooks(observers, Observer.fence)
        self.on_branch = _hooks(observers, Observer.branch)
        self.on_exit = _hooks(observers, Observer.exit)
        self.on_tainted = _hooks(observers, Observer.tainted)
        self.on_variable = _hooks(observers, Observer.variable)
        self.on_index = _hooks(observers, Observer.index)
        self.tracked = bool(self.on_tainted)

    def begin(self, engine: RunningLaunch) -> None:
        """A launch begins."""
        for observer in self.observers:
            observer.engine = engine
        self.on_launch_begin(engine)

    def forget(self) -> None:
        """Nothing was seen."""
        self.collector, self.counters, self.ordered = Collector(self.program.name), {}, False

    def close(self) -> None:
        """Lets go of the observers, which refer back to the launch.

        Otherwise the memory of a launch stays until a full garbage collection, and
        peak memory grows with the number of launches.
        """
        for name, value in vars(self).items():
            if name.startswith("on_") or name == "observers":
                value.clear()

    def emit_access(
        self,
        kind: str,
        site: Site,
        lanes: LaneSet,
        allocation: Allocation,
        offsets: Array,
        access: Access,
        values: Array,
        taint: Array | None,
        rows: Array,
        old: Array | None = None,
        operation: str | None = None,
        scope: str | None = None,
        turns: Integers | None = None,
    ) -> None:
        """Tells of a load, a store or an atomic; its scope is the instruction's `syncscope` unless told."""
        attrs = site.instruction.attrs
        event = AccessEvent(
            kind,
            site,
            lanes,
            allocation,
            offsets,
            rows,
            access.width,
            values,
            old,
            taint,
            attrs.get("ordering") or ("monotonic" if operation or access.atomic else None),
            scope or scope_of(attrs.get("scope", "")),
            operation,
            "volatile" in site.instruction.flags,
            turns,
        )
        self.on_access(event)
        self._budget.check()

    def emit_taint(
        self, use: str, site: Site, lanes: LaneSet, taint: Array | None, allocation: Allocation | None = None
    ) -> None:
        """Tells that an undefined value is used."""
        if taint is not None and taint.any():
            self.on_tainted(TaintEvent(use, site, lanes, taint, allocation))

    def emit_index(self, site: Site, lanes: LaneSet, values: tuple[Array, ...]) -> None:
        """Tells of an index into an array."""
        self.on_index(IndexEvent(site.instruction.attrs["variable"].shape, site, lanes, values))

    def emit_variable(self, site: Site, lanes: LaneSet, values: Array, taint: Taint) -> None:
        """Tells what a named variable holds."""
        self.on_variable(VariableEvent(site.instruction.attrs["variable"], site, lanes, values, taint))
