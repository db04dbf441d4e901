"""A program with a module from another folder, a definition, arguments and input."""

from std.os import getenv
from std.sys import argv
from std.sys.defines import get_defined_int

from doubling import double
from max.gpu.host import DeviceContext

comptime SIZE = get_defined_int["SIZE", 2]()


def main() raises:
    with DeviceContext() as ctx:
        var values = ctx.enqueue_create_buffer[DType.int32](SIZE)
        values.enqueue_fill(21)
        ctx.enqueue_function[double](values, grid_dim=1, block_dim=SIZE)
        print(values)
    for argument in argv()[1:]:
        print("argument", argument)
    print("environment", getenv("PYTHONPATH"), getenv("TMPDIR"))
    print("input", input())
