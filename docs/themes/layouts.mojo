"""One memory under two layouts: the same elements, other places."""

from layout import TileTensor
from layout.tile_layout import col_major, row_major
from max.gpu import thread_idx
from max.gpu.host import DeviceContext

comptime rows = row_major[2, 3]()
comptime columns = col_major[2, 3]()
comptime Rows = type_of(rows)
comptime Columns = type_of(columns)


def number(
    by_rows: TileTensor[mut=True, DType.int32, Rows, MutAnyOrigin],
    by_columns: TileTensor[mut=True, DType.int32, Columns, MutAnyOrigin],
):
    var row = thread_idx.y
    var column = thread_idx.x
    by_rows[row, column] = Int32(10 * row + column)
    by_columns[row, column] = Int32(10 * row + column)


def main() raises:
    with DeviceContext() as ctx:
        var first = ctx.enqueue_create_buffer[DType.int32](6)
        var second = ctx.enqueue_create_buffer[DType.int32](6)
        ctx.enqueue_function[number](
            TileTensor(first, rows),
            TileTensor(second, columns),
            grid_dim=1,
            block_dim=(3, 2),
        )
        with first.map_to_host() as values:
            print(values[0], values[1], values[2], values[3])
        with second.map_to_host() as values:
            print(values[0], values[1], values[2], values[3])


# targets: nvidia
# > 0 1 2 10
# > 0 10 1 11
