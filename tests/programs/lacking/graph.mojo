"""A device graph, which the simulated device has not: an error of Mojo that names it, caught or not."""

from std.sys import argv

from max.gpu.host import DeviceContext
from max.gpu.host.device_context import DeviceGraphBuilder


def nothing():
    pass


def main() raises:
    var ctx = DeviceContext()

    def build(mut builder: DeviceGraphBuilder) raises {imm}:
        _ = builder.add_function[nothing](grid_dim=1, block_dim=1)

    if len(argv()) > 1:
        try:
            ctx.create_device_graph(build).replay()
        except e:
            print("caught:", String(e).find("createGraphBuilder") >= 0)
    else:
        ctx.create_device_graph(build).replay()
        print("never printed")
