"""Find lanes that never leave a loop, by what decides whether they do.

Where lanes come round a loop is where it is known that they go on. If what its branches are computed from is the same
as in an earlier round, every later round is the same too, whatever memory holds. If each branch out of it compares a
counter, arithmetic says how many rounds are left. Both are reported at once, and not when the launch's time is over.

A later round may still leave an array, which ends the kernel and says more. So a loop is given up early only if the
addresses of its accesses stay as they are too.
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
from harness.simt.run.spinning import Repetition
from harness.simt.state.chunk import State
from harness.simt.state.lanes import LaneSet, union
from harness.simt.state.merge import Entries, Values

if TYPE_CHECKING:
    from harness.simt.compile.program import Program
    from harness.simt.run.observation import Observation
    from harness.simt.run.registers import Registers

__all__ = ["LONG_LOOP", "SETTLED", "Progress"]

LONG_LOOP = 1 << 40  # rounds: a GPU takes an hour for so many
SETTLED = 1024  # rounds after which moving addresses would have left their array


class Progress:
    """Watches whether lanes that come round a loop can ever leave it."""

    def __init__(self, program: Program, registers: Registers, observation: Observation) -> None:
        self._program, self._registers, self._observation = program, registers, observation
        self._rounds: dict[int, int] = {}
        self._chosen: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        self._repetitions: dict[int, Repetition] = {}

    def note_round(self, segment: Segment, entries: Entries) -> None:
        """Note that lanes come round to the head of a loop.

        Raises:
            EndlessLoop: They never leave it.
        """
        head = segment.number
        rounds = self._rounds[head] = self._rounds.get(head, 0) + 1
        control = self._control(head)
        if control.exits is None:
            if not control.closed:
                return
        elif not rounds & (rounds - 1) and head in self._repetitions:  # counters go on: look again, ever less often
            del self._repetitions[head]
        early = rounds < SETTLED
        if rounds == SETTLED:  # from now on less is compared
            self._repetitions.pop(head, None)
        if early and not control.repeats:
            return
        unknown = control.exits is None or head in self._repetitions
        if not unknown and (rounds & (rounds - 1) or self._rounds_to_exit(control, segment, entries) <= LONG_LOOP):
            return
        repetition = self._repetitions.setdefault(head, Repetition())
        wanted = (control.control if control.exits is None else 0) | (control.addresses if early else 0)
        if repetition.seen(self._state(wanted, segment, entries)):
            self._end_launch(control, segment, entries)

    def spin_state(self, segment: Segment, entries: Entries) -> State:
        """Return what decides what lanes do that come round to a segment, as long as memory stays as it is.

        What they only count, to use it behind the loop, is no part of it.
        """
        return self._state(self._control(segment.number).observed, segment, entries)

    def _control(self, head: int) -> LoopControl:
        controls = self._program.cache.loops
        if head not in controls:
            controls[head] = analyse_loop(self._program.segments, head)
        return controls[head]

    def _end_launch(self, control: LoopControl, segment: Segment, entries: Entries) -> None:
        """End the launch, unless other lanes than before come round which do leave the loop.

        Raises:
            EndlessLoop: They do not.
        """
        name, values = "endless-loop.unchanged", dict[str, Any]()
        if control.exits is not None:
            left = self._rounds_to_exit(control, segment, entries)
            if left <= LONG_LOOP:
                return
            if not control.exits:
                name = "endless-loop.no-exit"
            elif left < NEVER:
                name, values = "endless-loop.counter", {"rounds": left}
            elif any(leave.step for leave in control.exits):
                name = "endless-loop.missed"
        lanes = union([lanes for lanes, _ in entries])
        self._observation.fail(name, [segment.site], lanes, error=EndlessLoop, **values)

    def _state(self, wanted: int, segment: Segment, entries: Entries) -> State:
        """Return the values of a set that lanes have where they come to a segment."""
        key = segment.number, wanted
        if key not in self._chosen:
            numbers = [number for number, ty in segment.phis for _ in leaves(ty)]
            self._chosen[key] = (
                [position for position, number in enumerate(numbers) if wanted >> number & 1],
                [slot for slot, number in enumerate(self._program.registers) if (wanted & segment.live) >> number & 1],
            )
        phis, slots = self._chosen[key]
        values: list[Array | None] = []
        for lanes, phi_values in entries:
            values += [phi_values[position] for position in phis]
            values += [self._registers.fetch(slot, lanes) for slot in slots]
        return State(segment.number, entries, values)

    def _rounds_to_exit(self, control: LoopControl, segment: Segment, entries: Entries) -> int:
        """Return how many rounds pass at least before a lane leaves a loop whose exits compare counters."""
        least = NEVER
        first = [0]
        for _, ty in segment.phis:
            first.append(first[-1] + len(leaves(ty)))
        for leave in control.exits or ():
            for lanes, values in entries:
                counters, bounds = values[first[leave.counter]], self._bounds(leave.bound, segment, lanes, values)
                if counters is None or bounds is None or counters.dtype == object:
                    return 0
                left, right = np.broadcast_arrays(counters, bounds)
                for counter, bound in zip(left.tolist(), right.tolist(), strict=True):
                    least = min(least, iterations_until_exit(leave, int(counter), int(bound)))
                    if least <= LONG_LOOP:  # as nearly always after the first
                        return least
        return least

    def _bounds(self, bound: Value, segment: Segment, lanes: LaneSet, values: Values) -> Array | None:
        """Return for some lanes what a counter is compared with, or None if it is not at hand."""
        if isinstance(bound, Const):
            return np.array([bound.value])
        if isinstance(bound, Ref) and segment.live >> bound.number & 1 and bound.number in self._program.slots:
            return self._registers.fetch(self._program.slots[bound.number], lanes)
        return None
