"""The product of Apple's 8 by 8 matrices of a SIMD-group, `air.simdgroup_matrix_8x8_multiply_accumulate`.

In AIR a matrix is a vector of 64 elements, of which each lane uses the first two. Apple does not document which
elements of the matrix these are: the layout is that of `thread_elements()`, as the Mojo standard library has measured
it.
"""

import numpy as np

from harness.simt.compile.registry import declare_effect
from harness.simt.intrinsics.fragments import MatrixProduct, multiply
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ops.lanes import Layout, ProductLayout

__all__: list[str] = []

NAME = "air.simdgroup_matrix_8x8_multiply_accumulate"


# A lane holds two adjacent elements of a row.
ROW = np.array([lane >> 1 & 3 | lane >> 2 & 4 for lane in range(32)])
COLUMN = np.array([lane << 1 & 2 | lane >> 1 & 4 for lane in range(32)])


LAYOUT = Layout.of(32, 2, lambda lane, position: (ROW[lane], COLUMN[lane] + position))
EIGHT = ProductLayout(LAYOUT, LAYOUT, LAYOUT)


class SimdgroupProduct(MatrixProduct):
    """A product in which only the first two of a lane's 64 elements count; the others of the result are 0."""

    def __call__(self, call: Call) -> Result:
        a, b, c = (value[:, :2] for value in call.values)
        first_two, mark = multiply(call, NAME, self.layout, (a, b, c))
        result = np.zeros((len(first_two), call.values[2].shape[1]), first_two.dtype)
        result[:, :2] = first_two
        if mark is not None and mark.ndim == 2:
            mark = np.pad(mark, ((0, 0), (0, 4 * result.shape[1] - mark.shape[1])))
        return result, mark


declare_effect(NAME, of=SimdgroupProduct(EIGHT, ("", "")), exact=False, compiled="fragments")
