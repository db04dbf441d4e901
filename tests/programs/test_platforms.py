"""`harness.programs.host.platforms` and `faults`: frames of signals, laid out by hand from the systems' headers."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from collections.abc import Callable
from typing import Any

import pytest

from harness.programs.host import faults, platforms
from harness.programs.host.faults import Fault
from harness.programs.host.platforms import PLATFORMS

ADDRESS, VALUE = 0x0000_7F12_3456_7000, 0x0080_0080_0000_0010
DATA_ABORT, SAME_LEVEL, INSTRUCTION_ABORT, WROTE, CACHE = 0x24 << 26, 0x25 << 26, 0x20 << 26, 1 << 6, 1 << 8
LOAD, STORE, ADD = 0xF9400020, 0xF9000020, 0x8B020020  # ldr x0, [x1]; str x0, [x1]; add x0, x1, x2
LINUX_ARM, DARWIN_ARM, LINUX_X86 = ("linux", "aarch64"), ("darwin", "arm64"), ("linux", "x86_64")


class Frame:
    """A fault as a handler gets it.

    Args:
        platform: A key of `PLATFORMS`.
        info: Of the `siginfo_t`, values of eight bytes by their offsets.
        context: The same of the `ucontext_t`.
        machine: The same of what the context points to, on Darwin.
    """

    def __init__(
        self,
        platform: tuple[str, str],
        info: dict[int, int],
        context: dict[int, int],
        machine: dict[int, int] | None = None,
    ) -> None:
        self.platform = PLATFORMS[platform]
        self._held = [_block(values) for values in (info, context, machine or {})]
        if machine is not None:
            struct.pack_into("=Q", self._held[1], 48, ctypes.addressof(self._held[2]))

    def fault(self, number: int = signal.SIGSEGV) -> Fault:
        info, context, _ = map(ctypes.addressof, self._held)
        return Fault(number, info, context, self.platform)

    def word(self, offset: int) -> int:
        return int(struct.unpack_from("=Q", self._held[1], offset)[0])


def _block(values: dict[int, int]) -> Any:
    block = ctypes.create_string_buffer(8192)
    for offset, value in values.items():
        struct.pack_into("=Q", block, offset, value)
    return block


def code(word: int) -> tuple[Any, int]:
    """Return memory with an instruction, and its address."""
    held = (ctypes.c_uint32 * 1)(word)
    return held, ctypes.addressof(held)


def linux_arm(records: bytes, counter: int = 0x1000, address: int = ADDRESS) -> Frame:
    """A frame with records behind the registers; `x3` holds a value."""
    context = {176: address, 184 + 8 * 3: VALUE, 432: 0x5000, 440: counter}
    for start in range(0, len(records), 8):
        context[464 + start] = int.from_bytes(records[start : start + 8], "little")
    return Frame(LINUX_ARM, {16: address}, context)


def darwin_arm(syndrome: int, counter: int = 0x1000, address: int = ADDRESS) -> Frame:
    machine = {0: address, 8: syndrome, 16 + 8 * 3: VALUE, 264: 0x5000, 272: counter}
    return Frame(DARWIN_ARM, {24: address}, {}, machine)


def record(syndrome: int) -> bytes:
    return struct.pack("=IIQ", 0x45535201, 16, syndrome)


SIMD = struct.pack("=II", 0x46508001, 528) + bytes(520)  # as the kernel writes them first
END = bytes(8)
MADE: list[tuple[str, Callable[[int], Frame], tuple[str, str]]] = [
    ("linux", lambda syndrome: linux_arm(SIMD + record(syndrome) + END), LINUX_ARM),
    ("linux, the record alone", lambda syndrome: linux_arm(record(syndrome) + END), LINUX_ARM),
    ("darwin", darwin_arm, DARWIN_ARM),
]


@pytest.mark.parametrize(("name", "frame", "_"), MADE, ids=[name for name, *_ in MADE])
@pytest.mark.parametrize(
    ("syndrome", "wrote"),
    [(DATA_ABORT | WROTE, True), (DATA_ABORT, False), (SAME_LEVEL | WROTE, True), (SAME_LEVEL | 0x4F & ~WROTE, False)],
)
def test_the_syndrome_of_a_data_abort_says_whether_it_was_a_write(name, frame, _, syndrome, wrote):
    fault = frame(syndrome).fault()

    assert fault.wrote is wrote
    assert fault.address == ADDRESS and VALUE in fault.registers and fault.counter == (0x1001,)
    assert not fault.step(on=True)


@pytest.mark.parametrize("syndrome", [0, INSTRUCTION_ABORT | WROTE, DATA_ABORT | CACHE | WROTE])
@pytest.mark.parametrize(("word", "wrote"), [(LOAD, False), (STORE, True), (ADD, None)])
@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_without_such_a_syndrome_the_instruction_says_it(system, word, wrote, syndrome):
    _held, counter = code(word)
    frame = linux_arm(SIMD + record(syndrome) + END, counter) if system == "linux" else darwin_arm(syndrome, counter)

    assert frame.fault().wrote is wrote


@pytest.mark.parametrize(
    "records", [SIMD + END, END, struct.pack("=II", 0x46508001, 1 << 20), struct.pack("=II", 7, 0)]
)
def test_records_that_end_or_are_damaged_are_not_followed(records):
    _held, counter = code(STORE)

    assert linux_arm(records, counter).fault().wrote is True


@pytest.mark.parametrize("counter", [ADDRESS, 0x1002])
def test_an_instruction_that_cannot_be_read_is_not_read(counter):
    """The jump to it is the fault, or there is none at such an address."""
    assert linux_arm(END, counter).fault().wrote is None


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGTRAP, signal.SIGILL])
def test_other_signals_are_no_accesses(number):
    assert linux_arm(record(DATA_ABORT | WROTE) + END).fault(number).wrote is None


@pytest.mark.parametrize(("error", "exception", "wrote"), [(6, 14, True), (4, 14, False), (7, 14, True), (0, 13, None)])
def test_on_x86_the_error_code_of_a_page_fault_says_it(error, exception, wrote):
    registers = 40
    context = {
        registers + 8 * 16: 0x1000,
        registers + 8 * 17: 0x202,
        registers + 8 * 19: error,
        registers + 8 * 20: exception,
    }
    frame = Frame(LINUX_X86, {16: ADDRESS}, context)

    fault = frame.fault()
    assert (fault.wrote, fault.counter, fault.address) == (wrote, (0x1001,), ADDRESS)
    assert fault.step(on=True) and frame.word(registers + 8 * 17) == 0x302
    assert fault.step(on=False) and frame.word(registers + 8 * 17) == 0x202


@pytest.mark.parametrize(("system", "offset"), [("linux", 16), ("darwin", 24)])
def test_of_an_unknown_processor_only_the_address_is_known(system, offset):
    fault = Frame((system, ""), {offset: ADDRESS}, {}).fault()

    assert (fault.address, fault.wrote, fault.registers, fault.calls) == (ADDRESS, None, (), ())
    assert not fault.step(on=True)


@pytest.mark.parametrize(
    ("key", "size", "flags", "value"),
    [(LINUX_X86, 152, 136, 0x40000004), (LINUX_ARM, 152, 136, 0x40000004), (DARWIN_ARM, 16, 12, 0x50)],
)
def test_a_handler_is_installed_by_the_systems_own_structure(key, size, flags, value, monkeypatch):
    given: dict[int, bytes] = {}
    monkeypatch.setattr(platforms, "current", lambda: PLATFORMS[key])
    monkeypatch.setattr(faults, "sigaction", lambda number, action, old: given.update({number: bytes(action._obj)}))

    held = faults.install(lambda fault: True)
    (action,) = set(given.values())
    assert signal.SIGSEGV in given and signal.SIGBUS in given
    assert len(action) == size
    assert struct.unpack_from("=Q", action)[0] == ctypes.cast(held, ctypes.c_void_p).value
    assert struct.unpack_from("=i", action, flags)[0] == value


@pytest.mark.parametrize(
    ("system", "machine", "key"),
    [
        ("linux", "x86_64", LINUX_X86),
        ("linux", "aarch64", LINUX_ARM),
        ("darwin", "arm64", DARWIN_ARM),
        ("darwin", "x86_64", ("darwin", "")),
        ("linux", "riscv64", ("linux", "")),
        ("freebsd14", "amd64", ("linux", "")),
    ],
)
def test_a_platform_is_found_by_what_the_system_says(system, machine, key, monkeypatch):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(("", "", "", "", machine)))

    assert platforms.current() is PLATFORMS[key]


def test_what_a_machine_lets_see_is_told(monkeypatch):
    told = {}
    for key in ((*LINUX_X86,), LINUX_ARM, DARWIN_ARM, ("linux", "")):
        monkeypatch.setattr(platforms, "current", lambda key=key: PLATFORMS[key])
        told[key] = faults.follows_accesses(), faults.tells_writes()

    assert [*told.values()] == [(True, True), (False, True), (False, True), (False, False)]
