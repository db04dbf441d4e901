"""A table in constant memory: made by the compiler, and set at the launch."""

from max.gpu import thread_idx
from max.gpu.host import ConstantMemoryMapping, DeviceContext
from max.gpu.memory import AddressSpace
from std.memory import stack_allocation


def table[
    size: Int
]() -> Pointer[
    Float32, MutUntrackedOrigin, address_space=AddressSpace.CONSTANT
]:
    var values = stack_allocation[
        size, Float32, address_space=AddressSpace.CONSTANT
    ]()
    for i in range(size):
        values[unsafe_offset=i] = Float32(i * i)
    return values


def squares[size: Int](to: Pointer[Float32, MutAnyOrigin]):
    comptime values = table[size]()
    var i = Int(thread_idx.x)
    to[unsafe_offset=i] = values[unsafe_offset=i]


def weighted(to: Pointer[Float32, MutAnyOrigin]):
    var weights = stack_allocation[
        4,
        Float32,
        name=StaticString("weights"),
        address_space=AddressSpace.CONSTANT,
    ]()
    var i = Int(thread_idx.x)
    to[unsafe_offset=i] = weights[unsafe_offset=i] * 2


def main() raises:
    with DeviceContext() as ctx:
        var result = ctx.enqueue_create_buffer[DType.float32](4)
        ctx.enqueue_function[squares[4]](result, grid_dim=1, block_dim=4)
        print(result)
        var weights: List[Float32] = [0.5, 1, 2, 4]
        ctx.enqueue_function[weighted](
            result,
            grid_dim=1,
            block_dim=4,
            constant_memory=[
                ConstantMemoryMapping(
                    "weights",
                    weights.unsafe_ptr()
                    .unsafe_bitcast[NoneType]()
                    .unsafe_origin_cast[MutUntrackedOrigin](),
                    4 * 4,
                )
            ],
        )
        ctx.synchronize()
        print(result, len(weights))


# targets: nvidia
# > DeviceBuffer([0.0, 1.0, 4.0, 9.0])
# > DeviceBuffer([1.0, 2.0, 4.0, 8.0]) 4
