"""Matrix products of AMD and Apple: fragments of Mojo kernels, and of LLVM IR, against NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness import simt
from harness.build import toolchain
from harness.simt.intrinsics.amdgcn_matrix import eight_bit_floats
from harness.simt.ir.values import bfloat_bits, bfloat_round
from tests import compiled

KERNELS = Path(__file__).parent / "kernels"
TARGETS = {"cdna": "amd:gfx942", "rdna": "amd:gfx1100", "apple": "apple:apple-m4"}
needs_mojo = pytest.mark.skipif(toolchain.find() is None, reason="the Mojo compiler is not installed")


def launch(text, target, *args, block=None, observers=None):
    width = 64 if target == "amd:gfx942" else 32
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
    return octets, eight_bit_floats(3)[octets]


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


@needs_mojo
@pytest.mark.parametrize(("family", "name", "kind", "side", "deep"), FORMS, ids=lambda value: str(value))
def test_a_mojo_kernel_multiplies_as_numpy_does(family, name, kind, side, deep):
    """Bit for bit; the library's own loads and stores of fragments, too, which know the layout by themselves."""
    target = TARGETS[family]
    texts = compiled.program(KERNELS / f"{family}.mojo", target)
    (text,) = [text for symbol, text in texts.items() if symbol.startswith(f"{family}_{name}_")]
    rng = np.random.default_rng(3)
    a, left = inputs(kind, rng, (side, deep))
    b, right = inputs(kind, rng, (deep, side))
    c = rng.integers(-9, 9, (side, side)).astype(np.int32 if kind == "byte" else np.float32)
    d = np.zeros_like(c)

    result = launch(text, target, d, a, b, c)

    assert result.verdict == "clean", [str(one) for one in result.findings] + [str(result.fault)]
    np.testing.assert_array_equal(d, product(left, right, c))
