"""Runs the lanes of a launch, chunk by chunk.

Lanes wait in `work`, by the segment they run next; the lowest segment runs
with all lanes that are there. Values that outlive a segment are kept in
registers: an array and the lanes it belongs to, or one value for all lanes.
"""

import time

import numpy as np

from harness.simt.compile.codegen import function_of
from harness.simt.errors import Unsupported
from harness.simt.ops.undefined import joined
from harness.simt.run import atomics, waits
from harness.simt.run.barriers import Barriers
from harness.simt.run.checks import Checks
from harness.simt.run.schedule import Schedule
from harness.simt.state.merge import CLEAN, combine, equal, pick

__all__ = ["Engine"]

CLOCK_STEPS = 256


class Engine(Checks):
    """The state of a launch; what generated code and intrinsics work on.

    Attributes:
        program: The compiled kernel.
        memory: All allocations.
        geometry: The chunk that runs, and its `root` lanes.
        work: Segment number to the lanes that run it next, with the values of
            its phis, or `PASSED` for a gate they are through.
        parked: Segment number to lanes that wait at its gate.
        barriers: The block barriers that some lanes have come to.
        others: The values that lanes elsewhere still need, as a bit set.
        RL, RV: Registers: the lanes of a value (None for all) and the value.
        RU, RT: The same for taints.
        live: Which lanes have not ended.
        writes: Counts what can change a loop: stores, and readings of the clock.
    """

    def __init__(self, program, launch, observers, options):
        self.tracked = False
        self.setup_events(program, launch, observers, options)
        self.memory = None
        self.steps = 0
        self.writes = 0
        self.printed = []
        self.messages = {}
        self.schedule = Schedule(self, options)
        self.store_order = self.schedule.store_order
        self.deadline = time.monotonic() + options.max_seconds

    def run_chunk(self, geometry, registers):
        """Runs all lanes of a chunk to their end.

        Args:
            registers: (slot, value) of the kernel's parameters.
        """
        count = len(self.program.slots)
        self.geometry, self.root = geometry, geometry.root
        self.RL, self.RV = [None] * count, [None] * count
        self.RU, self.RT = [None] * count, [None] * count
        for slot, value in registers:
            self.RV[slot] = value
        self.live = np.ones(geometry.lanes, bool)
        self.live_count = geometry.lanes
        self.live_version = 0
        self.cluster_arrived = np.zeros(geometry.lanes, np.int64)
        self.cluster_waited = np.zeros(geometry.lanes, np.int64)
        self.parked, self.others = {}, 0
        self.barriers = Barriers()
        self.work = {0: [(self.root, ())]}
        for hook in self.on_chunk_begin:
            hook(geometry)
        self._loop()
        for hook in self.on_chunk_end:
            hook(geometry)

    def _loop(self):
        work, parked = self.work, self.parked
        segments, program = self.program.segments, self.program
        tracked, functions = self.tracked, self.program.functions
        schedule, on_segment = self.schedule, self.on_segment
        max_steps = self.options.max_steps or float("inf")
        while True:
            if not work:
                if not parked:
                    return
                waits.resolve_stalled(self)
                continue
            number, entries = schedule.pick(work)
            segment = segments[number]
            if segment.gate is not None:
                lanes = waits.enter(self, segment, entries)
                values = ()
                if lanes is None:
                    continue
            elif len(entries) == 1:
                lanes, values = entries[0]
            else:
                lanes, values = combine(entries)
            self.steps += 1
            if self.steps % CLOCK_STEPS == 0 and time.monotonic() > self.deadline:
                schedule.out_of_budget(segment, lanes, f"{self.options.max_seconds:g} seconds")
            if self.steps > max_steps:
                schedule.out_of_budget(segment, lanes, f"{max_steps} steps")
            mask = 0
            if work:
                for waiting in work:
                    mask |= segments[waiting].live
            if parked:
                for waiting in parked:
                    mask |= segments[waiting].live
            self.others = mask
            function = functions.get((number, tracked))
            if function is None:
                try:
                    function = function_of(program, segment, tracked)
                except Unsupported as error:
                    who = self.who(lanes, [0])[0]
                    raise Unsupported(error.what, f"{error}, reached by {who}") from None
            if on_segment:
                self.emit_segment(segment, lanes)
            function(self, lanes, values)

    # Called by generated code.

    def fetch(self, slot, lanes):
        """The value of a register for some lanes."""
        owner, value = self.RL[slot], self.RV[slot]
        if owner is None or owner is lanes:
            return value
        return value.take(lanes.positions_in(owner), 0)

    def fetch_taint(self, slot, lanes):
        """The taint of a register for some lanes, or None."""
        taint = self.RT[slot]
        if taint is None or len(taint) == 1:
            return taint
        owner = self.RU[slot]
        if owner is not lanes:
            taint = taint.take(lanes.positions_in(owner), 0)
        return taint if taint.any() else None

    def merge(self, lanes, items):
        """Stores values while lanes elsewhere still need the old ones."""
        for number, slot, value, *taint in items:
            if not self.others >> number & 1 or self.RV[slot] is None:
                self.RV[slot] = value
                self.RL[slot] = None if len(value) == 1 else lanes
                if taint:
                    self.RT[slot], self.RU[slot] = taint[0], lanes
                continue
            old = self.RV[slot]
            same = len(old) == len(value) == 1 and equal(old, value)
            if not same:
                self.RV[slot] = self._merged(old, self.RL[slot], value, lanes)
                self.RL[slot] = self.root
            if taint and not (taint[0] is None and self.RT[slot] is None):
                before, after = self.RT[slot], taint[0]
                before = CLEAN if before is None else before
                after = CLEAN if after is None else after
                before, after = joined((before, after))
                owner = self.RU[slot] if len(before) > 1 else None
                self.RT[slot] = self._merged(before, owner, after, lanes)
                self.RU[slot] = self.root

    def _merged(self, old, owner, value, lanes):
        if owner is self.root:
            full = old.copy()
        else:
            full = np.empty((self.root.n, *value.shape[1:]), value.dtype)
            full[... if owner is None else owner.idx] = old
        full[lanes.idx] = value
        return full

    def push(self, target, lanes, values):
        """Lets lanes go on at a segment."""
        entries = self.work.get(target)
        if entries is None:
            self.work[target] = [(lanes, values)]
        else:
            entries.append((lanes, values))

    def park(self, segment, lanes):
        """Leaves lanes waiting at the gate of a segment."""
        self.parked.setdefault(segment.number, []).append(lanes)

    def branch(self, lanes, condition, yes, yes_values, no, no_values, site, taint):
        """Sends each lane one of two ways."""
        if taint is not None:
            self.emit_taint("branch", site, lanes, taint)
        if self.on_branch:
            self.emit_branch(site, lanes, condition)
        if len(condition) == 1:
            if condition[0]:
                self.push(yes, lanes, yes_values)
            else:
                self.push(no, lanes, no_values)
            return
        taken = np.count_nonzero(condition)
        if taken == lanes.n:
            self.push(yes, lanes, yes_values)
        elif taken == 0:
            self.push(no, lanes, no_values)
        else:
            here, there = condition.nonzero()[0], (~condition).nonzero()[0]
            self.push(yes, lanes.sub(here), pick(yes_values, here))
            self.push(no, lanes.sub(there), pick(no_values, there))

    def switch(self, lanes, value, cases, edges, site, taint):
        """Sends each lane one of several ways; the first edge is the default."""
        if taint is not None:
            self.emit_taint("branch", site, lanes, taint)
        if self.on_branch:
            self.emit_branch(site, lanes, np.isin(value, cases, invert=True))
        if len(value) == 1:
            which = cases.index(value[0]) + 1 if value[0] in cases else 0
            self.push(edges[which][0], lanes, edges[which][1])
            return
        rest = np.ones(lanes.n, bool)
        for case, (target, values) in zip(cases, edges[1:], strict=True):
            here = np.flatnonzero(value == case)
            if len(here):
                rest[here] = False
                self.push(target, lanes.sub(here), pick(values, here))
        here = np.flatnonzero(rest)
        if len(here):
            target, values = edges[0]
            self.push(target, lanes.sub(here), pick(values, here))

    def exit(self, lanes):
        """Ends lanes."""
        if self.on_exit:
            self.emit_exit(None, lanes)
        self.live_count -= lanes.n
        self.live_version += 1
        if self.live_count:
            self.live[lanes.idx] = False
            waits.retry(self)
        else:
            self.live[:] = False

    def atomic_order(self, site, lanes):
        """A load or store with an ordering; observers see it in the access."""

    def begin_life(self, lanes, number, site):
        """A local variable begins to exist: its bytes become undefined."""
        allocation = self.memory.allocations[number]
        if allocation.shadow is None:
            allocation.shadow = np.zeros(len(allocation.data), np.int32)
        origin = self.origin("argument", allocation.name, site)
        allocation.shadow.reshape(-1, allocation.stride)[lanes.idx] = origin

    def atomic(self, lanes, operation, pointers, values, access, site, taints):
        """See `atomics.update`."""
        return atomics.update(self, lanes, operation, pointers, values, access, site, taints)

    def exchange(self, lanes, pointers, expected, new, access, site, taints):
        """See `atomics.exchange`."""
        return atomics.exchange(self, lanes, pointers, expected, new, access, site, taints)

    def fence(self, lanes, site):
        """A fence instruction orders nothing here; observers are told."""
        if self.on_fence:
            self.emit_fence(site, lanes)

    # For gates and intrinsics.

    def operand(self, operand, lanes):
        """The value of a one-leaf operand for some lanes."""
        if hasattr(operand, "number"):
            return self.fetch(self.program.slots[operand.number, 0], lanes)
        return np.array([operand.value])

    def peer_rows(self, rows, rank):
        """The chunk's numbers of the blocks with a rank in the lanes' clusters."""
        size = self.cluster_size
        return rows // size * size + rank
