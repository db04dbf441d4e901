"""Repeat a wrong launch with one change: thread order, zeroed memory, guarded lines, more room; record accesses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from harness.backends.base import Request
from harness.backends.simulator import SimulatorBackend
from harness.cases.check import compare_values
from harness.cases.trail import Trail
from harness.model.case import Case, Dataset, Instance
from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.events import AccessEvent
from harness.simt.findings import SourceLocation, Who
from harness.simt.ir.site import Site
from harness.simt.ir.types import Type
from harness.simt.ir.values import poison_value
from harness.simt.observe import Observer, RunningLaunch
from harness.simt.state.allocation import Access, row_bytes
from harness.simt.state.lanes import Geometry, LaneSet

__all__ = ["Changed", "Executions", "Trials"]


_OF_HOST = "buffer "  # and a number: one that a function of the host makes


class Changed(Observer):
    """Changes what a launch finds in memory.

    Args:
        room: Bytes for which there is room in addition, by the name of an array in shared memory.
        zeros: Whether shared memory, and what the host left undefined in buffers of its own, hold zeros before the
            launch, and reads outside of an array give zero.
    """

    def __init__(self, *, room: Mapping[str, int] | None = None, zeros: bool = False) -> None:
        self._room, self._zeros = room or {}, zeros
        self.ends = dict.fromkeys(self._room, 0)  # by array with room, the byte behind the last one that is used

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Enlarge the shared arrays that have `room`, by so many bytes; with `zeros`, clear undefined bytes of buffers
        that the host function creates, and let reads outside of arrays give zero.
        """
        for allocation in engine.memory.allocations:
            if allocation.rows == "block" and allocation.name in self._room:
                allocation.size += self._room[allocation.name]
                allocation.stride = row_bytes(allocation.size)
        if self._zeros:
            for allocation in engine.memory.device.values():
                if allocation.name.startswith(_OF_HOST) and allocation.shadow is not None:
                    allocation.data[allocation.shadow != 0] = 0
            engine.memory.value_outside = _zero

    def chunk_begin(self, geometry: Geometry) -> None:
        """Clear the shared memory of the chunk's blocks, with `zeros`."""
        for allocation in self.engine.memory.allocations if self._zeros else ():
            if allocation.rows == "block":
                allocation.data[:] = 0

    def access(self, event: AccessEvent) -> None:
        """Update `ends` for an array with room: the byte offset after the last byte that is accessed."""
        name = event.allocation.name
        if name in self.ends:
            self.ends[name] = max(self.ends[name], int(np.max(event.offsets)) + event.size)


