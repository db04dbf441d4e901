"""Named types, in whatever order a module gives them."""

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
