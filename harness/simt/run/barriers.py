"""Barriers of a block: who waits, who has arrived, when they open.

A barrier has a number. It opens for a block when all its lanes that live are
there, or as many as its count says; a warp whose live lanes are all there counts
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

Group: TypeAlias = tuple[Gate[Barrier], LaneSet]  # lanes and where they wait

NUMBERS = 16  # PTX: each block has the barriers 0 to 15
NEVER = np.iinfo(np.int64).max  # lanes, as which no barrier opens


class Barriers:
    """The barriers of a chunk's blocks.

    Attributes:
        reduced: By number, the sum of the predicates and how many lanes gave one,
            each by block, of the last reduction.
    """

    def __init__(
        self, gates: dict[int, Gate[Barrier]], chunk: Chunk, registers: Registers, observation: Observation
    ) -> None:
        self._gates, self._chunk, self._registers, self._observation = gates, chunk, registers, observation
        self._arrived: dict[int, Booleans] = {}  # by number, the lanes that arrived without waiting
        # By number, how often some that had arrived were let go, by block: what each does later is behind its arrival.
        self._phases: dict[int, Integers] = {}
        # By number, as how many each block's barrier was said to take since it last opened; 0 where nobody said it.
        self._said: dict[int, Integers] = {}
        self.reduced: dict[int, tuple[Integers, Integers]] = {}

    def enter(self, gate: Gate[Barrier], lanes: LaneSet) -> LaneSet | None:
        """The gate of a barrier: returns the lanes that pass, or None."""
        numbers = self._numbers(gate, lanes)
        first = int(numbers[0])
        if len(numbers) == 1 or (numbers == first).all():
            return self._enter(gate, lanes, first)
        passing = []
        for number in distinct(numbers).tolist():
            here = lanes.sub(np.flatnonzero(numbers == number))
            some = self._enter(gate, here, number)
            if some is not None:
                passing.append(some)
        return union(passing) if passing else None

    def _numbers(self, gate: Gate[Barrier], lanes: LaneSet) -> Array:
        number = gate.wait.number
        if number is None:
            return np.zeros(1, np.int32)
        return self._registers.operand(gate.op.operands[number], lanes)

    def _enter(self, gate: Gate[Barrier], lanes: LaneSet, number: int) -> LaneSet | None:
        self._known(number, gate.site, lanes)
        if lanes.n == self._chunk.live.count and gate.wait.count is None and number not in self._arrived:
            return self._open(gate, number, [(gate, lanes)])
        waiting = self._waiting(number)
        sets = [*waiting, (gate, lanes)]
        counts = self._count(gate, lanes, number)
        opened = self._complete(gate.site, lanes, number, counts, [own for _, own in sets])
        if opened.all() and not waiting:
            return self._open(gate, number, [(gate, lanes)])
        if not opened[lanes.get("row")].any():
            self._chunk.park(gate.segment, lanes)
            return None
        return self._open(gate, number, self._divide(lanes, sets, opened))

    def _waiting(self, number: int) -> list[Group]:
        """Who waits at a barrier."""
        return [
            (gate, own)
            for at, sets in self._chunk.parked.items()
            if (gate := self._gates.get(at)) is not None
            for own in sets
            if int(self._numbers(gate, own)[0]) == number
        ]

    def _divide(self, lanes: LaneSet, sets: Iterable[Group], opened: Booleans) -> list[Group]:
        """Lets go those that wait in blocks whose barrier opens; the others stay."""
        groups = []
        parked = self._chunk.parked
        for gate, own in sets:
            go = opened[own.get("row")]
            if own is not lanes:
                if not go.any():
                    continue
                parked[gate.segment].remove(own)
                if not parked[gate.segment]:
                    del parked[gate.segment]
            free = own if go.all() else own.sub(np.flatnonzero(go))
            if free is not own:
                self._chunk.park(gate.segment, own.sub(np.flatnonzero(~go)))
            groups.append((gate, free))
        return groups

    def _open(self, gate: Gate[Barrier], number: int, groups: Sequence[Group]) -> LaneSet | None:
        """Lets groups pass: those at `gate` at once, the others in their turn."""
        if number in self._said:
            self._said[number][_rows(groups)] = 0
        reducing = [other.wait.predicate is not None for other, _ in groups]
        arrived = self._take_arrived(number, groups) if number in self._arrived else None
        if any(reducing):
            self._reduce(number, groups)
            if not all(reducing) or (arrived is not None and arrived.n):
                lanes = groups[reducing.index(True)][1]
                self._report("mixed", gate.site, lanes, np.arange(lanes.n), number=number)
        if self._observation.on_barrier:
            rows = _rows(groups)
            exited = (~self._chunk.live.by_block()[rows]).sum(1)
            told, wait = tuple((other.site, free) for other, free in groups), gate.wait
            counted, reduces, spaces = wait.count is not None, wait.predicate is not None, wait.ordered_spaces(gate.op)
            event = BarrierEvent(told, number, rows, exited, spaces, wait.aligned, counted, reduces, arrived)
            self._observation.on_barrier(event)
        if arrived is not None and arrived.n:
            for other, free in groups:
                self._tell("wait", other.site, free, number)
            self._phases[number][_rows(groups)] += 1
        passing = None
        for other, free in groups:
            if other is gate:
                passing = free if passing is None else union([passing, free])
            else:
                self._chunk.push(other.segment, free, PASSED)
        return passing

    def _take_arrived(self, number: int, groups: Iterable[Group]) -> LaneSet:
        """The lanes that had arrived without waiting in the blocks that pass."""
        arrived, rows = self._arrived[number], _rows(groups)
        by_row = arrived.reshape(len(self._chunk.geometry.blocks), -1)
        mask = np.zeros_like(by_row)
        mask[rows] = by_row[rows]
        by_row[rows] = False
        if not arrived.any():
            del self._arrived[number]
        return self._chunk.root.sub(np.flatnonzero(mask.ravel()))

    def _reduce(self, number: int, groups: Iterable[Group]) -> None:
        """Adds up the predicates of all lanes that pass, block by block."""
        blocks = len(self._chunk.geometry.blocks)
        held = self.reduced.get(number)
        counts, totals = held or (np.zeros(blocks, np.int64), np.zeros(blocks, np.int64))
        sums = np.zeros((2, blocks), np.int64)
        for gate, lanes in groups:
            if gate.wait.predicate is not None:
                given = self._registers.operand(gate.op.operands[gate.wait.predicate], lanes)
                given = np.broadcast_to(given, (lanes.n,))
                sums[0] += np.bincount(lanes.get("row"), given, blocks).astype(np.int64)
                sums[1] += lanes.by_block
        passing = sums[1] > 0
        self.reduced[number] = (np.where(passing, sums[0], counts), np.where(passing, sums[1], totals))

    def _count(self, gate: Gate[Barrier], lanes: LaneSet, number: int) -> Integers | None:
        """How many lanes a barrier waits for, block by block; None for all that live."""
        if gate.wait.count is None:
            return None
        counts = self._registers.operand(gate.op.operands[gate.wait.count], lanes)
        return self._taken(gate.site, lanes, number, counts)

    def _taken(self, site: Site, lanes: LaneSet, number: int, counts: Array) -> Integers:
        """How many lanes a barrier takes in each block: what the first of its lanes says, else `NEVER`."""
        rows, counts = lanes.get("row"), np.broadcast_to(counts, (lanes.n,)).astype(np.int64)
        taken = np.full(len(self._chunk.geometry.blocks), NEVER)
        taken[rows[::-1]] = counts[::-1]
        said = self._said.setdefault(number, np.zeros_like(taken))
        before = said[rows]
        differ = np.flatnonzero((counts != taken[rows]) | ((before != 0) & (counts != before)))
        said[rows] = np.where(before == 0, taken[rows], before)
        if len(differ):
            self._report("counts", site, lanes, differ)
        width = self._chunk.geometry.warp
        wrong = np.flatnonzero((counts % width != 0) | (counts <= 0))
        if len(wrong):
            self._report("multiple", site, lanes, wrong, width=width, given=int(counts[wrong[0]]))
        return taken

    def _complete(
        self, site: Site, lanes: LaneSet, number: int, counts: Integers | None, sets: Iterable[LaneSet]
    ) -> Booleans:
        """For which blocks enough lanes have come; too many are reported.

        Args:
            counts: How many lanes it takes in each, or None for all that live.
            sets: The lanes that wait.
        """
        geometry, live = self._chunk.geometry, self._chunk.live.mask
        here = self._arrived.get(number, np.zeros(geometry.lanes, bool)).copy()
        for own in sets:
            here[own.idx] = True
        warp = geometry.value("warp")
        present = np.bincount(warp[here], minlength=geometry.all_warps)
        missing = np.bincount(warp[live & ~here], minlength=geometry.all_warps)
        given = np.where((missing == 0) & (present > 0), geometry.warp, present)
        sums = given.reshape(len(geometry.blocks), -1).sum(1)
        living = (present + missing > 0).reshape(len(geometry.blocks), -1).sum(1)
        expected = living * geometry.warp if counts is None else counts
        over = sums > expected
        if over.any():
            crowd, came, taken = np.flatnonzero(over[lanes.get("row")]), int(sums[over][0]), int(expected[over][0])
            self._report("crowd", site, lanes, crowd, came=came, number=number, taken=taken)
        enough: Booleans = (sums >= expected) & (sums > 0)
        return enough

    def _tell(self, kind: str, site: Site, lanes: LaneSet, number: int) -> None:
        """Tells what arrivals order: as those at an `mbarrier`, and those that wait for it."""
        if self._observation.on_phase:
            phases = self._phases[number][np.broadcast_to(lanes.get("row"), (lanes.n,))]
            event = PhaseEvent(kind, site, lanes, np.full(lanes.n, number), phases, True, "block")
            self._observation.on_phase(event)

    def _known(self, number: int, site: Site, lanes: LaneSet) -> None:
        """Reports a number that no barrier has."""
        if not 0 <= number < NUMBERS:
            self._report("number", site, lanes, np.arange(lanes.n), last=NUMBERS - 1, number=number)

    def _report(self, fault: str, site: Site, lanes: LaneSet, positions: Integers, **values: int) -> None:
        self._observation.report(f"barrier-protocol.{fault}", "error", (site,), lanes, positions, values=values)

    def arrive(self, lanes: LaneSet, site: Site, number: int, counts: Array) -> None:
        """Lanes arrive and do not wait; what waits may try again.

        Args:
            number: The barrier's number.
            counts: How many lanes it takes, as each lane says.
        """
        geometry = self._chunk.geometry
        self._known(number, site, lanes)
        mask = self._arrived.setdefault(number, np.zeros(geometry.lanes, bool))
        twice = mask[lanes.idx]
        if twice.any():
            self._report("twice", site, lanes, np.flatnonzero(twice), number=number)
        mask[lanes.idx] = True
        self._phases.setdefault(number, np.zeros(len(geometry.blocks), np.int64))
        self._tell("arrive", site, lanes, number)
        self._chunk.signals += 1
        sets = [own for _, own in self._waiting(number)]
        opened = self._complete(site, lanes, number, self._taken(site, lanes, number, counts), sets)
        for own in sets:
            opened[own.get("row")] = False  # these open it themselves
        mask.reshape(len(geometry.blocks), -1)[opened] = False
        self._said[number][opened] = 0
        self._phases[number][opened] += 1


def _rows(groups: Iterable[Group]) -> Integers:
    """The chunk's numbers of the blocks that groups of lanes are in."""
    rows: Integers = np.flatnonzero(sum(lanes.by_block for _, lanes in groups))
    return rows
