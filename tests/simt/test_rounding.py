"""NVIDIA's arithmetic and conversions rounded in a direction, against rational numbers."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest

from harness.simt.compile.registry import all_intrinsics
from tests.simt.snippets import evaluate

ARITHMETIC = [
    (name, found[1], found[2], bool(found[3]), found[4] or ".f")
    for name in all_intrinsics()
    if (found := re.fullmatch(r"llvm\.nvvm\.(add|mul|fma|div|rcp|sqrt)\.(rz|rm|rp)(\.ftz)?(\.d)?", name))
]
COUNTS = {"rcp": 1, "sqrt": 1, "fma": 3}
EXACT = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "fma": lambda a, b, c: a * b + c,
    "div": lambda a, b: a / b,
    "rcp": lambda a: 1 / a,
}
RNG = np.random.default_rng(20)
EDGES = [0.0, 1.0, -1.0, 1.5, 3.0, -7.0, 1e-30, -1e-30, 3e38, -3e38, 2.0**-126, 2.0**-149, 0.1, 1 / 3, 1e10]


def values(count, dtype):
    """Edges, crossed, and numbers of all sizes."""
    columns = np.meshgrid(*[np.array(EDGES, dtype)] * count) if count < 3 else []
    crossed = np.stack([column.ravel() for column in columns], 1) if columns else np.empty((0, count), dtype)
    drawn = RNG.standard_normal((64, count)) * 2.0 ** RNG.integers(-60, 60, (64, count))
    near = np.stack([drawn[:, 0], *(drawn[:, 0] * -(2.0 ** -RNG.integers(0, 30)) for _ in range(count - 1))], 1)
    return np.concatenate([crossed, drawn.astype(dtype), near.astype(dtype)]).astype(dtype)


@np.errstate(over="ignore")
def toward(value, mode, dtype):
    """A rational as the float that a mode takes."""
    largest = float(np.finfo(dtype).max)
    down = mode == "rm" or (mode == "rz" and value > 0)
    if abs(value) > Fraction(largest):
        return math.copysign(largest if (value > 0) == down else math.inf, value)
    start = dtype(float(value))
    for step in (0, -1, 1, -2, 2):
        near = start
        for _ in range(abs(step)):
            near = np.nextafter(near, dtype(math.copysign(np.inf, step)))
        if not np.isfinite(near):
            continue
        other = np.nextafter(near, dtype(np.inf if down else -np.inf))
        fits = Fraction(float(near)) <= value if down else Fraction(float(near)) >= value
        beyond = not np.isfinite(other) or (Fraction(float(other)) > value if down else Fraction(float(other)) < value)
        if fits and beyond:
            return float(near)
    raise AssertionError(value)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "stem", "mode", "flushes", "end"), ARITHMETIC, ids=[row[0] for row in ARITHMETIC])
def test_a_result_is_the_next_float_in_its_direction(name, stem, mode, flushes, end):
    """What is zero, and not finite, is left to the other tests."""
    dtype, ty = (np.float64, "double") if end == ".d" else (np.float32, "float")
    count = COUNTS.get(stem, 2)
    rows = values(count, dtype)
    given = ", ".join(f"{ty} %{letter}" for letter in "abc"[:count])
    called = name if end == ".d" else f"{name}.f"
    got = evaluate(f"%r = call {ty} @{called}({given})", ty, *((ty, column) for column in rows.T))

    compared = 0
    tiny = float(np.finfo(dtype).tiny)
    for row, found in zip(rows.tolist(), got.tolist(), strict=True):
        given_row = [0.0 if flushes and abs(value) < tiny else value for value in row]
        if (stem in ("div", "rcp") and given_row[-1] == 0) or (stem == "sqrt" and given_row[0] <= 0):
            continue
        exact = list(map(Fraction, given_row))
        if stem == "sqrt":
            squared = Fraction(math.isqrt(int(exact[0] * 4**1200)), 2**1200)
            expected = toward(squared if squared**2 == exact[0] else squared + Fraction(1, 2**1210), mode, dtype)
        else:
            value = EXACT[stem](*exact)
            if value == 0:
                continue
            expected = toward(value, mode, dtype)
        if flushes and abs(expected) < tiny:
            expected = 0.0
        assert found == expected, (row, found, expected)
        compared += 1
    assert compared > 60 or stem in COUNTS


@pytest.mark.parametrize("mode", ["rz", "rm", "rp"])
def test_a_sum_that_is_zero_has_the_sign_of_its_direction(mode):
    rows = np.array([[1, -1], [0, 0], [-0.0, 0], [-0.0, -0.0]], np.float32)
    got = evaluate(
        f"%r = call float @llvm.nvvm.add.{mode}.f(float %a, float %b)", "float", *(("float", c) for c in rows.T)
    )

    assert np.signbit(got).tolist() == ([True, False, True, True] if mode == "rm" else [False, False, False, True])


TO_INTEGER = [
    (name, found[1], found[2], found[3])
    for name in all_intrinsics()
    if (found := re.fullmatch(r"llvm\.nvvm\.([fd])2(i|ui|ll|ull)\.(r[nzmp])(\.ftz)?", name))
]
WHOLE = {"rn": round, "rz": math.trunc, "rm": math.floor, "rp": math.ceil}


@pytest.mark.parametrize(("name", "kind", "to", "mode"), TO_INTEGER, ids=[row[0] for row in TO_INTEGER])
def test_a_float_becomes_the_integer_of_its_direction_or_the_nearest_that_fits(name, kind, to, mode):
    ty, dtype = ("float", np.float32) if kind == "f" else ("double", np.float64)
    bits, signed = 64 if "ll" in to else 32, not to.startswith("u")
    numbers = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.4, -0.6, 1e6 + 0.5, 2.0**31, -(2.0**31), 2.0**40 + 0.5, 1e30, -1e30]
    numbers = np.array([*numbers, 2.0**63, 2.0**64, math.inf, -math.inf, math.nan, 1e-40], dtype)
    got = evaluate(f"%r = call i{bits} @{name}({ty} %a)", f"i{bits}", (ty, numbers))

    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    for number, found in zip(numbers.tolist(), got.tolist(), strict=True):
        if ".ftz" in name and abs(number) < 2.0**-126:
            number = 0.0
        if math.isnan(number):
            expected = 1 << bits - 1 if bits == 64 or kind == "d" else 0
        elif math.isinf(number):
            expected = high if number > 0 else low
        else:
            expected = max(low, min(high, WHOLE[mode](number)))
        assert (found - expected) % (1 << bits) == 0, (number, found, expected)


FROM_INTEGER = [
    (name, found[1], found[2], found[3])
    for name in all_intrinsics()
    if (found := re.fullmatch(r"llvm\.nvvm\.(i|ui|ll|ull)2([fd])\.(r[nzmp])", name))
]


@pytest.mark.parametrize(("name", "source", "kind", "mode"), FROM_INTEGER, ids=[row[0] for row in FROM_INTEGER])
def test_an_integer_becomes_the_float_of_its_direction(name, source, kind, mode):
    ty, dtype = ("float", np.float32) if kind == "f" else ("double", np.float64)
    bits, signed = 64 if "ll" in source else 32, not source.startswith("u")
    numbers = [1, 0xFFFFFF, 0x1000001, 0x1FFFFFF, 0x7FFFFFFF, 0x80000001, 0xFFFFFFFF, (1 << 53) + 1, (1 << 63) + 1, -3]
    numbers = [number % (1 << bits) for number in numbers]
    got = evaluate(f"%r = call {ty} @{name}(i{bits} %a)", ty, (f"i{bits}", numbers))

    for number, found in zip(numbers, got.tolist(), strict=True):
        own = number - (number >> bits - 1 << bits) if signed else number
        expected = float(dtype(own)) if mode == "rn" else toward(Fraction(own), mode, dtype)
        assert found == expected, (own, found, expected)


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("flushes", [False, True])
def test_a_double_becomes_a_single(mode, flushes):
    numbers = np.array([0.1, -0.1, 1e-40, -1e-40, 1e39, -1e39, 1 / 3, 1.5])
    name = f"llvm.nvvm.d2f.{mode}{'.ftz' if flushes else ''}"
    got = evaluate(f"%r = call float @{name}(double %a)", "float", ("double", numbers)).tolist()

    for number, found in zip(numbers.tolist(), got, strict=True):
        with np.errstate(over="ignore"):
            nearest = float(np.float32(number))
        expected = nearest if mode == "rn" else toward(Fraction(number), mode, np.float32)
        assert found == (0.0 if flushes and abs(expected) < 2.0**-126 else expected), number


@pytest.mark.parametrize(
    ("word", "name"), [("rz", np.float16), ("rm", np.float16), ("rp", np.float16), ("rn", np.float16)]
)
def test_assembly_converts_in_each_direction(word, name):
    """To halves from singles and from integers; to bfloats, of which a single has the upper half."""
    numbers = np.array([0.1, -0.1, 1e-8, -1e-8, 70000.0, -70000.0, 2.5, 1 / 3], np.float32)
    body = f'%h = call half asm "cvt.{word}.f16.f32 $0, $1;", "=h,f"(float %a)\n%r = fpext half %h to double'
    got = evaluate(body, "double", ("float", numbers)).tolist()
    with np.errstate(over="ignore"):
        nearest = numbers.astype(name).astype(np.float64).tolist()
    exact = [
        toward(Fraction(number), word, name) if word != "rn" else near
        for number, near in zip(numbers.tolist(), nearest, strict=True)
    ]
    assert got == exact

    whole = [2049, -2049, 65503, 3]
    body = f'%h = call half asm "cvt.{word}.f16.s32 $0, $1;", "=h,r"(i32 %a)\n%r = fpext half %h to double'
    got = evaluate(body, "double", ("i32", whole)).tolist()
    assert got == [float(name(n)) if word == "rn" else toward(Fraction(n), word, name) for n in whole]

    body = f'%h = call i16 asm "cvt.{word}.bf16.f32 $0, $1;", "=h,f"(float %a)\n'
    body += "%w = zext i16 %h to i32\n%r = shl i32 %w, 16"
    got = (evaluate(body, "i32", ("float", numbers)).astype(np.int64) & 0xFFFFFFFF).astype(np.uint32).view(np.float32)
    step = np.abs(got - numbers) / np.abs(numbers)
    assert (step < 2.0**-7).all()
    if word == "rm":
        assert (got <= numbers).all()
    if word == "rp":
        assert (got >= numbers).all()
    if word == "rz":
        assert (np.abs(got) <= np.abs(numbers)).all()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("double @llvm.nvvm.saturate.d(double %a)", [0.0, 1.0, 0.25, 0.0]),
        ("double @llvm.nvvm.floor.d(double %a)", [-2.0, 7.0, 0.0, None]),
        ("double @llvm.nvvm.ceil.d(double %a)", [-1.0, 8.0, 1.0, None]),
        ("double @llvm.nvvm.trunc.d(double %a)", [-1.0, 7.0, 0.0, None]),
        ("double @llvm.nvvm.round.d(double %a)", [-2.0, 8.0, 0.0, None]),
    ],
)
def test_functions_of_doubles(call, expected):
    got = evaluate(f"%r = call {call}", "double", ("double", [-1.5, 7.5, 0.25, math.nan])).tolist()

    assert [None if math.isnan(value) else value for value in got] == expected


@pytest.mark.parametrize(
    "name", ["saturate.f", "saturate.ftz.f", "fabs.ftz.f32", "floor.ftz.f", "ceil.ftz.f", "trunc.ftz.f"]
)
def test_functions_of_singles(name):
    """A denormal number counts as zero with `ftz`."""
    function = {"sa": lambda x: np.clip(x, 0, 1), "fa": np.abs, "fl": np.floor, "ce": np.ceil, "tr": np.trunc}[name[:2]]
    numbers = np.array([-1.5, 0.25, 2.0, 1e-40, -1e-40], np.float32)
    flushed = np.where(np.abs(numbers) < 1e-38, 0, numbers) if ".ftz" in name else numbers

    got = evaluate(f"%r = call float @llvm.nvvm.{name}(float %a)", "float", ("float", numbers))
    np.testing.assert_array_equal(got, function(flushed).astype(np.float32))


def test_words_of_doubles():
    numbers = np.array([1.5, -0.1, 1e300, 0.0])
    body = """
      %l = call i32 @llvm.nvvm.d2i.lo(double %a)
      %h = call i32 @llvm.nvvm.d2i.hi(double %a)
      %n = xor i32 %h, -2147483648
      %r = call double @llvm.nvvm.lohi.i2d(i32 %l, i32 %n)"""

    assert evaluate(body, "double", ("double", numbers)).tolist() == (-numbers).tolist()


@pytest.mark.parametrize("ending", ["", ".ftz"])
def test_halves_as_words(ending):
    numbers = np.array([1.5, -0.1, 1e-7, 70000.0], np.float32)
    body = f"%h = call i16 @llvm.nvvm.f2h.rn{ending}(float %a)\n%r = call float @llvm.convert.from.fp16.f32(i16 %h)"
    with np.errstate(over="ignore"):
        expected = numbers.astype(np.float16).astype(np.float32)

    np.testing.assert_array_equal(evaluate(body, "float", ("float", numbers)), expected)


WORDS = [0, 1, 7, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0xDEADBEEF]


def of(number, bits, signed):
    """A number of some bits with its sign or without one."""
    number %= 1 << bits
    return number - (number >> bits - 1 << bits) if signed else number


INTEGER = [
    (name, found[1], found[2])
    for name in all_intrinsics()
    if (found := re.fullmatch(r"llvm\.nvvm\.(mulhi|sad|mul24)\.(\w+)", name))
]


@pytest.mark.parametrize(("name", "stem", "kind"), INTEGER, ids=[row[0] for row in INTEGER])
def test_products_and_sums_of_differences(name, stem, kind):
    signed = not kind.startswith("u")
    bits = 64 if "ll" in kind else 16 if kind in ("s", "us") else 32
    first = [(word * (1 << bits) // (1 << 32) + word) % (1 << bits) for word in WORDS for _ in WORDS]
    second = [(word * 77 + (word << bits - 32 if bits > 32 else 0)) % (1 << bits) for _ in WORDS for word in WORDS]
    more = f", i{bits} %b" if stem == "sad" else ""
    got = evaluate(
        f"%r = call i{bits} @{name}(i{bits} %a, i{bits} %b{more})",
        f"i{bits}",
        (f"i{bits}", first),
        (f"i{bits}", second),
    ).tolist()

    for a, b, found in zip(first, second, got, strict=True):
        x, y = of(a, bits, signed), of(b, bits, signed)
        if stem == "mulhi":
            expected = x * y >> bits
        elif stem == "mul24":
            expected = of(a, 24, signed) * of(b, 24, signed)
        else:
            expected = abs(x - y) + b
        assert (found - expected) % (1 << bits) == 0


@pytest.mark.parametrize("first", "su")
@pytest.mark.parametrize("second", "su")
def test_small_dot_products(first, second):
    a, b = WORDS, WORDS[::-1]
    octets = [
        [[of(word >> 8 * n, 8, kind == "s") for n in range(4)] for word in words]
        for words, kind in ((a, first), (b, second))
    ]
    got = evaluate(
        f"%r = call i32 @llvm.nvvm.idp4a.{first}.{second}(i32 %a, i32 %b, i32 5)", "i32", ("i32", a), ("i32", b)
    ).tolist()
    assert [of(n, 32, True) for n in got] == [
        of(5 + sum(x * y for x, y in zip(*row, strict=True)), 32, True) for row in zip(*octets, strict=True)
    ]
    for upper in (0, 1):
        body = f"%r = call i32 @llvm.nvvm.idp2a.{first}.{second}(i32 %a, i32 %b, i1 {upper}, i32 -5)"
        got = evaluate(body, "i32", ("i32", a), ("i32", b)).tolist()
        expected = [
            sum(of(x >> 16 * n, 16, first == "s") * y[2 * upper + n] for n in range(2)) - 5
            for x, y in zip(a, octets[1], strict=True)
        ]
        assert got == [of(n, 32, True) for n in expected]


@pytest.mark.parametrize(("count", "bits"), [(4, 8), (8, 4)])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("clamps", [0, 1])
def test_amds_dot_products(count, bits, signed, clamps):
    """They hold their sum at the edge, if so asked."""
    a, b = WORDS, [0x7F7F7F7F, *WORDS[1:]]
    starts = [0x7FFFFFF0, 3, -3, 0x7FFFFFFF, -0x80000000, 0, 5, 9]
    name = f"llvm.amdgcn.{'s' if signed else 'u'}dot{count}"
    body = f"%r = call i32 @{name}(i32 %a, i32 %b, i32 %c, i1 {clamps})"
    got = evaluate(body, "i32", ("i32", a), ("i32", b), ("i32", starts), target="amd:gfx942").tolist()

    low, high = (-(1 << 31), (1 << 31) - 1) if signed else (0, (1 << 32) - 1)
    for x, y, start, found in zip(a, b, starts, got, strict=True):
        total = of(start, 32, signed)
        total += sum(of(x >> bits * n, bits, signed) * of(y >> bits * n, bits, signed) for n in range(count))
        assert found == of(max(low, min(high, total)) if clamps else total, 32, True)


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        (0x801B, lambda lane: lane & ~3 | 3 - (lane & 3)),
        (0x041F, lambda lane: lane ^ 1),
        (0x7C1F, lambda lane: lane ^ 31),
        (0x0010, lambda lane: (lane & 48) | 0),
        (0xC000 | 3 << 5, lambda lane: lane & 32 | (lane + 3) & 31),
        (0xC000 | 1 << 10 | 2 << 5 | 16, lambda lane: lane & 48 | (lane - 2) & 15),
    ],
)
def test_a_pattern_says_which_lane_is_read(pattern, source):
    values = [7 * lane + 1 for lane in range(64)]
    body = f"%r = call i32 @llvm.amdgcn.ds.swizzle(i32 %a, i32 {pattern})"

    got = evaluate(body, "i32", ("i32", values), target="amd:gfx942").tolist()
    assert got == [values[source(lane)] for lane in range(64)]
