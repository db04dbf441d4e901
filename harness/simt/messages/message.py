"""The parts of a message."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Message"]


@dataclass(frozen=True, slots=True)
class Message:
    """The templates of one kind of finding.

    Attributes:
        title: A few words, as compute-sanitizer has them where it knows the fault.
        text: What happened: one sentence, without its full stop, place and threads.
        remedy: What to do about it; empty where the text says it.
        item: A line for each of the finding's `items`, if it has a list of them.
    """

    title: str
    text: str
    remedy: str = ""
    item: str = ""
