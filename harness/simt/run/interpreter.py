"""The interpreter: a launch's state and its loop over segments; and `Call`, what handlers of intrinsics get.

The lowest segment runs first, with all lanes that have come to it. Generated code and
handlers of intrinsics use the attributes of `Interpreter`.
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
from harness.simt.errors import Deadlock, Livelock, SimtError, Unsupported
from harness.simt.events import BranchEvent, ExitEvent, FenceEvent, SegmentEvent
from harness.simt.ir.site import Site
from harness.simt.observe import Observer, RunningLaunch
from harness.simt.ops.undefined import combine_taints as join_taints
from harness.simt.options import Options
from harness.simt.run.atomics import Atomics
from harness.simt.run.budget import Budget
from harness.simt.run.call_frames import CallFrames
from harness.simt.run.copies import Copies
from harness.simt.run.heap import Heap
from harness.simt.run.host_output import HostOutput
from harness.simt.run.mbarriers import MBarriers
from harness.simt.run.observation import Observation
from harness.simt.run.registers import Registers
from harness.simt.run.runtime_checks import RuntimeChecks
from harness.simt.run.scheduler import Scheduler
from harness.simt.run.sync_gates import SyncGates
from harness.simt.state.allocation import Access, Allocation
from harness.simt.state.chunk import Chunk
from harness.simt.state.device import Device
from harness.simt.state.lanes import Dim, Geometry, LaneSet
from harness.simt.state.memory import Memory
from harness.simt.state.merge import Values, combine, pick
from harness.simt.state.window import START, SharedWindow, assign_offsets

__all__ = ["Call", "Interpreter"]


class Call(NamedTuple):
    """A call of an intrinsic: the argument of its handler.

    Attributes:
        lanes: The lanes that call.
        values: The arguments, leaf by leaf.
        taints: Their taints, one for all bytes of each leaf.
    """

    engine: "Interpreter"
    lanes: LaneSet
    site: Site
    values: tuple[Array, ...]
    taints: tuple[Taint, ...]

    def taint(self, *operands: int) -> Taint:
        """Return the taint of a value that is computed from the arguments at these positions."""
        return join_taints(*(self.taints[operand] for operand in operands))

    def wide(self, operand: int) -> Array:
        """Return a scalar argument with an entry for each lane, (n,)."""
        return np.broadcast_to(self.values[operand], (self.lanes.n,))

    def part(self, positions: Integers) -> "Call":
        """Return the same call by only the lanes at some positions; this call itself if these are all lanes."""
        if len(positions) == self.lanes.n:
            return self
        values = tuple(value if len(value) == 1 else value[positions] for value in self.values)
        return Call(self.engine, self.lanes.sub(positions), self.site, values, pick(self.taints, positions))

    def load(self, pointers: Array, access: Access, taint: Taint = None) -> tuple[Array, Taint]:
        """Load a value for each lane; return it and its taint by byte, as `Memory.load`: invalid accesses are reported.

        Args:
            taint: Of the address.
        """
        return self.engine.memory.load(self.lanes, pointers, taint, access, self.site)

    def store(self, pointers: Array, values: Array, access: Access, taints: tuple[Taint, Taint] = (None, None)) -> None:
        """Store a value for each lane whose access is valid, and report the others; `taints` of address and value."""
        self.engine.memory.store(self.lanes, pointers, values, access, self.site, taints)

    def report(self, name: str, positions: Array, severity: str = "error", **details: Any) -> None:
        """Report a finding of the lanes at some positions; see `Collector.add`."""
        self.engine.observation.report(name, severity, (self.site,), self.lanes, positions, **details)

    def fail(self, name: str, **values: Any) -> NoReturn:
        """End the launch with an error of these lanes.

        Raises:
            Trap: Always.
        """
        self.engine.observation.fail(name, (self.site,), self.lanes, **values)


class Interpreter(RunningLaunch):
    """The interpreter of one launch: its state, and the loop that runs lanes segment by segment; see `RunningLaunch`.

    Attributes:
        implicit: The addresses of the data that the runtime passes besides the arguments, by name.
        dynamic_shared_bytes: The shared memory that the launch adds to the kernel's own, in bytes.
        budget: The steps and the time of the launch.
        host: The text that the kernel printed.
        frames: The local variables of functions that are not inlined; see `CallFrames`.
        atomics, checks: Atomic operations and checks, on the launch's memory.
        heap: The heap that lanes allocate from.
        registers, waits, copies, calls: The state of the chunk's lanes; not set before the first chunk.
    """

    observation: Observation
    chunk: Chunk
    atomics: Atomics
    checks: RuntimeChecks
    heap: Heap
    registers: Registers
    waits: SyncGates
    calls: CallFrames
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
        self.host = HostOutput()
        self.frames: dict[int, list[Allocation]] = {}
        self.finished = False
        self.check_time = self.budget.check

    @cached_property
    def window(self) -> SharedWindow:
        """The 32-bit addresses of shared memory, including what the launch adds; computed at the first use."""
        offsets = self.program.places
        shared = [allocation for allocation in self.memory.allocations if allocation.rows == "block"]
        end = max((offsets[array.number] + array.size for array in shared if array.number in offsets), default=START)
        added = ((array.number, array.size, 1) for array in shared if array.number not in offsets)
        return SharedWindow({**offsets, **{number: offset for number, offset, _ in assign_offsets(added, end)}})

    def mbarrier_text(self, allocation: Allocation, octet: int) -> str | None:
        """Return the state of the `mbarrier` at a byte of an allocation, such as `mbarrier 1 3/256`, or None."""
        return self.waits.mbarriers.text(allocation, octet)

    # Running.

    def run_chunk(self, geometry: Geometry, parameters: Iterable[tuple[int, Array]]) -> None:
        """Run all lanes of a chunk until they end; the state of the chunk before is replaced, but memory is not reset.

        Copies that nobody waited for are completed then, and bytes that mbarriers still expect are reported. Observers
        get the chunk's begin, and its end if none of this raises.

        Args:
            parameters: (register slot, value) of each of the kernel's parameters.

        Raises:
            SimtError: The launch ends early; invalid targets of copies in flight are reported before.
            RestartNeeded: The launch is to restart; see `Budget`.
        """
        self.chunk = Chunk(geometry)
        self.atomics = Atomics(self.observation, self.memory, flushes=self.target.vendor == "nvidia")
        self.checks = RuntimeChecks(self.observation, self.memory)
        self.heap = Heap(self._device, self.observation)
        self.registers = Registers(self.program, geometry.root, parameters)
        phases = MBarriers(self.observation, self.memory, self.chunk)
        phases.window = lambda: self.window
        self.waits = SyncGates(self.program, self.chunk, self.registers, self.observation, phases)
        if self.program.graph.calls:
            self.calls = CallFrames(
                self.program, self.chunk, self.memory, self.observation, self.budget, self.options, self.frames
            )
        self.copies = Copies(self.observation, self.memory, self.chunk, phases, self.atomics)
        self.observation.on_chunk_begin(geometry)
        try:
            self._run_segments()
            self.copies.finish()
            phases.report_bytes_left()
        except SimtError as error:
            self.copies.report_targets()
            if isinstance(error, Deadlock | Livelock):
                phases.report_unfinished()
            raise
        finally:
            phases.close()
        self.observation.on_chunk_end(geometry)

    def _run_segments(self) -> None:
        """Run segments until no lane is left.

        Raises:
            Deadlock, Livelock: The lanes that are left wait forever.
            KernelFault, BudgetExceeded, Unsupported, RestartNeeded: The launch ends early for another reason.
        """
        work, parked, asleep = self.chunk.work, self.chunk.parked, self.chunk.asleep
        registers, budget, observation = self.registers, self.budget, self.observation
        segments, functions = self.program.segments, self.program.cache.functions
        schedule = Scheduler(
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
            function = functions.get(segment.number) or self._compile_segment(segment, lanes)
            if observation.on_segment:
                observation.on_segment(SegmentEvent(segment.number, lanes, segment.ops))
            function(self, lanes, values)

    def _compile_segment(self, segment: Segment, lanes: LaneSet) -> Callable[["Interpreter", LaneSet, Values], None]:
        """Generate the Python function of a segment that `lanes` reached, and keep it in the program's cache.

        Raises:
            Unsupported: An instruction is not; the message names a lane that reached it.
        """
        try:
            return generate_function(self.program, segment)
        except Unsupported as error:
            who = lanes.who([0])[0]
            raise Unsupported(error.what, f"{error}, reached by {who}") from None

    # Called by generated code.

    def call(self, lanes: LaneSet, site: Site, values: tuple[Array, ...], taints: tuple[Taint, ...]) -> Call:
        """Return the call of an intrinsic by lanes, for its handler."""
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
        """Schedule each lane at one of several edges: that of the case which `value` equals, else the first.

        Observers get an undefined `value`, whose lanes branch by its bits all the same, and the branch.

        Args:
            cases: The values of all edges but the first. None if `value` is a condition with two edges: the first is
                taken if it is true, the second if not.
            edges: (target segment, values of its phis) of each.
            taint: Of `value`.
        """
        observation, push = self.observation, self.chunk.push
        observation.emit_taint("branch", site, lanes, taint)
        conditions: tuple[Booleans, ...] = (value, ~value)
        if cases is not None:
            conditions = np.isin(value, cases, invert=True), *(value == case for case in cases)
        if observation.on_branch:
            observation.on_branch(BranchEvent(site, lanes, conditions[0]))
        for condition, (target, values) in zip(conditions, edges, strict=True):
            count = np.count_nonzero(condition)
            if count == len(condition):  # all lanes, or the one value that they agree on
                push(target, lanes, values)
            elif count:
                positions = condition.nonzero()[0]
                push(target, lanes.sub(positions), pick(values, positions))

    def exit(self, lanes: LaneSet, site: Site | None) -> None:
        """End lanes that return from the kernel, tell observers, and let parked lanes try again if any lane is live.

        Args:
            site: The return instruction, if it is known.
        """
        if self.observation.on_exit:
            self.observation.on_exit(ExitEvent(site, lanes))
        self.chunk.live.end(lanes)
        if self.chunk.live.count:
            self.waits.retry()

    def fence(self, lanes: LaneSet, site: Site, fence: Fence) -> None:
        """Report a fence to observers: in the interpreter it has no other effect."""
        if self.observation.on_fence:
            self.observation.on_fence(FenceEvent(site, lanes, fence.ordering, fence.scope, fence.spaces))
