"""What a kernel tells the host."""

__all__ = ["Host"]


class Host:
    """What a kernel told the host.

    Attributes:
        printed: Texts, in order.
        messages: Those that came in part, by number.
    """

    def __init__(self) -> None:
        self.printed: list[str] = []
        self.messages: dict[int, bytearray] = {}
        self._length = 0

    def say(self, text: str, limit: int) -> bool:
        """Prints a text, unless more characters than a limit were printed; whether it did."""
        if self._length > limit:
            return False
        self._length += len(text)
        self.printed.append(text)
        return True
