"""A function of one place; the library makes threads of it."""

from layout import Coord, TileTensor
from layout.tile_layout import row_major
from max.algorithm.functional import elementwise
from max.gpu.host import DeviceContext

comptime SIZE = 8
comptime layout = row_major[SIZE]()


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.float32](SIZE)
        buffer.enqueue_fill(3)
        var values = TileTensor(buffer, layout)

        def square[width: Int, alignment: Int = 1](at: Coord) {var}:
            var held = values.load[width=width](at)
            values.store(at, held * held)

        elementwise[4, target="gpu"](square, Coord(SIZE), ctx)
        with buffer.map_to_host() as host:
            print(host[0], host[7])


# targets: nvidia
# > 9.0 9.0
