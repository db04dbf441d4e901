"""Puzzle 98: ten is added to each element by an op of MAX."""

from extensibility import InputTensor, OutputTensor, register
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import thread_idx
from max.gpu.host import DeviceContext

comptime dtype = DType.float32
"""The type of the elements."""


def add_10_kernel[
    size: Int
](
    output: TileTensor[
        mut=True, dtype, type_of(row_major[size]()), MutAnyOrigin
    ],
    a: TileTensor[mut=False, dtype, type_of(row_major[size]()), MutAnyOrigin],
):
    """Writes the elements of `a`, each with ten more, to `output`.

    Parameters:
        size: The elements of the vectors.

    Args:
        output: The sums, shape (size).
        a: The vector, shape (size).

    Constraints:
        The block has `size` threads in x.
    """
    var i = Int(thread_idx.x)

    # FILL ME IN: one line
    output[i] = a[i] + 10
    # END OF FILL ME IN


@register("add_10")
struct AddTen:
    """The op `add_10`."""

    @staticmethod
    def execute[
        target: StaticString,
        size: Int,
    ](
        output: OutputTensor[dtype=dtype, rank=1, static_spec=_],
        a: InputTensor[dtype=dtype, rank=1, static_spec=_],
        ctx: DeviceContext,
    ) raises:
        """Launches the kernel.

        Parameters:
            target: What it is compiled for: `gpu`, or `cpu`, where it does nothing.
            size: The elements of the vectors.

        Args:
            output: The sums, shape (size).
            a: The vector, shape (size).
            ctx: Where they lie.

        Raises:
            The launch fails.
        """
        comptime layout = row_major[size]()
        comptime if target == "gpu":
            # FILL ME IN: about 10 lines
            ctx.enqueue_function[add_10_kernel[size]](
                TileTensor[mut=True, dtype, type_of(layout), MutAnyOrigin](
                    output.unsafe_ptr(), layout
                ),
                TileTensor[mut=False, dtype, type_of(layout), MutAnyOrigin](
                    a.unsafe_ptr(), layout
                ),
                grid_dim=1,
                block_dim=size,
            )
            # END OF FILL ME IN
