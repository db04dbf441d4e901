"""Undefined bytes: what only moves them keeps them apart, and none is lost on the way."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.ops import undefined

ROUNDS = 200
SIZES = (2, 4, 8)
MASK = (1 << 64) - 1


def _octets(value: int, size: int) -> np.ndarray:
    return np.array([value & MASK], np.uint64).view(np.uint8)[:size]


def _marked(taint: np.ndarray | None, size: int) -> np.ndarray:
    """Whether each byte of one lane is said to be undefined."""
    if taint is None:
        return np.zeros(size, bool)
    return np.broadcast_to(taint[:, None] if taint.ndim == 1 else taint, (1, size))[0] != 0


def _signed(value: int, bits: int) -> int:
    return (value & (1 << bits) - 1) - ((value >> bits - 1 & 1) << bits)


def _operation(random: np.random.Generator, name: str, size: int):
    """A function of a number, the taint of its result for a taint, and the result's bytes."""
    bits, full = 8 * size, (1 << 8 * size) - 1
    amount, constant = int(random.integers(bits)), int(random.integers(256)) * 0x0101_0100_FF00 & full
    if random.integers(2):
        amount = amount // 8 * 8
    kept = _octets(constant, size)
    return {
        "shl": (lambda v: v << amount & full, lambda t: undefined.shift_taint(t, size, amount, "shl"), size),
        "lshr": (lambda v: v >> amount, lambda t: undefined.shift_taint(t, size, amount, "lshr"), size),
        "ashr": (
            lambda v: _signed(v, bits) >> amount & full,
            lambda t: undefined.shift_taint(t, size, amount, "ashr"),
            size,
        ),
        "and": (lambda v: v & constant, lambda t: undefined.mask_taint(t, kept != 0), size),
        "or": (lambda v: v | constant, lambda t: undefined.mask_taint(t, kept != 255), size),
        "trunc": (lambda v: v & (1 << bits // 2) - 1, lambda t: undefined.slice_taint(t, 0, size // 2), size // 2),
        "zext": (lambda v: v, lambda t: undefined.extend_taint(t, size, 2 * size, False), 2 * size),
        "sext": (lambda v: _signed(v, bits), lambda t: undefined.extend_taint(t, size, 2 * size, True), 2 * size),
    }[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shl", "lshr", "ashr", "and", "or", "trunc", "zext", "sext"])
def test_a_byte_that_may_change_is_undefined(name):
    """Whatever undefined bytes hold, the bytes said to be defined stay as they are."""
    random = np.random.default_rng(7)
    precise = 0
    for _ in range(ROUNDS):
        size = int(random.choice(SIZES[:2] if name in ("zext", "sext") else SIZES))
        compute, mark, after = _operation(random, name, size)
        lost = random.integers(2, size=size).astype(bool)
        value = int.from_bytes(random.bytes(size), "little")
        taint = undefined.normalise_taint(np.where(lost, np.int32(5), np.int32(0))[None])
        marked = _marked(mark(taint), after)
        before = _octets(compute(value), after)
        changed = np.zeros(after, bool)
        for _ in range(16):
            other = value
            for byte in np.flatnonzero(lost):
                other = other & ~(255 << 8 * int(byte)) | int(random.integers(256)) << 8 * int(byte)
            changed |= _octets(compute(other), after) != before
        assert not (changed & ~marked).any(), (size, value, lost)
        precise += int(not marked.all() and lost.any())
    assert precise > ROUNDS // 10  # else everything is called undefined


def test_an_element_that_was_set_is_defined():
    """A vector that memory left undefined, built element by element."""
    vector = np.array([3], np.int32)
    half = undefined.insert_taint(vector, None, np.array([0]), 4, 2)
    assert undefined.slice_taint(half, 0, 4) is None
    assert undefined.slice_taint(half, 4, 8).tolist() == [3]
    assert undefined.insert_taint(half, None, np.array([1]), 4, 2) is None


def test_elements_are_computed_apart():
    """The fourth element of a vector of three taints no other."""
    left = undefined.insert_taint(None, np.array([4], np.int32), np.array([3]), 4, 4)
    total = undefined.combine_elementwise(4, 4, (left, 4), (None, 4))
    assert _marked(total, 16).tolist() == [False] * 12 + [True] * 4
    assert undefined.combine_elementwise(4, 1, (left, 4), (None, 4)).tolist() == [[0, 0, 0, 4]]  # a comparison


def test_a_shuffle_takes_along_what_it_picks():
    left = undefined.insert_taint(None, np.array([4], np.int32), np.array([1]), 4, 2)
    swapped = undefined.rearrange_taint(np.array([4, 5, 6, 7, 0, 1, 2, 3]), (left, 8), (None, 8))
    assert _marked(swapped, 8).tolist() == [True] * 4 + [False] * 4
    picked = undefined.rearrange_taint(np.array([0, 1, 2, 3]), (left, 8), (None, 8))
    assert picked is None
    filled = undefined.rearrange_taint(
        np.array([0, 1, 2, 3, -1, -1, -1, -1]), (left, 8), literal=np.array([9], np.int32)
    )
    assert filled.tolist() == [[0, 0, 0, 0, 9, 9, 9, 9]]


def test_lanes_choose_bytes():
    """A select keeps the bytes of the value that each lane takes."""
    half = np.array([[0, 0, 2, 2]], np.int32)
    condition = np.array([True, False])
    assert undefined.select_taint(condition, None, half, None).tolist() == [[0, 0, 2, 2], [0, 0, 0, 0]]
    own = np.array([0, 7], np.int32)
    assert undefined.select_taint(condition, own, half, None).tolist() == [[0, 0, 2, 2], [7, 7, 7, 7]]


STRUCT = """target triple = "nvptx64-nvidia-cuda"
%s = type {{ i8, i32, i8 }}
define ptx_kernel void @k(ptr %o) {{
  %l = alloca %s, align 4
{stores}  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o, ptr align 4 %l, i64 12, i1 false)
  ret void
}}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
FIELDS = ((0, "i8 1"), (4, "i32 2"), (8, "i8 3"))


@pytest.mark.parametrize(("fields", "verdict"), [(FIELDS, "clean"), ((), "findings")], ids=["padding", "nothing set"])
def test_padding_of_a_copied_struct_is_no_fault(fields, verdict):
    """The host has mere bytes: three of each struct's twelve are set, or none."""
    stores = "".join(
        f"  %p{at} = getelementptr i8, ptr %l, i64 {at}\n  store {value}, ptr %p{at}, align 1\n" for at, value in fields
    )
    result = simt.launch(
        STRUCT.format(stores=stores),
        target="nvidia:sm_90",
        grid=1,
        block=1,
        args=[np.zeros(12, np.uint8)],
        observers=simt.observers(),
    )
    assert result.verdict == verdict, result.findings


ONE_PLACE = """target triple = "nvptx64-nvidia-cuda"
@cell = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @k(ptr %o) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = load i32, ptr addrspace(3) @cell, align 4
  %x = add i32 %v, {added}
  store i32 {stored}, ptr %o, align 4
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


@pytest.mark.parametrize(("stored", "races"), [("%v", False), ("%x", True)], ids=["copied", "computed with"])
def test_one_undefined_value_stored_by_many_is_one_value(stored, races):
    """Whoever comes first, the same garbage is there; what is computed from it differs."""
    result = simt.launch(
        ONE_PLACE.format(added="%t", stored=stored),
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[np.zeros(1, np.int32)],
        observers=simt.observers(),
    )
    kinds = {finding.kind for finding in result.findings if finding.severity != "information"}
    assert kinds == {"uninitialised", *(["race"] if races else [])}
