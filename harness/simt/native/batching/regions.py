"""A kernel cut at its waits and at its forks: where all lanes of a block go the same way together."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from harness.simt.compile.graph import Op, Ref, Value, value_numbers
from harness.simt.compile.segments import Segment, intrinsic_of
from harness.simt.declined import Declined, Reason
from harness.simt.native.kernel.plan import BarrierInterval, KernelPlan

__all__ = ["END", "Region", "Regions"]

CHEAP = {"add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "icmp", "zext", "sext", "trunc", "select"}
CHEAP |= {"getelementptr", "addrspacecast", "bitcast", "ptrtoint", "inttoptr", "ptrtoaddr"}
END = -1
FIRST = -8  # as lanes return them: the fork behind piece 0, below it the others
Fork: TypeAlias = tuple[Segment, int]  # the piece behind which it is, and which of its ways


@dataclass(frozen=True, slots=True)
class Region:
    """What lanes run from a wait, or on a way of a fork, to the next of them.

    Attributes:
        number: Of it.
        stretch: As of a stretch, with what is kept; `always` are the pieces that need not be noted.
        fork: None behind a wait.
        ends: Where it may end, as lanes return it: a piece that it waits before, a fork, or `END`.
        again: The values that it needs and makes again, since they are not kept.
    """

    number: int
    stretch: BarrierInterval
    fork: Fork | None
    ends: list[int]
    again: set[int]


class Regions:
    """All of a kernel's.

    Attributes:
        forks: What is kept for the ways behind each, by the number of its piece.
        legs: They; the first is a block's.
        waits, ways: The number of the leg behind a wait, by its piece, or on a way of a fork.

    Raises:
        Declined: A fork is on stretches that choose and on others.
    """

    def __init__(self, plan: KernelPlan) -> None:
        self.plan, self._known = plan, plan.body.known
        self._parts: dict[int, frozenset[int] | None] = {}
        together = [one for one in plan.pieces if self._together(one)]
        self.forks = {
            one.number: self._numbers([one.condition])
            | {number for way in range(len(one.edges)) for number in self.kept(self._taken(one, way))}
            for one in together
        }
        begins: list[tuple[Segment, Fork | None]] = [(one.entry, None) for one in plan.stretches]
        begins += [(plan.pieces[to], (one, way)) for one in together for way, (to, _) in enumerate(one.edges)]
        self.legs = [self._leg(number, *begin) for number, begin in enumerate(begins)]
        self.waits = {leg.stretch.entry.number: leg.number for leg in self.legs if leg.fork is None}
        self.ways = {(leg.fork[0].number, leg.fork[1]): leg.number for leg in self.legs if leg.fork is not None}

    @staticmethod
    def end_of(piece: int) -> int:
        """How lanes say that they came to the fork behind a piece."""
        return FIRST - piece

    def kept(self, numbers: Iterable[int]) -> set[int]:
        """What is kept of values that are needed: of those that are made again what they are made of."""
        parts = {number: self._of(number) for number in numbers}
        return {one for number, of in parts.items() for one in ([number] if of is None else of)}

    def _together(self, piece: Segment) -> bool:
        """Whether all lanes of a block come to its end together, and go the same way."""
        known = isinstance(piece.condition, Ref) and piece.condition.number in self.plan.once | self._known
        return known and self.plan.origins[piece.number] not in self.plan.apart

    def _numbers(self, values: Iterable[Value | None]) -> set[int]:
        return set(value_numbers(values)) - self._known

    def _taken(self, piece: Segment, way: int) -> set[int]:
        """What is needed on a way of a fork."""
        to, moves = piece.edges[way]
        phis = {phi for phi, _ in self.plan.pieces[to].phis}
        return self.plan.live(self.plan.pieces[to]) - phis | self._numbers(moves)

    def _of(self, number: int) -> frozenset[int] | None:
        """What a lane makes a value of again, from its own number and what is alike; None where it is kept.

        None of that is another one by then: who made that anew before the value is needed made the value anew, too.
        """
        if number not in self._parts:
            op, self._parts[number] = self.plan.body.made.get(number), None
            if op is not None and number not in self.plan.once and (op.opcode in CHEAP or _geometry(op)):
                alike = self._numbers(op.operands) & self.plan.once
                others = [self._of(one) for one in self._numbers(op.operands) - alike]
                if None not in others:
                    self._parts[number] = frozenset(alike.union(*(one for one in others if one is not None)))
        return self._parts[number]

    def _leg(self, number: int, entry: Segment, fork: Fork | None) -> Region:
        plan, waits = self.plan, fork is not None and entry.gate is not None
        inside = [] if waits else self._inside(entry)
        needed = plan.live(entry) if fork is None else self._taken(*fork)
        parts = {one for made in plan.body.made for one in self._of(made) or ()}
        held = {phi for piece in (entry, *inside) for phi, _ in piece.phis}
        held |= {one for piece in inside for one in piece.stores}
        held |= {op.result for piece in inside for op in piece.ops if op.result in parts}
        held -= plan.body.known
        ends, left = {entry.number} if waits else set[int](), set[int]()
        for piece in inside:
            if (behind := self.forks.get(piece.number)) is not None:
                ends.add(self.end_of(piece.number))
                left |= behind & (held | {op.result for op in piece.ops})
            else:
                ends |= {to for to, _ in piece.edges if plan.pieces[to].gate is not None}
                ends |= {END} if piece.term == "exit" else set()
        left |= held & {one for end in ends if end >= 0 for one in self.kept(plan.live(plan.pieces[end]))}
        live = self.kept(needed)
        settled = [piece.number for piece in inside if plan.origins[piece.number] in plan.body.alike.settled]
        stretch = BarrierInterval(
            entry,
            inside,
            settled + [one for one in (plan.always(entry) if inside else []) if one not in settled],
            held,
            live,
            plan.leaves(live & plan.once),
            plan.leaves(left & plan.once),
            self._chooses(entry, fork),
            differs=False,  # it is known that its lanes went as those of the block before
            turns=plan.turns(inside, self.forks),
            looped=False,
        )
        return Region(number, stretch, fork, sorted(ends), {one for one in needed if self._of(one) is not None})

    def _inside(self, entry: Segment) -> list[Segment]:
        """The pieces that a lane may come to before a wait or a fork."""
        pieces, found, left = self.plan.pieces, set[int](), [entry]
        while left:
            piece = left.pop()
            if piece.number not in found and (piece.gate is None or not found):
                found.add(piece.number)
                left += [pieces[to] for to, _ in piece.edges if piece.number not in self.forks]
        return [pieces[number] for number in sorted(found)]

    def _chooses(self, entry: Segment, fork: Fork | None) -> bool:
        """Whether the stretch that it is a part of does."""
        inside = (
            (one, entry in (one.entry,) if fork is None else fork[0] in one.inside) for one in self.plan.stretches
        )
        found = {one.chooses for one, there in inside if there}
        if len(found) > 1:
            raise Declined(Reason.FORK)
        return True in found


def _geometry(op: Op) -> bool:
    """Whether an instruction asks where in the grid a lane is."""
    intrinsic = intrinsic_of(op)
    return intrinsic is not None and intrinsic.kind == "lanes" and not (op.operands or intrinsic.varies)
