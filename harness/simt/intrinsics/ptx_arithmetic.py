"""The assembly of NVIDIA's arithmetic, of floats and, by the type, of integers; comparisons and choices.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions
"""

from harness.simt.compile.lowering import Lowering, NotKnown, declares
from harness.simt.intrinsics import ptx_integer
from harness.simt.intrinsics.ptx_floats import Floats, flushed, spelled, truth_of
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.ptx_types import FLOATS, TYPES, register_bits
from harness.simt.ir.types import Int, Type, Vector, bits_of, element_of

__all__: list[str] = []


@declares("add", "sub", "mul", "div")
def binary(low: Lowering) -> None:
    """Of two numbers."""
    kind = low.kind(*TYPES)
    if kind in ptx_integer.WHOLE | ptx_integer.PAIRS:
        if low.name == "mul":
            ptx_integer.integer_multiply(low, kind)
        elif low.name == "div":
            ptx_integer.integer_divide(low, kind)
        else:
            ptx_integer.integer_binary(low, low.name, kind)
        return
    low.only(3)
    approximate = low.name == "div" and low.one_of("approx", "full")
    given = Floats(low)
    low.has("noftz")
    values = given.read(1, kind), given.read(2, kind)
    if approximate:
        given.write(low.value(f"llvm.nvvm.div.{approximate}", TYPES[kind], *values))
    else:
        given.write(given.rounded(low.name, TYPES[kind], *values))


@declares("fma", "mad")
def multiply_add(low: Lowering) -> None:
    """A product and a sum, rounded once."""
    kind = low.kind(*TYPES)
    if kind in ptx_integer.WHOLE:
        ptx_integer.integer_multiply_add(low, kind)
        return
    low.only(4)
    given = Floats(low)
    given.write(given.rounded("fma", TYPES[kind], *(given.read(number, kind) for number in (1, 2, 3))))


@declares("rcp", "sqrt")
def roots(low: Lowering) -> None:
    """Rounded, or approximated."""
    kind = low.kind("f32", "f64")
    low.only(2)
    approximate, given = low.has("approx"), Floats(low)
    value, ty = given.read(1, kind), TYPES[kind]
    if approximate:
        end = "ftz.d" if kind == "f64" else "ftz.f" if given.flushes or low.name == "rcp" else "f"
        name = "rcp.approx" if low.name == "rcp" and not given.flushes and kind == "f32" else None
        given.write(low.value(f"asm:{name}" if name else f"llvm.nvvm.{low.name}.approx.{end}", ty, value))
    else:
        given.write(given.rounded(low.name, ty, value))


@declares("rsqrt", "sin", "cos", "lg2", "ex2", "tanh")
def approximated(low: Lowering) -> None:
    """Functions that hardware approximates."""
    low.need("approx")
    kind = low.kind(*FLOATS)
    low.only(2)
    given = Floats(low)
    ty, value = TYPES[kind], given.read(1, kind)
    if low.name == "tanh" or (low.name == "ex2" and kind not in ("f32", "f64")):
        given.write(low.value(f"asm:{low.name}.approx", ty, value))
    else:
        given.write(low.value(f"llvm.nvvm.{low.name}.approx.{'d' if kind == 'f64' else 'f'}", ty, value))


@declares("min", "max")
def extreme(low: Lowering) -> None:
    """The smaller or larger one; of floats a NaN counts for nothing, or for all with `.NaN`."""
    kind = low.kind(*TYPES)
    if kind not in FLOATS:
        ptx_integer.integer_extreme(low, low.name, kind)
        return
    low.only(3)
    name = f"llvm.{low.name}imum" if low.has("NaN") else f"llvm.{low.name}imumnum"
    by_sign = low.has("xorsign")
    if by_sign != low.has("abs"):
        raise NotKnown
    given, ty = Floats(low), TYPES[kind]
    values = [given.read(number, kind) for number in (1, 2)]
    if not by_sign:
        given.write(low.value(f"{name}.{spelled(ty)}", ty, *values))
        return
    sizes = [low.value(f"llvm.fabs.{spelled(ty)}", ty, value) for value in values]
    size = low.value(f"{name}.{spelled(ty)}", ty, *sizes)
    bits = Int(register_bits(element_of(ty)))
    words: Type = Vector(ty.length, bits) if isinstance(ty, Vector) else bits
    turned = low.op("xor", words, *(low.cast(low.read(number, kind), words) for number in (1, 2)))
    negative = low.op("icmp", truth_of(ty), turned, Zero(words), predicate="slt")
    given.write(low.select(negative, low.op("fneg", ty, size), size))


@declares("abs", "neg")
def unary(low: Lowering) -> None:
    """Without the sign, or with the other one."""
    kind = low.kind(*TYPES)
    if kind not in FLOATS:
        ptx_integer.integer_unary(low, low.name, kind)
        return
    low.only(2)
    given, ty = Floats(low), TYPES[kind]
    value = given.read(1, kind)
    given.write(low.op("fneg", ty, value) if low.name == "neg" else low.value(f"llvm.fabs.{spelled(ty)}", ty, value))


