"""Products of tensor cores as machine code give the bits that Python gives."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.run.launch import launch
from tests.simt.snippets import kernel

pytestmark = pytest.mark.slow

KINDS = {"m16n8k8.row.col.tf32": 8, "m16n8k4.row.col.tf32": 4, "m16n8k8.row.col.bf16": 8, "m16n8k16.row.col.bf16": 16}
TARGETS = ("nvidia:sm_80", "nvidia:sm_90")
FOUR = "{ float, float, float, float }"


def code(name, target):
    """A lane's registers, one behind another, and what it has of the product."""
    depth, packed = KINDS[name], 2 if "bf16" in name else 1
    counts = depth // (2 * packed), depth // (4 * packed)
    lines, given = [], []
    for number in range(sum(counts) + 4):
        ty = "i32" if number < sum(counts) else "float"
        lines.append(f"%j{number} = add i64 %first, {number}")
        lines.append(f"%p{number} = getelementptr i32, ptr %a, i64 %j{number}")
        lines.append(f"%v{number} = load {ty}, ptr %p{number}")
        given.append(f"{ty} %v{number}")
    lines.append(f"%d = call {FOUR} @llvm.nvvm.mma.{name}({', '.join(given)})")
    for number in range(4):
        lines.append(f"%d{number} = extractvalue {FOUR} %d, {number}")
        lines.append(f"%k{number} = add i64 %out, {number}")
        lines.append(f"%q{number} = getelementptr float, ptr %o, i64 %k{number}")
        lines.append(f"store float %d{number}, ptr %q{number}")
    body = "\n  ".join(["%first = mul i64 %i, 10", "%out = mul i64 %i, 4", *lines])
    return kernel(body, "ptr %a, ptr %o", "", target)


def products(name, target, registers, engine):
    """(what ran it, the sums) of some registers for each lane."""
    output = np.zeros(4 * len(registers), np.float32)
    result = launch(
        code(name, target),
        target=target,
        grid=1,
        block=len(registers),
        args=[simt.Buffer(registers.copy(), writable=False), simt.Buffer(output)],
        observers=simt.observers(counters=False),
        options=simt.Options(engine=engine),
    )
    assert not result.findings
    return result.engine, output


def numbers(kind):
    """Registers of 256 lanes, of numbers of all sizes, zeros of both signs and the least there are."""
    random = np.random.default_rng(33)
    if kind == "any bits":
        bits = random.integers(0, 1 << 32, (256, 10), np.uint32)
        return np.where(bits >> 23 & 255 == 255, bits & 0x807FFFFF, bits)
    spread = {"near": 2, "far": 30, "least": 0}[kind]
    values = random.normal(size=(256, 10)) * 2.0 ** random.integers(-spread, spread + 1, (256, 10))
    if kind == "least":
        values *= 2.0**-130
    bits = values.astype(np.float32).view(np.uint32)
    return np.where(random.random((256, 10)) < 0.1, bits & 0x80000000, bits).astype(np.uint32)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("kind", ["near", "far", "least", "any bits"])
def test_machine_code_multiplies_as_python_does(name, target, kind):
    registers = numbers(kind)
    if "bf16" in name:  # the lower half has an exponent too
        registers &= np.where(registers >> 7 & 255 == 255, 0xFFFFFF7F, 0xFFFFFFFF).astype(np.uint32)
    (_, expected), (ran, found) = (products(name, target, registers, engine) for engine in ("reference", "native"))

    assert ran.native == 1
    np.testing.assert_array_equal(found.view(np.uint32), expected.view(np.uint32))


@pytest.mark.parametrize("wrong", [0x7F800000, 0x7FC00000], ids=["infinite", "no number"])
def test_what_is_not_finite_python_multiplies(wrong):
    registers = numbers("near")
    registers[77, 1] = wrong
    ran, found = products("m16n8k8.row.col.tf32", "nvidia:sm_90", registers, "native")

    assert ran.native == 0
    assert not np.isfinite(found).all()


# By name: the target, the lanes of a warp, what they bring to A and B, and their part of the sum.
MFMA = "llvm.amdgcn.mfma.f32."
APPLE = "air.simdgroup_matrix_8x8_multiply_accumulate.f.f.v64f32.{0}.{0}.v64f32"
ROUNDED = {
    f"{MFMA}16x16x4f32": ("amd:gfx942", 64, "float", "<4 x float>"),
    f"{MFMA}32x32x2f32": ("amd:gfx942", 64, "float", "<16 x float>"),
    f"{MFMA}16x16x16f16": ("amd:gfx942", 64, "<4 x half>", "<4 x float>"),
    f"{MFMA}32x32x8f16": ("amd:gfx942", 64, "<4 x half>", "<16 x float>"),
    f"{MFMA}16x16x16bf16.1k": ("amd:gfx942", 64, "<4 x i16>", "<4 x float>"),
    APPLE.format("v64f32"): ("apple:apple-m4", 32, "<64 x float>", "<64 x float>"),
    APPLE.format("v64f16"): ("apple:apple-m4", 32, "<64 x half>", "<64 x float>"),
}


def in_double(name, engine, given, block):
    """(what ran it, the sums) of a product whose terms are added in double precision."""
    target, _, ty, of = ROUNDED[name]
    more = ", i32 0, i32 0, i32 0" if "mfma" in name else ""
    body = f"""%p = getelementptr <64 x i32>, ptr %a, i64 %i
  %left = load {ty}, ptr %p, align 4
  %q = getelementptr i32, ptr %p, i64 32
  %right = load {ty}, ptr %q, align 4
  %r = getelementptr i32, ptr %p, i64 16
  %added = load {of}, ptr %r, align 4
  %d = call {of} @{name}({ty} %left, {ty} %right, {of} %added{more})
  %s = getelementptr <64 x float>, ptr %o, i64 %i
  store {of} %d, ptr %s, align 4"""
    output = np.zeros(64 * block, np.float32)
    result = launch(
        kernel(body, "ptr %a, ptr %o", "", target),
        kernel="k",
        target=target,
        grid=1,
        block=block,
        args=[simt.Buffer(given.copy(), writable=False), simt.Buffer(output)],
        observers=simt.observers(counters=False),
        options=simt.Options(engine=engine),
    )
    assert not result.findings
    return result.engine, output


@pytest.mark.parametrize("name", ROUNDED)
def test_terms_are_added_in_one_order(name):
    """Such that the last bit of a double matters: large ones that cancel, and small ones beside them."""
    random, (_, lanes, ty, _) = np.random.default_rng(5), ROUNDED[name]
    for block in (lanes, 2 * lanes):
        values = random.choice([1e8, -1e8, 3e-9, 0.1, -7.0, 1e-38, 0.0, -0.0], 64 * (block + 1)) * random.random()
        given = values.astype(np.float32).view(np.int32)
        if "half" in ty:
            given = np.clip(np.repeat(values, 2), -6e4, 6e4).astype(np.float16).view(np.int32)
        (ran, left), (_, expected) = (in_double(name, engine, given, block) for engine in ("native", "reference"))

        assert ran.native == 1
        assert left.tobytes() == expected.tobytes()


def test_what_would_broadcast_blocks_is_not_multiplied():
    product = "call <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32"
    result = launch(
        kernel(
            f"%d = {product}(float 1.0, float 1.0, <4 x float> zeroinitializer, i32 1, i32 0, i32 0)",
            target="amd:gfx942",
        ),
        target="amd:gfx942",
        grid=1,
        block=64,
        args=[np.zeros(4, np.float32)],
        options=simt.Options(engine="native"),
    )

    assert result.engine.python == 1
    assert result.verdict != "clean"
