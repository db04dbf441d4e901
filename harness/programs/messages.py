"""English texts of findings on a program's host part: waits, streams, copies, freed memory, leaks, crashes.

`harness.simt.messages` explains the form; the table is registered there on import.
"""

from __future__ import annotations

from functools import partial

from harness.simt.messages import Message, add_lazily, add_messages, read_tables

__all__ = ["MESSAGES", "TERMS"]

_WAIT = "call `synchronize()` on the context, or wait for an event, before the host touches it"

MESSAGES: dict[str, Message] = {
    "out-of-bounds.pointer.host": Message(
        "Invalid {access} of size {size} bytes",
        "invalid {access} of {size} bytes at an address of the host's own memory ({address:#x}), which is in no buffer",
        "{instead}",
    ),
    "use-after-free.host": Message(
        "Use of freed memory",
        "{what} uses {argument}, which was freed before",
        "Mojo frees a buffer after its last use, and a pointer into it does not count as one: write `_ = buffer^` "
        "after the wait for the work that uses it",
    ),
    "use-after-free.pages": Message(
        "Use of freed memory",
        "the host touches {argument}, which was freed before",
        "Mojo frees a buffer after its last use, and a pointer into it does not count as one: write `_ = buffer^` "
        "after the last use of the pointer",
    ),
    "use-after-free.unordered": Message(
        "Memory freed while it may be in use",
        "{argument} is freed in another stream than the {what} uses it in, and does not wait for that",
        "write `_ = buffer^` after the wait for the work that uses it: Mojo frees a buffer after its last use, in the "
        "order of its own stream",
    ),
    "double-free": Message(
        "Released twice",
        "{argument} is freed, but was freed before",
        "let one buffer own the memory: `take_ptr()` hands it on",
    ),
    "foreign-memory": Message(
        "Memory of the host freed by the device",
        "{argument} is given to a buffer that owns it, but the device did not make it and cannot free it",
        "let the buffer look at it: `owning=False`, or `wrap_host_memory`",
    ),
    "device-memory-on-host": Message(
        "Device memory used by the host",
        "the host follows a pointer to {argument}, which lies on the device",
        "copy it to a host buffer first, or use `map_to_host()`",
    ),
    "aborted": Message(
        "The program ended itself",
        "the program ends by {signal}, as Mojo's `assert`, `debug_assert` and `abort` do; it says above why",
    ),
    "crashed": Message(
        "The program crashed",
        "the host's part of the program is ended by {signal} at the address {address:#x}",
        "look at the pointers that this line follows",
    ),
    "misuse": Message("Invalid use of the device's interface", "{what}: {reason}"),
    "copy-too-short": Message(
        "Copy beyond the end of its source",
        "a copy takes as many bytes as {argument} has, {wanted}, but {source} has {given}",
        "make the source at least as long as the destination, or copy to a sub-buffer",
    ),
    "copy-overlaps": Message(
        "Copy between overlapping ranges",
        "a copy within {argument} has {shared:byte} both in its source and in its destination: in which order they are "
        "copied is not known",
        "copy to another buffer first, and from there",
    ),
    "uninitialised-copy": Message(
        "Undefined bytes copied to the host",
        "{undefined} of {given} bytes copied from {argument} to the host were never written",
        "fill the buffer first, or let the kernel write all of it",
    ),
    "uninitialised-copy.unused": Message(
        "Undefined bytes copied to the host",
        "{undefined} of {given} bytes copied from {argument} to the host were never written; no use of them was seen",
    ),
    "uninitialised-copy.unwatched": Message(
        "Undefined bytes copied to the host",
        "of {count:copy/copies} with bytes that were never written, not every access of the host was seen: {unwatched}",
    ),
    "missing-wait.read": Message(
        "Host access before the wait", "the host touches {argument} before the {what} is done", _WAIT
    ),
    "missing-wait.write": Message(
        "Host access before the wait", "the host writes {argument} before the {what} has read it", _WAIT
    ),
    "stream-race": Message(
        "Work in no order",
        "the {what} and the {other} touch the same bytes of {argument}, and neither stream waits for the other",
        "record an event behind the first and let the other stream wait for it, or synchronize",
    ),
    "never-awaited": Message(
        "Work that nobody waited for",
        "the program ends before the {what} was waited for: whether it is done then is a matter of luck",
        "call `synchronize()` before the end",
    ),
    "never-awaited.returned": Message(
        "Work that nobody waited for",
        "the function returns before the {what} was waited for: whether it is done then is a matter of luck",
        "call `synchronize()` before it returns",
    ),
    "leak": Message("Not released at the end", "{argument} of {given} bytes was not freed when the program ends"),
    "launches-unobserved": Message(
        "Launches not observed",
        "{count} launches of {kernel} ran unobserved: after {observed} Python only computes their results",
        "raise the limit with --observed-launches to have all of them checked",
    ),
    "launches-unexplained": Message(
        "Launches after wrong ones not observed",
        "{count} launches of {kernel} ran unobserved: {observed} were observed, and it took {seconds} s to find what "
        "is wrong with them",
        "fix what is reported of the first ones, and run the program again",
    ),
}

TERMS = {
    "unwatched": {
        "no steps": "this machine has no single steps, so only the first access to each page is seen",
        "many": "after {steps} accesses only the first one to each page is seen",
    },
    "instead": {
        "given": "copy it to a buffer of the device, and give the kernel that",
        "captured {name}": "`{name}` is captured by reference, so that the kernel has an address of the host's: give "
        "it to the kernel as an argument",
    },
}

add_messages(MESSAGES, terms=TERMS)
add_lazily("ko", partial(read_tables, f"{__name__}_ko"))
