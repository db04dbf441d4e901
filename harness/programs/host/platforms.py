"""C structures of signal handlers on Linux and macOS, by processor; read there whether a fault was a write.

An offset is in bytes. Linux's are those of the kernel's `asm/sigcontext.h` and of glibc, which musl shares; Darwin's
are those of `sys/signal.h` and `mach/arm/_structs.h`.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from harness.programs.host.a64 import writes_memory

__all__ = ["PLATFORMS", "Machine", "Platform", "current"]

_PAGE_FAULT = 14  # the number of this exception of x86
_INSTRUCTION_BYTES = 4  # of 64-bit Arm
# The exception classes of 64-bit Arm for data aborts, and bits of the syndrome: a cache operation faulted, it wrote.
_DATA_ABORTS, _CACHE_OPERATION, _WROTE = (0x24, 0x25), 1 << 8, 1 << 6
# Linux on 64-bit Arm appends records to the registers: each has a magic number and its size.
_SYNDROME_RECORD, _RECORDS_BYTES = 0x45535201, 4096


@dataclass(frozen=True, slots=True)
class Machine:
    """The layout of a signal's context on one kind of machine.

    Attributes:
        registers: The offset of the 64-bit registers that reports may need; they may hold a pointer to the device.
        count: The number of these registers.
        counter: The offset of the program counter.
        pointer: The offset of the pointer that all other offsets count from; None if the context itself holds
            everything.
        flags: The offset of the processor's flags; None if a bit of them cannot request a single step.
        trap: That bit.
        wrote: Returns whether the fault was a write, or None if the context does not say. Takes the address that
            offsets count from.
    """

    registers: int
    count: int
    counter: int
    wrote: Callable[[int], bool | None]
    pointer: int | None = None
    flags: int | None = None
    trap: int = 0


@dataclass(frozen=True, slots=True)
class Platform:
    """An operating system on a processor.

    Attributes:
        action: Its `struct sigaction`, with fields `handler` and `flags`.
        siginfo, nodefer: Its values of `SA_SIGINFO` and `SA_NODEFER`.
        address: Offset of `si_addr` in its `siginfo_t`.
        machine: None where the context's form is not known: then neither registers nor the kind of access are.
    """

    action: type[ctypes.Structure]
    siginfo: int
    nodefer: int
    address: int
    machine: Machine | None = None


class _LinuxAction(ctypes.Structure):
    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


class _DarwinAction(ctypes.Structure):
    _fields_ = (("handler", ctypes.c_void_p), ("mask", ctypes.c_uint32), ("flags", ctypes.c_int))


def _word(address: int) -> int:
    return int(ctypes.c_uint64.from_address(address).value)


def _half(address: int) -> int:
    return int(ctypes.c_uint32.from_address(address).value)


def _by_error_code(context: int) -> bool | None:
    """Return whether a fault of x86-64 was a write; None if it is no page fault, whose error code alone says so."""
    code, exception = _word(context + 40 + 8 * 19), _word(context + 40 + 8 * 20)
    return bool(code & 2) if exception == _PAGE_FAULT else None


def _of_arm(syndrome: int, counter: int, address: int) -> bool | None:
    """Return whether a fault of 64-bit Arm was a write; None if neither the syndrome nor the instruction says so.

    The instruction is asked if the syndrome is not that of a data abort, and if it can be read.

    Args:
        syndrome: The exception's syndrome, or 0.
        counter: The address of the instruction.
        address: The address that it accessed.
    """
    if syndrome >> 26 & 0x3F in _DATA_ABORTS and not syndrome & _CACHE_OPERATION:
        return bool(syndrome & _WROTE)
    if counter % _INSTRUCTION_BYTES or address == counter:
        return None
    return writes_memory(_half(counter))


def _linux_arm_wrote(context: int) -> bool | None:
    """Return whether a fault was a write, or None: by the syndrome, or else by the instruction; see `_of_arm`.

    Emulators of a processor leave the record of the syndrome out.
    """
    syndrome = next((_word(start + 8) for magic, start in _records(context + 464) if magic == _SYNDROME_RECORD), 0)
    return _of_arm(syndrome, counter=_word(context + 440), address=_word(context + 176))


def _darwin_arm_wrote(machine: int) -> bool | None:
    return _of_arm(_half(machine + 8), counter=_word(machine + 272), address=_word(machine))


def _records(start: int) -> Iterator[tuple[int, int]]:
    """Yield (magic number, address) of each record from `start` on; stop at the first that is not well formed."""
    stop = start + _RECORDS_BYTES
    while start + 8 <= stop:
        magic, size = _half(start), _half(start + 4)
        if not magic or size < 8 or size % 8:
            return
        yield magic, start
        start += size


_LINUX_X86 = Machine(registers=40, count=23, counter=40 + 8 * 16, wrote=_by_error_code, flags=40 + 8 * 17, trap=0x100)
_LINUX_ARM = Machine(registers=184, count=33, counter=440, wrote=_linux_arm_wrote)
_DARWIN_ARM = Machine(registers=16, count=33, counter=272, wrote=_darwin_arm_wrote, pointer=48)

_LINUX = Platform(_LinuxAction, siginfo=0x4, nodefer=0x40000000, address=16)
_DARWIN = Platform(_DarwinAction, siginfo=0x40, nodefer=0x10, address=24)
# By `sys.platform` and what `uname` calls the machine; the empty machine stands for all others.
PLATFORMS = {
    ("linux", ""): _LINUX,
    ("linux", "x86_64"): replace(_LINUX, machine=_LINUX_X86),
    ("linux", "aarch64"): replace(_LINUX, machine=_LINUX_ARM),
    ("darwin", ""): _DARWIN,
    ("darwin", "arm64"): replace(_DARWIN, machine=_DARWIN_ARM),
}


def current() -> Platform:
    """Return this process's platform, without its machine where that is not known or is one of 32 bits.

    An unknown system counts as Linux.
    """
    machine = os.uname().machine if sys.maxsize > 1 << 32 else ""
    return PLATFORMS.get((sys.platform, machine)) or PLATFORMS.get((sys.platform, ""), _LINUX)
