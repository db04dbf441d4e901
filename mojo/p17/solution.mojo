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
    var shared_input = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TPB + conv_size - 1]())
    var shared_kernel = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[conv_size]())

    shared_input[local_i] = input[global_i] if global_i < input_size else 0
    if local_i < conv_size - 1:  # what the last threads of the block need too
        var next_i = global_i + TPB
        shared_input[local_i + TPB] = (
            input[next_i] if next_i < input_size else 0
        )
    if local_i < conv_size:
        shared_kernel[local_i] = kernel[local_i]

    barrier()

    if global_i < input_size:
        var sum = Scalar[dtype](0)
        comptime for j in range(conv_size):
            sum += shared_input[local_i + j] * shared_kernel[j]
        output[global_i] = sum
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
            comptime kernel_of = conv1d_kernel[
                type_of(in_layout),
                type_of(in_layout),
                type_of(conv_layout),
                input_size,
                conv_size,
                dtype,
            ]
            ctx.enqueue_function[kernel_of](
                TileTensor[mut=True, dtype, type_of(in_layout), MutAnyOrigin](
                    output.unsafe_ptr().bitcast[Scalar[dtype]](), in_layout
                ),
                TileTensor[mut=False, dtype, type_of(in_layout), MutAnyOrigin](
                    input.unsafe_ptr().bitcast[Scalar[dtype]](), in_layout
                ),
                TileTensor[
                    mut=False, dtype, type_of(conv_layout), MutAnyOrigin
                ](kernel.unsafe_ptr().bitcast[Scalar[dtype]](), conv_layout),
                grid_dim=BLOCKS_PER_GRID,
                block_dim=(TPB, 1),
            )
            # END OF FILL ME IN
