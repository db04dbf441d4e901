"""Files that are generated as a whole or in part."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["GenerateError", "Generated", "between"]


class GenerateError(Exception):
    """A file cannot be generated; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A file and the text that it has to hold.

    Attributes:
        path: The file.
        text: None where there must be no such file.
        keep: Why what is there must not be overwritten, or empty.
    """

    path: Path
    text: str | None
    keep: str = ""

    @property
    def stale(self) -> bool:
        """Whether something else is there."""
        held = self.path.read_text(encoding="utf-8") if self.path.is_file() else None
        return held != self.text

    def write(self) -> None:
        """Writes or removes the file."""
        if self.text is None:
            self.path.unlink()
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.text, encoding="utf-8")


def between(text: str, begin: str, end: str, body: str, path: Path) -> str:
    """A text with what stands between two marker lines replaced.

    Raises:
        GenerateError: The file does not have both lines, once and in this order.
    """
    head, opened, rest = text.partition(f"{begin}\n")
    _, closed, tail = rest.partition(f"{end}\n")
    if not opened or not closed or f"{begin}\n" in rest:
        raise GenerateError(f"{path} needs the lines `{begin}` and `{end}`, once each: put them back.")
    return f"{head}{begin}\n{body}{end}\n{tail}"
