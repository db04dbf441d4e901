"""The types of PTX as LLVM has them, and how a register of one is read as another."""

import struct
from collections.abc import Iterator

import numpy as np

from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, Int, Pointer, Type, Vector, size_of

__all__ = ["FLOATS", "SIGNED", "TYPES", "UNSIGNED", "converted", "literal", "width"]

FLOATS: dict[str, Type] = {
    "f16": Float("half"),
    "bf16": Float("bfloat"),
    "f32": Float("float"),
    "f64": Float("double"),
    "f16x2": Vector(2, Float("half")),
    "bf16x2": Vector(2, Float("bfloat")),
}
SIGNED: dict[str, Type] = {f"s{bits}": Int(bits) for bits in (8, 16, 32, 64)}
UNSIGNED: dict[str, Type] = {f"{letter}{bits}": Int(bits) for bits in (8, 16, 32, 64, 128) for letter in "ub"}
PAIRS: dict[str, Type] = {"s16x2": Vector(2, Int(16)), "u16x2": Vector(2, Int(16))}
TYPES: dict[str, Type] = {"pred": Int(1), "tf32": Int(32), **SIGNED, **UNSIGNED, **FLOATS, **PAIRS}
PACK = {"half": "<e", "float": "<f", "double": "<d"}


def width(ty: Type) -> int:
    """The bits of a value in a register."""
    return ty.bits if isinstance(ty, Int) else 8 * size_of(ty)


def converted(source: Type, target: Type) -> Iterator[tuple[str, Type]]:
    """The casts that read a register of a type as another: low bits are taken, or zeros put above."""
    if source == target:
        return
    if isinstance(source, Pointer) and isinstance(target, Pointer):
        yield "addrspacecast", target
        return
    if isinstance(source, Pointer):
        source = Int(32 if source.space == 3 else 64)
        yield "ptrtoint", source
    bits, wanted = width(source), width(target)
    if not isinstance(source, Int) and bits != wanted:
        yield "bitcast", Int(bits)
    if bits != wanted:
        yield ("trunc" if bits > wanted else "zext"), Int(wanted)
        source = Int(wanted)
    if isinstance(target, Pointer):
        yield from () if source == Int(wanted) else (("bitcast", Int(wanted)),)
        yield "inttoptr", target
    elif source != target:
        yield "bitcast", target


def literal(value: int | float, bits: int, ty: Type) -> Const:
    """An immediate as a constant of a type: of a float its bits, which a whole number is taken for too.

    Raises:
        Unsupported: It does not fit the type.
    """
    if isinstance(value, int):
        return Const(ty, value & (1 << width(ty)) - 1)
    if isinstance(ty, Int) and ty.bits == bits:
        return Const(ty, int(np.array(value, f"f{bits // 8}").view(f"u{bits // 8}")))
    if not isinstance(ty, Float) or ty.name not in PACK:
        raise Unsupported(f"inline assembly with {value} in place of a number of type {ty}")
    with np.errstate(over="ignore"):
        octets = struct.pack(PACK[ty.name], value) if ty.name != "float" else np.float32(value).tobytes()
    return Const(ty, int.from_bytes(octets, "little"))
