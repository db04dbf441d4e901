"""A handle of cuBLAS, which the simulated device has not: MAX's search for its function aborts the program."""

from _cublas.cublas import cublasCreate
from max.gpu.host import DeviceContext


def main() raises:
    with DeviceContext() as ctx:
        var handle = Optional[OpaquePointer[MutAnyOrigin]](None)
        _ = cublasCreate(Pointer(to=handle))
        print("never printed", ctx.name())
