"""Apple's 8 by 8 matrices of a SIMD-group, `simdgroup_matrix`.

A matrix is 64 elements in AIR, of which each lane has the first two. Which ones of the matrix these are is written
down nowhere by Apple: the layout is what `thread_elements()` gives, as the Mojo standard library has measured it.
"""

import numpy as np

from harness.simt.compile.registry import declare_effect
from harness.simt.intrinsics.fragments import Product, multiply
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ops.lanes import Layout, ProductLayout

__all__: list[str] = []

NAME = "air.simdgroup_matrix_8x8_multiply_accumulate"


# Two neighbours of a row.
ROW = np.array([lane >> 1 & 3 | lane >> 2 & 4 for lane in range(32)])
COLUMN = np.array([lane << 1 & 2 | lane >> 1 & 4 for lane in range(32)])


LAYOUT = Layout.of(32, 2, lambda lane, position: (ROW[lane], COLUMN[lane] + position))
EIGHT = ProductLayout(LAYOUT, LAYOUT, LAYOUT)


class Simdgroup(Product):
    """One of which it is of no account what a lane's other elements are."""

    def __call__(self, call: Call) -> Result:
        a, b, c = (value[:, :2] for value in call.values)
        own, mark = multiply(call, NAME, self.form, (a, b, c))
        result = np.zeros((len(own), call.values[2].shape[1]), own.dtype)
        result[:, :2] = own
        if mark is not None and mark.ndim == 2:
            mark = np.pad(mark, ((0, 0), (0, 4 * result.shape[1] - mark.shape[1])))
        return result, mark


declare_effect(NAME, of=Simdgroup(EIGHT, ("", "")), exact=False, native="fragments")
