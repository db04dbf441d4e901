"""AMD's matrix products: `mfma` of the CDNA families, `wmma` of RDNA 3.

Layouts: AMD's "Instinct MI300" ISA, chapter Matrix Arithmetic Instructions, and "RDNA3" ISA, section Wave Matrix
Multiply Accumulate.
See: https://gpuopen.com/amd-gpu-architecture-programming-documentation/
"""

from functools import partial

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import declare_effect, stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.fragments import MatrixProduct, multiply
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ir.site import Site
from harness.simt.ir.values import bfloat_value, octets_of
from harness.simt.ops.eight_bit import VALUES
from harness.simt.ops.lanes import Layout, ProductLayout

__all__: list[str] = []


# The 8-bit floats of gfx942.
KINDS = {"fp8": VALUES["e4m3fnuz"], "bf8": VALUES["e5m2fnuz"]}


def _decode(value: Array, kind: str) -> Array:
    """Return a fragment's registers as elements of a kind, (n, elements): 8-bit floats and bfloats as float32, `i8` as
    int8. Any other kind is unchanged, and so are bfloats that are float32 already.
    """
    if kind in KINDS:
        return KINDS[kind][octets_of(value)]
    if kind == "bf16" and value.dtype.kind == "i":
        return bfloat_value(value.view(np.uint16))
    return octets_of(value).view(np.int8) if kind == "i8" else value


def mfma_layout(side: int, each: int) -> ProductLayout:
    """Return the layout of an `mfma` of `side` x `side` on a wave of 64.

    A lane holds `each` consecutive elements of a row of A, and of a column of B. It holds the result in groups of four
    consecutive rows of a column.
    """
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


class Mfma(MatrixProduct):
    """A product with modifiers that must be 0: those that broadcast or permute blocks raise `Unsupported`."""

    def __call__(self, call: Call) -> Result:
        a, b, c, *modifiers = call.values
        name, kinds = _callee_name(call.site), self.kinds
        if any(int(modifier[0]) for modifier in modifiers):
            raise Unsupported(name, f"{name} that broadcasts or permutes blocks (cbsz, abid, blgp) is not supported")
        gpu = call.engine.target.gpu.architecture
        if kinds[0] in KINDS and not gpu.startswith("gfx94"):
            raise Unsupported(name, f"{name} of the 8-bit floats of {gpu} is not supported")
        operands = _decode(a, kinds[0]), _decode(b, kinds[1]), c
        return multiply(call, name, self.layout, operands)


def _callee_name(site: Site) -> str:
    return str(site.instruction.attrs["callee"].name).removeprefix("@")


# By name: (layout, kind of A, kind of B). Those with twice the depth are of gfx950.
MFMA = {
    "f32.16x16x4f32": (mfma_layout(16, 1), "f32", "f32"),
    "f32.32x32x2f32": (mfma_layout(32, 1), "f32", "f32"),
    "f32.16x16x16f16": (mfma_layout(16, 4), "f16", "f16"),
    "f32.32x32x8f16": (mfma_layout(32, 4), "f16", "f16"),
    "f32.16x16x32.f16": (mfma_layout(16, 8), "f16", "f16"),
    "f32.32x32x16.f16": (mfma_layout(32, 8), "f16", "f16"),
    "f32.16x16x16bf16.1k": (mfma_layout(16, 4), "bf16", "bf16"),
    "f32.32x32x8bf16.1k": (mfma_layout(32, 4), "bf16", "bf16"),
    "f32.16x16x32.bf16": (mfma_layout(16, 8), "bf16", "bf16"),
    "f32.32x32x16.bf16": (mfma_layout(32, 8), "bf16", "bf16"),
    "i32.16x16x32.i8": (mfma_layout(16, 8), "i8", "i8"),
    "i32.32x32x16.i8": (mfma_layout(32, 8), "i8", "i8"),
}
MFMA |= {
    f"f32.{shape}.{left}.{right}": (form, left, right)
    for shape, form in (("16x16x32", mfma_layout(16, 8)), ("32x32x16", mfma_layout(32, 8)))
    for left in KINDS
    for right in KINDS
}
for word, (form, *kinds) in MFMA.items():
    exact = word.startswith("i32")
    declare_effect(f"llvm.amdgcn.mfma.{word}", of=Mfma(form, (kinds[0], kinds[1])), exact=exact, compiled="fragments")


# The upper half of a wave repeats the rows of A and the columns of B, and holds every other row of the result.
RDNA = ProductLayout(
    a=Layout.of(32, 16, lambda lane, position: (lane % 16, position)),
    b=Layout.of(32, 16, lambda lane, position: (position, lane % 16)),
    c=Layout.of(32, 8, lambda lane, position: (2 * position + lane // 16, lane % 16)),
)


def _decode_wmma_fragment(value: Array, kind: str, name: str) -> Array:
    value = _decode(value, kind)
    if kind == "i4":
        octets = octets_of(value).view(np.int8)
        value = np.stack([octets & 15, octets >> 4 & 15], 2).reshape(len(octets), -1)
    if value.shape[1] != RDNA.a.rows.shape[1]:
        raise Unsupported(name, f"{name} with the fragments of RDNA 4 is not supported")
    return value


def _check_halves(call: Call, name: str, operands: tuple[Array, Array]) -> None:
    """Report lanes of the upper half of a wave of 32 whose operands differ from those of the lane 16 below.

    Lanes whose counterpart is inactive are not reported.
    """
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
    name = _callee_name(call.site)
    of_a, of_b, of_c = (1, 3, 4) if integers else (0, 1, 2)
    c = call.values[of_c]
    a, b = (_decode_wmma_fragment(call.values[operand], kind, name) for operand in (of_a, of_b))
    _check_halves(call, name, (a, b))
    if integers:
        a, b = (_with_signs(part, kind, bool(call.values[operand - 1][0])) for part, operand in ((a, of_a), (b, of_b)))
        if bool(call.values[5][0]):
            raise Unsupported(name, f"{name} that clamps is not supported")
    return multiply(call, name, RDNA, (a, b, c), (of_a, of_b, of_c))


def _with_signs(value: Array, kind: str, signed: bool) -> Array:
    """Return integers read as signed or unsigned.

    Args:
        value: The integers, int8 for the kind `i8`, 0 to 15 for `i4`.
    """
    if kind == "i8":
        return value if signed else value.view(np.uint8)
    return np.where(value > 7, value - 16, value) if signed else value


for word, kind in {"f32.16x16x16.f16": "f16", "f32.16x16x16.bf16": "bf16"}.items():
    stateful(f"llvm.amdgcn.wmma.{word}", exact=False, exchanges=True)(partial(_wmma, kind))
for word, kind in {"i32.16x16x16.iu8": "i8", "i32.16x16x16.iu4": "i4"}.items():
    stateful(f"llvm.amdgcn.wmma.{word}", exchanges=True)(partial(_wmma, kind))
