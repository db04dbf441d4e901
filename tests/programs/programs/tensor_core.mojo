"""A tile is copied asynchronously and multiplied on tensor cores, by the layout library."""

# targets: nvidia
# > all 128 are right

from std.utils.index import Index
from layout import Layout, LayoutTensor
from layout.layout_tensor import copy_dram_to_sram_async
from layout.tensor_core import TensorCore
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace, async_copy_wait_all
from max.gpu.sync import barrier

comptime A = Layout.row_major(16, 8)
comptime B = Layout.row_major(8, 8)
comptime Tile = LayoutTensor[DType.float32, A, MutAnyOrigin]


def multiply(a: Tile, b: LayoutTensor[DType.float32, B, MutAnyOrigin], c: Tile):
    """Adds the product of a and b to c, in one warp."""
    var tile = LayoutTensor[
        DType.float32, A, MutAnyOrigin, address_space=AddressSpace.SHARED
    ].stack_allocation()
    copy_dram_to_sram_async[thread_layout=Layout.row_major(8, 4)](
        tile.vectorize[1, 2](), a.vectorize[1, 2]()
    )
    async_copy_wait_all()
    barrier()
    var core = TensorCore[DType.float32, DType.float32, Index(16, 8, 8)]()
    core.store_d(
        c, core.mma_op(core.load_a(tile), core.load_b(b), core.load_c(c))
    )


def main() raises:
    with DeviceContext() as ctx:
        var a = ctx.enqueue_create_buffer[DType.float32](128)
        var b = ctx.enqueue_create_buffer[DType.float32](64)
        var c = ctx.enqueue_create_buffer[DType.float32](128)
        with a.map_to_host() as host:
            for i in range(128):
                host[i] = Float32(i % 7)
        with b.map_to_host() as host:
            for i in range(64):
                host[i] = Float32(i % 5)
        c.enqueue_fill(1)
        ctx.enqueue_function[multiply](
            LayoutTensor[DType.float32, A](a),
            LayoutTensor[DType.float32, B](b),
            LayoutTensor[DType.float32, A](c),
            grid_dim=1,
            block_dim=32,
        )
        var right = 0
        with c.map_to_host() as host:
            for i in range(128):
                var total = Float32(1)
                for k in range(8):
                    total += Float32((i // 8 * 8 + k) % 7) * Float32(
                        (k * 8 + i % 8) % 5
                    )
                right += 1 if host[i] == total else 0
        print("all", right, "are right")
