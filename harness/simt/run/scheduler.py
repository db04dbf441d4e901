"""Choose the segment and lanes that run next, usually the lowest; put spinning lanes to sleep; end a livelock.

Lanes that spin sleep until something changes, so that what they wait for can happen.
A loop that makes progress lets the lanes after it have a turn after `spin_steps`
rounds; each has its turn before one has a second. On targets without independent
thread scheduling, other lanes of a warp that spins wait with it. With a seed, a random half
of the warps runs for a random time.
"""

from typing import NoReturn

import numpy as np

from harness.simt.arrays import Booleans
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.errors import Livelock
from harness.simt.run.cycle_detection import CycleDetector
from harness.simt.run.endless_loops import EndlessLoopDetector
from harness.simt.run.observation import Observation
from harness.simt.run.registers import Registers
from harness.simt.state.chunk import Chunk, LoopState, Sleep
from harness.simt.state.lanes import union
from harness.simt.state.memory import Memory
from harness.simt.state.merge import PASSED, Entries, pick

__all__ = ["Scheduler"]

UNWATCHED_ROUNDS = 64  # of a loop, before it is watched although no other lane waits
MAX_SLEEP_STEPS = 64  # steps
REDRAW_PROBABILITY = 0.25  # that other warps are chosen at a step


class Scheduler:
    """Choose which of a chunk's lanes run next.

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
        self._random_warps: Booleans | None = None
        self._cycles: dict[int, CycleDetector] = {}
        self._endless_loops = EndlessLoopDetector(program, registers, observation)
        self._sleepers: dict[
            int, tuple[LoopState, int]
        ] = {}  # by segment: the lanes that slept there last, and for how many steps
        self._done_turns: set[int] = set()  # segments of loops that have had their turn
        self._visited: set[int] = set()  # segments of the current turn
        self._rounds, self._last = 0, -1
        self._steps = self._readings = 0

    def pick(self) -> tuple[Segment, Entries]:
        """Remove from the chunk's work a segment and the lanes that run it next, and return them.

        Lanes that spin are put to sleep instead. Work, or sleeping lanes, must be there.

        Raises:
            Livelock: Nothing can change for any lane that could run.
            EndlessLoop: Lanes never leave a loop.
        """
        work, asleep = self._chunk.work, self._chunk.asleep
        while True:
            if asleep or self._done_turns or self._random is not None:
                number, entries = self._take_lowest()
            else:
                number = min(work)
                entries = work.pop(number)
            segment: Segment = self._segments[number]
            if segment.loop is None:
                self._visited.clear()
                self._rounds = 0
            elif number > self._last:
                self._visited.add(number)
            elif self._loop_again(segment.loop, segment, entries):
                continue
            self._steps += 1
            self._last = number
            self._readings += segment.varies
            return segment, entries

    def _take_lowest(self) -> tuple[int, Entries]:
        """Remove and return the lowest segment with lanes that may run, when not all may.

        Sleeping lanes for which something changed are woken first. If none may run, segments that had their turn get
        another one; then lanes that should sleep longer, but for which something changed, are woken.

        Raises:
            Livelock: All lanes sleep, and nothing changed for them.
        """
        if self._chunk.asleep:
            self._wake(self._steps)
        while True:
            work = self._take_free()
            if work is not None:
                return work if self._independent else self._join_warps(*work)
            if self._done_turns:
                self._done_turns.clear()
            elif not self._wake(None):
                self._livelock()

    def _take_free(self) -> tuple[int, Entries] | None:
        """Remove and return the lowest segment with lanes of warps that may run; None if there is none.

        With a seed, warps are chosen at random, now and then again; all may run if none of those can.
        """
        numbers = sorted(self._chunk.work.keys() - self._done_turns)
        choices: list[Booleans | None] = [None]
        if self._random is not None:
            if self._random_warps is None or self._random.random() < REDRAW_PROBABILITY:
                self._random_warps = self._random.random(self._chunk.geometry.all_warps) < 0.5
            choices = [self._random_warps, None]
        for warps in choices:
            self._random_warps = warps
            for number in numbers:
                if entries := self._take_warps(number, self._free_warps(number, warps)):
                    return number, entries
        return None

    def _free_warps(self, number: int, warps: Booleans | None) -> Booleans | None:
        """Return for each warp of the chunk whether it may run a segment; None for all.

        On targets without independent scheduling, a warp with lanes that spin in another loop, or wait there for their
        next turn, may not.

        Args:
            number: The segment.
            warps: The warps to choose from; None for all.
        """
        if self._independent or not (self._chunk.asleep or self._done_turns):
            return warps
        free = np.ones(self._chunk.geometry.all_warps, bool) if warps is None else warps.copy()
        loop = self._segments[number].loop
        spinning = [(sleep.state.segment, sleep.state.entries) for sleep in self._chunk.asleep]
        spinning += [(number_of_loop, self._chunk.work.get(number_of_loop, [])) for number_of_loop in self._done_turns]
        for segment, entries in spinning:
            if self._segments[segment].loop != loop:
                for lanes, _ in entries:
                    free[lanes.get("warp")] = False
        return free

    def _join_warps(self, number: int, entries: Entries) -> tuple[int, Entries]:
        """Wake each group of lanes that sleeps at a segment and shares a warp with `entries`, which run the segment.

        Returns:
            (number, `entries` and the woken lanes); the list `entries` itself is not changed.
        """
        is_present = np.zeros(self._chunk.geometry.all_warps, bool)
        for lanes, _ in entries:
            is_present[lanes.get("warp")] = True
        for sleep in list(self._chunk.asleep):
            state = sleep.state
            if state.segment == number and any(is_present[lanes.get("warp")].any() for lanes, _ in state.entries):
                self._chunk.asleep.remove(sleep)
                entries = [*entries, *state.entries]
        return number, entries

    def _loop_again(self, loop: int, segment: Segment, entries: Entries) -> bool:
        """Note that lanes go round a loop again; return whether they sleep now, because they spin.

        After `spin_steps` rounds other lanes get their turn. Lanes whose values and inputs are as before are put to
        sleep.

        Raises:
            EndlessLoop: They never leave the loop.
        """
        is_alone = not self._chunk.work and not self._chunk.asleep
        self._rounds += 1
        self._visited.add(segment.number)
        if self._rounds >= self._spin_steps:
            self._end_turn()
        elif is_alone and self._rounds < UNWATCHED_ROUNDS:
            return False
        if segment.gate is not None:
            return False
        self._endless_loops.note_round(segment, entries)
        inputs = self._inputs()
        repetition = self._cycles.setdefault(loop, CycleDetector())
        if not repetition.inputs_unchanged(inputs):
            return False
        state = self._endless_loops.spin_state(segment, entries)
        if not repetition.is_repeated(state):
            return False
        before, steps = self._sleepers.get(segment.number, (None, 0))
        steps = min(MAX_SLEEP_STEPS, max(1, 2 * steps)) if before == state else 0  # woken in vain: longer
        self._sleepers[segment.number] = state, steps
        self._chunk.asleep.append(Sleep(state, inputs, self._steps + steps))
        return True

    def _end_turn(self) -> None:
        """End the turn of the loop segments in `_visited`: they run again once no other lanes can (see `_done_turns`).

        If no other segment has work, all segments may run again at once. The count of rounds starts again, too.
        """
        if self._chunk.work.keys() - self._visited - self._done_turns:
            self._done_turns |= self._visited
        else:
            self._done_turns.clear()
        self._visited.clear()
        self._rounds = 0

    def _inputs(self) -> tuple[int, ...]:
        """Return counters of everything that lanes may learn from elsewhere: memory writes, signals, volatile reads."""
        return self._memory.writes, self._chunk.signals, self._readings

    def _wake(self, step: int | None) -> bool:
        """Move sleeping lanes for which something changed back to the chunk's work; return whether there were any.

        Args:
            step: The current step; None also wakes lanes that should sleep longer.
        """
        inputs, asleep = self._inputs(), self._chunk.asleep
        woken = [sleeper for sleeper in asleep if sleeper.inputs != inputs and (step is None or step >= sleeper.until)]
        for sleeper in woken:
            asleep.remove(sleeper)
            self._chunk.work.setdefault(sleeper.state.segment, []).extend(sleeper.state.entries)
        return bool(woken)

    def _livelock(self) -> NoReturn:
        states = sorted((sleeper.state for sleeper in self._chunk.asleep), key=lambda state: state.segment)
        segments = [self._segments[number] for number in dict.fromkeys(state.segment for state in states)]
        self._observation.fail(
            "livelock",
            [segment.site for segment in segments],
            union([lanes for lanes, _ in states[0].entries]),
            error=Livelock,
        )

    def _take_warps(self, number: int, warps: Booleans | None) -> Entries:
        """Remove the lanes of some warps from the work at a segment and return them, if any; None means all warps."""
        if warps is None:
            return self._chunk.work.pop(number)
        selected: Entries = []
        remaining: Entries = []
        for lanes, values in self._chunk.work[number]:
            is_taken = warps[lanes.get("warp")]
            count = np.count_nonzero(is_taken)
            if count == lanes.n or (len(is_taken) == 1 and is_taken[0]):
                selected.append((lanes, values))
            elif count == 0:
                remaining.append((lanes, values))
            else:
                for positions, target in ((is_taken, selected), (~is_taken, remaining)):
                    lane_positions = np.flatnonzero(positions)
                    lane_values = values if values is PASSED else pick(values, lane_positions)
                    target.append((lanes.sub(lane_positions), lane_values))
        if selected and remaining:
            self._chunk.work[number] = remaining
        elif selected:
            del self._chunk.work[number]
        return selected
