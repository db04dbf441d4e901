"""The messages in English about copies that are waited for, and what they are waited for at."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["ASYNCHRONOUS"]

_FLIGHT = "Memory used while an asynchronous copy is under way"

ASYNCHRONOUS: dict[str, Message] = {
    "async-copy.read": Message(
        _FLIGHT,
        "{access} of {argument} while a copy into it is under way: it may get the old value or the new one",
        "wait for the copy first, and let a barrier follow where other threads read",
    ),
    "async-copy.write": Message(
        _FLIGHT,
        "{access} of {argument} while a copy into it is under way: either value may stay",
        "wait for the copy before the write",
    ),
    "async-copy.source": Message(
        _FLIGHT,
        "{access} of {argument} while a copy reads it: the copy may take the old value or the new one",
        "wait for the copy before the write",
    ),
}
