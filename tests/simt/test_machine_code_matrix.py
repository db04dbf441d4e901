"""Products of tensor cores that are not finite, and one that is not modelled."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.run.launch import launch
from tests.simt.engines import run
from tests.simt.launches.products import LEFT_PRODUCTS
from tests.simt.snippets import kernel

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("row", LEFT_PRODUCTS, ids=lambda row: row.name)
def test_factors_that_are_not_finite_show_in_the_sums(row):
    _, output = run(row.body, "native", **row.how)

    assert not np.isfinite(output).all()


def test_what_would_broadcast_blocks_is_not_multiplied():
    product = "call <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32"
    result = launch(
        kernel(
            f"%d = {product}(float 1.0, float 1.0, <4 x float> zeroinitializer, i32 1, i32 0, i32 0)",
            target="amd:gfx942",
        ),
        target="amd:gfx942",
        grid=1,
        block=64,
        args=[np.zeros(4, np.float32)],
        options=simt.Options(engine="native"),
    )

    assert result.engine.python == 1
    assert result.verdict != "clean"
