"""Emit checks of an access for uninitialised bytes and data races, and update byte marks and shadow cells."""

from collections.abc import Iterator

from harness.simt.native.analysis.notes import CLUSTERS, WARPS
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.context import SHADOW_CELL_BYTES
from harness.simt.native.emit.ir_values import TRUE, IrValue, constant
from harness.simt.native.emit.lane_values import (
    ARRIVED,
    BIRTH,
    CAME,
    CLUSTER,
    MET,
    MET_FAR,
    NEED,
    NEED_FAR,
    NOW,
    NOW_FAR,
    OPEN,
    PHASE,
    SINCE,
    SINCE_FAR,
    WHO,
)
from harness.simt.native.sanitize.address import Address
from harness.simt.native.sanitize.byte_marks import BARRIER, WRITTEN, check_marks, has_mark, set_marks
from harness.simt.native.sanitize.control_path import note_visible_store
from harness.simt.state.allocation import Access

__all__ = ["check_initialised", "check_races"]

BY_SPACE = ((NOW, NOW_FAR), (SINCE, SINCE_FAR), (NEED, NEED_FAR))  # of a block's memory, of memory that blocks share


def check_initialised(where: Address, access: Access, kind: str) -> None:
    """Emit, for a load, a check that the bytes were written; for a store, marks that they are.

    Emits nothing for memory that is only read, and initialised as a whole. In kernels with copies, bytes that a copy
    wrote count as written. Bytes of a barrier in shared memory do not.

    Args:
        kind: `load` or `store`.
    """
    if where.data:
        return
    body, pointer = where.body, where.at("written", where.fact("mask"))
    if kind == "store":
        set_marks(body, pointer, access.width, WRITTEN)
    elif body.program.copies:  # which have other marks
        for wrong in (0, BARRIER) if body.arrives else (0,):
            Builder(body).fail_if(has_mark(body, pointer, access.width, wrong))
    else:
        check_marks(body, pointer, access.width, WRITTEN)


def check_races(where: Address, access: Access, kind: str, who: IrValue = WHO, if_: IrValue = TRUE) -> None:
    """Emit a check that no other thread races with an access, and record it in the shadow cells.

    Emits nothing for memory that is only read; memory without shadow cells is not checked. A check also fails, whatever
    `if_` says, between a lane's arrival at an mbarrier and its wait.
    For a store or update, the provenance is added to `body.stored`, unless the code shows that blocks do not share the
    memory. Unless the variable is block-invariant, `shape.shares` is set in code for batches (lanes must run one after
    another), and if blocks may start again, it is noted that others may see a store or update.

    Args:
        kind: `load`, `store` or `update`.
        who: The thread; for an update, its kind in the high 16 bits.
        if_: An i1; if it is false, no race is checked or recorded.
    """
    if where.data:
        return
    build, cell_bytes = Builder(where.body), where.body.layout.cell_bytes
    if where.body.arrives:
        build.fail_if(build.icmp_unsigned("!=", build.load(CAME, "i8"), 0))
    cells = first_cell = where.fact("cells")
    if (pitch := where.of_block("cell pitch")) is not None:
        first_cell = build.add(cells, pitch)
    first = build.lshr(where.offset, cell_bytes.bit_length() - 1)
    cell = build.inttoptr(build.add(first_cell, build.mul(first, SHADOW_CELL_BYTES)))
    foreign = build.icmp_unsigned("!=", where.fact("start"), 0)
    begins = build.select(foreign, CLUSTER, constant("i32", 0))
    now, since, need = (build.select(foreign, shared, own_block) for own_block, shared in BY_SPACE)
    there = build.and_(if_, build.icmp_unsigned("!=", cells, 0))
    many = build.select(there, constant("i64", access.width // cell_bytes), constant("i64", 0))
    arguments = [cell, many, who, now, BIRTH, begins, since, need, *_warp_epoch(where.body, foreign, now)]
    if CLUSTERS in where.body.notes:
        arguments += [build.select(build.load(ARRIVED, "i1"), PHASE, now), PHASE, OPEN]
    build.fail_if(build.call("i1", f"{kind}_cells", *arguments))
    if where.body.shape is not None and not where.is_invariant:
        where.body.shape.shares = True
    if kind != "load" and not where.private:
        where.body.stored.add(where.place)
    if kind != "load" and where.body.invariance.branches and not where.is_invariant:
        note_visible_store(where.body)


def _warp_epoch(body: Body, foreign: IrValue, now: IrValue) -> Iterator[IrValue]:
    """Yield the warp's epoch, if it has any, of memory that blocks share or not, which an i1 says."""
    if WARPS in body.notes:
        build = Builder(body)
        yield build.intrinsic("i32", "llvm.umax.i32", build.select(foreign, MET_FAR, MET), now)
