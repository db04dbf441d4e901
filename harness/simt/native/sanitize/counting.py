"""Emit counters of global memory (cells, requests), control paths and loop rounds; sum up totals after a launch.

`elements`: for each cell of global memory, the number of loads and of stores. `global`: for each request site, the
number of lanes that reached it and of sectors that the requests of their warps took, and the threads that stored.
`ways`: for each block the control path of its lanes, if blocks may take different ones; blocks of one path do the same,
except which global memory they access. `reads`: what is loaded, also where nothing is stored.

A request is identified by its time, which is the interval that runs, and its warp. Outside of loops all lanes of a warp
that reach a site in an interval do so together; in loops they do if all of them take the same path. A block that starts
again is not counted twice: if it was in a batch, what it had counted is taken back, see `batching.undo_counts`.
"""

from collections.abc import Iterable

from harness.simt.arrays import Integers
from harness.simt.compile.graph import Op
from harness.simt.compile.program import Program
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Int, Vector
from harness.simt.native.analysis.notes import CLUSTERS, COUNTED, LOCKSTEP
from harness.simt.native.emit.body import Body, RequestSite
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.context import LOOPED, OFFSETS, SLOTS
from harness.simt.native.emit.ir_values import TRUE, IrValue, constant, splat
from harness.simt.native.emit.lane_values import BLOCK, COUNTING, IN_BLOCK, LANE, RANK, REQUEST, THREAD, WHEN
from harness.simt.native.runtime.counts import REQUEST_FIELDS
from harness.simt.native.sanitize.address import Address
from harness.simt.native.sanitize.control_path import STEP, take_turn
from harness.simt.native.sanitize.lane_counts import begin_lane, count_access, count_shared_elements
from harness.simt.state.allocation import Access
from harness.simt.traffic import SECTOR, split_access

__all__ = [
    "APART",
    "TURNS",
    "UNDONE",
    "UNEVEN",
    "begin_counting",
    "count_elements",
    "count_request",
    "end_counting",
    "leaves_in_time",
    "note_edge",
    "note_rounds",
    "request_words",
    "totals",
]

TURNS = 64  # how often a lane may go round in an interval, so that in Python none behind the loop has its turn before
# How often a block may count cells where that is taken back if it has to start again. Of a launch that has a block
# which does more no others are replayed.
UNDONE = 1 << 18
# What came of a launch: lanes of a warp went different ways (1), lanes went round more often (2), those of a warp not
# equally often (4).
APART, UNEVEN = 3, 4
# Of a lane in one interval: how many requests it made in loops, and its control path.
ASKED, WAY = IrValue("ptr", "%asked"), IrValue("ptr", "%way")
# In blocks of one shape: the region that runs, and the cells that were counted.
TURN, UNDO = IrValue("i64", "%turn"), IrValue("ptr", "%undo")
LOOPS = 3  # which lanes that go round so often leave before those behind have a turn


def request_words(warp: int) -> int:
    """Return how many 64-bit numbers a record of a request has: each lane of a warp touches two sectors at most."""
    return len(REQUEST_FIELDS) + 2 * warp


def totals(traced: Iterable[RequestSite], sites: Integers, *, lockstep: bool = False) -> dict[str, int]:
    """Return the totals of all request sites, by the names of `Counters`, such as `global_loads`.

    `global_asked` is the bytes requested of global memory. An atomic counts as a load and a store, but once there.

    Args:
        traced: The request sites.
        sites: The number of lanes that reached each, and of sectors (shared memory: conflicts) it took: (n, 2).
        lockstep: Whether shared memory was counted, too; else its totals and `bank_conflicts` are left out.
    """
    names = ("loads", "stores", "load_bytes", "store_bytes", "transactions", "asked")
    sums = {f"{space}_{name}": 0 for space in ("global", "shared") for name in names}
    for site, (times, units) in zip(traced, sites.tolist(), strict=True):
        space, _, what = site.kind.rpartition(" ")
        space = space or "global"
        for kind in ("load", "store") if what == "atomic" else (what,):
            sums[f"{space}_{kind}s"] += times * site.elements
            sums[f"{space}_{kind}_bytes"] += times * site.size
        sums[f"{space}_asked"] += times * site.size
        sums[f"{space}_transactions"] += units
    sums["bank_conflicts"] = sums.pop("shared_transactions")
    del sums["shared_asked"]
    if not lockstep:  # shared memory is counted in lockstep alone
        return {name: count for name, count in sums.items() if name.startswith("global")}
    return sums


