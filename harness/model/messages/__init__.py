"""The harness's own findings: what the simulator cannot know, and other backends cannot see.

They are the simulator's `Finding`s with ids of their own, so that one renderer shows all;
`harness.simt.messages` says how ids, parameters and texts belong together.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from harness.model.messages import en
from harness.simt.findings import Finding, Who
from harness.simt.messages import add_lazily, add_messages, read_tables, words

__all__ = ["finding", "known"]

add_messages(en.MESSAGES, "en", en.TERMS)
add_lazily("ko", partial(read_tables, f"{__name__}.ko"))


def finding(
    name: str,
    severity: Literal["error", "warning", "information"] = "error",
    *,
    argument: str | None = None,
    count: int = 1,
    who: tuple[Who, ...] = (),
    **values: Any,
) -> Finding:
    """A finding of the harness.

    Args:
        name: The id of its message.
        severity: As of any finding.
        argument: The buffer concerned, if any.
        count: Of elements or places.
        who: The threads concerned.
        values: The message's other parameters.
    """
    return Finding(name, severity, argument=argument, count=count, who=who, values=values)


def known(name: str) -> bool:
    """Whether there is a message of that id."""
    return name in words().messages
