"""LLVM's own intrinsics that are written with its instructions, for values of all types."""

from collections.abc import Callable, Sequence

from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering, NotKnown
from harness.simt.intrinsics.ptx_floats import LLVM, all_of, spelled, truth_of
from harness.simt.ir.module import Aggregate, Const, Operand, Undef, Zero
from harness.simt.ir.types import Float, Int, Type, Vector, bits_of, element_of

__all__: list[str] = []

ONE = {"half": 0x3C00, "bfloat": 0x3F80, "float": 0x3F800000, "double": 0x3FF0000000000000}
# Bits of a float's fraction.
FRACTION = {"half": 10, "bfloat": 7, "float": 23, "double": 52}
LARGEST = 2200  # exponent that makes a difference, of a double


def name_of(ty: Type) -> str:
    """Return what a float, or the elements of a vector of floats, are called."""
    element = element_of(ty)
    assert isinstance(element, Float)
    return element.name


@expands(
    *("llvm.expect", "llvm.expect.with.probability", "llvm.ssa.copy", "llvm.ptr.annotation"),
    *("llvm.launder.invariant.group", "llvm.strip.invariant.group"),
)
def unchanged(_low: Lowering, value: Operand, *_more: Operand) -> Operand:
    """Return the first operand: the others say something to the optimiser."""
    return value


@expands("llvm.canonicalize")
def canonicalize(low: Lowering, value: Operand) -> Operand:
    """Return the same number; a NaN becomes quiet."""
    return low.op("fmul", value.type, value, all_of(low, value.type, ONE[name_of(value.type)]))


@expands("llvm.convert.from.fp16")
def from_half(low: Lowering, value: Operand) -> Operand:
    """Return a half, given as its bits, as a wider float."""
    half = low.op("bitcast", Float("half"), value)
    return half if low.result == half.type else low.op("fpext", low.result, half)


@expands("llvm.stepvector")
def count_up(low: Lowering) -> Operand:
    """Return 0, 1, 2, ..."""
    assert isinstance(low.result, Vector)
    element, ones = low.result.element, (1 << bits_of(low.result)) - 1
    return Aggregate(low.result, tuple(Const(element, number & ones) for number in range(low.result.length)))


# Rounding to integers.
@expands("llvm.round", "air.round", "air.fast_round")
def round_away(low: Lowering, value: Operand) -> Operand:
    """Return the nearest integer; halves go away from zero."""
    ty = value.type
    one, truth = all_of(low, ty, ONE[name_of(ty)]), truth_of(ty)
    whole = low.value(f"llvm.trunc.{spelled(ty)}", ty, value)
    rest = low.value(f"llvm.fabs.{spelled(ty)}", ty, low.op("fsub", ty, value, whole))
    far = low.op("fcmp", truth, low.op("fadd", ty, rest, rest), one, predicate="oge")
    negative = low.op("fcmp", truth, value, Zero(ty), predicate="olt")
    step = low.select(negative, low.op("fneg", ty, one), one)
    return low.select(far, low.op("fadd", ty, whole, step), whole)


# The largest number below one.
BELOW_ONE = {"half": 0x3BFF, "bfloat": 0x3F7F, "float": 0x3F7FFFFF, "double": 0x3FEFFFFFFFFFFFFF}


@expands("llvm.amdgcn.fract", "air.fract")
def fraction_of(low: Lowering, value: Operand) -> Operand:
    """Return what is above the floor; below one also where a difference rounds to it."""
    ty = value.type
    most = all_of(low, ty, BELOW_ONE[name_of(ty)])
    above = low.op("fsub", ty, value, low.value(f"llvm.floor.{spelled(ty)}", ty, value))
    return low.select(low.op("fcmp", truth_of(ty), above, most, predicate="ogt"), most, above)


def _declare_to_integer(rounding: str, *names: str) -> None:
    @expands(*names)
    def to_integer(low: Lowering, value: Operand) -> Operand:
        whole = low.value(f"{rounding}.{spelled(value.type)}", value.type, value)
        return low.value(f"llvm.fptosi.sat.{_spelled(low.result)}.{spelled(value.type)}", low.result, whole)


_declare_to_integer("llvm.round", "llvm.lround", "llvm.llround")
_declare_to_integer("llvm.rint", "llvm.lrint", "llvm.llrint")


def _spelled(ty: Type) -> str:
    return f"v{ty.length}{ty.element}" if isinstance(ty, Vector) else str(ty)


