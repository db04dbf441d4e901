"""Lower PTX integer arithmetic (for `add` in `ptx_arithmetic`), shifts, bit fields, `prmt`; see also `ptx_logic`.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions
"""

from harness.simt.compile.lowering import Lowering, declares
from harness.simt.ir.assembly import Name
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.ptx_types import SIGNED, TYPES, UNSIGNED
from harness.simt.ir.types import Int, Type, bits_of

__all__ = [
    "INTEGERS",
    "PAIRS",
    "is_signed",
    "lower_integer_binary",
    "lower_integer_divide",
    "lower_integer_extreme",
    "lower_integer_multiply",
    "lower_integer_multiply_add",
    "lower_integer_unary",
    "nvvm_letters",
]

INTEGERS = {*SIGNED, *UNSIGNED}
PAIRS = {"s16x2", "u16x2"}  # two in a word
CARRY = Name("%cc")
# By width: the letters of NVIDIA's intrinsics for (signed, unsigned) integers.
LETTERS = {16: ("s", "us"), 32: ("i", "ui"), 64: ("ll", "ull")}


def is_signed(kind: str) -> bool:
    """Return whether a PTX type is a signed integer."""
    return kind.startswith("s")


def nvvm_letters(kind: str) -> str:
    """Return the letters that NVIDIA's intrinsics use for an integer type of 16, 32 or 64 bits, such as `ui`."""
    return LETTERS[bits_of(TYPES[kind])][not is_signed(kind)]


def double_width(ty: Type) -> Int:
    """Return the integer type with twice the bits."""
    return Int(2 * bits_of(ty))


def extend_to_double(low: Lowering, value: Operand, kind: str) -> Operand:
    """Emit code that returns an integer sign- or zero-extended to twice the bits."""
    return low.op("sext" if is_signed(kind) else "zext", double_width(value.type), value)


def lower_integer_binary(low: Lowering, name: str, kind: str) -> None:
    """Lower integer `add` and `sub`: wrapped, saturated as signed (`sat`), or with a carry-out (`cc`).

    Pairs of 16-bit integers are only wrapped.
    """
    ty = TYPES[kind]
    low.expect_operands(3)
    left, right = low.read(1, kind), low.read(2, kind)
    if kind in PAIRS:
        low.write(0, low.op(name, ty, left, right))
    elif low.take("sat"):
        low.write(0, low.value(f"llvm.s{name}.sat.{ty}", ty, left, right))
    elif low.take("cc"):
        _add_with_carry(low, name, left, right, Const(Int(1), 0), True)
    else:
        low.write(0, low.op(name, ty, left, right))


def _add_with_carry(low: Lowering, name: str, left: Operand, right: Operand, carry: Operand, sets_carry: bool) -> None:
    wide = double_width(left.type)
    operands = (low.op("zext", wide, part) for part in (left, right, carry))
    first, second, third = operands
    total = low.op(name, wide, low.op(name, wide, first, second), third)
    low.write(0, low.op("trunc", left.type, total))
    if sets_carry:
        low.write(CARRY, low.op("trunc", Int(1), low.op("lshr", wide, total, Const(wide, bits_of(left.type)))))


@declares("addc", "subc")
def lower_add_with_carry(low: Lowering) -> None:
    """Lower `addc` and `subc`, which use the carry that an earlier instruction of the same inline assembly set by `cc`.

    With `cc` they also set it. If no earlier instruction set the carry, it is undefined.
    """
    name = low.name
    kind = low.take_type(*INTEGERS)
    low.expect_operands(3)
    _add_with_carry(low, name[:3], low.read(1, kind), low.read(2, kind), low.read(CARRY, Int(1)), low.take("cc"))


def _multiply_operands(low: Lowering, kind: str) -> Operand:
    half, left, right = low.require("lo", "hi", "wide"), low.read(1, kind), low.read(2, kind)
    if half == "lo":
        return low.op("mul", left.type, left, right)
    if half == "wide":
        return low.op(
            "mul", double_width(left.type), extend_to_double(low, left, kind), extend_to_double(low, right, kind)
        )
    return low.value(f"llvm.nvvm.mulhi.{nvvm_letters(kind)}", left.type, left, right)


def lower_integer_multiply(low: Lowering, kind: str) -> None:
    """Lower `mul.lo`, `mul.hi` and `mul.wide`, whose result has twice the bits."""
    low.expect_operands(3)
    low.write(0, _multiply_operands(low, kind))


def lower_integer_multiply_add(low: Lowering, kind: str, carry: bool = False) -> None:
    """Lower `mad` and, with a carry-in, `madc`: a product's lower, upper or all bits plus a number.

    `cc` sets the carry; `sat` saturates as signed.
    """
    low.expect_operands(4)
    product = _multiply_operands(low, kind)
    third = low.read(3, product.type)
    sets_carry = low.take("cc")
    if sets_carry or carry:
        _add_with_carry(low, "add", product, third, low.read(CARRY, Int(1)) if carry else Const(Int(1), 0), sets_carry)
    elif low.take("sat"):
        low.write(0, low.value(f"llvm.sadd.sat.{product.type}", product.type, product, third))
    else:
        low.write(0, low.op("add", product.type, product, third))


