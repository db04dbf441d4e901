"""Chunks go through the device on two streams in turns, each with a host buffer of its own, by events."""

from max.gpu import global_idx
from max.gpu.host import (
    DeviceContext,
    DeviceStream,
    DeviceEvent,
    DeviceBuffer,
    HostBuffer,
)

comptime CHUNK = 64
comptime CHUNKS = 6


def square(v: UnsafePointer[Float32, MutAnyOrigin], n: Int32):
    var i = Int(global_idx.x)
    if i < Int(n):
        v[i] *= v[i]


def main() raises:
    var ctx = DeviceContext()
    var kernel = ctx.compile_function[square]()
    var streams = [ctx.create_stream(), ctx.create_stream()]
    var device = List[DeviceBuffer[DType.float32]]()
    var staging = List[HostBuffer[DType.float32]]()
    for _ in range(2):
        device.append(ctx.enqueue_create_buffer[DType.float32](CHUNK))
        staging.append(ctx.enqueue_create_host_buffer[DType.float32](CHUNK))
    ctx.synchronize()
    var total = Float64(0)
    for chunk in range(CHUNKS + 2):
        var at = chunk % 2
        if chunk >= 2:
            streams[at].synchronize()
            for i in range(CHUNK):
                total += Float64(staging[at][i])
        if chunk < CHUNKS:
            for i in range(CHUNK):
                staging[at][i] = Float32(chunk * CHUNK + i)
            ctx.enqueue_copy(dst_buf=device[at], src_buf=staging[at])
            var uploaded = ctx.create_event()
            ctx.stream().record_event(uploaded)
            streams[at].enqueue_wait_for(uploaded)
            streams[at].enqueue_function(
                kernel, device[at], Int32(CHUNK), grid_dim=2, block_dim=32
            )
            var squared = ctx.create_event()
            streams[at].record_event(squared)
            ctx.stream().enqueue_wait_for(squared)
            ctx.enqueue_copy(dst_buf=staging[at], src_buf=device[at])
            var back = ctx.create_event()
            ctx.stream().record_event(back)
            streams[at].enqueue_wait_for(back)
    print("total", total)


# > total 18800704.0
