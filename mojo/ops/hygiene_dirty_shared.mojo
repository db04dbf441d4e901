"""The MAX op that fills shared memory with a pattern."""

from dirty_shared import DTYPE, dirty_shared
from extensibility import InputTensor, _MutableInputTensor, register
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu.host import DeviceContext, FuncAttribute


@register("hygiene_dirty_shared")
struct DirtyShared:
    """Fills the shared memory of every multiprocessor."""

    @staticmethod
    def execute[
        target: StaticString,
        shared_bytes: Int,
        grid_x: Int,
        grid_y: Int,
        block_x: Int,
        block_y: Int,
    ](
        witness: _MutableInputTensor[dtype=DTYPE, rank=1, ...],
        pattern: InputTensor[dtype=DTYPE, rank=1, ...],
        ctx: DeviceContext,
    ) raises:
        comptime assert grid_y == 1
        comptime if target == "gpu":
            comptime layout = row_major[grid_x]()
            comptime word_layout = row_major[1]()
            comptime kernel = dirty_shared[
                type_of(layout), type_of(word_layout), shared_bytes
            ]
            ctx.enqueue_function[kernel](
                TileTensor[mut=True](witness.unsafe_ptr(), layout),
                TileTensor[mut=False](pattern.unsafe_ptr(), word_layout),
                grid_dim=(grid_x, grid_y),
                block_dim=(block_x, block_y),
                shared_mem_bytes=shared_bytes,
                func_attribute=FuncAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES(
                    UInt32(shared_bytes)
                ),
            )
        else:
            # A processor has no shared memory.
            for block in range(grid_x):
                witness[block] = 1
