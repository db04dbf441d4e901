"""What never ends, in a kernel or on the host; what takes much memory; what crashes."""

from std.sys import argv

from max.gpu.host import DeviceContext


def spin(flag: Pointer[Int32, MutAnyOrigin]):
    while flag[] == 0:
        flag[] = 0


def main() raises:
    var ctx = DeviceContext()
    print("begins")
    if argv()[1] == "kernel":
        var flag = ctx.enqueue_create_buffer[DType.int32](1)
        flag.enqueue_fill(0)
        ctx.enqueue_function[spin](flag, grid_dim=1, block_dim=1)
        ctx.synchronize()
    elif argv()[1] == "host":
        var number = 1
        while number != 0:
            number += 2
        print(number)
    elif argv()[1] == "memory":
        var size = 1 << 20
        var kept = List[List[Int]]()
        while True:
            kept.append(List[Int](length=size, fill=len(kept)))
    elif argv()[1] == "crash":
        var nowhere = Pointer[Int32, MutUntrackedOrigin](
            unsafe_from_address=64
        )
        nowhere[] = 1
    print("ends")
