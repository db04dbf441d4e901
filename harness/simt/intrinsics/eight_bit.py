"""AMD's conversions between floats and 8-bit floats, `v_cvt`.

See: "Instinct MI300" and "CDNA4" ISA, V_CVT_PK_FP8_F32, V_CVT_F32_FP8.
"""

from functools import partial

from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering
from harness.simt.compile.registry import lanes
from harness.simt.intrinsics.amdgcn_integer import flag, word
from harness.simt.intrinsics.nvvm_index import constant
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Float, Int, Vector
from harness.simt.ops.eight_bit import FORMATS

__all__: list[str] = []

SINGLE, WORD = Float("float"), Int(32)
FRACTION, BIAS = 23, 127  # of a float
INFINITY, NAN = 0x7F800000, 0x7FC00000

# Whether the device's 8-bit floats are those without a negative zero, which gfx942 has.
lanes("asm:has_fnuz")(lambda engine, _lanes: constant(engine.target.gpu.architecture.startswith("gfx94")))


def _power(exponent: int) -> Const:
    """Return two to a power as a float."""
    return Const(SINGLE, BIAS + exponent << FRACTION)


def _where(low: Lowering, condition: Operand, yes: int, no: Operand) -> Operand:
    return low.select(condition, word(yes), no)


def _by_device(low: Lowering, own: Operand, other: Operand) -> Operand:
    """Return the first value where the device has the `fnuz` formats, else the second."""
    return low.select(low.compare("ne", low.value("asm:has_fnuz", WORD), word(0)), own, other)


def _encoded(low: Lowering, value: Operand, kind: str) -> Operand:
    """Return the byte of the nearest 8-bit float, of two that are as near the even one.

    A number that is too large becomes infinity, or a NaN where there is no infinity.
    """
    fraction, bias = FORMATS[kind]
    fnuz, cut = kind.endswith("fnuz"), FRACTION - fraction
    beyond = {"e4m3": 0x7F, "e5m2": 0x7C}.get(kind, 0x80)  # the first code that no finite number has
    bits = low.cast(value, WORD)
    size = low.op("and", WORD, bits, word(0x7FFFFFFF))
    # A subnormal number is so many steps of the least one.
    least = low.cast(_power(1 - bias), WORD)
    small = low.compare("ult", size, least)
    below = low.cast(low.select(small, size, word(0)), SINGLE)
    steps = low.op("fmul", SINGLE, below, _power(bias - 1 + fraction))
    few = low.op("fptoui", WORD, low.value("llvm.rint.f32", SINGLE, steps))
    odd = low.op("and", WORD, low.op("lshr", WORD, size, word(cut)), word(1))
    half = low.op("add", WORD, odd, word((1 << cut - 1) - 1))
    rounded = low.op("lshr", WORD, low.op("add", WORD, size, half), word(cut))
    code: Operand = low.select(small, few, low.op("sub", WORD, rounded, word(BIAS - bias << fraction)))
    code = _where(low, low.compare("uge", code, word(beyond)), beyond, code)
    sign = low.op("and", WORD, low.op("lshr", WORD, bits, word(24)), word(0x80))
    if fnuz:
        sign = low.select(low.compare("eq", code, word(0)), word(0), sign)
    code = low.op("or", WORD, code, sign)
    return _where(low, low.compare("ugt", size, word(INFINITY)), 0x80 if fnuz else 0x7F, code)


def _decoded(low: Lowering, byte: Operand, kind: str) -> Operand:
    """Return the float that the lowest byte of a word stands for."""
    fraction, bias = FORMATS[kind]
    size = low.op("and", WORD, byte, word(0x7F))
    scaled = low.cast(low.op("shl", WORD, size, word(FRACTION - fraction)), SINGLE)
    bits = low.cast(low.op("fmul", SINGLE, scaled, _power(BIAS - bias)), WORD)
    if kind == "e5m2":
        bits = _where(low, low.compare("eq", size, word(0x7C)), INFINITY, bits)
    if not kind.endswith("fnuz"):
        last = 0x7E if kind == "e4m3" else 0x7C
        bits = _where(low, low.compare("ugt", size, word(last)), NAN, bits)
    sign = low.op("shl", WORD, low.op("and", WORD, byte, word(0x80)), word(24))
    bits = low.op("or", WORD, bits, sign)
    if kind.endswith("fnuz"):
        bits = _where(low, low.compare("eq", low.op("and", WORD, byte, word(0xFF)), word(0x80)), NAN, bits)
    return low.cast(bits, SINGLE)


def _encoded_by_device(low: Lowering, value: Operand, kind: str) -> Operand:
    return _by_device(low, *(_encoded(low, value, f"{kind}{more}") for more in ("fnuz", "")))


def _packed(kind: str, low: Lowering, first: Operand, second: Operand, old: Operand, upper: Operand) -> Operand:
    """Return a word with two numbers in place of its lower or its upper half."""
    one, two = (_encoded_by_device(low, value, kind) for value in (first, second))
    pair = low.op("or", WORD, low.op("shl", WORD, two, word(8)), one)
    if flag(upper):
        return low.op("or", WORD, low.op("and", WORD, old, word(0xFFFF)), low.op("shl", WORD, pair, word(16)))
    return low.op("or", WORD, low.op("and", WORD, old, word(0xFFFF0000)), pair)


def _byte(low: Lowering, kind: str, value: Operand, place: int) -> Operand:
    byte = low.op("lshr", WORD, value, word(8 * place))
    return _by_device(low, *(_decoded(low, byte, f"{kind}{more}") for more in ("fnuz", "")))


def _unpacked(kind: str, low: Lowering, value: Operand, place: Operand) -> Operand:
    """Return the number in a byte of a word."""
    assert isinstance(place, Const)
    return _byte(low, kind, value, place.value & 3)


def _unpacked_pair(kind: str, low: Lowering, value: Operand, upper: Operand) -> Operand:
    """Return the numbers in the bytes of a half of a word."""
    start = 2 * flag(upper)
    return low.build_vector([_byte(low, kind, value, start + place) for place in range(2)], Vector(2, SINGLE))


for name, kind in {"fp8": "e4m3", "bf8": "e5m2"}.items():
    expands(f"llvm.amdgcn.cvt.pk.{name}.f32")(partial(_packed, kind))
    expands(f"llvm.amdgcn.cvt.f32.{name}")(partial(_unpacked, kind))
    expands(f"llvm.amdgcn.cvt.pk.f32.{name}")(partial(_unpacked_pair, kind))
