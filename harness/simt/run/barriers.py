"""Numbered barriers of a block: count and park lanes, open for all or a count, and sum the lanes' predicates.

A barrier has a number. It opens for a block when all its live lanes are there, or
as many as its count says; a warp whose live lanes are all there counts
with its full width, as in hardware. Lanes that only arrive are counted and go on.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers, distinct
from harness.simt.compile.declarations import Barrier
from harness.simt.compile.segments import Gate
from harness.simt.events import BarrierEvent, PhaseEvent
from harness.simt.ir.site import Site
from harness.simt.run.observation import Observation
from harness.simt.run.registers import Registers
from harness.simt.state.chunk import Chunk
from harness.simt.state.lanes import LaneSet, union
from harness.simt.state.merge import PASSED

__all__ = ["Barriers"]

GatedLanes: TypeAlias = tuple[Gate[Barrier], LaneSet]  # lanes, and the gate at which they wait

BARRIER_COUNT = 16  # PTX: each block has the barriers 0 to 15
UNREACHABLE_COUNT = np.iinfo(np.int64).max  # of lanes: no barrier opens that expects so many


class Barriers:
    """The barriers of the blocks in a chunk.

    Attributes:
        reduced: By barrier number, of the last reduction: the sum of the predicates, and
            how many lanes gave one; each an array with an entry for each block of the chunk.
    """

    def __init__(
        self, gates: dict[int, Gate[Barrier]], chunk: Chunk, registers: Registers, observation: Observation
    ) -> None:
        self._gates, self._chunk, self._registers, self._observation = gates, chunk, registers, observation
        self._arrived: dict[int, Booleans] = {}  # by number, the lanes that arrived without waiting
        # By barrier number and block, how many phases have ended that lanes arrived at without waiting.
        self._phases: dict[int, Integers] = {}
        # By barrier number and block, the lane count declared since the barrier last opened; 0 if none was.
        self._expected: dict[int, Integers] = {}
        self.reduced: dict[int, tuple[Integers, Integers]] = {}

    def enter(self, gate: Gate[Barrier], lanes: LaneSet) -> LaneSet | None:
        """Let lanes enter the barriers that they name; park them, or release all that wait where a barrier opens.

        Released lanes at other gates are scheduled there. Misuse is reported, and does not end the launch.

        Returns:
            The lanes that go on at `gate` now; None if there are none.
        """
        numbers = self._barrier_numbers(gate, lanes)
        first = int(numbers[0])
        if len(numbers) == 1 or (numbers == first).all():
            return self._enter_one(gate, lanes, first)
        passing = []
        for number in distinct(numbers).tolist():
            group = lanes.sub(np.flatnonzero(numbers == number))
            passed = self._enter_one(gate, group, number)
            if passed is not None:
                passing.append(passed)
        return union(passing) if passing else None

    def _barrier_numbers(self, gate: Gate[Barrier], lanes: LaneSet) -> Array:
        """Return the number of the barrier that each lane names, (n,) or (1,); 0 if the gate has no number."""
        number = gate.wait.number
        if number is None:
            return np.zeros(1, np.int32)
        return self._registers.operand(gate.op.operands[number], lanes)

    def _enter_one(self, gate: Gate[Barrier], lanes: LaneSet, number: int) -> LaneSet | None:
        """Let lanes that name one barrier enter it, as `enter`; a number that does not exist is reported, and used."""
        self._check_number(number, gate.site, lanes)
        if lanes.n == self._chunk.live.count and gate.wait.count is None and number not in self._arrived:
            return self._open(gate, number, [(gate, lanes)])
        waiting = self._waiting_at(number)
        sets = [*waiting, (gate, lanes)]
        counts = self._expected_by_block(gate, lanes, number)
        opened = self._find_complete(gate.site, lanes, number, counts, [waiters for _, waiters in sets])
        if opened.all() and not waiting:
            return self._open(gate, number, [(gate, lanes)])
        if not opened[lanes.get("row")].any():
            self._chunk.park(gate.segment, lanes)
            return None
        return self._open(gate, number, self._divide(lanes, sets, opened))

    def _waiting_at(self, number: int) -> list[GatedLanes]:
        """Return the parked lanes that wait at a barrier, with their gates."""
        return [
            (gate, lanes)
            for segment, sets in self._chunk.parked.items()
            if (gate := self._gates.get(segment)) is not None
            for lanes in sets
            if int(self._barrier_numbers(gate, lanes)[0]) == number
        ]

    def _divide(self, lanes: LaneSet, sets: Iterable[GatedLanes], opened: Booleans) -> list[GatedLanes]:
        """Return the lanes in opened blocks, with their gates, no longer parked; park the others, or leave them parked.

        Args:
            lanes: The lanes that enter now, not parked yet; `sets` has this object itself.
            sets: All lanes that wait, with their gates.
            opened: For each block of the chunk, whether its barrier opens.
        """
        groups = []
        parked = self._chunk.parked
        for gate, group in sets:
            is_free = opened[group.get("row")]
            if group is not lanes:
                if not is_free.any():
                    continue
                parked[gate.segment].remove(group)
                if not parked[gate.segment]:
                    del parked[gate.segment]
            free = group if is_free.all() else group.sub(np.flatnonzero(is_free))
            if free is not group:
                self._chunk.park(gate.segment, group.sub(np.flatnonzero(~is_free)))
            groups.append((gate, free))
        return groups

    def _open(self, gate: Gate[Barrier], number: int, groups: Sequence[GatedLanes]) -> LaneSet | None:
        """Open a barrier for the blocks of some lanes.

        If lanes reduce at it, their predicates are combined (`_reduce`); a finding is reported if others came without
        one. If lanes had arrived without waiting, they are removed, and the next phase begins. A declared lane count is
        forgotten. Observers get a `BarrierEvent`, and for each group a `PhaseEvent` of kind `wait` if lanes had arrived
        without waiting.

        Args:
            groups: The lanes, with the gates at which they are; parked nowhere any more.

        Returns:
            The lanes at `gate`, which go on at once; lanes at other gates are scheduled. None if there are none at
            `gate`.
        """
        if number in self._expected:
            self._expected[number][_blocks_of(groups)] = 0
        reducing = [other.wait.predicate is not None for other, _ in groups]
        arrived = self._pop_arrived(number, groups) if number in self._arrived else None
        if any(reducing):
            self._reduce(number, groups)
            if not all(reducing) or (arrived is not None and arrived.n):
                lanes = groups[reducing.index(True)][1]
                self._report("mixed", gate.site, lanes, np.arange(lanes.n), number=number)
        if self._observation.on_barrier:
            blocks = _blocks_of(groups)
            exited = (~self._chunk.live.by_block()[blocks]).sum(1)
            released, wait = tuple((other.site, free) for other, free in groups), gate.wait
            counted, reduces, spaces = wait.count is not None, wait.predicate is not None, wait.ordered_spaces(gate.op)
            event = BarrierEvent(released, number, blocks, exited, spaces, wait.aligned, counted, reduces, arrived)
            self._observation.on_barrier(event)
        if arrived is not None and arrived.n:
            for other, free in groups:
                self._emit_phase("wait", other.site, free, number)
            self._phases[number][_blocks_of(groups)] += 1
        passing = None
        for other, free in groups:
            if other is gate:
                passing = free if passing is None else union([passing, free])
            else:
                self._chunk.push(other.segment, free, PASSED)
        return passing

    def _pop_arrived(self, number: int, groups: Iterable[GatedLanes]) -> LaneSet:
        """Remove and return the lanes that arrived without waiting in the blocks of `groups`, perhaps none."""
        arrived, blocks = self._arrived[number], _blocks_of(groups)
        by_block = arrived.reshape(len(self._chunk.geometry.blocks), -1)
        mask = np.zeros_like(by_block)
        mask[blocks] = by_block[blocks]
        by_block[blocks] = False
        if not arrived.any():
            del self._arrived[number]
        return self._chunk.root.sub(np.flatnonzero(mask.ravel()))

    def _reduce(self, number: int, groups: Iterable[GatedLanes]) -> None:
        """Set `reduced[number]`, by block, to (sums of the predicates, numbers of lanes that gave a predicate).

        Blocks without such lanes keep their earlier sum and count.
        """
        blocks = len(self._chunk.geometry.blocks)
        previous = self.reduced.get(number)
        counts, totals = previous or (np.zeros(blocks, np.int64), np.zeros(blocks, np.int64))
        sums = np.zeros((2, blocks), np.int64)
        for gate, lanes in groups:
            if gate.wait.predicate is not None:
                predicates = self._registers.operand(gate.op.operands[gate.wait.predicate], lanes)
                predicates = np.broadcast_to(predicates, (lanes.n,))
                sums[0] += np.bincount(lanes.get("row"), predicates, blocks).astype(np.int64)
                sums[1] += lanes.by_block
        passing = sums[1] > 0
        self.reduced[number] = (np.where(passing, sums[0], counts), np.where(passing, sums[1], totals))

    def _expected_by_block(self, gate: Gate[Barrier], lanes: LaneSet, number: int) -> Integers | None:
        """Return how many lanes a barrier waits for in each block, (blocks,); None if it waits for all live lanes.

        A count that lanes declare is noted and checked; see `_declare_counts`.
        """
        if gate.wait.count is None:
            return None
        counts = self._registers.operand(gate.op.operands[gate.wait.count], lanes)
        return self._declare_counts(gate.site, lanes, number, counts)

    def _declare_counts(self, site: Site, lanes: LaneSet, number: int, counts: Array) -> Integers:
        """Note by block the lane count that lanes declare for a barrier, in `_expected`, until the barrier opens.

        A count that was noted before stays. Reported are counts that are no multiple of the warp width or not above 0,
        and counts that differ in a block, or from the noted count; none of that ends the launch.

        Returns:
            For each block of the chunk the count that the first of these lanes declares, even if another is noted;
            `UNREACHABLE_COUNT` where the block has none of these lanes.
        """
        blocks, counts = lanes.get("row"), np.broadcast_to(counts, (lanes.n,)).astype(np.int64)
        expected = np.full(len(self._chunk.geometry.blocks), UNREACHABLE_COUNT)
        expected[blocks[::-1]] = counts[::-1]
        declared = self._expected.setdefault(number, np.zeros_like(expected))
        before = declared[blocks]
        differ = np.flatnonzero((counts != expected[blocks]) | ((before != 0) & (counts != before)))
        declared[blocks] = np.where(before == 0, expected[blocks], before)
        if len(differ):
            self._report("counts", site, lanes, differ)
        width = self._chunk.geometry.warp
        wrong = np.flatnonzero((counts % width != 0) | (counts <= 0))
        if len(wrong):
            self._report("multiple", site, lanes, wrong, width=width, given=int(counts[wrong[0]]))
        return expected

    def _find_complete(
        self, site: Site, lanes: LaneSet, number: int, counts: Integers | None, sets: Iterable[LaneSet]
    ) -> Booleans:
        """Return for each block of the chunk whether enough lanes have come; report `lanes` where too many have.

        A warp counts with its full width once all its live lanes have come. Too many are enough; no lane at all is not.

        Args:
            counts: How many lanes the barrier takes in each block, or None for all live lanes.
            sets: The lanes that wait; those that arrived without waiting are added to them.
        """
        geometry, live = self._chunk.geometry, self._chunk.live.mask
        present_lanes = self._arrived.get(number, np.zeros(geometry.lanes, bool)).copy()
        for lanes_waiting in sets:
            present_lanes[lanes_waiting.idx] = True
        warp = geometry.value("warp")
        present = np.bincount(warp[present_lanes], minlength=geometry.all_warps)
        missing = np.bincount(warp[live & ~present_lanes], minlength=geometry.all_warps)
        arrived = np.where((missing == 0) & (present > 0), geometry.warp, present)
        sums = arrived.reshape(len(geometry.blocks), -1).sum(1)
        live_warps = (present + missing > 0).reshape(len(geometry.blocks), -1).sum(1)
        expected = live_warps * geometry.warp if counts is None else counts
        over = sums > expected
        if over.any():
            excess, arrived_count, allowed = (
                np.flatnonzero(over[lanes.get("row")]),
                int(sums[over][0]),
                int(expected[over][0]),
            )
            self._report("crowd", site, lanes, excess, came=arrived_count, number=number, taken=allowed)
        enough: Booleans = (sums >= expected) & (sums > 0)
        return enough

    def _emit_phase(self, kind: str, site: Site, lanes: LaneSet, number: int) -> None:
        """Report to observers that lanes arrive at a barrier, or wait there for such arrivals (`kind`), as at an
        `mbarrier`.
        """
        if self._observation.on_phase:
            phases = self._phases[number][np.broadcast_to(lanes.get("row"), (lanes.n,))]
            event = PhaseEvent(kind, site, lanes, np.full(lanes.n, number), phases, True, "block")
            self._observation.on_phase(event)

    def _check_number(self, number: int, site: Site, lanes: LaneSet) -> None:
        """Report a barrier number that does not exist."""
        if not 0 <= number < BARRIER_COUNT:
            self._report("number", site, lanes, np.arange(lanes.n), last=BARRIER_COUNT - 1, number=number)

    def _report(self, fault: str, site: Site, lanes: LaneSet, positions: Integers, **values: int) -> None:
        self._observation.report(f"barrier-protocol.{fault}", "error", (site,), lanes, positions, values=values)

    def arrive(self, lanes: LaneSet, site: Site, number: int, counts: Array) -> None:
        """Count lanes that arrive at a barrier without waiting, and end its phase in the blocks where it is complete.

        Where lanes wait at it, the phase goes on until the caller lets these try again (`SyncGates.retry`). A wrong
        number or count is reported, and used; a lane that arrives twice in a phase is reported, and counts once.

        Args:
            number: The barrier's number.
            counts: How many lanes the barrier takes, as each lane declares.
        """
        geometry = self._chunk.geometry
        self._check_number(number, site, lanes)
        mask = self._arrived.setdefault(number, np.zeros(geometry.lanes, bool))
        has_arrived = mask[lanes.idx]
        if has_arrived.any():
            self._report("twice", site, lanes, np.flatnonzero(has_arrived), number=number)
        mask[lanes.idx] = True
        self._phases.setdefault(number, np.zeros(len(geometry.blocks), np.int64))
        self._emit_phase("arrive", site, lanes, number)
        self._chunk.signals += 1
        waiting = [group for _, group in self._waiting_at(number)]
        opened = self._find_complete(site, lanes, number, self._declare_counts(site, lanes, number, counts), waiting)
        for group in waiting:
            opened[group.get("row")] = False  # these open it themselves
        mask.reshape(len(geometry.blocks), -1)[opened] = False
        self._expected[number][opened] = 0
        self._phases[number][opened] += 1


def _blocks_of(groups: Iterable[GatedLanes]) -> Integers:
    """Return the indices in the chunk of the blocks that hold some of the lanes, ascending."""
    blocks: Integers = np.flatnonzero(sum(lanes.by_block for _, lanes in groups))
    return blocks
