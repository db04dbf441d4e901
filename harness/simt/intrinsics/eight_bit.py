"""AMD's conversions between float32 and 8-bit floats, `llvm.amdgcn.cvt`; the bits depend on the device's format.

See: "Instinct MI300" and "CDNA4" ISA, V_CVT_PK_FP8_F32, V_CVT_F32_FP8.
"""

from functools import partial

from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering
from harness.simt.compile.registry import lanes
from harness.simt.intrinsics.amdgcn_integer import constant, require_flag
from harness.simt.intrinsics.nvvm_index import uniform_int
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.types import Float, Int, Vector
from harness.simt.ops.eight_bit import FORMATS

__all__: list[str] = []

SINGLE, WORD = Float("float"), Int(32)
FRACTION, BIAS = 23, 127  # of a float
INFINITY, NAN = 0x7F800000, 0x7FC00000

# Tells whether the device has the `fnuz` formats, which have no negative zero: gfx942 does.
lanes("asm:has_fnuz")(lambda engine, _lanes: uniform_int(engine.target.gpu.architecture.startswith("gfx94")))


def _power(exponent: int) -> Const:
    """Return 2^exponent as a float constant."""
    return Const(SINGLE, BIAS + exponent << FRACTION)


def _where(low: Lowering, condition: Operand, yes: int, no: Operand) -> Operand:
    return low.select(condition, constant(yes), no)


def _select_by_device(low: Lowering, fnuz: Operand, other: Operand) -> Operand:
    """Emit code that returns the first value on devices with the `fnuz` formats, else the second."""
    return low.select(low.compare("ne", low.value("asm:has_fnuz", WORD), constant(0)), fnuz, other)


def _encode(low: Lowering, value: Operand, kind: str) -> Operand:
    """Emit code that returns, as a word, the byte of the 8-bit float nearest to a float, ties to even.

    A number that is too large once rounded becomes infinity, or a NaN if the format has no infinity; a NaN stays one.
    In `fnuz` formats, which have no negative zero, -0.0 and numbers that round to it become 0.

    Args:
        kind: A format of `FORMATS`.
    """
    fraction, bias = FORMATS[kind]
    fnuz, cut = kind.endswith("fnuz"), FRACTION - fraction
    beyond = {"e4m3": 0x7F, "e5m2": 0x7C}.get(kind, 0x80)  # the first code that no finite number has
    bits = low.cast(value, WORD)
    size = low.op("and", WORD, bits, constant(0x7FFFFFFF))
    # A subnormal number is a multiple of the least one.
    least = low.cast(_power(1 - bias), WORD)
    small = low.compare("ult", size, least)
    below = low.cast(low.select(small, size, constant(0)), SINGLE)
    steps = low.op("fmul", SINGLE, below, _power(bias - 1 + fraction))
    few = low.op("fptoui", WORD, low.value("llvm.rint.f32", SINGLE, steps))
    odd = low.op("and", WORD, low.op("lshr", WORD, size, constant(cut)), constant(1))
    half = low.op("add", WORD, odd, constant((1 << cut - 1) - 1))
    rounded = low.op("lshr", WORD, low.op("add", WORD, size, half), constant(cut))
    code: Operand = low.select(small, few, low.op("sub", WORD, rounded, constant(BIAS - bias << fraction)))
    code = _where(low, low.compare("uge", code, constant(beyond)), beyond, code)
    sign = low.op("and", WORD, low.op("lshr", WORD, bits, constant(24)), constant(0x80))
    if fnuz:
        sign = low.select(low.compare("eq", code, constant(0)), constant(0), sign)
    code = low.op("or", WORD, code, sign)
    return _where(low, low.compare("ugt", size, constant(INFINITY)), 0x80 if fnuz else 0x7F, code)


def _decode(low: Lowering, byte: Operand, kind: str) -> Operand:
    """Emit code that returns the float that the lowest byte of a word encodes in a format of `FORMATS`."""
    fraction, bias = FORMATS[kind]
    size = low.op("and", WORD, byte, constant(0x7F))
    scaled = low.cast(low.op("shl", WORD, size, constant(FRACTION - fraction)), SINGLE)
    bits = low.cast(low.op("fmul", SINGLE, scaled, _power(BIAS - bias)), WORD)
    if kind == "e5m2":
        bits = _where(low, low.compare("eq", size, constant(0x7C)), INFINITY, bits)
    if not kind.endswith("fnuz"):
        last = 0x7E if kind == "e4m3" else 0x7C
        bits = _where(low, low.compare("ugt", size, constant(last)), NAN, bits)
    sign = low.op("shl", WORD, low.op("and", WORD, byte, constant(0x80)), constant(24))
    bits = low.op("or", WORD, bits, sign)
    if kind.endswith("fnuz"):
        bits = _where(low, low.compare("eq", low.op("and", WORD, byte, constant(0xFF)), constant(0x80)), NAN, bits)
    return low.cast(bits, SINGLE)


def _encode_for_device(low: Lowering, value: Operand, kind: str) -> Operand:
    return _select_by_device(low, *(_encode(low, value, f"{kind}{more}") for more in ("fnuz", "")))


def _pack(kind: str, low: Lowering, first: Operand, second: Operand, old: Operand, upper: Operand) -> Operand:
    """Emit code that returns the word `old` with one half replaced by two 8-bit floats, the first in the lower byte.

    The upper half is replaced if `upper` is set, else the lower. Raises `NotKnown` if `upper` is not constant.

    Args:
        kind: `e4m3` or `e5m2`; whether it is a `fnuz` format depends on the device.
    """
    low_byte, high_byte = (_encode_for_device(low, value, kind) for value in (first, second))
    pair = low.op("or", WORD, low.op("shl", WORD, high_byte, constant(8)), low_byte)
    if require_flag(upper):
        return low.op("or", WORD, low.op("and", WORD, old, constant(0xFFFF)), low.op("shl", WORD, pair, constant(16)))
    return low.op("or", WORD, low.op("and", WORD, old, constant(0xFFFF0000)), pair)


def _decode_byte(low: Lowering, kind: str, value: Operand, place: int) -> Operand:
    byte = low.op("lshr", WORD, value, constant(8 * place))
    return _select_by_device(low, *(_decode(low, byte, f"{kind}{more}") for more in ("fnuz", "")))


def _unpack(kind: str, low: Lowering, value: Operand, place: Operand) -> Operand:
    """Emit code that returns the number encoded in byte `place` modulo 4 of a word; asserts that `place` is constant.

    See `_pack` for `kind`.
    """
    assert isinstance(place, Const)
    return _decode_byte(low, kind, value, place.value & 3)


def _unpack_pair(kind: str, low: Lowering, value: Operand, upper: Operand) -> Operand:
    """Emit code that returns the two numbers encoded in the upper half of a word, if `upper` is set, or the lower half,
    as a vector of floats, the lower byte's first.

    Raises `NotKnown` if `upper` is not constant. See `_pack` for `kind`.
    """
    start = 2 * require_flag(upper)
    return low.build_vector([_decode_byte(low, kind, value, start + place) for place in range(2)], Vector(2, SINGLE))


for name, kind in {"fp8": "e4m3", "bf8": "e5m2"}.items():
    expands(f"llvm.amdgcn.cvt.pk.{name}.f32")(partial(_pack, kind))
    expands(f"llvm.amdgcn.cvt.f32.{name}")(partial(_unpack, kind))
    expands(f"llvm.amdgcn.cvt.pk.f32.{name}")(partial(_unpack_pair, kind))
