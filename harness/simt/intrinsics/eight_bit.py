"""AMD's conversions to 8-bit floats, `v_cvt_pk`.

See: "Instinct MI300" ISA, V_CVT_PK_FP8_F32.
"""

from functools import partial

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ops.eight_bit import encode

__all__: list[str] = []


def _word(high: Array, low: Array) -> Array:
    high, low = np.broadcast_arrays(high, low)
    return (high.astype(np.uint16) << 8 | low).view(np.int16)


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
