"""What the processor refuses a program: told with its place, and where that is possible survived.

The host's memory is protected while queued work is to use it (see `checks`), and an address of the device is none that
this processor knows: both end here. Other faults are noted and take their course.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from harness.programs.host.calls import callers

__all__ = ["ABORTS", "Fault", "abort", "install"]

_SIGNALS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP, signal.SIGABRT)
ABORTS = (signal.SIGILL, signal.SIGTRAP, signal.SIGABRT)  # how compilers and libraries end a program on purpose
_SIGINFO, _NODEFER = 4, 0x40000000
_ADDRESS_OFFSET = 16  # of `si_addr` in `siginfo_t`
# x86-64 Linux: the registers in `ucontext_t`, and among them the program counter and the page fault's error code.
_REGISTERS_OFFSET, _REGISTERS, _COUNTER, _FLAGS, _ERROR = 40, 23, 16, 17, 19
_WROTE = 2
_TRAP = 0x100  # among the flags: end after one instruction
_STDERR = 2


class _Action(ctypes.Structure):
    """`struct sigaction` of glibc."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def abort(why: str) -> NoReturn:
    """Ends the program by SIGABRT, as a library does that cannot go on; it was told before what is wrong."""
    os.write(_STDERR, f"{why}\n".encode())
    ctypes.CDLL(None).signal(signal.SIGABRT, None)  # the default: `install` has a handler of its own
    os.abort()


class Fault:
    """One fault.

    Attributes:
        number, name: The signal's.
        address: What the program wanted to reach, where the system says so.
        wrote: Whether it wanted to write there.
        registers: What the processor held; empty where that is not known.
    """

    def __init__(self, number: int, info: int, context: int) -> None:
        self.number, self.name = number, signal.Signals(number).name
        self.address = ctypes.c_uint64.from_address(info + _ADDRESS_OFFSET).value
        self.registers: tuple[int, ...] = ()
        if sys.platform == "linux" and sys.maxsize > 1 << 32 and _is_x86():
            self.registers = tuple((ctypes.c_uint64 * _REGISTERS).from_address(context + _REGISTERS_OFFSET))
        self.wrote = bool(self.registers and self.registers[_ERROR] & _WROTE)
        self._context = context

    @property
    def calls(self) -> tuple[int, ...]:
        """Return addresses, the place of the fault first."""
        counter = (self.registers[_COUNTER] + 1,) if self.registers else ()  # as if it were a return address
        return (*counter, *callers())

    def step(self, *, on: bool) -> bool:
        """Lets the program go on for one instruction, to a fault SIGTRAP, or from there for good.

        Returns:
            False where this processor is not known well enough.
        """
        if not self.registers:
            return False
        flags = ctypes.c_uint64.from_address(self._context + _REGISTERS_OFFSET + 8 * _FLAGS)
        flags.value = flags.value | _TRAP if on else flags.value & ~_TRAP
        return True


def _is_x86() -> bool:
    import platform

    return platform.machine() == "x86_64"


def install(survived: Callable[[Fault], bool]) -> object:
    """Asks about every fault of this process from now on.

    Args:
        survived: Whether the program can go on where it was; if not, the fault takes its course.

    Returns:
        What must be kept as long as the program runs.
    """
    libc = ctypes.CDLL(None)

    def handle(number: int, info: int, context: int) -> None:
        try:
            if survived(Fault(number, info, context)):
                return
        except BaseException:  # a handler that fails must not hide the fault
            pass
        signal.signal(number, signal.SIG_DFL)

    callback = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(handle)
    action = _Action(ctypes.cast(callback, ctypes.c_void_p).value, flags=_SIGINFO | _NODEFER)
    for number in _SIGNALS:
        libc.sigaction(number, ctypes.byref(action), None)
    return callback
