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
