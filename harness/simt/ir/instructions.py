"""Decode a printed line into an `Instruction`, by a reader for each opcode; `constants` reads most operands."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from harness.simt.errors import DecodeError, Unsupported
from harness.simt.ir.constants import read_operand, read_typed_operand
from harness.simt.ir.lexer import Cursor
from harness.simt.ir.module import Const, Instruction, Location, Operand
from harness.simt.ir.opcodes import BINARY, CASTS, FLAGS, ORDERINGS
from harness.simt.ir.types import Int, OtherType, Pointer, Struct, Type, Vector, bits_of, element_of, member

__all__ = ["DEBUG", "read_instruction"]

VOID = OtherType("void")
ATOMIC_BITS = 64  # of atomic arithmetic: no GPU has more; only exchanges have 128
# (type of the result, operands, attributes of the opcode)
InstructionParts = tuple[Type, Sequence[Operand], dict[str, Any] | None]
METADATA = re.compile(r", ![A-Za-z]")
DEBUG = re.compile(r"!dbg !(\d+)")
CALL_WORDS = re.compile(r"(fast|cold|tail|swift\w*|spir\w*|ptx_\w+|amdgpu_\w+|air_\w+|x86_\w+|\w*cc)$")


def read_instruction(line: str, named_types: Mapping[str, Type], locate: Callable[[int], Location]) -> Instruction:
    """Decode one printed instruction; its text and operands lack the metadata at its end.

    Args:
        named_types: The module's named types.
        locate: Returns the location of a `!dbg` number; without such a number the location is None.

    Raises:
        DecodeError: The opcode is unknown, or its operands cannot be read.
        Unsupported: No GPU has it, such as atomic arithmetic on more than 64 bits.
    """
    debug = DEBUG.search(line)
    # Inline assembly may hold `, !p`: metadata comes after the last string.
    cut = METADATA.search(line, line.rfind('"') + 1)
    text = line[: cut.start()] if cut else line
    text = text.strip()
    cursor = Cursor(text, named_types)
    name = None
    if cursor.tokens[1] == "=":
        name = cursor.next()
        cursor.next()
    opcode = cursor.next()
    if opcode in ("tail", "musttail", "notail"):
        opcode = cursor.next()
    flags = frozenset(cursor.accept_any(FLAGS))
    reader = READERS.get(opcode)
    if reader is None:
        raise DecodeError(f"unknown instruction {opcode}: {text}")
    ty, operands, attrs = reader(cursor)
    attrs = attrs or {}
    flags |= attrs.pop("flags", frozenset())
    location = locate(int(debug.group(1))) if debug else None
    return Instruction(opcode, name, ty, tuple(operands), flags, attrs, text, location)


def _binary(cursor: Cursor) -> InstructionParts:
    left = read_typed_operand(cursor)
    cursor.expect(",")
    return left.type, (left, read_operand(cursor, left.type)), None


def _compare(cursor: Cursor) -> InstructionParts:
    predicate = cursor.next()
    flags = frozenset(cursor.accept_any(FLAGS))
    if predicate in FLAGS:
        predicate = cursor.next()
    left = read_typed_operand(cursor)
    cursor.expect(",")
    right = read_operand(cursor, left.type)
    ty = left.type
    result = Vector(ty.length, Int(1)) if isinstance(ty, Vector) else Int(1)
    return result, (left, right), {"predicate": predicate, "flags": flags}


def _cast(cursor: Cursor) -> InstructionParts:
    value = read_typed_operand(cursor)
    cursor.expect("to")
    return cursor.type(), (value,), None


def _list(cursor: Cursor, count: int) -> list[Operand]:
    values = [read_typed_operand(cursor)]
    for _ in range(count - 1):
        cursor.expect(",")
        values.append(read_typed_operand(cursor))
    return values


def _values_reader(count: int, type_of: Callable[[Sequence[Operand]], Type]) -> Callable[[Cursor], InstructionParts]:
    """Return a reader for opcodes with `count` operands, each printed with its type, and no attributes; `type_of`
    computes the type of the result from the operands.
    """

    def read(cursor: Cursor) -> InstructionParts:
        values = _list(cursor, count)
        return type_of(values), values, None

    return read


def _phi(cursor: Cursor) -> InstructionParts:
    ty = cursor.type()
    values, labels = [], []
    while cursor.accept("["):
        values.append(read_operand(cursor, ty))
        cursor.expect(",")
        labels.append(cursor.next())
        cursor.expect("]")
        cursor.accept(",")
    return ty, values, {"labels": tuple(labels)}


def _branch(cursor: Cursor) -> InstructionParts:
    if cursor.accept("label"):
        return VOID, (), {"labels": (cursor.next(),)}
    condition = read_typed_operand(cursor)
    labels = []
    while cursor.accept(","):
        cursor.expect("label")
        labels.append(cursor.next())
    return VOID, (condition,), {"labels": tuple(labels)}


def _switch(cursor: Cursor) -> InstructionParts:
    value = read_typed_operand(cursor)
    cursor.expect(",")
    cursor.expect("label")
    labels = [cursor.next()]
    cursor.expect("[")
    cases = []
    while not cursor.accept("]"):
        case = read_typed_operand(cursor)
        assert isinstance(case, Const)
        cases.append(case.value)
        cursor.expect(",")
        cursor.expect("label")
        labels.append(cursor.next())
    return VOID, (value,), {"labels": tuple(labels), "cases": tuple(cases)}


def _return(cursor: Cursor) -> InstructionParts:
    if cursor.accept("void"):
        return VOID, (), None
    return VOID, (read_typed_operand(cursor),), None


def _read_access_attributes(cursor: Cursor, attrs: dict[str, Any]) -> dict[str, Any]:
    """Read the end of a memory access into `attrs`, and return it: `scope`, `align`, `space`, and of orderings the
    first as `ordering` and the last as `failure_ordering`. What is not written gets no key. DecodeError for other text.
    """
    orderings = []
    while cursor.token:
        if cursor.accept("syncscope"):
            cursor.expect("(")
            attrs["scope"] = cursor.next()[1:-1]
            cursor.expect(")")
        elif cursor.token in ORDERINGS:
            orderings.append(cursor.next())
        elif cursor.accept("align"):
            attrs["align"] = int(cursor.next())
        elif cursor.accept("addrspace"):
            cursor.expect("(")
            attrs["space"] = int(cursor.next())
            cursor.expect(")")
        elif not cursor.accept(","):
            msg = f"unexpected {cursor.token!r} in: {cursor.text.strip()}"
            raise DecodeError(msg)
    if orderings:
        attrs["ordering"] = orderings[0]
        attrs["failure_ordering"] = orderings[-1]
    return attrs


def _load(cursor: Cursor) -> InstructionParts:
    ty = cursor.type()
    cursor.expect(",")
    return ty, (read_typed_operand(cursor),), _read_access_attributes(cursor, {})


def _store(cursor: Cursor) -> InstructionParts:
    return VOID, _list(cursor, 2), _read_access_attributes(cursor, {})


def _alloca(cursor: Cursor) -> InstructionParts:
    ty = cursor.type()
    attrs: dict[str, Any] = {"source_type": ty, "count": None}
    while cursor.accept(","):
        if cursor.at_type():
            attrs["count"] = read_typed_operand(cursor)
            continue
        cursor.index -= 1
        _read_access_attributes(cursor, attrs)
    return Pointer(attrs.get("space", 0)), (), attrs


def _gep(cursor: Cursor) -> InstructionParts:
    if cursor.accept("inrange"):
        cursor.skip_balanced()
    source = cursor.type()
    values = []
    while cursor.accept(","):
        values.append(read_typed_operand(cursor))
    ty = values[0].type
    for value in values:
        if isinstance(value.type, Vector) and not isinstance(ty, Vector):
            ty = Vector(value.type.length, ty)
    return ty, values, {"source_type": source}


def _indices(cursor: Cursor) -> tuple[int, ...]:
    numbers = []
    while cursor.accept(","):
        numbers.append(int(cursor.next()))
    return tuple(numbers)


def _type_at(ty: Type, indices: Iterable[int]) -> Type:
    """Return the type inside an aggregate at a path of indices; IndexError or TypeError as in `types.member`."""
    for index in indices:
        ty = member(ty, index)
    return ty


def _extractvalue(cursor: Cursor) -> InstructionParts:
    value = read_typed_operand(cursor)
    indices = _indices(cursor)
    return _type_at(value.type, indices), (value,), {"indices": indices}


def _insertvalue(cursor: Cursor) -> InstructionParts:
    value = read_typed_operand(cursor)
    cursor.expect(",")
    element = read_typed_operand(cursor)
    return value.type, (value, element), {"indices": _indices(cursor)}


def _shuffle_type(values: Sequence[Operand]) -> Type:
    """Return the type of a `shufflevector`: elements of two vectors, as many as the mask has."""
    mask = values[2].type
    assert isinstance(mask, Vector)
    return Vector(mask.length, element_of(values[0].type))


def _atomicrmw(cursor: Cursor) -> InstructionParts:
    operation = cursor.next()
    values = _list(cursor, 2)
    if bits_of(values[1].type) > ATOMIC_BITS and operation != "xchg":
        raise Unsupported(f"atomicrmw {operation} of {values[1].type}")
    return values[1].type, values, _read_access_attributes(cursor, {"operation": operation})


def _cmpxchg(cursor: Cursor) -> InstructionParts:
    values = _list(cursor, 3)
    return Struct((values[1].type, Int(1))), values, _read_access_attributes(cursor, {})


def _call(cursor: Cursor) -> InstructionParts:
    while not cursor.at_type() and not cursor.accept_any(()):
        word = cursor.token
        if CALL_WORDS.fullmatch(word) or word in FLAGS:
            cursor.index += 1
        elif word == "addrspace":
            cursor.index += 1
            cursor.skip_balanced()
        elif word == "cc":
            cursor.index += 2
        else:
            before = cursor.index
            cursor.skip_attributes()
            if cursor.index == before:
                msg = f"unexpected {word!r} in: {cursor.text.strip()}"
                raise DecodeError(msg)
    ty = cursor.type()
    if cursor.accept("("):  # a full function type, for a variadic callee
        cursor.index -= 1
        cursor.skip_balanced()
    callee = read_operand(cursor, Pointer())
    cursor.expect("(")
    values, aligns = [], []
    while not cursor.accept(")"):
        begin = cursor.index
        values.append(read_typed_operand(cursor))
        words = cursor.tokens[begin : cursor.index]  # its type, its attributes and itself
        aligns.append(int(words[words.index("align") + 1]) if "align" in words else 1)
        cursor.accept(",")
    return ty, values, {"callee": callee, "aligns": tuple(aligns)}


READERS: dict[str, Callable[[Cursor], InstructionParts]] = {
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys(CASTS, _cast),
    "fneg": _values_reader(1, lambda values: values[0].type),
    "freeze": _values_reader(1, lambda values: values[0].type),
    "icmp": _compare,
    "fcmp": _compare,
    "select": _values_reader(3, lambda values: values[1].type),
    "phi": _phi,
    "br": _branch,
    "switch": _switch,
    "ret": _return,
    "unreachable": lambda _cursor: (VOID, (), None),
    "load": _load,
    "store": _store,
    "alloca": _alloca,
    "getelementptr": _gep,
    "extractvalue": _extractvalue,
    "insertvalue": _insertvalue,
    "extractelement": _values_reader(2, lambda values: element_of(values[0].type)),
    "insertelement": _values_reader(3, lambda values: values[0].type),
    "shufflevector": _values_reader(3, _shuffle_type),
    "atomicrmw": _atomicrmw,
    "cmpxchg": _cmpxchg,
    "fence": lambda cursor: (VOID, (), _read_access_attributes(cursor, {})),
    "call": _call,
}
