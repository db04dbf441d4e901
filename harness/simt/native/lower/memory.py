"""Lowerings of `alloca`, addresses, loads and stores, with every check of an access, in line or in a function."""

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
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import in_memory, stored, text
from harness.simt.native.emit.ir_values import IrValue
from harness.simt.native.emit.lane_values import (
    AGAIN,
    ARRIVED,
    BIRTH,
    CAME,
    CLUSTER,
    CLUSTER_SIZE,
    CONTEXT,
    COUNT,
    COUNTING,
    EPOCH,
    FLIGHT,
    LANE,
    MET,
    MET_FAR,
    NEED,
    NEED_FAR,
    NOW,
    NOW_FAR,
    OPEN,
    OWN,
    PHASE,
    RANK,
    SINCE,
    SINCE_FAR,
    TABLE,
    WHO,
)
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
    *(CONTEXT, TABLE, OWN, COUNT, LANE, RANK, CLUSTER_SIZE, WHO, NOW, NOW_FAR, BIRTH, SINCE, SINCE_FAR, CLUSTER, PHASE),
    *(OPEN, MET, MET_FAR, NEED, NEED_FAR),
)
AT = IrValue("i64", "%at")  # the address that it is given


@dataclass(frozen=True, slots=True)
class AccessPart:
    """A part of a load or store that is accessed at once: a leaf, or an element of one.

    Attributes:
        type: The type of the leaf.
        element: Its number in a vector that is accessed element by element, or None.
        offset: Bytes from the address of the whole.
    """

    leaf: int
    type: Type
    element: int | None
    offset: int
    access: Access


def access_parts(op: Op, accessed_type: Type) -> Iterator[AccessPart]:
    """Yield the parts in which a value of a type is loaded or stored: its leaves, or their elements.

    A leaf whose size is not 1, 2, 4, 8 or 16 bytes is accessed element by element.

    Args:
        op: The instruction. Parts promise its alignment, or the type's if it has none, as far as their offsets allow.

    Raises:
        Declined: The type cannot be in memory, or a leaf that is accessed by elements has more than 64.
    """
    promised = op.attrs.get("align") or align_of(accessed_type)
    if compiled_form(op) in ("bring", "put"):
        promised = min(4, size_of(element_of(accessed_type)))
    for leaf, (ty, offset) in enumerate(leaves(accessed_type)):
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
            element_access = Access(element_of(ty), access.align if not element else size)
            yield AccessPart(leaf, ty, element, offset + element * size, element_access)


@lowers("getelementptr")
def address(body: Body, op: Op) -> None:
    build = Builder(body)
    pointer, *indices = op.operands
    if isinstance(op.type, Vector):
        raise Declined(Reason.ADDRESS_VECTOR)
    fixed, at = 0, build.value(pointer)
    for index, scale in strides(op.attrs["source_type"], indices):
        if isinstance(index, int):
            fixed += index * scale
            continue
        step = build.value(index)
        if size_of(index.type) > 8:
            raise Declined(Reason.INDEX, type=index.type)
        if index.type != Int(64):
            step = build.sext(step, "i64")
        at = build.add(at, build.mul(step, scale))
    build.define(op, build.plus(at, to_signed(fixed)))


@lowers("alloca")
def allocate(body: Body, op: Op) -> None:
    (number,) = op.operands
    assert isinstance(number, Const)
    body.define(op, str(base_of(number.value)))


def local_variable_of(body: Body, pointer: Value) -> int | None:
    """Return the number of the local variable that an address points into; None if the code does not show that."""
    number = variable_of(body.program, body.definitions, pointer)
    return number if number is not None and body.variables[number].rows == "lane" else None


@lowers("fence")
def fence(body: Body, op: Op) -> None:
    """Emit nothing: the checks leave nothing that a fence would order."""


def place(body: Body, op: Op, address: IrValue, part: AccessPart, kind: str) -> IrValue:
    """Emit the checks and counts of a part of an access, and return its host address, a `ptr`.

    Args:
        address: The address of the whole access.
        kind: `load` or `store`.
    """
    access, pointer = part.access, op.operands[TYPED[kind][1]]
    at = Builder(body).plus(address, part.offset)
    number = variable_of(body.program, body.definitions, pointer)
    from_ = provenance_of(body.program, body.definitions, pointer)
    if _is_outlined(body, number, from_):
        if kind == "store" and (number is None or body.variables[number].rows == "grid"):
            body.stored.add(from_)
        return _apart(body, at, access, kind, _is_strong(op), number)
    where = checked_address(body, at, access.width, pointer)
    local = local_variable_of(body, pointer) is not None
    with where.once():
        _checked(where, access, kind, local, _is_strong(op))
        if not local and not part.element:
            leaf_access = Access(part.type)
            count_request(where, op, kind, leaf_access.width, max(1, leaf_access.count))
    return where.at("data")


