"""`scan`: find spellings of older Mojo (see `scanner`) by the rules in `table`, in texts with any sign of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from harness.build.migration import table
from harness.build.migration.edits import Scan
from harness.build.migration.scanner import Scanner

__all__ = ["scan"]

# Only a text that has one of these is read token by token: most have none.
_SIGNS = re.compile(
    "|".join(
        (
            r"\b(?:from|import)[ \t]+(?:{})\b".format("|".join(re.escape(rule.old) for rule in table.MODULES)),
            r"\bstd[ \t]*\.[ \t]*(?:algorithm|gpu|os)\b",
            r"\bstd\.memory\.(?:memory|unsafe_pointer)\b",
            r"\b(?:Span|StringSlice|external_call)\b|\bAtomic[ \t]*\[|\bDType[ \t]*\.[ \t]*index\b",
            r"\b(?:{})\b".format("|".join(rule.old for rule in (*table.NAMES, *table.ATTRIBUTES))),
            r"\b(?:{})\b".format("|".join(rule.old for _, rule in (*table.RENAMED, *table.GONE))),
            r"^[ \t]*(?:async[ \t]+)?(?:fn|alias|constrained)\b|\bfn[ \t]*[(\[]",
            r"@[ \t]*(?:parameter|register_passable)\b",
            r"[(,][ \t]*(?:{})[ \t]+\w".format("|".join(rule.old for rule in table.ARGUMENTS)),
            r"^[ \t]*(?:{})[ \t]+\w".format("|".join(rule.old for rule in table.ARGUMENTS)),
            r"\.[ \t]*(?:enqueue|compile)_function[ \t]*\[[^\]]*,",
        )
    ),
    re.MULTILINE,
)


def scan(text: str, is_local: Callable[[str], bool] = lambda _: False) -> Scan:
    """Return the replacements and remarks (`Scan`) for spellings of older Mojo in a text, which is not changed.

    Args:
        text: The text of a Mojo file. It may have errors: nothing is raised.
        is_local: Returns True if a module of this name lies where the file's imports look first. Imports of such a
            module are left alone.
    """
    if not _SIGNS.search(text):
        return Scan()
    return Scanner(text, is_local).scan()
