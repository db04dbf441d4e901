"""A buffer ends after its last use, though pointers into it go on: one mistake, wherever it shows."""

from max.gpu import global_idx
from max.gpu.host import DeviceBuffer, DeviceContext
from std.builtin.device_passable import DevicePassable, DeviceTypeEncoder


@fieldwise_init
struct Link(DevicePassable, TrivialRegisterPassable):
    """A pointer that no buffer keeps alive."""

    var target: Pointer[Int32, MutUntrackedOrigin]
    comptime device_type: AnyType = Self

    def _to_device_type(
        self, mut encoder: Some[DeviceTypeEncoder], target: MutOpaquePointer[_]
    ):
        encoder.encode(self, target)

    @staticmethod
    def get_type_name() -> String:
        return "Link"


def link(buffer: DeviceBuffer[DType.int32]) raises -> Link:
    return Link(
        buffer.unsafe_ptr().unsafe_mut_cast[True]().unsafe_origin_cast[
            MutUntrackedOrigin
        ]()
    )


def double(to: Pointer[Int32, MutAnyOrigin], link: Link):
    var i = Int(global_idx.x)
    to[unsafe_offset=i] = 2 * link.target[unsafe_offset=i]  # finding: error use-after-free
    if i == 0:
        to[unsafe_offset=i] += link.target[unsafe_offset=i + 1]


def add(to: Pointer[Int32, MutAnyOrigin], values: Pointer[Int32, MutAnyOrigin]):
    var i = Int(global_idx.x)
    to[unsafe_offset=i] += values[unsafe_offset=i]
    if values[unsafe_offset=i] > 2:
        to[unsafe_offset=i] = 7


def main() raises:
    with DeviceContext() as ctx:
        var doubled = ctx.enqueue_create_buffer[DType.int32](4)
        doubled.enqueue_fill(0)
        var sums = ctx.enqueue_create_buffer[DType.int32](4)
        sums.enqueue_fill(0)
        var gone = ctx.enqueue_create_buffer[DType.int32](4)
        gone.enqueue_fill(1)
        var linked = link(gone)  # freed here
        ctx.enqueue_function[double](doubled, linked, grid_dim=1, block_dim=4)
        ctx.enqueue_function[add](sums, doubled, grid_dim=1, block_dim=4)
        with doubled.map_to_host() as host:
            var same = host[0] == host[1]
            with sums.map_to_host() as others:
                print("done", same or others[0] != 0)


# natively: it uses freed memory
# > done True