class Guarded(Observer):
    """Keeps some threads of each block from some lines: what they read there is zero, what they write is dropped.

    Args:
        places: The lines.
        threads: Some threads; all others that have the same numbers in the grid along the axes are kept out with them.
        axes: The axes, 0 to 2 for x to z.
    """

    def __init__(self, places: Collection[SourceLocation], threads: Collection[Who], axes: tuple[int, ...]) -> None:
        self._lines = {(place.file, place.line) for place in places}
        self._threads, self._axes = threads, axes

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Replace `engine.memory.load` and `store` for this launch: at the lines, loads of the threads give zero, and
        their stores do nothing. Atomics are not replaced.
        """
        memory, block, axes = engine.memory, engine.block, self._axes
        threads = {tuple(who.block[axis] * block[axis] + who.thread[axis] for axis in axes) for who in self._threads}
        load, store = memory.load, memory.store

        def kept_out(lanes: LaneSet, site: Site) -> Booleans | None:
            if (site.place.file, site.place.line) not in self._lines:
                return None
            numbers = [
                lanes.get(f"ctaid.{'xyz'[axis]}") * block[axis] + lanes.get(f"tid.{'xyz'[axis]}") for axis in axes
            ]
            out = np.zeros(lanes.n, bool)
            for thread in threads:
                selected = np.ones(lanes.n, bool)
                for place, number in zip(numbers, thread, strict=True):
                    selected &= place == number
                out |= selected
            return out if out.any() else None

        def guarded_load(lanes: LaneSet, pointers: Integers, *rest: Any) -> tuple[Array, Taint]:
            values, taint = load(lanes, pointers, *rest)
            out = kept_out(lanes, rest[-1])
            if out is not None:
                values = np.repeat(values, lanes.n, 0) if len(values) != lanes.n else values.copy()
                values[out] = 0
            return values, taint

        def guarded_store(
            lanes: LaneSet, pointers: Integers, values: Array, access: Access, site: Site, *rest: Any
        ) -> None:
            out = kept_out(lanes, site)
            if out is None:
                store(lanes, pointers, values, access, site, *rest)
                return
            selected = np.flatnonzero(~out)
            if len(selected):
                pointers, values = (part[selected] if len(part) > 1 else part for part in (pointers, values))
                store(lanes.sub(selected), pointers, values, access, site)

        setattr(memory, "load", guarded_load)  # noqa: B010 methods are replaced for this launch alone
        setattr(memory, "store", guarded_store)  # noqa: B010


def _zero(type: Type) -> Array:
    return np.zeros_like(poison_value(type))


@dataclass(slots=True)
class RunOfAccess:
    """One execution of an access: how many of its lanes are inside of the array, and how many outside."""

    inside: int
    outside: int


class Executions(Observer):
    """Keeps of each access to memory how often it ran, and in which of its executions lanes are outside.

    Attributes:
        of: The executions by the access's place in the source, in their order.
    """

    def __init__(self) -> None:
        self.of: dict[SourceLocation, list[RunOfAccess]] = defaultdict(list)
        self._reported: dict[Site, int] = {}  # how many lanes of the access under way are inside

    def launch_begin(self, engine: RunningLaunch) -> None:
        """Replace the observation's `report` for this launch, so that accesses out of bounds are counted in `of` too.

        They are still reported.
        """
        report = engine.observation.report

        def note(
            name: str, severity: str, sites: tuple[Site, ...], lanes: LaneSet, positions: Integers, **details: Any
        ) -> None:
            if name.startswith("out-of-bounds"):
                self.of[sites[0].place].append(RunOfAccess(lanes.n - len(positions), len(positions)))
                self._reported[sites[0]] = lanes.n - len(positions)
            report(name, severity, sites, lanes, positions, **details)

        setattr(engine.observation, "report", note)  # noqa: B010 a method is replaced for this launch alone

    def access(self, event: AccessEvent) -> None:
        """Count an execution of an access without lanes outside; one with some was counted when it was reported."""
        if self._reported.pop(event.site, 0) != event.lanes.n:
            self.of[event.site.place].append(RunOfAccess(event.lanes.n, 0))

    def never_inside(self, place: SourceLocation) -> bool:
        """Return whether an access is wholly outside of its array whenever it runs; True too if it never ran."""
        return all(not execution.inside for execution in self.of.get(place, ()))

    def all_outside(self, place: SourceLocation) -> str:
        """Return `start` or `end` if an access is wholly outside in its first or its last executions alone; else an
        empty text.
        """
        wholly = [not execution.inside for execution in self.of.get(place, ())]
        if True not in wholly or False not in wholly:
            return ""
        first, last = wholly.index(False), len(wholly) - wholly[::-1].index(False)
        if not any(wholly[first:]):
            return "start"
        return "end" if not any(wholly[:last]) else ""


@dataclass(slots=True)
class Trials:
    """Repeats one launch of a case, each time with one thing changed.

    Args:
        case: The case that was run.
        instance: The case at the width of its warps.
        dataset: The data set with which it is wrong.
        backend: The backend with its kernels.
    """

    case: Case
    instance: Instance
    dataset: Dataset
    backend: SimulatorBackend
    _expected: Mapping[str, np.ndarray] = field(init=False)

    def __post_init__(self) -> None:
        self._expected = self.case.expected(self.dataset, self.instance.width)

    def right(self, *changes: Callable[[], Observer], seed: int | None = None) -> bool:
        """Launch the kernel and return whether all results are what they should be; False if the launch fails. Scratch
        and masked elements are not compared.

        Args:
            changes: Each makes an observer that changes a launch, and is called for every launch of the case.
            seed: The order of the threads; None for that of the backend.
        """
        watched = self.backend.with_recorders({}, seed, lambda **_: tuple(change() for change in changes))
        outcome = watched.launch(self._request)
        if outcome.failure is not None:
            return False
        for tensor in self.instance.results:
            expected = self._expected.get(tensor.name)
            if expected is None or tensor.role == "scratch":
                continue
            filled, values = np.ma.filled(expected, np.nan), outcome.results[tensor.name].values
            fits = compare_values(values, np.asarray(filled), self.case.tolerance(tensor.name, self.dataset.name))
            if not (fits | np.ma.getmaskarray(np.ma.asarray(expected)).reshape(-1)).all():
                return False
        return True

    def with_zeros(self) -> bool:
        """Return whether the results are right where shared memory and undefined host buffers begin with zeros, and
        reads outside of arrays give zero.
        """
        return self.right(lambda: Changed(zeros=True))

    def with_guard(self, places: Collection[SourceLocation], threads: Collection[Who]) -> bool:
        """Return whether the results are right where some threads do not come to some lines, and what is undefined or
        read outside of arrays is zero.

        Beside these threads themselves all of their column, and all of their row, are tried.
        """
        return any(
            self.right(partial(Guarded, places, threads, axes), partial(Changed, zeros=True))
            for axes in ((0, 1, 2), (0,), (1,))
        )

    def without(self, places: Collection[SourceLocation], threads: Collection[Who]) -> bool:
        """Return whether the results are right where these threads, and no others, do not come to some lines."""
        return self.right(partial(Guarded, places, threads, (0, 1, 2)), partial(Changed, zeros=True))

    def with_room(self, room: Mapping[str, int]) -> Mapping[str, int] | None:
        """Launch the kernel with more room; return up to which byte each array is used if the results are right then,
        else None.

        Args:
            room: How many bytes more arrays in shared memory have, by name.
        """
        changed: list[Changed] = []

        def change() -> Changed:
            changed.append(Changed(room=room))
            return changed[-1]

        if not self.right(change):
            return None
        return {name: max(each.ends[name] for each in changed) for name in room}

    def executions(self) -> Executions:
        """Launch the case and return the observer (`Executions`) of the first step with an access outside of an array,
        or else of step 0. A failure of the launch is ignored.
        """
        watchers = {number: Executions() for number in range(len(self.case.steps))}
        self.backend.with_recorders(watchers).launch(self._request)
        outside = (each for each in watchers.values() if any(run.outside for runs in each.of.values() for run in runs))
        return next(outside, watchers[0])

    def trails(self) -> list[Trail]:
        """Launch the case and return the record of each step, in order; incomplete or empty if the launch fails."""
        trails = {number: Trail(number) for number in range(len(self.case.steps))}
        self.backend.with_recorders(trails).launch(self._request)
        return list(trails.values())

    @property
    def _request(self) -> Request:
        return Request(case=self.case, instance=self.instance, dataset=self.dataset, fill="zero", counted=False)
