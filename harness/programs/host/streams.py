"""`AsyncRT_` calls on streams and events: create, select, record, wait, synchronise; queue functions of the host."""

from __future__ import annotations

import ctypes

from harness.programs.host.abi import Address, HostError, Int32, Int64, Out, UInt32, entry
from harness.programs.host.contexts import PRIORITIES
from harness.programs.host.objects import Context
from harness.programs.host.queue import Event, Operation, Stream
from harness.programs.host.runtime import Runtime

_HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@entry("DeviceContext_stream")
def stream_of(runtime: Runtime, result: Out, context: Context) -> None:
    context.stream.references += 1
    result.handle(context.stream)


@entry("DeviceContext_createStream")
def create_stream(runtime: Runtime, result: Out, priority: Int32, context: Context) -> None:
    result.handle(runtime.new_stream(context.api))


@entry("DeviceContext_streamPriorityRange")
def stream_priorities(runtime: Runtime, least: Out, greatest: Out, context: Context) -> None:
    lowest, highest = PRIORITIES[context.api]
    least.write(ctypes.c_int32, lowest)
    greatest.write(ctypes.c_int32, highest)


@entry("DeviceContext_numStreams", fails=False)
def number_of_streams(runtime: Runtime, context: Context) -> Int32:
    return Int32(len(context.streams))


@entry("DeviceContext_selectStream")
def select_stream(runtime: Runtime, result: Out, context: Context, number: UInt32) -> None:
    while len(context.streams) <= number:
        context.streams.append(runtime.new_stream(context.api))
    result.handle(runtime.handles.add(context.view(number)))


@entry("DeviceStream_synchronize")
def synchronize_stream(runtime: Runtime, stream: Stream) -> None:
    runtime.work.wait(stream)


@entry("DeviceStream_eventRecord")
def record(runtime: Runtime, stream: Stream, event: Event) -> None:
    runtime.work.record(stream, event)


@entry("DeviceStream_waitForEvent")
def wait_for_event(runtime: Runtime, stream: Stream, event: Event) -> None:
    runtime.work.follow(stream, event)


@entry("DeviceContext_enqueue_wait_for_context")
def wait_for_context(runtime: Runtime, context: Context, other: Context) -> None:
    runtime.work.after(context.stream, other.stream)


@entry("DeviceContext_eventCreate")
def create_event(runtime: Runtime, result: Out, context: Context, flags: UInt32) -> None:
    result.handle(runtime.handles.add(Event()))


@entry("DeviceEvent_synchronize")
def synchronize_event(runtime: Runtime, event: Event) -> None:
    runtime.work.wait_for(event)


@entry("DeviceStream_enqueueHostFunc")
def enqueue_host_function(runtime: Runtime, stream: Stream, function: Address, data: Address) -> None:
    if runtime.gpu.api != "cuda":
        raise HostError(f"{runtime.gpu.api} has no host functions in streams: only CUDA has")
    runtime.work.queue(stream, "host function", lambda _: _HOST_FUNCTION(function)(data))


@entry("DeviceContext_enqueueHostFunction")
def enqueue_coroutine(
    runtime: Runtime, context: Context, resume: Address, destroy: Address, coroutine: Address
) -> None:
    _enqueue_coroutines(runtime, context, resume, destroy, [coroutine])


@entry("DeviceContext_enqueueHostFunctionRange")
def enqueue_coroutines(
    runtime: Runtime, context: Context, resume: Address, destroy: Address, coroutines: Address, count: Int64
) -> None:
    array = (ctypes.c_void_p * count).from_address(coroutines) if count else ()
    _enqueue_coroutines(runtime, context, resume, destroy, [Address(address or 0) for address in array])


def _enqueue_coroutines(
    runtime: Runtime, context: Context, resume: Address, destroy: Address, coroutines: list[Address]
) -> None:
    if context.api != "cpu":
        raise HostError(f"functions of the host run on a context of the CPU, not on {context.api}")

    def run(_: Operation) -> None:
        for coroutine in coroutines:
            _HOST_FUNCTION(resume)(coroutine)
            _HOST_FUNCTION(destroy)(coroutine)

    runtime.work.queue(context.stream, "host function", run)
