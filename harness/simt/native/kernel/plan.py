"""A kernel's pieces and what lanes keep from one wait to the next, as its module is written."""

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
    """What lanes run from one wait to the next.

    Attributes:
        entry: Where it begins.
        inside: The pieces that they may come to, the first of them among these.
        always: Those that each of them comes to, from the first one on to where it may choose.
        held: The values that they make anew.
        live: Those that they find, but for those that are known.
        brought, left: What those that go together find alike, and leave alike; see `find_uniform_values`.
        chooses: Whether they may go otherwise than those of another block; see `evenness`.
        differs: Whether they may go otherwise than those of another block to any memory.
        turns: Whether they may come to a piece again before they wait.
        looped: Whether they come to pieces of loops.
    """

    entry: Segment
    inside: list[Segment]
    always: list[int]
    held: set[int]
    live: set[int]
    brought: list[Leaf]
    left: list[Leaf]
    chooses: bool
    differs: bool
    turns: bool
    looped: bool


class KernelPlan:
    """All that the functions of a module have in common.

    Attributes:
        pieces, origins: See `split_at_waits`.
        parts: See `partial_meetings`.
        lockstep, stops: Whether warps run in lockstep; and see `find_stops`.
        once, apart: The values that are kept once for the lanes that go together; and see `UniformValues`.
        types: Of all values.
        unawaited: See there.
        waits, phases, warps: The pieces before which the lanes of a cluster wait, or a phase's, or those of a warp.
        meets: Those of the last where a warp's epoch ends.
        stretches: The first is a block's, whose lanes need not come in warps.
        turning: Whether lanes come to a piece again in any of them.
    """

    def __init__(self, program: Program, notes: frozenset[str], layout: Context | None = None) -> None:
        self.program, self.types = program, program.graph.types
        self.pieces, self.origins = split_at_waits(program)
        self.layout = layout or Context(program)
        self.body = Body(program, self.layout, notes)
        self.layout.narrowest = access_granularity(self.body)
        self.layout.grain = min(MOST, self.layout.narrowest)
        self.lockstep = LOCKSTEP in notes
        self.stops = find_stops(self.pieces, lockstep=self.lockstep)
        entries = [piece for piece in self.pieces if piece.number == 0 or piece.number in self.stops]
        self.parts = partial_meetings(entries)
        mixed = self.lockstep or self.parts or program.graph.calls
        self.once, self.apart = UniformValues() if mixed else find_uniform_values(program)
        self.body.doubtful = self._doubtful()
        self.body.alike = self._alike()
        self.unawaited = unawaited_meetings(program, self.pieces)
        self.meets = epoch_ends(program, self.pieces) if WARPS in notes else []
        self.waits, self.phases, self.warps = map(self._before, (ClusterBarrier, PhaseWait, WarpSync))
        self.stretches = [self._stretch(entry) for entry in entries]
        self.turning = any(one.turns for one in self.stretches)

    def live(self, piece: Segment) -> set[int]:
        """The values needed there or later, but for those that are known."""
        numbers = {number for number in range(piece.live.bit_length()) if piece.live >> number & 1}
        return numbers - self.body.known

    def _doubtful(self) -> set[int]:
        """Return the phis that may be undefined: they take what the code leaves undefined, or such a phi."""
        takers: dict[int, list[int]] = {}
        pending = list[int]()
        for piece in self.pieces:
            for target, moves in piece.edges:
                for (phi, _), value in zip(self.pieces[target].phis, moves, strict=True):
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
        return [piece.number for piece in self.pieces if piece.gate and isinstance(piece.gate.wait, wait)]

    def _alike(self) -> BlockInvariance:
        """What is looked at in one block for all."""
        even, notes = not (self.body.arrives or self.program.graph.calls), self.body.notes
        found = find_block_invariance(self.program) if even and not self.lockstep else NOTHING_INVARIANT
        if "ways" in notes:
            shared = {one.number for one in self.program.variables if one.rows == "block"}
            if not even or CLUSTERS in notes or found.variables != shared:
                raise Declined(Reason.COUNTING_OTHERWISE)
            self.body.named = found.variables
        # A block that goes another way begins anew, alone.
        found = NOTHING_INVARIANT if found.ways and (self.parts or CLUSTERS in notes) else found
        self.body.named |= found.variables
        return found

    def _stretch(self, entry: Segment) -> BarrierInterval:
        inside = reachable_without_waiting(self.pieces, entry, self.stops)
        held = {number for piece in inside for number in (*(phi for phi, _ in piece.phis), *piece.stores)}
        held -= self.body.known
        targets = {target for piece in inside for target, _ in piece.edges if target in self.stops}
        came = set[int]()
        if self.lockstep:  # who comes to a stop brings its phis along
            held |= {phi for target in targets for phi, _ in self.pieces[target].phis} - self.body.known
            came = {phi for phi, _ in entry.phis} - self.body.known
        left = {number for target in targets for number in self.live(self.pieces[target])} & held
        return BarrierInterval(
            entry,
            inside,
            [] if self.parts else self.always(entry),
            held,
            self.live(entry) | came,
            self.leaves(self.live(entry) & self.once),
            self.leaves(left & self.once),
            any(self.origins[piece.number] in self.body.alike.ways for piece in inside),
            any(self.origins[piece.number] in self.body.alike.differs for piece in inside),
            self.turns(inside),
            any(piece.loop is not None for piece in inside),
        )

    def leaves(self, numbers: Iterable[int]) -> list[Leaf]:
        """Their leaves."""
        return [
            (number, leaf, text(ty))
            for number in sorted(numbers)
            for leaf, (ty, _) in enumerate(leaves(self.types[number]))
        ]

    def always(self, entry: Segment) -> list[int]:
        """The pieces from one on that each comes to that comes to it."""
        found = [entry.number]
        while (piece := self.pieces[found[-1]]).term == "jump":
            ((target, _),) = piece.edges
            if target in self.stops or target in found:
                break
            found.append(target)
        return found

    def turns(self, inside: Sequence[Segment], forks: Container[int] = ()) -> bool:
        """Whether who goes through pieces, up to a wait or a fork, may come to one again."""
        left = {
            one.number: {target for target, _ in one.edges if target not in self.stops and one.number not in forks}
            for one in inside
        }
        while ends := [number for number, targets in left.items() if not targets & left.keys()]:
            for number in ends:
                del left[number]
        return bool(left)

    def reached(self, pieces: Sequence[int]) -> None:
        """Notes that lanes come to them."""
        for number in dict.fromkeys(self.origins[piece] for piece in pieces):
            self.body.line(f"store i8 1, ptr {self.body.new(f'getelementptr i8, ptr %reached, i64 {number}')}")


def is_partly_undefined(body: Body, value: Value) -> bool:
    """Return whether any part of a value is undefined by the code itself."""
    return any(body.holes(value, leaf) for leaf in range(len(leaves(value.type))))
