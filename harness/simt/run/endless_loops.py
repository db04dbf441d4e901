"""End a launch whose loop is never left: its control values repeat, or its counters need over 2^40 rounds.

At the head of a loop its lanes are known to go round again. If the values that its branches are computed from are
the same as in an earlier round, every later round is the same too, whatever memory holds. If each exit compares a
counter, arithmetic says how many rounds are left. Both are reported at once, not when the launch's time is over.

A later round may still leave an array, which ends the kernel and says more. So a loop is given up early only if the
addresses of its accesses stay the same too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.graph import Ref, Value
from harness.simt.compile.loop_control import NEVER, LoopControl, analyse_loop, iterations_until_exit
from harness.simt.compile.segments import Segment
from harness.simt.errors import EndlessLoop
from harness.simt.ir.module import Const
from harness.simt.ir.types import leaves
from harness.simt.run.cycle_detection import CycleDetector
from harness.simt.state.chunk import LoopState
from harness.simt.state.lanes import LaneSet, union
from harness.simt.state.merge import Entries, Values

if TYPE_CHECKING:
    from harness.simt.compile.program import Program
    from harness.simt.run.observation import Observation
    from harness.simt.run.registers import Registers

__all__ = ["LONG_LOOP", "SETTLED_ROUNDS", "EndlessLoopDetector"]

LONG_LOOP = 1 << 40  # rounds: a GPU takes an hour for so many
SETTLED_ROUNDS = 1024  # rounds after which moving addresses would have left their array


class EndlessLoopDetector:
    """Detect lanes that go round a loop and can never leave it."""

    def __init__(self, program: Program, registers: Registers, observation: Observation) -> None:
        self._program, self._registers, self._observation = program, registers, observation
        self._rounds_by_head: dict[int, int] = {}
        self._selections: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        self._repetitions: dict[int, CycleDetector] = {}

    def note_round(self, segment: Segment, entries: Entries) -> None:
        """Note that lanes come to the head of a loop again, and check whether they can ever leave it.

        Raises:
            EndlessLoop: They never leave it; this ends the launch. Only loops are found whose control values repeat, or
                whose exits compare counters that are more than `LONG_LOOP` rounds away. In the first `SETTLED_ROUNDS`
                rounds the addresses of the loop's accesses must repeat, too.
        """
        head = segment.number
        rounds = self._rounds_by_head[head] = self._rounds_by_head.get(head, 0) + 1
        control = self._control_of(head)
        if control.exits is None:
            if not control.closed:
                return
        elif not rounds & (rounds - 1) and head in self._repetitions:  # counters change: look again, ever less often
            del self._repetitions[head]
        is_early = rounds < SETTLED_ROUNDS
        if rounds == SETTLED_ROUNDS:  # from now on less is compared
            self._repetitions.pop(head, None)
        if is_early and not control.repeats:
            return
        compares_states = control.exits is None or head in self._repetitions
        if not compares_states and (
            rounds & (rounds - 1) or self._rounds_to_exit(control, segment, entries) <= LONG_LOOP
        ):
            return
        repetition = self._repetitions.setdefault(head, CycleDetector())
        compared = (control.control if control.exits is None else 0) | (control.addresses if is_early else 0)
        if repetition.is_repeated(self._state_of(compared, segment, entries)):
            self._fail_if_endless(control, segment, entries)

    def spin_state(self, segment: Segment, entries: Entries) -> LoopState:
        """Return the values that decide what lanes at a segment do next, as long as memory stays the same.

        Values that are only counted in the loop, and used after it, are left out.
        """
        return self._state_of(self._control_of(segment.number).observed, segment, entries)

    def _control_of(self, head: int) -> LoopControl:
        controls = self._program.cache.loops
        if head not in controls:
            controls[head] = analyse_loop(self._program.segments, head)
        return controls[head]

    def _fail_if_endless(self, control: LoopControl, segment: Segment, entries: Entries) -> None:
        """End the launch, unless the exits compare counters and a lane leaves within `LONG_LOOP` rounds or a counter is
        not known. The lanes that go round now may be others than before.

        Raises:
            EndlessLoop: The exits compare no counters, or no lane leaves by then.
        """
        name, values = "endless-loop.unchanged", dict[str, Any]()
        if control.exits is not None:
            rounds_left = self._rounds_to_exit(control, segment, entries)
            if rounds_left <= LONG_LOOP:
                return
            if not control.exits:
                name = "endless-loop.no-exit"
            elif rounds_left < NEVER:
                name, values = "endless-loop.counter", {"rounds": rounds_left}
            elif any(leave.step for leave in control.exits):
                name = "endless-loop.missed"
        lanes = union([lanes for lanes, _ in entries])
        self._observation.fail(name, [segment.site], lanes, error=EndlessLoop, **values)

    def _state_of(self, selected: int, segment: Segment, entries: Entries) -> LoopState:
        """Return the values that lanes at a segment have, of the value numbers in the bit set `selected`; leave out
        numbers that are neither a phi of the segment nor live there.
        """
        key = segment.number, selected
        if key not in self._selections:
            numbers = [number for number, ty in segment.phis for _ in leaves(ty)]
            self._selections[key] = (
                [position for position, number in enumerate(numbers) if selected >> number & 1],
                [
                    slot
                    for slot, number in enumerate(self._program.registers)
                    if (selected & segment.live) >> number & 1
                ],
            )
        phis, slots = self._selections[key]
        values: list[Array | None] = []
        for lanes, phi_values in entries:
            values += [phi_values[position] for position in phis]
            values += [self._registers.fetch(slot, lanes) for slot in slots]
        return LoopState(segment.number, entries, values)

    def _rounds_to_exit(self, control: LoopControl, segment: Segment, entries: Entries) -> int:
        """Return after how many rounds the first lane leaves a loop whose exits compare counters.

        0 if a counter or its bound is not known; `NEVER` if no lane leaves. A lane that leaves within `LONG_LOOP`
        rounds decides the result at once, although another lane may leave earlier.
        """
        least = NEVER
        first_leaf = [0]
        for _, ty in segment.phis:
            first_leaf.append(first_leaf[-1] + len(leaves(ty)))
        for exit_ in control.exits or ():
            for lanes, values in entries:
                counters, bounds = values[first_leaf[exit_.counter]], self._bounds(exit_.bound, segment, lanes, values)
                if counters is None or bounds is None or counters.dtype == object:
                    return 0
                counter_values, bound_values = np.broadcast_arrays(counters, bounds)
                for counter, bound in zip(counter_values.tolist(), bound_values.tolist(), strict=True):
                    least = min(least, iterations_until_exit(exit_, int(counter), int(bound)))
                    if least <= LONG_LOOP:  # as nearly always after the first
                        return least
        return least

    def _bounds(self, bound: Value, segment: Segment, lanes: LaneSet, values: Values) -> Array | None:
        """Return the values of a counter's bound, (n,) or (1,); None unless it is a constant or in a live register."""
        if isinstance(bound, Const):
            return np.array([bound.value])
        if isinstance(bound, Ref) and segment.live >> bound.number & 1 and bound.number in self._program.slots:
            return self._registers.fetch(self._program.slots[bound.number], lanes)
        return None
