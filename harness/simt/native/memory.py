"""Addresses, loads and stores, each checked: bounds, alignment, what may be written, what was, and who was there."""

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.ir.module import Const
from harness.simt.ir.types import (
    Int,
    Pointer,
    Struct,
    Type,
    Vector,
    align_of,
    element_of,
    field_offset,
    leaves,
    member,
    size_of,
)
from harness.simt.ir.values import BIAS, SHIFT, base_of
from harness.simt.native.arithmetic import lowers
from harness.simt.native.body import Body
from harness.simt.native.declined import Declined
from harness.simt.native.layout import ALLOCATION, CELL
from harness.simt.native.text import stored, text
from harness.simt.state.allocation import Access
from harness.simt.state.allocations import FIRST

__all__ = ["begin", "grain_of", "part"]

WRITTEN = 0x01010101010101010101010101010101


def part(op: Op, whole: Type, ty: Type, offset: int) -> Access:
    """How a leaf of what is loaded or stored lies in memory."""
    promised = op.attrs.get("align") or align_of(whole)
    access = Access(ty, promised if not offset else min(promised, offset & -offset))
    stored(ty)
    if access.kind not in ("plain", "bool") or access.width not in (1, 2, 4, 8, 16):
        raise Declined(f"a value of type {ty} in memory")
    return access


def grain_of(ops: list[Op]) -> int:
    """Bytes of a cell of race detection, at most 4: each access is of whole ones, so a clash is one of bytes."""
    smallest = 4
    for op in ops:
        if op.opcode in ("load", "store"):
            whole = op.type if op.opcode == "load" else op.operands[0].type
            for ty, offset in leaves(whole):
                access = part(op, whole, ty, offset)
                smallest = min(smallest, access.width, (access.bad & 0xFFFF) + 1)
    return smallest


@lowers("getelementptr")
def address(body: Body, op: Op) -> None:
    pointer, *indices = op.operands
    if isinstance(op.type, Vector):
        raise Declined("a vector of addresses")
    ty: Type = op.attrs["source_type"]
    fixed, at = 0, body.value(pointer)
    for number, index in enumerate(indices):
        if number == 0:
            scale = size_of(ty)
        elif isinstance(ty, Struct):
            assert isinstance(index, Const)
            fixed += field_offset(ty, index.value)
            ty = member(ty, index.value)
            continue
        else:
            ty = member(ty, 0)
            scale = size_of(ty)
        if isinstance(index, Const):
            fixed += index.value * scale
            continue
        step = body.value(index)
        if index.type != Int(64):
            step = body.new(f"sext {text(index.type)} {step} to i64")
        at = body.new(f"add i64 {at}, {body.new(f'mul i64 {step}, {scale}')}")
    body.define(op, body.new(f"add i64 {at}, {fixed}"))


@lowers("alloca")
def allocate(body: Body, op: Op) -> None:
    (number,) = op.operands
    assert isinstance(number, Const)
    body.define(op, str(base_of(number.value)))


def _own(body: Body, pointer: Value) -> int | None:
    """The number of the local variable that an address is known to be in."""
    while isinstance(pointer, Ref) and (op := body.made.get(pointer.number)) is not None:
        if op.opcode == "alloca":
            (number,) = op.operands
            assert isinstance(number, Const)
            return number.value
        if op.opcode not in ("getelementptr", "addrspacecast"):
            break
        pointer = op.operands[0]
    return None


def begin(body: Body, op: Op) -> None:
    """Of a local variable whose life begins nothing is written."""
    number = _own(body, op.operands[-1])
    if number is None:
        raise Declined("a life that begins elsewhere")
    row = number * len(ALLOCATION)
    size, written = (
        body.new(f"load i64, ptr {body.new(f'getelementptr i64, ptr %table, i64 {row + ALLOCATION[name]}')}")
        for name in ("stride", "written")
    )
    at = body.new(f"add i64 {written}, {body.new(f'mul i64 %lane, {size}')}")
    pointer = body.new(f"inttoptr i64 {at} to ptr")
    body.line(f"call void @llvm.memset.p0.i64(ptr {pointer}, i8 0, i64 {size}, i1 false)")


@lowers("fence")
def fence(body: Body, op: Op) -> None:
    """Nothing is left that it would order."""


