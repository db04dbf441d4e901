"""Buffers, and what is queued to fill and copy them."""

from __future__ import annotations

import ctypes
import struct

from harness.programs.host import memory
from harness.programs.host.abi import Address, Bool, HostError, Int64, Out, Size, UInt64, entry
from harness.programs.host.objects import Buffer, Context
from harness.programs.host.runtime import Runtime

_FILLS = {1: "B", 2: "H", 4: "I", 8: "Q"}


@entry("DeviceContext_createBuffer_async")
def create_buffer(runtime: Runtime, result: Out, address: Out, context: Context, length: Size, element: Size) -> None:
    if context.api == "cpu":
        _created(runtime, result, address, runtime.host_buffer(context, length * element))
    else:
        _created(runtime, result, address, runtime.device_buffer(context, length * element))


@entry("DeviceContext_createHostBuffer")
def create_host_buffer(
    runtime: Runtime, result: Out, address: Out, context: Context, length: Size, element: Size
) -> None:
    _created(runtime, result, address, runtime.host_buffer(context, length * element))


@entry("DeviceContext_wrapHostMemory")
def wrap_host_memory(
    runtime: Runtime, result: Out, address: Out, context: Context, host: Address, length: Size, element: Size
) -> None:
    _created(runtime, result, address, runtime.wrapped(context, host, length * element))


@entry("DeviceContext_createBuffer_owning", fails=False)
def create_buffer_owning(
    runtime: Runtime, result: Out, context: Context, pointer: Address, length: Size, element: Size, owning: Bool
) -> None:
    buffer = runtime.wrapped(context, pointer, length * element)
    buffer.storage.owned = bool(owning)
    result.handle(buffer)


def _created(runtime: Runtime, result: Out, address: Out, buffer: Buffer) -> None:
    address.write(ctypes.c_void_p, buffer.address)
    result.handle(buffer)


@entry("DeviceBuffer_createSubBuffer")
def create_sub_buffer(
    runtime: Runtime, result: Out, address: Out, buffer: Buffer, offset: Size, length: Size, element: Size
) -> None:
    start, size = offset * element, length * element
    if start + size > buffer.size:
        raise HostError(
            f"a sub-buffer of {size} bytes from byte {start} does not fit into {buffer.name} of {buffer.size} bytes"
        )
    _created(runtime, result, address, runtime.part(buffer, start, size))


@entry("DeviceBuffer_bytesize", fails=False)
def bytesize(runtime: Runtime, buffer: Buffer) -> Int64:
    return Int64(buffer.size)


@entry("DeviceBuffer_context", fails=False)
def context_of(runtime: Runtime, buffer: Buffer) -> Address:
    return Address(buffer.context.handle)


@entry("DeviceBuffer_release_ptr", fails=False)
def release_pointer(runtime: Runtime, buffer: Buffer) -> None:
    buffer.storage.owned = False


@entry("DeviceBuffer_reassignOwnershipTo")
def reassign(runtime: Runtime, buffer: Buffer, context: Context) -> None:
    runtime.after(context.stream, buffer.context.stream)
    buffer.context = context


@entry("DeviceBuffer_hostPtr")
def host_pointer(runtime: Runtime, result: Out, buffer: Buffer) -> None:
    if buffer.storage.host is None and runtime.gpu.api != "metal":
        raise HostError(f"{buffer.name} lies on the device, which the host cannot address: copy it with enqueue_copy")
    result.write(ctypes.c_void_p, buffer.data.ctypes.data)


@entry("DeviceContext_setMemory_async")
def fill(runtime: Runtime, context: Context, buffer: Buffer, value: UInt64, width: Size) -> None:
    if width not in _FILLS or buffer.size % width:
        raise HostError(f"{buffer.name} of {buffer.size} bytes cannot be filled with values of {width} bytes")
    raw = struct.pack(f"<{_FILLS[width]}", value & (1 << 8 * width) - 1)

    def run() -> None:
        buffer.data.reshape(-1, width)[:] = memoryview(raw)
        buffer.written()

    runtime.queue(context, f"fill of {buffer.name}", run, writes=(buffer,))


@entry("DeviceContext_DtoD_async")
def copy(runtime: Runtime, context: Context, target: Buffer, source: Buffer) -> None:
    # The driver orders a copy behind the work of both ends' streams.
    for end in (target, source):
        runtime.after(context.stream, end.context.stream)
    copy_unordered(runtime, context, target, source)


@entry("DeviceContext_DtoD_async_no_cross_stream_sync")
def copy_unordered(runtime: Runtime, context: Context, target: Buffer, source: Buffer) -> None:
    runtime.queue(
        context,
        f"copy of {source.name} to {target.name}",
        lambda: target.copy(source),
        writes=(target,),
        reads=(source,),
    )


@entry("DeviceContext_HtoD_async")
def copy_from_host(runtime: Runtime, context: Context, target: Buffer, source: Address) -> None:
    pinned = runtime.host_storage(source)
    if pinned is not None:
        copy_unordered(runtime, context, target, runtime.view(context, pinned, source, target.size))
        return
    # Pageable memory is read before the call returns, as CUDA stages it.
    raw = memory.view(source, target.size).copy()

    def run() -> None:
        target.data[:] = raw
        target.written()

    runtime.queue(context, f"copy from the host to {target.name}", run, writes=(target,))


@entry("DeviceContext_DtoH_async")
def copy_to_host(runtime: Runtime, context: Context, target: Address, source: Buffer) -> None:
    pinned = runtime.host_storage(target)
    if pinned is not None:
        copy_unordered(runtime, context, runtime.view(context, pinned, target, source.size), source)
        return

    def run() -> None:
        memory.view(target, source.size)[:] = source.data

    runtime.queue(context, f"copy of {source.name} to the host", run, reads=(source,))
    runtime.wait(context.stream)  # to pageable memory CUDA copies before the call returns
