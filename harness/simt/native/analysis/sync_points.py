"""Cut segments at waits and exchanges, decline unsupported waits, find segments reachable without waiting."""

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
    """Cut the segments of a program before every exchange, phase test and warp synchronisation that orders memory.

    Each such instruction then begins a segment with a gate, which says what lanes wait for before the segment.

    Returns:
        The new segments, with their liveness; for each of them the number of the segment that it was cut from.

    Raises:
        Declined: A gate is none that `_check_wait` takes, or lanes do something else than test again while a phase
            lasts.
    """
    cuts: list[list[int]] = []
    for segment in program.segments:
        if segment.gate is not None:
            _check_wait(program, segment)
        calls = ((place, intrinsic_of(op)) for place, op in enumerate(segment.ops))
        meets = (
            place
            for place, intrinsic in calls
            if intrinsic is not None
            and (intrinsic.exchanges or _tests(intrinsic) or warp_sync_of(intrinsic) is not None)
        )
        # What waits by itself comes first in its segment.
        cuts.append([0, *(place for place in meets if place or segment.gate is None)])
    first = [0]
    for places in cuts:
        first.append(first[-1] + len(places))
    cut_segments, origins = [], []
    for segment, places in zip(program.segments, cuts, strict=True):
        for part, (start, stop) in enumerate(zip(places, [*places[1:], len(segment.ops)], strict=True)):
            number, ops = first[segment.number] + part, segment.ops[start:stop]
            gate = segment.gate if part == 0 else Gate(number, _wait(intrinsic_of(ops[0])), ops[0])
            cut = replace(
                segment,
                number=number,
                ops=ops,
                phis=segment.phis if part == 0 else (),
                gate=gate,
                edges=tuple((first[target], moves) for target, moves in segment.edges),
            )
            if part + 1 < len(places):
                cut = replace(cut, term="jump", condition=None, cases=(), edges=((number + 1, ()),))
            cut_segments.append(cut)
            origins.append(segment.number)
    for cut in cut_segments:
        if cut.gate is not None and isinstance(cut.gate.wait, PhaseWait):
            _check_test_loop(cut_segments, cut)
    return compute_liveness(cut_segments), origins


def warp_sync_of(intrinsic: Intrinsic | None) -> WarpSync | None:
    """Return the warp synchronisation that an intrinsic waits for; None if it has none, or if that orders no memory."""
    wait = None if intrinsic is None else intrinsic.waits
    return wait if isinstance(wait, WarpSync) and wait.spaces else None


def _wait(intrinsic: Intrinsic | None) -> PhaseWait | WarpSync:
    """Return what lanes wait for at an intrinsic within a segment: a phase if it tests one, otherwise their warp.

    The warp synchronisation has the address spaces that the intrinsic orders, but no mask.
    """
    if _tests(intrinsic):
        return PhaseWait()
    met = warp_sync_of(intrinsic)
    return WarpSync() if met is None else WarpSync(spaces=met.spaces)


def _tests(intrinsic: Intrinsic | None) -> bool:
    """Return True if an intrinsic tests whether a phase has ended."""
    return intrinsic is not None and intrinsic.compiled.startswith("phase.test")


def _check_test_loop(segments: Sequence[Segment], segment: Segment) -> None:
    """Check that a segment is a phase test in a loop that does nothing but test again until the phase has ended.

    Raises:
        Declined: The test's result is used in another way (`QUESTION`).
    """
    test, *others = segment.ops
    declined = Declined(Reason.QUESTION, name=test.callee.removeprefix("@"))
    if segment.term != "branch":
        raise declined
    answer = Ref(-1 if test.result is None else test.result, test.type)
    again, moves = segment.edges[-1]
    if others:  # what is asked is whether it goes on
        again, moves = segment.edges[0]
        turned = {op.value & 1 if isinstance(op, Const) else op for op in others[0].operands}
        is_negation = [op.opcode for op in others] == ["xor"] and turned == {1, answer}
        answer = Ref(others[0].result or -1, test.type) if is_negation else Ref(-1, test.type)
    visited: set[int] = set()
    while again != segment.number and again not in visited and not (segments[again].ops or moves):
        visited.add(again)
        again, moves = segments[again].edges[0] if segments[again].term == "jump" else (again, moves)
    if again != segment.number or moves or segment.condition != answer:
        raise declined


def _check_wait(program: Program, segment: Segment) -> None:
    """Check that lanes wait before a segment for their cluster, their warp or their whole block; it must have a gate.

    The mask of a warp synchronisation is not examined.

    Raises:
        Declined: They wait for something else (`WAIT`), or the barrier of the block has a number other than a constant
            0, a count or a predicate (`PARTIAL_BARRIER`).
    """
    gate = segment.gate
    assert gate is not None
    wait = gate.wait
    if isinstance(wait, WarpSync | ClusterBarrier):
        return
    if not isinstance(wait, Barrier):
        raise Declined(Reason.WAIT, gate=gate.name)
    number = None if wait.number is None else gate.op.operands[wait.number]
    is_whole_block = number is None or (isinstance(number, Const) and not number.value)
    if wait.count is not None or wait.predicate is not None or not is_whole_block:
        raise Declined(Reason.PARTIAL_BARRIER, gate=gate.name)


def find_stops(segments: Sequence[Segment], *, lockstep: bool = False) -> frozenset[int]:
    """Return the numbers of the segments before which lanes stop: those with a gate (a wait); in lockstep nearly all.

    In lockstep a segment without a gate is no stop if its one predecessor is the segment before it, which jumps to it.
    """
    waits = {segment.number for segment in segments if segment.gate is not None}
    if not lockstep:
        return frozenset(waits)
    comes_from: dict[int, set[int]] = {segment.number: set() for segment in segments}
    for segment in segments:
        for target, _ in segment.edges:
            comes_from[target].add(segment.number)
    follows = {segment.number + 1 for segment in segments if segment.term == "jump"}
    alone = {number for number, of in comes_from.items() if number in follows and of == {number - 1}}
    return frozenset(waits | comes_from.keys() - alone)


def reachable_without_waiting(segments: Sequence[Segment], entry: Segment, stops: Set[int]) -> list[Segment]:
    """Return the segments, ascending, that a lane may reach from an entry without passing a stop.

    The entry is always among them, segments in `stops` otherwise never.
    """
    reached, pending = {entry.number}, [entry]
    while pending:
        for target, _ in pending.pop().edges:
            if target not in stops and target not in reached:
                reached.add(target)
                pending.append(segments[target])
    return [segments[number] for number in sorted(reached)]


def unawaited_meetings(program: Program, segments: Sequence[Segment]) -> set[int]:
    """Return the numbers of the segments that begin with an exchange or phase test that itself makes no lane wait.

    AMD's exchanges are such, NVIDIA's `.sync` ones are not. If lanes have no independent scheduling, only those in
    loops count: outside of loops the lanes of a warp arrive together anyway.
    """
    met = ((segment, intrinsic_of(segment.gate.op)) for segment in segments if segment.gate is not None)
    alone = (segment for segment, intrinsic in met if intrinsic is not None and intrinsic.waits is None)
    return {segment.number for segment in alone if program.target.independent or segment.loop is not None}
