"""`AsyncRT_` calls on contexts: create, reference counts, synchronise, attributes, memory, peers, timers."""

from __future__ import annotations

import ctypes
import os
import time

from harness.programs.host import faults
from harness.programs.host.abi import Address, Bool, Handle, HostError, Int32, Int64, Out, Text, entry
from harness.programs.host.objects import Context, Timer
from harness.programs.host.runtime import UNIFIED, Runtime
from harness.simt.gpus import Gpu

__all__ = ["PRIORITIES", "attribute"]

DRIVER_VERSION = {"cuda": 13000, "hip": 70000000, "metal": 3, "cpu": 0}  # the newest that Mojo 1.2 knows
# The lowest and the highest priority of a stream, as the vendors' drivers have them.
PRIORITIES = {"cuda": (0, -5), "hip": (1, -1), "metal": (0, 0), "cpu": (0, 0)}
PARALLELISM_LEVEL = 1000
KINDS = ("Context", "Buffer", "Function", "Stream", "Event", "Timer")  # counted by reference


@entry("DeviceContext_create")
def create(runtime: Runtime, result: Out, api: Text, device_id: Int32) -> None:
    if api not in (runtime.gpu.api, "gpu", "cpu"):
        raise HostError(f"there is no {api} device: the program was compiled for {runtime.target}")
    if device_id not in (0, -1):
        raise HostError(f"there is no device {device_id}: one {runtime.target} is simulated, device 0")
    result.handle(runtime.open(runtime.gpu.api if api == "gpu" else api))


@entry(*(f"Device{kind}_retain" for kind in KINDS), fails=False)
def retain(runtime: Runtime, handle: Handle) -> None:
    handle.references += 1


@entry(*(f"Device{kind}_release" for kind in (*KINDS, "ContextScope")), fails=False)
def release(runtime: Runtime, handle: Handle) -> None:
    runtime.release(handle)
    if isinstance(handle, Context) and handle.api == "cuda" and not handle.references and runtime.lost:
        faults.abort(f"the context cannot be released: {runtime.lost}")  # as CUDA's runtime in MAX 26.7 does


@entry("DeviceContext_synchronize")
def synchronize(runtime: Runtime, context: Context) -> None:
    runtime.work.wait(context.stream)


@entry("DeviceContext_strfree", fails=False)
def strfree(runtime: Runtime, text: Address) -> None:
    runtime.free_text(text)


@entry("DeviceContext_deviceApi", fails=False)
def device_api(runtime: Runtime, result: Out, context: Context) -> None:
    result.string(runtime.text(context.api))


@entry("DeviceContext_archName", fails=False)
def arch_name(runtime: Runtime, result: Out, context: Context) -> None:
    architecture = runtime.target.architecture
    capability = runtime.gpu.capability
    # As MAX 26.7 says it of an H200: with the features that only this very architecture has.
    full = capability is not None and capability >= 90 and architecture[-1].isdigit()
    result.string(runtime.text(f"{architecture}a" if full else architecture))


@entry("DeviceContext_deviceName", fails=False)
def device_name(runtime: Runtime, context: Context) -> Address:
    return runtime.owned_text("CPU" if context.api == "cpu" else runtime.gpu.name)


@entry("DeviceContext_id", fails=False)
def device_id(runtime: Runtime, context: Context) -> Int64:
    return Int64(0)


@entry("DeviceContext_numberOfDevices", fails=False)
def number_of_devices(runtime: Runtime, api: Text) -> Int32:
    return Int32(1 if api in (runtime.gpu.api, "gpu", "cpu") else 0)


@entry("DeviceContext_computeCapability")
def compute_capability(runtime: Runtime, result: Out, context: Context) -> None:
    capability = runtime.gpu.capability
    if capability is None:
        raise HostError(f"{runtime.target} has no compute capability: only NVIDIA's GPUs have one")
    result.write(ctypes.c_int32, capability)


@entry("DeviceContext_getApiVersion")
def api_version(runtime: Runtime, result: Out, context: Context) -> None:
    result.write(ctypes.c_int32, DRIVER_VERSION[context.api])


