"""Named types, in whatever order a module gives them, and types that no GPU has."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt

OUTER = "%outer = type { %inner, i32 }"
INNER = "%inner = type { i8, i64 }"
KERNEL = """target triple = "nvptx64-nvidia-cuda"
{types}
define ptx_kernel void @k(ptr %o) {{
  %p = getelementptr %outer, ptr null, i64 1
  %size = ptrtoint ptr %p to i64
  store i64 %size, ptr %o, align 8
  ret void
}}
"""


@pytest.mark.parametrize("types", [(INNER, OUTER), (OUTER, INNER)], ids=["before", "after"])
def test_a_type_may_name_one_that_comes_later(types):
    out = np.zeros(1, np.int64)
    result = simt.launch(KERNEL.format(types="\n".join(types)), target="nvidia:sm_90", grid=1, block=1, args=[out])
    assert (result.verdict, out[0]) == ("clean", 24)


QUAD = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %t, 1
  br i1 %c, label %quad, label %end
quad:
  store fp128 0xL00000000000000003FFF000000000000, ptr %o, align 16
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


@pytest.mark.parametrize(("block", "verdict"), [(1, "clean"), (2, "incomplete")])
def test_a_float_of_128_bits_is_refused_where_it_is_reached(block, verdict):
    result = simt.launch(QUAD, target="nvidia:sm_90", grid=1, block=block, args=[np.zeros(16, np.uint8)])

    assert result.verdict == verdict
    assert verdict == "clean" or "fp128" in str(result.fault)
