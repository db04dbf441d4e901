"""AMD's integer instructions: bit fields, products of 24 bits, dot products, bytes of words.

See: "Instinct MI300" and "RDNA3" ISA, chapter Instructions.
"""

from collections.abc import Sequence

from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering, NotKnown
from harness.simt.intrinsics.ptx_logic import by_table
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Int, Type, Vector, bits_of

__all__: list[str] = []

NAME = "llvm.amdgcn"
WORD, WIDE = Int(32), Int(64)


def word(value: int, ty: Type = WORD) -> Const:
    """Return a constant."""
    return Const(ty, value & (1 << bits_of(ty)) - 1)


def flag(operand: Operand) -> bool:
    """Return a modifier, which must be constant."""
    if not isinstance(operand, Const):
        raise NotKnown
    return bool(operand.value)


def piece(low: Lowering, value: Operand, place: int, bits: int, signed: bool, ty: Type = WORD) -> Operand:
    """Return some bits of a word as a number of a type."""
    top = bits_of(value.type) - bits * (place + 1)
    moved = low.op("shl", value.type, value, word(top, value.type)) if top else value
    whole = bits_of(value.type) - bits
    moved = low.op("ashr" if signed else "lshr", value.type, moved, word(whole, value.type)) if whole else moved
    return moved if ty == value.type else low.op("sext" if signed else "zext", ty, moved)


# Bit fields.
def _declare_field(signed: bool) -> None:
    @expands(f"{NAME}.{'s' if signed else 'u'}bfe")
    def field(low: Lowering, value: Operand, start: Operand, width: Operand) -> Operand:
        """Return some bits from a place up, with their sign or zeros above; place and count wrap."""
        ty, bits = value.type, bits_of(value.type)
        low_bits = word(bits - 1, ty)
        first, count = (low.op("and", ty, low.cast(each, ty), low_bits) for each in (start, width))
        shift = "ashr" if signed else "lshr"
        moved = low.op(shift, ty, value, first)
        above = low.op("and", ty, low.op("sub", ty, word(bits, ty), count), low_bits)
        kept = low.op(shift, ty, low.op("shl", ty, moved, above), above)
        return low.select(low.compare("eq", count, word(0, ty)), word(0, ty), kept)


for sign in (False, True):
    _declare_field(sign)


@expands(f"{NAME}.sffbh")
def first_unlike_sign(low: Lowering, value: Operand) -> Operand:
    """Return how many bits from the uppermost down are like the sign, or -1 where all are."""
    sign = low.op("ashr", WORD, value, word(31))
    unlike = low.op("xor", WORD, value, sign)
    count = low.value("llvm.ctlz.i32", WORD, unlike, word(0, Int(1)))
    return low.select(low.compare("eq", unlike, word(0)), word(-1), count)


# Products of 24 bits.
def _declare_product(signed: bool, high: bool) -> None:
    @expands(f"{NAME}.mul{'hi' if high else ''}.{'i' if signed else 'u'}24")
    def multiply(low: Lowering, left: Operand, right: Operand) -> Operand:
        """Return the lower 32 bits, or those above them, of a product of the lowest 24 bits of each."""
        first, second = (piece(low, each, 0, 24, signed, WIDE) for each in (left, right))
        product = low.op("mul", WIDE, first, second)
        if high:
            product = low.op("ashr" if signed else "lshr", WIDE, product, word(32, WIDE))
        return low.cast(product, WORD)


for sign in (False, True):
    for upper in (False, True):
        _declare_product(sign, upper)


