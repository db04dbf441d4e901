"""8-bit floats: what their bytes stand for, and which is nearest."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.ops.eight_bit import VALUES
from tests.simt.oracles.eight_bit import encode
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


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["e4m3", "e5m2"])
def test_nvidia_has_intrinsics_for_conversions(kind, engine):
    """From two floats, the first of which is the upper byte; from two halves, the second; and back to halves."""
    low = numbers_near(kind)
    high = low[::-1].copy()
    how = {"block": 64, "engine": engine}
    for relu in ("", ".relu"):
        cut = (lambda values: np.where(values <= 0, F32(0), values)) if relu else (lambda values: values)
        codes = [encode(cut(each), kind, saturate=True).astype(np.uint16) for each in (low, high)]
        body = f"%r = call i16 @llvm.nvvm.ff.to.{kind}x2.rn{relu}(float %b, float %a)"
        got = evaluate(body, "i16", ("float", low), ("float", high), **how)
        assert np.asarray(got, np.int16).view(np.uint16).tolist() == (codes[1] << 8 | codes[0]).tolist()
        with np.errstate(over="ignore"):
            halves = np.stack([low, high], 1).astype(np.float16)
        codes = [encode(cut(each.astype(F32)), kind, saturate=True).astype(np.uint16) for each in halves.T]
        body = f"%r = call i16 @llvm.nvvm.f16x2.to.{kind}x2.rn{relu}(<2 x half> %a)"
        got = evaluate(body, "i16", ("<2 x half>", halves), **how)
        assert np.asarray(got, np.int16).view(np.uint16).tolist() == (codes[1] << 8 | codes[0]).tolist()
    pairs = np.arange(256, dtype=np.int32) | np.arange(256, dtype=np.int32)[::-1] << 8
    body = f"%w = trunc i32 %a to i16\n%r = call <2 x half> @llvm.nvvm.{kind}x2.to.f16x2.rn(i16 %w)"
    got = evaluate(body, "<2 x half>", ("i32", pairs), **how)
    np.testing.assert_array_equal(got, np.stack([VALUES[kind], VALUES[kind][::-1]], 1).astype(np.float16))


# Of each of AMD's formats values, middles and their neighbours, and numbers of all sizes.
KINDS = {("amd:gfx942", "fp8"): "e4m3fnuz", ("amd:gfx942", "bf8"): "e5m2fnuz"}
KINDS |= {("amd:gfx950", "fp8"): "e4m3", ("amd:gfx950", "bf8"): "e5m2"}
ENGINES = ("reference", pytest.param("native", marks=pytest.mark.slow))


def numbers_near(kind):
    """Return numbers at which the nearest 8-bit float changes, and others."""
    finite = np.sort(VALUES[kind][np.isfinite(VALUES[kind])])
    middles = ((finite[1:].astype(np.float64) + finite[:-1]) / 2).astype(F32)
    drawn = np.random.default_rng(8).standard_normal(200).astype(F32) * F32(2.0) ** np.arange(-100, 100, dtype=F32)
    edges = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 3e38, 1e-45, 464.0, 61440.0, 248.0], F32)
    near = np.nextafter(middles, F32(9e9)), np.nextafter(middles, F32(0))
    numbers = np.concatenate([finite, middles, *near, drawn, edges])
    return np.resize(numbers, -(-len(numbers) // 64) * 64)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("target", "name"), KINDS)
def test_amd_converts_numbers_to_the_nearest(target, name, engine):
    """As the oracle does, in either half of a word, whose other half stays."""
    first = numbers_near(KINDS[target, name])
    second, old = first[::-1].copy(), np.arange(len(first), dtype=np.int32) * 65537
    low, high = (encode(each, KINDS[target, name], saturate=False).astype(np.uint32) for each in (first, second))
    pair = high << 8 | low
    how = {"target": target, "block": 64, "engine": engine}
    for upper in (False, True):
        body = f"%r = call i32 @llvm.amdgcn.cvt.pk.{name}.f32(float %a, float %b, i32 %c, i1 {str(upper).lower()})"
        got = evaluate(body, "i32", ("float", first), ("float", second), ("i32", old), **how)
        kept = old.view(np.uint32) & np.uint32(0xFFFF if upper else 0xFFFF0000)
        np.testing.assert_array_equal(np.asarray(got, np.int32).view(np.uint32), kept | pair << 16 * upper)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("target", "name"), KINDS)
def test_amd_converts_every_byte_to_a_float(target, name, engine):
    """At each place of a word, alone or two at a time."""
    values, words = VALUES[KINDS[target, name]], np.arange(256, dtype=np.uint32) * 0x01010101 + 0x00030201
    octets = words.view(np.uint8).reshape(-1, 4)
    for place in range(4):
        body = f"%r = call float @llvm.amdgcn.cvt.f32.{name}(i32 %a, i32 {place})"
        got = evaluate(body, "float", ("i32", words.view(np.int32)), target=target, engine=engine)
        np.testing.assert_array_equal(got, values[octets[:, place]])
        assert (np.signbit(got) == np.signbit(values[octets[:, place]]))[~np.isnan(got)].all()
    for upper in (False, True):
        body = f"%r = call <2 x float> @llvm.amdgcn.cvt.pk.f32.{name}(i32 %a, i1 {str(upper).lower()})"
        got = evaluate(body, "<2 x float>", ("i32", words.view(np.int32)), target=target, engine=engine)
        np.testing.assert_array_equal(got, values[octets[:, 2 * upper : 2 * upper + 2]])
