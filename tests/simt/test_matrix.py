"""Matrix products of AMD and Apple, and AMD's descriptors: Mojo kernels, and LLVM IR, against NumPy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.ir.values import bfloat_bits, bfloat_round
from harness.simt.ops.eight_bit import VALUES
from tests.simt.built import kernels, needs_mojo

TARGETS = {"cdna": "amd:gfx942", "rdna": "amd:gfx1100", "apple": "apple:apple-m4"}


def code(family, name):
    """A kernel of `kernels/`, compiled for its target."""
    return kernels(TARGETS[family], family)[name]


def launch(text, target, *args, block=None, observers=None):
    width = 64 if target.startswith("amd:gfx9") else 32
    return simt.launch(
        text,
        target=target,
        grid=1,
        block=block or width,
        args=args,
        observers=simt.observers() if observers is None else observers,
    )


def inputs(kind, rng, shape):
    """Random numbers as a kernel takes them, and their values."""
    if kind == "float":
        values = rng.standard_normal(shape).astype(np.float32)
        return values, values
    if kind == "half":
        values = rng.standard_normal(shape).astype(np.float16)
        return values, values
    if kind == "brain":
        values = bfloat_round(rng.standard_normal(shape).astype(np.float32))
        return bfloat_bits(values), values
    if kind == "byte":
        values = rng.integers(-128, 128, shape).astype(np.int8)
        return values, values
    octets = rng.integers(0, 256, shape).astype(np.uint8)
    octets[octets == 0x80] = 0  # the NaN
    return octets, VALUES["e5m2fnuz" if kind == "bf8" else "e4m3fnuz"][octets]


def product(a, b, c):
    """In double precision, rounded once; integers exactly."""
    wide = np.int64 if c.dtype.kind == "i" else np.float64
    return (a.astype(wide) @ b.astype(wide) + c.astype(wide)).astype(c.dtype)


# Kernel, kind of input, side, depth.
FORMS = [
    ("cdna", "half_16", "half", 16, 16),
    ("cdna", "half_32", "half", 32, 8),
    ("cdna", "brain_16", "brain", 16, 16),
    ("cdna", "brain_32", "brain", 32, 8),
    ("cdna", "float_16", "float", 16, 4),
    ("cdna", "eight_16", "eight", 16, 32),
    ("cdna", "library_float_16", "float", 16, 4),
    ("cdna", "library_half_16", "half", 16, 16),
    ("cdna", "library_brain_16", "brain", 16, 16),
    ("rdna", "half_16", "half", 16, 16),
    ("rdna", "brain_16", "brain", 16, 16),
    ("rdna", "byte_16", "byte", 16, 16),
    ("apple", "float_8", "float", 8, 8),
    ("apple", "half_8", "half", 8, 8),
    ("apple", "brain_8", "brain", 8, 8),
]


@pytest.mark.slow
@needs_mojo
@pytest.mark.parametrize(("family", "name", "kind", "side", "deep"), FORMS, ids=lambda value: str(value))
def test_a_mojo_kernel_multiplies_as_numpy_does(family, name, kind, side, deep):
    """Bit for bit; the library's own loads and stores of fragments, too, which know the layout by themselves."""
    target, text = TARGETS[family], code(family, name)
    rng = np.random.default_rng(3)
    a, left = inputs(kind, rng, (side, deep))
    b, right = inputs(kind, rng, (deep, side))
    c = rng.integers(-9, 9, (side, side)).astype(np.int32 if kind == "byte" else np.float32)
    d = np.zeros_like(c)

    result = launch(text, target, d, a, b, c)

    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    np.testing.assert_array_equal(d, product(left, right, c))


def doubled(count, rng):
    """What the kernel `buffers` gives: the first `count` elements twice, the rest as they were."""
    source, target = rng.standard_normal(256).astype(np.float32), np.full(256, 7, np.float32)
    return source, target, np.where(np.arange(256) < count, 2 * source, 7)


@needs_mojo
@pytest.mark.parametrize("count", [256, 128, 4])
def test_what_lies_beyond_a_descriptor_is_neither_read_nor_written(count):
    """Of 64 lanes with four elements each; the array itself is larger."""
    text = code("cdna", "buffers")
    source, target, expected = doubled(count, np.random.default_rng(5))

    result = launch(text, "amd:gfx942", target, source, np.int32(count))

    assert not [finding for finding in result.findings if finding.severity == "error"], [
        str(finding) for finding in result.findings
    ]
    np.testing.assert_array_equal(target, expected)


