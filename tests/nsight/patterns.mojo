"""Accesses of one warp to shared memory, by width and stride, for a profiler."""

from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.sync import barrier

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime CELLS = 4096


@always_inline
def moved[width: Int](o: Floats, own: Int, at: Int):
    """Each lane stores a vector at its own place in shared memory and loads one.
    """
    var cells = stack_allocation[
        dtype=DType.float32, address_space=AddressSpace.SHARED
    ](row_major[CELLS]())
    comptime bytes = 4 * width
    cells.ptr.store[alignment=bytes](
        own, SIMD[DType.float32, width](Float32(thread_idx.x))
    )
    barrier()
    var got = cells.ptr.load[width=width, alignment=bytes](at)
    o[unsafe_offset=Int(thread_idx.x)] = got.reduce_add()


def words_side_by_side(o: Floats):
    var at = Int(thread_idx.x)
    moved[1](o, at, at)


def words_two_apart(o: Floats):
    var at = 2 * Int(thread_idx.x)
    moved[1](o, at, at)


def words_of_one_bank(o: Floats):
    var at = 32 * Int(thread_idx.x)
    moved[1](o, at, at)


def words_the_same(o: Floats):
    moved[1](o, Int(thread_idx.x), Int(thread_idx.x) // 32)


def pairs_side_by_side(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (lane), 2 * (lane))


def pairs_two_apart(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (2 * lane), 2 * (2 * lane))


def pairs_by_two(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (lane), 2 * (lane // 2))


def pairs_by_other_two(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (lane), 2 * (lane // 4 * 2 + lane % 2))


def pairs_by_four(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (lane), 2 * (lane // 4))


def pairs_by_eight(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (lane), 2 * (lane // 8))


def pairs_by_halves(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (lane), 2 * (lane // 16))


def pairs_the_same(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (lane), 2 * (lane // 32))


def pairs_twice(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (lane), 2 * (lane % 16))


def pairs_four_times(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (lane), 2 * (lane % 8))


def pairs_far(o: Floats):
    var lane = Int(thread_idx.x)
    moved[2](o, 2 * (16 * lane), 2 * (16 * lane))


def fours_side_by_side(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (lane), 4 * (lane))


def fours_two_apart(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (2 * lane), 4 * (2 * lane))


def fours_by_two(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (lane), 4 * (lane // 2))


def fours_by_other_two(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (lane), 4 * (lane // 4 * 2 + lane % 2))


def fours_by_four(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (lane), 4 * (lane // 4))


def fours_by_eight(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (lane), 4 * (lane // 8))


def fours_by_halves(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (lane), 4 * (lane // 16))


def fours_the_same(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (lane), 4 * (lane // 32))


def fours_twice(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (lane), 4 * (lane % 16))


def fours_four_times(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (lane), 4 * (lane % 8))


def fours_far(o: Floats):
    var lane = Int(thread_idx.x)
    moved[4](o, 4 * (8 * lane), 4 * (8 * lane))


def main() raises:
    with DeviceContext() as ctx:
        var o = ctx.enqueue_create_buffer[DType.float32](32)
        ctx.enqueue_function[words_side_by_side](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[words_two_apart](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[words_of_one_bank](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[words_the_same](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_side_by_side](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_two_apart](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_by_two](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_by_other_two](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_by_four](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_by_eight](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_by_halves](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_the_same](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_twice](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_four_times](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[pairs_far](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_side_by_side](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_two_apart](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_by_two](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_by_other_two](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_by_four](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_by_eight](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_by_halves](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_the_same](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_twice](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_four_times](o, grid_dim=1, block_dim=32)
        ctx.enqueue_function[fours_far](o, grid_dim=1, block_dim=32)
        ctx.synchronize()
