"""Create findings that the harness itself reports, by message id, and register messages (`en`, `ko`).

They are `Finding`s of the simulator, so that one renderer shows all; `harness.simt.messages` explains ids, parameters
and templates.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from harness.model.messages import en
from harness.simt.findings import Finding, Who
from harness.simt.messages import add_lazily, add_messages, read_tables, words

__all__ = ["has_message", "make_finding"]

add_messages(en.MESSAGES, "en", en.TERMS)
add_lazily("ko", partial(read_tables, f"{__name__}.ko"))


def make_finding(
    name: str,
    severity: Literal["error", "warning", "information"] = "error",
    *,
    argument: str | None = None,
    count: int = 1,
    who: tuple[Who, ...] = (),
    **values: Any,
) -> Finding:
    """Return a finding of the harness.

    Args:
        name: The id of its message.
        severity: The severity.
        argument: The buffer concerned, if any.
        count: The number of elements or places.
        who: The threads concerned.
        values: The message's other parameters.
    """
    return Finding(name, severity, argument=argument, count=count, who=who, values=values)


def has_message(name: str) -> bool:
    """Return whether there is a message with this id."""
    return name in words().messages
