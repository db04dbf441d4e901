"""Variables that would take the host's memory are refused by name, before any of it is taken."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt

KERNEL = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %o) {{
  %huge = alloca [{elements} x float], align 4
  store float 1.0, ptr %huge, align 4
  %v = load float, ptr %huge, align 4
  store float %v, ptr %o, align 4
  ret void
}}
"""


def run(elements: int, observers: bool, **options: int) -> simt.LaunchResult:
    return simt.launch(
        KERNEL.format(elements=elements),
        target="nvidia:sm_90",
        grid=1,
        block=2,
        args=[np.zeros(1, np.float32)],
        observers=simt.observers() if observers else (),
        options=simt.Options(**options),
    )


@pytest.mark.parametrize("observers", [False, True])
def test_a_local_array_beyond_the_budget_is_refused_by_name(observers):
    with pytest.raises(
        simt.LaunchError, match=r"local variable %huge has 1600000000 bytes for each thread: .* max_bytes"
    ):
        run(400_000_000, observers, max_bytes=2 << 30)


def test_what_marks_undefined_bytes_counts_too():
    """Without observers the same array is within the budget."""
    assert run(1 << 18, False, max_bytes=4 << 20).verdict == "clean"
    with pytest.raises(simt.LaunchError, match="make it smaller or raise max_bytes"):
        run(1 << 18, True, max_bytes=4 << 20)
