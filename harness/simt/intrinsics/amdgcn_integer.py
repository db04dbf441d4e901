"""AMD's integer instructions: bit fields, 24-bit and dot products, absolute differences, bytes, truth tables, packs.

See: "Instinct MI300" and "RDNA3" ISA, chapter Instructions.
"""

from collections.abc import Sequence

from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering, NotKnown
from harness.simt.intrinsics.ptx_logic import apply_truth_table
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Int, Type, Vector, bits_of

__all__: list[str] = []

NAME = "llvm.amdgcn"
WORD, WIDE = Int(32), Int(64)


def constant(value: int, ty: Type = WORD) -> Const:
    """Return an integer constant, wrapped to its type."""
    return Const(ty, value & (1 << bits_of(ty)) - 1)


def require_flag(operand: Operand) -> bool:
    """Return the value of an operand that must be a constant flag. Raises `NotKnown` if it is not constant."""
    if not isinstance(operand, Const):
        raise NotKnown
    return bool(operand.value)


def extract_field(low: Lowering, value: Operand, place: int, bits: int, signed: bool, ty: Type = WORD) -> Operand:
    """Emit code that returns a field of `bits` bits of a word, sign- or zero-extended to a type.

    Args:
        place: The number of the field, from the lowest in steps of `bits` bits.
        ty: The type of the result, at least as wide as the word.
    """
    top = bits_of(value.type) - bits * (place + 1)
    moved = low.op("shl", value.type, value, constant(top, value.type)) if top else value
    down = bits_of(value.type) - bits
    moved = low.op("ashr" if signed else "lshr", value.type, moved, constant(down, value.type)) if down else moved
    return moved if ty == value.type else low.op("sext" if signed else "zext", ty, moved)


# Bit fields.
def _declare_field(signed: bool) -> None:
    @expands(f"{NAME}.{'s' if signed else 'u'}bfe")
    def field(low: Lowering, value: Operand, start: Operand, width: Operand) -> Operand:
        """Emit code that returns `width` bits from bit `start` up, sign- or zero-extended.

        Both numbers wrap at the type's width; the result for a width of 0 is 0. Bits above the type count as copies of
        the sign, or as 0.
        """
        ty, bits = value.type, bits_of(value.type)
        low_bits = constant(bits - 1, ty)
        first, count = (low.op("and", ty, low.cast(each, ty), low_bits) for each in (start, width))
        shift = "ashr" if signed else "lshr"
        moved = low.op(shift, ty, value, first)
        above = low.op("and", ty, low.op("sub", ty, constant(bits, ty), count), low_bits)
        field_bits = low.op(shift, ty, low.op("shl", ty, moved, above), above)
        return low.select(low.compare("eq", count, constant(0, ty)), constant(0, ty), field_bits)


for sign in (False, True):
    _declare_field(sign)


