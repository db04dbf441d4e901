"""Puzzle 33: matrix products, in tiles and on tensor cores."""

from layout import Layout, LayoutTensor, TileTensor
from layout.layout_tensor import copy_dram_to_sram_async as copy_tensor_async
from layout.tensor_core import TensorCore
from layout.tile_io import copy_dram_to_sram_async
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import block_idx, thread_idx
from max.gpu.memory import AddressSpace, async_copy_wait_all
from max.gpu.primitives.warp import WARP_SIZE
from max.gpu.sync import barrier
from std.utils.index import Index

comptime dtype = DType.float32
"""The element type."""
comptime SIZE = 1024
"""The rows and the columns of each matrix."""
comptime layout = row_major[SIZE, SIZE]()
"""Where the elements of a matrix lie."""
comptime LayoutType = type_of(layout)
"""The type of `layout`."""
comptime BLOCK_DIM_COUNT = 2
"""The dimensions of a block."""

comptime TILE_SIZE = 32
"""The rows and the columns of a tile, and of a block's threads."""
comptime BLOCK_PER_GRID_TILED = (SIZE // TILE_SIZE, SIZE // TILE_SIZE)
"""The blocks of the grid in x and y: one for each tile of the product."""
comptime THREADS_PER_BLOCK_TILED = (TILE_SIZE, TILE_SIZE)
"""The threads of a block in x and y."""

comptime BM = 4 * WARP_SIZE
"""The rows of the product that a block takes."""
comptime BN = 2 * WARP_SIZE
"""The columns of the product that a block takes."""
comptime BK = WARP_SIZE
"""The columns of the left factor that a block has at a time."""
comptime WM = WARP_SIZE
"""The rows of the product that a warp takes."""
comptime WN = WARP_SIZE
"""The columns of the product that a warp takes."""
comptime MMA_M = 16
"""The rows of the product that a tensor core takes at once."""
comptime MMA_N = 8
"""The columns of the product that it takes."""
comptime MMA_K = 8
"""The products that it adds up for each."""
comptime THREADS_PER_BLOCK_TENSOR_CORE = (8 * WARP_SIZE, 1)
"""The threads of a block in x and y: a warp for each WM x WN of the product."""
comptime BLOCKS_PER_GRID_TENSOR_CORE = (
    (SIZE + BN - 1) // BN,
    (SIZE + BM - 1) // BM,
)
"""The blocks of the grid: x goes over the columns and y over the rows."""


def matmul_idiomatic_tiled[
    size: Int
](
    output: TileTensor[mut=True, dtype, LayoutType, MutAnyOrigin],
    a: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
    b: TileTensor[mut=False, dtype, LayoutType, MutAnyOrigin],
):
    """Writes the product of `a` and `b`, of which the hardware copies a tile at a time.

    Parameters:
        size: The rows and columns of each matrix, a multiple of `TILE_SIZE`.

    Args:
        output: The product, shape (size, size).
        a: The left factor, shape (size, size).
        b: The right factor, shape (size, size).

    Constraints:
        A block has (TILE_SIZE, TILE_SIZE) threads, and there is one for each tile of the product.
    """
    var row = Int(thread_idx.y)
    var column = Int(thread_idx.x)
    var a_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TILE_SIZE, TILE_SIZE]())
    var b_shared = stack_allocation[
        dtype=dtype, address_space=AddressSpace.SHARED
    ](row_major[TILE_SIZE, TILE_SIZE]())
    comptime threads = row_major[TILE_SIZE, TILE_SIZE]()
    var down = Int(block_idx.y)
    var across = Int(block_idx.x)

    var total = Scalar[dtype](0)
    for step in range(size // TILE_SIZE):
        copy_dram_to_sram_async[thread_layout=threads](
            a_shared, a.tile[TILE_SIZE, TILE_SIZE](down, step)
        )
        copy_dram_to_sram_async[thread_layout=threads](
            b_shared, b.tile[TILE_SIZE, TILE_SIZE](step, across)
        )

        # A thread waits for its own copies, and at the barrier for the others'.
        async_copy_wait_all()
        barrier()

        for k in range(TILE_SIZE):
            total += a_shared[row, k] * b_shared[k, column]

        # Nobody copies the next tiles before everybody is done with these.
        barrier()

    output.tile[TILE_SIZE, TILE_SIZE](down, across)[row, column] = total


def tensor_core_matrix_multiplication[
    dtype: DType,
    layout_a: Layout,
    layout_b: Layout,
    layout_c: Layout,
    BM: Int,
    BN: Int,
    BK: Int,
    WM: Int,
    WN: Int,
    MMA_M: Int,
    MMA_N: Int,
    MMA_K: Int,
](
    A: LayoutTensor[dtype, layout_a, ImmutAnyOrigin],
    B: LayoutTensor[dtype, layout_b, ImmutAnyOrigin],
    C: LayoutTensor[dtype, layout_c, MutAnyOrigin],
):
    """Writes the product of `A` and `B`, each warp a tile of it on its tensor cores.

    Parameters:
        dtype: The element type.
        layout_a: Where the elements of the left factor lie.
        layout_b: Where those of the right factor lie.
        layout_c: Where those of the product lie.
        BM: The rows of the product that a block takes.
        BN: Its columns.
        BK: The products that a block adds up for each in one step.
        WM: The rows of the product that a warp takes.
        WN: Its columns.
        MMA_M: The rows of the product that a tensor core takes at once.
        MMA_N: Its columns.
        MMA_K: The products that it adds up for each.

    Args:
        A: The left factor, shape (M, K).
        B: The right factor, shape (K, N).
        C: The product, shape (M, N).

    Constraints:
        The shapes are multiples of the tiles; a block has a warp for each tile of (WM, WN). The tensor cores must take
        32-bit numbers.
    """
    comptime K = A.shape[1]()
    comptime warps_across = BN // WN
    comptime warps = (BM // WM) * warps_across
    comptime rows = WM // MMA_M
    comptime columns = WN // MMA_N
    comptime each = MMA_M * MMA_N // WARP_SIZE  # of the tensor core's tile, for each lane

    var warp = Int(thread_idx.x) // WARP_SIZE
    var warp_row, warp_column = divmod(warp, warps_across)
    var own = C.tile[BM, BN](Int(block_idx.y), Int(block_idx.x)).tile[WM, WN](
        warp_row, warp_column
    )
    var mma_op = TensorCore[dtype, dtype, Index(MMA_M, MMA_N, MMA_K)]()
    var a_shared = LayoutTensor[
        dtype,
        Layout.row_major(BM, BK),
        MutAnyOrigin,
        address_space=AddressSpace.SHARED,
    ].stack_allocation()
    var b_shared = LayoutTensor[
        dtype,
        Layout.row_major(BK, BN),
        MutAnyOrigin,
        address_space=AddressSpace.SHARED,
    ].stack_allocation()
    # The sums of a lane, in registers.
    var sums = (
        LayoutTensor[
            dtype,
            Layout.row_major(rows, columns * each),
            MutAnyOrigin,
            address_space=AddressSpace.LOCAL,
        ]
        .stack_allocation()
        .fill(0)
    )

    for step in range(K // BK):
        # FILL ME IN: about 40 lines
        # Four elements at once, by all threads.
        copy_tensor_async[
            thread_layout=Layout.row_major(warps * WARP_SIZE * 4 // BK, BK // 4)
        ](
            a_shared.vectorize[1, 4](),
            A.tile[BM, BK](Int(block_idx.y), step).vectorize[1, 4](),
        )
        copy_tensor_async[
            thread_layout=Layout.row_major(warps * WARP_SIZE * 4 // BN, BN // 4)
        ](
            b_shared.vectorize[1, 4](),
            B.tile[BK, BN](step, Int(block_idx.x)).vectorize[1, 4](),
        )

        async_copy_wait_all()
        barrier()

        var a_warp = a_shared.tile[WM, BK](warp_row, 0)
        var b_warp = b_shared.tile[BK, WN](0, warp_column)
        for k in range(BK // MMA_K):
            comptime for m in range(rows):
                var left = mma_op.load_a(a_warp.tile[MMA_M, MMA_K](m, k))
                comptime for n in range(columns):
                    var right = mma_op.load_b(b_warp.tile[MMA_K, MMA_N](k, n))
                    var sum = sums.tile[1, each](m, n)
                    sum.copy_from(mma_op.mma_op(left, right, sum))

        # Nobody copies the next tiles before everybody is done with these.
        barrier()
        # END OF FILL ME IN

    comptime for m in range(rows):
        comptime for n in range(columns):
            mma_op.store_d(
                own.tile[MMA_M, MMA_N](m, n), sums.tile[1, each](m, n)
            )
