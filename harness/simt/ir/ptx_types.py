"""Map PTX types to LLVM types; yield the casts that read a register as another type; make constants of immediates."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, Int, Pointer, Type, Vector, size_of

__all__ = ["FLOATS", "SIGNED", "TYPES", "UNSIGNED", "make_immediate", "register_bits", "register_casts"]

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
# Round to nearest, ties to even; what is too large becomes an infinity.
ROUND: dict[str, type[np.floating[Any]]] = {"half": np.float16, "float": np.float32, "double": np.float64}


def register_bits(ty: Type) -> int:
    """Return the width of a register for values of a type, in bits."""
    return ty.bits if isinstance(ty, Int) else 8 * size_of(ty)


def register_casts(source: Type, target: Type) -> Iterator[tuple[str, Type]]:
    """Yield the steps, (cast, type of its result), that read a register of one type as another, in order.

    Low bits are taken, or zeros put above. Nothing is yielded for equal types. From pointer to pointer it is one
    `addrspacecast`. Else a source that points to shared memory becomes 32 bits, any other pointer 64; a target that is
    a pointer is always cast from 64 bits.
    """
    if source == target:
        return
    if isinstance(source, Pointer) and isinstance(target, Pointer):
        yield "addrspacecast", target
        return
    if isinstance(source, Pointer):
        source = Int(32 if source.space == 3 else 64)
        yield "ptrtoint", source
    bits, target_bits = register_bits(source), register_bits(target)
    if not isinstance(source, Int) and bits != target_bits:
        yield "bitcast", Int(bits)
    if bits != target_bits:
        yield ("trunc" if bits > target_bits else "zext"), Int(target_bits)
        source = Int(target_bits)
    if isinstance(target, Pointer):
        yield from () if source == Int(target_bits) else (("bitcast", Int(target_bits)),)
        yield "inttoptr", target
    elif source != target:
        yield "bitcast", target


def make_immediate(value: int | float, bits: int, ty: Type) -> Const:
    """Return an immediate as a constant of a type: an integer's low bits, also as a float's bits, or a rounded float.

    A float that is too large becomes an infinity.

    Args:
        bits: The width in which a float was written: its bits become an integer type of this width.

    Raises:
        Unsupported: It is a float, and the type is another integer, a bfloat, a vector or a pointer.
    """
    if isinstance(value, int):
        return Const(ty, value & (1 << register_bits(ty)) - 1)
    if isinstance(ty, Int) and ty.bits == bits:
        return Const(ty, int(np.array(value, f"f{bits // 8}").view(f"u{bits // 8}")))
    if not isinstance(ty, Float) or ty.name not in ROUND:
        raise Unsupported(f"inline assembly with {value} in place of a number of type {ty}")
    with np.errstate(over="ignore"):
        return Const(ty, int.from_bytes(ROUND[ty.name](value).tobytes(), "little"))
