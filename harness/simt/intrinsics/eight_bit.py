"""Conversions of 8-bit floats: NVIDIA's `cvt`, two at a time, and AMD's `v_cvt_pk`.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt and "Instinct
MI300" ISA, V_CVT_PK_FP8_F32.
"""

from functools import partial

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import pure, stateful
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ir.values import octets_of
from harness.simt.ops.eight_bit import VALUES, encode

__all__: list[str] = []


def _word(high: Array, low: Array) -> Array:
    high, low = np.broadcast_arrays(high, low)
    return (high.astype(np.uint16) << 8 | low).view(np.int16)


def _narrow(kind: str, high: Array, low: Array) -> Array:
    return _word(encode(high, kind, saturate=True), encode(low, kind, saturate=True))


def _widen(kind: str, pair: Array) -> Array:
    return VALUES[kind][octets_of(pair)].astype(np.float16).view(np.int32)[:, 0]


for kind in ("e4m3", "e5m2"):
    pure(f"asm:cvt.rn.satfinite.{kind}x2.f32")(partial(_narrow, kind))
    pure(f"asm:cvt.rn.f16x2.{kind}x2")(partial(_widen, kind))


def _packed(kind: str, call: Call) -> Result:
    """Two numbers become one half of a word; what is too large becomes a NaN, or infinity where there is one."""
    first, second, old, upper = call.values
    own = kind + ("fnuz" if call.engine.target.gpu.architecture.startswith("gfx94") else "")
    pair = _word(encode(second, own, saturate=False), encode(first, own, saturate=False))
    halves = np.array(np.broadcast_to(old, (max(len(old), len(pair)),))).view(np.int16).reshape(-1, 2)
    halves[:, int(bool(upper[0]))] = pair
    return halves.view(np.int32)[:, 0], call.taint(0, 1, 2)


stateful("llvm.amdgcn.cvt.pk.fp8.f32")(partial(_packed, "e4m3"))
stateful("llvm.amdgcn.cvt.pk.bf8.f32")(partial(_packed, "e5m2"))
