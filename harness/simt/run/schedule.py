"""Which lanes run next: the lowest segment, so that lanes meet again, with exceptions.

Lanes that spin sleep until something changes, so that what they wait for can happen.
A loop that goes on otherwise lets the lanes behind it have a turn after `spin_steps`
rounds; each has its turn before one has a second. On targets whose lanes are not
independent, other lanes of a warp that spins wait with it. With a seed, a random half
of the warps runs for a random while.
"""

from typing import NoReturn

import numpy as np

from harness.simt.arrays import Booleans
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.errors import Livelock
from harness.simt.run.observation import Observation
from harness.simt.run.progress import Progress
from harness.simt.run.registers import Registers
from harness.simt.run.spinning import Repetition
from harness.simt.state.chunk import Chunk, Sleep, State
from harness.simt.state.lanes import union
from harness.simt.state.memory import Memory
from harness.simt.state.merge import PASSED, Entries, pick

__all__ = ["Schedule"]

ALONE_ROUNDS = 64  # before a loop is watched that nobody waits for
LONGEST_NAP = 64  # steps
REDRAW = 0.25  # how likely other warps are chosen at a step


class Schedule:
    """Picks from a chunk's work.

    Args:
        spin_steps: See `Options`.
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
        self._segments, self._independent = program.segments, program.target.independent
        self._chunk, self._memory, self._observation = chunk, memory, observation
        self._spin_steps = spin_steps
        self._random = random if chunk.geometry.all_warps > 1 else None
        self._chosen: Booleans | None = None
        self._repetitions: dict[int, Repetition] = {}
        self._progress = Progress(program, registers, observation)
        self._naps: dict[int, tuple[State, int]] = {}  # by segment: who slept there last, and for how many steps
        self._held: set[int] = set()  # segments of loops that had their turn
        self._visited: set[int] = set()  # segments of the turn that goes on
        self._rounds, self._last = 0, -1
        self._steps = self._readings = 0

    def pick(self) -> tuple[Segment, Entries]:
        """Takes a segment and the lanes that run it out of the work.

        Raises:
            Livelock: Nothing can change for any lane that could run, or lanes never leave a loop.
        """
        work, asleep = self._chunk.work, self._chunk.asleep
        while True:
            if asleep or self._held or self._random is not None:
                number, entries = self._next()
            else:
                number = min(work)
                entries = work.pop(number)
            segment: Segment = self._segments[number]
            if segment.loop is None:
                self._visited.clear()
                self._rounds = 0
            elif number > self._last:
                self._visited.add(number)
            elif self._comes_round(segment.loop, segment, entries):
                continue
            self._steps += 1
            self._last = number
            self._readings += segment.varies
            return segment, entries

    def _next(self) -> tuple[int, Entries]:
        """The lowest segment with lanes that may run, where not all may."""
        if self._chunk.asleep:
            self._wake(self._steps)
        while True:
            taken = self._take()
            if taken is not None:
                return taken if self._independent else self._joined(*taken)
            if self._held:
                self._held.clear()
            elif not self._wake(None):
                self._livelock()

    def _take(self) -> tuple[int, Entries] | None:
        numbers = sorted(self._chunk.work.keys() - self._held)
        choices: list[Booleans | None] = [None]
        if self._random is not None:
            if self._chosen is None or self._random.random() < REDRAW:
                self._chosen = self._random.random(self._chunk.geometry.all_warps) < 0.5
            choices = [self._chosen, None]
        for chosen in choices:
            self._chosen = chosen
            for number in numbers:
                if taken := self._split(number, self._free(number, chosen)):
                    return number, taken
        return None

    def _free(self, number: int, chosen: Booleans | None) -> Booleans | None:
        """The warps that may run a segment; None for all."""
        if self._independent or not (self._chunk.asleep or self._held):
            return chosen
        free = np.ones(self._chunk.geometry.all_warps, bool) if chosen is None else chosen.copy()
        loop = self._segments[number].loop
        spinning = [(sleep.state.segment, sleep.state.entries) for sleep in self._chunk.asleep]
        spinning += [(held, self._chunk.work.get(held, [])) for held in self._held]
        for segment, entries in spinning:
            if self._segments[segment].loop != loop:
                for lanes, _ in entries:
                    free[lanes.get("warp")] = False
        return free

    def _joined(self, number: int, entries: Entries) -> tuple[int, Entries]:
        """Lanes of a warp that meet at a segment go on together, those that sleep too."""
        met = np.zeros(self._chunk.geometry.all_warps, bool)
        for lanes, _ in entries:
            met[lanes.get("warp")] = True
        for sleep in list(self._chunk.asleep):
            state = sleep.state
            if state.segment == number and any(met[lanes.get("warp")].any() for lanes, _ in state.entries):
                self._chunk.asleep.remove(sleep)
                entries = [*entries, *state.entries]
        return number, entries

    def _comes_round(self, loop: int, segment: Segment, entries: Entries) -> bool:
        """Lanes go back in a loop; says whether they sleep now."""
        alone = not self._chunk.work and not self._chunk.asleep
        self._rounds += 1
        self._visited.add(segment.number)
        if self._rounds >= self._spin_steps:
            self._end_turn()
        elif alone and self._rounds < ALONE_ROUNDS:
            return False
        if segment.gate is not None:
            return False
        self._progress.note_round(segment, entries)
        inputs = self._inputs()
        repetition = self._repetitions.setdefault(loop, Repetition())
        if not repetition.came(inputs):
            return False
        state = self._progress.spin_state(segment, entries)
        if not repetition.seen(state):
            return False
        before, nap = self._naps.get(segment.number, (None, 0))
        nap = min(LONGEST_NAP, max(1, 2 * nap)) if before == state else 0  # woken in vain: longer
        self._naps[segment.number] = state, nap
        self._chunk.asleep.append(Sleep(state, inputs, self._steps + nap))
        return True

    def _end_turn(self) -> None:
        """The lanes behind a loop have their turn, or if there are none everybody."""
        if self._chunk.work.keys() - self._visited - self._held:
            self._held |= self._visited
        else:
            self._held.clear()
        self._visited.clear()
        self._rounds = 0

    def _inputs(self) -> tuple[int, ...]:
        """Counts all that lanes may learn from elsewhere."""
        return self._memory.writes, self._chunk.signals, self._readings

    def _wake(self, step: int | None) -> bool:
        """Lets lanes go on for which something changed; says whether there are any.

        Args:
            step: Which one it is; None wakes also those that should sleep longer.
        """
        inputs, asleep = self._inputs(), self._chunk.asleep
        awake = [sleeper for sleeper in asleep if sleeper.inputs != inputs and (step is None or step >= sleeper.until)]
        for sleeper in awake:
            asleep.remove(sleeper)
            self._chunk.work.setdefault(sleeper.state.segment, []).extend(sleeper.state.entries)
        return bool(awake)

    def _livelock(self) -> NoReturn:
        states = sorted((sleeper.state for sleeper in self._chunk.asleep), key=lambda state: state.segment)
        segments = [self._segments[number] for number in dict.fromkeys(state.segment for state in states)]
        self._observation.fail(
            "livelock",
            [segment.site for segment in segments],
            union([lanes for lanes, _ in states[0].entries]),
            error=Livelock,
        )

    def _split(self, number: int, warps: Booleans | None) -> Entries:
        """Takes the lanes of some warps out of the work at a segment; None for all."""
        if warps is None:
            return self._chunk.work.pop(number)
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
