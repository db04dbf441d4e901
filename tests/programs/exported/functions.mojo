"""Exported functions, as kernel sites ask for them; `tests/programs/test_call.py` says what each comes to."""

from std.math import ceildiv

from max.gpu import barrier, global_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from std.memory import stack_allocation

comptime BLOCK = 64
comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime Element = DType.float32


def add(a: Floats, b: Floats, c: Floats, n: Int32):
    var i = Int(global_idx.x)
    if i < Int(n):
        c[unsafe_offset=i] = a[unsafe_offset=i] + b[unsafe_offset=i]


@export
def added(
    a: Pointer[Scalar[Element], MutAnyOrigin],
    b: Floats,  # read
    c: Floats,
    n: Int32,
) raises:
    """`@export def unreal(a: Floats)` is no function: this is a text."""
    var ctx = DeviceContext()
    ctx.enqueue_function[add](a, b, c, n, grid_dim=ceildiv(Int(n), BLOCK), block_dim=BLOCK)
    ctx.synchronize()


def count(data: Pointer[Int32, MutAnyOrigin], bins: Pointer[Int32, MutAnyOrigin]):
    var bin = Int(data[unsafe_offset=Int(global_idx.x)])
    bins[unsafe_offset=bin] = bins[unsafe_offset=bin] + 1


