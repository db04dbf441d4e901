"""Emit half and bfloat arithmetic: widen, round once, fused multiply-add; convert a bfloat to its bits and back.

That equals rounding at once where the wider type has more than twice as many bits and two: sums, products, quotients
and roots in floats. Fused operations are computed in doubles, rounded to odd. A bfloat is kept as the float that it is.
"""

from collections.abc import Sequence

from harness.simt.ir.types import Float, Int, Type, Vector, element_of
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import NARROW, text
from harness.simt.native.emit.ir_values import IrValue, splat, zero

__all__ = ["fused", "narrowed", "narrowed_once", "octets", "of_bits", "of_octets", "wide", "widened"]


def wide(ty: Type) -> Type:
    """Return the type that a type is computed with: float for half and bfloat, also in vectors; others as they are."""
    if element_of(ty) not in NARROW:
        return ty
    return Vector(ty.length, Float("float")) if isinstance(ty, Vector) else Float("float")


def widened(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """Return a value of a type as its `wide` type; a bfloat is a float already."""
    return build.fpext(value, text(wide(ty))) if element_of(ty) == Float("half") else value


def narrowed(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """Return a value of the `wide` type rounded to a type, ties to even; other types are not changed.

    A half becomes a half. A bfloat stays a float, whose low 16 bits are 0; a NaN with other low bits becomes quiet.
    """
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
    """Return `a * b + c` of three narrow floats (half or bfloat), rounded once, as a value of the type.

    A bfloat is the float that equals it, among `values` and as the result. The product is exact in double precision.
    The sum is cut there and its last bit set where anything was lost (rounding to odd), and once more as a float: the
    last rounding then sees what the exact sum would show it.
    """
    doubles = text(Vector(ty.length, Float("double")) if isinstance(ty, Vector) else Float("double"))
    a, b, c = (build.fpext(widened(build, ty, value), doubles) for value in values)
    product = build.fmul(a, b)
    total = build.fadd(product, c)
    # What the sum lost, exactly.
    part = build.fsub(total, product)
    first = build.fsub(product, build.fsub(total, part))
    lost = build.fadd(first, build.fsub(c, part))
    return narrowed_once(build, ty, _round_to_odd(build, of_bits(ty, 64), total, lost))


def narrowed_once(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """Return doubles as narrow floats of a type, rounded once.

    They are rounded to float first, to odd: the last bit of a float is set if anything was lost.

    Args:
        ty: The narrow type.
    """
    floats = text(wide(ty))
    rounded = build.fptrunc(value, floats)
    lost = build.fsub(value, build.fpext(rounded, value.type))
    lost = build.fptrunc(_sign(build, lost), floats)
    return narrowed(build, ty, _round_to_odd(build, of_bits(ty, 32), rounded, lost))


def _sign(build: Builder, value: IrValue) -> IrValue:
    """Return -1, 0 or 1, as floats of the value's type; 0 for a NaN."""
    below = build.fcmp_ordered("<", value, zero(value.type))
    above = build.fcmp_ordered(">", value, zero(value.type))
    kind = value.type.replace("double", "i8").replace("float", "i8")
    up, down = build.zext(above, kind), build.sext(below, kind)
    return build.sitofp(build.add(up, down), value.type)


def _round_to_odd(build: Builder, words: Type, value: IrValue, lost: IrValue) -> IrValue:
    """Return a float that was rounded to nearest as it is when rounded to odd.

    That is cut toward zero, with the last bit set if anything was lost.

    Args:
        words: The integer type of as many bits and elements as `value`.
        lost: The exact number minus `value`; only its sign counts.
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
    """Return bfloats, which are kept as floats, as integers of 16 bits; low bits are cut off, not rounded.

    Args:
        ty: The bfloat type, or a vector of them.
    """
    words = of_bits(ty, 32)
    bits = build.bitcast(value, text(words))
    return build.trunc(build.lshr(bits, splat(words, 16)), text(of_bits(ty, 16)))


def of_octets(build: Builder, ty: Type, value: IrValue) -> IrValue:
    """Return integers of 16 bits as the bfloats with these bits, kept as floats.

    Args:
        ty: The bfloat type, or a vector of them.
    """
    words = of_bits(ty, 32)
    low = build.zext(value, text(words))
    return build.bitcast(build.shl(low, splat(words, 16)), text(ty))


def of_bits(ty: Type, bits: int) -> Type:
    """Return the integer type of so many bits; a vector of them if `ty` is a vector."""
    return Vector(ty.length, Int(bits)) if isinstance(ty, Vector) else Int(bits)
