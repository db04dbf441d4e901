"""NVIDIA's intrinsics that are an instruction of PTX each, against the rules of the PTX ISA, by both engines."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from harness.simt.compile.registry import all_intrinsics
from tests.simt.exact import FORMATS, rounded, same
from tests.simt.snippets import evaluate

pytestmark = pytest.mark.slow  # together they take seconds

NAME = "llvm.nvvm"
KINDS = {"f16": "half", "bf16": "bfloat", "f": "float", "d": "double"}
BLOCK = 32
RNG = np.random.default_rng(90)
NAMES = [name for name, intrinsic in all_intrinsics().items() if intrinsic.kind == "expanded" and name.startswith(NAME)]


def numbers(kind, count):
    """Return edges, crossed, and numbers of all sizes, as floats that the kind has."""
    precision, low, high = FORMATS[kind]
    edges = [
        0.0,
        1.0,
        0.5,
        1.5,
        math.inf,
        math.nan,
        2.0**low,
        2.0 ** (low - precision + 1),
        (2 - 2.0 ** (1 - precision)) * 2.0**high,
    ]
    edges += [-edge for edge in edges]
    rows = list(product(edges, repeat=count)) if count < 3 else [tuple(RNG.choice(edges, count)) for _ in range(300)]
    drawn = RNG.standard_normal((96, count)) * 2.0 ** RNG.integers(low // 3, high // 3, (96, count))
    near = drawn[:, :1] * np.array([1, 1 + 2.0 ** (1 - precision), -1])[:count]
    rows += [tuple(rounded(Fraction(float(value)), kind) for value in row) for row in (*drawn, *near)]
    rows += rows[: -len(rows) % BLOCK]
    return [list(column) for column in zip(*rows, strict=True)]


def flushed(value, kind):
    """Return zero in place of a denormal number."""
    return math.copysign(0.0, value) if abs(value) < 2.0 ** FORMATS[kind][1] else value


def cut(value, words):
    """Return a result as `relu` and `sat` leave it."""
    if "relu" in words and value <= 0:
        return 0.0
    if "sat" in words:
        return 0.0 if math.isnan(value) or value <= 0 else min(value, 1.0)
    return value


def exponent_of(exact):
    """Return the exponent of the power of two that is not larger than a fraction."""
    exponent = abs(exact).numerator.bit_length() - abs(exact).denominator.bit_length()
    return exponent - (Fraction(2) ** exponent > abs(exact))


def directed(exact, kind, mode):
    """Return a fraction that is not 0 rounded to nearest or in a direction."""
    if mode == "rn":
        return math.copysign(rounded(exact, kind), 1 if exact > 0 else -1)
    precision, low, high = FORMATS[kind]
    largest = (2 - 2.0 ** (1 - precision)) * 2.0**high
    unit = Fraction(2) ** (max(exponent_of(exact), low) - precision + 1)
    upward = mode == "rp" or (mode == "rz" and exact < 0)
    whole = (math.ceil if upward else math.floor)(exact / unit) * unit
    if abs(whole) > Fraction(largest):
        return math.copysign(largest if (exact > 0) != upward else math.inf, 1 if exact > 0 else -1)
    return math.copysign(float(whole), 1 if exact > 0 else -1)


def exactly(name, values):
    """Return what an operation on finite numbers gives, as a fraction; of a root one with 600 bits."""
    a, b, c = (Fraction(value) for value in (*values, 0.0, 0.0)[:3])
    if name == "sqrt":
        return Fraction(math.isqrt(int(a * 4**1200)), 2**1200)
    return a * b + c if name == "fma" else a + b if name == "add" else a * b if name == "mul" else a / b


def special(name, values, mode):
    """Return a result that is a zero, an infinity or a NaN."""
    a, b, c = (np.float64(value) for value in (*values, 0.0, 0.0)[:3])
    with np.errstate(all="ignore"):
        if name == "sqrt":
            return float(np.sqrt(a))
        if name == "div":
            return float(a / b)
        if name == "mul":
            return float(a * b)
        first = math.copysign(1, a) * math.copysign(1, b) if name == "fma" else a
        last = c if name == "fma" else b
        if name == "fma" and (not np.isfinite(a) or not np.isfinite(b)):
            first = a * b
        if np.isfinite(first) and np.isfinite(last):  # a sum that is 0
            agree = math.copysign(1, first) == math.copysign(1, last)
            return math.copysign(0.0, first if agree else -1 if mode == "rm" else 1)
        return float(first + last)


def arithmetic(name, kind, words, values):
    """Return what an instruction of floats gives."""
    if "ftz" in words:
        values = [flushed(value, kind) for value in values]
    mode = next(word for word in words if word in ("rn", "rz", "rm", "rp"))
    undefined = (name == "div" and values[1] == 0) or (name == "sqrt" and values[0] < 0)
    exact = exactly(name, values) if all(map(math.isfinite, values)) and not undefined else 0
    result = directed(exact, kind, mode) if exact else special(name, values, mode)
    return cut(flushed(result, kind) if "ftz" in words else result, words)


def extreme(name, kind, words, values):
    """Return what `min` or `max` gives, by the pseudocode of the PTX ISA."""
    first, second = (flushed(value, kind) if "ftz" in words else value for value in values)
    negative = math.copysign(1, first) != math.copysign(1, second)
    if "xorsign" in words:
        first, second = abs(first), abs(second)
    nans = math.isnan(first), math.isnan(second)
    if all(nans) or ("nan" in words and any(nans)):
        return math.nan
    if any(nans):
        result = second if nans[0] else first
    else:  # -0 is smaller than 0
        result = (min if name == "fmin" else max)((first, second), key=lambda value: (value, math.copysign(1, value)))
    return math.copysign(result, -1 if negative else 1) if "xorsign" in words else result


ENGINES = ("reference", "native")
FLOATS = [
    (name, *found.groups())
    for name in NAMES
    if (
        found := re.fullmatch(
            r"llvm\.nvvm\.(fma|add|mul|div|sqrt|fmin|fmax)((?:\.\w+)*)\.(f16|f16x2|bf16|bf16x2|f|d)", name
        )
    )
]


@pytest.mark.parametrize(("name", "stem", "more", "kind"), FLOATS, ids=[name for name, *_ in FLOATS])
def test_an_instruction_of_floats_follows_the_rules_of_ptx(name, stem, more, kind):
    words, element = more.split("."), KINDS[kind.removesuffix("x2")]
    count = {"fma": 3, "sqrt": 1}.get(stem, 2)
    model = extreme if stem in ("fmin", "fmax") else arithmetic
    columns = numbers(element, count)
    expected = [model(stem, element, words, row) for row in zip(*columns, strict=True)]
    ty = f"<2 x {element}>" if kind.endswith("x2") else element
    if kind.endswith("x2"):  # the second element is that of the next row
        columns = [list(zip(column, column[1:] + column[:1], strict=True)) for column in columns]
        expected = list(zip(expected, expected[1:] + expected[:1], strict=True))
    body = f"%r = call {ty} @{name}({', '.join(f'{ty} %{letter}' for letter in 'abc'[:count])})"
    for engine in ENGINES:
        got = evaluate(body, ty, *((ty, column) for column in columns), block=BLOCK, engine=engine)
        same(got, expected)


CONVERSIONS = [
    (name, *found.groups())
    for name in NAMES
    if (
        found := re.fullmatch(
            r"llvm\.nvvm\.(f2|ff2)(f16|bf16|f16x2|bf16x2|tf32)\.(rn|rz|rna)(\.relu)?(\.satfinite)?", name
        )
    )
]
TF32 = {"tf32": (11, -126, 127)}


def converted(value, kind, mode, relu, satfinite):
    """Return a float32 as a narrower float."""
    precision, _, high = (FORMATS | TF32)[kind]
    largest = (2 - 2.0 ** (1 - precision)) * 2.0**high
    if math.isfinite(value):
        if kind == "tf32":
            raw = int(np.float32(value).view(np.uint32))
            half, odd = raw & 0x1FFF, raw >> 13 & 1
            up = mode != "rz" and (half > 0x1000 or (half == 0x1000 and (mode == "rna" or odd)))
            result = float(np.uint32((raw & ~0x1FFF) + (0x2000 if up else 0)).view(np.float32))
        else:
            result = directed(Fraction(value), kind, mode) if value else value
    else:
        result = value
    if satfinite and not math.isnan(result):
        result = max(-largest, min(largest, result))
    return 0.0 if relu and result <= 0 else result


@pytest.mark.parametrize(
    ("name", "start", "kind", "mode", "relu", "satfinite"), CONVERSIONS, ids=[name for name, *_ in CONVERSIONS]
)
def test_a_conversion_rounds_once(name, start, kind, mode, relu, satfinite):
    """Of two floats the first becomes the upper half."""
    element = KINDS.get(kind.removesuffix("x2"), kind)
    inputs = [
        float(np.float32(value))
        for value in (*numbers("float", 1)[0], *numbers("half", 1)[0], 65519.0, 65520.0, 3.3961775e38, 2e38)
    ]
    inputs += [float(value) for value in RNG.integers(0, 1 << 32, 500, dtype=np.uint32).view(np.float32)]
    inputs += inputs[: -len(inputs) % BLOCK]
    expected = [converted(value, element, mode, relu, satfinite) for value in inputs]
    if start == "f2":
        ty = "i32" if kind == "tf32" else element
        body, given = f"%r = call {ty} @{name}(float %a)", [("float", inputs)]
    else:
        ty = f"<2 x {element}>"
        body, given = (
            f"%r = call {ty} @{name}(float %a, float %b)",
            [("float", inputs), ("float", inputs[1:] + inputs[:1])],
        )
        expected = list(zip(expected[1:] + expected[:1], expected, strict=True))
    for engine in ENGINES:
        got = evaluate(body, ty, *given, block=BLOCK, engine=engine)
        if kind == "tf32":
            got = np.array([int(word) & 0xFFFFFFFF for word in got], np.uint32).view(np.float32)
        same(got, expected)


def test_a_bfloat_becomes_a_half():
    """Which has fewer numbers. `ftz` flushes the bfloat alone: a conversion keeps denormal halves."""
    inputs = [*numbers("bfloat", 1)[0], 1 / 1024, 2.0**-24, 2.0**-25, 65280.0, 65536.0]
    expected = [
        value if not math.isfinite(value) else math.copysign(rounded(Fraction(value), "half"), value)
        for value in inputs
    ]
    for name in ("bf2h.rn", "bf2h.rn.ftz"):
        got = evaluate(
            f"%h = call i16 @{NAME}.{name}(bfloat %a)\n%r = bitcast i16 %h to half", "half", ("bfloat", inputs)
        )
        same(got, expected)


def test_a_bfloat_changes_its_sign():
    inputs = numbers("bfloat", 1)[0]
    same(
        evaluate(f"%r = call bfloat @{NAME}.neg.bf16(bfloat %a)", "bfloat", ("bfloat", inputs)),
        [-value for value in inputs],
    )
    pairs = list(zip(inputs, inputs[1:] + inputs[:1], strict=True))
    body = f"%r = call <2 x bfloat> @{NAME}.neg.bf16x2(<2 x bfloat> %a)"
    same(evaluate(body, "<2 x bfloat>", ("<2 x bfloat>", pairs)), [(-first, -second) for first, second in pairs])


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    ("name", "kind"), [("saturate.f", "float"), ("saturate.ftz.f", "float"), ("saturate.d", "double")]
)
def test_a_number_is_saturated_between_0_and_1(name, kind, engine):
    """A NaN and a negative zero become 0."""
    inputs = numbers(kind, 1)[0]
    expected = [cut(flushed(value, kind) if "ftz" in name else value, ["sat"]) for value in inputs]
    got = evaluate(f"%r = call {kind} @{NAME}.{name}({kind} %a)", kind, (kind, inputs), engine=engine)
    same(got, expected)
