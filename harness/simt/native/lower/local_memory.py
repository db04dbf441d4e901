"""Lowerings of `memcpy`, `memmove`, `memset`, the start of a local variable's life, and opcodes of `local_values`."""

from dataclasses import replace

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Int, Vector
from harness.simt.native.analysis.local_values import VECTOR
from harness.simt.native.analysis.local_variables import REMOVED
from harness.simt.native.analysis.notes import COUNTED
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import text
from harness.simt.native.emit.ir_values import FALSE, IrValue, constant
from harness.simt.native.lower.access_granularity import accessed_bytes
from harness.simt.native.lower.memory import local_variable_of
from harness.simt.native.lower.registry import forms, lowers
from harness.simt.native.sanitize.access_checks import check_initialised, check_races
from harness.simt.native.sanitize.address import (
    Address,
    check_alignment,
    check_writable,
    checked_address,
    variable_address,
)
from harness.simt.native.sanitize.byte_marks import WRITTEN, check_copies, set_marks
from harness.simt.state.allocation import Access, row_bytes

__all__ = ["begin"]

MOST = 512  # bytes of which it is known each by itself whether they are written
PART = 16  # of them at a time


@lowers(REMOVED)
def remove(body: Body, op: Op) -> None:
    """Emit nothing: see `forward_local_values`."""


@lowers(VECTOR)
def vector_of(body: Body, op: Op) -> None:
    """Emit a vector of the operands, in their order: it replaces a load of what was stored one by one."""
    build, value = Builder(body), IrValue(text(op.type), "poison")
    for place, element in enumerate(op.operands):
        value = build.insert_element(value, build.value(element), place)
    build.define(op, value)


@forms("begin")
def begin(body: Body, op: Op, _how: str) -> None:
    """Emit that all bytes of a local variable are uninitialised, where its life begins; defines no result.

    Args:
        op: An `alloca`, or a call whose last operand is a pointer into the variable.

    Raises:
        Declined: The code does not show which variable it is.
    """
    pointer = op.operands[-1]
    number = pointer.value if op.opcode == "alloca" and isinstance(pointer, Const) else local_variable_of(body, pointer)
    if number is None:
        raise Declined(Reason.LIFETIME)
    place, size = variable_address(body, number).at("written"), row_bytes(body.variables[number].size)
    if size <= PART:
        set_marks(body, place, size, 0)
    else:
        Builder(body).call("void", "llvm.memset.p0.i64", place, constant("i8", 0), constant("i64", size), FALSE)


def _of(body: Body, op: Op, number: int, kind: str) -> tuple[Address, Access]:
    """Emit the checks of a copy's or fill's access at one of its pointers; return its address and bytes.

    For a local variable these are bounds, alignment and writability: the caller must check or mark what is written.
    For other memory, those of initialisation, copies and races follow; if its accesses are counted, a check fails.

    Args:
        number: The index of the pointer among the operands.
        kind: `load` or `store`.

    Raises:
        Declined: `accessed_bytes` refuses the length; or, except for local variables, the access is volatile, or longer
            than 512 bytes in a kernel with asynchronous copies.
    """
    build = Builder(body)
    access, pointer = accessed_bytes(op, number), op.operands[number]
    where = checked_address(body, build.value(pointer), access.width, pointer)
    check_alignment(where, access)
    if local_variable_of(body, pointer) is not None:
        if kind == "store":
            check_writable(where)
        return where, access
    if getattr(op.operands[3], "value", 1) or (body.program.copies and access.width > MOST):
        raise Declined(Reason.INTRINSIC, name=op.callee.removeprefix("@"))
    if body.notes & COUNTED:  # what is counted Python copies
        for name in ("loads", "writers"):
            build.fail_if(build.icmp_unsigned("!=", where.fact(name), 0))
    with where.once():
        if kind == "store":
            check_writable(where)
        _check_bytes(where, access, kind)
        check_races(where, access, kind)
    return where, access


def _check_bytes(where: Address, access: Access, kind: str, local: bool = False) -> None:
    """Emit for a load checks that a range of bytes is initialised, for a store marks that it is, 16 bytes at a time.

    Checks of copies come before, if the kernel has any. For more than 512 bytes there is a single check instead, for a
    store too: it fails unless the allocation is initialised as a whole.

    Args:
        local: Whether it is a local variable, which copies do not access.
    """
    build = Builder(where.body)
    if access.width > MOST and not where.data:
        build.fail_if(build.icmp_unsigned("!=", where.fact("mask"), 0))
        return
    for start in range(0, access.width, PART):
        part = Access(Vector(min(PART, access.width - start), Int(8)))
        part_address = replace(where, offset=build.add(where.offset, start))
        if where.body.program.copies and not local:
            check_copies(part_address, part, kind)
        check_initialised(part_address, part, kind)


@forms("move")
def move(body: Body, op: Op, _how: str) -> None:
    """Emit `memcpy` or `memmove` of a constant number of bytes, with its checks.

    For `memcpy` a check fails if the ranges overlap but are not the same. From one local variable to another,
    uninitialised bytes are copied with their marks; all other sources must be initialised.

    Raises:
        Declined: `_of` refuses one of the two accesses.
    """
    build = Builder(body)
    of, access = _of(body, op, 1, "load")
    to, _ = _of(body, op, 0, "store")
    if "memmove" not in op.callee:
        apart = build.sub(build.value(op.operands[0]), build.value(op.operands[1]))
        size = build.intrinsic("i64", "llvm.abs.i64", apart, FALSE)
        build.fail_if(build.icmp_unsigned("<", build.sub(size, 1), access.width - 1))
    mine, local = (local_variable_of(body, pointer) is not None for pointer in op.operands[:2])
    body.declared.add("declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)")
    if mine and local:
        _moved(to, of, "written", access.width)
    elif mine:
        _filled(to, "written", constant("i8", WRITTEN), access.width)
    elif local:
        _check_bytes(of, access, "load", local)
    _moved(to, of, "data", access.width)


def _moved(to: Address, of: Address, name: str, size: int) -> None:
    copied = to.at(name), of.at(name), constant("i64", size), FALSE
    Builder(to.body).call("void", "llvm.memmove.p0.p0.i64", *copied)


def _filled(to: Address, name: str, octet: IrValue, size: int) -> None:
    Builder(to.body).call("void", "llvm.memset.p0.i64", to.at(name), octet, constant("i64", size), FALSE)


@forms("fill")
def fill(body: Body, op: Op, _how: str) -> None:
    """Emit `memset` of a constant number of bytes to the second operand, an i8, with its checks.

    Raises:
        Declined: `_of` refuses the access, or the second operand is undefined.
    """
    build = Builder(body)
    to, access = _of(body, op, 0, "store")
    if local_variable_of(body, op.operands[0]) is not None:
        _filled(to, "written", constant("i8", WRITTEN), access.width)
    _filled(to, "data", build.value(op.operands[1]), access.width)
