"""Read printed operands: names, constants, constant expressions, `asm`, metadata; parse float bits; make zeros."""

import struct
from typing import Any

from harness.simt.errors import DecodeError
from harness.simt.ir.lexer import Cursor, unescape_bytes
from harness.simt.ir.module import (
    Aggregate,
    Asm,
    ByteString,
    Const,
    Expr,
    GlobalRef,
    Local,
    Metadata,
    Operand,
    Undef,
    Zero,
)
from harness.simt.ir.types import Array, Float, Int, OtherType, Pointer, Struct, Type, Vector, check_elements

__all__ = ["make_zero", "parse_float_bits", "read_operand", "read_typed_operand"]

MANTISSA_BITS = {"half": 10, "bfloat": 7, "float": 23}
PACK = {"half": ("<e", "<H"), "float": ("<f", "<I"), "double": ("<d", "<Q")}
CASTS = frozenset({"addrspacecast", "bitcast", "inttoptr", "ptrtoint", "trunc"})
BINARY = frozenset({"add", "sub", "mul", "xor"})
WRAP = frozenset({"nuw", "nsw", "inbounds", "nusw"})


def parse_float_bits(ty: Float, text: str) -> int:
    """Return the bit pattern of a printed float, in the type's own width.

    `0xH...` and `0xR...` are these bits. A decimal, or `0x...` with the bits of a double, is rounded to the type, to a
    bfloat by truncation. A NaN in `0x...` keeps its sign and the upper bits of its payload; if these are 0, it gets the
    highest one of a signalling NaN, as in LLVM. `0xL...`, a `fp128`, has the lower half of its bits first.

    Raises:
        OverflowError: A finite number is too large for the type.
        ValueError: The text is no number.
    """
    if text.startswith("0xL"):
        digits = text[3:].zfill(32)
        return int(digits[16:] + digits[:16], 16)
    if text.startswith(("0xH", "0xR")):
        return int(text[3:], 16)
    if text.startswith("0x"):
        bits = int(text, 16)
        if ty.name == "double":
            return bits
        if bits & 0x7FFFFFFFFFFFFFFF > 0x7FF0000000000000:  # NaN: keep the payload
            size, width = MANTISSA_BITS[ty.name], 32 if ty.name == "float" else 16
            payload = (bits & (1 << 52) - 1) >> 52 - size or 1 << size - 2
            return (bits >> 63) << width - 1 | (1 << width - 1) - (1 << size) | payload
        value = struct.unpack("<d", struct.pack("<Q", bits))[0]
    else:
        value = float(text)
    if ty.name == "bfloat":
        return _repack("<f", "<I", value) >> 16
    floats, ints = PACK[ty.name]
    return _repack(floats, ints, value)


def _repack(floats: str, ints: str, value: float) -> int:
    """Pack a float in one format of `struct`, and return the bytes read in the other. OverflowError if too large."""
    bits: int = struct.unpack(ints, struct.pack(floats, value))[0]
    return bits


def read_typed_operand(cursor: Cursor) -> Operand:
    """Read `type [attributes] value` from the cursor; the attributes are dropped.

    Raises:
        DecodeError, Unsupported: There is no type, or no value of it, or one that no GPU has.
    """
    ty = cursor.type()
    if cursor.token not in ("(",):
        cursor.skip_attributes()
    return read_operand(cursor, ty)


