"""Lowerings of atomic updates and compare-and-exchange: race checks by kind of update, and notes of float sums.

Updates of one kind give the same in any order if nothing uses their results. All others race as plain accesses do.
"""

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.opcodes import scope_of
from harness.simt.ir.types import Int, Type, bits_of, size_of
from harness.simt.native.analysis.notes import CLUSTERS, LOCKSTEP
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import suffix, text
from harness.simt.native.emit.ir_values import TRUE, IrValue, constant
from harness.simt.native.emit.lane_values import WHO
from harness.simt.native.lower.memory import access_parts
from harness.simt.native.lower.registry import forms, lowers
from harness.simt.native.sanitize.access_checks import check_initialised, check_races
from harness.simt.native.sanitize.address import Address, check_alignment, checked_address, note_strong_access
from harness.simt.native.sanitize.byte_marks import check_copies
from harness.simt.native.sanitize.counting import count_elements, count_request
from harness.simt.native.sanitize.exact_sums import note_float_sum
from harness.simt.state.allocation import Access

__all__: list[str] = []

SIMPLE = ("add", "sub", "and", "or", "xor", "fadd", "fsub")
FLOATS = ("fadd", "fsub", "xchg")
WRAPPING = ("uinc_wrap", "udec_wrap")
EXTREME = {"max": "smax", "min": "smin", "umax": "umax", "umin": "umin"}
ALIKE = ("add", "and", "or", "xor", *EXTREME, "fadd")  # kinds: a `sub` is an `add`
LAST = 1 << 15  # kinds are below it; behind those of `ALIKE` each wrapping update has its own for each operand
OF_BLOCK = 1 << 15  # beside a kind, as the highest bit: no other block may update it too
SHIFT = 16  # where the kind of an update lies beside its thread


def _checked_location(body: Body, op: Op, pointer: Value, ty: Type) -> tuple[Address, Access]:
    """Emit the checks of an atomic access, except for races, and `note_strong_access`; return its address and bytes.

    A check fails also if its bytes are uninitialised, or its allocation is read-only or without race detection.

    Raises:
        Declined: The type has no compiled form, or the access is volatile or promises less alignment than its size.
    """
    build = Builder(body)
    is_float = text(ty) in ("float", "double") and op.attrs.get("operation") in FLOATS
    if not (is_float or (isinstance(ty, Int) and 8 <= bits_of(ty) <= 64)) or "volatile" in op.flags:
        reason = Reason.VOLATILE_ATOMIC if "volatile" in op.flags else Reason.OPERAND
        raise Declined(reason, opcode=op.opcode, type=ty)
    access = next(access_parts(op, ty)).access
    if access.align < access.width:  # places that overlap have no order that all agree on
        raise Declined(Reason.MISALIGNED, opcode=op.opcode)
    where = checked_address(body, build.value(pointer), access.width, pointer)
    check_alignment(where, access)
    for name in ("writable", "cells"):
        build.fail_if(build.icmp_unsigned("==", where.fact(name), 0))
    note_strong_access(where)
    if body.program.copies:
        check_copies(where, access, "store")
    check_initialised(where, access, "load")
    return where, access


@lowers("atomicrmw")
def instruction(body: Body, op: Op) -> None:
    _emit_update(body, op, op.attrs["operation"], scope_of(op.attrs.get("scope", "")))


@forms("update")
def call(body: Body, op: Op, how: str) -> None:
    """Emit an atomic update by an intrinsic.

    Args:
        how: `OPERATION.SCOPE`, such as `add.block`.
    """
    operation, _, scope = how.partition(".")
    _emit_update(body, op, operation, scope)


def _emit_update(body: Body, op: Op, operation: str, scope: str) -> None:
    """Emit an atomic update with its checks and counts; the result is the value before.

    If nothing uses the result, updates of one kind (see `_update_kind`) may come in any order; sums of floats are then
    noted for `is_exact`. Otherwise, or without a kind, the update is checked for races like a plain store.

    Raises:
        Declined: The operation, its type or its scope has no compiled form.
    """
    build = Builder(body)
    pointer, operand = op.operands[:2]
    ty = text(op.type)
    where, access = _checked_location(body, op, pointer, op.type)
    kind = _update_kind(body, op, operation)
    alone = op.result in body.users or op.result in body.moved or not kind
    if alone:
        check_races(where, access, "store")
    else:
        _check_update_races(where, access, scope, kind)
    for access_kind in ("load", "store"):
        count_elements(where, access, access_kind)
    count_request(where, op, "atomic", access.width, 1)
    place, value = where.at("data"), build.value(operand)
    if not alone and (where.variable is None or body.variables[where.variable].rows == "grid"):  # other workers too
        low = build.and_(build.ptrtoint(place), access.width - 1)
        build.fail_if(build.icmp_unsigned("!=", low, 0))
        old = build.atomic_rmw(operation, place, value, align=access.width)
        if operation in ("fadd", "fsub"):
            note_float_sum(body, value, old)
        build.define(op, old)
        return
    old = build.load(place, ty, align=1)
    if not alone and operation in ("fadd", "fsub"):
        note_float_sum(body, value, old)
    if operation in SIMPLE:
        new = build.binary(operation, old, value)
    elif operation in EXTREME:
        new = build.intrinsic(ty, f"llvm.{EXTREME[operation]}.{suffix(op.type)}", old, value)
    elif operation == "xchg":
        new = value
    elif operation in WRAPPING:
        new = _wrapped(build, operation, old, value)
    else:
        raise Declined(Reason.ATOMIC, operation=operation)
    build.store(new, place, align=1)
    build.define(op, old)


