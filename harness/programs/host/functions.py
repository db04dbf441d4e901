"""`AsyncRT_` calls on kernels: load, attributes, occupancy, constant memory; reads a launch's arguments from C.

`launches` checks and runs the launch.
"""

from __future__ import annotations

import ctypes
import struct

from harness.model.occupancy import count_resident_blocks
from harness.programs.host import pages
from harness.programs.host.abi import Address, Bool, Handle, HostError, Int32, Out, Size, Text, UInt32, entry
from harness.programs.host.launches import KernelCall, enqueue
from harness.programs.host.objects import Context, DeviceFunction
from harness.programs.host.queue import Stream
from harness.programs.host.runtime import Runtime
from harness.simt.compile.program import compile_kernel
from harness.simt.gpus import BLOCK_THREADS
from harness.simt.ir.types import Pointer, size_of
from harness.simt.run.launch_checks import declared_cluster
from harness.simt.targets import target_of

__all__: list[str] = []

# Attributes of a function, by CUDA's numbers.
_MAX_THREADS, _SHARED_BYTES, _PTX_VERSION, _BINARY_VERSION, _MAX_DYNAMIC_SHARED_BYTES = 0, 1, 5, 6, 8
_ATTRIBUTE_BYTES = 72  # a number, padding, 64 bytes of value
_CLUSTER, _PROGRAMMATIC = 4, 6
# These change when, where or how fast a grid runs, not what it computes: access policy, cooperative launch, streams'
# policies, scheduling of clusters, programmatic launch, priority, memory domains, shared memory's share of the cache.
_IGNORED = frozenset((0, 1, 2, 3, 5, 6, 8, 9, 10, 14))


@entry("DeviceContext_loadFunction")
def load(
    runtime: Runtime,
    result: Out,
    context: Context,
    module: Address,
    symbol: Text,
    code: Address,
    length: Size,
    dynamic_shared_bytes: Int32,
    debug_level: Address,
    optimization_level: Int32,
) -> None:
    decoded = runtime.module(symbol)
    name = symbol if decoded.defines(f"@{symbol}") else f'"{symbol}"'  # as LLVM writes what is no plain word
    result.handle(runtime.handles.add(DeviceFunction(name, decoded, dynamic_shared_bytes)))


@entry(*(f"KernelLoadGate_{step}{what}" for step in ("begin", "end") for what in ("Enqueue", "Load")), fails=False)
@entry("KernelLoadGate_releaseCollective", fails=False)
def pass_gate(runtime: Runtime, context: Context) -> None:
    """Do nothing: loads wait while one kernel is launched on several devices, and here is one."""


@entry("KernelLoadGate_tryAcquireCollective", fails=False)
def acquire_gate(runtime: Runtime, context: Context, grant: Address) -> Bool:
    return Bool(True)


@entry("DeviceFunction_getAttribute")
def get_attribute(runtime: Runtime, result: Out, function: DeviceFunction, number: Int32) -> None:
    gpu, static = runtime.gpu, _static_shared_bytes(runtime, function)
    values = {
        _MAX_THREADS: BLOCK_THREADS,
        _SHARED_BYTES: static,
        _MAX_DYNAMIC_SHARED_BYTES: function.dynamic_shared_bytes(gpu, static),
    }
    if gpu.capability is not None:  # of the code that it was loaded as
        values |= dict.fromkeys((_PTX_VERSION, _BINARY_VERSION), gpu.capability)
    if number not in values:  # registers, local memory, versions: what only the vendor's own compiler decides
        raise runtime.unknown(f"attribute {number} of a kernel is not known without {gpu.vendor}'s compiler")
    result.write(ctypes.c_int32, values[number])


@entry("occupancyMaxActiveBlocksPerMultiprocessor")
def occupancy(
    runtime: Runtime, result: Out, function: DeviceFunction, block_size: Int32, dynamic_shared_bytes: Size
) -> None:
    gpu = runtime.gpu
    if gpu.multiprocessor_threads is None or block_size < 1:
        raise runtime.unknown(f"the occupancy of blocks of {block_size} threads on {runtime.target} is not known")
    static = _static_shared_bytes(runtime, function)
    most = function.dynamic_shared_bytes(gpu, static)
    result.write(ctypes.c_int32, count_resident_blocks(gpu, block_size, static, dynamic_shared_bytes, most))


def _static_shared_bytes(runtime: Runtime, function: DeviceFunction) -> int:
    return compile_kernel(function.module, function.symbol, target_of(runtime.target.name)).static_shared_bytes


