"""Lower PTX `cvt` between integers, floats, `tf32`, packed pairs and 8-bit floats, with rounding; not `cvta`.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt
"""

from harness.simt.compile.lowering import Lowering, NotKnown, declares
from harness.simt.intrinsics.ptx_floats import LLVM, FloatModifiers
from harness.simt.intrinsics.ptx_integer import INTEGERS, is_signed, nvvm_letters
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.ptx_types import FLOATS, TYPES, register_bits
from harness.simt.ir.types import Float, Int, Type, Vector, bits_of, element_of

__all__: list[str] = []

MODES = ("rn", "rz", "rm", "rp", "rna")
TO_WHOLE = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}
ROUNDS = {"rn": "llvm.rint", "rz": "llvm.trunc", "rm": "llvm.floor", "rp": "llvm.ceil"}
EIGHT = ("e4m3x2", "e5m2x2")
LARGEST_TF32 = 0x7F7FE000
KINDS = (*INTEGERS, *FLOATS, "tf32", *EIGHT)


@declares("cvt")
def lower_convert(low: Lowering) -> None:
    """Lower `cvt`; the type of the result stands before that of the operand.

    Two operands become a packed pair, the first one upper. Raises `NotKnown` for types or rounding modes that do not
    fit; a float becomes an integer only with `rni`, `rzi`, `rmi` or `rpi`, and is always saturated.
    """
    to, source = low.take_type(*KINDS), low.take_type(*KINDS)
    if to in EIGHT or source in EIGHT:
        _convert_eight_bit(low, to, source)
        return
    if isinstance(TYPES[source], Vector):
        raise NotKnown
    count = low.expect_operands(2, 3)
    mode = low.take_one_of(*MODES, *TO_WHOLE)
    modifiers, finite = FloatModifiers(low), low.take("satfinite")
    if source in INTEGERS and to in INTEGERS:
        low.write(0, _convert_integer(low, to, source, modifiers.saturates))
        return
    values = [modifiers.read(number, source) for number in range(1, count)]
    if to in INTEGERS:
        if mode not in TO_WHOLE or count == 3:
            raise NotKnown
        low.write(0, _float_to_integer(low, to, values[0], TO_WHOLE[mode]))
        return
    if to == "tf32":  # a value that is limited before it is rounded stays within the limits
        values = [modifiers.limit(value) for value in values]
        values = [_limit_to_finite(low, value, LARGEST_TF32) for value in values] if finite else values
    into = element_of(TYPES[to]) if to != "tf32" else TYPES["tf32"]
    if (count == 3) != isinstance(TYPES[to], Vector):
        raise NotKnown
    results = [_to_float(low, into, value, source, mode) for value in values]
    if to != "tf32":
        results = [_limit_to_finite(low, value) for value in results] if finite else results
        results = [modifiers.limit(value) for value in results]
    if count == 3:  # the first is the upper one
        word = low.op("or", Int(32), *(_half(low, value, place) for place, value in enumerate(reversed(results))))
        low.write(0, word)
    else:
        low.write(0, results[0])


def _float_to_integer(low: Lowering, to: str, value: Operand, mode: str) -> Operand:
    """Emit code that returns a float converted to an integer in a rounding mode, saturated.

    A NaN becomes 0, or the highest bit alone if the float or the integer has 64 bits. Raises `NotKnown` for a vector.

    Args:
        mode: `rn`, `rz`, `rm` or `rp`, that is without the `i` that PTX adds.
    """
    if value.type in (FLOATS["f16"], FLOATS["bf16"]):
        value = low.op("fpext", FLOATS["f32"], value)
    if isinstance(value.type, Vector):
        raise NotKnown
    letter, ty, sign = "d" if value.type == FLOATS["f64"] else "f", TYPES[to], "s" if is_signed(to) else "u"
    if bits_of(ty) >= 32:
        return low.value(f"llvm.nvvm.{letter}2{nvvm_letters(to)}.{mode}", ty, value)
    rounded = low.value(f"{ROUNDS[mode]}.f{register_bits(value.type)}", value.type, value)
    nearest = low.value(f"llvm.fpto{sign}i.sat.{ty}.f{register_bits(value.type)}", ty, rounded)
    if letter == "f":
        return nearest
    highest = Const(ty, 1 << bits_of(ty) - 1)
    return low.select(low.compare("uno", value, value), highest, nearest)


def _half(low: Lowering, value: Operand, place: int) -> Operand:
    wide = low.cast(low.cast(value, Int(16)), Int(32))
    return low.op("shl", Int(32), wide, Const(Int(32), 16)) if place else wide


def _convert_integer(low: Lowering, to: str, source: str, saturates: bool) -> Operand:
    """Emit code that returns operand 1, an integer, converted to another integer type, saturated or wrapped."""
    value, ty = low.read(1, source), TYPES[to]
    start, end = bits_of(value.type), bits_of(ty)
    if saturates:
        wide = Int(max(start, end) + 8)
        value = low.op("sext" if is_signed(source) else "zext", wide, value)
        least, most = (-(1 << end - 1), (1 << end - 1) - 1) if is_signed(to) else (0, (1 << end) - 1)
        for word, edge in (("smax", least), ("smin", most)):
            value = low.value(f"llvm.{word}.i{wide.bits}", wide, value, Const(wide, edge & (1 << wide.bits) - 1))
        return low.op("trunc", ty, value)
    if start < end:
        return low.op("sext" if is_signed(source) else "zext", ty, value)
    return low.cast(value, ty)