def read_operand(cursor: Cursor, ty: Type) -> Operand:
    """Read the value at the cursor as an operand of type `ty`: a name, a constant, a constant expression or `asm`.

    An operand of type `metadata` is the text up to a comma or a closing parenthesis, unless inside brackets.

    Raises:
        DecodeError: The text is no such value, or is one of `blockaddress`, `dso_local_equivalent` and `no_cfi`.
        Unsupported: A part has a type that no GPU has, or a `splat` has too many elements.
    """
    if isinstance(ty, OtherType) and ty.name == "metadata":
        return _metadata(cursor)
    token = cursor.next()
    first = token[:1]
    if first == "%":
        return Local(token, ty)
    if first == "@":
        return GlobalRef(token, ty)
    match token:
        case "undef" | "poison":
            return Undef(ty, token == "poison")
        case "zeroinitializer":
            return Zero(ty)
        case "true" | "false":
            return Const(ty, int(token == "true"))
        case "null":
            return Const(ty, 0)
        case "none":
            return Zero(ty)
        case "splat":
            cursor.expect("(")
            element = read_typed_operand(cursor)
            cursor.expect(")")
            assert isinstance(ty, Vector)
            check_elements(ty)
            return Aggregate(ty, (element,) * ty.length)
        case "asm":
            return _asm(cursor, ty)
        case "[" | "{" | "<":
            return _aggregate(cursor, ty, token)
        case "blockaddress" | "dso_local_equivalent" | "no_cfi":
            raise DecodeError(f"{token} is not supported: {cursor.text.strip()}")
    if first == "c" and token[1:2] == '"':
        return ByteString(ty, unescape_bytes(token[2:-1]))
    if isinstance(ty, Int) and token.lstrip("-").isdigit():
        return Const(ty, int(token))
    if isinstance(ty, Float) and (first.isdigit() or first == "-"):
        return Const(ty, parse_float_bits(ty, token))
    if token == "getelementptr" or token in CASTS or token in BINARY:
        return _expression(cursor, ty, token)
    raise DecodeError(f"{token!r} is not a value in: {cursor.text.strip()}")


def _metadata(cursor: Cursor) -> Metadata:
    depth = 0
    words = []
    while cursor.token and (depth or cursor.token not in (",", ")")):
        word = cursor.next()
        depth += (word in ("(", "{")) - (word in (")", "}"))
        words.append(word)
    return Metadata(" ".join(words), OtherType("metadata"))


def _asm(cursor: Cursor, ty: Type) -> Asm:
    cursor.accept_any(("sideeffect", "alignstack", "inteldialect", "unwind"))
    text = unescape_bytes(cursor.next()[1:-1]).decode()
    cursor.expect(",")
    constraints = unescape_bytes(cursor.next()[1:-1]).decode()
    return Asm(text, constraints, ty)


def _aggregate(cursor: Cursor, ty: Type, opening: str) -> Aggregate:
    if opening == "<" and cursor.accept("{"):
        opening = "<{"
    closing = {"[": "]", "{": "}", "<": ">", "<{": "}"}[opening]
    elements = []
    while not cursor.accept(closing):
        elements.append(read_typed_operand(cursor))
        cursor.accept(",")
    if opening == "<{":
        cursor.expect(">")
    return Aggregate(ty, tuple(elements))


def _expression(cursor: Cursor, ty: Type, opcode: str) -> Expr:
    attrs: dict[str, Any] = {}
    cursor.accept_any(WRAP)
    if cursor.accept("inrange"):
        cursor.skip_balanced()
    cursor.expect("(")
    if opcode == "getelementptr":
        attrs["source_type"] = cursor.type()
        cursor.expect(",")
    operands = [read_typed_operand(cursor)]
    if cursor.accept("to"):
        ty = cursor.type()
    while cursor.accept(","):
        operands.append(read_typed_operand(cursor))
    cursor.expect(")")
    return Expr(ty, opcode, tuple(operands), attrs)


def make_zero(ty: Type) -> Const | Aggregate:
    """Return the zero of a scalar type, or an aggregate of zeros.

    Raises:
        DecodeError: The type has no values, such as `void`.
        Unsupported: It has too many elements.
    """
    check_elements(ty)
    match ty:
        case Int() | Float() | Pointer():
            return Const(ty, 0)
        case Vector(length, element) | Array(length, element):
            return Aggregate(ty, (make_zero(element),) * length)
        case Struct(fields):
            return Aggregate(ty, tuple(make_zero(field) for field in fields))
    raise DecodeError(f"type {ty} has no zero")
