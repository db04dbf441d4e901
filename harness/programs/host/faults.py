"""Pass SIGSEGV and other signals to a callback: continue, step or default action; query support for it; `abort`.

The host's memory is protected while queued work uses it (see `checks`), and this processor knows no address of the
device: accesses to both fault. The callback decides what to report. Other faults get the signal's default action.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable
from typing import NoReturn

from harness.programs.host import platforms
from harness.programs.host.calls import callers
from harness.programs.host.platforms import Platform

__all__ = ["ABORTS", "Fault", "abort", "follows_accesses", "install", "tells_writes"]

_SIGNALS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP, signal.SIGABRT)
ABORTS = (signal.SIGILL, signal.SIGTRAP, signal.SIGABRT)  # how compilers and libraries end a program on purpose
_OF_MEMORY = (signal.SIGSEGV, signal.SIGBUS)  # Darwin sends the second where a page forbids the access
_STDERR = 2
sigaction = ctypes.CDLL(None).sigaction


def abort(why: str) -> NoReturn:
    """Write a line to the standard error stream, and end the program by SIGABRT, as a library that cannot go on.

    The handler of `install` is not called: what is wrong was reported before.
    """
    os.write(_STDERR, f"{why}\n".encode())
    ctypes.CDLL(None).signal(signal.SIGABRT, None)  # the default: `install` has a handler of its own
    os.abort()


class Fault:
    """One fault.

    Args:
        number: The signal's.
        info: Address of the `siginfo_t`.
        context: Address of the `ucontext_t`.
        platform: Whose structures these are.

    Attributes:
        number, name: The signal's.
        address: What the program wanted to reach, where the system says so.
        wrote: Whether it wanted to write there; None where that is not known.
        registers: What the processor held; empty where that is not known.
        counter: Where the program was, as if it were a return address; empty where that is not known.
    """

    def __init__(self, number: int, info: int, context: int, platform: Platform) -> None:
        self.number, self.name = number, signal.Signals(number).name
        self.address = ctypes.c_uint64.from_address(info + platform.address).value
        self.wrote: bool | None = None
        self.registers: tuple[int, ...] = ()
        self.counter: tuple[int, ...] = ()
        self._machine, self._context = platform.machine, context
        if self._machine is None:
            return
        if self._machine.pointer is not None:
            self._context = ctypes.c_uint64.from_address(context + self._machine.pointer).value
        words = ctypes.c_uint64 * self._machine.count
        self.registers = tuple(words.from_address(self._context + self._machine.registers))
        counter = ctypes.c_uint64.from_address(self._context + self._machine.counter).value
        self.counter = (counter + 1,)
        if number in _OF_MEMORY:
            self.wrote = self._machine.wrote(self._context)

    @property
    def calls(self) -> tuple[int, ...]:
        """Return addresses, the place of the fault first; none where that is not known: its caller's would mislead."""
        return (*self.counter, *callers()) if self.counter else ()

    def step(self, *, on: bool) -> bool:
        """Let the program run when the handler returns: one instruction, then a fault SIGTRAP; if not `on`, for good.

        Returns:
            False where the processor cannot be asked for a single step; then nothing changes.
        """
        if self._machine is None or self._machine.flags is None:
            return False
        flags = ctypes.c_uint64.from_address(self._context + self._machine.flags)
        flags.value = flags.value | self._machine.trap if on else flags.value & ~self._machine.trap
        return True


def tells_writes() -> bool:
    """Return whether a fault of this machine says that it is a write."""
    return platforms.current().machine is not None


def follows_accesses() -> bool:
    """Return whether faults on this machine can be stepped over, so that each access to a closed page is seen."""
    machine = platforms.current().machine
    return machine is not None and machine.flags is not None


def install(survived: Callable[[Fault], bool]) -> object:
    """Install a handler for SEGV, BUS, ILL, FPE, TRAP and ABRT in this process.

    Args:
        survived: Called with each fault; returns whether the program can go on where it was. If not, or if it raises,
            the signal's default action is restored, and the fault happens again.

    Returns:
        The callback, which must be kept as long as the program runs.
    """
    platform = platforms.current()

    def handle(number: int, info: int, context: int) -> None:
        try:
            if survived(Fault(number, info, context, platform)):
                return
        except BaseException:  # a handler that fails must not hide the fault
            pass
        signal.signal(number, signal.SIG_DFL)

    callback = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(handle)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    action = platform.action(handler=address, flags=platform.siginfo | platform.nodefer)
    for number in _SIGNALS:
        sigaction(number, ctypes.byref(action), None)
    return callback
