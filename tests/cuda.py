"""Launches kernels of LLVM IR on an NVIDIA GPU through the driver alone, for what is held against the hardware."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence

import llvmlite.binding as llvm
import numpy as np

from harness.simt.state.tensor_map import BYTES, Box
from tests.hazards.gpu_driver import CLUSTER_DIMENSION, Attribute, Configuration

__all__ = ["CudaError", "Device", "ptx"]

STACK_BYTES = 16 << 10  # of each thread: the frames of functions that call themselves
STACK_SIZE = 0  # CU_LIMIT_STACK_SIZE
LOG_BYTES = 8 << 10
# CUjit_option
ERROR_LOG_BUFFER, ERROR_LOG_BUFFER_SIZE, OPTIMIZATION_LEVEL = 5, 6, 7
# A store of the low part of a register, and of how many bits registers are by the beginning of their names.
NARROW = re.compile(r"(st[\w.]*\.b(8|16|32)\s+\[[^\]]*\]), ((%r[sd]?)\d+);")
WIDTHS = {"%rs": 16, "%r": 32, "%rd": 64}


class CudaError(Exception):
    """What the driver answered, by its name for it."""


def ptx(text: str, architecture: str = "sm_90a") -> str:
    """The PTX of a module of LLVM IR, not optimised; LLVM ends the process at an instruction that it cannot emit."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    # sm_90a has `wgmma`, which sm_90 has not; PTX 8.6 is the first with copies from global to a block's own shared
    # memory that an `mbarrier` counts.
    machine = llvm.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(
        cpu=architecture, features="+ptx86", opt=0
    )
    return narrowed(str(machine.emit_assembly(llvm.parse_assembly(text))))


def narrowed(code: str) -> str:
    """PTX whose stores of a part of a register cut that part out before.

    PTX drops the other bits. But from a register that an instruction on floats wrote, the compiler of the driver
    580.159.04, as `ptxas` 13.0, stores the float converted to an integer.
    """

    def cut(found: re.Match[str]) -> str:
        part, whole = int(found[2]), WIDTHS[found[4]]
        if part == whole:
            return found[0]
        return f"{{ .reg .b{whole} %part; and.b{whole} %part, {found[3]}, {(1 << part) - 1}; {found[1]}, %part; }}"

    return NARROW.sub(cut, code)


class Device:
    """The first GPU; memory that it gave out is its caller's until the process ends."""

    def __init__(self) -> None:
        self._cuda = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._check("cuInit", 0)
        self._check("cuDeviceGet", ctypes.byref(device), 0)
        self._check("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._check("cuCtxSetCurrent", context)
        self._check("cuCtxSetLimit", STACK_SIZE, ctypes.c_size_t(STACK_BYTES))

    def _check(self, name: str, *arguments: object) -> None:
        if status := getattr(self._cuda, name)(*arguments):
            word = ctypes.c_char_p()
            self._cuda.cuGetErrorName(status, ctypes.byref(word))
            raise CudaError(f"{name}: {(word.value or b'?').decode()}")

    def upload(self, array: np.ndarray) -> int:
        """The address of a copy of an array on the device."""
        pointer = ctypes.c_uint64()
        self._check("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(1, array.nbytes)))
        source = array.ctypes.data_as(ctypes.c_void_p)
        self._check("cuMemcpyHtoD_v2", pointer, source, ctypes.c_size_t(array.nbytes))
        return pointer.value

    def download(self, pointer: int, array: np.ndarray) -> None:
        """Fills an array from the device."""
        to = array.ctypes.data_as(ctypes.c_void_p)
        self._check("cuMemcpyDtoH_v2", to, ctypes.c_uint64(pointer), ctypes.c_size_t(array.nbytes))

    def free(self, pointers: Sequence[int]) -> None:
        """Gives memory back."""
        for pointer in pointers:
            self._check("cuMemFree_v2", ctypes.c_uint64(pointer))

    def load(self, code: str, optimised: int = 4) -> ctypes.c_void_p:
        """Some PTX as the driver compiles it, at a level from 0 to 4.

        Raises:
            CudaError: It does not; with the compiler's own words.
        """
        module, log = ctypes.c_void_p(), ctypes.create_string_buffer(LOG_BYTES)
        options = (ctypes.c_int * 3)(ERROR_LOG_BUFFER, ERROR_LOG_BUFFER_SIZE, OPTIMIZATION_LEVEL)
        values = (ctypes.c_void_p * 3)(ctypes.addressof(log), LOG_BYTES, optimised)
        try:
            self._check("cuModuleLoadDataEx", ctypes.byref(module), code.encode() + b"\0", 3, options, values)
        except CudaError as error:
            raise CudaError(f"{error}: {log.value.decode()}") from None
        return module

    def tensor_map(self, box: Box, address: int) -> bytes:
        """The driver's encoding of a tensor map, of a tensor that lies at an address on the device."""
        rank, swizzles = len(box.sizes), {0: 0, 32: 1, 64: 2, 128: 3}
        room = ctypes.create_string_buffer(BYTES + 64)
        place = -(-ctypes.addressof(room) // 64) * 64
        sizes = (ctypes.c_uint64 * rank)(*box.sizes)
        strides = (ctypes.c_uint64 * rank)(*box.strides[1:])
        steps = (ctypes.c_uint32 * rank)(*box.steps)
        if box.corners is None:
            mode, extents = "Tiled", [(ctypes.c_uint32 * rank)(*box.box)]
        else:
            lower, upper = ((ctypes.c_int * len(corner))(*corner) for corner in box.corners)
            mode, extents = "Im2col", [lower, upper, *map(ctypes.c_uint32, box.box)]
        head = ctypes.c_void_p(place), box.kind, rank, ctypes.c_void_p(address), sizes, strides
        # No interleaving, no promotion in the cache, zeros out of bounds.
        self._check(f"cuTensorMapEncode{mode}", *head, *extents, steps, 0, swizzles[box.swizzle], 0, 0)
        return ctypes.string_at(place, BYTES)

    def launch(
        self,
        code: str,
        kernel: str,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        arguments: Sequence[bytes],
        optimised: int = 4,
        cluster: int | Sequence[int] = 1,
        shared: int = 0,
    ) -> None:
        """Runs a kernel of some PTX and waits for it; an argument is the bytes of a number, an address or a struct.

        Args:
            shared: Bytes of shared memory beside what the kernel declares.
        """
        module, function = self.load(code, optimised), ctypes.c_void_p()
        self._check("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        buffers = [ctypes.create_string_buffer(argument, len(argument)) for argument in arguments]
        places = (ctypes.c_void_p * len(buffers))(*map(ctypes.addressof, buffers))
        (blocks, threads, peers) = (_three(extent) for extent in (grid, block, cluster))
        attribute = Attribute(id=CLUSTER_DIMENSION)
        attribute.value[0:3] = peers
        explicit = int(peers != [1, 1, 1])
        configuration = Configuration(*blocks, *threads, shared, None, ctypes.pointer(attribute), explicit)
        self._check("cuLaunchKernelEx", ctypes.byref(configuration), function, places, None)
        self._check("cuCtxSynchronize")
        self._check("cuModuleUnload", module)


def _three(extent: int | Sequence[int]) -> list[int]:
    given = [extent] if isinstance(extent, int) else list(extent)
    return [*given, *[1] * (3 - len(given))]