@needs_mojo
def test_a_copy_to_shared_memory_arrives_when_it_is_waited_for():
    text = code("cdna", "to_shared")
    source, target = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)

    result = launch(text, "amd:gfx942", target, source)

    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    np.testing.assert_array_equal(target, source[::-1])


def kernel(call, fragment, total):
    """A kernel that loads each lane's fragments as they lie in memory, and stores its fragment of the sum."""
    signature = re.sub(r" (%\w+|true|false|0)", "", call)
    return f"""target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare {total} {signature}
define amdgpu_kernel void @k(ptr %d, ptr %a, ptr %b, ptr %c) {{
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %pa = getelementptr {fragment}, ptr %a, i64 %w
  %pb = getelementptr {fragment}, ptr %b, i64 %w
  %pc = getelementptr {total}, ptr %c, i64 %w
  %pd = getelementptr {total}, ptr %d, i64 %w
  %va = load {fragment}, ptr %pa, align 1
  %vb = load {fragment}, ptr %pb, align 1
  %vc = load {total}, ptr %pc, align 4
  %vd = call {total} {call}
  store {total} %vd, ptr %pd, align 4
  ret void
}}
"""


def mfma(side, each):
    """(rows, columns) in A and in the sum of the elements of each of 64 lanes, as the ISA document draws them."""
    lane, j, v = np.arange(64)[:, None], np.arange(each), np.arange(side * side // 64)
    rows = 8 * (v // 4) + 4 * (lane // 32) + v % 4 if side == 32 else 4 * (lane // 16) + v
    return (lane % side + 0 * j, each * (lane // side) + j), (rows, lane % side + 0 * v)


# Intrinsic, types of its fragments, kind of numbers (of A and of B, if they differ), side, elements of a lane.
WORDS = [
    ("f32.32x32x2f32", "float", "<16 x float>", "float", 32, 1),
    *(
        (f"f32.{shape}.{kinds}", "i64", total, kinds, side, 8)
        for shape, total, side in (("16x16x32", "<4 x float>", 16), ("32x32x16", "<16 x float>", 32))
        for kinds in ("fp8.fp8", "fp8.bf8", "bf8.fp8", "bf8.bf8")
    ),
    ("f32.16x16x32.bf16", "<8 x bfloat>", "<4 x float>", "brain", 16, 8),
    ("f32.32x32x16.bf16", "<8 x bfloat>", "<16 x float>", "brain", 32, 8),
    ("f32.16x16x32.f16", "<8 x half>", "<4 x float>", "half", 16, 8),
    ("f32.32x32x16.f16", "<8 x half>", "<16 x float>", "half", 32, 8),
    ("i32.16x16x32.i8", "i64", "<4 x i32>", "byte", 16, 8),
    ("i32.32x32x16.i8", "i64", "<16 x i32>", "byte", 32, 8),
]


@pytest.mark.parametrize(("word", "fragment", "total", "kind", "side", "each"), WORDS, ids=lambda value: str(value))
def test_forms_of_mfma_that_mojo_does_not_write_here(word, fragment, total, kind, side, each):
    rng = np.random.default_rng(11)
    (ra, ca), (rc, cc) = mfma(side, each)
    deep = each * 64 // side
    first, _, second = kind.partition(".")
    a, left = inputs(first, rng, (side, deep))
    b, right = inputs(second or first, rng, (deep, side))
    c = rng.integers(-9, 9, (side, side)).astype(np.int32 if kind == "byte" else np.float32)
    call = f"@llvm.amdgcn.mfma.{word}({fragment} %va, {fragment} %vb, {total} %vc, i32 0, i32 0, i32 0)"
    d = np.zeros((64, side * side // 64), c.dtype)

    result = launch(
        kernel(call, fragment, total),
        "amd:gfx950" if fragment in ("<8 x bfloat>", "<8 x half>") else "amd:gfx942",
        d,
        *(np.ascontiguousarray(matrix).view(np.uint8) for matrix in (a[ra, ca], b[ca, ra], c[rc, cc])),
    )

    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    np.testing.assert_array_equal(d, product(left, right, c)[rc, cc])


@pytest.mark.parametrize("signed", [True, False])
def test_wmma_of_four_bits(signed):
    """Two numbers in a byte, the lower half first; with a sign or without."""
    rng = np.random.default_rng(2)
    a, b, c = rng.integers(0, 16, (16, 16)), rng.integers(0, 16, (16, 16)), rng.integers(-9, 9, (16, 16))
    lane, v = np.arange(32)[:, None], np.arange(8)
    rows, columns = 2 * v + lane // 16, lane % 16 + 0 * v
    packed = [
        (matrix[:, ::2] | matrix[:, 1::2] << 4).astype(np.uint8)
        for matrix in (a[lane[:, 0] % 16], b.T[lane[:, 0] % 16])
    ]
    flag = "true" if signed else "false"
    call = (
        "@llvm.amdgcn.wmma.i32.16x16x16.iu4.v8i32.v2i32"
        f"(i1 {flag}, <2 x i32> %va, i1 {flag}, <2 x i32> %vb, <8 x i32> %vc, i1 false)"
    )
    text, d = kernel(call, "<2 x i32>", "<8 x i32>"), np.zeros((32, 8), np.int32)

    result = launch(text, "amd:gfx1100", d, *packed, c[rows, columns].astype(np.int32))

    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    numbers = [np.where(matrix > 7, matrix - 16, matrix) if signed else matrix for matrix in (a, b)]
    np.testing.assert_array_equal(d, (numbers[0] @ numbers[1] + c)[rows, columns])


def test_an_undefined_element_spoils_its_row_or_column_alone():
    """Of a product whose other numbers are known."""
    call = "@llvm.amdgcn.mfma.f32.16x16x4f32(float %va, float %vb, <4 x float> %vc, i32 0, i32 0, i32 0)"
    text = kernel(call, "float", "<4 x float>")
    a = simt.Buffer(np.ones(64, np.float32), "a", initialised=False)
    ones, c, d = np.ones(64, np.float32), np.zeros(256, np.float32), np.zeros(256, np.float32)
    text = text.replace(
        "  %va = load", "  %few = icmp ugt i32 %t, 2\n  br i1 %few, label %in, label %go\nin:\n"
        "  store float 1.0, ptr %pa\n  br label %go\ngo:\n  %va = load"
    )  # fmt: skip

    result = launch(text, "amd:gfx942", d, a, ones, c)

    (finding,) = [candidate for candidate in result.findings if candidate.id == "uninitialised.output"]
    assert {who.lane // 16 for who in finding.who} == {0}  # who holds the rows 0 to 2


def test_a_product_needs_all_lanes_of_its_wave():
    call = "@llvm.amdgcn.mfma.f32.16x16x4f32(float %va, float %vb, <4 x float> %vc, i32 0, i32 0, i32 0)"
    text = kernel(call, "float", "<4 x float>")
    arrays = [np.ones(64, np.float32), np.ones(64, np.float32), np.zeros(256, np.float32)]

    result = launch(text, "amd:gfx942", np.zeros(256, np.float32), *arrays, block=48)

    assert [finding.id for finding in result.findings] == ["inactive-source.undefined"]


def test_modifiers_that_are_not_modelled_are_refused():
    call = "@llvm.amdgcn.mfma.f32.16x16x4f32(float %va, float %vb, <4 x float> %vc, i32 0, i32 0, i32 0)"
    text = kernel(call, "float", "<4 x float>").replace("%vc, i32 0,", "%vc, i32 1,")

    result = launch(text, "amd:gfx942", *(np.zeros(256, np.float32) for _ in range(4)))

    assert result.verdict == "incomplete"
    assert "broadcasts or permutes blocks" in str(result.fault)


def test_8_bit_floats_of_another_kind_are_refused():
    """gfx950 takes the same bits for other numbers."""
    call = "@llvm.amdgcn.mfma.f32.16x16x32.fp8.fp8(i64 %va, i64 %vb, <4 x float> %vc, i32 0, i32 0, i32 0)"

    result = launch(kernel(call, "i64", "<4 x float>"), "amd:gfx950", *(np.zeros(256, np.float32) for _ in range(4)))

    assert result.verdict == "incomplete"
    assert "8-bit floats of gfx950" in str(result.fault)