def _update_kind(body: Body, op: Op, operation: str) -> int:
    """Return the number of an update's kind: updates of one kind give the same in any order; 0 if it has no kind.

    A kind is an operation (a `sub` is an `add`) and a size. `uinc_wrap` and `udec_wrap` have a kind for each operand
    that is a constant or parameter, which `body.wraps` stores; 0 for other operands, and once there are too many.
    """
    if operation in WRAPPING:  # they do if they wrap at the same number
        operand = op.operands[1]
        is_constant = isinstance(operand, Const) or (isinstance(operand, Ref) and operand.number in body.params)
        if not is_constant:
            return 0
        key = operation, operand.value if isinstance(operand, Const) else None, operand
        number = body.wraps.setdefault(key, len(body.wraps))
        kind = 1 + 8 * (len(ALIKE) + number) + bits_of(op.type).bit_length()
        return kind if kind < LAST else 0
    name = {"sub": "add", "fsub": "fadd"}.get(operation, operation)
    return 1 + 8 * ALIKE.index(name) + size_of(op.type).bit_length() + 3 if name in ALIKE else 0


def _wrapped(build: Builder, operation: str, old: IrValue, most: IrValue) -> IrValue:
    """Return the number after `old` (`uinc_wrap`), or before it, in the cycle from 0 to `most`, unsigned.

    A number above `most` goes to 0, or to `most`.
    """
    above = build.icmp_unsigned(">", old, most)
    if operation == "uinc_wrap":
        ends = build.or_(above, build.icmp_unsigned("==", old, most))
        return build.select(ends, constant(old.type, 0), build.add(old, 1))
    ends = build.or_(above, build.icmp_unsigned("==", old, 0))
    return build.select(ends, most, build.sub(old, 1))


def _check_update_races(where: Address, access: Access, scope: str, kind: int) -> None:
    """Emit the race check of an update that races with all accesses but updates of its kind.

    At block or cluster scope it also races with updates by other blocks; with clusters, a check fails if the
    allocation is one that blocks share.

    Raises:
        Declined: The scope is less than a block, or a block in a launch with clusters.
    """
    body, build = where.body, Builder(where.body)
    if scope in ("thread", "warp") or (scope == "block" and CLUSTERS in body.notes):
        raise Declined(Reason.ATOMIC_SCOPE, scope=scope)
    if scope in ("block", "cluster"):
        if CLUSTERS in body.notes:
            build.fail_if(build.icmp_unsigned("!=", where.fact("start"), 0))
        else:
            kind -= OF_BLOCK
    check_races(where, access, "update", build.or_(WHO, kind << SHIFT))


@lowers("cmpxchg")
def exchange(body: Body, op: Op) -> None:
    build = Builder(body)
    pointer, expected, desired = op.operands
    ty = text(expected.type)
    where, access = _checked_location(body, op, pointer, expected.type)
    place = where.at("data")
    old = build.load(place, ty, align=1)
    hit = build.icmp_unsigned("==", old, build.value(expected))
    if LOCKSTEP in body.notes:  # where it does not hit the interpreter sees a load, apart from the others
        count_request(where, op, "atomic", access.width, 1, hit)
        count_request(where, op, "load", access.width, 1, build.xor(hit, TRUE))
    elif "global" in body.notes:
        raise Declined(Reason.COUNTING_EXCHANGES)
    for access_kind, really in (("load", TRUE), ("store", hit)):  # where it does not hit it is a load alone
        check_races(where, access, access_kind, if_=really)
        count_elements(where, access, access_kind, if_=really)
    build.store(build.select(hit, build.value(desired), old), place, align=1)
    build.define(op, old, hit)
