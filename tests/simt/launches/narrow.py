"""Floats of 16 bits: the bits that the interpreter gives, of all kinds of numbers."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from tests.simt.engines import OUT, VALUE
from tests.simt.launches.row import Row

__all__ = ["LEFT_NARROW", "NARROW_FLOATS"]

LANES = 4096
NARROW = ("half", "bfloat")
SUFFIX = {"half": "f16", "bfloat": "bf16"}
TAKEN = """
  %vl = trunc i32 %v to i16
  %vs = lshr i32 %v, 16
  %vh = trunc i32 %vs to i16
  %x = bitcast i16 %vl to TYPE
  %y = bitcast i16 %vh to TYPE
"""
GIVEN = "\n  %z16 = bitcast TYPE %z to i16\n  %w = zext i16 %z16 to i32"
NUMBERS = (
    "call TYPE @llvm.fma.SUFFIX(TYPE %x, TYPE %y, TYPE %x)",
    "call TYPE @llvm.maximum.SUFFIX(TYPE %x, TYPE %y)",
    "call TYPE @llvm.minnum.SUFFIX(TYPE %x, TYPE %y)",
    "fadd TYPE %x, %y",
    "fsub TYPE %x, %y",
    "fmul TYPE %x, %y",
    "fdiv TYPE %x, %y",
    "fneg TYPE %x",
    "call TYPE @llvm.sqrt.SUFFIX(TYPE %x)",
    "call TYPE @llvm.fabs.SUFFIX(TYPE %x)",
    "call TYPE @llvm.floor.SUFFIX(TYPE %x)",
    "call TYPE @llvm.rint.SUFFIX(TYPE %x)",
    "fadd TYPE %x, ONE",
)
ONE = {"half": "0xH3C00", "bfloat": "0xR3F80"}
OTHERS = {
    "less": "%c = fcmp olt TYPE %x, %y\n  %w = zext i1 %c to i32",
    "unordered or equal": "%c = fcmp ueq TYPE %x, %y\n  %w = zext i1 %c to i32",
    "to a float": "%f = fpext TYPE %x to float\n  %w = bitcast float %f to i32",
    "to a double": "%f = fpext TYPE %x to double\n  %d = fadd double %f, 0.0\n"
    "  %g = fptrunc double %d to float\n  %w = bitcast float %g to i32",
    "of a float": "%vq = or i32 %v, 4194304\n  %f = bitcast i32 %vq to float\n  %z = fptrunc float %f to TYPE",
    "to an integer": "%w = call i32 @air.convert.s.i32.f.SUFFIX(TYPE %x)",
    "two at once": "%p2 = bitcast i32 %v to <2 x TYPE>\n  %q2 = fmul <2 x TYPE> %p2, %p2\n"
    "  %w = bitcast <2 x TYPE> %q2 to i32",
    "through memory": "%l = alloca <2 x TYPE>\n  %p2 = bitcast i32 %v to <2 x TYPE>\n  store <2 x TYPE> %p2, ptr %l\n"
    "  %z = load TYPE, ptr %l",
}
APPLE = {
    "to a float": "%f = call float @air.convert.f.f32.f.SUFFIX(TYPE %x)\n  %w = bitcast float %f to i32",
    "of a float": "%vq = or i32 %v, 4194304\n  %f = bitcast i32 %vq to float\n"
    "  %z = call TYPE @air.convert.f.SUFFIX.f.f32(float %f)",
    "to itself": "%z = call TYPE @air.convert.f.SUFFIX.f.SUFFIX(TYPE %x)",
    "two at once": "%p2 = bitcast i32 %v to <2 x TYPE>\n"
    "  %f2 = call <2 x float> @air.convert.f.v2f32.f.v2SUFFIX(<2 x TYPE> %p2)\n"
    "  %f = extractelement <2 x float> %f2, i32 1\n  %w = bitcast float %f to i32",
}


def bits(kind: str) -> np.ndarray:
    """Return two numbers of 16 bits each: any, at most one of them a NaN, and some that are nearly the same."""
    random = np.random.default_rng(16)
    found = random.integers(0, 1 << 16, (LANES, 2), np.uint32)
    found[: LANES // 4, 1] = found[: LANES // 4, 0] + random.integers(-3, 4, LANES // 4)  # nearly the same
    exponent, mantissa = (0x7C00, 0x3FF) if kind == "half" else (0x7F80, 0x7F)
    none = (found & exponent == exponent) & (found & mantissa != 0)
    found[:, 1] = np.where(none.all(1), 0x3C00, found[:, 1])
    found |= np.where(none, (mantissa + 1) >> 1, 0).astype(np.uint32)  # those that signal are rows of their own
    found &= 0xFFFF
    return (found[:, 0] | found[:, 1] << 16).view(np.int32)


VALUES = {kind: bits(kind) for kind in NARROW}
NVIDIA = "nvidia:sm_90"


def _row(name: str, lines: str, kind: str, target: str = NVIDIA, **facts: Any) -> Row:
    """Return a row of lines that make `%z` or `%w` of `%x` and `%y`."""
    body = f"{VALUE}{TAKEN}  {lines}{'' if '%w =' in lines else GIVEN}{OUT}"
    for word, text in (("TYPE", kind), ("SUFFIX", SUFFIX[kind]), ("ONE", ONE[kind])):
        body = body.replace(word, text)
    how = {"size": LANES, "block": 256, "grid": LANES // 256, "values": VALUES[kind], "target": target}
    return Row(f"{kind}: {name}", body, how, scalar=None, **facts)  # the reference gives other NaNs


def _signalling(name: str, lines: str) -> Row:
    """Return a row with a NaN that signals: it keeps its bits, while this host would quiet it."""
    values = np.full(64, 0x3C00, np.int32)
    values[7] = 0x7FA17D01  # as a half, and as a float
    body = f"{VALUE}{TAKEN}  {lines}{'' if '%w =' in lines else GIVEN}{OUT}".replace("TYPE", "half")
    return Row(f"half: {name} that signals", body, {"values": values}, 0, scalar=None)


WHOLE = {
    "of a whole number": ("%z = sitofp i32 %v to half", NVIDIA),
    "of a smaller one": ("%f = sdiv i32 %v, 65536\n  %z = sitofp i32 %f to half", NVIDIA),
    **{
        f"of a whole number, {sign} of Apple": (
            f"%z = call half @air.convert.f.f16.{sign}.i32(i32 %v)",
            "apple:apple-m4",
        )
        for sign in "su"
    },
}
# What would be rounded twice.
TWICE = {
    "an integer": ("%z = sitofp i32 %v to TYPE", "bfloat", NVIDIA),
    "a double": ("%f = sitofp i32 %v to double\n  %z = fptrunc double %f to TYPE", "half", NVIDIA),
    "an integer of Apple's": ("%z = call TYPE @air.convert.f.SUFFIX.s.i32(i32 %v)", "bfloat", "apple:apple-m4"),
}
NARROW_FLOATS = (
    *(_row(each, f"%z = {each}", kind) for each, kind in product(NUMBERS, NARROW)),
    *(_row(name, OTHERS[name], kind) for name, kind in product(OTHERS, NARROW)),
    *(_row(f"Apple's, {name}", APPLE[name], kind, "apple:apple-m4") for name, kind in product(APPLE, NARROW)),
    *(_row(name, lines, "half", target) for name, (lines, target) in WHOLE.items()),
)
LEFT_NARROW = (
    *(_row(f"twice, {name}", lines, kind, target, compiled=0) for name, (lines, kind, target) in TWICE.items()),
    _signalling("a half", OTHERS["to a float"]),
    _signalling("a float", OTHERS["of a float"].replace("4194304", "0")),
)