@entry("DeviceContext_getAttribute")
def get_attribute(runtime: Runtime, result: Out, context: Context, number: Int32) -> None:
    if number == PARALLELISM_LEVEL:
        result.write(ctypes.c_int32, os.cpu_count() or 1)
        return
    value = attribute(runtime.gpu, number)
    if value is None:
        raise HostError(f"device attribute {number} is not known of {runtime.target}")
    result.write(ctypes.c_int32, value)


def attribute(gpu: Gpu, number: int) -> int | None:
    """Return a device attribute by CUDA's number, which Mojo uses for all vendors; None where it is not known."""
    capability = gpu.capability
    return {
        1: 1024,
        2: gpu.block_extent[0],
        3: gpu.block_extent[1],
        4: gpu.block_extent[2],
        5: gpu.grid_extent[0],
        6: gpu.grid_extent[1],
        7: gpu.grid_extent[2],
        8: gpu.default_shared_bytes,
        10: gpu.warp_width,
        12: gpu.block_registers,
        16: gpu.multiprocessors,
        39: gpu.multiprocessor_threads,
        75: capability and capability // 10,
        76: capability and capability % 10,
        81: gpu.multiprocessor_shared_bytes,
        82: gpu.block_registers,  # a block may take all of its multiprocessor's
        95: 1,
        97: gpu.shared_bytes if gpu.vendor == "nvidia" else None,
        106: gpu.multiprocessor_blocks,
    }.get(number)


@entry("DeviceContext_getMemoryInfo")
def memory_info(runtime: Runtime, context: Context, free: Out, total: Out) -> None:
    free.write(ctypes.c_size_t, runtime.gpu.memory_bytes - runtime.used_bytes)
    total.write(ctypes.c_size_t, runtime.gpu.memory_bytes)


@entry("DeviceContext_maxSingleAllocationSize")
def largest_allocation(runtime: Runtime, context: Context, result: Out) -> None:
    result.write(ctypes.c_size_t, runtime.gpu.memory_bytes)


@entry("DeviceContext_isCompatible", "DeviceContext_runHealthcheck", "DeviceContext_setAsCurrent")
def nothing_wrong(runtime: Runtime, context: Context) -> None:
    """Do nothing: there is one device, which is well and current."""


@entry("DeviceContext_setMetalPrintEnabled")
def enable_metal_print(runtime: Runtime, context: Context, enabled: Bool) -> None:
    """Do nothing: what kernels print is always shown."""


@entry("DeviceContext_canAccess")
def can_access(runtime: Runtime, result: Out, context: Context, peer: Context) -> None:
    result.write(ctypes.c_bool, False)  # a device is no peer of itself


@entry("DeviceContext_enablePeerAccess")
def enable_peer_access(runtime: Runtime, context: Context, peer: Context) -> None:
    raise HostError("there is one device, which has no peer")


@entry("DeviceContext_enableAllPeerAccess")
def enable_all_peer_access(runtime: Runtime) -> None:
    """Do nothing: there are no pairs of devices."""


@entry("DeviceContext_allPeerAccessEnabled")
def all_peer_access_enabled(runtime: Runtime, result: Out) -> None:
    result.write(ctypes.c_bool, False)


@entry("DeviceContext_supportsMulticast")
def supports_multicast(runtime: Runtime, result: Out, context: Context) -> None:
    result.write(ctypes.c_bool, False)


@entry("DeviceContext_isHostUnified")
def is_host_unified(runtime: Runtime, result: Out, context: Context) -> None:
    result.write(ctypes.c_bool, context.api in UNIFIED)


@entry("DeviceContext_startTimer")
def start_timer(runtime: Runtime, result: Out, context: Context) -> None:
    runtime.work.wait(context.stream)
    result.handle(runtime.handles.add(Timer(time.perf_counter_ns())))


@entry("DeviceContext_stopTimer")
def stop_timer(runtime: Runtime, result: Out, context: Context, timer: Timer) -> None:
    runtime.work.wait(context.stream)
    result.write(ctypes.c_int64, time.perf_counter_ns() - timer.started_ns)


@entry("DeviceContextScope_create")
def create_scope(runtime: Runtime, result: Out, context: Context) -> None:
    result.handle(runtime.handles.add(Handle()))
