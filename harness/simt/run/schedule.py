"""Which lanes run next: the lowest segment, with exceptions.

A loop that keeps coming round without end lets lanes outside it have a turn, so
that one lane can wait for what another does later. With a seed, a random half
of the warps runs at each step.
"""

import numpy as np

from harness.simt.errors import BudgetExceeded, Livelock
from harness.simt.state.merge import PASSED, pick

__all__ = ["Schedule"]

HOLD_STEPS = 2000
WATCH_STEPS = 64


class Schedule:
    """Picks from an engine's work."""

    def __init__(self, engine, options):
        self.engine = engine
        self.spin_steps = options.spin_steps
        self.random = None
        self.store_order = None
        if options.seed is not None:
            self.random = np.random.default_rng(options.seed)
            self.store_order = self.random.permutation
        self.loop = None
        self.last = -1
        self.rounds = 0
        self.held = None
        self.hold_steps = 0
        self.snapshot = None

    def pick(self, work):
        """Takes a segment and the lanes that run it out of the work."""
        if self.random is not None and self.engine.geometry.warps * len(self.engine.geometry.blocks) > 1:
            number, entries = self._random(work)
        elif self.held is not None:
            number, entries = self._beside(work)
        else:
            number = min(work)
            entries = work.pop(number)
        segment = self.engine.program.segments[number]
        loop = segment.loop
        if loop is None or loop != self.loop:
            self.loop, self.rounds, self.snapshot = loop, 0, None
        elif number <= self.last:
            self.rounds += 1
            if self.rounds % self.spin_steps == 0 or self.snapshot is not None:
                self._spinning(segment, entries, work)
        self.last = number
        return number, entries

    def _spinning(self, segment, entries, work):
        """A loop came round very often: give way, or prove that nothing changes."""
        segments = self.engine.program.segments
        outside = [n for n in work if segments[n].loop != self.loop]
        if outside and self.rounds % self.spin_steps == 0:
            self.held, self.hold_steps = self.loop, HOLD_STEPS
            return
        if not outside:
            self._watch(segment, entries)

    def _watch(self, segment, entries):
        """Raises if the same lanes come back to the same state."""
        engine = self.engine
        registers = [
            (slot, engine.RV[slot]) for (number, _), slot in engine.program.slots.items() if segment.live >> number & 1
        ]
        state = (
            segment.number,
            engine.writes,
            tuple(lanes.idx.tobytes() for lanes, _ in entries),
            tuple(
                None if value is None else value.tobytes()
                for _, values in entries
                if values != "passed"
                for value in values
            ),
            tuple(v.tobytes() if v is not None else None for _, v in registers),
        )
        if self.snapshot is None or self.snapshot[0][0] != segment.number:
            if self.snapshot is None:
                self.snapshot = state, self.rounds
            elif self.rounds > self.snapshot[1] + WATCH_STEPS:
                self.snapshot = None
            return
        if self.snapshot[0] == state:
            engine.fail("livelock", (segment.site or segment.ops[0].site,), entries[0][0], error=Livelock)
        self.snapshot = None

    def _beside(self, work):
        """The lowest segment outside the held loop."""
        self.hold_steps -= 1
        engine = self.engine
        segments = engine.program.segments
        outside = sorted(n for n in work if segments[n].loop != self.held)
        if self.hold_steps <= 0 or not outside:
            self.held = None
        elif engine.target.independent:
            return outside[0], work.pop(outside[0])
        else:  # lanes of a spinning warp stay together
            busy = np.zeros(engine.geometry.warps * len(engine.geometry.blocks), bool)
            for number, entries in work.items():
                if segments[number].loop == self.held:
                    for lanes, _ in entries:
                        busy[lanes.get("warp")] = True
            for number in outside:
                taken = self._split(work, number, ~busy)
                if taken:
                    return number, taken
            self.held = None
        number = min(work)
        return number, work.pop(number)

    def _random(self, work):
        """The lowest segment of a random half of the warps."""
        geometry = self.engine.geometry
        count = geometry.warps * len(geometry.blocks)
        chosen = self.random.random(count) < 0.5
        order = sorted(work)
        if self.held is not None:
            self.hold_steps -= 1
            if self.hold_steps <= 0:
                self.held = None
            else:
                segments = self.engine.program.segments
                order.sort(key=lambda n: (segments[n].loop == self.held, n))
        for number in order:
            taken = self._split(work, number, chosen)
            if taken:
                return number, taken
        return order[0], work.pop(order[0])

    def _split(self, work, number, warps):
        """Takes the lanes of some warps out of the work at a segment."""
        taken, left = [], []
        for lanes, values in work[number]:
            own = warps[lanes.get("warp")]
            count = np.count_nonzero(own)
            if count == lanes.n or (len(own) == 1 and own[0]):
                taken.append((lanes, values))
            elif count == 0:
                left.append((lanes, values))
            else:
                for positions, target in ((own, taken), (~own, left)):
                    spots = np.flatnonzero(positions)
                    kept = values if values == PASSED else pick(values, spots)
                    target.append((lanes.sub(spots), kept))
        if not taken:
            return None
        if left:
            work[number] = left
        else:
            del work[number]
        return taken

    def out_of_budget(self, segment, lanes, budget):
        """Ends a launch that takes too long."""
        site = segment.site or (segment.ops[0].site if segment.ops else None)
        self.engine.fail("budget-exceeded", (site,), lanes, error=BudgetExceeded, budget=budget)
