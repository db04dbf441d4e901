"""English messages about capabilities that a target lacks, and about the heap, printing and traps of kernels."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["HOST"]

_HEAP = "Misuse of the device heap"
_PRINT = "Printed text"
_LACKING = "Not supported by the target"

HOST: dict[str, Message] = {
    "capability.heap": Message(
        _LACKING,
        "`{needed}` is called, but kernels on {target} have no heap",
        "let the host allocate the memory, or take an array of a fixed size",
    ),
    "capability.double": Message(
        _LACKING,
        "`{needed}` takes or returns a 64-bit float, but {target} has none",
        "compute with `Float32`",
    ),
    "capability.atomic": Message(
        _LACKING,
        "`{needed}` is an atomic that {target} does not have",
        "use atomics of 32-bit integers, in threadgroup memory too, or `add` of `Float32` in device memory",
    ),
    "capability.function-pointer": Message(
        _LACKING,
        "a function is called through a pointer, but {target} calls only those that a visible function table holds",
        "choose the function with `if`, or as a parameter at compile time",
    ),
    "capability.runtime": Message(
        _LACKING,
        "`{needed}` is called, a function of CUDA's runtime that {target} does not have",
        "leave it out where the kernel is compiled for another target",
    ),
    "capability.instruction": Message(
        _LACKING,
        "`{needed}` needs {targets}, and {target} does not have it",
        "choose instructions that the target has, or a target that has this one",
    ),
    "trap.assert": Message("Assertion failed", "assertion `{said}` failed in {function} at {file}:{line}"),
    "trap.pure-virtual": Message(
        "Call of a pure virtual function",
        "a virtual function that its class only declares is called",
        "call it after the constructor of the class that defines it, and before that class's destructor",
    ),
    "heap.double-free": Message(
        _HEAP, "{argument} is freed, but was freed before", "free each allocation once, by one thread"
    ),
    "heap.foreign-free": Message(
        _HEAP,
        "`free` is given a pointer ({address:#x}) that `malloc` on the device did not return",
        "free only pointers that `malloc` on the device returned",
    ),
    "heap.full": Message(
        "Device heap exhausted",
        "`malloc` of {size} bytes returns null: the heap of {limit} bytes is full",
        "free allocations that are no longer used, let the host allocate, or check for null",
    ),
    "use-after-free.heap": Message(
        "Invalid {access} of size {size} bytes in freed memory",
        "{access} of {size} bytes in {argument}, which the kernel freed before",
        "free an allocation only after all threads that have its pointer have last used it",
    ),
    "print.arguments": Message(
        _PRINT,
        "`printf` of `{said}` needs more arguments than the {taken} that it is given",
        "give each conversion an argument, and write `%%` for a percent sign",
    ),
    "print.width": Message(
        _PRINT,
        "`printf` asks for {wanted} characters in one conversion: {limit} are printed",
        "ask for a smaller width or precision",
    ),
    "print.full": Message(
        _PRINT,
        "a kernel printed {limit} characters: what comes after them is left out",
        "print less, or from fewer threads",
    ),
}
