"""Floats of 16 bits as machine code: the bits that Python gives, of all kinds of numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simt.engines import OUT, VALUE, both

pytestmark = pytest.mark.slow

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


def bits(kind):
    """Two numbers of 16 bits each: any at all, of which one alone is no number, those between two, and the least."""
    random = np.random.default_rng(16)
    found = random.integers(0, 1 << 16, (LANES, 2), np.uint32)
    found[: LANES // 4, 1] = found[: LANES // 4, 0] + random.integers(-3, 4, LANES // 4)  # nearly the same
    exponent, mantissa = (0x7C00, 0x3FF) if kind == "half" else (0x7F80, 0x7F)
    none = (found & exponent == exponent) & (found & mantissa != 0)
    found[:, 1] = np.where(none.all(1), 0x3C00, found[:, 1])
    found |= np.where(none, (mantissa + 1) >> 1, 0).astype(np.uint32)  # those that signal are another test's
    found &= 0xFFFF
    return (found[:, 0] | found[:, 1] << 16).view(np.int32)


def same(lines, kind, target="nvidia:sm_90"):
    """Whether machine code did the same."""
    body = f"{VALUE}{TAKEN}  {lines}{'' if '%w =' in lines else GIVEN}{OUT}"
    for word, text in (("TYPE", kind), ("SUFFIX", SUFFIX[kind]), ("ONE", ONE[kind])):
        body = body.replace(word, text)
    result = both(body, size=LANES, block=256, grid=LANES // 256, values=bits(kind), target=target)
    return result.engine.native == LANES // 256


@pytest.mark.parametrize("kind", NARROW)
@pytest.mark.parametrize("instruction", NUMBERS)
def test_each_result_is_rounded_once(instruction, kind):
    assert same(f"%z = {instruction}", kind)


@pytest.mark.parametrize("kind", NARROW)
@pytest.mark.parametrize("what", OTHERS)
def test_they_are_compared_converted_and_stored(what, kind):
    assert same(OTHERS[what], kind)


def test_whole_numbers_become_halves():
    assert same("%z = sitofp i32 %v to half", "half")
    assert same("%f = sdiv i32 %v, 65536\n  %z = sitofp i32 %f to half", "half")


APPLE = {
    "to a float": "%f = call float @air.convert.f.f32.f.SUFFIX(TYPE %x)\n  %w = bitcast float %f to i32",
    "of a float": "%vq = or i32 %v, 4194304\n  %f = bitcast i32 %vq to float\n"
    "  %z = call TYPE @air.convert.f.SUFFIX.f.f32(float %f)",
    "to itself": "%z = call TYPE @air.convert.f.SUFFIX.f.SUFFIX(TYPE %x)",
    "two at once": "%p2 = bitcast i32 %v to <2 x TYPE>\n"
    "  %f2 = call <2 x float> @air.convert.f.v2f32.f.v2SUFFIX(<2 x TYPE> %p2)\n"
    "  %f = extractelement <2 x float> %f2, i32 1\n  %w = bitcast float %f to i32",
}


@pytest.mark.parametrize("kind", NARROW)
@pytest.mark.parametrize("what", APPLE)
def test_they_are_converted_as_apple_has_it(what, kind):
    assert same(APPLE[what], kind, "apple:apple-m4")


@pytest.mark.parametrize("sign", ["s", "u"])
def test_whole_numbers_become_halves_as_apple_has_it(sign):
    assert same(f"%z = call half @air.convert.f.f16.{sign}.i32(i32 %v)", "half", "apple:apple-m4")


@pytest.mark.parametrize(
    ("lines", "kind", "target"),
    [
        ("%z = sitofp i32 %v to TYPE", "bfloat", "nvidia:sm_90"),
        ("%f = sitofp i32 %v to double\n  %z = fptrunc double %f to TYPE", "half", "nvidia:sm_90"),
        ("%z = call TYPE @air.convert.f.SUFFIX.s.i32(i32 %v)", "bfloat", "apple:apple-m4"),
    ],
    ids=["an integer", "a double", "an integer of Apple's"],
)
def test_what_would_be_rounded_twice_python_rounds(lines, kind, target):
    assert not same(lines, kind, target)


@pytest.mark.parametrize(
    "lines", [OTHERS["to a float"], OTHERS["of a float"].replace("4194304", "0")], ids=["a half", "a float"]
)
def test_a_nan_that_signals_is_converted_in_python(lines):
    """Which keeps its bits, while this host quiets it."""
    values = np.full(64, 0x3C00, np.int32)
    values[7] = 0x7FA17D01  # as a half, and as a float
    body = f"{VALUE}{TAKEN}  {lines}{'' if '%w =' in lines else GIVEN}{OUT}".replace("TYPE", "half")

    assert both(body, values=values).engine.python == 1
