"""Spellings of older releases in a Mojo text, and the text with them replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.build.migration import table
from harness.build.migration.table import Row

__all__ = ["Change", "Edit", "Remark", "Scan", "apply", "scan"]

# Only a text that has one of these is read token by token: most have none.
_SIGNS = re.compile(
    "|".join(
        (
            r"\b(?:from|import)[ \t]+(?:{})\b".format("|".join(re.escape(row.old) for row in table.MODULES)),
            r"\bstd[ \t]*\.[ \t]*(?:algorithm|gpu|os)\b",
            r"\bstd\.memory\.(?:memory|unsafe_pointer)\b",
            r"\b(?:Span|StringSlice|external_call)\b|\bAtomic[ \t]*\[|\bDType[ \t]*\.[ \t]*index\b",
            r"\b(?:{})\b".format("|".join(row.old for row in (*table.NAMES, *table.ATTRIBUTES))),
            r"\b(?:{})\b".format("|".join(row.old for _, row in (*table.RENAMED, *table.GONE))),
            r"^[ \t]*(?:async[ \t]+)?(?:fn|alias|constrained)\b|\bfn[ \t]*[(\[]",
            r"@[ \t]*(?:parameter|register_passable)\b",
            r"[(,][ \t]*(?:{})[ \t]+\w".format("|".join(row.old for row in table.ARGUMENTS)),
            r"^[ \t]*(?:{})[ \t]+\w".format("|".join(row.old for row in table.ARGUMENTS)),
            r"\.[ \t]*(?:enqueue|compile)_function[ \t]*\[[^\]]*,",
        )
    ),
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters that others take the place of; `start` and `end` are offsets."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Change:
    """Edits that belong together, and the row that they follow from.

    Attributes:
        row: What moved.
        edits: In order; none overlaps another one of the same scan.
        keeps_columns: Whether no other character moves where the new texts are filled up with blanks.
    """

    row: Row
    edits: tuple[Edit, ...]
    keeps_columns: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """A spelling that no row replaces for certain.

    Attributes:
        start: The offset of the word.
        row: What it was, and in words what to write.
    """

    start: int
    row: Row


@dataclass(frozen=True, slots=True)
class Scan:
    """What a text has of older releases.

    Attributes:
        changes: Replacements that are certain, by their first offset.
        remarks: What is not certain, by offset.
    """

    changes: tuple[Change, ...] = ()
    remarks: tuple[Remark, ...] = ()


def scan(text: str, is_local: Callable[[str], bool] = lambda _: False) -> Scan:
    """Return what a text has of older releases of Mojo.

    Args:
        text: Of a Mojo file.
        is_local: Whether a module of this name lies where the file's imports look first; it is nobody else's.
    """
    if not _SIGNS.search(text):
        return Scan()
    from harness.build.migration.scanner import Scanner  # late: hardly any text needs it

    return Scanner(text, is_local).scan()


def apply(text: str, changes: Sequence[Change], *, fill: bool = False) -> str:
    """Return the text with changes made.

    Args:
        text: What was scanned.
        changes: Of that scan.
        fill: Whether blanks fill the room that a shorter spelling leaves.
    """
    parts, end = [], 0
    line_end = "\r\n" if "\r\n" in text else "\n"
    for edit in sorted((edit for change in changes for edit in change.edits), key=lambda edit: edit.start):
        new = edit.new.ljust(edit.end - edit.start) if fill else edit.new.replace("\n", line_end)
        parts += [text[end : edit.start], new]
        end = edit.end
    return "".join([*parts, text[end:]])
