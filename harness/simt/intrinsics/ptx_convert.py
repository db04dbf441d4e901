"""The assembly of NVIDIA's conversions, `cvt`.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt
"""

from harness.simt.compile.lowering import Lowering, NotKnown, declares
from harness.simt.intrinsics.ptx_floats import LLVM, Floats
from harness.simt.intrinsics.ptx_integer import WHOLE, letters_of, signed
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.ptx_types import FLOATS, TYPES, register_bits
from harness.simt.ir.types import Float, Int, Type, Vector, bits_of, element_of

__all__: list[str] = []

MODES = ("rn", "rz", "rm", "rp", "rna")
TO_WHOLE = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}
ROUNDS = {"rn": "llvm.rint", "rz": "llvm.trunc", "rm": "llvm.floor", "rp": "llvm.ceil"}
EIGHT = ("e4m3x2", "e5m2x2")
LARGEST_TF32 = 0x7F7FE000
KINDS = (*WHOLE, *FLOATS, "tf32", *EIGHT)


@declares("cvt")
def convert(low: Lowering) -> None:
    """From one type to another, the result's first."""
    to, source = low.kind(*KINDS), low.kind(*KINDS)
    if to in EIGHT or source in EIGHT:
        _eight_bit(low, to, source)
        return
    if isinstance(TYPES[source], Vector):
        raise NotKnown
    count = low.only(2, 3)
    mode = low.one_of(*MODES, *TO_WHOLE)
    given, finite = Floats(low), low.has("satfinite")
    if source in WHOLE and to in WHOLE:
        low.write(0, _whole(low, to, source, given.saturates))
        return
    values = [given.read(number, source) for number in range(1, count)]
    if to in WHOLE:
        if mode not in TO_WHOLE or count == 3:
            raise NotKnown
        low.write(0, _integer(low, to, values[0], TO_WHOLE[mode]))
        return
    if to == "tf32":  # what is cut off before it is rounded stays so
        values = [given.limited(value) for value in values]
        values = [_finite(low, value, LARGEST_TF32) for value in values] if finite else values
    into = element_of(TYPES[to]) if to != "tf32" else TYPES["tf32"]
    if (count == 3) != isinstance(TYPES[to], Vector):
        raise NotKnown
    made = [_floating(low, into, value, source, mode) for value in values]
    if to != "tf32":
        made = [_finite(low, value) for value in made] if finite else made
        made = [given.limited(value) for value in made]
    if count == 3:  # the first is the upper one
        word = low.op("or", Int(32), *(_half(low, value, place) for place, value in enumerate(reversed(made))))
        low.write(0, word)
    else:
        low.write(0, made[0])


def _integer(low: Lowering, to: str, value: Operand, mode: str) -> Operand:
    """Return a float as an integer: one that does not fit is the nearest that does, of a NaN see `prelude`."""
    if value.type in (FLOATS["f16"], FLOATS["bf16"]):
        value = low.op("fpext", FLOATS["f32"], value)
    if isinstance(value.type, Vector):
        raise NotKnown
    letter, ty, sign = "d" if value.type == FLOATS["f64"] else "f", TYPES[to], "s" if signed(to) else "u"
    if bits_of(ty) >= 32:
        return low.value(f"llvm.nvvm.{letter}2{letters_of(to)}.{mode}", ty, value)
    whole = low.value(f"{ROUNDS[mode]}.f{register_bits(value.type)}", value.type, value)
    near = low.value(f"llvm.fpto{sign}i.sat.{ty}.f{register_bits(value.type)}", ty, whole)
    if letter == "f":
        return near
    highest = Const(ty, 1 << bits_of(ty) - 1)
    return low.select(low.compare("uno", value, value), highest, near)


def _half(low: Lowering, value: Operand, place: int) -> Operand:
    wide = low.cast(low.cast(value, Int(16)), Int(32))
    return low.op("shl", Int(32), wide, Const(Int(32), 16)) if place else wide


def _whole(low: Lowering, to: str, source: str, saturates: bool) -> Operand:
    """An integer as another one."""
    value, ty = low.read(1, source), TYPES[to]
    start, end = bits_of(value.type), bits_of(ty)
    if saturates:
        wide = Int(max(start, end) + 8)
        value = low.op("sext" if signed(source) else "zext", wide, value)
        least, most = (-(1 << end - 1), (1 << end - 1) - 1) if signed(to) else (0, (1 << end) - 1)
        for word, edge in (("smax", least), ("smin", most)):
            value = low.value(f"llvm.{word}.i{wide.bits}", wide, value, Const(wide, edge & (1 << wide.bits) - 1))
        return low.op("trunc", ty, value)
    if start < end:
        return low.op("sext" if signed(source) else "zext", ty, value)
    return low.cast(value, ty)


def _floating(low: Lowering, to: Type, value: Operand, source: str, mode: str | None) -> Operand:
    """A number as a float."""
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
            return low.op("sitofp" if signed(source) else "uitofp", to, value)
        if mode not in MODES[1:4]:
            raise NotKnown
        wide = (
            low.cast(value, Int(64)) if not signed(source) or value.type == Int(64) else low.op("sext", Int(64), value)
        )
        letters, letter = letters_of("s64" if signed(source) else "u64"), "d" if to == FLOATS["f64"] else "f"
        value = low.value(f"llvm.nvvm.{letters}2{letter}.{mode}", FLOATS["f64" if letter == "d" else "f32"], wide)
        # Rounded twice in one direction is rounded once.
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


def _finite(low: Lowering, value: Operand, most: int | None = None) -> Operand:
    """A float that is no larger than the largest, whose bits these are, or of its type."""
    ty = value.type
    if not isinstance(ty, Float):
        raise NotKnown
    largest = most or {"half": 0x7BFF, "bfloat": 0x7F7F, "float": 0x7F7FFFFF}[ty.name]
    value = low.value(f"llvm.minimum.{LLVM[ty.name]}", ty, value, Const(ty, largest))
    return low.value(f"llvm.maximum.{LLVM[ty.name]}", ty, value, Const(ty, largest | 1 << register_bits(ty) - 1))


def _eight_bit(low: Lowering, to: str, source: str) -> None:
    """Two floats of 8 bits in 16."""
    low.need("rn")
    positive = low.has("relu")
    if to in EIGHT and source in ("f32", "f16x2"):
        low.need("satfinite")
        if source == "f32":
            low.only(3)
            high, low_one = low.read(1, source), low.read(2, source)
        else:
            low.only(2)
            pair = low.read(1, source)
            halves = (low.op("extractelement", FLOATS["f16"], pair, Const(Int(32), place)) for place in (1, 0))
            high, low_one = (low.op("fpext", FLOATS["f32"], half) for half in halves)
        if positive:
            ty = FLOATS["f32"]
            high, low_one = (low.value("llvm.maximum.f32", ty, value, Zero(ty)) for value in (high, low_one))
        low.write(0, low.value(f"asm:cvt.rn.satfinite.{to}.f32", Int(16), high, low_one))
    elif source in EIGHT and to == "f16x2" and not positive:
        low.only(2)
        low.write(0, low.value(f"asm:cvt.rn.f16x2.{source}", Int(32), low.read(1, Int(16))))
    else:
        raise NotKnown
