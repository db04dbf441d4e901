"""Faults of this machine, handed to a program's handler as another machine's: its structures, its frames."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

_HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
# Of Linux on x86-64: the action's flags, `si_addr`, and in the context the registers, the program counter and the code
# of the error.
_SIGINFO, _NODEFER, _ADDRESS, _REGISTERS, _COUNTER, _ERROR = 0x4, 0x40000000, 16, 40, 40 + 8 * 16, 40 + 8 * 19
_CLASS, _WROTE = 0x24 << 26, 1 << 6  # of the syndrome of a data abort
_RECORD, _OTHER_RECORD = 0x45535201, 0x46508001  # the syndrome, and the SIMD registers, which come before it
_LOAD, _STORE = 0xF9400020, 0xF9000020  # ldr x0, [x1]; str x0, [x1]
_kept: list[Any] = []


class _Action(ctypes.Structure):
    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def emulate(faults: Any, machine: str) -> None:
    """Changes the module that installs handlers, so that those handlers meet another machine's faults."""
    from harness.programs.host import platforms

    system, _, processor = machine.removesuffix("-without-syndrome").partition("-")
    if machine == "unknown":
        system, processor = "linux", ""
    platform = platforms.PLATFORMS[system, processor]
    platforms.current = lambda: platform
    libc = faults.sigaction

    def sigaction(number: int, action: Any, _: None) -> int:
        given = action._obj
        assert given.flags == platform.siginfo | platform.nodefer
        theirs = _HANDLER(given.handler)

        def handle(number: int, info: int, context: int) -> None:
            address, counter, error = (
                ctypes.c_uint64.from_address(place).value
                for place in (info + _ADDRESS, context + _COUNTER, context + _ERROR)
            )
            address = address or _pointer_to_the_device(context)
            siginfo = ctypes.create_string_buffer(128)
            struct.pack_into("=Q", siginfo, platform.address, address)
            frame = _FRAMES[machine](address, counter, bool(error & 2))
            theirs(number, ctypes.addressof(siginfo), ctypes.addressof(frame))

        own = _HANDLER(handle)
        _kept.extend((own, theirs))
        real = _Action(ctypes.cast(own, ctypes.c_void_p).value, flags=_SIGINFO | _NODEFER)
        return int(libc(number, ctypes.byref(real), None))

    faults.sigaction = sigaction


def _pointer_to_the_device(context: int) -> int:
    """Return the address that a register holds and that is none of this processor, which does not say it itself."""
    registers = (ctypes.c_uint64 * 16).from_address(context + _REGISTERS)
    return next((value for value in registers if value >> 55 == 1), 0)


def _unknown(address: int, counter: int, wrote: bool) -> Any:
    return ctypes.create_string_buffer(8)


def _linux(address: int, counter: int, wrote: bool, records: bytes | None = None) -> Any:
    if records is None:
        syndrome = _CLASS | (_WROTE if wrote else 0)
        records = struct.pack("=II", _OTHER_RECORD, 528) + bytes(520) + struct.pack("=IIQ", _RECORD, 16, syndrome)
    frame = ctypes.create_string_buffer(464 + 4096)
    struct.pack_into("=Q", frame, 176, address)
    struct.pack_into("=Q", frame, 440, counter)
    frame[464 : 464 + len(records)] = records
    return frame


def _linux_without(address: int, counter: int, wrote: bool) -> Any:
    """The instruction at the program counter tells: one of 64-bit Arm is put there."""
    code = ctypes.create_string_buffer(struct.pack("=I", _STORE if wrote else _LOAD) * 2, 8)
    _kept[100:] = [code]
    place = ctypes.addressof(code)
    frame = _linux(address, place + -place % 4, wrote, b"")
    frame.code = code
    return frame


def _darwin(address: int, counter: int, wrote: bool) -> Any:
    machine = ctypes.create_string_buffer(16 + 33 * 8 + 8)
    struct.pack_into("=QII", machine, 0, address, _CLASS | (_WROTE if wrote else 0), 0)
    struct.pack_into("=Q", machine, 272, counter)
    frame = ctypes.create_string_buffer(56)
    struct.pack_into("=Q", frame, 48, ctypes.addressof(machine))
    frame.machine = machine
    return frame


_FRAMES = {
    "unknown": _unknown,
    "linux-aarch64": _linux,
    "linux-aarch64-without-syndrome": _linux_without,
    "darwin-arm64": _darwin,
}