def begin_counting(body: Body, segment: int) -> None:
    """Emit the values that counting needs, where a lane begins an interval at a segment; nothing if nothing is counted.

    `%counting` is false while a block that starts again repeats what was counted. Sets `body.asks` to False, except in
    lockstep.
    """
    build = Builder(body)
    if not body.notes & COUNTED:
        return
    if LOCKSTEP in body.notes:
        begin_lane(body)
        return
    size = build.slot(SLOTS["size"])
    build.sub(LANE, build.mul(RANK, size) if CLUSTERS in body.notes else 0, name="in.block")
    interval_number = build.sub(constant("i64", 0), _load_slot(body, "rounds")) if body.shape is None else TURN
    build.or_(build.shl(interval_number, 16), IN_BLOCK, name="when")
    build.ashr(WHEN, body.program.target.warp.bit_length() - 1, name="request")
    # A block of which something was counted may begin again.
    may_restart = body.invariance.branches and body.shape is None
    before = _load_slot(body, "counted") if may_restart else WHEN
    build.icmp_signed(">" if may_restart else ">=", WHEN, before, name="counting")
    place = build.gep(build.slot(SLOTS["numbers"], "ptr"), BLOCK)
    number = build.load(place, "i64")
    build.add(IN_BLOCK, build.mul(number, size), name="thread")
    for place, value in ((ASKED, 0), (WAY, segment)):
        build.store(constant("i64", value), build.alloca("i64", place.name.removeprefix("%")))
    body.asks = False


