"""What is told of the host's part of a program, in English; `harness.simt.messages` says what a template may hold."""

from __future__ import annotations

from harness.simt.messages import Message, add

__all__ = ["MESSAGES"]

_WAIT = "call `synchronize()` on the context, or wait for an event, before the host touches it"

MESSAGES: dict[str, Message] = {
    "double-free": Message(
        "Released twice",
        "{call}: the {what} was released before",
        "let one owner release it",
    ),
    "misuse": Message("Invalid use of the device's interface", "{call}: {reason}"),
    "copy-too-short": Message(
        "Copy beyond the end of its source",
        "a copy of {wanted} bytes to {argument} from {source}, which has {given}",
        "make the source at least as long as the destination, or copy to a sub-buffer",
    ),
    "fill-ragged": Message(
        "Fill that does not fit",
        "a fill of {argument} of {given} bytes with values of {wanted} bytes",
        "make the buffer a whole number of values long",
    ),
    "uninitialised-copy": Message(
        "Undefined bytes copied to the host",
        "{count} of {given} bytes copied from {source} were never written, and the host did not write them since",
        "fill the buffer first, or let the kernel write all of it",
    ),
    "missing-wait.read": Message(
        "Host access before the wait", "the host touches {argument} before {what} into it is done", _WAIT
    ),
    "missing-wait.write": Message(
        "Host access before the wait", "the host writes {argument} before {what} from it is done", _WAIT
    ),
    "other-context": Message(
        "Buffer of another context",
        "{what} uses {argument} of another context, whose queue still holds {pending}",
        "wait for the other context first: `ctx.enqueue_wait_for(other)` or `other.synchronize()`",
    ),
    "never-awaited": Message(
        "Work that nobody waited for",
        "the program ended before {what} was waited for: whether it is done then is a matter of luck",
        "call `synchronize()` before the end",
    ),
    "leak": Message("Not released at the end", "{argument} of {given} bytes is still held when the program ends"),
    "launches-unobserved": Message(
        "Launches not observed",
        "{count} more launches of {kernel} ran unobserved: after {observed} only their results are computed",
        "raise the limit with --observed-launches to have all of them checked",
    ),
}

add(MESSAGES)