def _to_float(low: Lowering, to: Type, value: Operand, source: str, mode: str | None) -> Operand:
    """Emit code that returns an integer or a float converted to a float type, or to `tf32` as a word.

    Without a mode the value is rounded to nearest, ties to even; only `tf32` needs a mode. A float that has the type
    already is rounded to a whole number by `rni` and its like, else unchanged. A float that becomes wider is exact,
    whatever the mode. Raises `NotKnown` if the types have no such mode.

    Args:
        source: The PTX type of `value`, which says whether an integer is signed.
    """
    if to == TYPES["tf32"]:
        if source != "f32" or mode not in ("rna", "rn", "rz"):
            raise NotKnown
        if mode == "rz":
            word = low.cast(value, Int(32))
            none = low.compare("uno", value, value)
            return low.select(none, word, low.op("and", Int(32), word, Const(Int(32), 0xFFFFE000)))
        return low.value(f"asm:cvt.{mode}.tf32", Int(32), value)
    if isinstance(value.type, Int):
        if mode in (None, "rn"):
            return low.op("sitofp" if is_signed(source) else "uitofp", to, value)
        if mode not in MODES[1:4]:
            raise NotKnown
        wide = (
            low.cast(value, Int(64))
            if not is_signed(source) or value.type == Int(64)
            else low.op("sext", Int(64), value)
        )
        letters, letter = nvvm_letters("s64" if is_signed(source) else "u64"), "d" if to == FLOATS["f64"] else "f"
        value = low.value(f"llvm.nvvm.{letters}2{letter}.{mode}", FLOATS["f64" if letter == "d" else "f32"], wide)
        # Rounding twice in one direction is the same as rounding once.
        return value if value.type == to else low.value(f"asm:cvt.{mode}.f.f", to, value)
    assert isinstance(to, Float)
    if isinstance(value.type, Vector):
        raise NotKnown
    if to == value.type:
        if mode in TO_WHOLE:
            return low.value(f"{ROUNDS[TO_WHOLE[mode]]}.{LLVM[to.name]}", to, value)
        return value
    start, end = register_bits(value.type), register_bits(to)
    if start < end:
        return low.op("fpext", to, value)
    if mode in TO_WHOLE or mode == "rna":
        raise NotKnown
    if start == end:  # between the two of 16 bits
        value = low.op("fpext", FLOATS["f32"], value)
    if mode in (None, "rn"):
        return low.op("fptrunc", to, value)
    return low.value(f"asm:cvt.{mode}.f.f", to, value)


def _limit_to_finite(low: Lowering, value: Operand, most: int | None = None) -> Operand:
    """Emit code that returns a float clamped to the largest finite number, of its type or with the bits `most`; NaN
    stays.

    Raises `NotKnown` for vectors.
    """
    ty = value.type
    if not isinstance(ty, Float):
        raise NotKnown
    largest = most or {"half": 0x7BFF, "bfloat": 0x7F7F, "float": 0x7F7FFFFF}[ty.name]
    value = low.value(f"llvm.minimum.{LLVM[ty.name]}", ty, value, Const(ty, largest))
    return low.value(f"llvm.maximum.{LLVM[ty.name]}", ty, value, Const(ty, largest | 1 << register_bits(ty) - 1))


def _convert_eight_bit(low: Lowering, to: str, source: str) -> None:
    """Lower conversions from and to a pair of 8-bit floats in 16 bits; writes the result.

    Raises `NotKnown` unless it is rounded to nearest (`rn`), and either from `f32` or `f16x2` with `satfinite`, or to
    `f16x2` without `relu`; also for another number of operands than 3 from `f32`, else 2.
    """
    low.require("rn")
    positive = low.take("relu")
    if to in EIGHT and source in ("f32", "f16x2"):
        low.require("satfinite")
        if source == "f32":
            low.expect_operands(3)
            high, low_one = low.read(1, source), low.read(2, source)
        else:
            low.expect_operands(2)
            pair = low.read(1, source)
            halves = (low.op("extractelement", FLOATS["f16"], pair, Const(Int(32), place)) for place in (1, 0))
            high, low_one = (low.op("fpext", FLOATS["f32"], half) for half in halves)
        if positive:
            ty = FLOATS["f32"]
            high, low_one = (low.value("llvm.maximum.f32", ty, value, Zero(ty)) for value in (high, low_one))
        low.write(0, low.value(f"asm:cvt.rn.satfinite.{to}.f32", Int(16), high, low_one))
    elif source in EIGHT and to == "f16x2" and not positive:
        low.expect_operands(2)
        low.write(0, low.value(f"asm:cvt.rn.f16x2.{source}", Int(32), low.read(1, Int(16))))
    else:
        raise NotKnown
