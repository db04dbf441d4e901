"""What LLVM leaves open, and the comparison leaves out.

Poison: the value may be anything, so only that it is marked is compared. Undefined behaviour: such operands are
left out. Unsaid: LLVM allows several results, and this machine has another one than the simulator, which has that
of a GPU. Of a NaN that was computed only that it is one is compared: LLVM leaves its sign and its payload open.
See: https://llvm.org/docs/LangRef.html
"""

from __future__ import annotations

import math

from tests.simt.against_llvm.shapes import FLOATS

__all__ = ["FAULTS", "UNSAID", "narrowed", "no_finite", "no_number", "overflowing", "poison", "unfit"]


def _shift(a, b, bits):
    return b % (1 << bits) >= bits


def _leaves(function, signed):
    """Whether a result does not fit its width."""

    def leaves(a, b, bits):
        if not signed:
            a, b = a % (1 << bits), b % (1 << bits)
        exact = function(a, b)
        return not (-(1 << bits - 1) <= exact < 1 << bits - 1 if signed else 0 <= exact < 1 << bits)

    return leaves


def _lost_left(signed):
    def lost(a, b, bits):
        amount = b % (1 << bits)
        if amount >= bits:
            return True
        limit = bits - amount - signed  # how many bits may be used
        return not (-(1 << limit) <= a < 1 << limit) if signed else a % (1 << bits) >> limit != 0

    return lost


def _lost_right(a, b, bits):
    amount = b % (1 << bits)
    return amount >= bits or a & (1 << amount) - 1 != 0


# By the opcode and its flag, of numbers with their sign and their width.
POISON = {
    **{
        (opcode, flag): _leaves(function, flag == "nsw")
        for opcode, function in {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
        }.items()
        for flag in ("nsw", "nuw")
    },
    ("shl", ""): _shift,
    ("lshr", ""): _shift,
    ("ashr", ""): _shift,
    ("shl", "nsw"): _lost_left(True),
    ("shl", "nuw"): _lost_left(False),
    ("lshr", "exact"): _lost_right,
    ("ashr", "exact"): _lost_right,
    ("udiv", "exact"): lambda a, b, bits: a % (1 << bits) % (b % (1 << bits)) != 0,
    ("sdiv", "exact"): lambda a, b, bits: a % b != 0,
    ("or", "disjoint"): lambda a, b, bits: a & b != 0,
    ("icmp", "samesign"): lambda a, b, bits: (a < 0) != (b < 0),
    ("zext", "nneg"): lambda a, bits: a < 0,
    ("uitofp", "nneg"): lambda a, bits: a < 0,
}


def poison(opcode, flags, bits):
    """When an integer instruction with some flags gives poison, or None if it never does.

    Args:
        bits: Of the operands.
    """
    rules = [POISON[opcode, flag] for flag in ("", *flags) if (opcode, flag) in POISON]
    if not rules:
        return None
    count = 1 if opcode in ("zext", "uitofp") else 2
    return lambda *numbers: any(rule(*numbers[:count], bits) for rule in rules)


def narrowed(flags, bits):
    """When a `trunc` to some bits gives poison."""
    half, full = 1 << bits - 1, 1 << bits
    if not flags:
        return None
    return lambda a, _: ("nsw" in flags and not -half <= a < half) or ("nuw" in flags and not 0 <= a < full)


def unfit(low, high):
    """When a float that is cut toward zero gives poison."""
    return lambda a, _: not math.isfinite(a) or not low <= math.trunc(a) <= high


def no_number(*numbers):
    """`nnan`: an operand or the result is a NaN."""
    return any(isinstance(number, float) and math.isnan(number) for number in numbers)


def no_finite(*numbers):
    """`ninf`: an operand or the result is infinite."""
    return any(isinstance(number, float) and math.isinf(number) for number in numbers)


def _by_zero(a, b):
    return b == 0


# Undefined behaviour, of numbers; the simulator reports the first, and calls the second poison.
FAULTS = {"udiv": _by_zero, "urem": _by_zero}


def overflowing(bits):
    """When `sdiv` and `srem` of a width are undefined behaviour."""
    return lambda a, b: b == 0 or (b == -1 and a == -(1 << bits - 1))


def _signalling(element, pattern):
    exponent, fraction = FLOATS[element]
    infinity = (1 << exponent) - 1 << fraction
    size = pattern & (1 << exponent + fraction) - 1
    return infinity < size < infinity | 1 << fraction - 1


def _zeros_or_signalling(element):
    low = (1 << sum(FLOATS[element])) - 1

    def unsaid(*patterns):
        zeros = {pattern for pattern in patterns if not pattern & low}
        return len(zeros) > 1 or any(_signalling(element, pattern) for pattern in patterns)

    return unsaid


def _no_finite(element):
    exponent, fraction = FLOATS[element]
    return lambda a, *_: a >> fraction & (1 << exponent) - 1 == (1 << exponent) - 1


# By intrinsic, what makes of a format the patterns of which LLVM leaves the result open.
UNSAID = {
    "llvm.minnum": _zeros_or_signalling,  # which zero; whether a signalling NaN counts as missing
    "llvm.maxnum": _zeros_or_signalling,
    "llvm.vector.reduce.fmin": lambda element: lambda vector: _zeros_or_signalling(element)(*vector),
    "llvm.vector.reduce.fmax": lambda element: lambda vector: _zeros_or_signalling(element)(*vector),
    "llvm.frexp": _no_finite,  # the exponent of infinity and of NaN
}
