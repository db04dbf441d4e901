"""Puzzle 17: a one-dimensional convolution as a custom op of MAX."""

from extensibility import InputTensor, OutputTensor, register
from layout import TensorLayout, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.host import DeviceBuffer, DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime TPB = 15
"""The threads of a block."""
comptime BLOCKS_PER_GRID = (2, 1)
"""The blocks of the grid in x and y."""


def conv1d_kernel[
    InLayout: TensorLayout,
    OutLayout: TensorLayout,
    ConvLayout: TensorLayout,
    input_size: Int,
    conv_size: Int,
    dtype: DType,
](
    output: TileTensor[mut=True, dtype, OutLayout, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, InLayout, MutAnyOrigin],
    kernel: TileTensor[mut=False, dtype, ConvLayout, MutAnyOrigin],
):
    """Writes to each element of `output` the products of `kernel` with what begins there in `input`, summed.

    Parameters:
        InLayout: The type of the layout of `input`.
        OutLayout: The type of the layout of `output`.
        ConvLayout: The type of the layout of `kernel`.
        input_size: The elements of `input` and of `output`.
        conv_size: The elements of `kernel`.
        dtype: The element type.

    Args:
        output: The sums, shape (input_size).
        input: The data, shape (input_size).
        kernel: The weights, shape (conv_size).

    Constraints:
        A block has `TPB` threads in x, at least `conv_size`.
    """
    comptime assert output.flat_rank == 1, "output is a vector"
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)

    # FILL ME IN: about 25 lines
    pass
    # END OF FILL ME IN


@register("conv1d")
struct Conv1DCustomOp:
    """The op `conv1d`."""

    @staticmethod
    def execute[
        target: StaticString,
        input_size: Int,
        conv_size: Int,
        dtype: DType = DType.float32,
    ](
        output: OutputTensor[rank=1, static_spec=_],
        input: InputTensor[rank=output.rank, static_spec=_],
        kernel: InputTensor[rank=output.rank, static_spec=_],
        ctx: DeviceContext,
    ) raises:
        """Fills `output` with zeros and launches the kernel.

        Parameters:
            target: What it is compiled for: `gpu`, or `cpu`, where it does nothing.
            input_size: The elements of `input` and of `output`.
            conv_size: The elements of `kernel`.
            dtype: The element type.

        Args:
            output: The sums, shape (input_size).
            input: The data, shape (input_size).
            kernel: The weights, shape (conv_size).
            ctx: Where they lie.

        Raises:
            The launch fails.
        """
        comptime in_layout = row_major[input_size]()
        comptime conv_layout = row_major[conv_size]()
        comptime if target == "gpu":
            ctx.enqueue_memset(
                DeviceBuffer[dtype](
                    ctx,
                    output.unsafe_ptr().bitcast[Scalar[dtype]](),
                    input_size,
                    owning=False,
                ),
                0,
            )

            # FILL ME IN: about 16 lines
            pass
            # END OF FILL ME IN
