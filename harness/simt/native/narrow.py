"""Floats of 16 bits: what is computed of them is computed as floats, and rounded once.

That is what they are rounded to at once, for what floats have more bits than twice theirs and two: sums, products,
quotients and roots. A bfloat is kept as the float that it is.
"""

from harness.simt.ir.types import Float, Int, Type, Vector, element_of
from harness.simt.native.body import Body
from harness.simt.native.text import NARROW, every, text

__all__ = ["narrowed", "octets", "of_bits", "of_octets", "wide", "widened"]


def wide(ty: Type) -> Type:
    """The type that is computed with."""
    if element_of(ty) not in NARROW:
        return ty
    return Vector(ty.length, Float("float")) if isinstance(ty, Vector) else Float("float")


def widened(body: Body, ty: Type, name: str) -> str:
    """A value as that type."""
    if element_of(ty) != Float("half"):
        return name
    return body.new(f"fpext {text(ty)} {name} to {text(wide(ty))}")


def narrowed(body: Body, ty: Type, name: str) -> str:
    """The other way."""
    new = body.new
    if element_of(ty) == Float("half"):
        return new(f"fptrunc {text(wide(ty))} {name} to {text(ty)}")
    if element_of(ty) != Float("bfloat"):
        return name
    floats, words, truths = text(ty), of_bits(ty, 32), of_bits(ty, 1)
    bits = new(f"bitcast {floats} {name} to {words}")
    odd = new(f"and {words} {new(f'lshr {words} {bits}, {every(words, 16)}')}, {every(words, 1)}")
    near = new(f"add {words} {new(f'add {words} {bits}, {every(words, 0x7FFF)}')}, {odd}")
    none = new(f"fcmp uno {floats} {name}, {name}")
    low = new(f"and {words} {bits}, {every(words, 0xFFFF)}")
    cut = new(f"icmp ne {words} {low}, zeroinitializer")
    quiet = new(f"or {words} {bits}, {every(words, 0x400000)}")
    same = new(f"select {truths} {cut}, {words} {quiet}, {words} {bits}")
    chosen = new(f"select {truths} {none}, {words} {same}, {words} {near}")
    kept = new(f"and {words} {chosen}, {every(words, 0xFFFF0000)}")
    return new(f"bitcast {words} {kept} to {floats}")


def octets(body: Body, ty: Type, name: str) -> str:
    """Bfloats as integers of 16 bits."""
    words = of_bits(ty, 32)
    bits = body.new(f"bitcast {text(ty)} {name} to {words}")
    high = body.new(f"lshr {words} {bits}, {every(words, 16)}")
    return body.new(f"trunc {words} {high} to {of_bits(ty, 16)}")


def of_octets(body: Body, ty: Type, name: str) -> str:
    """The other way."""
    words = of_bits(ty, 32)
    low = body.new(f"zext {of_bits(ty, 16)} {name} to {words}")
    bits = body.new(f"shl {words} {low}, {every(words, 16)}")
    return body.new(f"bitcast {words} {bits} to {text(ty)}")


def of_bits(ty: Type, bits: int) -> Type:
    """An integer of so many bits for each element."""
    return Vector(ty.length, Int(bits)) if isinstance(ty, Vector) else Int(bits)