@declares("madc")
def lower_multiply_with_carry(low: Lowering) -> None:
    """Lower `madc`: a product plus a number plus the carry."""
    lower_integer_multiply_add(low, low.take_type(*INTEGERS), carry=True)


@declares("mul24", "mad24")
def lower_multiply_short(low: Lowering) -> None:
    """Lower `mul24`, the low or high 32 bits of a product of 24-bit numbers, and `mad24`, that plus a third number.

    Of the 48 bits of the product, `hi` takes bits 16 to 47.
    """
    adds = low.name == "mad24"
    half, kind = low.require("lo", "hi"), low.take_type("s32", "u32")
    low.expect_operands(4 if adds else 3)
    name = f"{'llvm.nvvm.mul24' if half == 'lo' else 'asm:mul24.hi'}.{'i' if is_signed(kind) else 'ui'}"
    product = low.value(name, Int(32), low.read(1, kind), low.read(2, kind))
    low.write(0, low.op("add", Int(32), product, low.read(3, kind)) if adds else product)


@declares("rem")
def lower_remainder(low: Lowering) -> None:
    """Lower `rem`, which has the sign of the dividend."""
    lower_integer_divide(low, low.take_type(*INTEGERS), "rem")


def lower_integer_divide(low: Lowering, kind: str, name: str = "div") -> None:
    """Lower integer `div`, or `rem` if that is the `name`; a signed quotient is rounded toward zero.

    Lanes that divide by 0 are reported when the instruction runs.
    """
    low.expect_operands(3)
    low.write(0, low.op(f"{'s' if is_signed(kind) else 'u'}{name}", TYPES[kind], low.read(1, kind), low.read(2, kind)))


def lower_integer_extreme(low: Lowering, name: str, kind: str) -> None:
    """Lower integer `min` and `max` (`name`), also of pairs of 16-bit integers; `relu` cuts off below 0."""
    low.expect_operands(3)
    ty = TYPES[kind]
    word = name if is_signed(kind) else f"u{name}"
    text = "v2i16" if kind in PAIRS else str(ty)
    result = low.value(f"llvm.{'s' if is_signed(kind) else ''}{word}.{text}", ty, low.read(1, kind), low.read(2, kind))
    if low.take("relu"):
        result = low.value(f"llvm.smax.{text}", ty, result, Zero(ty))
    low.write(0, result)


def lower_integer_unary(low: Lowering, name: str, kind: str) -> None:
    """Lower integer `abs` and `neg` (`name`); the least integer gives itself."""
    low.expect_operands(2)
    value, ty = low.read(1, kind), TYPES[kind]
    if name == "neg":
        low.write(0, low.op("sub", ty, Const(ty, 0), value))
    else:
        low.write(0, low.value(f"llvm.abs.{ty}", ty, value, Const(Int(1), 0)))


@declares("shl", "shr")
def lower_shift(low: Lowering) -> None:
    """Lower `shl` and `shr`; amounts above the type's width count as the width.

    `shr` of a signed type fills with its sign.
    """
    name, kind = low.name, low.take_type(*INTEGERS)
    low.expect_operands(3)
    value, amount = low.read(1, kind), low.read(2, Int(32))
    if isinstance(amount, Const) and amount.value < bits_of(value.type):
        opcode = name if name == "shl" else "ashr" if is_signed(kind) else "lshr"
        low.write(0, low.op(opcode, value.type, value, Const(value.type, amount.value)))
    else:
        suffix = "" if name == "shl" else ".s" if is_signed(kind) else ".u"
        low.write(0, low.value(f"asm:{name}{suffix}", value.type, value, amount))


@declares("shf")
def lower_funnel(low: Lowering) -> None:
    """Lower `shf`: shift operands 2 (upper) and 1 as one number left or right; the result is the upper word of a left
    shift (`l`), the lower one of a right shift (`r`).

    An amount above 31 counts modulo 32 (`wrap`) or as 32 (`clamp`).
    """
    side, mode = low.require("l", "r"), low.require("wrap", "clamp")
    low.take_type("b32")
    low.expect_operands(4)
    first, second, amount = (low.read(number, Int(32)) for number in (1, 2, 3))
    shifted = low.value(f"llvm.fsh{side}.i32", Int(32), second, first, amount)
    if mode == "clamp":
        beyond = low.compare("ugt", amount, Const(Int(32), 31))
        shifted = low.select(beyond, first if side == "l" else second, shifted)
    low.write(0, shifted)


