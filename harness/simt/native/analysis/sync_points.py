"""A program cut wherever lanes of a warp exchange values, so that what they exchange was made before."""

from collections.abc import Sequence, Set
from dataclasses import replace

from harness.simt.compile.declarations import Barrier, ClusterBarrier, PhaseWait, WarpSync
from harness.simt.compile.graph import Ref
from harness.simt.compile.program import Program
from harness.simt.compile.registry import Intrinsic
from harness.simt.compile.segments import Gate, Segment, compute_liveness, intrinsic_of
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const

__all__ = ["find_stops", "reachable_without_waiting", "split_at_waits", "unawaited_meetings", "warp_sync_of"]


def split_at_waits(program: Program) -> tuple[tuple[Segment, ...], list[int]]:
    """The segments, cut, and of each piece the number of the segment that it is of.

    Raises:
        Declined: Lanes wait for what is neither a whole cluster, a whole block nor a whole warp.
    """
    cuts: list[list[int]] = []
    for segment in program.segments:
        if segment.gate is not None:
            _known(program, segment)
        calls = ((place, intrinsic_of(op)) for place, op in enumerate(segment.ops))
        meets = (
            place
            for place, found in calls
            if found is not None and (found.exchanges or _tests(found) or warp_sync_of(found) is not None)
        )
        # What waits by itself comes first in its segment.
        cuts.append([0, *(place for place in meets if place or segment.gate is None)])
    first = [0]
    for places in cuts:
        first.append(first[-1] + len(places))
    pieces, origins = [], []
    for segment, places in zip(program.segments, cuts, strict=True):
        for part, (start, stop) in enumerate(zip(places, [*places[1:], len(segment.ops)], strict=True)):
            number, ops = first[segment.number] + part, segment.ops[start:stop]
            gate = segment.gate if part == 0 else Gate(number, _wait(intrinsic_of(ops[0])), ops[0])
            piece = replace(
                segment,
                number=number,
                ops=ops,
                phis=segment.phis if part == 0 else (),
                gate=gate,
                edges=tuple((first[target], moves) for target, moves in segment.edges),
            )
            if part + 1 < len(places):
                piece = replace(piece, term="jump", condition=None, cases=(), edges=((number + 1, ()),))
            pieces.append(piece)
            origins.append(segment.number)
    for piece in pieces:
        if piece.gate is not None and isinstance(piece.gate.wait, PhaseWait):
            _asked_again(pieces, piece)
    return compute_liveness(pieces), origins


def warp_sync_of(intrinsic: Intrinsic | None) -> WarpSync | None:
    """How lanes of a warp meet by which memory is ordered."""
    wait = None if intrinsic is None else intrinsic.waits
    return wait if isinstance(wait, WarpSync) and wait.spaces else None


def _wait(intrinsic: Intrinsic | None) -> PhaseWait | WarpSync:
    """What lanes that are together wait for within a segment."""
    if _tests(intrinsic):
        return PhaseWait()
    met = warp_sync_of(intrinsic)
    return WarpSync() if met is None else WarpSync(spaces=met.spaces)


def _tests(intrinsic: Intrinsic | None) -> bool:
    """Whether lanes ask whether a phase has ended."""
    return intrinsic is not None and intrinsic.compiled.startswith("phase.test")


def _asked_again(pieces: Sequence[Segment], piece: Segment) -> None:
    """Lanes ask until the phase has ended, and do nothing else.

    Raises:
        Declined: What they do may depend on the answer.
    """
    test, *others = piece.ops
    declined = Declined(Reason.QUESTION, name=test.callee.removeprefix("@"))
    if piece.term != "branch":
        raise declined
    answer = Ref(-1 if test.result is None else test.result, test.type)
    again, moves = piece.edges[-1]
    if others:  # what is asked is whether it goes on
        again, moves = piece.edges[0]
        turned = {one.value & 1 if isinstance(one, Const) else one for one in others[0].operands}
        known = [one.opcode for one in others] == ["xor"] and turned == {1, answer}
        answer = Ref(others[0].result or -1, test.type) if known else Ref(-1, test.type)
    seen: set[int] = set()
    while again != piece.number and again not in seen and not (pieces[again].ops or moves):
        seen.add(again)
        again, moves = pieces[again].edges[0] if pieces[again].term == "jump" else (again, moves)
    if again != piece.number or moves or piece.condition != answer:
        raise declined


def _known(program: Program, segment: Segment) -> None:
    gate = segment.gate
    assert gate is not None
    wait = gate.wait
    if isinstance(wait, WarpSync | ClusterBarrier):
        return
    if not isinstance(wait, Barrier):
        raise Declined(Reason.WAIT, gate=gate.name)
    number = None if wait.number is None else gate.op.operands[wait.number]
    known = number is None or (isinstance(number, Const) and not number.value)
    if wait.count is not None or wait.predicate is not None or not known:
        raise Declined(Reason.PARTIAL_BARRIER, gate=gate.name)


def find_stops(pieces: Sequence[Segment], *, lockstep: bool = False) -> frozenset[int]:
    """Return the pieces before which lanes wait, or in lockstep all but those that only follow the one before."""
    waits = {piece.number for piece in pieces if piece.gate is not None}
    if not lockstep:
        return frozenset(waits)
    comes_from: dict[int, set[int]] = {piece.number: set() for piece in pieces}
    for piece in pieces:
        for target, _ in piece.edges:
            comes_from[target].add(piece.number)
    follows = {piece.number + 1 for piece in pieces if piece.term == "jump"}
    alone = {number for number, of in comes_from.items() if number in follows and of == {number - 1}}
    return frozenset(waits | comes_from.keys() - alone)


def reachable_without_waiting(pieces: Sequence[Segment], entry: Segment, stops: Set[int]) -> list[Segment]:
    """The pieces that a lane may come to without a stop, the entry first."""
    found, left = {entry.number}, [entry]
    while left:
        for target, _ in left.pop().edges:
            if target not in stops and target not in found:
                found.add(target)
                left.append(pieces[target])
    return [pieces[number] for number in sorted(found)]


def unawaited_meetings(program: Program, pieces: Sequence[Segment]) -> set[int]:
    """The numbers of the pieces before which lanes of a warp meet that nobody waits for.

    Where lanes are not independent, those outside of loops have their turn once none of the warp is left behind.
    """
    met = ((piece, intrinsic_of(piece.gate.op)) for piece in pieces if piece.gate is not None)
    alone = (piece for piece, intrinsic in met if intrinsic is not None and intrinsic.waits is None)
    return {piece.number for piece in alone if program.target.independent or piece.loop is not None}
