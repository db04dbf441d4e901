"""What is counted of accesses where they are made, in code that has been asked for it.

`elements`: of each cell of global memory, how often it was loaded and stored to. `global`: of each place in the code
how often lanes came to it, how many sectors the requests of their warps took, and which threads stored.
`ways`: of each block which way its lanes went, where blocks may go different ways; those that went alike do the same,
but for which global memory they touch. `reads`: what is loaded, also where nothing is stored.

A request is known by when it is made, which is by the stretch that runs and the warp. Outside of loops all lanes of a
warp that come to a place in a stretch do so together; in loops they do where all of them go the same way. What a block
did before it began anew is not counted twice: of one that went as the one before it, as far as that is known, what it
counted is taken back, see `replay`.
"""

from collections.abc import Iterable

from harness.simt.arrays import Integers
from harness.simt.compile.graph import Op
from harness.simt.compile.program import Program
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Int, Vector
from harness.simt.native.analysis.notes import CLUSTERS, COUNTED, LOCKSTEP
from harness.simt.native.emit.body import Body, RequestSite
from harness.simt.native.emit.context import LOOPED, OFFSETS, SLOTS
from harness.simt.native.emit.ir_types import every
from harness.simt.native.runtime.counts import REQUEST
from harness.simt.native.sanitize.address import Address
from harness.simt.native.sanitize.control_path import STEP, take_turn
from harness.simt.native.sanitize.lane_counts import begin_lane, count_access, count_shared_elements
from harness.simt.state.allocation import Access
from harness.simt.traffic import SECTOR, pieces

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

TURNS = 64  # how often a lane may go round in a stretch, so that in Python none behind the loop has its turn before
# How often a block may count cells where that is taken back if it has to begin anew. Of a launch that has a block
# which does more no others are replayed.
UNDONE = 1 << 18
# What came of a launch: lanes of a warp went different ways (1), lanes went round more often (2), those of a warp not
# equally often (4).
APART, UNEVEN = 3, 4
LOOPS = 3  # which lanes that go round so often leave before those behind have a turn


def request_words(warp: int) -> int:
    """How many numbers are known of a request: each lane of a warp touches two sectors at most."""
    return len(REQUEST) + 2 * warp


def totals(traced: Iterable[RequestSite], sites: Integers, *, lockstep: bool = False) -> dict[str, int]:
    """What the places in the code come to, by the names of `Counters`.

    Args:
        lockstep: Whether requests of shared memory are counted, too.
        sites: How often lanes came to each, and how many sectors it took: (n, 2).
    """
    names = ("loads", "stores", "load_bytes", "store_bytes", "transactions", "asked")
    found = {f"{space}_{name}": 0 for space in ("global", "shared") for name in names}
    for one, (came, units) in zip(traced, sites.tolist(), strict=True):
        space, _, what = one.kind.rpartition(" ")
        space = space or "global"
        for kind in ("load", "store") if what == "atomic" else (what,):
            found[f"{space}_{kind}s"] += came * one.elements
            found[f"{space}_{kind}_bytes"] += came * one.size
        found[f"{space}_asked"] += came * one.size
        found[f"{space}_transactions"] += units
    found["bank_conflicts"] = found.pop("shared_transactions")
    del found["shared_asked"]
    if not lockstep:  # shared memory is counted in lockstep alone
        return {name: count for name, count in found.items() if name.startswith("global")}
    return found


def begin_counting(body: Body, piece: int) -> None:
    """A lane sets out."""
    if not body.notes & COUNTED:
        return
    if LOCKSTEP in body.notes:
        begin_lane(body)
        return
    new, size = body.new, body.slot(SLOTS["size"])
    first = new(f"mul i64 %rank, {size}") if CLUSTERS in body.notes else "0"
    body.line(f"%in.block = sub i64 %lane, {first}")
    came = new(f"sub i64 0, {_now(body, 'rounds')}") if body.shape is None else "%turn"
    body.line(f"%when = or i64 {new(f'shl i64 {came}, 16')}, %in.block")
    body.line(f"%request = ashr i64 %when, {body.program.target.warp.bit_length() - 1}")
    anew = body.alike.ways and body.shape is None  # whether a block may begin anew of which something was counted
    before = _now(body, "counted") if anew else "%when"
    body.line(f"%counting = icmp {'sgt' if anew else 'sge'} i64 %when, {before}")
    place = new(f"getelementptr i64, ptr {body.slot(SLOTS['numbers'], 'ptr')}, i64 %block")
    number = new(f"load i64, ptr {place}")
    body.line(f"%thread = add i64 %in.block, {new(f'mul i64 {number}, {size}')}")
    for line in ("%asked = alloca i64", "store i64 0, ptr %asked", "%way = alloca i64", f"store i64 {piece}, ptr %way"):
        body.line(line)
    body.asks = False


