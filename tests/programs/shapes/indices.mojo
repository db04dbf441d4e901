"""Indices that an array's shape does not have, though its memory may; a number says which."""

from std.sys import argv
from layout import Layout, LayoutTensor, TileTensor
from layout.tile_layout import row_major
from max.gpu import thread_idx
from max.gpu.host import DeviceContext

comptime dtype = DType.float32
comptime matrix = row_major[4, 6]()
comptime column = row_major[4, 1]()
comptime Matrix = TileTensor[mut=True, dtype, type_of(matrix), MutAnyOrigin]
comptime Column = TileTensor[mut=True, dtype, type_of(column), MutAnyOrigin]
comptime OldMatrix = LayoutTensor[dtype, Layout.row_major(4, 6), MutAnyOrigin]
comptime OldColumn = LayoutTensor[dtype, Layout.row_major(4, 1), MutAnyOrigin]


def tiles(output: Column, a: Matrix, which: Int32):
    var i = Int(thread_idx.x)
    if which == 0:
        output[i, 0] = a[i, 5]
    elif which == 1:
        output[0, i] = 1  # stores: output[0, 1] is outside the shape (4, 1) of output
    elif which == 2:
        output[i, 0] = a[0, i + 4]  # reads: a[0, 6] is outside the shape (4, 6) of a
    elif which == 3:
        output[i, 0] = a[i]  # flat: a[0] has 1 index, but a has the shape (4, 6)


def old_stores(output: OldColumn, a: OldMatrix):
    output[0, Int(thread_idx.x)] = 1  # old-stores: output[0, 1] is outside the shape (4, 1) of output


def old_branches(output: OldColumn, a: OldMatrix, which: Int32):
    var i = Int(thread_idx.x)
    if which == 4:
        output[i, 0] = a[i, 5]
    elif which == 6:
        output[i, 0] = a[0, i + 4]  # old-reads: a[0, 6] is outside the shape (4, 6) of a
    elif which == 9:
        output[0, i] = 1  # old-branch: output[0, 1] is outside the shape (4, 1) of output


def old_tiles(output: OldColumn, a: OldMatrix):
    var part = a.tile[2, 3](0, 0)
    output[0, 0] = part[Int(thread_idx.x), 0]  # old-tiles: an index into part is outside of its shape


def old_vectors(output: OldColumn, a: OldMatrix):
    output[0, 0] = a.load[4](0, Int(thread_idx.x) + 3)[0]  # old-vectors: an index into a is outside of its shape


def old_views(output: OldColumn, a: OldMatrix):
    var i = Int(thread_idx.x)
    var turned = a.transpose()
    output[i, 0] = turned[i + 3, 0][0] + a.transpose()[i + 3, 1][0] + a[0, i][0]


def main() raises:
    var which = Int32(Int(argv()[1]))
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[dtype](4)
        output.enqueue_fill(0)
        var a = ctx.enqueue_create_buffer[dtype](24)
        a.enqueue_fill(1)
        if which < 4:
            ctx.enqueue_function[tiles](
                TileTensor(output, column), TileTensor(a, matrix), which, grid_dim=1, block_dim=3
            )
        if which == 4 or which == 6 or which == 9:
            ctx.enqueue_function[old_branches](OldColumn(output), OldMatrix(a), which, grid_dim=1, block_dim=3)
        if which == 5:
            ctx.enqueue_function[old_stores](OldColumn(output), OldMatrix(a), grid_dim=1, block_dim=3)
        if which == 10:
            ctx.enqueue_function[old_views](OldColumn(output), OldMatrix(a), grid_dim=1, block_dim=3)
        if which == 7:
            ctx.enqueue_function[old_tiles](OldColumn(output), OldMatrix(a), grid_dim=1, block_dim=3)
        if which == 8:
            ctx.enqueue_function[old_vectors](OldColumn(output), OldMatrix(a), grid_dim=1, block_dim=3)
        ctx.synchronize()
