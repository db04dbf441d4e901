"""The result of scanning a Mojo text (`Scan`: `Replacement`, `Edit`, `Remark`); `apply` makes the replacements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.build.migration.table import RewriteRule

__all__ = ["Edit", "Remark", "Replacement", "Scan", "apply"]


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the characters from offset `start` to `end`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """Edits that belong together, and the rule that they follow from.

    Attributes:
        rule: What moved.
        edits: In order; none overlaps another one of the same scan.
        keeps_columns: Whether no other character moves where the new texts are filled up with blanks.
    """

    rule: RewriteRule
    edits: tuple[Edit, ...]
    keeps_columns: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """A spelling that no rule replaces for certain.

    Attributes:
        start: The offset of the word.
        rule: What it was, and in words what to write.
    """

    start: int
    rule: RewriteRule


@dataclass(frozen=True, slots=True)
class Scan:
    """The spellings of older releases in a text.

    Attributes:
        changes: Replacements that are certain, by their first offset.
        remarks: What is not certain, by offset.
    """

    changes: tuple[Replacement, ...] = ()
    remarks: tuple[Remark, ...] = ()


def apply(text: str, changes: Sequence[Replacement], *, pad: bool = False) -> str:
    """Return the text with replacements made, which may come in any order and must not overlap.

    Inserted line ends become those of the text, CR LF if it has any.

    Args:
        text: The text that was scanned.
        changes: All or some replacements of that scan.
        pad: Whether blanks fill up shorter spellings; only for replacements that keep columns.
    """
    chunks, end = [], 0
    line_end = "\r\n" if "\r\n" in text else "\n"
    for edit in sorted((edit for change in changes for edit in change.edits), key=lambda edit: edit.start):
        new = edit.new.ljust(edit.end - edit.start) if pad else edit.new.replace("\n", line_end)
        chunks += [text[end : edit.start], new]
        end = edit.end
    return "".join([*chunks, text[end:]])
