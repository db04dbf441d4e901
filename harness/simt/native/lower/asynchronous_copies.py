"""Lowerings of asynchronous copies, their groups and waits: bytes are copied at once, and marked until waited for.

A lane must wait for its copies before it comes to a barrier. While any are in flight (`%flight`: 1 for copies in no
group, 2 for copies in a group), their lane stores nothing to global memory, from which they may read. Accesses of other
lanes to the same bytes race, since no barrier is in between. Each byte of a copy's target is marked with the epoch:
until all copies have been waited for, neither the lane nor a second copy touches it.
"""

from harness.simt.compile.graph import Op, Ref
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, Vector
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_values import IrValue, constant
from harness.simt.native.emit.lane_values import EPOCH, FLIGHT
from harness.simt.native.lower.registry import forms
from harness.simt.native.sanitize.access_checks import check_initialised, check_races
from harness.simt.native.sanitize.address import Address, check_alignment, check_writable, checked_address
from harness.simt.native.sanitize.byte_marks import check_copies, has_mark, set_epoch_mark, set_marks
from harness.simt.native.sanitize.counting import count_elements, count_request
from harness.simt.state.allocation import Access

__all__ = ["LANDED", "begin_copy", "begin_flight", "check_flight", "set_flight"]

LANDED = constant("i8", 0)  # none is under way


@forms("copy")
def copy(body: Body, op: Op, how: str) -> None:
    """Emit a copy to the first operand's address from the second's, with its checks; it is under way, in no group yet.

    Args:
        how: The number of bytes, in decimal.
    """
    build = Builder(body)
    size = int(how)
    begin_copy(
        body, op, size, *(checked_address(body, build.value(operand), size, operand) for operand in op.operands[:2])
    )
    set_flight(body, build.or_(_flight(body), 1))


def begin_copy(body: Body, op: Op, size: int, to: Address, of: Address) -> None:
    """Emit a copy that happens at once, with its checks and counts, and mark the target's bytes with the epoch.

    A check fails unless the target is shared memory that race detection covers, and the source memory that blocks
    share. It fails too if any of the target's bytes was last written by a copy of this epoch, even a completed copy.
    The caller must emit `set_flight`.

    Args:
        size: 4, 8 or 16 bytes.
        to, of: The target and the source, which are known to be within bounds.
    """
    build = Builder(body)
    access = Access(Vector(size // 4, Int(32)) if size > 4 else Int(32), size)
    octets = f"<{size // 4} x float>" if size > 4 else "i32"
    with of.once():
        check_alignment(of, access)
        if not of.data:  # what blocks do not share has no marks against a store meanwhile
            build.fail_if(build.icmp_unsigned("==", of.fact("start"), 0))
        check_initialised(of, access, "load")
        check_copies(of, access, "load")
        check_races(of, access, "load")
        count_elements(of, access, "load")
        count_request(of, op, "load", size, max(1, access.count))
    with to.once():
        check_alignment(to, access)
        check_writable(to)
        build.fail_if(build.icmp_unsigned("!=", to.fact("start"), 0))
        build.fail_if(build.icmp_unsigned("==", to.fact("cells"), 0))
        check_races(to, access, "store")
        count_elements(to, access, "store")
        count_request(to, op, "store", size, max(1, access.count))
        marks = to.at("written")
        build.fail_if(has_mark(body, marks, size, EPOCH))
        set_marks(body, marks, size, EPOCH)
    data = build.load(of.at("data"), octets, align=1)
    build.store(data, to.at("data"), align=1)


def set_flight(body: Body, flight: IrValue) -> None:
    """Emit which copies are under way from now on, if the kernel has any."""
    if body.program.copies:
        Builder(body).store(flight, FLIGHT)


def _flight(body: Body) -> IrValue:
    """Emit which copies are under way: a mask, as described above."""
    return Builder(body).load(FLIGHT, "i8") if body.program.copies else LANDED


def begin_flight(body: Body, *, within: bool) -> None:
    """Emit, if the kernel has copies, `%epoch` and `%flight` (see the module) where a lane goes on after a wait.

    Args:
        within: Whether it waited for its warp alone: then `%flight` is what `check_flight` saved, otherwise 0.
    """
    build = Builder(body)
    if body.program.copies:
        set_epoch_mark(body)
        build.alloca("i8", "flight")
        set_flight(body, build.load(build.lane_bytes("flight"), "i8", align=1) if within else LANDED)


def check_flight(body: Body, *, within: bool) -> None:
    """Emit, before a wait, a check that no copies are under way; nothing if the kernel has none.

    Args:
        within: Whether lanes wait for their warp alone: then nothing is checked, and `%flight` is saved for after it.
    """
    if not body.program.copies:
        return
    build, flight = Builder(body), _flight(body)
    if within:
        build.store(flight, build.lane_bytes("flight"), align=1)
    else:
        build.fail_if(build.icmp_unsigned("!=", flight, 0))


@forms("commit")
def commit(body: Body, _op: Op, _how: str) -> None:
    """Emit that copies under way in no group are now in one."""
    build = Builder(body)
    flight = _flight(body)
    both = build.or_(flight, build.shl(flight, 1))
    set_flight(body, build.and_(both, 2))


@forms("land")
def land(body: Body, op: Op, _how: str) -> None:
    """Emit that copies have arrived: all if there is no operand, else all that are in a group.

    Raises:
        Declined: The operand, the number of groups that may still be under way after the wait, is not the constant 0.
    """
    if not op.operands:
        set_flight(body, LANDED)
        return
    (allowed,) = op.operands
    if not isinstance(allowed, Const) or allowed.value:
        raise Declined(Reason.COPIES_AFTER_WAIT)
    set_flight(body, Builder(body).and_(_flight(body), 1))


@forms("address")
def address(body: Body, op: Op, _how: str) -> None:
    """Define the result as the shared pointer from which `ptrtoint` and `trunc` made the operand.

    Raises:
        Declined: The operand was made otherwise, or the pointer is not known in this segment.
    """
    build = Builder(body)
    pointer = op.operands[0]
    for opcode in ("trunc", "ptrtoint"):
        source = body.definitions.get(pointer.number) if isinstance(pointer, Ref) else None
        if source is None or source.opcode != opcode:
            raise Declined(Reason.SHARED_ADDRESS)
        pointer = source.operands[0]
    if not isinstance(pointer, Ref) or not (pointer.number in body.fixed or (pointer.number, 0) in body.values):
        raise Declined(Reason.SHARED_ADDRESS)
    build.define(op, build.value(pointer))
