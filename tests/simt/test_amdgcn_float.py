"""AMD's float instructions against exact arithmetic, by both engines."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.simt.exact import FORMATS, rounded, same
from tests.simt.snippets import evaluate

pytestmark = pytest.mark.slow  # together they take seconds

NAME = "llvm.amdgcn"
RNG = np.random.default_rng(67)
LLVM = {"half": "f16", "float": "f32", "double": "f64"}


def numbers(kind, count):
    """Return numbers of a kind of all sizes, with zeros, denormal ones, infinities and NaNs."""
    precision, low, high = FORMATS[kind]
    smallest = 2.0 ** (low - precision + 1)
    edges = [0.0, 1.0, 0.75, 2.0**low, smallest, 3 * smallest, 2.0**low - smallest, math.inf, math.nan]
    edges += [(2 - 2.0 ** (1 - precision)) * 2.0**high]
    edges += [-edge for edge in edges]
    drawn = RNG.standard_normal(count - len(edges)) * 2.0 ** RNG.integers(low - 3, high - 3, count - len(edges))
    return edges + [rounded(Fraction(float(value)), kind) for value in drawn]


def both(body, result, *given, target="amd:gfx942"):
    """Yield the results of both engines."""
    for engine in ("reference", "native"):
        yield evaluate(body, result, *given, target=target, engine=engine)


@pytest.mark.parametrize("kind", LLVM)
def test_a_number_comes_apart_into_mantissa_and_exponent(kind):
    """As `frexp` of C does it; what is infinite or no number stays, with exponent 0."""
    inputs = numbers(kind, 128)
    split = [math.frexp(value) if math.isfinite(value) else (value, 0) for value in inputs]
    suffix = LLVM[kind]
    for got in both(f"%r = call {kind} @{NAME}.frexp.mant.{suffix}({kind} %a)", kind, (kind, inputs)):
        same(got, [fraction for fraction, _ in split])
    ty = "i16" if kind == "half" else "i32"
    for got in both(f"%r = call {ty} @{NAME}.frexp.exp.{ty}.{suffix}({kind} %a)", ty, (kind, inputs)):
        assert got.tolist() == [exponent for _, exponent in split]


PATTERNS = {
    "half": [
        0x7C01,
        0xFC01,
        0x7E00,
        0xFE00,
        0xFC00,
        0x7C00,
        0xBC00,
        0x3C00,
        0x8001,
        0x0001,
        0x8000,
        0x0000,
        0x83FF,
        0x0400,
    ],
    "float": [
        2139095041,
        4286578689,
        2143289344,
        4290772992,
        4286578688,
        2139095040,
        3212836864,
        1065353216,
        2147483649,
        1,
        2147483648,
        0,
        2155872255,
        8388608,
    ],
    "double": [
        9218868437227405313,
        18442240474082181121,
        9221120237041090560,
        18444492273895866368,
        18442240474082181120,
        9218868437227405312,
        13830554455654793216,
        4607182418800017408,
        9223372036854775809,
        1,
        1 << 63,
        0,
        9227875636482146303,
        1 << 52,
    ],
}
# Of each pattern the bit of its class: of AMD's order, and of LLVM's.
CLASSES = [0, 0, 1, 1, 2, 9, 3, 8, 4, 7, 5, 6, 4, 8]


@pytest.mark.parametrize("kind", LLVM)
@pytest.mark.parametrize("constant", [None, 0x1F8])
def test_a_float_is_of_one_class(kind, constant):
    """Each is tested for each of the ten classes, and for some together; a mask need not be constant."""
    bits = {"half": 16, "float": 32, "double": 64}[kind]
    masks = [1 << place for place in range(10)] + [0, 0x3FF, 0x1F8, 0x3]
    patterns = [pattern for pattern in PATTERNS[kind] for _ in masks]
    wanted = [constant or mask for _ in PATTERNS[kind] for mask in masks]
    expected = [mask >> place & 1 for place in CLASSES for mask in ([constant] * len(masks) if constant else masks)]
    patterns, wanted, expected = patterns[:196], wanted[:196], expected[:196]
    mask = "%b" if constant is None else str(constant)
    body = f"""%x = bitcast i{bits} %a to {kind}
  %c = call i1 @{NAME}.class.{LLVM[kind]}({kind} %x, i32 {mask})
  %r = zext i1 %c to i32"""
    for got in both(body, "i32", (f"i{bits}", patterns), ("i32", wanted)):
        assert got.tolist() == expected


DOTS = {
    "fdot2": ("half", "float", True, "amd:gfx942"),
    "fdot2.f32.bf16": ("bfloat", "float", True, "amd:gfx1100"),
    "fdot2c.f32.bf16": ("bfloat", "float", True, "amd:gfx950"),
    "fdot2.f16.f16": ("half", "half", False, "amd:gfx1100"),
    "fdot2.bf16.bf16": ("bfloat", "bfloat", False, "amd:gfx1100"),
}


@pytest.mark.parametrize(("name", "clamp"), [(name, clamp) for name in DOTS for clamp in {False, DOTS[name][2]}])
def test_a_dot_product_of_pairs_is_rounded_after_each_product(name, clamp):
    """The lower product is added to the third number, then the upper one."""
    element, ty, clamps, target = DOTS[name]
    drawn = RNG.standard_normal((64, 5)) * 2.0 ** RNG.integers(-6, 6, (64, 5))
    rows = [[rounded(Fraction(float(value)), element) for value in row[:4]] + [float(row[4])] for row in drawn]
    rows = [(*row[:4], rounded(Fraction(row[4]), ty)) for row in rows]
    expected = []
    for a, b, c, d, addend in rows:
        first = rounded(Fraction(a) * Fraction(c) + Fraction(addend), ty)
        total = rounded(Fraction(b) * Fraction(d) + Fraction(first), ty)
        expected.append(min(1.0, max(0.0, total)) if clamp else total)
    vector = f"<2 x {element}>"
    more = f", i1 {str(clamp).lower()}" if clamps else ""
    body = f"%r = call {ty} @{NAME}.{name}({vector} %a, {vector} %b, {ty} %c{more})"
    given = [(vector, [row[:2] for row in rows]), (vector, [row[2:4] for row in rows]), (ty, [row[4] for row in rows])]
    engines = ("reference", "native") if ty == "float" else ("reference",)  # of 16 bits an `fma` would be rounded twice
    for engine in engines:
        got = evaluate(body, ty, *given, target=target, engine=engine)
        same(got, expected)


def test_a_legacy_product_with_zero_is_zero():
    inputs = [0.0, -0.0, 2.0, math.inf, math.nan, -3.0]
    rows = [(left, right, third) for left in inputs for right in inputs for third in (1.5, -0.0)]
    products = [0.0 if 0 in (left, right) else left * right for left, right, _ in rows]
    given = [("float", list(column)) for column in zip(*rows, strict=True)]
    body = f"%r = call float @{NAME}.fmul.legacy(float %a, float %b)"
    for got in both(body, "float", *given, target="amd:gfx90a"):
        same(got, products)
    body = f"%r = call float @{NAME}.fma.legacy(float %a, float %b, float %c)"
    for got in both(body, "float", *given, target="amd:gfx1030"):
        same(got, [product + third for product, (_, _, third) in zip(products, rows, strict=True)])


def test_floats_become_halves_toward_zero():
    inputs = [
        0.0,
        -0.0,
        1.0009,
        -1.0009,
        65519.0,
        1e9,
        -1e9,
        math.inf,
        1e-7,
        5.9e-8,
        0.1,
        -0.1,
        3.9999,
        2.0**-24,
        1.0,
        math.nan,
    ]
    near = np.array(inputs, np.float32).astype(np.float64)
    with np.errstate(over="ignore"):
        halves = near.astype(np.float16)
    below = np.abs(halves.astype(np.float64)) > np.abs(near)
    expected = np.where(below & np.isfinite(near), np.nextafter(halves, np.float16(0)), halves).astype(np.float64)
    body = f"%r = call <2 x half> @{NAME}.cvt.pkrtz(float %a, float %b)"
    given = [("float", inputs), ("float", inputs[::-1])]
    got = evaluate(body, "<2 x half>", *given, target="amd:gfx942")
    same(got, np.stack([expected, expected[::-1]], 1))


def test_four_bits_become_sixteenths():
    inputs = list(range(32))
    for got in both(f"%r = call float @{NAME}.cvt.off.f32.i4(i32 %a)", "float", ("i32", inputs)):
        assert got.tolist() == [((value & 15) - 16 * (value >> 3 & 1)) / 16 for value in inputs]
