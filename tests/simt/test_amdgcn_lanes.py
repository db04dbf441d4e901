"""AMD's permutations of rows, swaps and reductions of a wave, against the instruction manuals."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import Marks, evaluate, kernel

pytestmark = pytest.mark.slow  # together they take seconds

NAME = "llvm.amdgcn"
WAVES = {"amd:gfx1100": 32, "amd:gfx950": 64}
RNG = np.random.default_rng(68)
ENGINES = ("reference", "native")


def both(body, result, *given, target, block):
    """Yield what both engines give, in blocks of some threads."""
    for engine in ENGINES:
        yield evaluate(body, result, *given, target=target, block=block, engine=engine).tolist()


def words(count):
    """Return words with a sign."""
    return RNG.integers(-(1 << 31), 1 << 31, count).tolist()


@pytest.mark.parametrize("bounds", [("false", "false"), ("true", "true")])
@pytest.mark.parametrize("crosses", [False, True])
@pytest.mark.parametrize("vector", [False, True])
def test_a_row_is_permuted(crosses, vector, bounds):
    """By sixteen nibbles, or by what each lane says: in a row, or from the other row of its pair."""
    given, old = words(64), words(64)
    places = RNG.integers(0, 16, 16).tolist()
    nibbles = [sum(place << 4 * at for at, place in enumerate(half)) for half in (places[:8], places[8:])]
    own = RNG.integers(0, 16, 64).tolist()
    name, more = f"permlane{'x' if crosses else ''}16", f"i1 {bounds[0]}, i1 {bounds[1]}"
    body = f"%r = call i32 @{NAME}.{name}.i32(i32 %b, i32 %a, i32 {nibbles[0]}, i32 {nibbles[1]}, {more})"
    if vector:
        body = f"%r = call i32 @{NAME}.{name}.var(i32 %b, i32 %a, i32 %c, {more})"
    expected = []
    for lane in range(64):
        row = lane // 16 ^ 1 if crosses else lane // 16
        expected.append(given[16 * row + (own[lane] if vector else places[lane % 16])])
    columns = [("i32", given), ("i32", old), ("i32", own)]
    for got in both(body, "i32", *columns[: 3 if vector else 2], target="amd:gfx1100", block=64):
        assert got == expected


@pytest.mark.parametrize(("fetch", "bound"), [(False, False), (False, True), (True, False)])
def test_an_inactive_lane_leaves_the_old_value_or_zero_or_nothing_defined(fetch, bound):
    """The upper half of each row is inactive; each lane asks for its neighbour of the other half."""
    places = [(place + 8) % 16 for place in range(16)]
    nibbles = [sum(place << 4 * at for at, place in enumerate(half)) for half in (places[:8], places[8:])]
    flags = f"i1 {str(fetch).lower()}, i1 {str(bound).lower()}"
    body = f"""
  %low = and i32 %t, 8
  %c = icmp eq i32 %low, 0
  br i1 %c, label %half, label %end
half:
  %r = call i32 @{NAME}.permlane16.i32(i32 77, i32 %t, i32 {nibbles[0]}, i32 {nibbles[1]}, {flags})
  %p = getelementptr i32, ptr %o, i64 %i
  store i32 %r, ptr %p, align 4
  br label %end
