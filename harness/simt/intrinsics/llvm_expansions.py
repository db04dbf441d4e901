"""LLVM's intrinsics that expand: `round`, `ldexp`, `frexp`, `sincos`, `sshl.sat`, vector parts, float reductions."""

from collections.abc import Callable, Sequence

from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering, NotKnown
from harness.simt.intrinsics.ptx_floats import LLVM, comparison_type, splat, type_suffix
from harness.simt.ir.module import Aggregate, Const, Operand, Undef, Zero
from harness.simt.ir.types import Float, Int, Type, Vector, bits_of, element_of

__all__: list[str] = []

ONE = {"half": 0x3C00, "bfloat": 0x3F80, "float": 0x3F800000, "double": 0x3FF0000000000000}
# Bits of a float's fraction.
FRACTION = {"half": 10, "bfloat": 7, "float": 23, "double": 52}
LARGEST = 2200  # the largest exponent that makes a difference for a double


def float_name(ty: Type) -> str:
    """Return LLVM's name of a float type, or of a vector's elements, such as `half`; assert that they are floats."""
    element = element_of(ty)
    assert isinstance(element, Float)
    return element.name


@expands(
    *("llvm.expect", "llvm.expect.with.probability", "llvm.ssa.copy", "llvm.ptr.annotation"),
    *("llvm.launder.invariant.group", "llvm.strip.invariant.group"),
)
def return_unchanged(_low: Lowering, value: Operand, *_more: Operand) -> Operand:
    """Return the first operand: the others are hints to the optimiser."""
    return value


