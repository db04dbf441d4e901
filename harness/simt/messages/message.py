"""`Message`: the templates of one kind of finding in one language: title, text, remedy, and the line of an item."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Message"]


@dataclass(frozen=True, slots=True)
class Message:
    """The templates of one kind of finding.

    Attributes:
        title: A few words; those of compute-sanitizer if it knows the fault.
        text: What happened: one sentence without its full stop, place and threads.
        remedy: What to do about it; empty if the text says it already.
        item: The line for each of the finding's `items`, if it has such a list.
    """

    title: str
    text: str
    remedy: str = ""
    item: str = ""
