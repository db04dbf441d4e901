"""AMD's float instructions: dot products of pairs, mantissas and exponents, classes, conversions of pairs.

See: "Instinct MI300" and "RDNA3" ISA, chapter Instructions.
"""

from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering
from harness.simt.intrinsics.amdgcn_integer import flag, word
from harness.simt.intrinsics.ptx_floats import LLVM, spelled, truth_of
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.types import Float, Int, Type, Vector, bits_of

__all__: list[str] = []

NAME = "llvm.amdgcn"
SINGLE, WORD, TRUTH = Float("float"), Int(32), Int(1)
# By type: bits of the fraction, and of the exponent.
FORMATS = {"half": (10, 5), "float": (23, 8), "double": (52, 11)}


def _clamped(low: Lowering, value: Operand) -> Operand:
    """Return a number between 0 and 1; a NaN becomes 0."""
    return low.value("llvm.nvvm.saturate", value.type, value)


def _dot(low: Lowering, ty: Type, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Return a sum of two products and a third number: the lower one is added first, and each sum is rounded."""
    total = addend
    for place in range(2):
        assert isinstance(left.type, Vector)
        element = left.type.element
        parts = [low.op("extractelement", element, each, Const(WORD, place)) for each in (left, right)]
        wide = parts if element == ty else [low.op("fpext", ty, part) for part in parts]
        assert isinstance(ty, Float)
        total = low.value(f"llvm.fma.{LLVM[ty.name]}", ty, *wide, total)
    return total


@expands(f"{NAME}.fdot2", f"{NAME}.fdot2.f32.bf16", f"{NAME}.fdot2c.f32.bf16")
def dot_of_pairs(low: Lowering, left: Operand, right: Operand, addend: Operand, clamp: Operand) -> Operand:
    """Return a dot product as a float."""
    total = _dot(low, SINGLE, left, right, addend)
    return _clamped(low, total) if flag(clamp) else total


@expands(f"{NAME}.fdot2.f16.f16", f"{NAME}.fdot2.bf16.bf16")
def narrow_dot(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Return a dot product in the type of the factors."""
    return _dot(low, addend.type, left, right, addend)


class _Bits:
    """A float as its bits, and what they say of it."""

    def __init__(self, low: Lowering, value: Operand) -> None:
        assert isinstance(value.type, Float)
        self.low, self.ty = low, Int(bits_of_float(value.type))
        self.fraction, exponent = FORMATS[value.type.name]
        self.bias = (1 << exponent - 1) - 1
        self.infinity = ((1 << exponent) - 1) << self.fraction
        self.word = low.cast(value, self.ty)
        self.size = low.op("and", self.ty, self.word, word((1 << bits_of(self.ty) - 1) - 1, self.ty))

    def above(self, value: int) -> Operand:
        """Return whether the number without its sign is larger than one with these bits."""
        return self.low.compare("ugt", self.size, word(value, self.ty))

    def normal(self) -> tuple[Operand, Operand]:
        """Return the number without its sign as if it were normal: bits of the fraction, and the exponent.

        The fraction of a denormal number is moved up until its first bit stands where others have theirs unsaid.
        """
        low, ty = self.low, self.ty
        small = low.compare("ult", self.size, word(1 << self.fraction, ty))
        zeros = low.value(f"llvm.ctlz.{ty}", ty, self.size, word(0, TRUTH))
        by = low.op("sub", ty, zeros, word(bits_of(ty) - 1 - self.fraction, ty))
        by = low.select(small, low.op("and", ty, by, word(bits_of(ty) - 1, ty)), word(0, ty))
        moved = low.op("shl", ty, self.size, by)
        place = low.op("lshr", ty, self.size, word(self.fraction, ty))
        lowest = low.op("sub", ty, word(1, ty), by)
        fraction = low.op("and", ty, moved, word((1 << self.fraction) - 1, ty))
        return fraction, low.select(small, lowest, place)

    def plain(self) -> Operand:
        """Return whether it is neither zero nor infinite nor a NaN."""
        none = self.low.compare("eq", self.size, word(0, self.ty))
        endless = self.low.compare("uge", self.size, word(self.infinity, self.ty))
        return self.low.op("xor", TRUTH, self.low.op("or", TRUTH, none, endless), word(1, TRUTH))


def bits_of_float(ty: Float) -> int:
    """Return the bits of a float."""
    fraction, exponent = FORMATS[ty.name]
    return 1 + fraction + exponent


@expands(f"{NAME}.frexp.mant")
def mantissa(low: Lowering, value: Operand) -> Operand:
    """Return a number times a power of two, so that its size is from 0.5 up and below 1; others stay as they are."""
    bits = _Bits(low, value)
    fraction, _ = bits.normal()
    sign = low.op("xor", bits.ty, bits.word, bits.size)
    half = low.op("or", bits.ty, fraction, word((bits.bias - 1) << bits.fraction, bits.ty))
    made = low.cast(low.op("or", bits.ty, sign, half), value.type)
    return low.select(bits.plain(), made, value)


def _declare_exponent(ty: Int, suffix: str) -> None:
    @expands(f"{NAME}.frexp.exp.{suffix}")
    def exponent(low: Lowering, value: Operand) -> Operand:
        """Return the exponent of that power, 0 for what is zero, infinite or no number."""
        bits = _Bits(low, value)
        _, place = bits.normal()
        found = low.op("sub", bits.ty, place, word(bits.bias - 1, bits.ty))
        return low.cast(low.select(bits.plain(), found, word(0, bits.ty)), ty)


for kind, size in (("f16", 16), ("f32", 32), ("f64", 32)):
    _declare_exponent(Int(size), f"i{size}.{kind}")


@expands(f"{NAME}.class")
def has_class(low: Lowering, value: Operand, mask: Operand) -> Operand:
    """Return whether a float is of one of the classes of a mask, whose bits are in the order of `llvm.is.fpclass`."""
    bits = _Bits(low, value)
    number: Operand = word(2)  # minus infinity; then come normal, denormal numbers and zero
    for limit, place in ((bits.infinity - 1, 3), ((1 << bits.fraction) - 1, 4), (0, 5)):
        number = low.select(bits.above(limit), number, word(place))
    positive = low.op("sub", WORD, word(11), number)
    signed = low.compare("ne", bits.word, bits.size)
    number = low.select(signed, number, positive)
    quiet = low.compare("uge", bits.size, word(bits.infinity | 1 << bits.fraction - 1, bits.ty))
    number = low.select(bits.above(bits.infinity), low.op("zext", WORD, quiet), number)
    return low.cast(low.op("lshr", WORD, mask, number), TRUTH)


def _declare_legacy() -> None:
    def nothing(low: Lowering, left: Operand, right: Operand) -> Operand:
        """Return whether one of two factors is 0."""
        zeros = (low.op("fcmp", TRUTH, each, Zero(SINGLE), predicate="oeq") for each in (left, right))
        return low.op("or", TRUTH, *zeros)

    @expands(f"{NAME}.fmul.legacy")
    def multiply(low: Lowering, left: Operand, right: Operand) -> Operand:
        """Return a product, which is 0 where a factor is."""
        product = low.op("fmul", SINGLE, left, right)
        return low.select(nothing(low, left, right), Zero(SINGLE), product)

    @expands(f"{NAME}.fma.legacy")
    def multiply_add(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
        """Return such a product and a sum, rounded once."""
        none = nothing(low, left, right)
        total = low.value("llvm.fma.f32", SINGLE, left, right, addend)
        return low.select(none, low.op("fadd", SINGLE, Zero(SINGLE), addend), total)


_declare_legacy()


@expands(f"{NAME}.cvt.pkrtz")
def packed(low: Lowering, left: Operand, right: Operand) -> Operand:
    """Return two floats as halves, rounded toward zero."""
    halves = [low.value("asm:cvt.rz.f.f", Float("half"), value) for value in (left, right)]
    return low.build_vector(halves, Vector(2, Float("half")))


@expands(f"{NAME}.cvt.off.f32.i4")
def sixteenths(low: Lowering, value: Operand) -> Operand:
    """Return the lowest four bits, which have a sign, as so many sixteenths."""
    moved = low.op("ashr", WORD, low.op("shl", WORD, value, word(28)), word(28))
    return low.op("fmul", SINGLE, low.op("sitofp", SINGLE, moved), Const(SINGLE, 0x3D800000))


@expands(f"{NAME}.fmed3")
def median(low: Lowering, left: Operand, middle: Operand, right: Operand) -> Operand:
    """Return the second of three numbers; beside a NaN the least, as AMD's instruction manuals say."""
    ty = left.type

    def of_two(name: str, first: Operand, second: Operand) -> Operand:
        return low.value(f"llvm.{name}.{spelled(ty)}", ty, first, second)

    lower, upper = of_two("minnum", left, middle), of_two("maxnum", left, middle)
    least = of_two("minnum", lower, right)
    second = of_two("maxnum", lower, of_two("minnum", upper, right))
    none = low.op("fcmp", truth_of(ty), left, middle, predicate="uno")
    none = low.op("or", truth_of(ty), none, low.op("fcmp", truth_of(ty), right, right, predicate="uno"))
    return low.select(none, least, second)