def count_elements(where: Address, access: Access, kind: str, if_: str = "true") -> None:
    """Each of its cells is loaded or stored to once more, where an i1 holds."""
    body, grain = where.body, where.body.layout.grain
    if LOCKSTEP in body.notes:
        count_shared_elements(where, access, kind, if_)
    if "elements" not in body.notes or where.private:
        return
    counts = where.fact(f"{kind}s")
    some = body.new(f"and i1 {if_}, {body.new(f'icmp ne i64 {counts}, 0')}")
    if LOCKSTEP in body.notes and where.variable is None:  # there is another table of shared memory
        start = where.fact("start")
        some = body.new(f"and i1 {some}, {body.new(f'icmp ne i64 {start}, 0')}")
    with body.only(body.new(f"and i1 {some}, %counting")):
        cells = Vector(access.width // grain, Int(32))
        first = body.new(f"lshr i64 {where.offset}, {grain.bit_length() - 1}")
        place = body.pointer(body.new(f"add i64 {counts}, {body.new(f'shl i64 {first}, 2')}"))
        if body.shape is not None:
            _undoable(body, place, cells.length)
        more = body.new(f"add {cells} {body.new(f'load {cells}, ptr {place}, align 4')}, {every(cells, 1)}")
        body.line(f"store {cells} {more}, ptr {place}, align 4")


def _undoable(body: Body, place: str, count: int) -> None:
    """What will be counted in so many cells may be taken back."""
    assert body.shape is not None
    body.shape.shares = True
    if body.alike.ways:
        before = body.new("load i64, ptr %undo")
        full = body.new(f"icmp ugt i64 {before}, {UNDONE - count}")
        with body.only(full):
            body.line(f"store i64 0, ptr {body.slot_at('replays')}")
        body.unless(full)
        for number in range(count):
            one = body.new(f"getelementptr i32, ptr {place}, i64 {number}")
            after = body.new(f"add i64 {before}, {number + 1}")
            body.line(f"store ptr {one}, ptr {body.new(f'getelementptr i64, ptr %undo, i64 {after}')}")
        body.line(f"store i64 {after}, ptr %undo")


def count_request(where: Address, op: Op, kind: str, size: int, elements: int, if_: str = "true") -> None:
    """Such an access was made where an i1 holds: a request of global memory, together with others of the warp."""
    body, new = where.body, where.body.new
    if LOCKSTEP in body.notes:
        count_access(where, op, kind, size, elements, if_)
    if "global" not in body.notes or where.private:
        return
    each, firsts = pieces(size, elements, op.site.align, body.program.target.vendor)
    if each > SECTOR:
        raise Declined(Reason.COUNTING_REQUEST, bytes=each, limit=SECTOR)
    requests, writers = _requests(body, len(firsts)), where.fact("writers")
    site = new(f"getelementptr i64, ptr {body.slot(SLOTS['sites'], 'ptr')}, i64 {2 * len(body.traced)}")
    body.traced.append(RequestSite(kind, size, elements))
    there = new(f"and i1 {if_}, {new(f'icmp ne i64 {writers}, 0')}")
    if body.shape is not None:
        body.shape.shares = True
    with body.only(new(f"and i1 {there}, %counting")):
        came = new(f"load i64, ptr {site}")
        body.line(f"store i64 {new(f'add i64 {came}, 1')}, ptr {site}")
        begins = new(f"or i64 {new(f'shl i64 {where.entry}, {OFFSETS}')}, {where.offset}")
        for request, first in zip(requests, firsts, strict=True):
            ends = (new(f"add i64 {begins}, {at}") for at in (first, first + each - 1))
            sectors = ", ".join(f"i64 {new(f'udiv i64 {at}, {SECTOR}')}" for at in ends)
            body.line(f"call void @count_request(ptr {site}, ptr {request}, i64 %request, {sectors})")
        if kind != "load":
            body.line(f"store i8 1, ptr {body.pointer(new(f'add i64 {writers}, %thread'))}, align 1")


def _requests(body: Body, count: int) -> list[str]:
    """So many of a lane's: in loops by their turn among its own, else by their place in the code."""
    if LOCKSTEP in body.notes or body.program.segments[body.here].loop is None:
        all_of_them, first = body.slot(SLOTS["requests"], "ptr"), str(body.single)
        body.single += count
    else:
        body.asks = body.asked = True
        all_of_them, first = body.slot(SLOTS["looped"], "ptr"), body.new("load i64, ptr %asked")
        _give_up(body, body.new(f"icmp ugt i64 {first}, {LOOPED - count}"))
        body.line(f"store i64 {body.new(f'add i64 {first}, {count}')}, ptr %asked")
    size = request_words(body.program.target.warp)
    start = body.new(f"mul i64 {first}, {size}")
    places = (body.new(f"add i64 {start}, {size * one}") for one in range(count))
    return [body.new(f"getelementptr i64, ptr {all_of_them}, i64 {place}") for place in places]


def note_edge(body: Body, piece: int, edge: int) -> None:
    """It takes one of several ways."""
    if body.notes & COUNTED and body.shape is None:
        take_turn(body, "way", (piece << 8) + edge + 1)


def end_counting(body: Body, *, differs: bool, looped: bool, chooses: bool) -> None:
    """It comes to a wait, or to its end; one of a block that goes as the one before it did so as a lane of that one.

    Args:
        differs: Whether it may have gone otherwise than in another block.
        looped: Whether it matters that all lanes of a warp went the same way.
        chooses: Whether its block may begin anew.
    """
    new = body.new
    if body.shape is not None or LOCKSTEP in body.notes:
        return
    if "ways" in body.notes and differs:
        with body.only("%counting"):
            place = new(f"getelementptr i64, ptr {body.slot(SLOTS['went'], 'ptr')}, i64 %block")
            before = new(f"xor i64 {new(f'load i64, ptr {place}')}, {new('load i64, ptr %way')}")
            mixed = new(f"mul i64 {before}, {STEP}")
            body.line(f"store i64 {new(f'xor i64 {mixed}, ' + new(f'lshr i64 {mixed}, 29'))}, ptr {place}")
    if body.notes & {"global", "ways"} and looped:
        way, asks = new("load i64, ptr %way"), new(f"icmp ne i64 {new('load i64, ptr %asked')}, 0")
        same = new(f"icmp eq i64 {_now(body, 'warp')}, %request")
        other = new(f"icmp ne i64 {_now(body, 'warp way')}, {way}")
        bits = [new(f"zext i1 {one} to i64") for one in (new(f"and i1 {same}, {other}"), asks)]
        before = new(f"select i1 {same}, i64 {_now(body, 'warp apart')}, i64 0")
        apart = new(f"or i64 {before}, {new(f'or i64 {bits[0]}, ' + new(f'shl i64 {bits[1]}, 1'))}")
        _give_up(body, new(f"icmp eq i64 {apart}, 3"))
        for name, value in (("warp", "%request"), ("warp way", way), ("warp apart", apart)):
            body.line(f"store i64 {value}, ptr {body.slot_at(name)}")
        _apart(body, bits[0])
    if body.notes & COUNTED and chooses:
        with body.only("%counting"):
            body.line(f"store i64 %when, ptr {body.slot_at('counted')}")


def note_rounds(body: Body, rounds: str) -> None:
    """It went round so often before."""
    if body.notes & {"global", "ways"} and body.shape is None:
        new = body.new
        many = new(f"icmp sgt i64 {rounds}, {TURNS}")
        same = new(f"icmp eq i64 {_now(body, 'round')}, %request")
        unlike = new(f"icmp ne i64 {_now(body, 'rounds of it')}, {rounds}")
        other = new(f"and i1 {same}, {unlike}")
        for name, value in (("round", "%request"), ("rounds of it", rounds)):
            body.line(f"store i64 {value}, ptr {body.slot_at(name)}")
        bits = (new(f"select i1 {one}, i64 {bit}, i64 0") for one, bit in ((many, 2), (other, UNEVEN)))
        _apart(body, new("or i64 " + ", ".join(bits)))


def leaves_in_time(program: Program) -> bool:
    """Whether all who go round up to `TURNS` times are behind all loops before Python lets those behind have a turn."""
    ways_back: dict[int, int] = {}
    for segment in program.segments:
        if segment.loop is not None:
            if segment.gate is not None:
                return False
            back = sum(target <= segment.number for target, _ in segment.edges)
            ways_back[segment.loop] = ways_back.get(segment.loop, 0) + back
    return not program.graph.calls and max(ways_back.values(), default=0) <= 1 and len(ways_back) <= LOOPS


def _give_up(body: Body, if_: str) -> None:
    """Emit that a block is not counted if an i1 holds, though nothing may be wrong with it."""
    with body.only(if_):
        body.line(f"store i64 {APART}, ptr {body.slot_at('apart')}")
    body.unless(if_)


def _apart(body: Body, bits: str) -> None:
    """That is so of the launch from now on; see `APART`."""
    body.line(f"store i64 {body.new(f'or i64 {bits}, ' + _now(body, 'apart'))}, ptr {body.slot_at('apart')}")


def _now(body: Body, name: str) -> str:
    """What is in one of the slots that change."""
    return body.new(f"load i64, ptr {body.slot_at(name)}")
