"""Lower PTX float arithmetic, `sin` and its like, comparisons, `selp`, `mov`; integer `add` goes to `ptx_integer`.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions
"""

from harness.simt.compile.lowering import Lowering, NotKnown, declares
from harness.simt.intrinsics import ptx_integer
from harness.simt.intrinsics.ptx_floats import FloatModifiers, comparison_type, flush, type_suffix
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.ptx_types import FLOATS, TYPES, register_bits
from harness.simt.ir.types import Int, Type, Vector, bits_of, element_of

__all__: list[str] = []


@declares("add", "sub", "mul", "div")
def lower_arithmetic(low: Lowering) -> None:
    """Lower `add`, `sub`, `mul` and `div`, of floats or integers; a `div` of floats may be approximate."""
    kind = low.take_type(*TYPES)
    if kind in ptx_integer.INTEGERS | ptx_integer.PAIRS:
        if low.name == "mul":
            ptx_integer.lower_integer_multiply(low, kind)
        elif low.name == "div":
            ptx_integer.lower_integer_divide(low, kind)
        else:
            ptx_integer.lower_integer_binary(low, low.name, kind)
        return
    low.expect_operands(3)
    approximate = low.name == "div" and low.take_one_of("approx", "full")
    modifiers = FloatModifiers(low)
    low.take("noftz")
    values = modifiers.read(1, kind), modifiers.read(2, kind)
    if approximate:
        modifiers.write(low.value(f"llvm.nvvm.div.{approximate}", TYPES[kind], *values))
    else:
        modifiers.write(modifiers.round(low.name, TYPES[kind], *values))


@declares("fma", "mad")
def lower_multiply_add(low: Lowering) -> None:
    """Lower `fma` and `mad`: a product plus a number; of floats it is rounded once."""
    kind = low.take_type(*TYPES)
    if kind in ptx_integer.INTEGERS:
        ptx_integer.lower_integer_multiply_add(low, kind)
        return
    low.expect_operands(4)
    modifiers = FloatModifiers(low)
    modifiers.write(modifiers.round("fma", TYPES[kind], *(modifiers.read(number, kind) for number in (1, 2, 3))))


@declares("rcp", "sqrt")
def lower_root(low: Lowering) -> None:
    """Lower `rcp` (1 / value) and `sqrt`, of `f32` or `f64`, rounded or approximate."""
    kind = low.take_type("f32", "f64")
    low.expect_operands(2)
    approximate, modifiers = low.take("approx"), FloatModifiers(low)
    value, ty = modifiers.read(1, kind), TYPES[kind]
    if approximate:
        end = "ftz.d" if kind == "f64" else "ftz.f" if modifiers.flushes or low.name == "rcp" else "f"
        name = "rcp.approx" if low.name == "rcp" and not modifiers.flushes and kind == "f32" else None
        modifiers.write(low.value(f"asm:{name}" if name else f"llvm.nvvm.{low.name}.approx.{end}", ty, value))
    else:
        modifiers.write(modifiers.round(low.name, ty, value))


@declares("rsqrt", "sin", "cos", "lg2", "ex2", "tanh")
def lower_approximation(low: Lowering) -> None:
    """Lower `rsqrt`, `sin`, `cos`, `lg2`, `ex2` and `tanh` of floats, which hardware approximates.

    Raises `NotKnown` without the modifier `approx`.
    """
    low.require("approx")
    kind = low.take_type(*FLOATS)
    low.expect_operands(2)
    modifiers = FloatModifiers(low)
    ty, value = TYPES[kind], modifiers.read(1, kind)
    if low.name == "tanh" or (low.name == "ex2" and kind not in ("f32", "f64")):
        modifiers.write(low.value(f"asm:{low.name}.approx", ty, value))
    else:
        modifiers.write(low.value(f"llvm.nvvm.{low.name}.approx.{'d' if kind == 'f64' else 'f'}", ty, value))


