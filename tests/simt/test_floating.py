"""Floating-point functions: what `test_against_llvm.py` cannot compare, and what GPUs approximate."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.simt.exact import rounded, same
from tests.simt.snippets import evaluate

NAN, INF = math.nan, math.inf


def test_fma_of_double_at_the_ends_of_the_range():
    """Large and tiny factors, where splitting them would overflow or lose bits; infinities, and signs of zeros."""
    a = np.array([1e300, 1e-300, 2.0**1000, 1.5, 1e200, 1e308, 1e300, 0.0, 1.0])
    b = np.array([1e8, 1e-10, 1 + 2.0**-52, 2.0**-1074, 1e-200, 10.0, 1e300, -0.0, 1.0])
    c = np.array([-1e307, 2.0**-1074, -(2.0**1000), 0.0, -1.0, -1e308, -INF, -0.0, -1.0])
    exact = [Fraction(x) * Fraction(y) + Fraction(z) for x, y, z in zip(a[:6], b[:6], c[:6], strict=True)]
    expected = [*(rounded(value, "double") for value in exact), -INF, -0.0, 0.0]
    body = "%r = call double @llvm.fma.f64(double %a, double %b, double %c)"

    same(evaluate(body, "double", ("double", a), ("double", b), ("double", c)), expected)


@pytest.mark.parametrize(("name", "expected"), [("minnum", -0.0), ("maxnum", 0.0)])
def test_minus_zero_is_the_smaller_zero(name, expected):
    """LLVM leaves it open; every GPU here has it so."""
    left, right = np.array([0.0, -0.0], np.float32), np.array([-0.0, 0.0], np.float32)
    body = f"%r = call float @llvm.{name}.f32(float %a, float %b)"

    same(evaluate(body, "float", ("float", left), ("float", right)), [expected] * 2)
    body = f"%r = call float @llvm.vector.reduce.f{name[:3]}.v2f32(<2 x float> %a)"
    same(evaluate(body, "float", ("<2 x float>", np.array([left, right]))), [expected] * 2)


FUNCTIONS = {
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
    "atan": math.atan,
    "asin": lambda x: math.asin(x) if x <= 1 else NAN,
    "acos": lambda x: math.acos(x) if x <= 1 else NAN,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_within_one_unit_and_declared_approximate(name):
    """Computed wide and rounded; the record says that hardware may differ."""
    values = np.array([0.1, 0.5, 1.0, 2.0, 3.25], np.float32)
    got = evaluate(f"%r = call float @llvm.{name}.f32(float %a)", "float", ("float", values))

    expected = np.array([FUNCTIONS[name](x) for x in values.tolist()])
    np.testing.assert_allclose(got, expected, rtol=2.0**-24, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("ex2.approx.ftz.f", -140.0, 0.0),
        ("ex2.approx.f", -140.0, 2.0**-140),
        ("lg2.approx.ftz.f", 2.0**-140, -INF),
        ("rcp.approx.ftz.f", 2.0**-140, INF),
        ("sqrt.rn.ftz.f", 2.0**-140, 0.0),
        ("rsqrt.approx.ftz.f", 4.0, 0.5),
    ],
)
def test_flushing_functions_of_nvidia(name, value, expected):
    """`ftz` makes subnormal arguments and results zero."""
    got = evaluate(f"%r = call float @llvm.nvvm.{name}(float %a)", "float", ("float", [value]))

    assert got.tolist() == [expected]


@pytest.mark.parametrize(
    ("ty", "bits", "values", "expected"),
    [
        ("half", "i16", [0x7C01, 0xFE00, 0x3C00, 0x8000], [0x7E01, 0xFE00, 0x3C00, 0x8000]),
        ("bfloat", "i16", [0x7F81, 0xFFC0, 0x3F80, 0x8000], [0x7FC1, 0xFFC0, 0x3F80, 0x8000]),
        ("float", "i32", [0x7F800001, 0xFFC00000, 0x3F800000, 1 << 31], [0x7FC00001, 0xFFC00000, 0x3F800000, 1 << 31]),
        ("double", "i64", [0x7FF << 52 | 1, 1 << 63], [0x7FF << 52 | 1 << 51 | 1, 1 << 63]),
    ],
)
def test_the_canonical_form_of_a_nan_is_a_quiet_one(ty, bits, values, expected):
    """All else is its own, bit by bit."""
    suffix = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}[ty]
    body = f"""
      %f = bitcast {bits} %a to {ty}
      %c = call {ty} @llvm.canonicalize.{suffix}({ty} %f)
      %r = bitcast {ty} %c to {bits}"""
    got = evaluate(body, bits, (bits, values)).tolist()

    assert [value % (1 << int(bits[1:])) for value in got] == expected


@pytest.mark.parametrize(("name", "target"), [("llvm.amdgcn.fract", "amd:gfx942"), ("air.fract", "apple:apple-m4")])
def test_a_fraction_is_below_one(name, target):
    """Where the exact one lies nearer to one than to any float below it, too."""
    values = np.array([1.25, -1.25, -1e-10, -0.0, 3.0, INF, NAN], np.float32)
    below = np.nextafter(np.float32(1), np.float32(0))
    got = evaluate(f"%r = call float @{name}.f32(float %a)", "float", ("float", values), target=target)

    same(got, [0.25, 0.75, below, 0.0, 0.0, NAN, NAN])


def test_the_second_of_three_is_the_least_of_two_numbers():
    """Where the third one is none, wherever it stands."""
    rows = np.array([[3, 1, 2], [NAN, 5, 4], [5, NAN, 4], [4, 5, NAN], [NAN, NAN, 7], [-INF, INF, 0]], np.float32)
    given = [("float", column) for column in rows.T]
    body = "%r = call float @llvm.amdgcn.fmed3.f32(float %a, float %b, float %c)"

    assert evaluate(body, "float", *given, target="amd:gfx942").tolist() == [2, 4, 4, 4, 7, 0]
