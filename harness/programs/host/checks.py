"""What only whole programs can do wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from harness.programs.host.calls import callers
from harness.programs.host.objects import Buffer, Storage
from harness.programs.host.queue import Operation

__all__ = ["Checks"]


class Checks:
    """Follows what a program does with its buffers, and tells of what is wrong.

    Args:
        tell: Takes a message for whoever started the program.
    """

    def __init__(self, tell: Callable[[str, Any], None]) -> None:
        self._tell = tell

    def queued(self, operation: Operation, reads: Sequence[Buffer], writes: Sequence[Buffer]) -> None:
        """An operation was queued."""

    def begins(self, operation: Operation) -> None:
        """An operation runs next."""

    def ended(self, storage: Storage) -> None:
        """A storage is freed."""

    def misuse(self, call: str, reason: str) -> None:
        self.finding("misuse", "error", callers(), call=call, reason=reason)

    def never_awaited(self, operation: Operation) -> None:
        self.finding("never-awaited", "warning", operation.calls, what=operation.what)

    def close(self, storages: Iterable[Storage], held: Iterable[Buffer]) -> None:
        """The program came to its end."""

    def finding(self, name: str, severity: str, calls: tuple[int, ...], **values: Any) -> None:
        """Tells of a finding."""
        facts = {"id": name, "severity": severity, "calls": calls, "call": values.get("what", ""), "values": values}
        self._tell("finding", facts | {"argument": values.get("argument")})
