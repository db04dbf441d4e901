"""Runs the lanes of a launch, chunk by chunk.

The lowest segment runs with all lanes that are there. What generated code and
intrinsics work on is in the engine's parts.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, Taint
from harness.simt.compile.codegen import generate_function
from harness.simt.compile.declarations import Fence
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.errors import Deadlock, Livelock, Unsupported
from harness.simt.events import BranchEvent, ExitEvent, FenceEvent, SegmentEvent
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, RunningLaunch
from harness.simt.ops.undefined import combine_taints as joined
from harness.simt.options import Options
from harness.simt.run.atomics import Atomics
from harness.simt.run.budget import Budget
from harness.simt.run.calls import Calls
from harness.simt.run.checks import Checks
from harness.simt.run.copies import Copies
from harness.simt.run.heap import Heap
from harness.simt.run.host import Host
from harness.simt.run.observation import Observation
from harness.simt.run.phases import Phases
from harness.simt.run.registers import Registers
from harness.simt.run.schedule import Schedule
from harness.simt.run.waits import Waits
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.chunk import Chunk
from harness.simt.state.device import Device
from harness.simt.state.lanes import Dim, Geometry, LaneSet
from harness.simt.state.memory import Memory
from harness.simt.state.merge import Values, combine, pick
from harness.simt.state.window import START, Window, places_of

__all__ = ["Call", "Engine"]


class Call(NamedTuple):
    """A call of an intrinsic: all that its handler is given.

    Attributes:
        lanes: Who calls.
        values: Of the arguments, leaf by leaf.
        taints: Theirs, each taken as a whole.
    """

    engine: "Engine"
    lanes: LaneSet
    site: Site
    values: tuple[Array, ...]
    taints: tuple[Taint, ...]

    def taint(self, *operands: int) -> Taint:
        """That of what is made of some arguments."""
        return joined(*(self.taints[operand] for operand in operands))

    def wide(self, operand: int) -> Array:
        """A scalar argument with an entry for each lane."""
        return np.broadcast_to(self.values[operand], (self.lanes.n,))

    def part(self, here: Integers) -> "Call":
        """The call by the lanes at some positions."""
        if len(here) == self.lanes.n:
            return self
        values = tuple(value if len(value) == 1 else value[here] for value in self.values)
        return Call(self.engine, self.lanes.sub(here), self.site, values, pick(self.taints, here))

    def load(self, pointers: Array, access: Access, taint: Taint = None) -> tuple[Array, Taint]:
        """What the lanes load, with its taint; `taint` is that of the address."""
        return self.engine.memory.load(self.lanes, pointers, taint, access, self.site)

    def store(self, pointers: Array, values: Array, access: Access, taints: tuple[Taint, Taint] = (None, None)) -> None:
        """The lanes store; the taints are of the address and of the value."""
        self.engine.memory.store(self.lanes, pointers, values, access, self.site, taints)

    def report(self, name: str, positions: Array, severity: str = "error", **details: Any) -> None:
        """Adds a finding of the lanes at some positions; see `Collector.add`."""
        self.engine.observation.report(name, severity, (self.site,), self.lanes, positions, **details)

    def fail(self, name: str, **values: Any) -> NoReturn:
        """Ends the launch with a finding."""
        self.engine.observation.fail(name, (self.site,), self.lanes, **values)


class Engine(RunningLaunch):
    """A launch that runs: its parts, and how lanes go from segment to segment; see `RunningLaunch`.

    Attributes:
        implicit: The addresses of what the runtime passes beside the arguments, by name.
        dynamic_shared_bytes: The size of the shared memory that the launch adds to what the kernel declares.
        budget: The steps.
        host: What was printed.
        frames: The local variables of functions that stand once; see `Calls`.
        atomics, checks: On its memory, while lanes run.
        heap: What these allocate.
        registers, waits, copies, calls: Theirs; not set before the first.
    """

    observation: Observation
    chunk: Chunk
    atomics: Atomics
    checks: Checks
    heap: Heap
    registers: Registers
    waits: Waits
    calls: Calls
    copies: Copies

    def __init__(
        self,
        program: Program,
        grid: Dim,
        block: Dim,
        cluster: Dim,
        observers: Sequence[Observer],
        options: Options,
        device: Device | None = None,
    ) -> None:
        self.program, self.target = program, program.target
        self.grid, self.block, self.cluster = grid, block, cluster
        self.cluster_size = cluster[0] * cluster[1] * cluster[2]
        self.options = options
        self.random = np.random.default_rng(options.seed) if options.seed is not None else None
        self._device = device = device or Device()
        self.budget = Budget(options, program)
        self.observation = Observation(program, observers, device.origins, self.budget.check)
        store_order = self.random.permutation if self.random is not None else None
        self.memory = Memory(self.observation, store_order, device.allocations)
        self.implicit: dict[str, int] = {}
        self.dynamic_shared_bytes = 0
        self.host = Host()
        self.frames: dict[int, list[Allocation]] = {}
        self.finished = False
        self.check_time = self.budget.check

    @cached_property
    def window(self) -> Window:
        """Shared memory as 32-bit addresses see it, with what the launch brings."""
        places = self.program.places
        own = [allocation for allocation in self.memory.allocations if allocation.rows == "block"]
        end = max((places[array.number] + array.size for array in own if array.number in places), default=START)
        more = ((array.number, array.size, 1) for array in own if array.number not in places)
        return Window({**places, **{number: place for number, place, _ in places_of(more, end)}})

    def mbarrier_text(self, allocation: Allocation, octet: int) -> str | None:
        """See `RunningLaunch`."""
        return self.waits.phases.text(allocation, octet)

    # Running.

    def run_chunk(self, geometry: Geometry, given: Iterable[tuple[int, Array]]) -> None:
        """Runs all lanes of a chunk to their end.

        Args:
            given: (slot, value) of the kernel's parameters.
        """
        self.chunk = Chunk(geometry)
        self.atomics = Atomics(self.observation, self.memory, flushes=self.target.vendor == "nvidia")
        self.checks = Checks(self.observation, self.memory)
        self.heap = Heap(self._device, self.observation)
        self.registers = Registers(self.program, geometry.root, given)
        phases = Phases(self.observation, self.memory, self.chunk)
        phases.window = lambda: self.window
        self.waits = Waits(self.program, self.chunk, self.registers, self.observation, phases)
        if self.program.graph.calls:
            self.calls = Calls(
                self.program, self.chunk, self.memory, self.observation, self.budget, self.options, self.frames
            )
        self.copies = Copies(self.observation, self.memory, self.chunk, phases, self.atomics)
        self.observation.on_chunk_begin(geometry)
        try:
            self._loop()
            self.copies.finish()
            phases.finish()
        except (Deadlock, Livelock):
            phases.unfinished()
            raise
        finally:
            phases.close()
        self.observation.on_chunk_end(geometry)

    def _loop(self) -> None:
        work, parked, asleep = self.chunk.work, self.chunk.parked, self.chunk.asleep
        registers, budget, observation = self.registers, self.budget, self.observation
        segments, functions = self.program.segments, self.program.cache.functions
        schedule = Schedule(
            self.program, self.chunk, registers, self.memory, observation, self.options.spin_steps, self.random
        )
        while True:
            if not work and not asleep:
                if not parked:
                    return
                self.waits.resolve_stalled()
                continue
            segment, entries = schedule.pick()
            values: Values = ()
            if segment.gate is not None:
                passing = self.waits.enter(segment.gate, entries)
                if passing is None:
                    continue
                lanes = passing
            elif len(entries) == 1:
                lanes, values = entries[0]
            else:
                lanes, values = combine(entries)
            budget.spend(segment, lanes)
            mask = 0
            for waiting in work:
                mask |= segments[waiting].live
            for waiting in parked:
                mask |= segments[waiting].live
            for sleep in asleep:
                mask |= segments[sleep.state.segment].live
            registers.others = mask
            function = functions.get(segment.number) or self._compiled(segment, lanes)
            if observation.on_segment:
                observation.on_segment(SegmentEvent(segment.number, lanes, segment.ops))
            function(self, lanes, values)

    def _compiled(self, segment: Segment, lanes: LaneSet) -> Callable[["Engine", LaneSet, Values], None]:
        try:
            return generate_function(self.program, segment)
        except Unsupported as error:
            who = lanes.who([0])[0]
            raise Unsupported(error.what, f"{error}, reached by {who}") from None

    # Called by generated code.

    def call(self, lanes: LaneSet, site: Site, values: tuple[Array, ...], taints: tuple[Taint, ...]) -> Call:
        """Lanes call an intrinsic."""
        return Call(self, lanes, site, values, taints)

    def branch(
        self,
        lanes: LaneSet,
        value: Array,
        cases: tuple[int, ...] | None,
        edges: tuple[tuple[int, Values], ...],
        site: Site,
        taint: Taint,
    ) -> None:
        """Sends each lane one of several ways: that of its case, else the first.

        Args:
            cases: None where the value is a condition: the first way is that of the lanes for which it holds.
        """
        observation, push = self.observation, self.chunk.push
        observation.emit_taint("branch", site, lanes, taint)
        ways: tuple[Booleans, ...] = (value, ~value)
        if cases is not None:
            ways = np.isin(value, cases, invert=True), *(value == case for case in cases)
        if observation.on_branch:
            observation.on_branch(BranchEvent(site, lanes, ways[0]))
        for way, (target, values) in zip(ways, edges, strict=True):
            count = np.count_nonzero(way)
            if count == len(way):  # all lanes, or the one value that they agree on
                push(target, lanes, values)
            elif count:
                positions = way.nonzero()[0]
                push(target, lanes.sub(positions), pick(values, positions))

    def exit(self, lanes: LaneSet, site: Site | None) -> None:
        """Ends lanes."""
        if self.observation.on_exit:
            self.observation.on_exit(ExitEvent(site, lanes))
        self.chunk.live.end(lanes)
        if self.chunk.live.count:
            self.waits.retry()

    def fence(self, lanes: LaneSet, site: Site, fence: Fence) -> None:
        """A fence orders nothing here; observers are told."""
        if self.observation.on_fence:
            self.observation.on_fence(FenceEvent(site, lanes, fence.ordering, fence.scope, fence.spaces))
