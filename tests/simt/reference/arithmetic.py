"""What instructions compute: integers masked to their width, floats rounded through `struct`, vectors one by one."""

import math
import struct
from fractions import Fraction
from functools import partial

import numpy as np

from harness.simt.compile.registry import find_intrinsic
from harness.simt.ir.types import Float, Vector, dtype_of, size_of
from harness.simt.ops.elementary import FUNCTIONS
from harness.simt.ops.floating import flush_subnormals
from tests.simt.oracles import modules  # noqa: F401 - they declare
from tests.simt.oracles.declared import ORACLES, Call
from tests.simt.reference.memory import FORMAT, NotModelledError

__all__ = ["UPDATE", "compute", "intrinsic", "reduced", "signed"]


def signed(value, bits):
    """The signed reading of an unsigned integer."""
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def single(value):
    """A Python float rounded to float32."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def half(value):
    """A Python float rounded to float16."""
    try:
        return struct.unpack("<e", struct.pack("<e", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


ROUND = {"float": single, "half": half, "double": float}
# Bits of the fraction, and the exponent of the smallest subnormal.
PRECISION = {"float": (23, -149), "half": (10, -24), "double": (52, -1074)}


def rounded(exact, name):
    """A `Fraction` rounded once to a format, ties to even."""
    if exact == 0:
        return 0.0
    fraction_bits, least = PRECISION[name]
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    step = Fraction(2) ** max(exponent - fraction_bits, least)
    units = round(exact / step)
    try:
        return ROUND[name](float(units * step))
    except OverflowError:
        return math.copysign(math.inf, exact)


def _trunc_div(a, b):
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


INTEGER = {
    "add": lambda a, b, n: a + b,
    "sub": lambda a, b, n: a - b,
    "mul": lambda a, b, n: a * b,
    "and": lambda a, b, n: a & b,
    "or": lambda a, b, n: a | b,
    "xor": lambda a, b, n: a ^ b,
    "shl": lambda a, b, n: a << b,
    "lshr": lambda a, b, n: a >> b,
    "ashr": lambda a, b, n: signed(a, n) >> b,
    "udiv": lambda a, b, n: a // b,
    "urem": lambda a, b, n: a % b,
    "sdiv": lambda a, b, n: _trunc_div(signed(a, n), signed(b, n)),
    "srem": lambda a, b, n: signed(a, n) - signed(b, n) * _trunc_div(signed(a, n), signed(b, n)),
}
ORDER = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
}


def _saturated(value, low, high):
    return min(max(value, low), high)


def _half_range(bits):
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def _bit_length(value, bits):
    return bits - value.bit_length()


def _trailing(value, bits):
    return (value & -value).bit_length() - 1 if value else bits


PURE = {
    "llvm.smax": lambda n, a, b: max(signed(a, n), signed(b, n)),
    "llvm.smin": lambda n, a, b: min(signed(a, n), signed(b, n)),
    "llvm.umax": lambda n, a, b: max(a, b),
    "llvm.umin": lambda n, a, b: min(a, b),
    "llvm.abs": lambda n, a, _: abs(signed(a, n)),
    "llvm.ctpop": lambda n, a: a.bit_count(),
    "llvm.ctlz": lambda n, a, _: _bit_length(a, n),
    "llvm.cttz": lambda n, a, _: _trailing(a, n),
    "llvm.bitreverse": lambda n, a: int(f"{a:0{n}b}"[::-1], 2),
    "llvm.bswap": lambda n, a: int.from_bytes(a.to_bytes(n // 8, "little"), "big"),
    "llvm.fshl": lambda n, a, b, s: ((a << n | b) << s % n) >> n,
    "llvm.fshr": lambda n, a, b, s: (a << n | b) >> s % n,
    "llvm.uadd.sat": lambda n, a, b: min(a + b, (1 << n) - 1),
    "llvm.usub.sat": lambda n, a, b: max(a - b, 0),
    "llvm.sadd.sat": lambda n, a, b: _saturated(signed(a, n) + signed(b, n), *_half_range(n)),
    "llvm.ssub.sat": lambda n, a, b: _saturated(signed(a, n) - signed(b, n), *_half_range(n)),
}


def _floor(value):
    return float(math.floor(value)) if math.isfinite(value) and value != 0 else value


def _extreme(pick, sign, a, b):
    """A NaN counts for nothing, and of two zeros the sign decides."""
    if a != a or b != b:
        return b if a != a else a
    return (a if math.copysign(1, a) == sign else b) if a == b else pick(a, b)


FLOATS = {
    "llvm.copysign": math.copysign,
    "llvm.floor": _floor,
    "llvm.maxnum": partial(_extreme, max, 1),
    "llvm.minnum": partial(_extreme, min, -1),
}
UPDATE = {
    "add": lambda a, b, n: a + b,
    "sub": lambda a, b, n: a - b,
    "and": lambda a, b, n: a & b,
    "or": lambda a, b, n: a | b,
    "xor": lambda a, b, n: a ^ b,
    "xchg": lambda a, b, n: b,
    "max": lambda a, b, n: max(signed(a, n), signed(b, n)),
    "min": lambda a, b, n: min(signed(a, n), signed(b, n)),
    "umax": lambda a, b, n: max(a, b),
    "umin": lambda a, b, n: min(a, b),
    "uinc_wrap": lambda a, b, n: 0 if a >= b else a + 1,
    "udec_wrap": lambda a, b, n: b if a == 0 or a > b else a - 1,
}
REDUCE = {
    "add": lambda a, b, n: a + b,
    "xor": lambda a, b, n: a ^ b,
    "and": lambda a, b, n: a & b,
    "or": lambda a, b, n: a | b,
    "smax": lambda a, b, n: max(signed(a, n), signed(b, n)),
    "smin": lambda a, b, n: min(signed(a, n), signed(b, n)),
    "umax": lambda a, b, n: max(a, b),
    "umin": lambda a, b, n: min(a, b),
}


def compute(op, values):
    """The value of an instruction that only computes; of vectors it takes one element after another."""
    opcode, source = op.opcode, op.operands[0].type
    if opcode == "bitcast" and (isinstance(op.type, Vector) or isinstance(source, Vector)):
        return _bits_as(op.type, _bits_of(source, values[0]))
    if isinstance(op.type, Vector):
        inner = [operand.type.element if isinstance(operand.type, Vector) else operand.type for operand in op.operands]
        lists = [
            value if isinstance(operand.type, Vector) else (value,) * op.type.length
            for value, operand in zip(values, op.operands, strict=True)
        ]
        return tuple(_scalar(op, op.type.element, inner[0], parts) for parts in zip(*lists, strict=True))
    return _scalar(op, op.type, source, values)


def _scalar(op, ty, source, values):
    opcode = op.opcode
    if opcode in INTEGER:
        return INTEGER[opcode](*values, ty.bits) & (1 << ty.bits) - 1
    if opcode == "icmp":
        predicate = op.attrs["predicate"]
        if predicate[0] == "s":
            values = [signed(value, source.bits) for value in values]
        return int(ORDER[predicate[-2:]](*values))
    if opcode == "select":
        return values[1] if values[0] else values[2]
    if opcode == "freeze":
        return values[0]
    if opcode in ("zext", "trunc"):
        return values[0] & (1 << ty.bits) - 1
    if opcode == "sext":
        return signed(values[0], source.bits) & (1 << ty.bits) - 1
    return _floating(op, ty, source, values)


def intrinsic(name, op, values):
    """The value of a function of LLVM that only computes."""
    stem = name.rpartition(".")[0]
    if name.startswith("llvm.vector.extract"):
        vector, start = values
        return vector[start : start + op.type.length]
    if name.startswith("llvm.vector.insert"):
        vector, part, start = values
        return (*vector[:start], *part, *vector[start + len(part) :])
    if name.startswith("llvm.vector.reduce."):
        return reduced(name.split(".")[3], values[0], op.type.bits)
    if name.startswith("llvm.fma"):
        return _fma(*values, op.type.name)
    if stem in FLOATS:
        return FLOATS[stem](*values)
    if stem not in PURE:
        if (oracle := oracle_of(name, op)) is not None:
            return _by_oracle(oracle, op, values)
        raise NotModelledError(f"intrinsic {name}")
    if isinstance(op.type, Vector):
        bits = op.type.element.bits
        values = [value if isinstance(value, tuple) else (value,) * op.type.length for value in values]
        return tuple(PURE[stem](bits, *parts) & (1 << bits) - 1 for parts in zip(*values, strict=True))
    return PURE[stem](op.operands[0].type.bits, *values) & (1 << op.type.bits) - 1


def oracle_of(name, op):
    """The function of arrays that a declared name computes, or None."""
    declared = find_intrinsic(name)
    if declared is None:
        return None
    if declared.name in ORACLES:
        return ORACLES[declared.name](Call(declared.name, op.type, tuple(operand.type for operand in op.operands)))
    word, _, function = declared.compiled.partition(".")
    if word != "approximate":
        return None
    return partial(_approximate, FUNCTIONS[function.removeprefix("ftz.")], function.startswith("ftz."))


def _approximate(function, flushes, *columns):
    """Of doubles, rounded once; `test_elementary` holds these functions against exact numbers."""
    dtype = columns[0].dtype
    columns = [flush_subnormals(column) if flushes else column for column in columns]
    result = function(*(column.astype(np.float64) for column in columns)).astype(dtype)
    return flush_subnormals(result) if flushes else result


def _by_oracle(oracle, op, values):
    columns = [
        np.array([value]).astype(dtype_of(operand.type))
        if isinstance(operand.type, Float)
        else np.array([value], np.uint64).astype(f"u{max(operand.type.bits // 8, 1)}").view(dtype_of(operand.type))
        for operand, value in zip(op.operands, values, strict=True)
    ]
    with np.errstate(all="ignore"):
        (result,) = np.ravel(oracle(*columns))
    return float(result) if isinstance(op.type, Float) else int(result) & (1 << op.type.bits) - 1


def reduced(name, values, bits):
    """All of some integers as one."""
    total, *others = values
    for value in others:
        total = REDUCE[name](total, value, bits) & (1 << bits) - 1
    return total


def _bits_of(ty, value):
    if isinstance(ty, Vector):
        size = ty.element.bits
        return sum(element << size * number for number, element in enumerate(value))
    return value


def _bits_as(ty, bits):
    if isinstance(ty, Vector):
        size = ty.element.bits
        return tuple(bits >> size * number & (1 << size) - 1 for number in range(ty.length))
    return bits


def _floating(op, ty, source, values):
    opcode = op.opcode
    match opcode:
        case "fadd" | "fsub" | "fmul" | "fdiv":
            return ROUND[ty.name](_arithmetic(opcode, *values))
        case "fneg":
            return -values[0]
        case "fcmp":
            return int(_compare(op.attrs["predicate"], *values))
        case "fpext" | "fptrunc":
            return ROUND[ty.name](values[0])
        case "sitofp":
            return rounded(Fraction(signed(values[0], source.bits)), ty.name)
        case "uitofp":
            return rounded(Fraction(values[0]), ty.name)
        case "fptosi" | "fptoui":
            return math.trunc(values[0]) & (1 << ty.bits) - 1
        case "bitcast" if isinstance(ty, Float):
            raw = values[0].to_bytes(size_of(ty), "little")
            return struct.unpack(FORMAT[ty.name], raw)[0]
        case "bitcast":
            return int.from_bytes(struct.pack(FORMAT[source.name], values[0]), "little")
    raise NotModelledError(f"instruction {opcode}")


def _arithmetic(opcode, a, b):
    """In float64, which rounding once more to 32 or 16 bits leaves right."""
    match opcode:
        case "fadd":
            return a + b
        case "fsub":
            return a - b
        case "fmul":
            return a * b
    if b == 0:
        if a == 0 or a != a:
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def _fma(a, b, c, name):
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:  # the sign of an exact zero is the sum's of its parts
        return math.copysign(1, a) * math.copysign(1, b) * 0.0 + c if c == 0 else 0.0
    return rounded(exact, name)


def _compare(predicate, a, b):
    unordered = a != a or b != b
    if predicate in ("true", "false"):
        return predicate == "true"
    if predicate in ("ord", "uno"):
        return unordered == (predicate == "uno")
    if unordered:
        return predicate[0] == "u"
    return ORDER[predicate[1:]](a, b)
