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
        operator: Their operator.
        pattern: Matches the whole of `old -> new`.
        why: The proof, in a sentence or two.
        line: Matches the whole of the line of the solution, without the blanks around it.
    """

    cases: Collection[str]
    operator: str
    pattern: str
    why: str
    line: str = ".*"

    def fits(self, case: str, edit: SourceEdit) -> bool:
        """Whether it explains a mutant."""
        return (
            case in self.cases
            and edit.operator == self.operator
            and re.fullmatch(self.pattern, edit.name.partition(": ")[2]) is not None
            and re.fullmatch(self.line, edit.source_line) is not None
        )


REASONS: tuple[Reason, ...] = ()


def find_reason(case: str, edit: SourceEdit) -> Reason | None:
    """Returns the reason that explains a survivor, or None."""
    return next((reason for reason in REASONS if reason.fits(case, edit)), None)
