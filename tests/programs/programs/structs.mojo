"""A struct of a number and a vector as an argument, and a kernel that captures."""

from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import global_idx
from max.gpu.host import DeviceContext
from std.builtin.device_passable import DevicePassable, DeviceTypeEncoder


@fieldwise_init
struct Line(DevicePassable, TrivialRegisterPassable):
    """A line: a slope, and an offset for each of four elements."""

    var slope: Float32
    var offset: SIMD[DType.float32, 4]
    comptime device_type: AnyType = Self

    def _to_device_type(
        self, mut encoder: Some[DeviceTypeEncoder], target: MutOpaquePointer[_]
    ):
        encoder.encode(self, target)

    @staticmethod
    def get_type_name() -> String:
        return "Line"


def evaluate(to: Pointer[Float32, MutAnyOrigin], line: Line):
    var i = Int(global_idx.x)
    to[unsafe_offset=i] = line.slope * Float32(i) + line.offset[i % 4]


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.float32](8)
        var line = Line(2, SIMD[DType.float32, 4](0, 0.25, 0.5, 0.75))
        ctx.enqueue_function[evaluate](buffer, line, grid_dim=2, block_dim=4)
        print(buffer)

        var values = TileTensor(buffer, row_major[8]())
        var factor = Float32(4)
        var length = Int32(6)

        def scale() {var}:
            var i = global_idx.x
            if i < Int(length):
                values[i] = values[i] * factor

        ctx.enqueue_function(scale, grid_dim=1, block_dim=8)
        ctx.synchronize()
        print(buffer)


# > DeviceBuffer([0.0, 2.25, 4.5, 6.75, 8.0, 10.25, 12.5, 14.75])
# > DeviceBuffer([0.0, 9.0, 18.0, 27.0, 32.0, 41.0, 12.5, 14.75])
