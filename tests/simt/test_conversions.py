"""The conversions of PTX, `cvt`, between all types: as Python rounds, and held at the edges."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.simt.snippets import evaluate

ROUND = {"rn": round, "rz": math.trunc, "rm": math.floor, "rp": math.ceil}
FLOATS = {"f16": ("half", "h", np.float16), "f32": ("float", "f", np.float32), "f64": ("double", "d", np.float64)}
LETTERS = {8: "r", 16: "h", 32: "r", 64: "l"}
NUMBERS = [0.5, 1.5, -2.5, 0.4, -0.6, 100.5, -129.0, 300.0, 40000.0, -40000.0, 6e4, math.inf, -math.inf, math.nan]


def held(bits):
    """The register that an integer stands in."""
    return max(bits, 16 if bits == 16 else 32)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ROUND)
@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("to", ["s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"])
def test_a_float_becomes_an_integer(to, kind, mode):
    ty, letter, dtype = FLOATS[kind]
    bits, signed = int(to[1:]), to[0] == "s"
    width = held(bits)
    numbers = np.array(NUMBERS, dtype)
    body = f'%r = call i{width} asm "cvt.{mode}i.{to}.{kind} $0, $1;", "={LETTERS[bits]},{letter}"({ty} %a)'
    got = evaluate(body, f"i{width}", (ty, numbers)).tolist()

    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    for number, found in zip(numbers.astype(float).tolist(), got, strict=True):
        if math.isnan(number):
            expected = 1 << bits - 1 if bits == 64 or kind == "f64" else 0
        elif math.isinf(number):
            expected = high if number > 0 else low
        else:
            expected = max(low, min(high, ROUND[mode](number)))
        assert (found - expected) % (1 << bits) == 0, (number, found, expected)


@pytest.mark.slow
@np.errstate(over="ignore")
@pytest.mark.parametrize("mode", ROUND)
@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("source", ["s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"])
def test_an_integer_becomes_a_float(source, kind, mode):
    ty, letter, dtype = FLOATS[kind]
    bits, signed = int(source[1:]), source[0] == "s"
    width = held(bits)
    numbers = [1, 127, 128, 2049, 4097, 32769, 65535, (1 << 24) + 1, (1 << 31) + 129, (1 << 53) + 1, (1 << 63) + 1025]
    numbers = [number % (1 << bits) for number in numbers]
    body = f'%r = call {ty} asm "cvt.{mode}.{kind}.{source} $0, $1;", "={letter},{LETTERS[bits]}"(i{width} %a)'
    got = evaluate(body, ty, (f"i{width}", numbers)).astype(np.float64).tolist()

    largest = float(np.finfo(dtype).max)
    for number, found in zip(numbers, got, strict=True):
        own = number - (number >> bits - 1 << bits) if signed else number
        if math.isinf(found):
            assert abs(own) > largest and mode not in ("rz", "rm" if own > 0 else "rp"), own
            continue
        rest = Fraction(own) - Fraction(found)
        step = Fraction(float(dtype(abs(found)) - np.nextafter(dtype(abs(found)), dtype(0))) * 2)
        assert abs(rest) <= (step / 2 if mode == "rn" and abs(own) <= largest else step) or abs(own) > largest, (
            own,
            found,
        )
        assert mode != "rm" or rest >= 0
        assert mode != "rp" or rest <= 0
        assert mode != "rz" or abs(Fraction(found)) <= abs(own)


@pytest.mark.slow
@pytest.mark.parametrize("sat", ["", ".sat"])
@pytest.mark.parametrize("source", ["s8", "u8", "s16", "u32", "s32", "s64", "u64"])
@pytest.mark.parametrize("to", ["s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"])
def test_an_integer_becomes_another(to, source, sat):
    """Cut off, or held at the edges."""
    start, end = int(source[1:]), int(to[1:])
    given, wide = held(start), held(end)
    numbers = [0, 1, 127, 128, 200, 255, 256, 40000, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40, (1 << 64) - 5]
    numbers = [number % (1 << given) for number in numbers]
    body = f'%r = call i{wide} asm "cvt{sat}.{to}.{source} $0, $1;", "={LETTERS[end]},{LETTERS[start]}"(i{given} %a)'
    got = evaluate(body, f"i{wide}", (f"i{given}", numbers)).tolist()

    low, high = (-(1 << end - 1), (1 << end - 1) - 1) if to[0] == "s" else (0, (1 << end) - 1)
    for number, found in zip(numbers, got, strict=True):
        own = number % (1 << start)
        own -= (own >> start - 1 << start) if source[0] == "s" else 0
        expected = max(low, min(high, own)) if sat else own
        assert (found - expected) % (1 << end) == 0, (number, found, expected)


@pytest.mark.parametrize("word", ["rna", "rn"])
def test_a_single_loses_thirteen_bits(word):
    numbers = np.array([1.0, 1 + 2.0**-11, 1 + 2.0**-10, -1 - 3 * 2.0**-11, np.inf], np.float32)
    body = f'%w = call i32 asm "cvt.{word}.tf32.f32 $0, $1;", "=r,f"(float %a)\n%r = bitcast i32 %w to float'

    expected = [1.0, 1 + 2.0**-10, 1 + 2.0**-10, -1 - 2.0**-9, np.inf]
    assert evaluate(body, "float", ("float", numbers)).tolist() == (
        expected if word == "rna" else [1.0, 1.0, 1 + 2.0**-10, -1 - 2.0**-9, np.inf]
    )


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("rna.satfinite", [1.0, -1.0, -(2.0**128 - 2.0**117), 2.0**128 - 2.0**117, np.nan]),
        ("rn.relu", [1.0, 0.0, 0.0, np.inf, np.nan]),
    ],
)
def test_a_single_that_loses_bits_is_cut_off(word, expected):
    numbers = np.array([1.0, -1.0, -np.inf, np.finfo(np.float32).max, np.nan], np.float32)
    body = f'%w = call i32 asm "cvt.{word}.tf32.f32 $0, $1;", "=r,f"(float %a)\n%r = bitcast i32 %w to float'

    np.testing.assert_array_equal(evaluate(body, "float", ("float", numbers)), np.array(expected, np.float32))


@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_what_is_no_number_is_none_with_relu(kind):
    """PTX ISA, `cvt`: "NaN results are converted to canonical NaN"."""
    numbers = np.array([np.nan, -np.inf, -2.0, 1.5], np.float32)
    ty = {"f16": "half", "bf16": "bfloat"}[kind]
    body = f"""
      %w = call i16 asm "cvt.rn.relu.{kind}.f32 $0, $1;", "=h,f"(float %a)
      %h = bitcast i16 %w to {ty}
      %r = fpext {ty} %h to float"""

    np.testing.assert_array_equal(evaluate(body, "float", ("float", numbers)), [np.nan, 0.0, 0.0, 1.5])


TINY = 3 * 2.0**-24  # a half that is denormal
FLUSHED = {
    "add.ftz.f16 $0, $1, $1;": [0.0, -0.0, 2.0],
    "mul.ftz.f16 $0, $1, $1;": [0.0, 0.0, 1.0],
    "fma.rn.ftz.f16 $0, $1, $1, $1;": [0.0, 0.0, 2.0],
    "fma.rn.f16 $0, $1, $1, $1;": [TINY, -TINY, 2.0],
    "max.ftz.f16 $0, $1, $1;": [0.0, -0.0, 1.0],
    "{ .reg .f32 wide; cvt.ftz.f32.f16 wide, $1; cvt.rn.ftz.f16.f32 $0, wide; }": [TINY, -TINY, 1.0],
}


@pytest.mark.parametrize("text", FLUSHED)
def test_denormal_halves_become_zero_where_that_is_asked_for(text):
    """Of conversions `ftz` means the singles alone."""
    numbers = np.array([TINY, -TINY, 1.0], np.float16)
    body = f"""
      %w = bitcast half %a to i16
      %x = call i16 asm "{text}", "=h,h"(i16 %w)
      %r = bitcast i16 %x to half"""
    got = evaluate(body, "half", ("half", numbers))

    assert got.view(np.int16).tolist() == np.array(FLUSHED[text], np.float16).view(np.int16).tolist()


@pytest.mark.parametrize("name", ["fma.rn.ftz", "fmax.ftz"])
def test_denormal_halves_become_zero_where_llvm_asks_for_it(name):
    more = "half %a, half %a" if name.startswith("fma.") else "half %a"
    got = evaluate(f"%r = call half @llvm.nvvm.{name}.f16(half %a, {more})", "half", ("half", [TINY, -TINY]))

    assert got.tolist() == [0.0, 0.0]


ROWS = [
    ("szext.clamp.u32 $0, $1, 256;", [5, 0xFFFFFFFF], [5, -1]),
    ("szext.clamp.s32 $0, $1, 33;", [5, 0xFFFFFFFF], [5, -1]),
    ("szext.wrap.u32 $0, $1, 36;", [0xFF], [15]),
    ("bmsk.clamp.b32 $0, $1, 256;", [0, 4, 32], [-1, -16, 0]),
    ("bfe.u32 $0, $1, 30, 9;", [0xC0000001, 5], [3, 0]),
    ("bfind.s32 $0, $1;", [0, -1 % (1 << 32), 8, -9 % (1 << 32)], [-1, -1, 3, 3]),
    ("mul24.hi.u32 $0, $1, 0x800000;", [0xFFFFFF, 0x1000002], [0x7FFFFF80 % (1 << 32), 256]),
    ("{ .reg .b32 n; mov.b32 n, $1; shr.u32 $0, 0x80000000, n; }", [0, 31, 32, 99], [-(1 << 31), 1, 0, 0]),
    ("{ .reg .b32 n; mov.b32 n, $1; shr.s32 $0, 0x80000000, n; }", [0, 31, 32, 99], [-(1 << 31), -1, -1, -1]),
]


@pytest.mark.parametrize(("text", "given", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_at_the_edges_of_words(text, given, expected):
    body = f'%r = call i32 asm "{text}", "=r,r"(i32 %a)'

    assert evaluate(body, "i32", ("i32", given)).tolist() == expected


def test_powers_of_two_of_pairs_of_halves():
    """Approximated."""
    numbers = np.array([[0.0, 1.0], [-1.5, 3.25]], np.float16)
    body = """
      %w = bitcast <2 x half> %a to i32
      %e = call i32 asm "ex2.approx.f16x2 $0, $1;", "=r,r"(i32 %w)
      %r = bitcast i32 %e to <2 x half>"""

    got = evaluate(body, "<2 x half>", ("<2 x half>", numbers))
    np.testing.assert_allclose(got.astype(float), np.exp2(numbers.astype(float)), rtol=2**-10)


def test_addresses_of_64_bits_in_a_peers_memory():
    """Of the block itself, by its rank."""
    body = """
      %same = call i64 asm "{ .reg .b64 at; mov.b64 at, 64; mapa.shared::cluster.u64 $0, at, 0; }", "=l"()
      %low = and i64 %same, 65535
      %t0 = trunc i64 %low to i32
      %r = add i32 %a, %t0"""

    assert evaluate(body, "i32", ("i32", [1, 2])).tolist() == [65, 66]


@pytest.mark.parametrize(
    ("number", "bits"), [("70000.0", 0x7C00), ("-1e10", 0xFC00), ("0f477FEF00", 0x7BFF), ("0f477FF000", 0x7C00)]
)
def test_an_immediate_too_large_for_its_type_is_an_infinity(number, bits):
    """The largest half is 65504: up to 65519 a number is rounded to it."""
    found = evaluate(f'%r = call i16 asm "mov.f16 $0, {number};", "=h"()', "i16", ("i32", [0]))[0]

    assert int(found) & 0xFFFF == bits
