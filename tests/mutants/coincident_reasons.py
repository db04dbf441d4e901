"""Why mutants of the solutions' text that survive every launch cannot be told from the solutions.

A reason names mutants by mode, operator and a pattern of `old -> new`. Every reason must meet a survivor.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from tests.mutants.source_operators import SourceEdit

__all__ = ["REASONS", "Reason", "find_reason"]


@dataclass(frozen=True, slots=True)
class Reason:
    """A class of equivalent mutants.

    Attributes:
        cases: The modes that it speaks of.
        operators: Their operators.
        pattern: Matches the whole of `old -> new`.
        why: The proof, in a sentence or two.
        line: The line of the solution, without the blanks around it; any, if empty.
        nth: Which of such lines of the file, from 0; None for any.
    """

    cases: Collection[str]
    operators: Collection[str]
    pattern: str
    why: str
    line: str = ""
    nth: int | None = None

    def fits(self, case: str, edit: SourceEdit) -> bool:
        """Whether it explains a mutant."""
        return (
            case in self.cases
            and edit.operator in self.operators
            and re.fullmatch(self.pattern, edit.name.partition(": ")[2]) is not None
            and self.line in ("", edit.source_line)
            and self.nth in (None, _nth(edit))
        )


def _nth(edit: SourceEdit) -> int:
    return [line.strip() for line in edit.text.splitlines()[: edit.line - 1]].count(edit.source_line)


REASONS: tuple[Reason, ...] = (
    Reason(
        ("p15",),
        ("quantity", "guard", "bound"),
        r"stride -> (block_dim\.x|grid_dim\.y|TPB|BATCH|SIZE|size)|local_i -> (thread_idx\.y|block_idx\.x)"
        r"|local_i < stride -> True|< -> <=",
        "every thread whose addend is not 0 still adds it: the addend of a thread at or past the stride is 0, "
        "and so is what lies past the row",
        line="if local_i < stride:",
        nth=1,
    ),
)


def find_reason(case: str, edit: SourceEdit) -> Reason | None:
    """Returns the reason that explains a survivor, or None."""
    return next((reason for reason in REASONS if reason.fits(case, edit)), None)