def count_elements(where: Address, access: Access, kind: str, if_: IrValue = TRUE) -> None:
    """Emit that each cell of an access is loaded or stored to once more, if an i1 holds.

    Nothing unless `elements` is noted and blocks may share the memory. In lockstep it counts shared memory in any case.
    """
    body, build, cell_bytes = where.body, Builder(where.body), where.body.layout.cell_bytes
    if LOCKSTEP in body.notes:
        count_shared_elements(where, access, kind, if_)
    if "elements" not in body.notes or where.private:
        return
    counts = where.fact(f"{kind}s")
    some = build.and_(if_, build.icmp_unsigned("!=", counts, 0))
    if LOCKSTEP in body.notes and where.variable is None:  # there is another table of shared memory
        start = where.fact("start")
        some = build.and_(some, build.icmp_unsigned("!=", start, 0))
    with build.if_then(build.and_(some, COUNTING)):
        cells = Vector(access.width // cell_bytes, Int(32))
        first = build.lshr(where.offset, cell_bytes.bit_length() - 1)
        place = build.inttoptr(build.add(counts, build.shl(first, 2)))
        if body.shape is not None:
            _record_for_undo(body, place, cells.length)
        more = build.add(build.load(place, str(cells), align=4), splat(cells, 1))
        build.store(more, place, align=4)


def _record_for_undo(body: Body, place: IrValue, count: int) -> None:
    """Emit a record of cells that will be counted, to take that back; nothing if blocks cannot start again. In any case
    sets `shape.shares`.

    If there are too many cells, the block fails and no more blocks run in batches.
    """
    assert body.shape is not None
    body.shape.shares = True
    if body.invariance.branches:
        build = Builder(body)
        before = build.load(UNDO, "i64")
        full = build.icmp_unsigned(">", before, UNDONE - count)
        with build.if_then(full):
            build.store(constant("i64", 0), build.slot_at("replays"))
        build.fail_if(full)
        for number in range(count):
            cell = build.gep(place, number, "i32")
            after = build.add(before, number + 1)
            build.store(cell, build.gep(UNDO, after))
        build.store(after, UNDO)


def count_request(where: Address, op: Op, kind: str, size: int, elements: int, if_: IrValue = TRUE) -> None:
    """Emit, if an i1 holds, that a lane requests global memory, together with others of the warp.

    Adds a request site to `body.traced`, and notes the thread that stores. Nothing unless `global` is noted and blocks
    may share the memory. In lockstep it also does, in any case, what `count_access` does, with the same arguments.

    Raises:
        Declined: One instruction moves more bytes at a time than a sector has.
    """
    body, build = where.body, Builder(where.body)
    if LOCKSTEP in body.notes:
        count_access(where, op, kind, size, elements, if_)
    if "global" not in body.notes or where.private:
        return
    each, firsts = split_access(size, elements, op.site.align, body.program.target.vendor)
    if each > SECTOR:
        raise Declined(Reason.COUNTING_REQUEST, bytes=each, limit=SECTOR)
    requests, writers = _requests(body, len(firsts)), where.fact("writers")
    site = build.gep(build.slot(SLOTS["sites"], "ptr"), 2 * len(body.traced))
    body.traced.append(RequestSite(kind, size, elements))
    there = build.and_(if_, build.icmp_unsigned("!=", writers, 0))
    if body.shape is not None:
        body.shape.shares = True
    with build.if_then(build.and_(there, COUNTING)):
        times = build.load(site, "i64")
        build.store(build.add(times, 1), site)
        begins = build.or_(build.shl(where.entry, OFFSETS), where.offset)
        for request, first in zip(requests, firsts, strict=True):
            sectors = [build.udiv(build.add(begins, at), SECTOR) for at in (first, first + each - 1)]
            build.call("void", "count_request", site, request, REQUEST, *sectors)
        if kind != "load":
            build.store(constant("i8", 1), build.inttoptr(build.add(writers, THREAD)), align=1)


def _requests(body: Body, count: int) -> list[IrValue]:
    """Return the addresses of `count` records of requests.

    Outside of loops, and in lockstep, this instruction has its own, and `body.single` grows. In loops they are the
    lane's next ones; a check fails if there are too few, and `body.asks` and `body.asked` become True.
    """
    build = Builder(body)
    if LOCKSTEP in body.notes or body.program.segments[body.here].loop is None:
        all_of_them, first = build.slot(SLOTS["requests"], "ptr"), constant("i64", body.single)
        body.single += count
    else:
        body.asks = body.asked = True
        all_of_them, first = build.slot(SLOTS["looped"], "ptr"), build.load(ASKED, "i64")
        _give_up(body, build.icmp_unsigned(">", first, LOOPED - count))
        build.store(build.add(first, count), ASKED)
    size = request_words(body.program.target.warp)
    start = build.mul(first, size)
    return [build.gep(all_of_them, build.add(start, size * index)) for index in range(count)]


def note_edge(body: Body, segment: int, edge: int) -> None:
    """Emit that a lane takes an edge: its control path in the interval changes; nothing in a batch or uncounted."""
    if body.notes & COUNTED and body.shape is None:
        take_turn(body, WAY, (segment << 8) + edge + 1)


def end_counting(body: Body, *, differs: bool, looped: bool, chooses: bool) -> None:
    """Emit the counts of control paths where a lane comes to a wait or its end; nothing in a batch or in lockstep.

    For `ways`, the lane's path goes into its block's hash. For `global` and `ways`, if lanes of a warp took different
    paths, a flag is set in the slot `apart`, and the block fails if any of these lanes made requests in loops.

    Args:
        differs: Whether it may have taken another path than in another block.
        looped: Whether it matters that all lanes of a warp took the same path.
        chooses: Whether its block may start again: then it is noted how far it was counted.
    """
    if body.shape is not None or LOCKSTEP in body.notes:
        return
    build = Builder(body)
    if "ways" in body.notes and differs:
        with build.if_then(COUNTING):
            place = build.gep(build.slot(SLOTS["went"], "ptr"), BLOCK)
            before = build.xor(build.load(place, "i64"), build.load(WAY, "i64"))
            mixed = build.mul(before, STEP)
            build.store(build.xor(mixed, build.lshr(mixed, 29)), place)
    if body.notes & {"global", "ways"} and looped:
        path, asks = build.load(WAY, "i64"), build.icmp_unsigned("!=", build.load(ASKED, "i64"), 0)
        same = build.icmp_unsigned("==", _load_slot(body, "warp"), REQUEST)
        other = build.icmp_unsigned("!=", _load_slot(body, "warp way"), path)
        bits = [build.zext(condition, "i64") for condition in (build.and_(same, other), asks)]
        before = build.select(same, _load_slot(body, "warp apart"), constant("i64", 0))
        apart = build.or_(before, build.or_(bits[0], build.shl(bits[1], 1)))
        _give_up(body, build.icmp_unsigned("==", apart, 3))
        for name, value in (("warp", REQUEST), ("warp way", path), ("warp apart", apart)):
            build.store(value, build.slot_at(name))
        _add_flags(body, bits[0])
    if body.notes & COUNTED and chooses:
        with build.if_then(COUNTING):
            build.store(WHEN, build.slot_at("counted"))


def note_rounds(body: Body, rounds: IrValue) -> None:
    """Emit a note if a lane made over 64 rounds in loops, or not as many as the one before it in its warp.

    Nothing in a batch, or unless `global` or `ways` is noted.
    """
    if body.notes & {"global", "ways"} and body.shape is None:
        build = Builder(body)
        many = build.icmp_signed(">", rounds, TURNS)
        same = build.icmp_unsigned("==", _load_slot(body, "round"), REQUEST)
        unlike = build.icmp_unsigned("!=", _load_slot(body, "rounds of it"), rounds)
        other = build.and_(same, unlike)
        for name, value in (("round", REQUEST), ("rounds of it", rounds)):
            build.store(value, build.slot_at(name))
        nothing = constant("i64", 0)
        rounds_many = build.select(many, constant("i64", 2), nothing)
        _add_flags(body, build.or_(rounds_many, build.select(other, constant("i64", UNEVEN), nothing)))


def leaves_in_time(program: Program) -> bool:
    """Return True if all lanes that make up to `TURNS` rounds leave all loops before the interpreter lets those after
    the loops run. False if a loop waits or has two edges back, or with calls or over three loops.
    """
    ways_back: dict[int, int] = {}
    for segment in program.segments:
        if segment.loop is not None:
            if segment.gate is not None:
                return False
            back = sum(target <= segment.number for target, _ in segment.edges)
            ways_back[segment.loop] = ways_back.get(segment.loop, 0) + back
    return not program.graph.calls and max(ways_back.values(), default=0) <= 1 and len(ways_back) <= LOOPS


def _give_up(body: Body, if_: IrValue) -> None:
    """Emit a check that fails if an i1 holds; then `apart` becomes `APART`, since only the counts cannot be made."""
    build = Builder(body)
    with build.if_then(if_):
        build.store(constant("i64", APART), build.slot_at("apart"))
    build.fail_if(if_)


def _add_flags(body: Body, bits: IrValue) -> None:
    """Emit that flags of `APART` and `UNEVEN` are set in the slot `apart`, for the rest of the launch."""
    build = Builder(body)
    build.store(build.or_(bits, _load_slot(body, "apart")), build.slot_at("apart"))


def _load_slot(body: Body, name: str) -> IrValue:
    """Emit a load of a slot, by name, that changes while the launch runs; an i64."""
    build = Builder(body)
    return build.load(build.slot_at(name), "i64")
