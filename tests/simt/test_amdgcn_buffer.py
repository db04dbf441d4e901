"""AMD's accesses through a buffer descriptor, a vector or a pointer: loads, stores and atomics within its bounds."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics
from tests.simt.snippets import kernel

NAME = "llvm.amdgcn.raw"
TARGET = "amd:gfx942"
LANES = 64
RNG = np.random.default_rng(69)
DESCRIBED = {
    "": """
  %base = ptrtoint ptr %o to i64
  %low = trunc i64 %base to i32
  %up = lshr i64 %base, 32
  %high = trunc i64 %up to i32
  %d0 = insertelement <4 x i32> <i32 0, i32 0, i32 HELD, i32 0>, i32 %low, i64 0
  %d = insertelement <4 x i32> %d0, i32 %high, i64 1
""",
    "ptr.": "  %d = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p0(ptr %o, i16 0, MANY HELD, i32 0)\n",
}
TYPES = {"": "<4 x i32>", "ptr.": "ptr addrspace(8)"}


def launch(word, lines, held, memory, results, engine="reference", ty="i32"):
    """Run lines that make `%r` with a descriptor `%d` of so many bytes; each lane stores its own."""
    body = f"""{DESCRIBED[word].replace("HELD", str(held)).replace("MANY", MANY)}{lines}
  %p = getelementptr {ty}, ptr %q, i64 %i
  store {ty} %r, ptr %p, align 4"""
    result = simt.launch(
        kernel(body, params="ptr %o, ptr %q", target=TARGET),
        target=TARGET,
        grid=1,
        block=LANES,
        args=[memory, results],
        observers=simt.observers(counters=False),
        options=simt.Options(engine=engine),
    )
    assert result.fault is None, result.fault
    return result


def _width():
    """Return the type of a count of bytes in this version of LLVM."""
    try:
        simt.decode(
            "declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p0(ptr, i16, i64, i32)\n"
            "define void @k(ptr %p) {\n  ret void\n}\n"
        )
    except simt.DecodeError:
        return "i32"
    return "i64"


MANY = _width()


def combined(operation, old, value):
    """Return what a word becomes, and operate without signs where the name says so."""
    unsigned = int(old) % 2**32, int(value) % 2**32
    match operation:
        case "add":
            return old + value
        case "sub":
            return old - value
        case "and":
            return old & value
        case "or":
            return old | value
        case "xor":
            return old ^ value
        case "swap":
            return value
        case "smin":
            return min(old, value)
        case "smax":
            return max(old, value)
        case "umin":
            return min(unsigned)
        case "umax":
            return max(unsigned)
        case "inc":
            return 0 if unsigned[0] >= unsigned[1] else old + 1
        case "dec":
            return value if old == 0 or unsigned[0] > unsigned[1] else old - 1
        case "cond.sub.u32":
            return old - value if unsigned[0] >= unsigned[1] else old
    return old - value if unsigned[0] >= unsigned[1] else 0


INTEGERS = [
    name.removeprefix(f"{NAME}.buffer.atomic.")
    for name in all_intrinsics()
    if name.startswith(f"{NAME}.buffer.atomic.") and not name.endswith(("fadd", "fmin", "fmax", "cmpswap"))
]


@pytest.mark.parametrize("word", TYPES)
@pytest.mark.parametrize("operation", INTEGERS)
def test_an_atomic_updates_what_lies_in_bounds(operation, word):
    """Four lanes share a word; behind the last one that the descriptor holds nothing is done, and 0 comes back."""
    memory = RNG.integers(-(1 << 31), 1 << 31, 20).astype(np.int32)
    expected, results = memory.copy(), np.full(LANES, 9, np.int32)
    value = int(RNG.integers(1, 1 << 30))
    name = f"{NAME}.{word}buffer.atomic.{operation}.i32"
    lines = f"""
  %quarter = lshr i32 %t, 2
  %at = mul i32 %quarter, 4
  %v = add i32 %t, {value}
  %r = call i32 @{name}(i32 %v, {TYPES[word]} %d, i32 %at, i32 4, i32 0)
