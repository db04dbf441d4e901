"""Which lanes run next: the lowest segment, with exceptions.

A loop that keeps coming round without end lets lanes outside it have a turn, so
that one lane can wait for what another does later. With a seed, a random half
of the warps runs at each step.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.simt.arrays import Booleans
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.errors import Livelock
from harness.simt.run.observation import Observation
from harness.simt.run.registers import Registers
from harness.simt.state.chunk import Chunk
from harness.simt.state.memory import Memory
from harness.simt.state.merge import PASSED, Entries, pick

__all__ = ["Schedule"]

HOLD_STEPS = 2000
WATCH_STEPS = 64


class Schedule:
    """Picks from a chunk's work.

    Args:
        random: Chooses the warps that run; None for all.
    """

    def __init__(
        self,
        program: Program,
        chunk: Chunk,
        registers: Registers,
        memory: Memory,
        observation: Observation,
        spin_steps: int,
        random: np.random.Generator | None,
    ) -> None:
        self._program, self._segments = program, program.segments
        self._chunk, self._registers, self._memory = chunk, registers, memory
        self._observation, self._spin_steps = observation, spin_steps
        self._random = random if chunk.geometry.all_warps > 1 else None
        self._loop: int | None = None
        self._last = -1
        self._rounds = 0
        self._readings = 0
        self._held: int | None = None
        self._hold_steps = 0
        self._snapshot: tuple[tuple[Any, ...], int] | None = None

    def pick(self) -> tuple[Segment, Entries]:
        """Takes a segment and the lanes that run it out of the work."""
        if self._random is not None:
            number, entries = self._pick_random(self._random)
        elif self._held is not None:
            number, entries = self._pick_beside(self._held)
        else:
            number = min(self._chunk.work)
            entries = self._chunk.work.pop(number)
        segment: Segment = self._segments[number]
        loop = segment.loop
        if loop is None or loop != self._loop:
            self._loop, self._rounds, self._snapshot = loop, 0, None
        elif number <= self._last:
            self._rounds += 1
            if self._rounds % self._spin_steps == 0 or self._snapshot is not None:
                self._spinning(segment, entries)
        self._readings += segment.varies
        self._last = number
        return segment, entries

    def _spinning(self, segment: Segment, entries: Entries) -> None:
        """A loop came round very often: give way, or prove that nothing changes."""
        outside = [n for n in self._chunk.work if self._segments[n].loop != self._loop]
        if outside and self._rounds % self._spin_steps == 0:
            self._held, self._hold_steps = self._loop, HOLD_STEPS
        elif not outside:
            self._watch(segment, entries)

    def _watch(self, segment: Segment, entries: Entries) -> None:
        """Raises if the same lanes come back to the same state."""
        held = [
            self._registers.values[slot]
            for (number, _), slot in self._program.slots.items()
            if segment.live >> number & 1
        ]
        values = [value for _, own in entries if own is not PASSED for value in own]
        state = (
            segment.number,
            self._memory.writes,
            self._readings,
            tuple(lanes.idx.tobytes() for lanes, _ in entries),
            tuple(None if value is None else value.tobytes() for value in [*values, *held]),
        )
        if self._snapshot is None or self._snapshot[0][0] != segment.number:
            if self._snapshot is None:
                self._snapshot = state, self._rounds
            elif self._rounds > self._snapshot[1] + WATCH_STEPS:
                self._snapshot = None
            return
        if self._snapshot[0] == state:
            self._observation.fail("livelock", (segment.site or segment.ops[0].site,), entries[0][0], error=Livelock)
        self._snapshot = None

    def _pick_beside(self, held: int) -> tuple[int, Entries]:
        """The lowest segment outside the held loop."""
        work, segments = self._chunk.work, self._segments
        self._hold_steps -= 1
        outside = sorted(n for n in work if segments[n].loop != held)
        if self._hold_steps <= 0 or not outside:
            self._held = None
        elif self._program.target.independent:
            return outside[0], work.pop(outside[0])
        else:  # lanes of a spinning warp stay together
            busy = np.zeros(self._chunk.geometry.all_warps, bool)
            for number, entries in work.items():
                if segments[number].loop == held:
                    for lanes, _ in entries:
                        busy[lanes.get("warp")] = True
            for number in outside:
                taken = self._split(number, ~busy)
                if taken:
                    return number, taken
            self._held = None
        number = min(work)
        return number, work.pop(number)

    def _pick_random(self, random: np.random.Generator) -> tuple[int, Entries]:
        """The lowest segment of a random half of the warps."""
        chosen = random.random(self._chunk.geometry.all_warps) < 0.5
        order: Sequence[int] = sorted(self._chunk.work)
        if self._held is not None:
            self._hold_steps -= 1
            if self._hold_steps <= 0:
                self._held = None
            else:
                order = sorted(order, key=lambda n: (self._segments[n].loop == self._held, n))
        for number in order:
            taken = self._split(number, chosen)
            if taken:
                return number, taken
        return order[0], self._chunk.work.pop(order[0])

    def _split(self, number: int, warps: Booleans) -> Entries:
        """Takes the lanes of some warps out of the work at a segment."""
        taken: Entries = []
        left: Entries = []
        for lanes, values in self._chunk.work[number]:
            own = warps[lanes.get("warp")]
            count = np.count_nonzero(own)
            if count == lanes.n or (len(own) == 1 and own[0]):
                taken.append((lanes, values))
            elif count == 0:
                left.append((lanes, values))
            else:
                for positions, target in ((own, taken), (~own, left)):
                    spots = np.flatnonzero(positions)
                    kept = values if values is PASSED else pick(values, spots)
                    target.append((lanes.sub(spots), kept))
        if taken and left:
            self._chunk.work[number] = left
        elif taken:
            del self._chunk.work[number]
        return taken
