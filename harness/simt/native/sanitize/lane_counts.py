"""Emit counters for warps in lockstep: what each lane does, and shared memory's bank conflicts and used cells.

Lanes of a warp that are at one segment run it one after another, as of one time `%when`. So what they access
there is one request, whatever loops they came through: see `kernel.lockstep`.
"""

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.native.emit.body import Body, RequestSite
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.context import SLOTS
from harness.simt.native.emit.ir_values import FALSE, TRUE, IrValue, constant
from harness.simt.native.emit.lane_tally import TALLIED
from harness.simt.native.emit.lane_values import BLOCK, IN_BLOCK, LANE, WHEN, WHO
from harness.simt.native.runtime.counts import BANK_RECORD_BYTES, BLOCK_COUNTS, ROW_BYTES
from harness.simt.native.sanitize.address import Address
from harness.simt.state.allocation import Access
from harness.simt.traffic import PASS_BYTES, SECTOR, WORD, lanes_of_part, split_access

__all__ = ["begin_lane", "count_access", "count_shared_elements", "end_lane", "end_piece"]

TALLY = IrValue("ptr", "%tally")  # the row of the lane's counts
SEGMENT_END = 1  # what ends a segment is an instruction too


def begin_lane(body: Body) -> None:
    """Emit the values that counting needs: the request, the thread in the grid, the address of its counts, and others.

    Clears `body.tally.counts`.
    """
    build = Builder(body)
    build.or_(LANE, 0, name="in.block")
    build.or_(WHEN, 0, name="request")
    build.icmp_unsigned("==", constant("i64", 0), 0, name="counting")
    place = build.gep(build.slot(SLOTS["numbers"], "ptr"), BLOCK)
    build.add(IN_BLOCK, build.mul(build.load(place, "i64"), build.slot(SLOTS["size"])), name="thread")
    build.gep(build.slot(SLOTS["tallies"], "ptr"), build.mul(LANE, ROW_BYTES), "i8", name="tally")
    body.tally.counts.clear()


def end_piece(body: Body, instructions: int, *, ends: bool) -> None:
    """Emit that a lane has run a part of a segment: add `body.tally.counts` to the lane's counts, and clear the former.

    Args:
        instructions: The number of instructions in it.
        ends: Whether it is the last part of its segment, which counts as one more instruction.
    """
    body.tally.counts["instructions"] += instructions + SEGMENT_END * ends
    for name, amount in body.tally.counts.items():
        if amount:
            _add(body, name, amount)
    body.tally.counts.clear()


def end_lane(body: Body) -> None:
    """Emit that a lane has ended: what it did is added to what all did, and compared with the most that one did."""
    build = Builder(body)
    build.call("void", "end_lane", TALLY, build.slot(SLOTS["sums"], "ptr"))


def _add(body: Body, name: str, amount: IrValue | int) -> None:
    build = Builder(body)
    place = build.gep(TALLY, TALLIED.index(name))
    build.store(build.add(build.load(place, "i64"), amount), place)


def _count(body: Body, name: str, amount: int, if_: IrValue) -> None:
    """Add to a lane's count if an i1 holds: in the tally if it is constant, else by emitted code."""
    if if_ == TRUE:
        body.tally.counts[name] += amount
    elif if_ != FALSE:
        _add(body, name, Builder(body).select(if_, constant("i64", amount), constant("i64", 0)))


def _is_shared(where: Address) -> IrValue:
    """Return an i1: an access is of shared memory; a constant where the code shows it.

    Emits a check that an address from a parameter is not of shared memory.
    """
    body, build = where.body, Builder(where.body)
    if where.data:
        return FALSE
    if where.variable is not None:
        return constant("i1", body.variables[where.variable].rows == "block")
    start, cells = where.fact("start"), where.fact("loads")
    is_per_block = build.icmp_unsigned("==", start, 0)
    shared = build.and_(is_per_block, build.icmp_unsigned("!=", cells, 0))
    if where.place is None:
        return shared
    build.fail_if(shared)  # no launch gives such an address
    return FALSE


def _and(body: Body, lhs: IrValue, rhs: IrValue) -> IrValue:
    """Return the `and` of two i1; emits nothing if one of them is a constant."""
    if FALSE in (lhs, rhs):
        return FALSE
    if TRUE in (lhs, rhs):
        return rhs if lhs == TRUE else lhs
    return Builder(body).and_(lhs, rhs)


