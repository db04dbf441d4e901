"""AMD's integer instructions against the formulas of its instruction manuals, by both engines."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness.simt.compile.registry import all_intrinsics
from tests.simt.snippets import evaluate, wrap

pytestmark = pytest.mark.slow  # together they take seconds

NAME = "llvm.amdgcn"
TARGET = "amd:gfx942"
RNG = np.random.default_rng(66)
EDGES = [
    0,
    1,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0x800000,
    0x7FFFFF,
    0x80808080,
    0x7F7F7F7F,
    0xFF00FF00,
    0x0000FFFF,
    12,
]
LANES = 64


def words(count, bits=32):
    """Return columns of words, edges among them."""
    drawn = RNG.integers(0, 1 << 63, (LANES, count), dtype=np.int64) * 2 + RNG.integers(0, 2, (LANES, count))
    columns = [[int(value) % (1 << bits) for value in column] for column in drawn.T]
    for place, column in enumerate(columns):
        column[: len(EDGES)] = EDGES[place:] + EDGES[:place]
    return columns


def parts(value, bits, signed):
    """Return the parts of a word, the lowest first."""
    found = [value >> place & (1 << bits) - 1 for place in range(0, 32, bits)]
    return [wrap(part, bits) if signed else part for part in found]


def check(name, model, columns, result="i32", types=None, constants=(), target=TARGET):
    """Hold what an intrinsic gives against a model of numbers without signs; constants stand behind the columns."""
    types = types or ["i32"] * len(columns)
    operands = [f"{ty} %{letter}" for ty, letter in zip(types, "abcdefgh", strict=False)]
    body = f"%r = call {result} @{NAME}.{name}({', '.join([*operands, *constants])})"
    expected = [model(*row) for row in zip(*columns, strict=True)]
    for engine in ("reference", "native"):
        given = list(zip(types, columns, strict=True))
        got = evaluate(body, result, *given, target=target, engine=engine)
        if result == "i32":
            assert got.tolist() == [wrap(value, 32) for value in expected], engine
        elif result == "i64":
            assert got.tolist() == [wrap(value, 64) for value in expected], engine
        else:
            assert [[part % (1 << 16) for part in row] for row in got.tolist()] == expected, engine


def field(signed, bits, value, start, count):
    """Return some bits of a word."""
    start, count = start % bits, count % bits
    found = (wrap(value, bits) if signed else value) >> start & (1 << count) - 1
    return wrap(found, count) if signed and count else found


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("signed", [False, True])
def test_a_bit_field_wraps_its_place_and_count(signed, bits):
    columns = words(3, bits)
    check(
        f"{'s' if signed else 'u'}bfe.i{bits}",
        lambda *row: field(signed, bits, *row),
        columns,
        f"i{bits}",
        [f"i{bits}", "i32", "i32"] if bits == 32 else ["i64", "i32", "i32"],
    )


@pytest.mark.parametrize("high", [False, True])
@pytest.mark.parametrize("signed", [False, True])
def test_a_product_is_of_24_bits(signed, high):
    def model(left, right):
        left, right = (wrap(value, 24) if signed else value % (1 << 24) for value in (left, right))
        return left * right >> 32 * high

    check(f"mul{'hi' if high else ''}.{'i' if signed else 'u'}24", model, words(2))


@pytest.mark.parametrize("clamp", [False, True])
@pytest.mark.parametrize("name", [name for name in all_intrinsics() if re.fullmatch(rf"{NAME}\.[su]dot\d", name)])
def test_a_dot_product_wraps_or_is_clamped(name, clamp):
    signed, bits = name[-5] == "s", 32 // int(name[-1])

    def model(left, right, addend):
        total = sum(map(int.__mul__, parts(left, bits, signed), parts(right, bits, signed)))
        total += wrap(addend, 32) if signed else addend
        least, most = (-(2**31), 2**31 - 1) if signed else (0, 2**32 - 1)
        return max(least, min(most, total)) if clamp else total

    truth = f"i1 {str(clamp).lower()}"
    if bits != 16:
        check(name[len(NAME) + 1 :], model, words(3), constants=[truth])
        return
    columns = words(3)
    halves = [[parts(value, 16, False) for value in column] for column in columns[:2]]
    body = f"%r = call i32 @{name}(<2 x i16> %a, <2 x i16> %b, i32 %c, {truth})"
    for engine in ("reference", "native"):
        given = [("<2 x i16>", halves[0]), ("<2 x i16>", halves[1]), ("i32", columns[2])]
        got = evaluate(body, "i32", *given, target=TARGET, engine=engine)
        assert got.tolist() == [wrap(model(*row), 32) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize("clamp", [False, True])
@pytest.mark.parametrize("signs", [(0, 0), (0, 1), (1, 0), (1, 1)])
@pytest.mark.parametrize("count", [4, 8])
def test_a_dot_product_takes_each_sign_by_itself(count, signs, clamp):
    columns = words(3)

    def model(left, right, addend):
        pairs = zip(parts(left, 32 // count, signs[0]), parts(right, 32 // count, signs[1]), strict=True)
        total = sum(first * second for first, second in pairs) + wrap(addend, 32)
        return max(-(2**31), min(2**31 - 1, total)) if clamp else total

    truths = ["true" if each else "false" for each in (*signs, clamp)]
    body = f"%r = call i32 @{NAME}.sudot{count}(i1 {truths[0]}, i32 %a, i1 {truths[1]}, i32 %b, i32 %c, i1 {truths[2]})"
    for engine in ("reference", "native"):
        given = [("i32", column) for column in columns]
        got = evaluate(body, "i32", *given, target="amd:gfx1100", engine=engine)
        assert got.tolist() == [wrap(model(*row), 32) for row in zip(*columns, strict=True)]


def apart(left, right, bits, masked=False):
    """Return the sum of the differences of parts."""
    pairs = zip(parts(left, bits, False), parts(right, bits, False), strict=True)
    return sum(abs(first - second) for first, second in pairs if second or not masked)


BYTES = {
    "sad.u8": lambda a, b, c: apart(a, b, 8) + c,
    "sad.u16": lambda a, b, c: apart(a, b, 16) + c,
    "sad.hi.u8": lambda a, b, c: (apart(a, b, 8) << 16) + c,
    "msad.u8": lambda a, b, c: apart(a, b, 8, masked=True) + c,
    "lerp": lambda a, b, c: sum(
        (x + y + (z & 1) >> 1) << 8 * place
        for place, (x, y, z) in enumerate(zip(*(parts(each, 8, False) for each in (a, b, c)), strict=True))
    ),
    "alignbyte": lambda a, b, c: (a << 32 | b) >> 8 * (c & 3),
    "alignbit": lambda a, b, c: (a << 32 | b) >> (c & 31),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_of_words_are_combined(name):
    check(name, BYTES[name], words(3))


def test_the_first_bit_unlike_the_sign_is_counted_from_above():
    def model(value):
        text = f"{value:032b}"
        return next((place for place, digit in enumerate(text) if digit != text[0]), -1)

    check("sffbh.i32", model, words(1))


@pytest.mark.parametrize("table", [0, 0xF0, 0xCC, 0xAA, 0x96, 0xE8, 0xFF, 0x1B])
def test_a_table_says_what_becomes_of_three_bits(table):
    def model(*row):
        return sum((table >> sum((row[2 - at] >> bit & 1) << at for at in range(3)) & 1) << bit for bit in range(32))

    check("bitop3.i32", model, words(3), constants=[f"i32 {table}"], target="amd:gfx950")


@pytest.mark.parametrize("signed", [False, True])
def test_words_are_cut_off_where_they_become_halves(signed):
    def model(*row):
        least, most = (-(2**15), 2**15 - 1) if signed else (0, 2**16 - 1)
        return [max(least, min(most, wrap(value, 32) if signed else value)) % (1 << 16) for value in row]

    check(f"cvt.pk.{'i' if signed else 'u'}16", model, words(2), "<2 x i16>")