# Powers of two.
def by_element(low: Lowering, compute: Callable[..., Operand], *values: Operand) -> Operand:
    """Return what a function makes of values, or of each element of vectors."""
    if not isinstance(values[0].type, Vector):
        return compute(*values)
    results = []
    for place in range(values[0].type.length):
        index = Const(Int(32), place)
        parts = (low.op("extractelement", element_of(value.type), value, index) for value in values)
        results.append(compute(*parts))
    return low.build_vector(results, Vector(len(results), results[0].type))


def _power(low: Lowering, ty: Float, exponent: Operand) -> Operand:
    """Return two to a power that a float or a double has as a normal number."""
    bits, bias = Int(32 if ty.name == "float" else 64), 127 if ty.name == "float" else 1023
    field = low.op("add", bits, _resized(low, exponent, bits), Const(bits, bias))
    return low.cast(low.op("shl", bits, field, Const(bits, FRACTION[ty.name])), ty)


def _resized(low: Lowering, value: Operand, ty: Int) -> Operand:
    """Return an integer of another width, with its sign."""
    if bits_of(value.type) < ty.bits:
        return low.op("sext", ty, value)
    return low.cast(value, ty)


def _limited(low: Lowering, value: Operand, least: int, most: int) -> Operand:
    """Return an integer between two others; the least one is negative."""
    ty, ones = value.type, (1 << bits_of(value.type)) - 1
    value = low.value(f"llvm.smax.{ty}", ty, value, Const(ty, least & ones))
    return low.value(f"llvm.smin.{ty}", ty, value, Const(ty, most))


def _to_odd(low: Lowering, value: Operand) -> Operand:
    """Return a double as a float that rounds to a bfloat as it would itself: the last bit is set where inexact."""
    single, word = Float("float"), Int(32)
    cut = low.value("asm:round.inward.f32", single, value, Zero(value.type))
    lost = low.compare("one", low.op("fpext", value.type, cut), value)
    return low.cast(low.op("or", word, low.cast(cut, word), low.op("zext", word, lost)), single)


def _scaled(low: Lowering, value: Operand, exponent: Operand) -> Operand:
    """Return a number times a power of two, rounded once.

    A half fits a float, and a float a double, with room for all powers that make a difference. A double is multiplied
    in three steps, of which the last alone can round: one before it gives a subnormal number only of what ends as 0.
    """
    ty = value.type
    assert isinstance(ty, Float)
    exponent = exponent if bits_of(exponent.type) >= 32 else low.op("sext", Int(32), exponent)
    if ty.name != "double":
        wide, most = (Float("float"), 60) if ty.name == "half" else (Float("double"), 400)
        power = _power(low, wide, _limited(low, exponent, -most, most))
        product = low.op("fmul", wide, low.op("fpext", wide, value), power)
        return low.op("fptrunc", ty, _to_odd(low, product) if ty.name == "bfloat" else product)
    left: Operand = _limited(low, exponent, -LARGEST, LARGEST)
    word = left.type
    for _ in range(2):
        small = low.compare("slt", left, Const(word, -1022 & (1 << bits_of(word)) - 1))
        upper = low.value(f"llvm.smin.{word}", word, left, Const(word, 1023))
        step = low.select(small, Const(word, -969 & (1 << bits_of(word)) - 1), upper)
        value = low.op("fmul", ty, value, _power(low, ty, step))
        left = low.op("sub", word, left, step)
    return low.op("fmul", ty, value, _power(low, ty, _limited(low, left, -1022, 1023)))


@expands("llvm.ldexp", "air.ldexp")
def scale(low: Lowering, value: Operand, exponent: Operand) -> Operand:
    """Return a number times a power of two."""
    return by_element(low, lambda one, power: _scaled(low, one, power), value, exponent)


def _parts(low: Lowering, value: Operand) -> tuple[Operand, Operand]:
    """Return a number between 0.5 and 1 and the power of two that it is to be multiplied by, as an i32."""
    ty, word = value.type, Int(32)
    assert isinstance(ty, Float)
    suffix = LLVM[ty.name]
    if ty.name == "bfloat":
        fraction, exponent = _parts(low, low.op("fpext", Float("float"), value))
        return low.op("fptrunc", ty, fraction), exponent
    fraction = low.value(f"llvm.amdgcn.frexp.mant.{suffix}", ty, value)
    power = Int(16) if ty.name == "half" else word
    return fraction, _resized(low, low.value(f"llvm.amdgcn.frexp.exp.{power}.{suffix}", power, value), word)