end:"""
    out = np.zeros(32, np.int32)
    result = simt.launch(
        kernel(body, target="amd:gfx1100"),
        target="amd:gfx1100",
        grid=1,
        block=32,
        args=[out],
        observers=[watch := Marks()],
    )
    assert result.fault is None
    here = [lane for lane in range(32) if not lane & 8]
    assert watch.places == (set(here) if fetch else set())
    if not fetch:
        assert out[here].tolist() == [0 if bound else 77] * 16


@pytest.mark.parametrize("rows", [16, 32])
def test_rows_are_swapped(rows):
    """The odd rows of the first value with the even ones of the second: of 16 lanes, or of 32."""
    first, second = words(128), words(128)
    call = f"call {{ i32, i32 }} @{NAME}.permlane{rows}.swap(i32 %a, i32 %b, i1 false, i1 false)"
    expected = [], []
    for lane in range(128):
        odd = lane & rows
        expected[0].append(second[lane - rows] if odd else first[lane])
        expected[1].append(second[lane] if odd else first[lane + rows])
    given = ("i32", first), ("i32", second)
    for place in range(2):
        body = f"%s = {call}\n  %r = extractvalue {{ i32, i32 }} %s, {place}"
        for got in both(body, "i32", *given, target="amd:gfx950", block=64):
            assert got == expected[place]


@pytest.mark.parametrize("target", WAVES)
def test_halves_of_a_wave_of_64_are_exchanged(target):
    given = words(128)
    body = f"%r = call i32 @{NAME}.permlane64.i32(i32 %a)"
    for got in both(body, "i32", ("i32", given), target=target, block=128):
        assert got == [given[lane ^ (32 if WAVES[target] == 64 else 0)] for lane in range(128)]


@pytest.mark.parametrize(
    ("ty", "dtype"), [("i32", np.int32), ("float", np.float32), ("i64", np.int64), ("half", np.float16)]
)
def test_eight_lanes_are_permuted_by_a_constant(ty, dtype):
    """Whatever the bits of a value are."""
    selectors = RNG.integers(0, 8, 8).tolist()
    constant = sum(place << 3 * at for at, place in enumerate(selectors))
    given = (RNG.integers(-1000, 1000, 64) * (1 if dtype != np.int64 else 1 << 33)).astype(dtype)
    suffix = {"float": "f32", "half": "f16"}.get(ty, ty)
    body = f"%r = call {ty} @{NAME}.mov.dpp8.{suffix}({ty} %a, i32 {constant})"
    for got in both(body, ty, (ty, given.tolist()), target="amd:gfx1100", block=64):
        assert got == given[[lane & ~7 | selectors[lane & 7] for lane in range(64)]].tolist()


def test_a_move_by_dpp_is_not_defined_where_there_is_no_lane():
    """As an update whose old value nobody set: shifted by a lane within rows of 16."""
    given = words(64)
    for controls, defined in (("i32 273, i32 15, i32 15, i1 true", True), ("i32 273, i32 15, i32 15, i1 false", False)):
        body = f"%r = call i32 @{NAME}.mov.dpp.i32(i32 %a, {controls})"
        got, marks = evaluate(body, "i32", ("i32", given), target="amd:gfx942", tracked=True)
        first = np.arange(64) % 16 == 0
        assert got[~first].tolist() == [given[lane - 1] for lane in range(64) if lane % 16]
        assert marks.tolist() == [False if defined else bool(each) for each in first]
        if defined:
            assert (got[first] == 0).all()


def test_a_value_is_fetched_by_address():
    given, lanes = words(64), RNG.permutation(64) % 32
    body = f"%r = call i32 @{NAME}.ds.bpermute.fi.b32(i32 %b, i32 %a)"
    columns = ("i32", given), ("i32", (4 * lanes).tolist())
    for got in both(body, "i32", *columns, target="amd:gfx1200", block=64):
        assert got == [given[lane // 32 * 32 + lanes[lane]] for lane in range(64)]


@pytest.mark.parametrize("target", WAVES)
def test_a_comparison_is_voted_on(target):
    """By LLVM's numbers of predicates: 32 and up of integers, below 16 of floats."""
    width = WAVES[target]
    left, right = RNG.integers(-3, 3, (2, width))
    left[0], right[0] = 1, 1
    integers = {32: left == right, 33: left != right, 38: left > right, 41: left <= right}
    integers |= {
        36: left.astype(np.uint32) < right.astype(np.uint32),
        35: left.astype(np.uint32) >= right.astype(np.uint32),
    }
    floats = {1: left == right, 4: left < right, 14: left != right, 15: np.ones(width, bool), 0: np.zeros(width, bool)}
    for opcode, ty, suffix, known in (("icmp", "i32", "i32", integers), ("fcmp", "float", "f32", floats)):
        for predicate, held in known.items():
            body = f"%r = call i{width} @{NAME}.{opcode}.i{width}.{suffix}({ty} %a, {ty} %b, i32 {predicate})"
            bits = sum(1 << lane for lane in np.flatnonzero(held).tolist())
            given = (ty, left.tolist()), (ty, right.tolist())
            for got in both(body, f"i{width}", *given, target=target, block=width):
                assert [word % (1 << width) for word in got] == [bits] * width


def total(operation, values):
    """Return what a reduction gives."""
    unsigned = [value % (1 << 32) for value in values]
    match operation:
        case "add" | "fadd":
            return sum(values)
        case "sub" | "fsub":
            return -sum(values)
        case "min" | "fmin":
            return min(values)
        case "max" | "fmax":
            return max(values)
        case "umin":
            return min(unsigned)
        case "umax":
            return max(unsigned)
    function = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[operation]
    return int(function.reduce(np.array(unsigned)))


OPERATIONS = ("add", "sub", "min", "max", "umin", "umax", "and", "or", "xor", "fadd", "fsub", "fmin", "fmax")


@pytest.mark.parametrize("target", WAVES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_wave_is_reduced(operation, target):
    """Each wave by itself, over the lanes that are there."""
    width = WAVES[target]
    ty, suffix = ("float", "f32") if operation[0] == "f" else ("i32", "i32")
    given = RNG.integers(-1000, 1000, 2 * width).tolist()
    body = f"%r = call {ty} @{NAME}.wave.reduce.{operation}.{suffix}({ty} %a, i32 0)"
    got = evaluate(body, ty, (ty, given), target=target, block=2 * width)
    for wave in range(2):
        own = slice(wave * width, (wave + 1) * width)
        wanted = total(operation, given[own])
        assert {int(value) % (1 << 32) for value in got[own]} == {wanted % (1 << 32)}
