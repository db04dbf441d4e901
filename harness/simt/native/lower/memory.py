"""Addresses, loads and stores, each checked: bounds, alignment, what may be written, what was, and who was there."""

from collections.abc import Iterator
from dataclasses import dataclass

from harness.simt.compile.graph import Op, Value
from harness.simt.compile.segments import compiled_form
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.sizes import to_signed
from harness.simt.ir.types import Int, Pointer, Type, Vector, align_of, element_of, leaves, size_of
from harness.simt.ir.values import base_of, strides
from harness.simt.native.analysis.block_invariance import variable_of
from harness.simt.native.analysis.notes import CLUSTERS, COUNTED
from harness.simt.native.analysis.provenance import Provenance, provenance_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import in_memory, stored, text
from harness.simt.native.emit.narrow_floats import octets, of_octets
from harness.simt.native.lower.registry import lowers
from harness.simt.native.sanitize.access_checks import check_initialised, check_races
from harness.simt.native.sanitize.address import (
    Address,
    check_alignment,
    check_writable,
    checked_address,
    note_strong_access,
)
from harness.simt.native.sanitize.byte_marks import check_copies
from harness.simt.native.sanitize.counting import count_elements, count_request
from harness.simt.state.allocation import Access

__all__ = ["TYPED", "access_parts", "load_from", "local_variable_of", "store_to"]

# The operand whose type an access has, None for the result's, and the one that is its address.
TYPED = {"load": (None, 0), "store": (0, 1), "atomicrmw": (1, 0), "cmpxchg": (1, 0), "update": (1, 0)}
TYPED |= {"bring": (None, 0), "put": (0, 1)}  # by a descriptor
WIDTHS = (1, 2, 4, 8, 16)
MOST_ELEMENTS = 64  # of a vector that is checked element by element: the checks of more take LLVM too long
# What such a function takes of a lane.
APART = (
    "ptr %ctx, ptr %table, i64 %own, i64 %count, i64 %lane, i64 %rank, i64 %cluster.of, i32 %who, i32 %now, "
    "i32 %now.far, i32 %birth, i32 %since, i32 %since.far, i32 %cluster, i32 %phase, i32 %open, i32 %met.near, "
    "i32 %met.far, ptr %need, ptr %need.far"
)


@dataclass(frozen=True, slots=True)
class AccessPart:
    """What is loaded or stored at once: a leaf, or an element of one.

    Attributes:
        type: Of the leaf.
        element: Its number in a vector that is taken apart, or None.
        offset: From the address.
    """

    leaf: int
    type: Type
    element: int | None
    offset: int
    access: Access


def access_parts(op: Op, whole: Type) -> Iterator[AccessPart]:
    """What is loaded or stored lies in memory in these."""
    promised = op.attrs.get("align") or align_of(whole)
    if compiled_form(op) in ("bring", "put"):
        promised = min(4, size_of(element_of(whole)))
    for leaf, (ty, offset) in enumerate(leaves(whole)):
        stored(ty)
        access = Access(ty, promised if not offset else min(promised, offset & -offset))
        if access.kind not in ("plain", "bool", "bfloat"):
            raise Declined(Reason.TYPE_IN_MEMORY, type=ty)
        if access.width in WIDTHS:
            yield AccessPart(leaf, ty, None, offset, access)
            continue
        if access.count > MOST_ELEMENTS:
            raise Declined(Reason.TYPE_IN_MEMORY, type=ty)
        size = size_of(element_of(ty))
        for element in range(access.count):  # the first says how all are aligned
            one = Access(element_of(ty), access.align if not element else size)
            yield AccessPart(leaf, ty, element, offset + element * size, one)


@lowers("getelementptr")
def address(body: Body, op: Op) -> None:
    pointer, *indices = op.operands
    if isinstance(op.type, Vector):
        raise Declined(Reason.ADDRESS_VECTOR)
    fixed, at = 0, body.value(pointer)
    for index, scale in strides(op.attrs["source_type"], indices):
        if isinstance(index, int):
            fixed += index * scale
            continue
        step = body.value(index)
        if size_of(index.type) > 8:
            raise Declined(Reason.INDEX, type=index.type)
        if index.type != Int(64):
            step = body.new(f"sext {text(index.type)} {step} to i64")
        at = body.new(f"add i64 {at}, {body.new(f'mul i64 {step}, {scale}')}")
    body.define(op, body.plus(at, to_signed(fixed)))


@lowers("alloca")
def allocate(body: Body, op: Op) -> None:
    (number,) = op.operands
    assert isinstance(number, Const)
    body.define(op, str(base_of(number.value)))


def local_variable_of(body: Body, pointer: Value) -> int | None:
    """The number of the local variable that an address is known to be in."""
    number = variable_of(body.program, body.made, pointer)
    return number if number is not None and body.variables[number].rows == "lane" else None


@lowers("fence")
def fence(body: Body, op: Op) -> None:
    """Nothing is left that it would order."""


def place(body: Body, op: Op, address: str, one: AccessPart, kind: str) -> str:
    """The checked place of a part of an access, as a `ptr`.

    Args:
        address: Of all of it.
        kind: `load` or `store`.
    """
    access, pointer = one.access, op.operands[TYPED[kind][1]]
    at = body.plus(address, one.offset)
    number = variable_of(body.program, body.made, pointer)
    from_ = provenance_of(body.program, body.made, pointer)
    if _is_outlined(body, number, from_):
        if kind == "store" and (number is None or body.variables[number].rows == "grid"):
            body.stored.add(from_)
        return _apart(body, at, access, kind, _is_strong(op), number)
    where = checked_address(body, at, access.width, pointer)
    local = local_variable_of(body, pointer) is not None
    with where.once():
        _checked(where, access, kind, local, _is_strong(op))
        if not local and not one.element:
            whole = Access(one.type)
            count_request(where, op, kind, whole.width, max(1, whole.count))
    return where.at("data")


