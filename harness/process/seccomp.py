"""Refuse system calls by which a sandbox gets memory that `watch` cannot count, with a seccomp filter on Linux.

`harness.process.watch` reads `/proc`, which shows only pages that a process has mapped in. It does not show memory
behind a descriptor, in a System V segment, in a file system of memory or in a shared mapping that another process
filled, and no limit of a process holds for it. So the filter refuses `memfd_create`, `shmget`, shared anonymous `mmap`,
`mount`, new namespaces and the like.

The filter holds for a process and for all that it starts, and cannot be taken off. There is one for x86-64 and for
ARM64; elsewhere only the memory that can be seen is counted.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Iterator

__all__ = ["refuse_hidden_memory"]

_PR_SET_NO_NEW_PRIVS = 38
_SET_MODE_FILTER, _SPEC_ALLOW = 1, 1 << 2  # the flag: some kernels slow down whoever has a filter
_MACHINES = ("x86_64", "aarch64")
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_SECCOMP = {"x86_64": 317, "aarch64": 277}
# Numbers of system calls, by machine. Those that came late have the same one everywhere.
_REFUSED = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    # A user who is root in a namespace of its own mounts file systems of memory there.
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    # Rings and maps are the kernel's memory; nothing that runs in a box has a use for them.
    "io_uring_setup": (425, 425),
    "bpf": (321, 280),
}
_MMAP, _CLONE, _CLONE3 = (9, 222), (56, 220), (435, 435)
_SHARED_ANONYMOUS = 0x21  # both flags of `mmap`; what is private has the first one not
_NAMESPACES = 0x7E020000  # the flags of `clone` that ask for one
_X32 = 0x40000000  # numbers from here on are those of another interface of x86-64

# Classic BPF: the codes that are used here, and what the filter returns.
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in what it is given


def refuse_hidden_memory() -> bool:
    """Refuse, for ever, system calls that get memory no account shows, in this process and in all that it starts.

    Returns:
        Whether that was done: on Linux on x86-64 and ARM64, if the system allows it.
    """
    machine = os.uname().machine
    if sys.platform != "linux" or machine not in _MACHINES or sys.byteorder != "little":
        return False
    import ctypes

    steps = list(_program(machine))
    code = ctypes.create_string_buffer(b"".join(steps), 8 * len(steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, *map(ctypes.c_ulong, (1, 0, 0, 0))):
        return False
    call = ctypes.c_long(_SECCOMP[machine])
    return not libc.syscall(call, ctypes.c_long(_SET_MODE_FILTER), ctypes.c_long(_SPEC_ALLOW), program)


def _program(machine: str) -> Iterator[bytes]:
    """Yield the steps of the filter for a machine: refused calls fail with EPERM, unknown interfaces with ENOSYS."""
    at = _MACHINES.index(machine)
    yield _step(_LOAD, _ARCHITECTURE)
    yield from _require(_IF_EQUAL, _AUDIT[machine], errno.ENOSYS)  # 32 bits, say
    yield _step(_LOAD, _NUMBER)
    if machine == "x86_64":
        yield from _refuse_if(_IF_AT_LEAST, _X32, errno.ENOSYS)
    for numbers in _REFUSED.values():
        yield from _refuse_if(_IF_EQUAL, numbers[at], errno.EPERM)
    # Its flags lie in memory, which no filter sees. A C library then asks by `clone`.
    yield from _refuse_if(_IF_EQUAL, _CLONE3[at], errno.ENOSYS)
    yield _step(_IF_EQUAL, _CLONE[at], 0, 4)
    yield _step(_LOAD, _ARGUMENTS)
    yield from _refuse_if(_IF_ANY, _NAMESPACES, errno.EPERM)
    yield _step(_RETURN, _ALLOW)
    yield _step(_IF_EQUAL, _MMAP[at], 0, 4)  # the last step is also that of all other calls
    yield _step(_LOAD, _ARGUMENTS + 3 * 8)
    yield _step(_AND, _SHARED_ANONYMOUS)
    yield from _refuse_if(_IF_EQUAL, _SHARED_ANONYMOUS, errno.EPERM)
    yield _step(_RETURN, _ALLOW)


def _refuse_if(condition: int, value: int, error: int) -> Iterator[bytes]:
    yield _step(condition, value, 0, 1)
    yield _step(_RETURN, _ERROR | error)


def _require(condition: int, value: int, error: int) -> Iterator[bytes]:
    """Yield the steps that let the call fail with an error unless the loaded word meets a condition.

    `condition` is the code of a jump in BPF, `value` what it compares the word with.
    """
    yield _step(condition, value, 1, 0)
    yield _step(_RETURN, _ERROR | error)


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """One instruction: how many to skip if its condition holds, and if it does not."""
    return struct.pack("=HBBI", code, then, otherwise, value)
