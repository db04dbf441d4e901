"""Collect the texts that a kernel prints, up to a limit, and the parts of its incomplete messages."""

__all__ = ["HostOutput"]


class HostOutput:
    """The text that a kernel printed.

    Attributes:
        printed: The texts, in order.
        messages: The parts of messages that are not complete, by message number.
    """

    def __init__(self) -> None:
        self.printed: list[str] = []
        self.messages: dict[int, bytearray] = {}
        self._length = 0

    def print_text(self, text: str, limit: int) -> bool:
        """Append a text to `printed`, if at most `limit` characters are there; return whether it was appended.

        The last text may exceed the limit; it is not cut. Nothing is written to a stream of this process.
        """
        if self._length > limit:
            return False
        self._length += len(text)
        self.printed.append(text)
        return True
