"""Atomic updates: where nobody takes what they find, those of one kind give the same in any order; else nobody else
may touch their place before the next barrier.
"""

from harness.simt.compile.graph import Op, Value
from harness.simt.declined import Declined, Reason
from harness.simt.ir.opcodes import scope_of
from harness.simt.ir.types import Int, Type, bits_of
from harness.simt.native.analysis.notes import CLUSTERS
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import suffix, text
from harness.simt.native.lower.memory import access_parts
from harness.simt.native.lower.registry import forms, lowers
from harness.simt.native.sanitize.access_checks import check_initialised, check_races
from harness.simt.native.sanitize.address import Address, check_alignment, checked_address, note_strong_access
from harness.simt.native.sanitize.byte_marks import check_copies
from harness.simt.native.sanitize.counting import count_elements, count_request
from harness.simt.state.allocation import Access

__all__: list[str] = []

SIMPLE = ("add", "sub", "and", "or", "xor")
EXTREME = {"max": "smax", "min": "smin", "umax": "umax", "umin": "umin"}
ALIKE = ("add", "and", "or", "xor", *EXTREME)  # kinds: a `sub` is an `add`
OF_BLOCK = 1 << 15  # beside a kind, as the highest bit: no other block may update it too
SHIFT = 16  # where the kind of an update lies beside its thread


def _found(body: Body, op: Op, pointer: Value, ty: Type) -> tuple[Address, Access]:
    """The place, whose bytes somebody wrote; local variables are not worth an atomic's while."""
    if not isinstance(ty, Int) or not 8 <= bits_of(ty) <= 64 or "volatile" in op.flags:
        reason = Reason.VOLATILE_ATOMIC if "volatile" in op.flags else Reason.OPERAND
        raise Declined(reason, opcode=op.opcode, type=ty)
    access = next(access_parts(op, ty)).access
    if access.align < access.width:  # places that overlap have no order that all agree on
        raise Declined(Reason.MISALIGNED, opcode=op.opcode)
    where = checked_address(body, body.value(pointer), access.width, pointer)
    check_alignment(where, access)
    for name in ("writable", "cells"):
        body.unless(body.new(f"icmp eq i64 {where.fact(name)}, 0"))
    note_strong_access(where)
    if body.program.copies:
        check_copies(where, access, "store")
    check_initialised(where, access, "load")
    return where, access


@lowers("atomicrmw")
def instruction(body: Body, op: Op) -> None:
    _updated(body, op, op.attrs["operation"], scope_of(op.attrs.get("scope", "")))


@forms("update")
def call(body: Body, op: Op, how: str) -> None:
    """The same by an intrinsic, whose declaration says the operation and the scope."""
    operation, _, scope = how.partition(".")
    _updated(body, op, operation, scope)


def _updated(body: Body, op: Op, operation: str, scope: str) -> None:
    pointer, operand = op.operands[:2]
    ty = text(op.type)
    where, access = _found(body, op, pointer, op.type)
    kind = "add" if operation == "sub" else operation
    alone = op.result in body.users or op.result in body.moved or kind not in ALIKE
    if alone:
        check_races(where, access, "store")
    else:
        _in_any_order(where, access, scope, 1 + 8 * ALIKE.index(kind) + bits_of(op.type).bit_length())
    for one in ("load", "store"):
        count_elements(where, access, one)
    count_request(where, op, "atomic", access.width, 1)
    place, given = where.at("data"), body.value(operand)
    if not alone and (where.variable is None or body.variables[where.variable].rows == "grid"):  # other workers too
        low = body.new(f"and i64 {body.new(f'ptrtoint ptr {place} to i64')}, {access.width - 1}")
        body.unless(body.new(f"icmp ne i64 {low}, 0"))
        body.define(op, body.new(f"atomicrmw {operation} ptr {place}, {ty} {given} monotonic, align {access.width}"))
        return
    old = body.new(f"load {ty}, ptr {place}, align 1")
    if operation in SIMPLE:
        new = body.new(f"{operation} {ty} {old}, {given}")
    elif operation in EXTREME:
        new = body.call(ty, f"llvm.{EXTREME[operation]}.{suffix(op.type)}", (ty, old), (ty, given))
    elif operation == "xchg":
        new = given
    else:
        raise Declined(Reason.ATOMIC, operation=operation)
    body.line(f"store {ty} {new}, ptr {place}, align 1")
    body.define(op, old)


def _in_any_order(where: Address, access: Access, scope: str, kind: int) -> None:
    body = where.body
    if scope in ("thread", "warp") or (scope == "block" and CLUSTERS in body.notes):
        raise Declined(Reason.ATOMIC_SCOPE, scope=scope)
    if scope in ("block", "cluster"):
        if CLUSTERS in body.notes:
            body.unless(body.new(f"icmp ne i64 {where.fact('start')}, 0"))
        else:
            kind -= OF_BLOCK
    check_races(where, access, "update", body.new(f"or i32 %who, {kind << SHIFT}"))


@lowers("cmpxchg")
def exchange(body: Body, op: Op) -> None:
    pointer, expected, given = op.operands
    ty = text(expected.type)
    where, access = _found(body, op, pointer, expected.type)
    place = where.at("data")
    old = body.new(f"load {ty}, ptr {place}, align 1")
    hit = body.new(f"icmp eq {ty} {old}, {body.value(expected)}")
    if "global" in body.notes:
        raise Declined(Reason.COUNTING_EXCHANGES)
    for one, really in (("load", "true"), ("store", hit)):  # where it does not hit it is a load alone
        check_races(where, access, one, if_=really)
        count_elements(where, access, one, if_=really)
    body.line(f"store {ty} {body.new(f'select i1 {hit}, {ty} {body.value(given)}, {ty} {old}')}, ptr {place}, align 1")
    body.define(op, old, hit)
