"""Run the analyses of a kernel and cut it into barrier intervals, with the values live or uniform in each.

A kernel is declined here if it waits in a way that compiled code does not have.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from harness.simt.compile.declarations import ClusterBarrier, PhaseWait, Wait, WarpSync
from harness.simt.compile.graph import Ref, Value
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import leaves
from harness.simt.native.analysis.block_invariance import find_block_invariance
from harness.simt.native.analysis.dataflow import NOTHING_INVARIANT, BlockInvariance
from harness.simt.native.analysis.lane_groups import partial_meetings
from harness.simt.native.analysis.notes import CLUSTERS, LOCKSTEP, WARPS
from harness.simt.native.analysis.sync_points import (
    find_stops,
    reachable_without_waiting,
    split_at_waits,
    unawaited_meetings,
)
from harness.simt.native.analysis.uniformity import UniformValues, find_uniform_values
from harness.simt.native.analysis.warp_sync import epoch_ends
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.context import Context
from harness.simt.native.emit.ir_types import text
from harness.simt.native.lower.access_granularity import MOST, access_granularity

__all__ = ["BarrierInterval", "KernelPlan", "Leaf", "is_partly_undefined"]

Leaf: TypeAlias = tuple[int, int, str]  # value number, leaf, type


@dataclass(frozen=True, slots=True)
class BarrierInterval:
    """Code that lanes run from one wait to the next.

    Attributes:
        entry: The segment with which it begins.
        inside: The segments that lanes may reach, in order; the entry is one of them.
        always: The numbers of those that each lane reaches, from the entry to the first branch.
        defined: The values that lanes compute in it.
        live: The values that lanes need from before it, without those that are known everywhere.
        uniform_in, uniform_out: The uniform values that lanes need from before it, and leave behind; see
            `find_uniform_values`.
        chooses: Whether its control path is compared with that of the block before; see `BlockInvariance.branches`.
        differs: Whether its lanes may take other control paths than those of another block.
        can_repeat: Whether a lane may reach a segment again before it waits.
        looped: Whether any of its segments is in a loop.
    """

    entry: Segment
    inside: list[Segment]
    always: list[int]
    defined: set[int]
    live: set[int]
    uniform_in: list[Leaf]
    uniform_out: list[Leaf]
    chooses: bool
    differs: bool
    can_repeat: bool
    looped: bool


class KernelPlan:
    """Facts that the functions of a module have in common.

    Attributes:
        segments, origins: The cut segments, and for each the number of the program's segment; see `split_at_waits`.
        partial_groups: The lanes that synchronise without the rest of their warp; see `partial_meetings`.
        lockstep, stops: Whether warps run in lockstep; the segments before which lanes stop, see `find_stops`.
        once, apart: The values that are kept once for all lanes, and the segments that lanes may reach alone; see
            `UniformValues`.
        types: The types of all values, by number.
        unawaited: See `unawaited_meetings`.
        waits, phases, warps: The segments before which the lanes of a cluster wait, or for a phase, or those of a warp.
        meets: Those of the last where a warp's epoch ends.
        intervals: The barrier intervals; the first is where a block begins, whose lanes need not come in warps.
        turning: Whether lanes may reach a segment again in any interval.

    Raises:
        Declined: The kernel cannot be compiled, or not with such notes.
    """

    def __init__(self, program: Program, notes: frozenset[str], layout: Context | None = None) -> None:
        self.program, self.types = program, program.graph.types
        self.segments, self.origins = split_at_waits(program)
        self.layout = layout or Context(program)
        self.body = Body(program, self.layout, notes)
        self.layout.narrowest = access_granularity(self.body)
        self.layout.cell_bytes = min(MOST, self.layout.narrowest)
        self.lockstep = LOCKSTEP in notes
        self.stops = find_stops(self.segments, lockstep=self.lockstep)
        entries = [segment for segment in self.segments if segment.number == 0 or segment.number in self.stops]
        self.partial_groups = partial_meetings(entries)
        mixed = self.lockstep or self.partial_groups or program.graph.calls
        self.once, self.apart = UniformValues() if mixed else find_uniform_values(program)
        self.body.doubtful = self._doubtful()
        self.body.invariance = self._find_invariance()
        self.unawaited = unawaited_meetings(program, self.segments)
        self.meets = epoch_ends(program, self.segments) if WARPS in notes else []
        self.waits, self.phases, self.warps = map(self._before, (ClusterBarrier, PhaseWait, WarpSync))
        self.intervals = [self._interval(entry) for entry in entries]
        self.turning = any(interval.can_repeat for interval in self.intervals)

    def live(self, segment: Segment) -> set[int]:
        """Return the numbers of the values from before a segment that are needed in it or later.

        Phis of the segment itself, parameters and fixed addresses are left out.
        """
        numbers = {number for number in range(segment.live.bit_length()) if segment.live >> number & 1}
        return numbers - self.body.known

    def _doubtful(self) -> set[int]:
        """Return the numbers of the phis that may be undefined.

        Such a phi takes a value that the code itself leaves undefined, at least in part, or another such phi.
        """
        takers: dict[int, list[int]] = {}
        pending = list[int]()
        for segment in self.segments:
            for target, moves in segment.edges:
                for (phi, _), value in zip(self.segments[target].phis, moves, strict=True):
                    if isinstance(value, Ref):
                        takers.setdefault(value.number, []).append(phi)
                    if is_partly_undefined(self.body, value):
                        pending.append(phi)
        doubtful = set[int]()
        while pending:
            if (phi := pending.pop()) not in doubtful:
                doubtful.add(phi)
                pending += takers.get(phi, ())
        return doubtful

    def _before(self, wait: type[Wait]) -> list[int]:
        return [segment.number for segment in self.segments if segment.gate and isinstance(segment.gate.wait, wait)]

    def _find_invariance(self) -> BlockInvariance:
        """Return the block-invariance of the kernel, and add its variables to `body.named`.

        It is `NOTHING_INVARIANT` with calls, mbarriers or lockstep. It is so too if blocks may diverge on the way to a
        variable, and either form clusters or let parts of warps synchronise: a block that diverges must start again
        alone. If `ways` is noted, `body.named` gets the variables even in this last case.

        Raises:
            Declined: `ways` is noted, and the kernel has calls, mbarriers, clusters, or shared memory that is not
                block-invariant.
        """
        is_supported, notes = not (self.body.arrives or self.program.graph.calls), self.body.notes
        invariance = find_block_invariance(self.program) if is_supported and not self.lockstep else NOTHING_INVARIANT
        if "ways" in notes:
            shared = {variable.number for variable in self.program.variables if variable.rows == "block"}
            if not is_supported or CLUSTERS in notes or invariance.variables != shared:
                raise Declined(Reason.COUNTING_OTHERWISE)
            self.body.named = invariance.variables
        # A block that takes another control path starts again, alone.
        invariance = (
            NOTHING_INVARIANT if invariance.branches and (self.partial_groups or CLUSTERS in notes) else invariance
        )
        self.body.named |= invariance.variables
        return invariance

    def _interval(self, entry: Segment) -> BarrierInterval:
        """Return the barrier interval from a segment to the stops that lanes reach from there; changes nothing.

        Its `always` is empty if parts of warps synchronise. In lockstep, lanes bring the phis of the next segment
        along: those of the entry are in `live`, those of the stops in `defined`.
        """
        inside = reachable_without_waiting(self.segments, entry, self.stops)
        defined = {number for segment in inside for number in (*(phi for phi, _ in segment.phis), *segment.stores)}
        defined -= self.body.known
        targets = {target for segment in inside for target, _ in segment.edges if target in self.stops}
        incoming = set[int]()
        if self.lockstep:  # who comes to a stop brings its phis along
            defined |= {phi for target in targets for phi, _ in self.segments[target].phis} - self.body.known
            incoming = {phi for phi, _ in entry.phis} - self.body.known
        outgoing = {number for target in targets for number in self.live(self.segments[target])} & defined
        return BarrierInterval(
            entry,
            inside,
            [] if self.partial_groups else self.always(entry),
            defined,
            self.live(entry) | incoming,
            self.leaves(self.live(entry) & self.once),
            self.leaves(outgoing & self.once),
            any(self.origins[segment.number] in self.body.invariance.branches for segment in inside),
            any(self.origins[segment.number] in self.body.invariance.differs for segment in inside),
            self.can_repeat(inside),
            any(segment.loop is not None for segment in inside),
        )

    def leaves(self, numbers: Iterable[int]) -> list[Leaf]:
        """Return the leaves of some values, by value number and leaf."""
        return [
            (number, leaf, text(ty))
            for number in sorted(numbers)
            for leaf, (ty, _) in enumerate(leaves(self.types[number]))
        ]

    def always(self, entry: Segment) -> list[int]:
        """Return the numbers of the segments that each lane reaches from an entry, in order, the entry first.

        The last segment branches or ends lanes, or leads to a stop or back to one of these segments.
        """
        reached = [entry.number]
        while (segment := self.segments[reached[-1]]).term == "jump":
            ((target, _),) = segment.edges
            if target in self.stops or target in reached:
                break
            reached.append(target)
        return reached

    def can_repeat(self, inside: Sequence[Segment], forks: Container[int] = ()) -> bool:
        """Return True if the edges between some segments form a cycle; edges to `stops` are ignored.

        Args:
            inside: The segments.
            forks: The numbers of segments whose outgoing edges are ignored, too.
        """
        successors = {
            segment.number: {
                target for target, _ in segment.edges if target not in self.stops and segment.number not in forks
            }
            for segment in inside
        }
        while ends := [number for number, targets in successors.items() if not targets & successors.keys()]:
            for number in ends:
                del successors[number]
        return bool(successors)

    def note_reached(self, segments: Sequence[int]) -> None:
        """Emit notes that lanes reach some segments."""
        for number in dict.fromkeys(self.origins[segment] for segment in segments):
            self.body.line(f"store i8 1, ptr {self.body.new(f'getelementptr i8, ptr %reached, i64 {number}')}")


def is_partly_undefined(body: Body, value: Value) -> bool:
    """Return whether any part of a value is undefined by the code itself."""
    return any(body.holes(value, leaf) for leaf in range(len(leaves(value.type))))
