"""Floats of 16 bits: what is computed of them is computed as floats, and rounded once.

That is what they are rounded to at once, for what floats have more bits than twice theirs and two: sums, products,
quotients and roots. A bfloat is kept as the float that it is.
"""

from collections.abc import Sequence

from harness.simt.ir.types import Float, Int, Type, Vector, element_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import NARROW, every, text

__all__ = ["fused", "narrowed", "narrowed_once", "octets", "of_bits", "of_octets", "wide", "widened"]


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


def fused(body: Body, ty: Type, names: Sequence[str]) -> str:
    """Return a product and a sum of narrow floats, rounded once, as a value of the type.

    The product is exact in double precision. The sum is cut there and its last bit set where anything was lost
    (rounding to odd), and once more as a float: the last rounding then sees what the exact sum would show it.
    """
    new, double = body.new, Float("double")
    whole = Vector(ty.length, double) if isinstance(ty, Vector) else double
    floats, doubles = text(wide(ty)), text(whole)
    long, truths = of_bits(ty, 64), of_bits(ty, 1)
    a, b, c = (new(f"fpext {floats} {widened(body, ty, name)} to {doubles}") for name in names)
    product = new(f"fmul {doubles} {a}, {b}")
    total = new(f"fadd {doubles} {product}, {c}")
    # What the sum lost, exactly.
    part = new(f"fsub {doubles} {total}, {product}")
    first = new(f"fsub {doubles} {product}, {new(f'fsub {doubles} {total}, {part}')}")
    lost = new(f"fadd {doubles} {first}, {new(f'fsub {doubles} {c}, {part}')}")
    return narrowed_once(body, ty, _odd(body, long, truths, doubles, total, lost))


def narrowed_once(body: Body, ty: Type, name: str) -> str:
    """Return doubles as narrow floats, rounded once: what rounding to floats loses sets the last bit of these."""
    new, double = body.new, Float("double")
    whole = Vector(ty.length, double) if isinstance(ty, Vector) else double
    floats, doubles, words, truths = text(wide(ty)), text(whole), of_bits(ty, 32), of_bits(ty, 1)
    near = new(f"fptrunc {doubles} {name} to {floats}")
    lost = new(f"fsub {doubles} {name}, {new(f'fpext {floats} {near} to {doubles}')}")
    lost = new(f"fptrunc {doubles} {_sign(body, lost, doubles, truths)} to {floats}")
    return narrowed(body, ty, _odd(body, words, truths, floats, near, lost))


def _sign(body: Body, value: str, ty: str, truths: Type) -> str:
    """Return -1, 0 or 1, as a number of the same type; 0 for a NaN."""
    below = body.new(f"fcmp olt {ty} {value}, zeroinitializer")
    above = body.new(f"fcmp ogt {ty} {value}, zeroinitializer")
    kind = ty.replace("double", "i8").replace("float", "i8")
    up, down = (body.new(f"{how} {truths} {held} to {kind}") for how, held in (("zext", above), ("sext", below)))
    return body.new(f"sitofp {kind} {body.new(f'add {kind} {up}, {down}')} to {ty}")


def _odd(body: Body, words: Type, truths: Type, ty: str, value: str, lost: str) -> str:
    """Return a float that was rounded to nearest as cut toward zero, its last bit set where something was lost."""
    new = body.new
    bits = new(f"bitcast {ty} {value} to {words}")
    negative = new(f"icmp slt {words} {bits}, zeroinitializer")
    below = new(f"fcmp olt {ty} {lost}, zeroinitializer")
    any_lost = new(f"fcmp one {ty} {lost}, zeroinitializer")
    larger = new(f"and {truths} {any_lost}, {new(f'xor {truths} {negative}, {below}')}")  # than the exact number
    cut = new(f"sub {words} {bits}, {new(f'zext {truths} {larger} to {words}')}")
    sticky = new(f"or {words} {cut}, {new(f'zext {truths} {any_lost} to {words}')}")
    return new(f"bitcast {words} {sticky} to {ty}")


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
