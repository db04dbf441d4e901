"""Indices that an array's shape does not have, though its memory may: what `exec --shapes` finds, and where."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from harness.learning.trace import recorded
from harness.programs import Options, execute
from harness.report.programs import renderer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find() is None, reason="the Mojo compiler is not installed"),
]

PROGRAM = """from std.sys import argv
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


def stores(output: Column, a: Matrix):
    output[0, Int(thread_idx.x)] = 1  # stores: output[0, 1] is outside of output, which has the shape (4, 1)


def reads(output: Column, a: Matrix):
    var i = Int(thread_idx.x)
    output[i, 0] = a[0, i + 4]  # reads: a[0, 6] is outside of a, which has the shape (4, 6)


def flat(output: Column, a: Matrix):
    output[Int(thread_idx.x), 0] = a[Int(thread_idx.x)]  # flat: a[0] has 1 index, but a has the shape (4, 6)


def right(output: Column, a: Matrix):
    output[Int(thread_idx.x), 0] = a[Int(thread_idx.x), 5]


def old_stores(output: OldColumn, a: OldMatrix):
    output[0, Int(thread_idx.x)] = 1  # old-stores: output[0, 1] is outside of output, which has the shape (4, 1)


def old_reads(output: OldColumn, a: OldMatrix):
    var i = Int(thread_idx.x)
    output[i, 0] = a[0, i + 4]  # old-reads: a[0, 6] is outside of a, which has the shape (4, 6)


def old_tiles(output: OldColumn, a: OldMatrix):
    var part = a.tile[2, 3](0, 0)
    output[0, 0] = part[Int(thread_idx.x), 0]  # old-tiles: an index into part is outside of its shape


def old_vectors(output: OldColumn, a: OldMatrix):
    output[0, 0] = a.load[4](0, Int(thread_idx.x) + 3)[0]  # old-vectors: an index into a is outside of its shape


def old_right(output: OldColumn, a: OldMatrix):
    output[Int(thread_idx.x), 0] = a[Int(thread_idx.x), 5]


def main() raises:
    with DeviceContext() as ctx:
        var output = ctx.enqueue_create_buffer[dtype](4)
        output.enqueue_fill(0)
        var a = ctx.enqueue_create_buffer[dtype](24)
        a.enqueue_fill(1)
        if argv()[1] == "stores":
            ctx.enqueue_function[stores](TileTensor(output, column), TileTensor(a, matrix), grid_dim=1, block_dim=3)
        if argv()[1] == "reads":
            ctx.enqueue_function[reads](TileTensor(output, column), TileTensor(a, matrix), grid_dim=1, block_dim=3)
        if argv()[1] == "flat":
            ctx.enqueue_function[flat](TileTensor(output, column), TileTensor(a, matrix), grid_dim=1, block_dim=3)
        if argv()[1] == "right":
            ctx.enqueue_function[right](TileTensor(output, column), TileTensor(a, matrix), grid_dim=1, block_dim=3)
        if argv()[1] == "old-stores":
            ctx.enqueue_function[old_stores](OldColumn(output), OldMatrix(a), grid_dim=1, block_dim=3)
        if argv()[1] == "old-reads":
            ctx.enqueue_function[old_reads](OldColumn(output), OldMatrix(a), grid_dim=1, block_dim=3)
        if argv()[1] == "old-tiles":
            ctx.enqueue_function[old_tiles](OldColumn(output), OldMatrix(a), grid_dim=1, block_dim=3)
        if argv()[1] == "old-vectors":
            ctx.enqueue_function[old_vectors](OldColumn(output), OldMatrix(a), grid_dim=1, block_dim=3)
        if argv()[1] == "old-right":
            ctx.enqueue_function[old_right](OldColumn(output), OldMatrix(a), grid_dim=1, block_dim=3)
        ctx.synchronize()
"""
KERNELS = ("stores", "reads", "flat", "right", "old-stores", "old-reads", "old-tiles", "old-vectors", "old-right")
ASSERTED = ("old-tiles", "old-vectors")  # the library says that they are outside, and no index


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The program: at one path, it is compiled once for a target."""
    path = tmp_path_factory.mktemp("shapes") / "kernels.mojo"
    path.write_text(PROGRAM)
    return path


def told(file, target, kernel):
    """The findings of a kernel's run, each as its line and what is said of it."""
    options = Options(shapes=True)
    ran = execute(file, target=target, backend="simulator", arguments=[kernel], options=options)
    show = renderer([ran])
    assert not ran.missing
    return [(found.sites[0].line, show.record(found)["message"]) for found in ran.findings if found.severity == "error"]


@pytest.mark.parametrize(
    "target", ["nvidia:sm_90", *(pytest.param(other, marks=pytest.mark.full) for other in ("amd:gfx942", "apple"))]
)
def test_an_index_outside_of_the_shape_is_told_at_its_line(target, file):
    for kernel in KERNELS:
        said = [
            (number, line.partition(f"  # {kernel}: ")[2])
            for number, line in enumerate(PROGRAM.splitlines(), 1)
            if f"  # {kernel}: " in line
        ]
        if kernel in ASSERTED and target == "apple":
            continue  # its programs say nothing when an assertion fails
        found = told(file, target, kernel)

        assert [line for line, _ in found] == [line for line, _ in said], kernel
        assert all(text.startswith(begin) for (_, text), (_, begin) in zip(found, said, strict=True)), found


@pytest.mark.parametrize("kernel", ["right", "old-right"])
def test_arrays_of_a_recorded_launch_have_their_names_and_shapes(kernel, file):
    options = Options(shapes=True, recorded=((1, None),))
    ran = execute(file, target="nvidia:sm_90", backend="simulator", arguments=[kernel], options=options)
    launch = ran.recorded[1]
    trace = recorded(launch, renderer([ran]), [], {}, launch.pop("shapes"))

    shapes = {buffer["name"]: buffer["shape"] for buffer in trace["buffers"]}
    assert shapes == {"output": [4, 1], "a": [4, 6]}
