"""`AsyncRT_` calls on buffers: create, wrap, divide, reassign, fill; copies between device, pinned, other memory."""

from __future__ import annotations

import ctypes
import struct

from harness.programs.host import pages
from harness.programs.host.abi import Address, Bool, HostError, Int64, Out, Size, UInt64, entry
from harness.programs.host.objects import Context, DeviceBuffer
from harness.programs.host.queue import Operation
from harness.programs.host.runtime import Runtime
from harness.programs.host.storage import Range

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
    result.handle(runtime.wrapped(context, pointer, length * element, owned=bool(owning)))


def _created(runtime: Runtime, result: Out, address: Out, buffer: DeviceBuffer) -> None:
    address.write(ctypes.c_void_p, buffer.address)
    result.handle(buffer)


@entry("DeviceBuffer_createSubBuffer")
def create_sub_buffer(
    runtime: Runtime, result: Out, address: Out, buffer: DeviceBuffer, offset: Size, length: Size, element: Size
) -> None:
    start, size = offset * element, length * element
    parent = buffer.range
    if start + size > parent.size:
        raise HostError(
            f"a sub-buffer of {size} bytes from byte {start} does not fit into {parent.name} of {parent.size} bytes"
        )
    _created(
        runtime, result, address, runtime.buffer(buffer.context, Range(parent.storage, parent.offset + start, size))
    )


@entry("DeviceBuffer_bytesize", fails=False)
def bytesize(runtime: Runtime, buffer: DeviceBuffer) -> Int64:
    return Int64(buffer.range.size)


@entry("DeviceBuffer_context", fails=False)
def context_of(runtime: Runtime, buffer: DeviceBuffer) -> Address:
    return Address(buffer.context.handle)


@entry("DeviceBuffer_release_ptr", fails=False)
def release_pointer(runtime: Runtime, buffer: DeviceBuffer) -> None:
    buffer.range.storage.owned = False


@entry("DeviceBuffer_reassignOwnershipTo")
def reassign(runtime: Runtime, buffer: DeviceBuffer, context: Context) -> None:
    runtime.work.after(context.stream, buffer.context.stream)
    context.references += 1
    runtime.release(buffer.context)
    buffer.context = context


@entry("DeviceBuffer_hostPtr")
def host_pointer(runtime: Runtime, result: Out, buffer: DeviceBuffer) -> None:
    if buffer.range.storage.host is None:
        raise HostError(
            f"{buffer.range.name} lies on the device, which the host cannot address: copy it with enqueue_copy"
        )
    result.write(ctypes.c_void_p, buffer.range.data.ctypes.data)


@entry("DeviceContext_setMemory_async")
def fill(runtime: Runtime, context: Context, buffer: DeviceBuffer, value: UInt64, width: Size) -> None:
    target = buffer.range
    if width not in _FILLS or target.size % width:
        raise HostError(f"{target.name} of {target.size} bytes cannot be filled with values of {width} bytes")
    raw = pages.from_bytes(struct.pack(f"<{_FILLS[width]}", value & (1 << 8 * width) - 1))

    def run(_: Operation) -> None:
        target.data.reshape(-1, width)[:] = raw
        target.written()
        runtime.journal.filled(target, raw.tobytes())

    runtime.work.queue(context.stream, f"fill of {target.name}", run, writes=[target])


@entry("DeviceContext_DtoD_async")
def copy(runtime: Runtime, context: Context, target: DeviceBuffer, source: DeviceBuffer) -> None:
    # The driver orders a copy behind the work of both ends' streams.
    for end in (target, source):
        runtime.work.after(context.stream, end.context.stream)
    _copy(runtime, context, target.range, source.range)


@entry("DeviceContext_DtoD_async_no_cross_stream_sync")
def copy_unordered(runtime: Runtime, context: Context, target: DeviceBuffer, source: DeviceBuffer) -> None:
    _copy(runtime, context, target.range, source.range)


@entry("DeviceContext_HtoD_async")
def copy_from_host(runtime: Runtime, context: Context, target: DeviceBuffer, source: Address) -> None:
    _copy_from_host(runtime, context, target.range, source)


@entry("DeviceContext_DtoH_async")
def copy_to_host(runtime: Runtime, context: Context, target: Address, source: DeviceBuffer) -> None:
    _copy_to_host(runtime, context, target, source.range)


@entry("DeviceContext_HtoD_async_sized")
def copy_bytes_from_host(runtime: Runtime, context: Context, target: Address, source: Address, size: Size) -> None:
    _copy_from_host(runtime, context, runtime.range(target, size), source)


@entry("DeviceContext_DtoH_async_sized")
def copy_bytes_to_host(runtime: Runtime, context: Context, target: Address, source: Address, size: Size) -> None:
    _copy_to_host(runtime, context, target, runtime.range(source, size))


def _copy(runtime: Runtime, context: Context, target: Range, source: Range) -> None:
    what = f"copy of {source.name} to {target.name}"
    runtime.checks.copy_fits(what, target, source)
    if source.size < target.size:  # MAX refuses it
        raise HostError(f"not enough data in src: {source.size} bytes for {target.size}")

    def run(operation: Operation) -> None:
        if source.storage.host is not None:
            runtime.checks.release(source.storage)
        runtime.journal.notice(source.storage)
        target.copy(source)
        runtime.journal.copied(target, source)
        runtime.checks.copied(operation, target, source)

    runtime.work.queue(context.stream, what, run, writes=[target], reads=[source])


def _copy_from_host(runtime: Runtime, context: Context, target: Range, source: int) -> None:
    pinned = runtime.host_range(source, target.size)
    if pinned is not None:
        _copy(runtime, context, target, pinned)
    else:
        _copy_from_pageable(runtime, context, target, source)


def _copy_to_host(runtime: Runtime, context: Context, target: int, source: Range) -> None:
    pinned = runtime.host_range(target, source.size)
    if pinned is not None:
        _copy(runtime, context, pinned, source)
    else:
        _copy_to_pageable(runtime, context, target, source)


def _copy_from_pageable(runtime: Runtime, context: Context, target: Range, source: int) -> None:
    """Queue a copy of memory at the host's address `source`, which is read now, as CUDA stages what it cannot pin.

    When the copy runs, all of `target` counts as written.

    Raises:
        HostError: As from `Work.queue`.
    """
    raw = pages.view(source, target.size).copy()

    def run(_: Operation) -> None:
        target.data[:] = raw
        target.written()
        runtime.journal.written(target)

    runtime.work.queue(context.stream, f"copy from the host to {target.name}", run, writes=[target])


def _copy_to_pageable(runtime: Runtime, context: Context, target: int, source: Range) -> None:
    """Queue a copy to the host's address `target` and wait for the stream, as CUDA does where it cannot pin.

    Undefined bytes are copied too, and reported.

    Raises:
        HostError: Work of the device failed, now or before.
    """

    def run(operation: Operation) -> None:
        source.storage.notice_writes()
        pages.view(target, source.size)[:] = source.data
        runtime.checks.copied_away(operation, source)

    runtime.work.queue(context.stream, f"copy of {source.name} to the host", run, reads=[source])
    runtime.work.wait(context.stream)