def place(body: Body, pointer: Value, at: str, access: Access, kind: str) -> str:
    """The checked place of an access, as a `ptr`.

    Args:
        at: The address.
        kind: `load` or `store`.
    """
    new = body.new
    number = new(f"lshr i64 {at}, {SHIFT}")
    lasting = new(f"icmp uge i64 {number}, {FIRST}")
    behind = new(f"add i64 {new(f'sub i64 {number}, {FIRST}')}, %own")
    entry = new(f"select i1 {lasting}, i64 {behind}, i64 {number}")
    last = new(f"select i1 {lasting}, i64 %count, i64 %own")
    body.unless(new(f"icmp uge i64 {entry}, {last}"))
    row = new(f"getelementptr [{len(ALLOCATION)} x i64], ptr %table, i64 {entry}")

    def fact(name: str) -> str:
        where = new(f"getelementptr i64, ptr {row}, i64 {ALLOCATION[name]}")
        return new(f"load i64, ptr {where}, align 8, !invariant.load !0")

    offset = new(f"sub i64 {new(f'and i64 {at}, {(1 << SHIFT) - 1}')}, {BIAS}")
    size = fact("size")
    body.unless(new(f"icmp ugt i64 {offset}, {size}"))
    body.unless(new(f"icmp ult i64 {new(f'sub i64 {size}, {offset}')}, {access.width}"))
    if (low := access.bad & 0xFFFF) > 0:
        body.unless(new(f"icmp ne i64 {new(f'and i64 {offset}, {low}')}, 0"))
    if kind == "store":
        body.unless(new(f"icmp eq i64 {fact('writable')}, 0"))
    stride = fact("stride")
    own = new(f"add i64 {offset}, {new(f'mul i64 %lane, {stride}')}")
    _noted(body, own, access, kind, fact("written"), fact("mask"))
    if (variable := _own(body, pointer)) is not None:
        body.unless(new(f"icmp ne i64 {entry}, {variable}"))
    else:
        _touched(body, offset, access, kind, fact("cells"), fact("start"))
    data = fact("data")
    return new(f"inttoptr i64 {new(f'add i64 {data}, {own}')} to ptr")


def _noted(body: Body, offset: str, access: Access, kind: str, written: str, mask: str) -> None:
    """What is loaded somebody wrote; what is stored is written."""
    where = body.new(f"add i64 {written}, {body.new(f'and i64 {offset}, {mask}')}")
    pointer = body.new(f"inttoptr i64 {where} to ptr")
    ty, all_of_it = f"i{8 * access.width}", WRITTEN & (1 << 8 * access.width) - 1
    if kind == "store":
        body.line(f"store {ty} {all_of_it}, ptr {pointer}, align 1")
    else:
        body.unless(body.new(f"icmp ne {ty} {body.new(f'load {ty}, ptr {pointer}, align 1')}, {all_of_it}"))


def _touched(body: Body, offset: str, access: Access, kind: str, cells: str, start: str) -> None:
    """Nobody else touched it in this epoch, nor did another block where blocks share it."""
    new, grain = body.new, body.layout.grain
    shift = grain.bit_length() - 1
    first = new(f"lshr i64 {offset}, {shift}")
    cell = new(f"add i64 {cells}, {new(f'mul i64 {first}, {CELL}')}")
    foreign = new(f"icmp ne i64 {start}, 0")
    begins = new(f"select i1 {foreign}, i32 %birth, i32 0")
    skip = new(f"icmp eq i64 {cells}, 0")
    many = new(f"select i1 {skip}, i64 0, i64 {access.width // grain}")
    clash = new(
        f"call i1 @{kind}_cells(i64 {cell}, i64 {many}, i32 %who, i32 %now, i32 %birth, i32 {begins}, "
        "i32 %since, ptr %need)"
    )
    body.unless(clash)


def _plain(op: Op, pointer: Value) -> None:
    if isinstance(pointer.type, Vector):
        raise Declined(f"a {op.opcode} of many places")
    if "volatile" in op.flags or op.attrs.get("ordering"):
        raise Declined(f"a volatile or atomic {op.opcode}")


@lowers("load")
def load(body: Body, op: Op) -> None:
    (pointer,) = op.operands
    _plain(op, pointer)
    at, names = body.value(pointer), []
    for ty, offset in leaves(op.type):
        access = part(op, op.type, ty, offset)
        where = place(body, pointer, body.new(f"add i64 {at}, {offset}"), access, "load")
        name = body.new(f"load {stored(ty)}, ptr {where}, align 1")
        names.append(body.new(f"trunc i8 {name} to i1") if ty == Int(1) else name)
    body.define(op, *names)


@lowers("store")
def store(body: Body, op: Op) -> None:
    value, pointer = op.operands
    _plain(op, pointer)
    at = body.value(pointer)
    for (ty, offset), name in zip(leaves(value.type), body.all(value), strict=True):
        if isinstance(element_of(ty), Pointer) and _own(body, pointer) is None:
            raise Declined("a store of an address")
        access = part(op, value.type, ty, offset)
        where = place(body, pointer, body.new(f"add i64 {at}, {offset}"), access, "store")
        name = body.new(f"zext i1 {name} to i8") if ty == Int(1) else name
        body.line(f"store {stored(ty)} {name}, ptr {where}, align 1")
