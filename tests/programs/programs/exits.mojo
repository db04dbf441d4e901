"""It ends by `exit`, while work is queued that nobody waited for."""

from std.sys import exit

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def shifted(to: Pointer[Int32, MutAnyOrigin]):
    to[unsafe_offset=Int(global_idx.x) + 1] = 1  # finding: error out-of-bounds.after


def main() raises:
    var ctx = DeviceContext()
    var numbers = ctx.enqueue_create_buffer[DType.int32](4)
    ctx.enqueue_function[shifted](numbers, grid_dim=1, block_dim=4)  # finding: warning never-awaited
    print("leaves")
    exit(0)


# > leaves