@declares("min", "max")
def lower_extreme(low: Lowering) -> None:
    """Lower `min` and `max` of two floats or integers; a NaN is ignored, or returned with `.NaN`.

    With `.xorsign.abs` the magnitudes are compared, and the result is negative if the signs differ; `NotKnown` if only
    one of these two modifiers is there.
    """
    kind = low.take_type(*TYPES)
    if kind not in FLOATS:
        ptx_integer.lower_integer_extreme(low, low.name, kind)
        return
    low.expect_operands(3)
    name = f"llvm.{low.name}imum" if low.take("NaN") else f"llvm.{low.name}imumnum"
    by_sign = low.take("xorsign")
    if by_sign != low.take("abs"):
        raise NotKnown
    modifiers, ty = FloatModifiers(low), TYPES[kind]
    values = [modifiers.read(number, kind) for number in (1, 2)]
    if not by_sign:
        modifiers.write(low.value(f"{name}.{type_suffix(ty)}", ty, *values))
        return
    sizes = [low.value(f"llvm.fabs.{type_suffix(ty)}", ty, value) for value in values]
    size = low.value(f"{name}.{type_suffix(ty)}", ty, *sizes)
    bits = Int(register_bits(element_of(ty)))
    words: Type = Vector(ty.length, bits) if isinstance(ty, Vector) else bits
    signs = low.op("xor", words, *(low.cast(low.read(number, kind), words) for number in (1, 2)))
    negative = low.op("icmp", comparison_type(ty), signs, Zero(words), predicate="slt")
    modifiers.write(low.select(negative, low.op("fneg", ty, size), size))


@declares("abs", "neg")
def lower_unary(low: Lowering) -> None:
    """Lower `abs` and `neg` of floats, packed floats or integers."""
    kind = low.take_type(*TYPES)
    if kind not in FLOATS:
        ptx_integer.lower_integer_unary(low, low.name, kind)
        return
    low.expect_operands(2)
    modifiers, ty = FloatModifiers(low), TYPES[kind]
    value = modifiers.read(1, kind)
    modifiers.write(
        low.op("fneg", ty, value) if low.name == "neg" else low.value(f"llvm.fabs.{type_suffix(ty)}", ty, value)
    )


@declares("copysign")
def lower_copy_sign(low: Lowering) -> None:
    """Lower `copysign`: the second source's magnitude with the first source's sign."""
    kind = low.take_type("f32", "f64")
    low.expect_operands(3)
    low.write(0, low.value(f"llvm.copysign.{kind}", TYPES[kind], low.read(2, kind), low.read(1, kind)))


# The bits of `llvm.is.fpclass`.
CLASSES = {"finite": 0x1F8, "infinite": 0x204, "number": 0x3FC, "notanumber": 0x3, "normal": 0x108, "subnormal": 0x90}


@declares("testp")
def lower_test_class(low: Lowering) -> None:
    """Lower `testp`: whether a float is in a class; `NotKnown` for a class that PTX does not have."""
    class_name, kind = low.require(*CLASSES), low.take_type("f32", "f64")
    low.expect_operands(2)
    low.write(0, low.value(f"llvm.is.fpclass.{kind}", Int(1), low.read(1, kind), Const(Int(32), CLASSES[class_name])))


ORDERED = {name: f"o{name}" for name in ("eq", "lt", "le", "gt", "ge")} | {"ne": "one", "num": "ord", "nan": "uno"}
UNORDERED = {f"{name}u": f"u{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge")}
WITHOUT_SIGN = {"lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", *ORDERED, *UNORDERED, *WITHOUT_SIGN)


def _compare(low: Lowering, kind: str) -> Operand:
    """Emit code that returns the comparison of operands 1 and 2: one bit, or a vector of two for packed types.

    Takes the comparison and `ftz` from the modifiers. Raises `NotKnown` if the type has no such comparison.
    """
    word, flushes = low.require(*COMPARISONS), low.take("ftz")
    left, right = low.read(1, kind), low.read(2, kind)
    if flushes and kind in FLOATS:
        left, right = (flush(low, value) for value in (left, right))
    pair = Vector(2, Int(1)) if isinstance(left.type, Vector) else Int(1)
    if kind in FLOATS:
        predicate = (ORDERED | UNORDERED).get(word)
        if predicate is None:
            raise NotKnown
        return low.op("fcmp", pair, left, right, predicate=predicate)
    if word in UNORDERED or word in ("num", "nan"):
        raise NotKnown
    plain = WITHOUT_SIGN.get(word) or (
        word if word in ("eq", "ne") else f"{'s' if ptx_integer.is_signed(kind) else 'u'}{word}"
    )
    return low.op("icmp", pair, left, right, predicate=plain)


