"""Several contexts, copies of one, the one that a buffer belongs to, and a scope that makes one current."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext


def add(values: Pointer[Int32, MutAnyOrigin], summand: Int32):
    values[unsafe_offset=Int(global_idx.x)] += summand


def owner(ctx: DeviceContext) raises -> DeviceContext:
    """The context of a buffer, which is gone when this returns."""
    return ctx.enqueue_create_buffer[DType.int32](1).context()


def main() raises:
    var first = DeviceContext()
    var same = first
    var other = DeviceContext()
    print(first.id() == other.id(), owner(same).api() == first.api())
    var values = same.enqueue_create_buffer[DType.int32](2)
    values.enqueue_fill(1)
    with other.push_context() as current:
        print(current.api() == first.api())
        var own = current.enqueue_create_buffer[DType.int32](2)
        own.enqueue_fill(10)
        first.enqueue_function[add](values, Int32(2), grid_dim=1, block_dim=2)
        current.enqueue_copy(own, values)  # waits for both contexts
        current.enqueue_function[add](own, Int32(4), grid_dim=1, block_dim=2)
        print(own)
    values.reassign_ownership_to(other)
    other.enqueue_function[add](values, Int32(8), grid_dim=1, block_dim=2)
    print(values)


# > True True
# > True
# > DeviceBuffer([7, 7])
# > DeviceBuffer([11, 11])