def _is_outlined(body: Body, number: int | None, from_: Provenance | None) -> bool:
    """Return True if a called function does the checks of an access: only in kernels with over 60 loads and stores.

    False if `global` is noted. For a known variable (`number`) also False if the kernel has no more than 400 loads and
    stores, if the variable is local, or in code for batches. For None also False if code for batches only reads memory
    of the address's provenance (`from_`).
    """
    if not body.long or "global" in body.notes:
        return False
    if number is None:
        return body.shape is None or not body.shape.reads(from_)
    return body.crowded and body.shape is None and body.variables[number].rows != "lane"


def _is_strong(op: Op) -> bool:
    """Return True if an access is volatile or atomic. Its value does not depend on that: no other thread is there in
    its epoch.
    """
    return bool(op.attrs.get("ordering") or "volatile" in op.flags)


def _apart(body: Body, at: IrValue, access: Access, kind: str, is_strong: bool, number: int | None) -> IrValue:
    """Emit a call of the function that checks accesses of one form, and return the host address, a `ptr`.

    A form is a kind, size, alignment and variable, and whether they are strong: then `body.strong` gets the segment.
    The first call for a form also adds the function to `body.declared`. A check fails if the function returns 0.
    """
    build = Builder(body)
    name = f"{kind}.{access.width}.{access.align}{'.strong' * is_strong}"
    name += "" if number is None else f".in{number}"
    if is_strong:
        body.strong.add(body.here)
    more = [(FLIGHT, body.program.copies), (EPOCH, body.program.copies), (ARRIVED, CLUSTERS in body.notes)]
    more += [(CAME, body.arrives), (AGAIN, number is not None), (COUNTING, bool(body.notes & COUNTED))]
    arguments = [*APART, *(value for value, there in more if there)]
    if name not in body.apart:
        body.apart.add(name)
        parameters = ", ".join(map(str, [*arguments, AT]))
        lines, body.lines = body.lines, [f"define internal i64 @{name}({parameters}) noinline {{"]
        where = checked_address(body, AT, access.width, number=number)
        stored, body.stored = body.stored, set()
        with where.once():
            _checked(where, access, kind, False, is_strong)
        body.stored = stored
        build.ret(build.ptrtoint(where.at("data")))
        body.declared.add("\n".join([*body.lines, "bad:\n  ret i64 0\n}"]))
        body.lines = lines
    checked = build.call("i64", name, *arguments, at)
    build.fail_if(build.icmp_unsigned("==", checked, 0))
    return build.inttoptr(checked)


def _checked(where: Address, access: Access, kind: str, local: bool, is_strong: bool) -> None:
    """Emit all checks of an access that is within bounds, the count of its elements, and the note of a strong one.

    Args:
        kind: `load` or `store`.
        local: Whether it is to a local variable, which needs no checks of races or copies.
        is_strong: Whether it is volatile or atomic.
    """
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
    build = Builder(body)
    (pointer,) = op.operands
    _single(op, pointer)
    build.define(op, *load_from(body, op, build.value(pointer)))


def load_from(body: Body, op: Op, at: IrValue) -> list[IrValue]:
    """Emit a load with its checks from an address, as an instruction describes it; return the leaves."""
    build = Builder(body)
    values = [IrValue(text(ty), "poison") for ty, _ in leaves(op.type)]
    for part in access_parts(op, op.type):
        where = place(body, op, at, part, "load")
        name = build.load(where, in_memory(part.access.type), align=1)
        name = build.trunc(name, "i1") if part.access.kind == "bool" else name
        name = of_octets(build, part.access.type, name) if part.access.kind == "bfloat" else name
        if part.element is not None:
            name = build.insert_element(values[part.leaf], name, part.element)
        values[part.leaf] = name
    return values


@lowers("store")
def store(body: Body, op: Op) -> None:
    build = Builder(body)
    value, pointer = op.operands
    _single(op, pointer)
    at = build.value(pointer)
    store_to(body, op, at, build.all(value))


def store_to(body: Body, op: Op, at: IrValue, values: list[IrValue]) -> None:
    """Emit a store, with its checks, of the leaves of an instruction's first operand to an address.

    Args:
        at: The address; the second operand shows what it was computed from.

    Raises:
        Declined: A pointer is stored to memory other than a local variable.
    """
    build = Builder(body)
    value, pointer = op.operands[:2]
    for part in access_parts(op, value.type):
        ty, name = leaves(value.type)[part.leaf][0], values[part.leaf]
        if isinstance(element_of(ty), Pointer) and local_variable_of(body, pointer) is None:
            raise Declined(Reason.ADDRESS_STORED)
        if part.element is not None:
            name = build.extract_element(name, part.element)
        where = place(body, op, at, part, "store")
        name = build.zext(name, "i8") if part.access.kind == "bool" else name
        name = octets(build, part.access.type, name) if part.access.kind == "bfloat" else name
        build.store(name, where, align=1)
