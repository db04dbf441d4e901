"""AMD's float instructions: dot products of pairs, mantissas, exponents, classes, legacy products, medians, packing.

`llvm_float` has the approximate functions, `eight_bit` the 8-bit floats.
See: "Instinct MI300" and "RDNA3" ISA, chapter Instructions.
"""

from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering
from harness.simt.intrinsics.amdgcn_integer import constant, require_flag
from harness.simt.intrinsics.ptx_floats import LLVM, comparison_type, type_suffix
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.types import Float, Int, Type, Vector, bits_of

__all__: list[str] = []

NAME = "llvm.amdgcn"
SINGLE, WORD, TRUTH = Float("float"), Int(32), Int(1)
# By type: (bits of the fraction, bits of the exponent).
FORMATS = {"half": (10, 5), "float": (23, 8), "double": (52, 11)}


def _clamp_to_unit(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns a number clamped to [0, 1]; a NaN becomes 0."""
    return low.value("llvm.nvvm.saturate", value.type, value)


def _dot(low: Lowering, ty: Type, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Emit code that returns the dot product of two pairs plus a third number, of type `ty`, by two fused
    multiply-adds; element 0 is added first.
    """
    total = addend
    for place in range(2):
        assert isinstance(left.type, Vector)
        element = left.type.element
        elements = [low.op("extractelement", element, each, Const(WORD, place)) for each in (left, right)]
        wide = elements if element == ty else [low.op("fpext", ty, part) for part in elements]
        assert isinstance(ty, Float)
        total = low.value(f"llvm.fma.{LLVM[ty.name]}", ty, *wide, total)
    return total


@expands(f"{NAME}.fdot2", f"{NAME}.fdot2.f32.bf16", f"{NAME}.fdot2c.f32.bf16")
def compute_dot_of_pairs(low: Lowering, left: Operand, right: Operand, addend: Operand, clamp: Operand) -> Operand:
    """Emit code that returns the dot product of two pairs plus a float, in float32. If `clamp` is set,
    the result is clamped to [0, 1], and a NaN becomes 0.

    Raises `NotKnown` if `clamp` is not constant.
    """
    total = _dot(low, SINGLE, left, right, addend)
    return _clamp_to_unit(low, total) if require_flag(clamp) else total


@expands(f"{NAME}.fdot2.f16.f16", f"{NAME}.fdot2.bf16.bf16")
def compute_dot_in_factor_type(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Emit code that returns the dot product of two pairs plus a number, in the type of the factors."""
    return _dot(low, addend.type, left, right, addend)


class _FloatBits:
    """The bits of a float, and tests on them."""

    def __init__(self, low: Lowering, value: Operand) -> None:
        assert isinstance(value.type, Float)
        self.low, self.ty = low, Int(bits_of_float(value.type))
        self.fraction, exponent = FORMATS[value.type.name]
        self.bias = (1 << exponent - 1) - 1
        self.infinity = ((1 << exponent) - 1) << self.fraction
        self.word = low.cast(value, self.ty)
        self.size = low.op("and", self.ty, self.word, constant((1 << bits_of(self.ty) - 1) - 1, self.ty))

    def exceeds(self, value: int) -> Operand:
        """Emit code that returns whether the magnitude is larger than that of the float with the bits `value`; a NaN's
        is larger than infinity.
        """
        return self.low.compare("ugt", self.size, constant(value, self.ty))

    def normalise(self) -> tuple[Operand, Operand]:
        """Emit code that returns the magnitude as a normal number: (fraction, biased exponent), integers as wide as the
        float.

        The fraction lacks the implicit first bit. A subnormal number is shifted up until its own first bit is in that
        place, and cut off too; its exponent may be negative. Zeros, infinities and NaNs give no meaningful result.
        """
        low, ty = self.low, self.ty
        small = low.compare("ult", self.size, constant(1 << self.fraction, ty))
        zeros = low.value(f"llvm.ctlz.{ty}", ty, self.size, constant(0, TRUTH))
        by = low.op("sub", ty, zeros, constant(bits_of(ty) - 1 - self.fraction, ty))
        by = low.select(small, low.op("and", ty, by, constant(bits_of(ty) - 1, ty)), constant(0, ty))
        moved = low.op("shl", ty, self.size, by)
        place = low.op("lshr", ty, self.size, constant(self.fraction, ty))
        lowest = low.op("sub", ty, constant(1, ty), by)
        fraction = low.op("and", ty, moved, constant((1 << self.fraction) - 1, ty))
        return fraction, low.select(small, lowest, place)

    def is_finite_nonzero(self) -> Operand:
        """Emit code that returns whether the float is neither zero nor infinite nor a NaN."""
        none = self.low.compare("eq", self.size, constant(0, self.ty))
        endless = self.low.compare("uge", self.size, constant(self.infinity, self.ty))
        return self.low.op("xor", TRUTH, self.low.op("or", TRUTH, none, endless), constant(1, TRUTH))


def bits_of_float(ty: Float) -> int:
    """Return the width of a half, float or double in bits. Raises KeyError for any other type, such as bfloat."""
    fraction, exponent = FORMATS[ty.name]
    return 1 + fraction + exponent


@expands(f"{NAME}.frexp.mant")
def extract_mantissa(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns the mantissa of a float, in [0.5, 1) with its sign; zeros, infinities and NaNs are
    returned unchanged.
    """
    bits = _FloatBits(low, value)
    fraction, _ = bits.normalise()
    sign = low.op("xor", bits.ty, bits.word, bits.size)
    half = low.op("or", bits.ty, fraction, constant((bits.bias - 1) << bits.fraction, bits.ty))
    scaled = low.cast(low.op("or", bits.ty, sign, half), value.type)
    return low.select(bits.is_finite_nonzero(), scaled, value)


def _declare_exponent(ty: Int, suffix: str) -> None:
    @expands(f"{NAME}.frexp.exp.{suffix}")
    def exponent(low: Lowering, value: Operand) -> Operand:
        """Emit code that returns the exponent e of a float that equals its `extract_mantissa` times 2^e; 0 for zeros,
        infinities and NaNs. It is an i16 for a half, else an i32.
        """
        bits = _FloatBits(low, value)
        _, place = bits.normalise()
        unbiased = low.op("sub", bits.ty, place, constant(bits.bias - 1, bits.ty))
        return low.cast(low.select(bits.is_finite_nonzero(), unbiased, constant(0, bits.ty)), ty)


for kind, size in (("f16", 16), ("f32", 32), ("f64", 32)):
    _declare_exponent(Int(size), f"i{size}.{kind}")


@expands(f"{NAME}.class")
def has_class(low: Lowering, value: Operand, mask: Operand) -> Operand:
    """Emit code that returns whether a float is in one of the classes of a bit mask, whose bits are those of
    `llvm.is.fpclass`; the mask may vary.
    """
    bits = _FloatBits(low, value)
    number: Operand = constant(2)  # bit 2 is minus infinity; 3 to 5 are negative normal, subnormal, zero
    for limit, place in ((bits.infinity - 1, 3), ((1 << bits.fraction) - 1, 4), (0, 5)):
        number = low.select(bits.exceeds(limit), number, constant(place))
    positive = low.op("sub", WORD, constant(11), number)
    signed = low.compare("ne", bits.word, bits.size)
    number = low.select(signed, number, positive)
    quiet = low.compare("uge", bits.size, constant(bits.infinity | 1 << bits.fraction - 1, bits.ty))
    number = low.select(bits.exceeds(bits.infinity), low.op("zext", WORD, quiet), number)
    return low.cast(low.op("lshr", WORD, mask, number), TRUTH)


def _declare_legacy() -> None:
    def has_zero_factor(low: Lowering, left: Operand, right: Operand) -> Operand:
        """Emit code that returns whether at least one of two factors is 0, of either sign; a NaN is not."""
        zeros = (low.op("fcmp", TRUTH, each, Zero(SINGLE), predicate="oeq") for each in (left, right))
        return low.op("or", TRUTH, *zeros)

    @expands(f"{NAME}.fmul.legacy")
    def multiply(low: Lowering, left: Operand, right: Operand) -> Operand:
        """Emit code that returns a product that is +0.0 if one factor is 0, even if the other is infinite or a NaN."""
        product = low.op("fmul", SINGLE, left, right)
        return low.select(has_zero_factor(low, left, right), Zero(SINGLE), product)

    @expands(f"{NAME}.fma.legacy")
    def multiply_add(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
        """Emit code that returns a fused multiply-add whose product is +0.0 if one factor is 0, even if the other is
        infinite or a NaN.
        """
        none = has_zero_factor(low, left, right)
        total = low.value("llvm.fma.f32", SINGLE, left, right, addend)
        return low.select(none, low.op("fadd", SINGLE, Zero(SINGLE), addend), total)


_declare_legacy()


@expands(f"{NAME}.cvt.pkrtz")
def pack_toward_zero(low: Lowering, left: Operand, right: Operand) -> Operand:
    """Emit code that returns two floats as a vector of two halves, `left` first, rounded toward zero.

    A float that is too large becomes the largest half; infinities stay.
    """
    halves = [low.value("asm:cvt.rz.f.f", Float("half"), value) for value in (left, right)]
    return low.build_vector(halves, Vector(2, Float("half")))


@expands(f"{NAME}.cvt.off.f32.i4")
def convert_sixteenths(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns the lowest four bits, read as signed, divided by 16, as a float."""
    moved = low.op("ashr", WORD, low.op("shl", WORD, value, constant(28)), constant(28))
    return low.op("fmul", SINGLE, low.op("sitofp", SINGLE, moved), Const(SINGLE, 0x3D800000))


@expands(f"{NAME}.fmed3")
def compute_median(low: Lowering, left: Operand, middle: Operand, right: Operand) -> Operand:
    """Emit code that returns the median of three floats; if some are NaNs, the minimum of the others, as AMD's manuals
    define it.
    """
    ty = left.type

    def of_two(name: str, first: Operand, second: Operand) -> Operand:
        return low.value(f"llvm.{name}.{type_suffix(ty)}", ty, first, second)

    lower, upper = of_two("minnum", left, middle), of_two("maxnum", left, middle)
    least = of_two("minnum", lower, right)
    second = of_two("maxnum", lower, of_two("minnum", upper, right))
    none = low.op("fcmp", comparison_type(ty), left, middle, predicate="uno")
    none = low.op("or", comparison_type(ty), none, low.op("fcmp", comparison_type(ty), right, right, predicate="uno"))
    return low.select(none, least, second)
