"""Observing a launch: who listens, and what they are told."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.compile.declarations import Barrier, Fence, scope_of
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Gate, Segment
from harness.simt.events import (
    AccessEvent,
    BarrierEvent,
    BranchEvent,
    ClusterEvent,
    CopyEvent,
    ExitEvent,
    FenceEvent,
    PhaseEvent,
    SegmentEvent,
    ShuffleEvent,
    TaintEvent,
    VariableEvent,
    WarpEvent,
)
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, RunningLaunch, Seen
from harness.simt.run.budget import Budget
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.lanes import Geometry, LaneSet
from harness.simt.state.origins import Origins

__all__ = ["Observation"]

ZERO = np.zeros(1, np.int64)
Told = TypeVar("Told")


def _listeners(observers: Sequence[Observer], hook: Callable[[Observer, Told], None]) -> list[Callable[[Told], None]]:
    """The hooks of those that override one of `Observer`'s."""
    if not observers:
        return []  # most launches have none, and take less than a millisecond
    name = hook.__name__
    return [getattr(observer, name) for observer in observers if getattr(type(observer), name) is not hook]


class Observation(Seen):
    """What observers are told of a launch.

    Whoever tells asks first whether anybody listens: `if observation.on_access: ...`.

    Attributes:
        observers: Those that the kernel concerns.
        on_...: The hooks that somebody overrides.
        tracked: Whether undefined values are followed: somebody wants to know of their use.
    """

    def __init__(
        self, program: Program, observers: Sequence[Observer], budget: Budget, origins: Origins | None = None
    ) -> None:
        super().__init__(program, origins or Origins())
        self._budget = budget
        observers = [observer for observer in observers if observer.concerns(program)]
        self.observers = observers
        self.on_launch_begin: list[Callable[[RunningLaunch], None]] = _listeners(observers, Observer.launch_begin)
        self.on_launch_end: list[Callable[[RunningLaunch], None]] = _listeners(observers, Observer.launch_end)
        self.on_chunk_begin: list[Callable[[Geometry], None]] = _listeners(observers, Observer.chunk_begin)
        self.on_chunk_end: list[Callable[[Geometry], None]] = _listeners(observers, Observer.chunk_end)
        self.on_segment: list[Callable[[SegmentEvent], None]] = _listeners(observers, Observer.segment)
        self.on_access: list[Callable[[AccessEvent], None]] = _listeners(observers, Observer.access)
        self.on_barrier: list[Callable[[BarrierEvent], None]] = _listeners(observers, Observer.barrier)
        self.on_warp_sync: list[Callable[[WarpEvent], None]] = _listeners(observers, Observer.warp_sync)
        self.on_shuffle: list[Callable[[ShuffleEvent], None]] = _listeners(observers, Observer.shuffle)
        self.on_cluster: list[Callable[[ClusterEvent], None]] = _listeners(observers, Observer.cluster)
        self.on_copy: list[Callable[[CopyEvent], None]] = _listeners(observers, Observer.copy)
        self.on_phase: list[Callable[[PhaseEvent], None]] = _listeners(observers, Observer.phase)
        self.on_fence: list[Callable[[FenceEvent], None]] = _listeners(observers, Observer.fence)
        self.on_branch: list[Callable[[BranchEvent], None]] = _listeners(observers, Observer.branch)
        self.on_exit: list[Callable[[ExitEvent], None]] = _listeners(observers, Observer.exit)
        self.on_tainted: list[Callable[[TaintEvent], None]] = _listeners(observers, Observer.tainted)
        self.on_variable: list[Callable[[VariableEvent], None]] = _listeners(observers, Observer.variable)
        self.tracked = bool(self.on_tainted)

    def close(self) -> None:
        """Lets go of the observers, which refer back to the launch.

        Otherwise the memory of a launch stays until a full garbage collection, and
        peak memory grows with the number of launches.
        """
        for name, value in vars(self).items():
            if name.startswith("on_") or name == "observers":
                value.clear()

    # Events. Each is built only when the hook's list is not empty.

    def emit_segment(self, segment: Segment, lanes: LaneSet) -> None:
        """Tells that lanes run a segment."""
        event = SegmentEvent(segment.number, lanes, len(segment.ops), segment.ops)
        for hook in self.on_segment:
            hook(event)

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
        rows: Array | None = None,
        old: Array | None = None,
        operation: str | None = None,
        scope: str | None = None,
        turns: Integers | None = None,
    ) -> None:
        """Tells of a load, a store or an atomic; its scope is the instruction's `syncscope` unless told."""
        if rows is None:
            rows = ZERO
            if allocation.rows != "grid":
                rows = lanes.get("row" if allocation.rows == "block" else "self")
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
        for hook in self.on_access:
            hook(event)
        self._budget.check()

    def emit_barrier(
        self,
        gate: Gate[Barrier],
        groups: tuple[tuple[Site, LaneSet], ...],
        number: int,
        rows: Integers,
        exited: Integers,
        arrived: LaneSet | None,
    ) -> None:
        """Tells that blocks pass a barrier."""
        barrier = gate.wait
        event = BarrierEvent(
            groups,
            number,
            rows,
            exited,
            barrier.ordered(gate.op),
            barrier.aligned,
            barrier.count is not None,
            barrier.predicate is not None,
            arrived,
        )
        for hook in self.on_barrier:
            hook(event)

    def emit_fence(self, site: Site, lanes: LaneSet, fence: Fence) -> None:
        """Tells of a fence."""
        event = FenceEvent(site, lanes, fence.ordering, fence.scope, fence.spaces)
        for hook in self.on_fence:
            hook(event)

    def emit_branch(self, site: Site, lanes: LaneSet, taken: Array) -> None:
        """Tells of a branch."""
        event = BranchEvent(site, lanes, taken)
        for hook in self.on_branch:
            hook(event)

    def emit_exit(self, site: Site | None, lanes: LaneSet) -> None:
        """Tells that lanes end."""
        event = ExitEvent(site, lanes)
        for hook in self.on_exit:
            hook(event)

    def emit_taint(
        self, use: str, site: Site, lanes: LaneSet, taint: Array | None, allocation: Allocation | None = None
    ) -> None:
        """Tells that an undefined value is used."""
        if taint is None or not taint.any():
            return
        event = TaintEvent(use, site, lanes, taint, allocation)
        for hook in self.on_tainted:
            hook(event)

    def emit_variable(self, site: Site, lanes: LaneSet, values: Array, taint: Taint) -> None:
        """Tells what a named variable holds."""
        event = VariableEvent(site.instruction.attrs["variable"], site, lanes, values, taint)
        for hook in self.on_variable:
            hook(event)