@expands(f"{NAME}.sffbh")
def count_sign_bits(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns how many leading bits of a word equal the sign bit, itself included; -1 if all bits do."""
    sign = low.op("ashr", WORD, value, constant(31))
    unlike = low.op("xor", WORD, value, sign)
    count = low.value("llvm.ctlz.i32", WORD, unlike, constant(0, Int(1)))
    return low.select(low.compare("eq", unlike, constant(0)), constant(-1), count)


# Products of 24 bits.
def _declare_product(signed: bool, high: bool) -> None:
    @expands(f"{NAME}.mul{'hi' if high else ''}.{'i' if signed else 'u'}24")
    def multiply(low: Lowering, left: Operand, right: Operand) -> Operand:
        """Emit code that returns bits 0 to 31, or 32 to 63 if `high`, of the product of two words' lowest 24 bits, read
        as two's complement if `signed`, else as unsigned.
        """
        first, second = (extract_field(low, each, 0, 24, signed, WIDE) for each in (left, right))
        product = low.op("mul", WIDE, first, second)
        if high:
            product = low.op("ashr" if signed else "lshr", WIDE, product, constant(32, WIDE))
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
    """Emit code that returns the dot product of the fields of two words plus a third number, wrapped or clamped to 32
    bits.

    Args:
        bits: The width of a field; all 32 / `bits` fields of a word take part.
        signs: For each factor, whether its fields are signed.
        factors: The two words.
        clamps: Whether the result is clamped; then it is computed in 64 bits.
        signed: Whether the addend and the result are signed.
    """
    ty = WIDE if clamps else WORD
    total = low.op("sext" if signed else "zext", ty, addend) if clamps else addend
    for place in range(32 // bits):
        factors_at = (
            extract_field(low, each, place, bits, sign, ty) for each, sign in zip(factors, signs, strict=True)
        )
        total = low.op("add", ty, total, low.op("mul", ty, *factors_at))
    if not clamps:
        return total
    least, most = (-(1 << 31), (1 << 31) - 1) if signed else (0, (1 << 32) - 1)
    total = low.value("llvm.smin.i64", WIDE, total, constant(most, WIDE))
    return low.cast(low.value("llvm.smax.i64", WIDE, total, constant(least, WIDE)), WORD)


def _declare_dot(bits: int, signed: bool) -> None:
    @expands(f"{NAME}.{'s' if signed else 'u'}dot{32 // bits}")
    def of_one_sign(low: Lowering, left: Operand, right: Operand, addend: Operand, clamp: Operand) -> Operand:
        words = low.cast(left, WORD), low.cast(right, WORD)
        return dot(low, bits, (signed, signed), words, addend, require_flag(clamp), signed)


def _declare_mixed(bits: int) -> None:
    @expands(f"{NAME}.sudot{32 // bits}")
    def of_two_signs(
        low: Lowering, first: Operand, left: Operand, second: Operand, right: Operand, addend: Operand, clamp: Operand
    ) -> Operand:
        return dot(
            low, bits, (require_flag(first), require_flag(second)), (left, right), addend, require_flag(clamp), True
        )


for size in (16, 8, 4):
    for sign in (False, True):
        _declare_dot(size, sign)
for size in (8, 4):
    _declare_mixed(size)


# Differences of bytes and halves, summed.
def sum_differences(low: Lowering, left: Operand, right: Operand, bits: int, masked: bool = False) -> Operand:
    """Emit code that returns the sum of the absolute differences of two words' fields, read as unsigned.

    Args:
        bits: The width of a field.
        masked: Whether fields that are 0 in `right` are skipped.
    """
    total: Operand = constant(0)
    for place in range(32 // bits):
        first, second = (extract_field(low, each, place, bits, False) for each in (left, right))
        difference = low.value("llvm.abs.i32", WORD, low.op("sub", WORD, first, second), constant(0, Int(1)))
        if masked:
            difference = low.select(low.compare("eq", second, constant(0)), constant(0), difference)
        total = low.op("add", WORD, total, difference)
    return total


@expands(f"{NAME}.sad.u8")
def sum_bytes(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Emit code that returns the sum of the absolute differences of four bytes, plus a third number."""
    return low.op("add", WORD, sum_differences(low, left, right, 8), addend)


@expands(f"{NAME}.sad.u16")
def sum_halves(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Emit code that returns the sum of the absolute differences of two halves, plus a third number."""
    return low.op("add", WORD, sum_differences(low, left, right, 16), addend)


@expands(f"{NAME}.sad.hi.u8")
def sum_bytes_high(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Emit code that returns the sum of the absolute differences of four bytes, shifted left by 16, plus
    a third number.
    """
    return low.op("add", WORD, low.op("shl", WORD, sum_differences(low, left, right, 8), constant(16)), addend)


@expands(f"{NAME}.msad.u8")
def sum_masked(low: Lowering, left: Operand, right: Operand, addend: Operand) -> Operand:
    """Emit code that returns the sum of the absolute differences of four bytes, skipping those whose second byte is 0,
    plus a third number.
    """
    return low.op("add", WORD, sum_differences(low, left, right, 8, masked=True), addend)


@expands(f"{NAME}.lerp")
def average_bytes(low: Lowering, left: Operand, right: Operand, round_up: Operand) -> Operand:
    """Emit code that returns, as a word, the averages of four pairs of unsigned bytes, each rounded up if the lowest
    bit of the byte of `round_up` at its place is set, else down.
    """
    total: Operand = constant(0)
    for place in range(4):
        first, second, third = (extract_field(low, each, place, 8, False) for each in (left, right, round_up))
        total_at = low.op("add", WORD, low.op("add", WORD, first, second), low.op("and", WORD, third, constant(1)))
        half = low.op("lshr", WORD, total_at, constant(1))
        total = low.op("or", WORD, total, low.op("shl", WORD, half, constant(8 * place)))
    return total


# Parts of two words.
def join_words(low: Lowering, high: Operand, rest: Operand) -> Operand:
    """Emit code that returns two words as one of 64 bits, `high` above `rest`."""
    return low.op("or", WIDE, low.op("shl", WIDE, low.cast(high, WIDE), constant(32, WIDE)), low.cast(rest, WIDE))


@expands(f"{NAME}.alignbyte")
def align_bytes(low: Lowering, high: Operand, rest: Operand, amount: Operand) -> Operand:
    """Emit code that returns four consecutive bytes of `high` above `rest`, from byte `amount` modulo 4 up."""
    by = low.op("shl", WORD, low.op("and", WORD, amount, constant(3)), constant(3))
    return low.cast(low.op("lshr", WIDE, join_words(low, high, rest), low.cast(by, WIDE)), WORD)


@expands(f"{NAME}.perm")
def permute_bytes(low: Lowering, high: Operand, rest: Operand, selector: Operand) -> Operand:
    """Emit code that returns four bytes that the bytes of a selector pick from two words: 0-7 a byte, the lowest of
    `rest` being 0; 8-11 the sign of byte 1, 3, 5 or 7, repeated; 12 zero; else 255.
    """
    octets, byte, total = join_words(low, high, rest), Int(8), constant(0)
    result: Operand = total
    for place in range(4):
        code = extract_field(low, selector, place, 8, False)
        sign = low.compare("ugt", code, constant(7))
        odd = low.op("or", WORD, low.op("shl", WORD, low.op("and", WORD, code, constant(3)), constant(1)), constant(1))
        number = low.select(sign, odd, code)
        by = low.op("shl", WORD, low.op("and", WORD, number, constant(7)), constant(3))
        selected = low.cast(low.op("lshr", WIDE, octets, low.cast(by, WIDE)), byte)
        selected = low.select(sign, low.op("ashr", byte, selected, constant(7, byte)), selected)
        selected = low.select(low.compare("eq", code, constant(12)), constant(0, byte), selected)
        selected = low.select(low.compare("ugt", code, constant(12)), constant(255, byte), selected)
        result = low.op("or", WORD, result, low.op("shl", WORD, low.cast(selected, WORD), constant(8 * place)))
    return result


@expands(f"{NAME}.bitop3")
def apply_constant_table(low: Lowering, first: Operand, second: Operand, third: Operand, table: Operand) -> Operand:
    """Emit code that applies a truth table to three words, bit by bit: table bit 4 a + 2 b + c is the result for the
    bits a, b and c of `first`, `second` and `third`.

    Raises `NotKnown` if the table is not constant.
    """
    if not isinstance(table, Const):
        raise NotKnown
    return apply_truth_table(low, (first, second, third), table.value)


def _declare_packed(signed: bool) -> None:
    least, most = (-(1 << 15), (1 << 15) - 1) if signed else (0, (1 << 16) - 1)

    @expands(f"{NAME}.cvt.pk.{'i' if signed else 'u'}16")
    def packed(low: Lowering, left: Operand, right: Operand) -> Operand:
        """Emit code that saturates two words to 16 bits and returns them as a vector of integers, `left` first; words
        and results are both signed or not.
        """
        ty, halves = Int(16), []
        for value in (left, right):
            limited = low.value(f"llvm.{'s' if signed else 'u'}min.i32", WORD, value, constant(most))
            limited = low.value("llvm.smax.i32", WORD, limited, constant(least)) if signed else limited
            halves.append(low.cast(limited, ty))
        return low.build_vector(halves, Vector(2, ty))


for sign in (False, True):
    _declare_packed(sign)