@expands("llvm.canonicalize")
def canonicalize(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns the same number, multiplied by 1; a NaN becomes quiet."""
    return low.op("fmul", value.type, value, splat(low, value.type, ONE[float_name(value.type)]))


@expands("llvm.convert.from.fp16")
def from_half(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns a half, given as its bits, converted to the result's type, which may be a half."""
    half = low.op("bitcast", Float("half"), value)
    return half if low.result == half.type else low.op("fpext", low.result, half)


@expands("llvm.stepvector")
def count_up(low: Lowering) -> Operand:
    """Return the constant vector 0, 1, 2, ... of the result's type, its elements wrapped; emit nothing."""
    assert isinstance(low.result, Vector)
    element, ones = low.result.element, (1 << bits_of(low.result)) - 1
    return Aggregate(low.result, tuple(Const(element, number & ones) for number in range(low.result.length)))


# Rounding to integers.
@expands("llvm.round", "air.round", "air.fast_round")
def round_away(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns the nearest integer; ties go away from zero."""
    ty = value.type
    unit, truth = splat(low, ty, ONE[float_name(ty)]), comparison_type(ty)
    truncated = low.value(f"llvm.trunc.{type_suffix(ty)}", ty, value)
    rest = low.value(f"llvm.fabs.{type_suffix(ty)}", ty, low.op("fsub", ty, value, truncated))
    rounds_away = low.op("fcmp", truth, low.op("fadd", ty, rest, rest), unit, predicate="oge")
    negative = low.op("fcmp", truth, value, Zero(ty), predicate="olt")
    step = low.select(negative, low.op("fneg", ty, unit), unit)
    return low.select(rounds_away, low.op("fadd", ty, truncated, step), truncated)


# The largest number below one.
BELOW_ONE = {"half": 0x3BFF, "bfloat": 0x3F7F, "float": 0x3F7FFFFF, "double": 0x3FEFFFFFFFFFFFFF}


@expands("llvm.amdgcn.fract", "air.fract")
def compute_fraction(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns a value minus its floor, at most the largest number below 1; a NaN for an infinity."""
    ty = value.type
    most = splat(low, ty, BELOW_ONE[float_name(ty)])
    above = low.op("fsub", ty, value, low.value(f"llvm.floor.{type_suffix(ty)}", ty, value))
    return low.select(low.op("fcmp", comparison_type(ty), above, most, predicate="ogt"), most, above)


def _declare_to_integer(rounding: str, *names: str) -> None:
    @expands(*names)
    def to_integer(low: Lowering, value: Operand) -> Operand:
        rounded = low.value(f"{rounding}.{type_suffix(value.type)}", value.type, value)
        return low.value(f"llvm.fptosi.sat.{_spelled(low.result)}.{type_suffix(value.type)}", low.result, rounded)


_declare_to_integer("llvm.round", "llvm.lround", "llvm.llround")
_declare_to_integer("llvm.rint", "llvm.lrint", "llvm.llrint")


def _spelled(ty: Type) -> str:
    return f"v{ty.length}{ty.element}" if isinstance(ty, Vector) else str(ty)


# Powers of two.
def apply_by_element(low: Lowering, compute: Callable[..., Operand], *values: Operand) -> Operand:
    """Emit code that returns `compute(*values)`, or for vectors the vector of its results for their elements."""
    if not isinstance(values[0].type, Vector):
        return compute(*values)
    results = []
    for place in range(values[0].type.length):
        index = Const(Int(32), place)
        elements = (low.op("extractelement", element_of(value.type), value, index) for value in values)
        results.append(compute(*elements))
    return low.build_vector(results, Vector(len(results), results[0].type))


def _power(low: Lowering, ty: Float, exponent: Operand) -> Operand:
    """Emit code that returns 2^exponent as a float or double, in which it must be a normal number."""
    bits, bias = Int(32 if ty.name == "float" else 64), 127 if ty.name == "float" else 1023
    field = low.op("add", bits, _resize(low, exponent, bits), Const(bits, bias))
    return low.cast(low.op("shl", bits, field, Const(bits, FRACTION[ty.name])), ty)


def _resize(low: Lowering, value: Operand, ty: Int) -> Operand:
    """Emit code that returns an integer sign-extended or truncated to another width."""
    if bits_of(value.type) < ty.bits:
        return low.op("sext", ty, value)
    return low.cast(value, ty)


def _clamp(low: Lowering, value: Operand, least: int, most: int) -> Operand:
    """Emit code that returns an integer clamped to [least, most]; `least` is negative."""
    ty, ones = value.type, (1 << bits_of(value.type)) - 1
    value = low.value(f"llvm.smax.{ty}", ty, value, Const(ty, least & ones))
    return low.value(f"llvm.smin.{ty}", ty, value, Const(ty, most))


def _round_to_odd_float(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns a double as a float, rounded toward zero, with the last bit set if that is inexact: so the
    float rounds to the bfloat nearest to the double.
    """
    single, word = Float("float"), Int(32)
    cut = low.value("asm:round.inward.f32", single, value, Zero(value.type))
    lost = low.compare("one", low.op("fpext", value.type, cut), value)
    return low.cast(low.op("or", word, low.cast(cut, word), low.op("zext", word, lost)), single)


def _scale_element(low: Lowering, value: Operand, exponent: Operand) -> Operand:
    """Emit code that returns value * 2^exponent, rounded once.

    Halves are scaled as floats, floats and bfloats as doubles, whose range holds every power that makes a difference. A
    double is multiplied in three steps; only the last one can round, since an earlier step gives a subnormal number
    only if the result is 0.
    """
    ty = value.type
    assert isinstance(ty, Float)
    exponent = exponent if bits_of(exponent.type) >= 32 else low.op("sext", Int(32), exponent)
    if ty.name != "double":
        wide, most = (Float("float"), 60) if ty.name == "half" else (Float("double"), 400)
        power = _power(low, wide, _clamp(low, exponent, -most, most))
        product = low.op("fmul", wide, low.op("fpext", wide, value), power)
        return low.op("fptrunc", ty, _round_to_odd_float(low, product) if ty.name == "bfloat" else product)
    remaining: Operand = _clamp(low, exponent, -LARGEST, LARGEST)
    word = remaining.type
    for _ in range(2):
        small = low.compare("slt", remaining, Const(word, -1022 & (1 << bits_of(word)) - 1))
        upper = low.value(f"llvm.smin.{word}", word, remaining, Const(word, 1023))
        step = low.select(small, Const(word, -969 & (1 << bits_of(word)) - 1), upper)
        value = low.op("fmul", ty, value, _power(low, ty, step))
        remaining = low.op("sub", word, remaining, step)
    return low.op("fmul", ty, value, _power(low, ty, _clamp(low, remaining, -1022, 1023)))


@expands("llvm.ldexp", "air.ldexp")
def scale(low: Lowering, value: Operand, exponent: Operand) -> Operand:
    """Emit code that returns value * 2^exponent, rounded once, for scalars or vectors."""
    return apply_by_element(low, lambda scalar, power: _scale_element(low, scalar, power), value, exponent)


def _split_float(low: Lowering, value: Operand) -> tuple[Operand, Operand]:
    """Emit code that returns, for any float type, (fraction, exponent as an i32): value = fraction * 2^exponent.

    The fraction's magnitude is in [0.5, 1). Zeros, infinities and NaNs give themselves, and the exponent 0.
    """
    ty, word = value.type, Int(32)
    assert isinstance(ty, Float)
    suffix = LLVM[ty.name]
    if ty.name == "bfloat":
        fraction, exponent = _split_float(low, low.op("fpext", Float("float"), value))
        return low.op("fptrunc", ty, fraction), exponent
    fraction = low.value(f"llvm.amdgcn.frexp.mant.{suffix}", ty, value)
    power = Int(16) if ty.name == "half" else word
    return fraction, _resize(low, low.value(f"llvm.amdgcn.frexp.exp.{power}.{suffix}", power, value), word)


@expands("llvm.frexp")
def split(low: Lowering, value: Operand) -> tuple[Operand, Operand]:
    """Emit code that returns fractions and exponents, for scalars or vectors; see `_split_float`."""
    exponents: list[Operand] = []

    def fraction(element: Operand) -> Operand:
        part, exponent = _split_float(low, element)
        exponents.append(exponent)
        return part

    fractions = apply_by_element(low, fraction, value)
    if len(exponents) == 1 and not isinstance(value.type, Vector):
        return fractions, exponents[0]
    return fractions, low.build_vector(exponents, Vector(len(exponents), Int(32)))


@expands("llvm.sincos", exact=False)
def compute_sine_and_cosine(low: Lowering, angle: Operand) -> tuple[Operand, Operand]:
    """Emit code that returns the sine and the cosine of an angle."""
    ty = angle.type
    return low.value(f"llvm.sin.{type_suffix(ty)}", ty, angle), low.value(f"llvm.cos.{type_suffix(ty)}", ty, angle)


# Shifts that stop at the ends of a type.
def _declare_shift(sign: str, back: str) -> None:
    @expands(f"llvm.{sign}shl.sat")
    def shift(low: Lowering, value: Operand, amount: Operand) -> Operand:
        ty, bits = value.type, bits_of(element_of(value.type))
        moved = low.op("shl", ty, value, amount)
        is_exact = low.op("icmp", comparison_type(ty), low.op(back, ty, moved, amount), value, predicate="eq")
        end: Operand = splat(low, ty, (1 << bits) - 1)
        if sign == "s":  # the largest number, or its complement for a negative value
            fill = low.op("ashr", ty, value, splat(low, ty, bits - 1))
            end = low.op("xor", ty, fill, splat(low, ty, (1 << bits - 1) - 1))
        return low.select(is_exact, moved, end)


_declare_shift("s", "ashr")
_declare_shift("u", "lshr")


# Parts of vectors.
def _shuffle(low: Lowering, left: Operand, right: Operand, places: Sequence[int]) -> Operand:
    """Emit code that returns elements of two vectors laid end to end, by index; -1 stands for an undefined element."""
    word, ty = Int(32), Vector(len(places), element_of(left.type))
    order = (Undef(word, True) if place < 0 else Const(word, place) for place in places)
    return low.op("shufflevector", ty, left, right, Aggregate(Vector(len(places), word), tuple(order)))


def _length(vector: Operand) -> int:
    assert isinstance(vector.type, Vector)
    return vector.type.length


def _require_constant(value: Operand) -> int:
    if not isinstance(value, Const):
        raise NotKnown
    return value.value


@expands("llvm.vector.extract")
def extract(low: Lowering, vector: Operand, start: Operand) -> Operand:
    """Emit code that returns part of a vector from `start`, as long as the result; `NotKnown` if `start` varies."""
    assert isinstance(low.result, Vector)
    first = _require_constant(start)
    return _shuffle(low, vector, vector, range(first, first + low.result.length))


@expands("llvm.vector.insert")
def insert(low: Lowering, vector: Operand, part: Operand, start: Operand) -> Operand:
    """Emit code that returns `vector`, its elements from `start` replaced by `part`; `NotKnown` if `start` varies."""
    first, length, count = _require_constant(start), _length(vector), _length(part)
    wide = _shuffle(low, part, part, [place if place < count else -1 for place in range(length)])
    places = list(range(length))
    places[first : first + count] = range(length, length + count)
    return _shuffle(low, vector, wide, places)


@expands("llvm.vector.reverse")
def reverse(low: Lowering, vector: Operand) -> Operand:
    """Emit code that returns a vector with its elements in reverse order."""
    return _shuffle(low, vector, vector, range(_length(vector))[::-1])


@expands("llvm.vector.splice.left")
def splice_left(low: Lowering, left: Operand, right: Operand, offset: Operand) -> Operand:
    """Emit code that returns as many elements as a vector has, from `offset` of two vectors laid end to end.

    Raises `NotKnown` unless `offset` is constant.
    """
    first = _require_constant(offset)
    return _shuffle(low, left, right, range(first, first + _length(left)))


@expands("llvm.vector.splice.right")
def splice_right(low: Lowering, left: Operand, right: Operand, count: Operand) -> Operand:
    """Emit code that returns the last `count` elements of the first vector, followed by the first elements of the
    second one, as many as a vector has. Raises `NotKnown` unless `count` is constant.
    """
    first = _length(left) - _require_constant(count)
    return _shuffle(low, left, right, range(first, first + _length(left)))


# Reductions of floats.
def _elements(low: Lowering, vector: Operand) -> list[Operand]:
    assert isinstance(vector.type, Vector)
    element = vector.type.element
    return [low.op("extractelement", element, vector, Const(Int(32), place)) for place in range(vector.type.length)]


def _declare_sum(opcode: str) -> None:
    @expands(f"llvm.vector.reduce.{opcode}")
    def in_order(low: Lowering, start: Operand, vector: Operand) -> Operand:
        for element in _elements(low, vector):
            start = low.op(opcode, start.type, start, element)
        return start


def _declare_extreme(name: str, of_two: str) -> None:
    @expands(f"llvm.vector.reduce.{name}")
    def most(low: Lowering, vector: Operand) -> Operand:
        total, *others = _elements(low, vector)
        for element in others:
            total = low.value(f"{of_two}.{type_suffix(element.type)}", element.type, total, element)
        return total


for opcode in ("fadd", "fmul"):
    _declare_sum(opcode)
for name, of_two in {"fmax": "maxnum", "fmin": "minnum", "fmaximum": "maximum", "fminimum": "minimum"}.items():
    _declare_extreme(name, f"llvm.{of_two}")