@expands("llvm.frexp")
def split(low: Lowering, value: Operand) -> tuple[Operand, Operand]:
    """Return fraction and exponent."""
    exponents: list[Operand] = []

    def fraction(one: Operand) -> Operand:
        part, exponent = _parts(low, one)
        exponents.append(exponent)
        return part

    fractions = by_element(low, fraction, value)
    if len(exponents) == 1 and not isinstance(value.type, Vector):
        return fractions, exponents[0]
    return fractions, low.build_vector(exponents, Vector(len(exponents), Int(32)))


@expands("llvm.sincos", exact=False)
def sine_and_cosine(low: Lowering, angle: Operand) -> tuple[Operand, Operand]:
    """Return sine and cosine."""
    ty = angle.type
    return low.value(f"llvm.sin.{spelled(ty)}", ty, angle), low.value(f"llvm.cos.{spelled(ty)}", ty, angle)


# Shifts that stop at the ends of a type.
def _declare_shift(sign: str, back: str) -> None:
    @expands(f"llvm.{sign}shl.sat")
    def shift(low: Lowering, value: Operand, amount: Operand) -> Operand:
        ty, bits = value.type, bits_of(element_of(value.type))
        moved = low.op("shl", ty, value, amount)
        kept = low.op("icmp", truth_of(ty), low.op(back, ty, moved, amount), value, predicate="eq")
        end: Operand = all_of(low, ty, (1 << bits) - 1)
        if sign == "s":  # the largest number, and all of its bits the other way round for a negative one
            fill = low.op("ashr", ty, value, all_of(low, ty, bits - 1))
            end = low.op("xor", ty, fill, all_of(low, ty, (1 << bits - 1) - 1))
        return low.select(kept, moved, end)


_declare_shift("s", "ashr")
_declare_shift("u", "lshr")


# Parts of vectors.
def _shuffled(low: Lowering, left: Operand, right: Operand, places: Sequence[int]) -> Operand:
    """Return elements of two vectors of one type, numbered through both; -1 stands for an undefined one."""
    word, ty = Int(32), Vector(len(places), element_of(left.type))
    order = (Undef(word, True) if place < 0 else Const(word, place) for place in places)
    return low.op("shufflevector", ty, left, right, Aggregate(Vector(len(places), word), tuple(order)))


def _length(vector: Operand) -> int:
    assert isinstance(vector.type, Vector)
    return vector.type.length


def _constant(value: Operand) -> int:
    if not isinstance(value, Const):
        raise NotKnown
    return value.value


@expands("llvm.vector.extract")
def extract(low: Lowering, vector: Operand, start: Operand) -> Operand:
    """Return neighbouring elements of a vector."""
    assert isinstance(low.result, Vector)
    first = _constant(start)
    return _shuffled(low, vector, vector, range(first, first + low.result.length))


@expands("llvm.vector.insert")
def insert(low: Lowering, vector: Operand, part: Operand, start: Operand) -> Operand:
    """Return a vector with neighbouring elements replaced by those of a shorter one."""
    first, length, count = _constant(start), _length(vector), _length(part)
    wide = _shuffled(low, part, part, [place if place < count else -1 for place in range(length)])
    places = list(range(length))
    places[first : first + count] = range(length, length + count)
    return _shuffled(low, vector, wide, places)


@expands("llvm.vector.reverse")
def reverse(low: Lowering, vector: Operand) -> Operand:
    """Return a vector with the last element first."""
    return _shuffled(low, vector, vector, range(_length(vector))[::-1])


@expands("llvm.vector.splice.left")
def splice_left(low: Lowering, left: Operand, right: Operand, offset: Operand) -> Operand:
    """Return the elements from an offset on of two vectors one after the other, as many as one has."""
    first = _constant(offset)
    return _shuffled(low, left, right, range(first, first + _length(left)))


@expands("llvm.vector.splice.right")
def splice_right(low: Lowering, left: Operand, right: Operand, count: Operand) -> Operand:
    """Return so many elements of the first vector's end, and then those of the second one's beginning."""
    first = _length(left) - _constant(count)
    return _shuffled(low, left, right, range(first, first + _length(left)))


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
            total = low.value(f"{of_two}.{spelled(element.type)}", element.type, total, element)
        return total


for opcode in ("fadd", "fmul"):
    _declare_sum(opcode)
for name, of_two in {"fmax": "maxnum", "fmin": "minnum", "fmaximum": "maximum", "fminimum": "minimum"}.items():
    _declare_extreme(name, f"llvm.{of_two}")
