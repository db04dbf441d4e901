"""Count what each lane does, and the requests of shared memory, in code that runs warps in lockstep.

Lanes of a warp that are at one piece of the code run it one after another, as of one time `%when`. So what they access
there is one request, whatever loops they came through: see `kernel.lockstep`.
"""

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.native.emit.body import Body, RequestSite
from harness.simt.native.emit.context import SLOTS
from harness.simt.native.emit.lane_tally import TALLIED
from harness.simt.native.runtime.counts import BANK_RECORD_BYTES, BLOCK_COUNTS, ROW_BYTES
from harness.simt.native.sanitize.address import Address
from harness.simt.state.allocation import Access
from harness.simt.traffic import PASS_BYTES, SECTOR, WORD, lanes_of_part, pieces

__all__ = ["begin_lane", "count_access", "count_shared_elements", "end_lane", "end_piece"]

SEGMENT_END = 1  # what ends a segment is an instruction too


def begin_lane(body: Body) -> None:
    """Emit the names that counting needs: of the request, of the thread in the grid, and of its row of counts."""
    new = body.new
    body.line("%in.block = or i64 %lane, 0")
    body.line("%request = or i64 %when, 0")
    body.line("%counting = icmp eq i64 0, 0")
    place = new(f"getelementptr i64, ptr {body.slot(SLOTS['numbers'], 'ptr')}, i64 %block")
    number = new(f"load i64, ptr {place}")
    first = new(f"mul i64 {number}, {body.slot(SLOTS['size'])}")
    body.line(f"%thread = add i64 %in.block, {first}")
    rows = body.slot(SLOTS["tallies"], "ptr")
    body.line(f"%tally = getelementptr i8, ptr {rows}, i64 {new(f'mul i64 %lane, {ROW_BYTES}')}")
    body.tally.piece.clear()


def end_piece(body: Body, instructions: int, *, ends: bool) -> None:
    """Emit the counts of a piece that a lane has run.

    Args:
        instructions: The number of instructions in it.
        ends: Whether it is the last of its segment.
    """
    body.tally.piece["instructions"] += instructions + SEGMENT_END * ends
    for name, amount in body.tally.piece.items():
        if amount:
            _add(body, name, str(amount))
    body.tally.piece.clear()


def end_lane(body: Body) -> None:
    """Emit that a lane has ended: what it did is added to what all did, and compared with the most that one did."""
    body.line(f"call void @end_lane(ptr %tally, ptr {body.slot(SLOTS['sums'], 'ptr')})")


def _add(body: Body, name: str, amount: str) -> None:
    place = body.new(f"getelementptr i64, ptr %tally, i64 {TALLIED.index(name)}")
    before = body.new(f"load i64, ptr {place}")
    body.line(f"store i64 {body.new(f'add i64 {before}, {amount}')}, ptr {place}")


def _count(body: Body, name: str, amount: int, if_: str) -> None:
    """Add to a lane's count if an i1 holds."""
    if if_ == "true":
        body.tally.piece[name] += amount
    elif if_ != "false":
        _add(body, name, body.new(f"select i1 {if_}, i64 {amount}, i64 0"))


def _is_shared(where: Address) -> str:
    """Emit an i1: an access is of shared memory."""
    body = where.body
    if where.data:
        return "false"
    if where.variable is not None:
        return str(body.variables[where.variable].rows == "block").lower()
    start, cells = where.fact("start"), where.fact("loads")
    own = body.new(f"icmp eq i64 {start}, 0")
    shared = body.new(f"and i1 {own}, {body.new(f'icmp ne i64 {cells}, 0')}")
    if where.place is None:
        return shared
    body.unless(shared)  # no launch gives such an address
    return "false"


def _and(body: Body, one: str, other: str) -> str:
    if "false" in (one, other):
        return "false"
    if "true" in (one, other):
        return other if one == "true" else one
    return body.new(f"and i1 {one}, {other}")