def count_access(where: Address, op: Op, kind: str, size: int, elements: int, if_: IrValue) -> None:
    """Emit what an access adds to its lane's counts of loads and stores, and in shared memory to bank conflicts.

    A request of shared memory adds a site to `body.traced`. For global memory the size and offset are noted. An atomic
    counts as a load and as a store; its block's `shared order` or `global order` becomes 1.

    Args:
        kind: `load`, `store` or `atomic`.
        size: Bytes that a lane accesses.
        elements: The number of elements that it accesses.
        if_: An i1; if it is false, nothing is counted.

    Raises:
        Declined: One instruction moves more bytes of shared memory at a time than a sector has.
    """
    body, build = where.body, Builder(where.body)
    shared, is_global = _and(body, _is_shared(where), if_), FALSE
    if not where.private:
        is_global = _and(body, build.icmp_unsigned("!=", where.fact("writers"), 0), if_)
    if is_global != FALSE:
        with build.if_then(is_global):
            _note_size(where, size // elements)
    for each in ("load", "store") if kind == "atomic" else (kind,):
        _count(body, f"shared_{each}s", elements, shared)
        _count(body, f"global_{each}s", elements, is_global)
    if kind == "atomic":
        for name, condition in (("shared order", shared), ("global order", is_global)):
            if condition != FALSE:
                with build.if_then(condition):
                    build.store(constant("i64", 1), _block_count(body, name))
    if shared != FALSE:
        with build.if_then(shared):
            _count_banks(where, op, kind, size, elements)


def _note_size(where: Address, size: int) -> None:
    """Emit that elements of a size in bytes were accessed at an offset: the allocation's `sizes` get the bits of both.

    The lowest bit of these limits the size of the elements that it is counted in.
    """
    build = Builder(where.body)
    place = build.inttoptr(where.fact("sizes"))
    before = build.or_(build.load(place, "i64"), size)
    build.store(build.or_(before, where.offset), place)


def _block_count(body: Body, name: str) -> IrValue:
    build = Builder(body)
    return build.gep(build.slot(SLOTS["blocks"], "ptr"), BLOCK_COUNTS[name])


def _count_banks(where: Address, op: Op, kind: str, size: int, elements: int) -> None:
    body, build = where.body, Builder(where.body)
    each, firsts = split_access(size, elements, op.site.align, body.program.target.vendor)
    if each > SECTOR:
        raise Declined(Reason.COUNTING_REQUEST, bytes=each, limit=SECTOR)
    site = build.gep(build.slot(SLOTS["sites"], "ptr"), 2 * len(body.traced))
    body.traced.append(RequestSite(f"shared {kind}", size, elements))
    build.store(build.add(build.load(site, "i64"), 1), site)
    in_warp = build.and_(LANE, body.program.target.warp - 1)
    part = build.udiv(in_warp, lanes_of_part(each))
    records = build.slot(SLOTS["banks"], "ptr")
    for first in firsts:
        record = build.gep(records, body.tally.records * BANK_RECORD_BYTES, "i8")
        body.tally.records += 1
        if where.variable is None:  # lanes may be at several variables at a time
            record = build.gep(record, build.mul(where.entry, BANK_RECORD_BYTES), "i8")
            body.tally.records += max(
                (number for number, of in body.variables.items() if of.rows == "block"), default=0
            )
        begin = build.add(where.offset, first) if first else where.offset
        word = build.lshr(begin, WORD.bit_length() - 1)
        words, least = (constant("i64", max(1, number)) for number in (each // WORD, -(-each // PASS_BYTES)))
        is_alone = constant("i1", kind == "atomic")
        build.call("void", "count_bank_conflicts", site, record, WHEN, part, word, words, least, is_alone)


def count_shared_elements(where: Address, access: Access, kind: str, if_: IrValue) -> None:
    """Emit that cells of shared memory are loaded or stored to, and by which thread; nothing for other memory.

    Args:
        kind: `load` or `store`.
        if_: An i1, without which nothing is accessed.
    """
    body, build = where.body, Builder(where.body)
    shared = _and(body, _is_shared(where), if_)
    if shared == FALSE:
        return
    with build.if_then(shared):
        cell_bytes = body.layout.cell_bytes
        table, first = build.inttoptr(where.fact("loads")), build.lshr(where.offset, cell_bytes.bit_length() - 1)
        sizes = build.or_(where.offset, access.width // max(1, access.count))
        block = build.slot(SLOTS["blocks"], "ptr")
        cells = constant("i64", access.width // cell_bytes)
        build.call("void", f"count_shared_{kind}", table, first, cells, sizes, WHO, block)
