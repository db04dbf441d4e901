"""The program ends without waiting for its last kernel."""

from max.gpu.host import DeviceContext


def say():
    print("hello")


def main() raises:
    var ctx = DeviceContext()
    print("begins")
    ctx.enqueue_function[say](grid_dim=1, block_dim=1)  # finding: warning never-awaited


# natively: nobody waits for what is printed
# > begins
# > hello
