"""8-bit floats: what their bytes stand for, and which is nearest."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.ops.eight_bit import VALUES, encode
from tests.simt.snippets import evaluate, kernel

F32 = np.float32
# The largest, the smallest, and what 1 is: from the tables of the formats.
KNOWN = {
    "e4m3": (0x7E, 448.0, 2.0**-9, 0x38),
    "e5m2": (0x7B, 57344.0, 2.0**-16, 0x3C),
    "e4m3fnuz": (0x7F, 240.0, 2.0**-10, 0x40),
    "e5m2fnuz": (0x7F, 57344.0, 2.0**-17, 0x40),
}


@pytest.mark.parametrize("kind", KNOWN)
def test_bytes_stand_for_what_the_formats_say(kind):
    code, largest, smallest, one = KNOWN[kind]

    assert (VALUES[kind][code], VALUES[kind][1], VALUES[kind][one]) == (largest, smallest, 1.0)
    assert np.nanmax(np.where(np.isinf(VALUES[kind]), np.nan, VALUES[kind])) == largest


@pytest.mark.parametrize("kind", KNOWN)
def test_the_nearest_is_taken_and_of_two_the_even_one(kind):
    """Against all values, one after another: each value, all middles, and their neighbours."""
    values = VALUES[kind]
    finite = np.sort(values[np.isfinite(values)]).astype(np.float64)
    middles = ((finite[1:] + finite[:-1]) / 2).astype(F32)
    numbers = np.concatenate(
        [finite.astype(F32), middles, np.nextafter(middles, F32(9e9)), np.nextafter(middles, F32(0))]
    )
    codes = encode(numbers, kind, saturate=False)
    for number, code in zip(numbers.tolist(), codes.tolist(), strict=True):
        distance = np.abs(values.astype(np.float64) - number)
        nearest = np.flatnonzero(distance == np.nanmin(np.where(np.isfinite(distance), distance, np.nan)))
        assert code in nearest
        assert len({values[candidate] for candidate in nearest}) == 1 or code % 2 == 0


@pytest.mark.parametrize(
    ("kind", "plain", "largest"), [("e4m3", 0x7F, 0x7E), ("e5m2", 0x7C, 0x7B), ("e4m3fnuz", 0x80, 0x7F)]
)
def test_what_is_too_large_is_the_largest_or_nothing(kind, plain, largest):
    numbers = np.array([1e6, np.inf], F32)

    assert encode(numbers, kind, saturate=False).tolist() == [plain] * 2
    assert encode(numbers, kind, saturate=True).tolist() == [largest] * 2
    assert np.isnan(VALUES[kind][encode(np.array([np.nan], F32), kind, saturate=True)]).all()


def run(body, target, *arrays):
    """What a lane leaves in the last array."""
    result = simt.launch(kernel(body), target=target, grid=1, block=1, args=list(arrays))
    assert result.verdict == "clean", result.fault or result.findings
    return arrays[-1]


def test_nvidia_converts_two_at_a_time():
    """The first operand is the upper byte; and back to halves."""
    body = """
      %w = call i16 asm "cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;", "=h,f,f"(float 1.0, float -448.5)
      %h = call i32 asm "cvt.rn.f16x2.e4m3x2 $0, $1;", "=r,h"(i16 %w)
      %z = zext i16 %w to i32
      store i32 %z, ptr %o
      %p = getelementptr i32, ptr %o, i64 1
      store i32 %h, ptr %p"""
    word, halves = run(body, "nvidia:sm_90", np.zeros(2, np.int32)).tolist()

    assert word == 0x38FE
    assert np.array([halves], np.int32).view(np.float16).tolist() == [-448.0, 1.0]


@pytest.mark.parametrize("kind", ["e4m3", "e5m2"])
def test_what_is_no_number_is_none_with_relu(kind):
    """PTX ISA, `cvt`: "NaN results are converted to canonical NaN"."""
    body = f"""
      %w = call i16 asm "cvt.rn.satfinite.relu.{kind}x2.f32 $0, $1, $2;", "=h,f,f"(float %a, float -2.0)
      %r = zext i16 %w to i32"""

    assert evaluate(body, "i32", ("float", np.array([np.nan], np.float32))).tolist() == [0x7F00]


@pytest.mark.parametrize("kind", ["e4m3", "e5m2"])
def test_nvidia_converts_every_byte_to_a_half(kind):
    """The lower byte is the lower half."""
    codes = np.arange(256)
    body = f"""
      %w = trunc i32 %a to i16
      %r = call i32 asm "cvt.rn.f16x2.{kind}x2 $0, $1;", "=r,h"(i16 %w)"""
    words = evaluate(body, "i32", ("i32", codes | codes[::-1] << 8)).astype(np.uint32).view(np.float16)
    halves = VALUES[kind].astype(np.float16)

    np.testing.assert_array_equal(words.reshape(256, 2), np.stack([halves, halves[::-1]], 1))


@pytest.mark.parametrize(
    ("target", "kind", "expected"),
    [
        ("amd:gfx942", "fp8", 0x40C80007),
        ("amd:gfx942", "bf8", 0x40C40007),
        ("amd:gfx950", "fp8", 0x38C00007),
        ("amd:gfx950", "bf8", 0x3CC00007),
    ],
)
def test_amd_puts_two_into_half_of_a_word(target, kind, expected):
    """In its own formats: those of gfx942 have another bias."""
    body = f"""
      %w = call i32 @llvm.amdgcn.cvt.pk.{kind}.f32(float -2.0, float 1.0, i32 7, i1 true)
      store i32 %w, ptr %o"""
    text = f"define amdgpu_kernel void @k(ptr %o) {{{body}\n  ret void\n}}"
    text += f"\ndeclare i32 @llvm.amdgcn.cvt.pk.{kind}.f32(float, float, i32, i1)"
    out = np.zeros(1, np.int32)
    result = simt.launch(text, target=target, grid=1, block=1, args=[out])

    assert result.verdict == "clean", result.fault or result.findings
    assert out.view(np.uint32).tolist() == [expected]
