"""The assembly of NVIDIA's integer and logic instructions.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions
"""

from harness.simt.compile.lowering import Lowering, declares
from harness.simt.ir.assembly import Name
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.ptx_types import SIGNED, TYPES, UNSIGNED
from harness.simt.ir.types import Int, Type, bits_of

__all__ = [
    "PAIRS",
    "WHOLE",
    "integer_binary",
    "integer_divide",
    "integer_extreme",
    "integer_multiply",
    "integer_multiply_add",
    "integer_unary",
    "letters_of",
    "signed",
]

WHOLE = {*SIGNED, *UNSIGNED}
PAIRS = {"s16x2", "u16x2"}  # two in a word
CARRY = Name("%cc")
# How NVIDIA's intrinsics call integers with a sign and without, by their bits.
LETTERS = {16: ("s", "us"), 32: ("i", "ui"), 64: ("ll", "ull")}


def signed(kind: str) -> bool:
    """Whether a type of PTX has a sign."""
    return kind.startswith("s")


def letters_of(kind: str) -> str:
    """Return how NVIDIA's intrinsics call a type of 16, 32 or 64 bits."""
    return LETTERS[bits_of(TYPES[kind])][not signed(kind)]


def double(ty: Type) -> Int:
    """The integer of twice the bits."""
    return Int(2 * bits_of(ty))


def widened(low: Lowering, value: Operand, kind: str) -> Operand:
    """A value with twice the bits."""
    return low.op("sext" if signed(kind) else "zext", double(value.type), value)


def integer_binary(low: Lowering, name: str, kind: str) -> None:
    """`add` and `sub`, with a carry or not."""
    ty = TYPES[kind]
    low.expect_operands(3)
    left, right = low.read(1, kind), low.read(2, kind)
    if kind in PAIRS:
        low.write(0, low.op(name, ty, left, right))
    elif low.take("sat"):
        low.write(0, low.value(f"llvm.s{name}.sat.{ty}", ty, left, right))
    elif low.take("cc"):
        _carried(low, name, left, right, Const(Int(1), 0), True)
    else:
        low.write(0, low.op(name, ty, left, right))


def _carried(low: Lowering, name: str, left: Operand, right: Operand, carry: Operand, gives: bool) -> None:
    wide = double(left.type)
    parts = (low.op("zext", wide, part) for part in (left, right, carry))
    first, second, third = parts
    total = low.op(name, wide, low.op(name, wide, first, second), third)
    low.write(0, low.op("trunc", left.type, total))
    if gives:
        low.write(CARRY, low.op("trunc", Int(1), low.op("lshr", wide, total, Const(wide, bits_of(left.type)))))


@declares("addc", "subc")
def with_carry(low: Lowering) -> None:
    """With the carry of the one before in the same block."""
    name = low.name
    kind = low.take_type(*WHOLE)
    low.expect_operands(3)
    _carried(low, name[:3], low.read(1, kind), low.read(2, kind), low.read(CARRY, Int(1)), low.take("cc"))


def _product(low: Lowering, kind: str) -> Operand:
    half, left, right = low.require("lo", "hi", "wide"), low.read(1, kind), low.read(2, kind)
    if half == "lo":
        return low.op("mul", left.type, left, right)
    if half == "wide":
        return low.op("mul", double(left.type), widened(low, left, kind), widened(low, right, kind))
    return low.value(f"llvm.nvvm.mulhi.{letters_of(kind)}", left.type, left, right)


def integer_multiply(low: Lowering, kind: str) -> None:
    """`mul.lo`, `mul.hi`, `mul.wide`."""
    low.expect_operands(3)
    low.write(0, _product(low, kind))


def integer_multiply_add(low: Lowering, kind: str, carry: bool = False) -> None:
    """`mad` and, with the carry of the one before, `madc`."""
    low.expect_operands(4)
    product = _product(low, kind)
    third = low.read(3, product.type)
    gives = low.take("cc")
    if gives or carry:
        _carried(low, "add", product, third, low.read(CARRY, Int(1)) if carry else Const(Int(1), 0), gives)
    elif low.take("sat"):
        low.write(0, low.value(f"llvm.sadd.sat.{product.type}", product.type, product, third))
    else:
        low.write(0, low.op("add", product.type, product, third))


@declares("madc")
def multiply_with_carry(low: Lowering) -> None:
    """A product, a sum and a carry."""
    integer_multiply_add(low, low.take_type(*WHOLE), carry=True)


@declares("mul24", "mad24")
def multiply_short(low: Lowering) -> None:
    """Of 24 bits."""
    adds = low.name == "mad24"
    half, kind = low.require("lo", "hi"), low.take_type("s32", "u32")
    low.expect_operands(4 if adds else 3)
    name = f"{'llvm.nvvm.mul24' if half == 'lo' else 'asm:mul24.hi'}.{'i' if signed(kind) else 'ui'}"
    product = low.value(name, Int(32), low.read(1, kind), low.read(2, kind))
    low.write(0, low.op("add", Int(32), product, low.read(3, kind)) if adds else product)


@declares("rem")
def remainder(low: Lowering) -> None:
    """What a division leaves."""
    integer_divide(low, low.take_type(*WHOLE), "rem")


def integer_divide(low: Lowering, kind: str, name: str = "div") -> None:
    """The whole part of a quotient."""
    low.expect_operands(3)
    low.write(0, low.op(f"{'s' if signed(kind) else 'u'}{name}", TYPES[kind], low.read(1, kind), low.read(2, kind)))