"""
    result = launch(word, lines, 48, memory, results)

    assert result.verdict == "clean", result.findings
    left = np.zeros(LANES, np.int32)
    for lane in range(LANES):
        place = lane // 4 + 1
        if place < 12:
            left[lane] = expected[place]
            made = combined(operation, int(expected[place]), value + lane)
            expected[place] = np.int64(made).astype(np.int32)
    np.testing.assert_array_equal(memory, expected)
    np.testing.assert_array_equal(results, left)


@pytest.mark.parametrize("word", TYPES)
@pytest.mark.parametrize("operation", ["fadd", "fmin", "fmax"])
def test_an_atomic_updates_floats(operation, word):
    memory, results = RNG.integers(-50, 50, 16).astype(np.float32), np.full(LANES, 9, np.float32)
    expected = memory.copy()
    lines = f"""
  %quarter = lshr i32 %t, 2
  %at = mul i32 %quarter, 4
  %v = sitofp i32 %t to float
  %r = call float @{NAME}.{word}buffer.atomic.{operation}.f32(float %v, {TYPES[word]} %d, i32 %at, i32 0, i32 0)
"""
    assert launch(word, lines, 32, memory, results, ty="float").verdict == "clean"
    function = {"fadd": np.add, "fmin": np.fmin, "fmax": np.fmax}[operation]
    for lane in range(LANES):
        if lane // 4 < 8:
            assert results[lane] == expected[lane // 4]
            expected[lane // 4] = function(expected[lane // 4], np.float32(lane))
        else:
            assert results[lane] == 0
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("word", TYPES)
def test_an_exchange_compares(word):
    """The even words are those that are expected."""
    memory, results = np.arange(LANES, dtype=np.int32), np.full(LANES, 9, np.int32)
    lines = f"""
  %at = mul i32 %t, 4
  %even = and i32 %t, -2
  %r = call i32 @{NAME}.{word}buffer.atomic.cmpswap.i32(i32 77, i32 %even, {TYPES[word]} %d, i32 %at, i32 0, i32 0)
"""
    assert launch(word, lines, 4 * 40, memory, results).verdict == "clean"
    lanes = np.arange(LANES)
    np.testing.assert_array_equal(memory, np.where((lanes < 40) & (lanes % 2 == 0), 77, lanes))
    np.testing.assert_array_equal(results, np.where(lanes < 40, lanes, 0))


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("word", TYPES)
def test_words_are_loaded_and_stored_in_bounds(word, engine):
    """Each lane takes its word and the one of its opposite; behind the bounds lie zeros, and nothing is written."""
    memory, results = np.arange(1, 2 * LANES + 1, dtype=np.int32), np.full(LANES, 9, np.int32)
    lines = f"""
  %at = mul i32 %t, 4
  %r = call i32 @{NAME}.{word}buffer.load.i32({TYPES[word]} %d, i32 %at, i32 0, i32 0)
  call void @{NAME}.{word}buffer.store.i32(i32 %r, {TYPES[word]} %d, i32 %at, i32 {4 * LANES}, i32 0)
"""
    result = launch(word, lines, 4 * LANES + 40, memory, results, engine)
    assert result.verdict == "clean", result.findings
    assert bool(result.engine.native) == (engine == "native"), result.engine.why
    np.testing.assert_array_equal(results, np.arange(1, LANES + 1))
    np.testing.assert_array_equal(memory[LANES : LANES + 10], np.arange(1, 11))
    np.testing.assert_array_equal(memory[LANES + 10 :], np.arange(LANES + 11, 2 * LANES + 1))


def test_a_descriptor_with_a_stride_is_refused_by_name():
    lines = "  %r = add i32 0, 0\n"
    body = DESCRIBED["ptr."].replace("i16 0", "i16 4").replace("HELD", "64").replace("MANY", MANY) + lines
    result = simt.launch(kernel(body, target=TARGET), target=TARGET, grid=1, block=1, args=[np.zeros(1, np.int32)])
    assert result.verdict == "incomplete"
    assert "llvm.amdgcn.make.buffer.rsrc" in str(result.fault)


def test_updates_of_one_word_are_no_race_but_a_load_beside_them_is():
    """An atomic through a descriptor is one for the checks too."""
    memory, results = np.zeros(4, np.int32), np.zeros(LANES, np.int32)
    update = f"  %r = call i32 @{NAME}.buffer.atomic.add.i32(i32 1, <4 x i32> %d, i32 0, i32 0, i32 0)\n"
    assert launch("", update, 16, memory, results).verdict == "clean"
    result = launch("", f"  %x = load i32, ptr %o\n{update}", 16, memory, results)
    assert "race" in {finding.kind for finding in result.findings}
