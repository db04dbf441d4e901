"""Floats of 16 bits: what is computed of them is computed as floats, and rounded once.

That is what they are rounded to at once, for what floats have more bits than twice theirs and two: sums, products,
quotients and roots. A bfloat is kept as the float that it is.
"""

from collections.abc import Sequence

from harness.simt.ir.types import Float, Int, Type, Vector, element_of
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import NARROW, text
from harness.simt.native.emit.ir_values import IrValue, splat, zero

__all__ = ["fused", "narrowed", "narrowed_once", "octets", "of_bits", "of_octets", "wide", "widened"]


def wide(ty: Type) -> Type:
    """The type that is computed with."""
    if element_of(ty) not in NARROW:
        return ty
    return Vector(ty.length, Float("float")) if isinstance(ty, Vector) else Float("float")


def widened(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """A value as that type."""
    return build.fpext(value, text(wide(ty))) if element_of(ty) == Float("half") else value


def narrowed(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """The other way."""
    if element_of(ty) == Float("half"):
        return build.fptrunc(value, text(ty))
    if element_of(ty) != Float("bfloat"):
        return value
    words = of_bits(ty, 32)
    bits = build.bitcast(value, text(words))
    odd = build.and_(build.lshr(bits, splat(words, 16)), splat(words, 1))
    rounded = build.add(build.add(bits, splat(words, 0x7FFF)), odd)
    none = build.fcmp_unordered("uno", value, value)
    low = build.and_(bits, splat(words, 0xFFFF))
    cut = build.icmp_unsigned("!=", low, zero(low.type))
    quiet = build.or_(bits, splat(words, 0x400000))
    same = build.select(cut, quiet, bits)
    high = build.and_(build.select(none, same, rounded), splat(words, 0xFFFF0000))
    return build.bitcast(high, text(ty))


def fused(build: Builder, ty: Type, values: Sequence[IrValue]) -> IrValue:
    """Return a product and a sum of narrow floats, rounded once, as a value of the type.

    The product is exact in double precision. The sum is cut there and its last bit set where anything was lost
    (rounding to odd), and once more as a float: the last rounding then sees what the exact sum would show it.
    """
    doubles = text(Vector(ty.length, Float("double")) if isinstance(ty, Vector) else Float("double"))
    a, b, c = (build.fpext(widened(build, ty, value), doubles) for value in values)
    product = build.fmul(a, b)
    total = build.fadd(product, c)
    # What the sum lost, exactly.
    part = build.fsub(total, product)
    first = build.fsub(product, build.fsub(total, part))
    lost = build.fadd(first, build.fsub(c, part))
    return narrowed_once(build, ty, _odd(build, of_bits(ty, 64), total, lost))


def narrowed_once(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """Return doubles as narrow floats, rounded once: what rounding to floats loses sets the last bit of these."""
    floats = text(wide(ty))
    rounded = build.fptrunc(value, floats)
    lost = build.fsub(value, build.fpext(rounded, value.type))
    lost = build.fptrunc(_sign(build, lost), floats)
    return narrowed(build, ty, _odd(build, of_bits(ty, 32), rounded, lost))


def _sign(build: Builder, value: IrValue) -> IrValue:
    """Return -1, 0 or 1, as a number of the same type; 0 for a NaN."""
    below = build.fcmp_ordered("<", value, zero(value.type))
    above = build.fcmp_ordered(">", value, zero(value.type))
    kind = value.type.replace("double", "i8").replace("float", "i8")
    up, down = build.zext(above, kind), build.sext(below, kind)
    return build.sitofp(build.add(up, down), value.type)


def _odd(build: Builder, words: Type, value: IrValue, lost: IrValue) -> IrValue:
    """Return a float that was rounded to nearest as cut toward zero, its last bit set where something was lost.

    Args:
        words: Integers of as many bits.
    """
    bits = build.bitcast(value, text(words))
    negative = build.icmp_signed("<", bits, zero(bits.type))
    below = build.fcmp_ordered("<", lost, zero(lost.type))
    any_lost = build.fcmp_ordered("!=", lost, zero(lost.type))
    larger = build.and_(any_lost, build.xor(negative, below))  # than the exact number
    cut = build.sub(bits, build.zext(larger, bits.type))
    sticky = build.or_(cut, build.zext(any_lost, bits.type))
    return build.bitcast(sticky, value.type)


def octets(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """Bfloats as integers of 16 bits."""
    words = of_bits(ty, 32)
    bits = build.bitcast(value, text(words))
    return build.trunc(build.lshr(bits, splat(words, 16)), text(of_bits(ty, 16)))


def of_octets(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """The other way."""
    words = of_bits(ty, 32)
    low = build.zext(value, text(words))
    return build.bitcast(build.shl(low, splat(words, 16)), text(ty))


def of_bits(ty: Type, bits: int) -> Type:
    """An integer of so many bits for each element."""
    return Vector(ty.length, Int(bits)) if isinstance(ty, Vector) else Int(bits)