def integer_extreme(low: Lowering, name: str, kind: str) -> None:
    """`min` and `max`; with `relu` not below 0."""
    low.expect_operands(3)
    ty = TYPES[kind]
    word = name if signed(kind) else f"u{name}"
    text = "v2i16" if kind in PAIRS else str(ty)
    found = low.value(f"llvm.{'s' if signed(kind) else ''}{word}.{text}", ty, low.read(1, kind), low.read(2, kind))
    if low.take("relu"):
        found = low.value(f"llvm.smax.{text}", ty, found, Zero(ty))
    low.write(0, found)


def integer_unary(low: Lowering, name: str, kind: str) -> None:
    """`abs` and `neg`."""
    low.expect_operands(2)
    value, ty = low.read(1, kind), TYPES[kind]
    if name == "neg":
        low.write(0, low.op("sub", ty, Const(ty, 0), value))
    else:
        low.write(0, low.value(f"llvm.abs.{ty}", ty, value, Const(Int(1), 0)))


@declares("shl", "shr")
def shift(low: Lowering) -> None:
    """By a number of 32 bits; one that is too large is as large as the type."""
    name, kind = low.name, low.take_type(*WHOLE)
    low.expect_operands(3)
    value, amount = low.read(1, kind), low.read(2, Int(32))
    if isinstance(amount, Const) and amount.value < bits_of(value.type):
        opcode = name if name == "shl" else "ashr" if signed(kind) else "lshr"
        low.write(0, low.op(opcode, value.type, value, Const(value.type, amount.value)))
    else:
        suffix = "" if name == "shl" else ".s" if signed(kind) else ".u"
        low.write(0, low.value(f"asm:{name}{suffix}", value.type, value, amount))


@declares("shf")
def funnel(low: Lowering) -> None:
    """The upper or lower word of two that are shifted together."""
    side, mode = low.require("l", "r"), low.require("wrap", "clamp")
    low.take_type("b32")
    low.expect_operands(4)
    first, second, amount = (low.read(number, Int(32)) for number in (1, 2, 3))
    turned = low.value(f"llvm.fsh{side}.i32", Int(32), second, first, amount)
    if mode == "clamp":
        beyond = low.compare("ugt", amount, Const(Int(32), 31))
        turned = low.select(beyond, first if side == "l" else second, turned)
    low.write(0, turned)


@declares("popc", "clz", "brev")
def count_bits(low: Lowering) -> None:
    """The set ones, the zeros above, or all in the other order."""
    name, kind = low.name, low.take_type("b32", "b64")
    low.expect_operands(2)
    ty, value = TYPES[kind], low.read(1, kind)
    if name == "clz":
        found = low.value(f"llvm.ctlz.{ty}", ty, value, Const(Int(1), 0))
    else:
        found = low.value(f"llvm.{'ctpop' if name == 'popc' else 'bitreverse'}.{ty}", ty, value)
    low.write(0, found if name == "brev" else low.cast(found, Int(32)))


@declares("bfind")
def find_bit(low: Lowering) -> None:
    """The highest bit that is no sign, or how far it must be shifted to stand there."""
    kind, amount = low.take_type("u32", "s32", "u64", "s64"), low.take("shiftamt")
    low.expect_operands(2)
    found = low.value(f"asm:bfind.{kind[0]}", Int(32), low.read(1, kind))
    if amount:
        none = low.compare("eq", found, Const(Int(32), -1))
        found = low.select(none, found, low.op("sub", Int(32), Const(Int(32), bits_of(TYPES[kind]) - 1), found))
    low.write(0, found)


@declares("bfe", "bfi")
def bit_field(low: Lowering) -> None:
    """Takes bits out of a word, or puts them into one."""
    name = low.name
    kind = low.take_type(*(("u32", "s32", "u64", "s64") if name == "bfe" else ("b32", "b64")))
    count = low.expect_operands(4 if name == "bfe" else 5)
    values = [low.read(number, kind) for number in range(1, count - 2)]
    places = [low.read(number, Int(32)) for number in (count - 2, count - 1)]
    suffix = f".{kind[0]}" if name == "bfe" else ""
    low.write(0, low.value(f"asm:{name}{suffix}", TYPES[kind], *values, *places))


# By instruction the intrinsic, and how many words it takes.
WORDS = {"fns": ("asm:fns", 3), "prmt": ("llvm.nvvm.prmt", 3)}


@declares(*WORDS)
def of_words(low: Lowering) -> None:
    """The nth set bit; bytes of two words."""
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
def sum_difference(low: Lowering) -> None:
    """A difference without its sign, added."""
    kind = low.take_type("s16", "u16", "s32", "u32", "s64", "u64")
    low.write_call(f"llvm.nvvm.sad.{letters_of(kind)}", TYPES[kind], kind, kind, kind)


@declares("dp4a", "dp2a")
def dot(low: Lowering) -> None:
    """Of four bytes with four, or of two halves with two bytes of four."""
    name = low.name
    upper = name == "dp2a" and low.require("lo", "hi") == "hi"
    first, second = low.take_type("s32", "u32"), low.take_type("s32", "u32")
    low.expect_operands(4)
    more = (Const(Int(1), int(upper)),) if name == "dp2a" else ()
    words = (low.read(number, Int(32)) for number in (1, 2))
    whole = f"llvm.nvvm.i{name}.{first[0]}.{second[0]}"
    low.write(0, low.value(whole, Int(32), *words, *more, low.read(3, Int(32))))


@declares("szext", "bmsk")
def masks(low: Lowering) -> None:
    """Some bits with their sign or zeros above, or a mask of ones from a place up."""
    name, mode = low.name, low.require("wrap", "clamp")
    kind = low.take_type("s32", "u32", "b32")
    if name == "szext":
        name = "sext" if signed(kind) else "zext"
    low.write_call(f"llvm.nvvm.{name}.{mode}", Int(32), Int(32), Int(32))
