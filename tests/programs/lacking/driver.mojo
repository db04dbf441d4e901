"""A handle of CUDA's own driver, which the simulated device has not: an error of Mojo that names it, caught or not."""

from std.sys import argv

from max.gpu.host import DeviceContext
from max.gpu.host._nvidia_cuda import CUDA


def main() raises:
    var ctx = DeviceContext()
    if len(argv()) > 1:
        try:
            _ = CUDA(ctx)
        except e:
            print("caught:", "cuda_context is not supported" in String(e))
    else:
        _ = CUDA(ctx)
        print("never printed")
