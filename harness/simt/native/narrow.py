"""Floats of 16 bits: what is computed of them is computed as floats, and rounded once.

That is what they are rounded to at once, for what floats have more bits than twice theirs and two: sums, products,
quotients and roots. A bfloat is kept as the float that it is.
"""

from harness.simt.ir.types import Float, Type, Vector, element_of
from harness.simt.native.body import Body
from harness.simt.native.text import NARROW, text

__all__ = ["narrowed", "octets", "of_octets", "wide", "widened"]


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
    floats, words = text(ty), _words(ty, 32)
    bits = new(f"bitcast {floats} {name} to {words}")
    odd = new(f"and {words} {new(f'lshr {words} {bits}, {_all(ty, 32, 16)}')}, {_all(ty, 32, 1)}")
    near = new(f"add {words} {new(f'add {words} {bits}, {_all(ty, 32, 0x7FFF)}')}, {odd}")
    none = new(f"fcmp uno {floats} {name}, {name}")
    low = new(f"and {words} {bits}, {_all(ty, 32, 0xFFFF)}")
    cut = new(f"icmp ne {words} {low}, zeroinitializer")
    truths = f"<{ty.length} x i1>" if isinstance(ty, Vector) else "i1"
    quiet = new(f"or {words} {bits}, {_all(ty, 32, 0x400000)}")
    same = new(f"select {truths} {cut}, {words} {quiet}, {words} {bits}")
    chosen = new(f"select {truths} {none}, {words} {same}, {words} {near}")
    kept = new(f"and {words} {chosen}, {_all(ty, 32, 0xFFFF0000)}")
    return new(f"bitcast {words} {kept} to {floats}")


def octets(body: Body, ty: Type, name: str) -> str:
    """Bfloats as integers of 16 bits."""
    bits = body.new(f"bitcast {text(ty)} {name} to {_words(ty, 32)}")
    high = body.new(f"lshr {_words(ty, 32)} {bits}, {_all(ty, 32, 16)}")
    return body.new(f"trunc {_words(ty, 32)} {high} to {_words(ty, 16)}")


def of_octets(body: Body, ty: Type, name: str) -> str:
    """The other way."""
    low = body.new(f"zext {_words(ty, 16)} {name} to {_words(ty, 32)}")
    bits = body.new(f"shl {_words(ty, 32)} {low}, {_all(ty, 32, 16)}")
    return body.new(f"bitcast {_words(ty, 32)} {bits} to {text(ty)}")


def _words(ty: Type, bits: int) -> str:
    return f"<{ty.length} x i{bits}>" if isinstance(ty, Vector) else f"i{bits}"


def _all(ty: Type, bits: int, value: int) -> str:
    if not isinstance(ty, Vector):
        return str(value)
    return "<" + ", ".join(f"i{bits} {value}" for _ in range(ty.length)) + ">"
