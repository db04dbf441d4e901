"""Exported functions that need no device: they run natively on any machine."""

from std.sys import exit

comptime Floats = Pointer[Float32, MutAnyOrigin]


@export
def raising(a: Floats, n: Int32) raises:
    """Raises an error for a negative length."""
    if n < 0:
        raise Error("n is ", n, ", but must be at least 0")


@export
def on_host(a: Floats, to: Pointer[Int64, MutAnyOrigin], n: Int32) -> Int32:
    """Needs no device: both arrays are the host's."""
    var sum = 0
    for i in range(Int(n)):
        sum += Int(a[unsafe_offset=i])
        a[unsafe_offset=i] = -a[unsafe_offset=i]
    to[unsafe_offset=0] = Int64(sum)
    print("sum", sum)
    return n


@export
def beside_on_host(a: Floats, n: Int32):
    """Writes on both sides of an array of the host's."""
    a[unsafe_offset=-2] = 1
    a[unsafe_offset=Int(n)] = 1


@export
def leaving(a: Floats):
    """Ends the program."""
    exit(0)