def count_access(where: Address, op: Op, kind: str, size: int, elements: int, if_: str) -> None:
    """Emit what an access adds to the counts of its lane, and to those of requests if it is of shared memory.

    Args:
        kind: `load`, `store` or `atomic`.
        size: Bytes that a lane accesses.
        elements: The number of elements that it accesses.
        if_: An i1, without which the lane does not access anything.

    Raises:
        Declined: One instruction moves more bytes than requests are counted of.
    """
    body, shared = where.body, _and(where.body, _is_shared(where), if_)
    is_global = "false"
    if not where.private:
        is_global = _and(body, body.new(f"icmp ne i64 {where.fact('writers')}, 0"), if_)
    if is_global != "false":
        with body.only(is_global):
            _note_size(where, size // elements)
    for each in ("load", "store") if kind == "atomic" else (kind,):
        _count(body, f"shared_{each}s", elements, shared)
        _count(body, f"global_{each}s", elements, is_global)
    if kind == "atomic":
        for name, condition in (("shared order", shared), ("global order", is_global)):
            if condition != "false":
                with body.only(condition):
                    body.line(f"store i64 1, ptr {_block_count(body, name)}")
    if shared != "false":
        with body.only(shared):
            _count_banks(where, op, kind, size, elements)


def _note_size(where: Address, size: int) -> None:
    """Emit that elements of a size were accessed, from an offset on: all that limits the size that is counted in."""
    body, place = where.body, where.body.pointer(where.fact("sizes"))
    before = body.new(f"or i64 {body.new(f'load i64, ptr {place}')}, {size}")
    body.line(f"store i64 {body.new(f'or i64 {before}, {where.offset}')}, ptr {place}")


def _block_count(body: Body, name: str) -> str:
    return body.new(f"getelementptr i64, ptr {body.slot(SLOTS['blocks'], 'ptr')}, i64 {BLOCK_COUNTS[name]}")


def _count_banks(where: Address, op: Op, kind: str, size: int, elements: int) -> None:
    body, new = where.body, where.body.new
    each, firsts = pieces(size, elements, op.site.align, body.program.target.vendor)
    if each > SECTOR:
        raise Declined(Reason.COUNTING_REQUEST, bytes=each, limit=SECTOR)
    site = new(f"getelementptr i64, ptr {body.slot(SLOTS['sites'], 'ptr')}, i64 {2 * len(body.traced)}")
    body.traced.append(RequestSite(f"shared {kind}", size, elements))
    before = new(f"load i64, ptr {site}")
    body.line(f"store i64 {new(f'add i64 {before}, 1')}, ptr {site}")
    in_warp = new(f"and i64 %lane, {body.program.target.warp - 1}")
    part = new(f"udiv i64 {in_warp}, {lanes_of_part(each)}")
    records = body.slot(SLOTS["banks"], "ptr")
    for first in firsts:
        record = new(f"getelementptr i8, ptr {records}, i64 {body.tally.records * BANK_RECORD_BYTES}")
        body.tally.records += 1
        if where.variable is None:  # lanes may be at several variables at a time
            record = new(f"getelementptr i8, ptr {record}, i64 {new(f'mul i64 {where.entry}, {BANK_RECORD_BYTES}')}")
            body.tally.records += max((one for one, of in body.variables.items() if of.rows == "block"), default=0)
        begin = new(f"add i64 {where.offset}, {first}") if first else where.offset
        word = new(f"lshr i64 {begin}, {WORD.bit_length() - 1}")
        arguments = f"i64 %when, i64 {part}, i64 {word}, i64 {max(1, each // WORD)}"
        least, alone = max(1, -(-each // PASS_BYTES)), str(kind == "atomic").lower()
        body.line(f"call void @count_bank_conflicts(ptr {site}, ptr {record}, {arguments}, i64 {least}, i1 {alone})")


def count_shared_elements(where: Address, access: Access, kind: str, if_: str) -> None:
    """Emit that elements of shared memory are loaded or stored to, and by which thread.

    Args:
        kind: `load` or `store`.
        if_: An i1, without which nothing is accessed.
    """
    body, new = where.body, where.body.new
    shared = _and(body, _is_shared(where), if_)
    if shared == "false":
        return
    with body.only(shared):
        grain = body.layout.grain
        table, first = body.pointer(where.fact("loads")), new(f"lshr i64 {where.offset}, {grain.bit_length() - 1}")
        sizes = new(f"or i64 {where.offset}, {access.width // max(1, access.count)}")
        block = body.slot(SLOTS["blocks"], "ptr")
        arguments = f"ptr {table}, i64 {first}, i64 {access.width // grain}, i64 {sizes}, i32 %who, ptr {block}"
        body.line(f"call void @count_shared_{kind}({arguments})")
