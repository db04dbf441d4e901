"""What the learner's loop says; `harness.simt.messages` says how ids, parameters and texts belong together."""

from __future__ import annotations

from functools import partial
from typing import Any

from harness.learning.messages import en
from harness.model.language import chosen
from harness.model.messages import finding
from harness.simt.messages import add_lazily, add_messages, read_tables

__all__ = ["say"]

add_messages(en.MESSAGES)
add_lazily("ko", partial(read_tables, f"{__name__}.ko"))


def say(name: str, **values: Any) -> str:
    """The text of a message, in the language in use.

    Args:
        name: The id of the message.
        values: Its parameters.
    """
    return chosen().text(finding(name, "information", **values))
