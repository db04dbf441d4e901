"""Inline assembly, by its exact text."""

import re

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.declarations import WarpSync
from harness.simt.compile.graph import Op
from harness.simt.compile.registry import TABLE, Intrinsic, fence, ignored, lanes, pure, stateful, typed
from harness.simt.intrinsics.handlers import Given, Marks, Pure, Result
from harness.simt.intrinsics.math import NVVM, flushing
from harness.simt.intrinsics.nvvm_index import SREG
from harness.simt.intrinsics.nvvm_warp import match_all, match_any
from harness.simt.intrinsics.warp import ballot_bits
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, bits_of
from harness.simt.ops.integer import unsigned
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

# PTX instructions that approximate a function of one operand.
UNARY = (
    "ex2.approx.ftz.f32",
    "ex2.approx.f32",
    "lg2.approx.ftz.f32",
    "lg2.approx.f32",
    "tanh.approx.f32",
    "sin.approx.ftz.f32",
    "sin.approx.f32",
    "cos.approx.ftz.f32",
    "cos.approx.f32",
    "rcp.approx.ftz.f32",
    "rcp.approx.f32",
    "rsqrt.approx.ftz.f32",
    "rsqrt.approx.f32",
    "sqrt.approx.ftz.f32",
    "sqrt.approx.f32",
    "tanh.approx.f16",
)


WIDE = ("clock64", "globaltimer")
VALUE_FIRST = WarpSync(mask=1)


def _handler(intrinsic: Intrinsic) -> Pure:
    assert intrinsic.handler is not None
    return intrinsic.handler


def _declare() -> None:
    for text in UNARY:
        function = NVVM[".".join(text.split(".")[:2])]
        pure(f"asm:{text} $0, $1;", exact=False)(flushing(function) if ".ftz." in text else function)
    for name, register in [(name, intrinsic) for name, intrinsic in TABLE.items() if name.startswith(SREG)]:
        # `cluster.ctaid.x` is the register `%cluster_ctaid.x`.
        word = re.sub(r"^(cluster|lanemask)\.", r"\1_", name.removeprefix(SREG))
        source = "WARP_SZ" if word == "warpsize" else f"%{word}"
        for kind in ("u64", "b64") if word in WIDE else ("u32", "b32"):
            lanes(f"asm:mov.{kind} $0, {source};", varies=register.varies)(_handler(register))


for word, scope in {"cta": "block", "cluster": "cluster", "gpu": "device", "sys": "system"}.items():
    for kind, ordering in {"acq_rel": "acq_rel", "sc": "seq_cst", "acquire": "acquire", "release": "release"}.items():
        fence(f"asm:fence.{kind}.{word};", scope=scope, ordering=ordering)
for word, scope in {"cta": "block", "gl": "device", "sys": "system"}.items():
    fence(f"asm:membar.{word};", scope=scope)
ignored("asm:")


# What Mojo's library writes for NVIDIA, where the value stands before the mask.
@stateful("asm:match.any.sync.b32 $0, $1, $2;", "asm:match.any.sync.b64 $0, $1, $2;", waits=VALUE_FIRST, exchanges=True)
def match_any_of(engine: Engine, group: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """The lanes of the mask that have the same value."""
    return match_any(engine, group, site, values[::-1], taints)


@stateful(
    *(f"asm:{{ .reg .pred p; match.all.sync.{kind} $0|p, $1, $2; }}" for kind in ("b32", "b64")),
    waits=VALUE_FIRST,
    exchanges=True,
)
def match_all_of(engine: Engine, group: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """The mask, if all its lanes have the same value."""
    both, mark = match_all(engine, group, site, values[::-1], taints)
    assert both is not None
    return both[0], mark


@pure("asm:mul.wide.u32 $0, $1, $2;")
def multiply_wide(first: Array, second: Array) -> Array:
    """All 64 bits of the product."""
    return (unsigned(first, 32).astype(np.uint64) * unsigned(second, 32)).view(np.int64)


@pure("asm:mul.wide.s32 $0, $1, $2;")
def multiply_wide_signed(first: Array, second: Array) -> Array:
    """All 64 bits of the product of signed numbers."""
    return first.view(np.int32).astype(np.int64) * second.view(np.int32)


@pure("asm:lop3.b32 $0, $1, $2, $3, $4;")
def any_logic(first: Array, second: Array, third: Array, table: Array) -> Array:
    """Bit by bit what a table of eight says, by the bits of three words."""
    words = [word.view(np.int32) for word in (first, second, third)]
    result = np.zeros(np.broadcast_shapes(*(word.shape for word in words)), np.int32)
    for row in range(8):
        if int(table[0]) >> row & 1:
            result = result | np.bitwise_and.reduce(
                [word if row >> 2 - place & 1 else ~word for place, word in enumerate(words)]
            )
    return result


@typed("asm:cvt.f32.bf16 $0, $1;", "asm:mov.b32 $0, {0, $1};")
def widen_bfloat(op: Op) -> Pure:
    """The float32 whose upper half is a bfloat, or the word whose upper half is a short."""
    integral = bits_of(op.type) == 32 and isinstance(op.type, Int)

    def widen(value: Array) -> Array:
        # A bfloat is computed in float32.
        wide = value if value.dtype.kind == "f" else (value.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        return wide.view(np.int32) if integral else wide

    return widen


# Registers are as many as a kernel wants; fetching ahead changes no value.
ignored(
    "asm:setmaxnreg.dec.sync.aligned.u32 $0;", "asm:setmaxnreg.inc.sync.aligned.u32 $0;", "asm:prefetch.global.L2 [$0];"
)
for verb, where in (("acquire", "cluster"), ("release", "cta")):
    text = f"fence.proxy.async::generic.{verb}.sync_restrict::shared::{where}.cluster;"
    fence(f"asm:{text}", scope="cluster", ordering=verb)


# What the compiler writes for AMD where it rounds a float to bfloat.
@stateful("asm:v_cmp_u_f32 $0, $1, $1", exchanges=True)
def compare_unordered(_engine: Engine, group: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """The bits of the wave's lanes that hold a NaN."""
    bits = ballot_bits(group, values[0] != values[0])
    mark = taints[0] if taints else None
    wide = bits_of(site.instruction.type) == 64
    return (bits if wide else bits.astype(np.int32)), mark


@pure("asm:v_bfe_u32 $0, $1, 16, 1")
def bit_16(value: Array) -> Array:
    """Bit 16 of a 32-bit value."""
    return value.view(np.int32) >> 16 & 1


@pure("asm:v_add3_u32 $0, $1, $2, $3")
def add_three(first: Array, second: Array, third: Array) -> Array:
    """The sum of three 32-bit values."""
    return first.view(np.int32) + second.view(np.int32) + third.view(np.int32)


@lanes("asm:v_cndmask_b32 $0, $1, $2, $3")
def choose_by_mask(_engine: Engine, group: LaneSet, no: Array, yes: Array, mask: Array) -> Array:
    """The second value in the lanes whose bit of the mask is set."""
    own = unsigned(mask, 8 * mask.dtype.itemsize) >> group.get("lane").astype(np.uint64) & 1
    return np.where(own != 0, yes.view(np.int32), no.view(np.int32))


_declare()