@export
def counted(data: Pointer[Int32, MutAnyOrigin], bins: Pointer[Int32, MutAnyOrigin], n: Int32) raises:
    """Threads add to one element without atomics."""
    var ctx = DeviceContext()
    ctx.enqueue_function[count](data, bins, grid_dim=Int(n) // BLOCK, block_dim=BLOCK)
    ctx.synchronize()


def shift(a: Floats):
    a[unsafe_offset=Int(global_idx.x) + 1] = 1


@export
def shifted(a: Floats, n: Int32) raises:
    """The last thread writes behind the array."""
    var ctx = DeviceContext()
    ctx.enqueue_function[shift](a, grid_dim=1, block_dim=Int(n))
    ctx.synchronize()


def smooth(source: Floats, to: Floats, n: Int32):
    var i = Int(global_idx.x)
    if 0 < i < Int(n) - 1:
        to[unsafe_offset=i] = (source[unsafe_offset=i - 1] + source[unsafe_offset=i + 1]) / 2
    elif i < Int(n):
        to[unsafe_offset=i] = source[unsafe_offset=i]


@export
def smoothed(a: Floats, n: Int32, steps: Int32) raises:
    """A loop on the host launches one kernel again and again."""
    var ctx = DeviceContext()
    var other = ctx.enqueue_create_buffer[DType.float32](Int(n))
    for _ in range(steps):
        ctx.enqueue_function[smooth](a, other, n, grid_dim=1, block_dim=BLOCK)
        ctx.enqueue_function[smooth](other, a, n, grid_dim=1, block_dim=BLOCK)
    ctx.synchronize()
    _ = other^


def square(a: Floats, b: Floats):
    var i = Int(global_idx.x)
    b[unsafe_offset=i] = a[unsafe_offset=i] * a[unsafe_offset=i]


def total(a: Floats, sum: Floats):
    var shared = stack_allocation[BLOCK, Float32, address_space=AddressSpace.SHARED]()
    var i = Int(thread_idx.x)
    shared[unsafe_offset=i] = a[unsafe_offset=i]
    barrier()
    var left = BLOCK // 2
    while left > 0:
        if i < left:
            shared[unsafe_offset=i] = shared[unsafe_offset=i] + shared[unsafe_offset=i + left]
        barrier()
        left //= 2
    if i == 0:
        sum[unsafe_offset=0] = shared[unsafe_offset=0]


@export
def squares(a: Floats, b: Floats, sum: Floats) raises:
    """Two kernels, the second of which needs the first one's results."""
    var ctx = DeviceContext()
    ctx.enqueue_function[square](a, b, grid_dim=1, block_dim=BLOCK)
    ctx.enqueue_function[total](b, sum, grid_dim=1, block_dim=BLOCK)
    ctx.synchronize()


def store(to: Pointer[Int64, MutAnyOrigin], i: Int32, value: Int64):
    to[unsafe_offset=Int(i)] = value


@export
def scalars(
    to: Pointer[Int64, MutAnyOrigin],
    a: Int8,
    b: UInt8,
    c: Int16,
    d: UInt32,
    e: Int64,
    f: UInt64,
    g: Int,
    h: UInt,
    i: Bool,
    j: Float16,
    k: Float32,
    l: Float64,
) raises:
    """Numbers of all types; floats as eight times their value."""
    var ctx = DeviceContext()
    var values: List[Int64] = [Int64(a), Int64(b), Int64(c), Int64(d), e, Int64(f), Int64(g), Int64(h), Int64(Int(i))]
    values.append(Int64(j * 8))
    values.append(Int64(k * 8))
    values.append(Int64(l * 8))
    for at in range(len(values)):
        ctx.enqueue_function[store](to, Int32(at), values[at], grid_dim=1, block_dim=1)
    ctx.synchronize()


def scale(a: Pointer[Float64, MutAnyOrigin], by: Float64):
    var i = Int(global_idx.x)
    a[unsafe_offset=i] = a[unsafe_offset=i] * by


@export
def scaled(a: Pointer[Float64, MutAnyOrigin], by: Float64, n: Int) raises:
    """Doubles; not for Apple's GPUs, which have none."""
    var ctx = DeviceContext()
    ctx.enqueue_function[scale](a, by, grid_dim=1, block_dim=n)
    ctx.synchronize()


def widen(
    a: Pointer[Int8, ImmutAnyOrigin],
    b: Pointer[UInt16, ImmutAnyOrigin],
    c: Pointer[UInt64, MutAnyOrigin],
    n: Int64,
):
    var i = Int(global_idx.x)
    if i < Int(n):
        c[unsafe_offset=i] = UInt64(Int(a[unsafe_offset=i])) * UInt64(b[unsafe_offset=i])


@export("widen")
def widened(
    a: Pointer[Int8, ImmutAnyOrigin],
    b: Pointer[UInt16, ImmutAnyOrigin],
    c: Pointer[UInt64, MutAnyOrigin],
    n: Int,
) raises:
    """Integers of several sizes, and a length that is an `Int`."""
    var ctx = DeviceContext()
    ctx.enqueue_function[widen](a, b, c, Int64(n), grid_dim=1, block_dim=BLOCK)
    ctx.synchronize()


@export
def short(a: Floats, b: Floats, c: Floats, n: Int32) raises:
    """Leaves the last element of its output unwritten."""
    var ctx = DeviceContext()
    ctx.enqueue_function[add](a, b, c, n - 1, grid_dim=1, block_dim=BLOCK)
    ctx.synchronize()


@export
def given_context(ctx: DeviceContext, a: Floats, b: Floats, c: Floats, n: Int32) raises:
    """Leaves its work in the context that it is given, and the wait to the caller."""
    ctx.enqueue_function[add](a, b, c, n, grid_dim=1, block_dim=BLOCK)


@export
def unawaited(a: Floats, b: Floats, c: Floats, n: Int32) raises:
    """Nobody can wait for the work of its own context."""
    var ctx = DeviceContext()
    ctx.enqueue_function[add](a, b, c, n, grid_dim=1, block_dim=BLOCK)


@export
def copied(source: Floats, to: Floats, n: Int32) raises:
    """Copies from the host's memory to the device's."""
    var ctx = DeviceContext()
    var buffer = ctx.enqueue_create_buffer[DType.float32](Int(n))
    ctx.enqueue_copy(buffer, source)
    ctx.enqueue_function[add](buffer, buffer, to, n, grid_dim=1, block_dim=BLOCK)
    ctx.synchronize()
    _ = buffer^


@export
def optional(a: Floats, null: Floats, n: Int32) raises:
    """Adds to itself what it is given, if it is given something."""
    if Int(null) != 0:
        added(a, null, a, n)
    else:
        added(a, a, a, n)


@export
def of_structs(a: Pointer[String, MutAnyOrigin]):
    """Takes what no call can give."""
    pass


def hidden(a: Floats):
    """It is not exported."""
    pass
