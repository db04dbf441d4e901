"""Puzzle 18: softmax as a custom op of MAX, for a GPU and for a processor."""

from extensibility import InputTensor, OutputTensor, register
from layout import TensorLayout, TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.host import DeviceBuffer, DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.math import exp
from std.utils.numerics import min_finite

comptime SIZE = 128
"""The elements of the vector."""
comptime GRID_DIM_X = 1
"""The blocks of the grid."""
comptime BLOCK_DIM_X = 128
"""The threads of a block: a power of two, at least `SIZE`."""


def softmax_gpu_kernel[
    Layout: TensorLayout,
    input_size: Int,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, Layout, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, Layout, MutAnyOrigin],
):
    """Writes the share that the power of each element has in the sum of all powers.

    Parameters:
        Layout: The type of the layout of both.
        input_size: The elements of both.
        dtype: The element type.

    Args:
        output: The shares, shape (input_size).
        input: The exponents, shape (input_size).

    Constraints:
        There is one block, of `BLOCK_DIM_X` threads in x.
    """
    comptime assert dtype.is_floating_point(), "dtype is a floating-point type"
    comptime assert output.flat_rank == 1, "output is a vector"
    var global_i = Int(block_dim.x * block_idx.x + thread_idx.x)
    var local_i = Int(thread_idx.x)

    # FILL ME IN: about 36 lines
    var shared_max = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[BLOCK_DIM_X]())
    var shared_sum = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[BLOCK_DIM_X]())

    var value = min_finite[dtype]()  # where there is no element
    if global_i < input_size:
        value = rebind[Scalar[dtype]](input[global_i])
    shared_max[local_i] = value

    barrier()

    var stride = BLOCK_DIM_X // 2
    while stride > 0:
        if local_i < stride:
            shared_max[local_i] = max(
                shared_max[local_i], shared_max[local_i + stride]
            )
        barrier()
        stride //= 2

    # Of the largest element the power is 1: none is too large to be held.
    var power = Scalar[dtype](0)
    if global_i < input_size:
        power = exp(value - rebind[Scalar[dtype]](shared_max[0]))
    shared_sum[local_i] = power

    barrier()

    stride = BLOCK_DIM_X // 2
    while stride > 0:
        if local_i < stride:
            shared_sum[local_i] += shared_sum[local_i + stride]
        barrier()
        stride //= 2

    if global_i < input_size:
        output[global_i] = power / shared_sum[0]
    # END OF FILL ME IN


def softmax_cpu_kernel[
    Layout: TensorLayout,
    input_size: Int,
    dtype: DType = DType.float32,
](
    output: TileTensor[mut=True, dtype, Layout, MutAnyOrigin],
    input: TileTensor[mut=False, dtype, Layout, MutAnyOrigin],
):
    """Does the same on the processor.

    Parameters:
        Layout: The type of the layout of both.
        input_size: The elements of both.
        dtype: The element type.

    Args:
        output: The shares, shape (input_size).
        input: The exponents, shape (input_size).
    """
    comptime assert dtype.is_floating_point(), "dtype is a floating-point type"
    comptime assert output.flat_rank == 1, "output is a vector"

    # FILL ME IN: about 12 lines
    var largest = min_finite[dtype]()
    for i in range(input_size):
        largest = max(largest, rebind[Scalar[dtype]](input[i]))
    var total = Scalar[dtype](0)
    for i in range(input_size):
        var power = exp(rebind[Scalar[dtype]](input[i]) - largest)
        output[i] = power
        total += power
    for i in range(input_size):
        output[i] = output[i] / total
    # END OF FILL ME IN


@register("softmax")
struct SoftmaxCustomOp:
    """The op `softmax`."""

    @staticmethod
    def execute[
        target: StaticString,
        input_size: Int,
        dtype: DType = DType.float32,
    ](
        output: OutputTensor[rank=1, static_spec=_],
        input: InputTensor[rank=output.rank, static_spec=_],
        ctx: DeviceContext,
    ) raises:
        """Launches the kernel, or does the same on the processor.

        Parameters:
            target: What it is compiled for: `gpu` or `cpu`.
            input_size: The elements of `input` and of `output`.
            dtype: The element type.

        Args:
            output: The shares, shape (input_size).
            input: The exponents, shape (input_size).
            ctx: Where they lie.

        Raises:
            The launch fails.
        """
        comptime layout = row_major[input_size]()
        comptime Layout = type_of(layout)
        var output_tensor = TileTensor[mut=True, dtype, Layout, MutAnyOrigin](
            output.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), layout
        )
        var input_tensor = TileTensor[mut=False, dtype, Layout, MutAnyOrigin](
            input.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](), layout
        )
        comptime if target == "gpu":
            ctx.enqueue_memset(
                DeviceBuffer[dtype](
                    ctx,
                    output.unsafe_ptr().unsafe_bitcast[Scalar[dtype]](),
                    input_size,
                    owning=False,
                ),
                0,
            )
            ctx.enqueue_function[softmax_gpu_kernel[Layout, input_size, dtype]](
                output_tensor,
                input_tensor,
                grid_dim=GRID_DIM_X,
                block_dim=BLOCK_DIM_X,
            )
        elif target == "cpu":
            softmax_cpu_kernel[Layout, input_size, dtype](
                output_tensor, input_tensor
            )
        else:
            raise Error("the op softmax runs on gpu and cpu")