def _combine(low: Lowering, comparison: Operand, joins: str | None) -> Operand:
    """Emit code that returns a comparison combined with operand 3, a predicate, by `and`, `or` or `xor`; without
    `joins` the comparison itself. Both elements of a packed comparison are combined with the same predicate.

    Raises `NotKnown` if the number of operands does not fit.
    """
    if joins is None:
        low.expect_operands(3)
        return comparison
    low.expect_operands(4)
    ty, predicate = comparison.type, low.read(3, Int(1))
    if isinstance(ty, Vector):
        predicate = low.build_vector([predicate] * ty.length, ty)
    return low.op(joins, ty, comparison, predicate)


@declares("setp")
def lower_set_predicate(low: Lowering) -> None:
    """Lower `setp`; a second destination gets the opposite comparison, or that of the second elements of packed types.

    With `and`, `or` or `xor` each of these is then combined with operand 3, a predicate.
    """
    joins = low.take_one_of("and", "or", "xor")
    kind = low.take_type(*TYPES)
    comparison = _compare(low, kind)
    first, second = low.destination_pair(0)
    if isinstance(comparison.type, Vector):
        combined = _combine(low, comparison, joins)
        for place, part in enumerate((first, second)):
            if part is not None:
                low.write(part, low.op("extractelement", Int(1), combined, Const(Int(32), place)))
        return
    if second is not None:
        negated = low.op("xor", Int(1), comparison, Const(Int(1), 1))
        low.write(second, _combine(low, negated, joins))
    low.write(first, _combine(low, comparison, joins))


@declares("set")
def lower_set_value(low: Lowering) -> None:
    """Lower `set`: a comparison as a number; if it holds, 1.0 or an integer with all bits set, else 0.

    With `and`, `or` or `xor` it is combined with operand 3, a predicate. Packed operands give two results of 16 bits in
    a word. Raises `NotKnown` if a float result is packed and the operands are not, or the other way round.
    """
    joins = low.take_one_of("and", "or", "xor")
    to, kind = low.take_type("u32", "s32", *FLOATS), low.take_type(*TYPES)
    comparison = _combine(low, _compare(low, kind), joins)
    if "x2" in kind and to not in FLOATS:  # a mask of 16 bits for each of two
        wide = low.op("sext", Vector(2, Int(16)), comparison)
        low.write(0, low.cast(wide, Int(32)))
    elif isinstance(TYPES[to], Vector) != isinstance(comparison.type, Vector):
        raise NotKnown
    elif to in FLOATS:
        low.write(0, low.op("uitofp", TYPES[to], comparison))
    else:
        low.write(0, low.op("sext", TYPES[to], comparison))


@declares("selp")
def lower_select(low: Lowering) -> None:
    """Lower `selp`: the first value if the third operand, a predicate, holds, else the second."""
    kind = low.take_type(*TYPES)
    low.expect_operands(4)
    low.write(0, low.select(low.read(3, Int(1)), low.read(1, kind), low.read(2, kind)))


@declares("slct")
def lower_select_by_sign(low: Lowering) -> None:
    """Lower `slct`: the first value if the third operand is at least 0, else the second, as for a NaN."""
    flushes = low.take("ftz")
    kind, sign = low.take_type(*TYPES), low.take_type("s32", "f32")
    low.expect_operands(4)
    third = low.read(3, sign)
    if sign == "f32":
        third = low.value("asm:ftz", third.type, third) if flushes else third
        condition = low.op("fcmp", Int(1), third, Zero(third.type), predicate="oge")
    else:
        condition = low.op("icmp", Int(1), third, Const(Int(32), 0), predicate="sge")
    low.write(0, low.select(condition, low.read(1, kind), low.read(2, kind)))


@declares("mov")
def lower_move(low: Lowering) -> None:
    """Lower `mov`; bits are moved unchanged.

    A group of registers such as `{a, b}` is packed or unpacked, the first register lowest.
    """
    kind = low.take_type(*TYPES)
    low.expect_operands(2)
    low.write(0, low.read(1, Int(bits_of(TYPES[kind])) if kind[0] in "bsup" else TYPES[kind]))
