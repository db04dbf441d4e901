"""AMD's matrix products: `mfma` of the CDNA families, `wmma` of RDNA 3.

Who holds what: AMD's "Instinct MI300" ISA, chapter Matrix Arithmetic Instructions, and "RDNA3" ISA, section Wave
Matrix Multiply Accumulate.
See: https://gpuopen.com/amd-gpu-architecture-programming-documentation/
"""

from functools import partial

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import declare_effect, stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.fragments import Product, multiply
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ir.site import Site
from harness.simt.ir.values import bfloat_value, octets_of
from harness.simt.ops.eight_bit import VALUES
from harness.simt.ops.lanes import Layout, ProductLayout

__all__: list[str] = []


# The 8-bit floats of gfx942.
KINDS = {"fp8": VALUES["e4m3fnuz"], "bf8": VALUES["e5m2fnuz"]}


def _decoded(value: Array, kind: str) -> Array:
    """A fragment as numbers."""
    if kind in KINDS:
        return KINDS[kind][octets_of(value)]
    if kind == "bf16" and value.dtype.kind == "i":
        return bfloat_value(value.view(np.uint16))
    return octets_of(value).view(np.int8) if kind == "i8" else value


def cdna(side: int, each: int) -> ProductLayout:
    """A form of `mfma`: a lane holds `each` neighbours of a row or column, and fours of a column of the sum."""
    groups = 64 // side
    return ProductLayout(
        a=Layout.of(64, each, lambda lane, position: (lane % side, each * (lane // side) + position)),
        b=Layout.of(64, each, lambda lane, position: (each * (lane // side) + position, lane % side)),
        c=Layout.of(
            64,
            side * side // 64,
            lambda lane, position: (4 * groups * (position // 4) + 4 * (lane // side) + position % 4, lane % side),
        ),
    )


class Mfma(Product):
    """One whose last operands would broadcast or permute blocks."""

    def __call__(self, call: Call) -> Result:
        a, b, c, *modifiers = call.values
        name, kinds = _name(call.site), self.kinds
        if any(int(modifier[0]) for modifier in modifiers):
            raise Unsupported(name, f"{name} that broadcasts or permutes blocks (cbsz, abid, blgp) is not supported")
        gpu = call.engine.target.gpu.architecture
        if kinds[0] in KINDS and not gpu.startswith("gfx94"):
            raise Unsupported(name, f"{name} of the 8-bit floats of {gpu} is not supported")
        operands = _decoded(a, kinds[0]), _decoded(b, kinds[1]), c
        return multiply(call, name, self.form, operands)


def _name(site: Site) -> str:
    return str(site.instruction.attrs["callee"].name).removeprefix("@")


# By name: the side, and how many elements of A a lane holds. The longer ones are of gfx950.
MFMA = {
    "f32.16x16x4f32": (cdna(16, 1), "f32", "f32"),
    "f32.32x32x2f32": (cdna(32, 1), "f32", "f32"),
    "f32.16x16x16f16": (cdna(16, 4), "f16", "f16"),
    "f32.32x32x8f16": (cdna(32, 4), "f16", "f16"),
    "f32.16x16x32.f16": (cdna(16, 8), "f16", "f16"),
    "f32.32x32x16.f16": (cdna(32, 8), "f16", "f16"),
    "f32.16x16x16bf16.1k": (cdna(16, 4), "bf16", "bf16"),
    "f32.32x32x8bf16.1k": (cdna(32, 4), "bf16", "bf16"),
    "f32.16x16x32.bf16": (cdna(16, 8), "bf16", "bf16"),
    "f32.32x32x16.bf16": (cdna(32, 8), "bf16", "bf16"),
    "i32.16x16x32.i8": (cdna(16, 8), "i8", "i8"),
    "i32.32x32x16.i8": (cdna(32, 8), "i8", "i8"),
}
MFMA |= {
    f"f32.{shape}.{left}.{right}": (form, left, right)
    for shape, form in (("16x16x32", cdna(16, 8)), ("32x32x16", cdna(32, 8)))
    for left in KINDS
    for right in KINDS
}
for word, (form, *kinds) in MFMA.items():
    exact = word.startswith("i32")
    declare_effect(f"llvm.amdgcn.mfma.{word}", of=Mfma(form, (kinds[0], kinds[1])), exact=exact, native="fragments")


# The upper half of a wave holds the rows of A and the columns of B once more, and every other row of the sum.
RDNA = ProductLayout(
    a=Layout.of(32, 16, lambda lane, position: (lane % 16, position)),
    b=Layout.of(32, 16, lambda lane, position: (position, lane % 16)),
    c=Layout.of(32, 8, lambda lane, position: (2 * position + lane // 16, lane % 16)),
)


def _fragment(value: Array, kind: str, name: str) -> Array:
    value = _decoded(value, kind)
    if kind == "i4":
        octets = octets_of(value).view(np.int8)
        value = np.stack([octets & 15, octets >> 4 & 15], 2).reshape(len(octets), -1)
    if value.shape[1] != RDNA.a.rows.shape[1]:
        raise Unsupported(name, f"{name} with the fragments of RDNA 4 is not supported")
    return value


def _check_halves(call: Call, name: str, operands: tuple[Array, Array]) -> None:
    """Reports lanes of the upper half that do not hold what their twin of the lower half does."""
    lanes = call.lanes
    lane, where = lanes.get("lane"), lanes.where
    upper = np.flatnonzero(lane >= 16)
    twins = where[lanes.idx[upper] - 16]
    upper, twins = upper[twins >= 0], twins[twins >= 0]
    wrong = np.zeros(len(upper), bool)
    for operand in operands:
        if len(operand) > 1:
            octets = np.ascontiguousarray(operand).view(np.uint8)
            wrong |= (octets[upper] != octets[twins]).any(1)
    if wrong.any():
        call.report("fragment.halves", upper[wrong], values={"operation": name})


def _wmma(kind: str, call: Call) -> Result:
    integers = kind in ("i8", "i4")
    name = _name(call.site)
    of_a, of_b, of_c = (1, 3, 4) if integers else (0, 1, 2)
    c = call.values[of_c]
    a, b = (_fragment(call.values[operand], kind, name) for operand in (of_a, of_b))
    _check_halves(call, name, (a, b))
    if integers:
        a, b = (_signed(part, kind, bool(call.values[operand - 1][0])) for part, operand in ((a, of_a), (b, of_b)))
        if bool(call.values[5][0]):
            raise Unsupported(name, f"{name} that clamps is not supported")
    return multiply(call, name, RDNA, (a, b, c), (of_a, of_b, of_c))


def _signed(value: Array, kind: str, signed: bool) -> Array:
    """Small integers as the numbers that they stand for."""
    if kind == "i8":
        return value if signed else value.view(np.uint8)
    return np.where(value > 7, value - 16, value) if signed else value


for word, kind in {"f32.16x16x16.f16": "f16", "f32.16x16x16.bf16": "bf16"}.items():
    stateful(f"llvm.amdgcn.wmma.{word}", exact=False, exchanges=True)(partial(_wmma, kind))
for word, kind in {"i32.16x16x16.iu8": "i8", "i32.16x16x16.iu4": "i4"}.items():
    stateful(f"llvm.amdgcn.wmma.{word}", exchanges=True)(partial(_wmma, kind))