@declares("popc", "clz", "brev")
def lower_count_bits(low: Lowering) -> None:
    """Lower `popc` (bits that are 1), `clz` (leading zeros), as 32 bits, and `brev` (bits reversed)."""
    name, kind = low.name, low.take_type("b32", "b64")
    low.expect_operands(2)
    ty, value = TYPES[kind], low.read(1, kind)
    if name == "clz":
        result = low.value(f"llvm.ctlz.{ty}", ty, value, Const(Int(1), 0))
    else:
        result = low.value(f"llvm.{'ctpop' if name == 'popc' else 'bitreverse'}.{ty}", ty, value)
    low.write(0, result if name == "brev" else low.cast(result, Int(32)))


@declares("bfind")
def lower_find_bit(low: Lowering) -> None:
    """Lower `bfind`: the position of the highest bit that differs from the sign, or with `shiftamt` the shift that
    brings it to the top.

    It is -1 if there is no such bit. In an unsigned type the highest bit that is 1 counts.
    """
    kind, amount = low.take_type("u32", "s32", "u64", "s64"), low.take("shiftamt")
    low.expect_operands(2)
    position = low.value(f"asm:bfind.{kind[0]}", Int(32), low.read(1, kind))
    if amount:
        none = low.compare("eq", position, Const(Int(32), -1))
        position = low.select(
            none, position, low.op("sub", Int(32), Const(Int(32), bits_of(TYPES[kind]) - 1), position)
        )
    low.write(0, position)


@declares("bfe", "bfi")
def lower_bit_field(low: Lowering) -> None:
    """Lower `bfe` and `bfi`: extract or insert a bit field, given by its first bit and its length, both modulo 256.

    `bfe` of a signed type fills with the highest bit of the field, or of the value if the field reaches beyond it. A
    field of length 0 is 0.
    """
    name = low.name
    kind = low.take_type(*(("u32", "s32", "u64", "s64") if name == "bfe" else ("b32", "b64")))
    count = low.expect_operands(4 if name == "bfe" else 5)
    values = [low.read(number, kind) for number in range(1, count - 2)]
    places = [low.read(number, Int(32)) for number in (count - 2, count - 1)]
    suffix = f".{kind[0]}" if name == "bfe" else ""
    low.write(0, low.value(f"asm:{name}{suffix}", TYPES[kind], *values, *places))


# By instruction: (intrinsic, number of operands).
WORDS = {"fns": ("asm:fns", 3), "prmt": ("llvm.nvvm.prmt", 3)}


@declares(*WORDS)
def lower_word_operation(low: Lowering) -> None:
    """Lower `fns` (position of the nth set bit from a base, or -1) and `prmt` (bytes of two words, by a selector).

    `prmt` may name one of six modes, which read the selector differently.
    """
    name, count = WORDS[low.name]
    mode = low.take_one_of("f4e", "b4e", "rc8", "ecl", "ecr", "rc16") if low.name == "prmt" else None
    if mode is not None:
        low.take_type("b32")
        low.expect_operands(4)
        first, second, selector = (low.read(number, Int(32)) for number in (1, 2, 3))
        operands = (first, second, selector) if mode in ("f4e", "b4e") else (first, selector)
        low.write(0, low.value(f"{name}.{mode}", Int(32), *operands))
        return
    low.write_call(name, Int(32), *[low.take_type("b32")] * count)


@declares("sad")
def lower_sum_difference(low: Lowering) -> None:
    """Lower `sad`: an absolute difference plus a third number."""
    kind = low.take_type("s16", "u16", "s32", "u32", "s64", "u64")
    low.write_call(f"llvm.nvvm.sad.{nvvm_letters(kind)}", TYPES[kind], kind, kind, kind)


@declares("dp4a", "dp2a")
def lower_dot(low: Lowering) -> None:
    """Lower `dp4a` and `dp2a`: a dot product of four bytes, or of two 16-bit integers with two bytes, plus a number.

    `lo` and `hi` say which two bytes of the second word `dp2a` takes.
    """
    name = low.name
    upper = name == "dp2a" and low.require("lo", "hi") == "hi"
    first, second = low.take_type("s32", "u32"), low.take_type("s32", "u32")
    low.expect_operands(4)
    more = (Const(Int(1), int(upper)),) if name == "dp2a" else ()
    words = (low.read(number, Int(32)) for number in (1, 2))
    intrinsic = f"llvm.nvvm.i{name}.{first[0]}.{second[0]}"
    low.write(0, low.value(intrinsic, Int(32), *words, *more, low.read(3, Int(32))))


@declares("szext", "bmsk")
def lower_mask(low: Lowering) -> None:
    """Lower `szext` (sign or zero extension of the lowest bits) and `bmsk` (a mask of ones, by first bit and length).

    Positions and lengths above 31 count modulo 32 (`wrap`) or as 32 (`clamp`).
    """
    name, mode = low.name, low.require("wrap", "clamp")
    kind = low.take_type("s32", "u32", "b32")
    if name == "szext":
        name = "sext" if is_signed(kind) else "zext"
    low.write_call(f"llvm.nvvm.{name}.{mode}", Int(32), Int(32), Int(32))
