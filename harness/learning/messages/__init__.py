"""Format the messages of the learners' commands by id (`say`); `harness.simt.messages` explains ids and templates."""

from __future__ import annotations

from functools import partial
from typing import Any

from harness.learning.messages import en
from harness.model.language import current_words
from harness.model.messages import make_finding
from harness.simt.messages import add_lazily, add_messages, read_tables

__all__ = ["say"]

add_messages(en.MESSAGES)
add_lazily("ko", partial(read_tables, f"{__name__}.ko"))


def say(name: str, **values: Any) -> str:
    """Return the text of a message in the current language.

    Args:
        name: The message's id.
        values: Its parameters.
    """
    return current_words().text(make_finding(name, "information", **values))
