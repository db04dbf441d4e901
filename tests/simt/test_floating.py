"""Floating-point instructions and intrinsics at their edges, rounded once."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.simt.exact import FORMATS, rounded, same
from tests.simt.snippets import evaluate

NAN, INF = math.nan, math.inf
EDGES = [0.0, -0.0, 1.0, -1.0, 1.5, 2.5, -2.5, INF, -INF, NAN, 1e-40, -3.7, 65504.0]
LEFT = [a for a in EDGES for _ in EDGES]
RIGHT = [b for _ in EDGES for b in EDGES]
DTYPES = {"half": np.float16, "float": np.float32, "double": np.float64}

PREDICATES = {
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "one": lambda a, b: a < b or a > b,
    "ord": lambda a, b: True,
}
OPPOSITE = {"ueq": "oeq", "ugt": "ogt", "uge": "oge", "ult": "olt", "ule": "ole", "une": "one", "uno": None}


@pytest.mark.parametrize("ty", ["half", "float", "double"])
@pytest.mark.parametrize("predicate", [*PREDICATES, *OPPOSITE, "true", "false"])
def test_comparisons_with_nan(predicate, ty):
    """Ordered predicates are false with a NaN, unordered ones true."""
    left, right = (np.array(side, DTYPES[ty]) for side in (LEFT, RIGHT))
    expected = []
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        unordered = a != a or b != b
        if predicate in ("true", "false"):
            expected.append(predicate == "true")
        elif predicate in PREDICATES:
            expected.append(not unordered and PREDICATES[predicate](a, b))
        else:
            rule = OPPOSITE[predicate]
            expected.append(unordered or (rule is not None and PREDICATES[rule](a, b)))

    got = evaluate(f"%r = fcmp {predicate} {ty} %a, %b", "i1", (ty, left), (ty, right))
    assert got.tolist() == [int(value) for value in expected]


@pytest.mark.parametrize("ty", FORMATS)
@pytest.mark.parametrize("opcode", ["fadd", "fsub", "fmul", "fdiv"])
def test_arithmetic_rounds_once(opcode, ty):
    """Against exact fractions, halfway cases and subnormal results among them."""
    rng = np.random.default_rng(5)
    precision, low, _ = FORMATS[ty]
    scale = rng.integers(-precision, precision, (2, 300))
    raw = rng.integers(1 << precision - 1, 1 << precision, (2, 300)) * rng.choice([-1, 1], (2, 300))
    values = np.ldexp(raw.astype(np.float64), scale - precision)
    values[:, :40] = np.ldexp(raw[:, :40].astype(np.float64), low // 2 - precision - 3)
    if ty == "half":
        values = np.clip(values, -60000, 60000).astype(np.float16).astype(np.float64)
    name = {"fadd": "__add__", "fsub": "__sub__", "fmul": "__mul__", "fdiv": "__truediv__"}[opcode]
    expected = [rounded(getattr(Fraction(a), name)(Fraction(b)), ty) for a, b in zip(*values.tolist(), strict=True)]

    got = evaluate(f"%r = {opcode} {ty} %a, %b", ty, (ty, values[0]), (ty, values[1]))
    np.testing.assert_array_equal(np.asarray(got, np.float64), expected)


def test_arithmetic_at_infinity_and_zero():
    """Division by zero, infinity minus infinity, signs of zeros; nothing raises."""
    a, b = np.array([1, -1, 0, INF, INF, -0.0], np.float32), np.array([0, 0, 0, INF, 0, 0], np.float32)

    same(
        evaluate("%r = fdiv float %a, %b", "float", ("float", a), ("float", b)),
        [INF, -INF, NAN, NAN, INF, NAN],
    )
    same(evaluate("%r = fsub float %a, %b", "float", ("float", a), ("float", b)), [1, -1, 0, NAN, INF, -0.0])
    same(evaluate("%r = fneg float %a", "float", ("float", a)), -a)


def test_remainder_has_the_sign_of_the_dividend():
    """`frem` is C's fmod, not Python's %."""
    a, b = np.array([-7.5, 7.5, 1e30, -4.0, 5.0]), np.array([2.0, -2.0, 3.0, 2.0, INF])
    expected = [math.fmod(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]

    same(evaluate("%r = frem double %a, %b", "double", ("double", a), ("double", b)), expected)


def halfway(ty, count=400):
    """Products and addends whose sum lies at or next to the middle of two floats."""
    rng = np.random.default_rng(11)
    precision = FORMATS[ty][0]
    half = precision // 2
    a = rng.integers(1 << half - 1, 1 << half, count).astype(np.float64)
    b = rng.integers(1 << half - 1, 1 << half, count).astype(np.float64)
    tiny = np.ldexp(rng.choice([-1.0, 0.0, 1.0], count), -precision)
    base = np.ldexp(
        rng.integers(1 << precision - 1, 1 << precision, count).astype(np.float64),
        rng.integers(0, 2 * precision, count),
    )
    c = np.where(rng.random(count) < 0.5, base, tiny)
    return a, b, c * rng.choice([-1, 1], count)


@pytest.mark.parametrize("name", ["fma", "fmuladd"])
@pytest.mark.parametrize("ty", ["bfloat", "float", "double"])
def test_fma_rounds_once(ty, name):
    """Also where float64 holds the product but not the sum, halfway cases included; GPUs fuse where they may."""
    a, b, c = halfway(ty)
    expected = [rounded(Fraction(x) * Fraction(y) + Fraction(z), ty) for x, y, z in zip(a, b, c, strict=True)]
    suffix = {"bfloat": "bf16", "float": "f32", "double": "f64"}[ty]
    body = f"%r = call {ty} @llvm.{name}.{suffix}({ty} %a, {ty} %b, {ty} %c)"

    np.testing.assert_array_equal(np.asarray(evaluate(body, ty, (ty, a), (ty, b), (ty, c)), np.float64), expected)


def test_fma_of_float_at_a_tie_that_float64_would_break():
    """1 + 2**-24 is halfway; 2**-78 below decides, and is lost in float64."""
    a = np.array([1 + 2.0**-12, 2.0**-12, 2.0**-12, INF, 3e38], np.float32)
    b = np.array([1 + 2.0**-12, 2.0**-12, 2.0**-12, 0.0, 3e38], np.float32)
    c = np.array([2.0**-60, 1 + 2.0**-23, 1.0, 1.0, -INF], np.float32)
    expected = [1 + 2.0**-11 + 2.0**-23, 1 + 2.0**-22, 1.0, NAN, -INF]
    body = "%r = call float @llvm.fma.f32(float %a, float %b, float %c)"

    same(evaluate(body, "float", ("float", a), ("float", b), ("float", c)), expected)


def test_fma_of_double_at_the_ends_of_the_range():
    """Large and tiny factors, where splitting them would overflow or lose bits."""
    a = np.array([1e300, 1e-300, 2.0**1000, 1.5, 1e200, 1e308])
    b = np.array([1e8, 1e-10, 1 + 2.0**-52, 2.0**-1074, 1e-200, 10.0])
    c = np.array([-1e307, 2.0**-1074, -(2.0**1000), 0.0, -1.0, -1e308])
    exact = [Fraction(x) * Fraction(y) + Fraction(z) for x, y, z in zip(a, b, c, strict=True)]
    expected = [rounded(value, "double") for value in exact]
    body = "%r = call double @llvm.fma.f64(double %a, double %b, double %c)"

    same(evaluate(body, "double", ("double", a), ("double", b), ("double", c)), expected)


def zeros_ordered(choose, a, b):
    """Minimum or maximum with -0 below +0."""
    if a == b == 0:
        sign = choose(math.copysign(1, a), math.copysign(1, b))
        return math.copysign(0.0, sign)
    return choose(a, b)


EXTREMES = {
    "minnum": (min, False),
    "maxnum": (max, False),
    "minimumnum": (min, False),
    "maximumnum": (max, False),
    "minimum": (min, True),
    "maximum": (max, True),
}


@pytest.mark.parametrize("ty", ["half", "float", "double"])
@pytest.mark.parametrize("name", EXTREMES)
def test_minimum_and_maximum(name, ty):
    """`minnum` prefers the number to the NaN, `minimum` gives the NaN; zeros are ordered."""
    choose, keeps_nan = EXTREMES[name]
    left, right = (np.array(side, DTYPES[ty]) for side in (LEFT, RIGHT))
    expected = []
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        if a != a or b != b:
            expected.append(NAN if keeps_nan or (a != a and b != b) else (b if a != a else a))
        else:
            expected.append(zeros_ordered(choose, a, b))
    suffix = {"half": "f16", "float": "f32", "double": "f64"}[ty]

    same(
        evaluate(f"%r = call {ty} @llvm.{name}.{suffix}({ty} %a, {ty} %b)", ty, (ty, left), (ty, right)),
        expected,
    )


ROUNDING = {
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "rint": np.rint,
    "nearbyint": np.rint,
    "roundeven": np.rint,
    "fabs": np.abs,
    "sqrt": np.sqrt,
    "round": lambda x: np.copysign(np.where(np.isfinite(x), np.floor(np.abs(x) + 0.5), np.abs(x)), x),
}


@pytest.mark.parametrize("name", ROUNDING)
def test_rounding_to_integers(name):
    """Halves, zeros with their sign, infinities."""
    values = np.array([0.5, -0.5, 1.5, 2.5, -2.5, -0.0, 0.49999997, 3.7, -3.7, INF, -INF, NAN, 8388609.0], np.float32)
    with np.errstate(invalid="ignore"):
        expected = ROUNDING[name](values.astype(np.float64)).astype(np.float32)

    got = evaluate(f"%r = call float @llvm.{name}.f32(float %a)", "float", ("float", values))
    same(got, expected)


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


def test_classes_of_floats():
    """Each bit of `is.fpclass` names one class."""
    small = np.float32(1e-40)
    values = np.array([NAN, NAN, -INF, -1, -small, -0.0, 0.0, small, 1, INF], np.float32)
    values[0] = np.array([0x7F800001], np.uint32).view(np.float32)[0]
    for number in range(10):
        body = f"%r = call i1 @llvm.is.fpclass.f32(float %a, i32 {1 << number})"
        got = evaluate(body, "i1", ("float", values)).tolist()
        assert [place for place, hit in enumerate(got) if hit] == [number]


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


def test_parts_of_floats():
    """`copysign`, `ldexp`, `frexp`."""
    values = np.array([1.5, -0.0, 12.0, -INF], np.float32)
    signs = np.array([-1, 1, -0.0, 1], np.float32)
    pair = "{ float, i32 }"
    split = f"%s = call {pair} @llvm.frexp.f32.i32(float %a)\n%r = extractvalue {pair} %s,"
    scale = "%r = call float @llvm.ldexp.f32.i32(float %a, i32 %b)"
    sign = "%r = call float @llvm.copysign.f32(float %a, float %b)"

    same(evaluate(sign, "float", ("float", values), ("float", signs)), np.copysign(values, signs))
    same(evaluate(scale, "float", ("float", values), ("i32", [3, 1, -200, 5])), [12.0, -0.0, 0.0, -INF])
    same(evaluate(f"{split} 0", "float", ("float", values[:3])), [0.75, -0.0, 0.75])
    assert evaluate(f"{split} 1", "i32", ("float", values[:3])).tolist() == [1, 0, 4]


def test_sums_of_a_vector_go_from_left_to_right():
    """`reduce.fadd` is a chain: 2**24 swallows what comes one by one."""
    values = np.array([[2.0**24, 1, 1, 1]], np.float32)
    body = "%r = call float @llvm.vector.reduce.fadd.v4f32(float 0.0, <4 x float> %a)"

    assert evaluate(body, "float", ("<4 x float>", values)).tolist() == [2.0**24]