# Dot products of small numbers, with sums of 32 bits.
def dot(
    low: Lowering,
    bits: int,
    signs: Sequence[bool],
    factors: Sequence[Operand],
    addend: Operand,
    clamps: bool,
    signed: bool,
) -> Operand:
    """Return the sum of the products of the parts of two words and a third number, which wraps or is clamped.

    Args:
        signs: Whether the parts of each word have signs.
        signed: Whether the sum has one.
    """
    ty = WIDE if clamps else WORD
    total = low.op("sext" if signed else "zext", ty, addend) if clamps else addend
    for place in range(32 // bits):
        parts = (piece(low, each, place, bits, sign, ty) for each, sign in zip(factors, signs, strict=True))
        total = low.op("add", ty, total, low.op("mul", ty, *parts))
    if not clamps:
        return total
    least, most = (-(1 << 31), (1 << 31) - 1) if signed else (0, (1 << 32) - 1)
    total = low.value("llvm.smin.i64", WIDE, total, word(most, WIDE))
    return low.cast(low.value("llvm.smax.i64", WIDE, total, word(least, WIDE)), WORD)


def _declare_dot(bits: int, signed: bool) -> None:
    @expands(f"{NAME}.{'s' if signed else 'u'}dot{32 // bits}")
    def of_one_sign(low: Lowering, left: Operand, right: Operand, addend: Operand, clamp: Operand) -> Operand:
        words = low.cast(left, WORD), low.cast(right, WORD)
        return dot(low, bits, (signed, signed), words, addend, flag(clamp), signed)


def _declare_mixed(bits: int) -> None:
    @expands(f"{NAME}.sudot{32 // bits}")
    def of_two_signs(
        low: Lowering, first: Operand, left: Operand, second: Operand, right: Operand, addend: Operand, clamp: Operand
    ) -> Operand:
        return dot(low, bits, (flag(first), flag(second)), (left, right), addend, flag(clamp), True)


for size in (16, 8, 4):
    for sign in (False, True):
        _declare_dot(size, sign)
for size in (8, 4):
    _declare_mixed(size)


# Differences of bytes and halves, summed.
def differences(low: Lowering, left: Operand, right: Operand, bits: int, masked: bool = False) -> Operand:
    """Return the sum of what the parts of two words differ by; `masked` leaves out those whose second part is 0."""
    total: Operand = word(0)
    for place in range(32 // bits):
        first, second = (piece(low, each, place, bits, False) for each in (left, right))
        found = low.value("llvm.abs.i32", WORD, low.op("sub", WORD, first, second), word(0, Int(1)))
        if masked:
            found = low.select(low.compare("eq", second, word(0)), word(0), found)
        total = low.op("add", WORD, total, found)
    return total


@expands(f"{NAME}.sad.u8")
def sum_bytes(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Return the sum of the differences of four bytes, and a third number."""
    return low.op("add", WORD, differences(low, left, right, 8), addend)


@expands(f"{NAME}.sad.u16")
def sum_halves(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Return the same of two halves."""
    return low.op("add", WORD, differences(low, left, right, 16), addend)


@expands(f"{NAME}.sad.hi.u8")
def sum_bytes_high(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Return the same of four bytes, in the upper half of the sum."""
    return low.op("add", WORD, low.op("shl", WORD, differences(low, left, right, 8), word(16)), addend)


@expands(f"{NAME}.msad.u8")
def sum_masked(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Return the same of four bytes, without those whose reference is 0."""
    return low.op("add", WORD, differences(low, left, right, 8, masked=True), addend)


@expands(f"{NAME}.lerp")
def halfway(low: Lowering, left: Operand, right: Operand, round_up: Operand) -> Operand:
    """Return half the sums of four bytes, each rounded up where the lowest bit of a third one is set."""
    total: Operand = word(0)
    for place in range(4):
        first, second, third = (piece(low, each, place, 8, False) for each in (left, right, round_up))
        whole = low.op("add", WORD, low.op("add", WORD, first, second), low.op("and", WORD, third, word(1)))
        half = low.op("lshr", WORD, whole, word(1))
        total = low.op("or", WORD, total, low.op("shl", WORD, half, word(8 * place)))
    return total


# Parts of two words.
def pair(low: Lowering, high: Operand, rest: Operand) -> Operand:
    """Return two words as one of 64 bits."""
    return low.op("or", WIDE, low.op("shl", WIDE, low.cast(high, WIDE), word(32, WIDE)), low.cast(rest, WIDE))


@expands(f"{NAME}.alignbyte")
def align(low: Lowering, high: Operand, rest: Operand, amount: Operand) -> Operand:
    """Return four neighbouring bytes of two words. By bits LLVM has `fshr`, as which it reads `alignbit`."""
    by = low.op("shl", WORD, low.op("and", WORD, amount, word(3)), word(3))
    return low.cast(low.op("lshr", WIDE, pair(low, high, rest), low.cast(by, WIDE)), WORD)


@expands(f"{NAME}.perm")
def permute(low: Lowering, high: Operand, rest: Operand, selector: Operand) -> Operand:
    """Return four bytes: each of the selector's names one of eight, the sign of an odd one (8 to 11), 0 (12) or 255."""
    octets, byte, total = pair(low, high, rest), Int(8), word(0)
    made: Operand = total
    for place in range(4):
        chosen = piece(low, selector, place, 8, False)
        sign = low.compare("ugt", chosen, word(7))
        odd = low.op("or", WORD, low.op("shl", WORD, low.op("and", WORD, chosen, word(3)), word(1)), word(1))
        number = low.select(sign, odd, chosen)
        by = low.op("shl", WORD, low.op("and", WORD, number, word(7)), word(3))
        one = low.cast(low.op("lshr", WIDE, octets, low.cast(by, WIDE)), byte)
        one = low.select(sign, low.op("ashr", byte, one, word(7, byte)), one)
        one = low.select(low.compare("eq", chosen, word(12)), word(0, byte), one)
        one = low.select(low.compare("ugt", chosen, word(12)), word(255, byte), one)
        made = low.op("or", WORD, made, low.op("shl", WORD, low.cast(one, WORD), word(8 * place)))
    return made


@expands(f"{NAME}.bitop3")
def any_logic(low: Lowering, first: Operand, second: Operand, third: Operand, table: Operand) -> Operand:
    """Return bit by bit what a table of eight says of three words."""
    if not isinstance(table, Const):
        raise NotKnown
    return by_table(low, (first, second, third), table.value)


def _declare_packed(signed: bool) -> None:
    least, most = (-(1 << 15), (1 << 15) - 1) if signed else (0, (1 << 16) - 1)

    @expands(f"{NAME}.cvt.pk.{'i' if signed else 'u'}16")
    def packed(low: Lowering, left: Operand, right: Operand) -> Operand:
        """Return two words as halves, cut off at their limits."""
        ty, halves = Int(16), []
        for value in (left, right):
            held = low.value(f"llvm.{'s' if signed else 'u'}min.i32", WORD, value, word(most))
            held = low.value("llvm.smax.i32", WORD, held, word(least)) if signed else held
            halves.append(low.cast(held, ty))
        return low.build_vector(halves, Vector(2, ty))


for sign in (False, True):
    _declare_packed(sign)
