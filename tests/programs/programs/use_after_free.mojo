"""A kernel follows a pointer into a buffer that is gone."""

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




def copy(to: Pointer[Int32, MutAnyOrigin], link: Link):
    var i = Int(global_idx.x)
    to[unsafe_offset=i] = link.target[unsafe_offset=i]  # finding: error use-after-free, error uninitialised.output


def main() raises:
    with DeviceContext() as ctx:
        var to = ctx.enqueue_create_buffer[DType.int32](4)
        to.enqueue_fill(0)
        var gone = ctx.enqueue_create_buffer[DType.int32](4)
        gone.enqueue_fill(1)
        var link = Link(
            gone.unsafe_ptr().unsafe_mut_cast[True]().unsafe_origin_cast[
                MutUntrackedOrigin
            ]()
        )
        _ = gone^
        ctx.enqueue_function[copy](to, link, grid_dim=1, block_dim=4)
        ctx.synchronize()
        print("done")


# natively: it uses freed memory
# > done
