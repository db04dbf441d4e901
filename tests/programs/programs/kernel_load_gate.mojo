"""What keeps loads of kernels apart from launches on several devices: of one device nobody waits."""

from max.gpu.host import DeviceContext
from max.gpu.host._kernel_load_gate import (
    CollectiveEnqueueScope,
    CollectiveGate,
    KernelLoadScope,
)


def main() raises:
    with DeviceContext() as ctx:
        with KernelLoadScope(ctx):
            print("loading")
        var gate = CollectiveGate(ctx, 1)
        print("acquired", gate.try_acquire())
        with CollectiveEnqueueScope(ctx):
            print("launching")
        gate.enqueue_done()


# > loading
# > acquired True
# > launching
