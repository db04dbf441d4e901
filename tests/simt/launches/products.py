"""Products of tensor cores: the bits of sums, and factors that the compiled engine leaves to the interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from harness import simt
from tests.simt.launches.row import Row
from tests.simt.snippets import kernel

__all__ = ["LEFT_PRODUCTS", "PRODUCTS"]

KINDS = {"m16n8k8.row.col.tf32": 8, "m16n8k4.row.col.tf32": 4, "m16n8k8.row.col.bf16": 8, "m16n8k16.row.col.bf16": 16}
TARGETS = ("nvidia:sm_80", "nvidia:sm_90")
FOUR = "{ float, float, float, float }"
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
WRONG = {"infinite": 0x7F800000, "no number": 0x7FC00000}
# Large ones that cancel, and small ones beside them: the last bit of a double matters.
TERMS = [1e8, -1e8, 3e-9, 0.1, -7.0, 1e-38, 0.0, -0.0]


def _code(name: str, target: str) -> str:
    """Return a kernel that loads a lane's registers, one after another, and stores what it has of the product."""
    depth, packed = KINDS[name], 2 if "bf16" in name else 1
    counts = depth // (2 * packed), depth // (4 * packed)
    lines: list[str] = []
    given: list[str] = []
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


def _numbers(kind: str) -> np.ndarray:
    """Return registers of 256 lanes, of numbers of all sizes, zeros of both signs and the least there are."""
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


def _row(name: str, text: str, target: str, given: np.ndarray, size: int, block: int, **facts: Any) -> Row:
    arrays = [given.view(np.int32).reshape(-1), np.zeros(size, np.float32)]
    how = {"target": target, "block": block, "arguments": arrays}
    return Row(f"product: {name}", simt.decode(text), how, scalar=None, **facts)


def _by_lanes() -> Iterator[Row]:
    for target, name, kind in product(TARGETS, KINDS, ("near", "far", "least", "any bits")):
        registers = _numbers(kind)
        if "bf16" in name:  # the lower half has an exponent too
            registers &= np.where(registers >> 7 & 255 == 255, 0xFFFFFF7F, 0xFFFFFFFF).astype(np.uint32)
        yield _row(f"{name}, {kind}, {target}", _code(name, target), target, registers, 4 * 256, 256)


def _not_finite() -> Iterator[Row]:
    for kind, wrong in WRONG.items():
        registers = _numbers("near")
        registers[77, 1] = wrong
        text = _code("m16n8k8.row.col.tf32", TARGETS[1])
        yield _row(f"a factor is {kind}", text, TARGETS[1], registers, 4 * 256, 256, compiled=0)


def _in_double() -> Iterator[Row]:
    """Yield products whose terms are added in double precision, in one order."""
    for name, (target, lanes, ty, of) in ROUNDED.items():
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
        random = np.random.default_rng(5)
        for block in (lanes, 2 * lanes):
            values = random.choice(TERMS, 64 * (block + 1)) * random.random()
            given = values.astype(np.float32)
            if "half" in ty:
                given = np.clip(np.repeat(values, 2), -6e4, 6e4).astype(np.float16)
            yield _row(f"{name}, {block}", kernel(body, "ptr %a, ptr %o", "", target), target, given, 64 * block, block)


PRODUCTS = (*_by_lanes(), *_in_double())
LEFT_PRODUCTS = tuple(_not_finite())