@entry("DeviceFunction_copyToConstantMemory")
def copy_to_constant_memory(
    runtime: Runtime, function: DeviceFunction, name: Address, name_bytes: Size, data: Address, size: Size
) -> None:
    symbol = pages.view(name, name_bytes).tobytes().decode()
    variable = function.module.globals.get(f"@{symbol}")
    if variable is None:
        raise HostError(f"kernel {function.name} has no constant memory {symbol!r}")
    if size > size_of(variable.type):
        raise HostError(f"constant memory {symbol!r} has {size_of(variable.type)} bytes, but got {size}")
    function.constants[symbol] = pages.view(data, size).tobytes()


@entry("DeviceContext_enqueueFunctionDirect", "DeviceStream_enqueueFunctionDirect")
def launch(
    runtime: Runtime,
    where: Handle,
    function: DeviceFunction,
    grid_x: UInt32,
    grid_y: UInt32,
    grid_z: UInt32,
    block_x: UInt32,
    block_y: UInt32,
    block_z: UInt32,
    shared_bytes: UInt32,
    attributes: Address,
    attribute_count: UInt32,
    arguments: Address,
    argument_count: UInt32,
    sizes: Address,
) -> None:
    stream = where.stream if isinstance(where, Context) else where
    if not isinstance(stream, Stream):
        raise HostError(f"no stream at {where.handle:#x}")
    if runtime.gpu.api == "metal" and arguments:  # one record that holds the arguments, their sizes and more
        record = ctypes.c_void_p.from_address(arguments).value or 0
        arguments, sizes = (
            Address(ctypes.c_void_p.from_address(record + at).value or 0) for at in (0, ctypes.sizeof(ctypes.c_void_p))
        )
    most = function.dynamic_shared_bytes(runtime.gpu, _static_shared_bytes(runtime, function) if shared_bytes else 0)
    if shared_bytes > most:  # the driver refuses it
        raise HostError(
            f"kernel {function.name} may have {most} bytes of dynamic shared memory, but the launch asks for "
            f"{shared_bytes}: ask for more with FuncAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES"
        )
    enqueue(
        runtime,
        stream,
        KernelCall(
            function,
            (grid_x, grid_y, grid_z),
            (block_x, block_y, block_z),
            _cluster(function, attributes, attribute_count),
            shared_bytes,
            _parameters(function, arguments, argument_count, sizes),
            early=_early(attributes, attribute_count),
        ),
    )


def _early(attributes: int, count: int) -> bool:
    """Return whether a launch's attributes let it begin before the previous launch has ended.

    Args:
        attributes: The address of `count` attributes of 72 bytes each.
    """
    entries = (pages.view(attributes + number * _ATTRIBUTE_BYTES, _ATTRIBUTE_BYTES) for number in range(count))
    return any(struct.unpack_from("<i4xB", raw.tobytes()) == (_PROGRAMMATIC, 1) for raw in entries)


def _cluster(function: DeviceFunction, attributes: int, count: int) -> tuple[int, int, int]:
    """Return the cluster's extents from a launch's attributes, else those that the kernel declares.

    Attributes that do not change what a grid computes are ignored; an extent of 0 counts as 1.

    Raises:
        HostError: An attribute is not supported.
    """
    cluster = declared_cluster(function.code)
    for number in range(count):
        raw = pages.view(attributes + number * _ATTRIBUTE_BYTES, _ATTRIBUTE_BYTES).tobytes()
        (kind,) = struct.unpack_from("<i", raw)
        if kind == _CLUSTER:
            x, y, z = struct.unpack_from("<3I", raw, 8)
            cluster = (x or 1, y or 1, z or 1)
        elif kind not in _IGNORED:
            raise HostError(f"launch attribute {kind} is not supported by the simulated device")
    return cluster


def _parameters(function: DeviceFunction, arguments: int, count: int, sizes: int) -> list[bytes]:
    """Return the bytes of each parameter, copied now: the program may reuse the memory.

    Args:
        arguments: The address of an array of pointers, one to the bytes of each parameter.
        sizes: The address of an array of the parameters' sizes, which only Metal passes, for its pointers; else 0.

    Raises:
        HostError: Their number is not the kernel's.
    """
    params = function.code.params
    if count != len(params):
        raise HostError(f"kernel {function.name} takes {len(params)} arguments, but got {count}")
    values = []
    for number, param in enumerate(params):
        size = size_of(param.indirect or param.type)
        if sizes and isinstance(param.type, Pointer):  # Metal: only the program knows what the pointer is to
            size = ctypes.c_uint64.from_address(sizes + 8 * number).value
        address = ctypes.c_void_p.from_address(arguments + 8 * number).value or 0
        values.append(pages.view(address, size).tobytes())
    return values