@declares("copysign")
def copy_sign(low: Lowering) -> None:
    """The second number with the sign of the first."""
    kind = low.kind("f32", "f64")
    low.only(3)
    low.write(0, low.value(f"llvm.copysign.{kind}", TYPES[kind], low.read(2, kind), low.read(1, kind)))


# By LLVM's bits of classes.
CLASSES = {"finite": 0x1F8, "infinite": 0x204, "number": 0x3FC, "notanumber": 0x3, "normal": 0x108, "subnormal": 0x90}


@declares("testp")
def test_class(low: Lowering) -> None:
    """Whether a float is of a kind."""
    wanted, kind = low.need(*CLASSES), low.kind("f32", "f64")
    low.only(2)
    low.write(0, low.value(f"llvm.is.fpclass.{kind}", Int(1), low.read(1, kind), Const(Int(32), CLASSES[wanted])))


ORDERED = {name: f"o{name}" for name in ("eq", "lt", "le", "gt", "ge")} | {"ne": "one", "num": "ord", "nan": "uno"}
UNORDERED = {f"{name}u": f"u{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge")}
WITHOUT_SIGN = {"lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", *ORDERED, *UNORDERED, *WITHOUT_SIGN)


def _compared(low: Lowering, kind: str) -> Operand:
    """How the two values of a comparison compare: one bit, or two for pairs."""
    word, flushes = low.need(*COMPARISONS), low.has("ftz")
    left, right = low.read(1, kind), low.read(2, kind)
    if flushes and kind in FLOATS:
        left, right = (flushed(low, value) for value in (left, right))
    pair = Vector(2, Int(1)) if isinstance(left.type, Vector) else Int(1)
    if kind in FLOATS:
        predicate = (ORDERED | UNORDERED).get(word)
        if predicate is None:
            raise NotKnown
        return low.op("fcmp", pair, left, right, predicate=predicate)
    if word in UNORDERED or word in ("num", "nan"):
        raise NotKnown
    plain = WITHOUT_SIGN.get(word) or (
        word if word in ("eq", "ne") else f"{'s' if ptx_integer.signed(kind) else 'u'}{word}"
    )
    return low.op("icmp", pair, left, right, predicate=plain)


def _combined(low: Lowering, held: Operand, joins: str | None) -> Operand:
    """A comparison together with another predicate."""
    if joins is None:
        low.only(3)
        return held
    low.only(4)
    return low.op(joins, Int(1), held, low.read(3, Int(1)))


@declares("setp")
def set_predicate(low: Lowering) -> None:
    """How values compare; the second result is the opposite, of pairs what the second ones give."""
    joins = low.one_of("and", "or", "xor")
    kind = low.kind(*TYPES)
    held = _compared(low, kind)
    first, second = low.both(0)
    if isinstance(held.type, Vector):
        low.only(3)
        for place, part in enumerate((first, second)):
            if part is not None:
                low.write(part, low.op("extractelement", Int(1), held, Const(Int(32), place)))
        return
    if second is not None:
        turned = low.op("xor", Int(1), held, Const(Int(1), 1))
        low.write(second, _combined(low, turned, joins))
    low.write(first, _combined(low, held, joins))


@declares("set")
def set_value(low: Lowering) -> None:
    """How values compare as a number: 1.0, or all bits."""
    joins = low.one_of("and", "or", "xor")
    to, kind = low.kind("u32", "s32", *FLOATS), low.kind(*TYPES)
    held = _combined(low, _compared(low, kind), joins) if "x2" not in kind else _compared(low, kind)
    if "x2" in kind and to not in FLOATS:  # a mask of 16 bits for each of two
        wide = low.op("sext", Vector(2, Int(16)), held)
        low.write(0, low.cast(wide, Int(32)))
    elif isinstance(TYPES[to], Vector) != isinstance(held.type, Vector):
        raise NotKnown
    elif to in FLOATS:
        low.write(0, low.op("uitofp", TYPES[to], held))
    else:
        low.write(0, low.op("sext", TYPES[to], held))


@declares("selp")
def select(low: Lowering) -> None:
    """One of two, by a predicate."""
    kind = low.kind(*TYPES)
    low.only(4)
    low.write(0, low.select(low.read(3, Int(1)), low.read(1, kind), low.read(2, kind)))


@declares("slct")
def select_by_sign(low: Lowering) -> None:
    """The first where a third number is not negative."""
    flushes = low.has("ftz")
    kind, sign = low.kind(*TYPES), low.kind("s32", "f32")
    low.only(4)
    third = low.read(3, sign)
    if sign == "f32":
        third = low.value("asm:ftz", third.type, third) if flushes else third
        held = low.op("fcmp", Int(1), third, Zero(third.type), predicate="oge")
    else:
        held = low.op("icmp", Int(1), third, Const(Int(32), 0), predicate="sge")
    low.write(0, low.select(held, low.read(1, kind), low.read(2, kind)))


@declares("mov")
def move(low: Lowering) -> None:
    """A value, or several in one."""
    kind = low.kind(*TYPES)
    low.only(2)
    low.write(0, low.read(1, Int(bits_of(TYPES[kind])) if kind[0] in "bsup" else TYPES[kind]))
