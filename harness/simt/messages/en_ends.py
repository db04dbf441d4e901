"""English messages about launches that do not end: deadlocks, endless loops, exceeded budgets; traps: `en`."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["ENDS"]

_ENDLESS = "Endless loop"
_CHANGE = "change in the loop what its condition reads, until it is false"
_COUNTER = "check where the counter begins, what is added to it, and what it is compared with"
_STOPPED = "Stopped at the limit"
_LONGER = "if it is only slow, give it less data or a longer limit; otherwise check that each loop ends"

ENDS: dict[str, Message] = {
    "deadlock": Message(
        "Deadlock",
        "deadlock: {waiting:thread} wait ({operation}) for others that never arrive; {ended:thread} have exited",
        "let every thread that the others wait for reach the same barrier",
        "{threads:thread} of {blocks:block} wait at {place}",
    ),
    "livelock": Message(
        "Livelock",
        "livelock: all running threads spin, and none can change this loop's condition",
        _CHANGE,
    ),
    "endless-loop.unchanged": Message(
        _ENDLESS,
        "endless loop: nothing that its condition depends on changes, so no thread leaves it",
        _CHANGE,
    ),
    "endless-loop.no-exit": Message(
        _ENDLESS,
        "endless loop: {exit}",
        "{ends}",
    ),
    "endless-loop.missed": Message(
        _ENDLESS,
        "endless loop: its counter never reaches the value that ends it",
        _COUNTER,
    ),
    "endless-loop.counter": Message(
        _ENDLESS,
        "endless loop: its counter reaches the value that ends it after {rounds} more iterations at the earliest",
        _COUNTER,
    ),
    "budget-exceeded": Message(
        _STOPPED,
        "the kernel was stopped after {budget}; whether it ends is not known",
        _LONGER,
    ),
    "budget-exceeded.progress": Message(
        _STOPPED,
        "the kernel was stopped: no block ended in {budget}; whether it ends is not known",
        _LONGER,
    ),
}