def _is_outlined(body: Body, number: int | None, from_: Provenance | None) -> bool:
    """Return whether the checks of an access are a call: there are many, and those of a variable are short.

    Args:
        number: The variable that it is to, where that is known.
        from_: Where its address lies.
    """
    if not body.long or "global" in body.notes:
        return False
    if number is None:
        return body.shape is None or not body.shape.reads(from_)
    return body.crowded and body.shape is None and body.variables[number].rows != "lane"


def _is_strong(op: Op) -> bool:
    """Whether it is volatile or atomic: what it finds does not depend on that, nobody else is there in its epoch."""
    return bool(op.attrs.get("ordering") or "volatile" in op.flags)


def _apart(body: Body, at: str, access: Access, kind: str, is_strong: bool, number: int | None) -> str:
    """The same by a function, since there are so many: inlined they take seconds to compile."""
    name = f"{kind}.{access.width}.{access.align}{'.strong' * is_strong}"
    name += "" if number is None else f".in{number}"
    if is_strong:
        body.strong.add(body.here)
    more = [("ptr %flight, i64 %epoch", body.program.copies), ("ptr %arrived", CLUSTERS in body.notes)]
    more += [("ptr %came", body.arrives), ("i1 %again", number is not None)]
    given = ", ".join([APART, *(one for one, there in more if there)])
    given += ", i1 %counting" if body.notes & COUNTED else ""
    if name not in body.apart:
        body.apart.add(name)
        lines, body.lines = body.lines, [f"define internal i64 @{name}({given}, i64 %at) noinline {{"]
        where = checked_address(body, "%at", access.width, number=number)
        stored, body.stored = body.stored, set()
        with where.once():
            _checked(where, access, kind, False, is_strong)
        body.stored = stored
        data = where.at("data")
        body.line(f"ret i64 {body.new(f'ptrtoint ptr {data} to i64')}")
        body.declared.add("\n".join([*body.lines, "bad:\n  ret i64 0\n}"]))
        body.lines = lines
    found = body.new(f"call i64 @{name}({given}, i64 {at})")
    body.unless(body.new(f"icmp eq i64 {found}, 0"))
    return body.pointer(found)


def _checked(where: Address, access: Access, kind: str, local: bool, is_strong: bool) -> None:
    """Nothing is to be said of an access, be it to a local variable or not."""
    body = where.body
    check_alignment(where, access)
    if kind == "store":
        check_writable(where)
    if body.program.copies and not local:
        check_copies(where, access, kind)
    check_initialised(where, access, kind)
    if not local:
        check_races(where, access, kind)
        count_elements(where, access, kind)
        if is_strong:
            note_strong_access(where)


def _single(op: Op, pointer: Value) -> None:
    if isinstance(pointer.type, Vector):
        raise Declined(Reason.GATHER, opcode=op.opcode)


@lowers("load")
def load(body: Body, op: Op) -> None:
    (pointer,) = op.operands
    _single(op, pointer)
    body.define(op, *load_from(body, op, body.value(pointer)))


def load_from(body: Body, op: Op, at: str) -> list[str]:
    """The leaves of what lies at an address."""
    names = ["poison"] * len(leaves(op.type))
    for one in access_parts(op, op.type):
        where = place(body, op, at, one, "load")
        name = body.new(f"load {in_memory(one.access.type)}, ptr {where}, align 1")
        name = body.new(f"trunc i8 {name} to i1") if one.access.kind == "bool" else name
        name = of_octets(body, one.access.type, name) if one.access.kind == "bfloat" else name
        names[one.leaf] = _joined(body, op.type, one, names[one.leaf], name)
    return names


def _joined(body: Body, whole: Type, one: AccessPart, vector: str, name: str) -> str:
    if one.element is None:
        return name
    ty = text(leaves(whole)[one.leaf][0])
    return body.new(f"insertelement {ty} {vector}, {text(one.access.type)} {name}, i32 {one.element}")


@lowers("store")
def store(body: Body, op: Op) -> None:
    value, pointer = op.operands
    _single(op, pointer)
    at = body.value(pointer)
    store_to(body, op, at, body.all(value))


def store_to(body: Body, op: Op, at: str, names: list[str]) -> None:
    """The leaves of the first operand come to an address, which the second one tells."""
    value, pointer = op.operands[:2]
    for one in access_parts(op, value.type):
        ty, name = leaves(value.type)[one.leaf][0], names[one.leaf]
        if isinstance(element_of(ty), Pointer) and local_variable_of(body, pointer) is None:
            raise Declined(Reason.ADDRESS_STORED)
        if one.element is not None:
            name = body.new(f"extractelement {text(ty)} {name}, i32 {one.element}")
        where = place(body, op, at, one, "store")
        name = body.new(f"zext i1 {name} to i8") if one.access.kind == "bool" else name
        name = octets(body, one.access.type, name) if one.access.kind == "bfloat" else name
        body.line(f"store {in_memory(one.access.type)} {name}, ptr {where}, align 1")
