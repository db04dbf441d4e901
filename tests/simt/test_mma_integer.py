"""Products of small integers by NVIDIA's tensor cores: the fragments of the PTX ISA, and NumPy's sums."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics

pytestmark = pytest.mark.slow  # together they take seconds

RNG = np.random.default_rng(78)


def struct(ty, count):
    """Return the type of some registers."""
    return "{ " + ", ".join([ty] * count) + " }"


def numbers(kind, shape):
    """Return a matrix of small integers, or of bits."""
    if kind == "b1":
        return RNG.integers(0, 2, shape)
    return RNG.integers(0 if kind[0] == "u" else -8, 8, shape)


INTEGERS = []
for name in all_intrinsics():
    found = re.fullmatch(
        r"llvm\.nvvm\.mma\.(?:(xor|and)\.popc\.)?m(\d+)n8k(\d+)\.row\.col(\.satfinite)?\.([su][48]|b1)(?:\.([su][48]))?",
        name,
    )
    if found:
        INTEGERS.append((name, *found.groups()))


def fragments(matrix, bits):
    """Return the registers of 32 lanes that hold rows of a matrix: neighbours of a row lie in a register."""
    rows, depth = matrix.shape
    each = 32 // bits
    words = np.zeros((32, rows * depth // 32 // each), np.uint32)
    for lane, register in product(range(32), range(words.shape[1])):
        halves = rows // 8
        row = lane // 4 + 8 * (register % halves)
        start = each * (lane % 4) + 4 * each * (register // halves)
        for at in range(each):
            words[lane, register] |= np.uint32((int(matrix[row, start + at]) & (1 << bits) - 1) << bits * at)
    return words


@pytest.mark.parametrize("assembly", [False, True])
@pytest.mark.parametrize(("name", "word", "rows", "depth", "sat", "first", "second"), INTEGERS)
def test_small_integers_are_multiplied(name, word, rows, depth, sat, first, second, assembly):
    """The tables of fragments of the PTX ISA, element by element; B by columns as A by rows."""
    rows, depth, second = int(rows), int(depth), second or first
    a, b, c = numbers(first, (rows, depth)), numbers(second, (depth, 8)), numbers("s32", (rows, 8))
    if sat:
        c = np.where(c < 0, -(2**31), 2**31 - 1)
    bits = int(first[1:])
    left, right = fragments(a, bits), fragments(b.T, bits)
    count, lanes = rows // 4, np.arange(32)
    places = [(lanes // 4 + 8 * (at // 2), 2 * (lanes % 4) + at % 2) for at in range(count)]
    given = np.concatenate(
        [left, right, np.stack([c[place] for place in places], 1).astype(np.int64).astype(np.uint32)], 1
    )
    columns = given.shape[1]
    loads = "".join(
        f"  %p{at} = getelementptr i32, ptr %in, i64 %b{at}\n  %v{at} = load i32, ptr %p{at}\n" for at in range(columns)
    )
    places_ = "".join(f"  %b{at} = add i64 %first, {at}\n" for at in range(columns))
    operands = ", ".join(f"i32 %v{at}" for at in range(columns))
    result = struct("i32", count)
    call = f"@{name}({operands})"
    if assembly:
        groups, at = [], 0
        for length in (count, left.shape[1], right.shape[1], count):
            groups.append("{" + ", ".join(f"${number}" for number in range(at, at + length)) + "}")
            at += length
        more = f".{word}.popc" if word else ""
        text = (
            f"mma.sync.aligned.m{rows}n8k{depth}.row.col{sat or ''}.s32.{first}.{second}.s32{more} {', '.join(groups)};"
        )
        call = f'asm sideeffect "{text}", "{",".join(["=r"] * count + ["r"] * columns)}"({operands})'
    stores = "".join(
        f"  %r{at} = extractvalue {result} %d, {at}\n  %q{at} = getelementptr i32, ptr %out, i64 %o{at}\n"
        f"  store i32 %r{at}, ptr %q{at}\n"
        for at in range(count)
    )
    outs = "".join(f"  %o{at} = add i64 %last, {at}\n" for at in range(count))
    text = f"""target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare {result} @{name}({", ".join(["i32"] * columns)})
define ptx_kernel void @k(ptr %in, ptr %out) {{
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %l = zext i32 %lane to i64
  %first = mul i64 %l, {columns}
  %last = mul i64 %l, {count}
{places_}{loads}{outs}  %d = call {result} {call}
{stores}  ret void
}}
"""
    out = np.zeros((32, count), np.int32)
    launched = simt.launch(text, target="nvidia:sm_90", grid=1, block=32, args=[given, out], observers=simt.observers())
    assert launched.verdict == "clean", [str(launched.fault), *map(str, launched.findings)]

    if word is None:
        total = a.astype(np.int64) @ b + c
    else:
        total = (np.bitwise_xor if word == "xor" else np.bitwise_and)(a[:, :, None], b[None]).sum(1) + c
    if sat:
        total = np.clip(total, -(2**31), 2**31 - 1)
    for at, place in enumerate(places):
        np.testing.assert_array_equal(out[:, at], total[place].astype(np.int32))
