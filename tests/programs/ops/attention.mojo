"""Attention of one query: the scores of all keys in a buffer of its own, then the values by their shares."""

from extensibility import InputTensor, OutputTensor, register
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_dim, block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier
from std.math import exp, sqrt

from .common import Values

comptime THREADS = 128
"""The threads of a block, at least as many as keys and as a value has elements."""
comptime NO_SCALE = 1
"""The scores are not divided by the root of the length."""
comptime SHORT_BUFFER = 2
"""The buffer of the scores lacks the last one."""
comptime NO_BARRIER = 3
"""Nobody waits for the shares."""
comptime ONE_LEFT_OUT = 4
"""The last element is never written."""
comptime NO_BUFFER_FILL = 5
"""The first score is never computed."""


def _scores[
    defect: Int
](scores: Values, q: Values, k: Values, count: Int32, d: Int32):
    var key = Int(block_dim.x * block_idx.x + thread_idx.x)
    if key < Int(count) and (key > 0 or defect != NO_BUFFER_FILL):
        var sum = Float32(0)
        for j in range(Int(d)):
            sum += (
                q[unsafe_offset=j] * k[unsafe_offset=key * Int(d) + j]
            )
        comptime if defect != NO_SCALE:
            sum /= sqrt(Float32(d))
        scores[unsafe_offset=key] = sum


def _weighted[
    defect: Int
](output: Values, scores: Values, v: Values, count: Int32, d: Int32):
    var shares = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[THREADS]())
    var i = Int(thread_idx.x)
    if i < Int(count):
        shares[i] = exp(scores[unsafe_offset=i])
    comptime if defect != NO_BARRIER:
        barrier()
    if i < Int(d) - (1 if defect == ONE_LEFT_OUT else 0):
        var total, sum = Float32(0), Float32(0)
        for key in range(Int(count)):
            var share = rebind[Float32](shares[key])
            total += share
            sum += share * v[unsafe_offset=key * Int(d) + i]
        output[unsafe_offset=i] = sum / total


@register("attention")
struct Attention:
    """The op `attention`."""

    @staticmethod
    def execute[
        target: StaticString, defect: Int
    ](
        output: OutputTensor[dtype=DType.float32, rank=1, ...],
        q: InputTensor[dtype=DType.float32, rank=1, ...],
        k: InputTensor[dtype=DType.float32, rank=2, ...],
        v: InputTensor[dtype=DType.float32, rank=2, ...],
        ctx: DeviceContext,
    ) raises:
        """Launches both kernels.

        Parameters:
            target: What it is compiled for.
            defect: What is wrong with it.

        Args:
            output: Shape (d).
            q: The query, shape (d).
            k: The keys, shape (count, d).
            v: The values, shape (count, d).
            ctx: Where they lie.

        Raises:
            A launch fails.
        """
        var count, d = k.dim_size(0), k.dim_size(1)
        var scores = ctx.enqueue_create_buffer[DType.float32](
            count - 1 if defect == SHORT_BUFFER else count
        )
        ctx.enqueue_function[_scores[defect]](
            scores,
            q.unsafe_ptr().unsafe_bitcast[Float32](),
            k.unsafe_ptr().unsafe_bitcast[Float32](),
            Int32(count),
            Int32(d),
            grid_dim=1,
            block_dim=THREADS,
        )
        ctx.enqueue_function[_weighted[defect]](
            output.unsafe_ptr().unsafe_bitcast[Float32](),
            scores,
            v.unsafe_ptr().unsafe_bitcast[Float32](),
            Int32(count),
            Int32(d),
            grid_dim=1,
            block_dim=THREADS,
        )
