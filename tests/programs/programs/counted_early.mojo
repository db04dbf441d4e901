"""The last block reads a counter that all add to: nobody waits for those that add later.

Where that block comes last, as it does in the first order of the threads, its own atomic update has found all others,
and its read is in order. Another order shows the race.
"""

from std.atomic import Atomic
from max.gpu import block_idx, grid_dim
from max.gpu.host import DeviceContext


def count_blocks(
    to: UnsafePointer[Int32, MutAnyOrigin],
    counter: UnsafePointer[Int32, MutAnyOrigin],
):
    _ = Atomic.fetch_add(counter, Int32(1))  # finding: error race.global.write-read
    if block_idx.x == grid_dim.x - 1:
        to[0] = counter[0]
        print("counted", to[0])


def main() raises:
    with DeviceContext() as ctx:
        var counter = ctx.enqueue_create_buffer[DType.int32](1)
        var to = ctx.enqueue_create_buffer[DType.int32](1)
        counter.enqueue_fill(0)
        ctx.enqueue_function[count_blocks](to, counter, grid_dim=6, block_dim=1)
        with to.map_to_host() as host:
            with counter.map_to_host() as counted:
                print("to", host[0], "counter", counted[0])


# targets: nvidia
# > counted 6
# > to 6 counter 6
