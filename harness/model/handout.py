"""Derive a learner's file from the solution: regions blanked, mistakes put in, unchanged, or questions left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.model.frames import blank_regions
from harness.model.predictions import Question, blank_answers

__all__ = ["Blank", "Complete", "Handout", "Predict", "Wrong"]


@dataclass(frozen=True, slots=True)
class Blank:
    """A file whose marked regions are to be filled in."""

    def problem(self, solution: str) -> str:
        """Return the learner's text: the solution with each region replaced by `pass`."""
        return blank_regions(solution)


@dataclass(frozen=True, slots=True)
class Complete:
    """A complete file: it is run, read and measured, and passes unchanged."""

    def problem(self, solution: str) -> str:
        """Return the solution's text unchanged."""
        return solution


@dataclass(frozen=True, slots=True)
class Wrong:
    """A file with mistakes to find and fix. It has no marked regions.

    Attributes:
        edits: The edits that make the problem from the solution, for all cases of the file: a text that occurs once in
            the solution, and its replacement.
        findings: All findings of the case in its original state, by id, each with a text that occurs once in the
            problem and whose first line has the finding.
    """

    edits: Mapping[str, str]
    findings: Mapping[str, str]

    def problem(self, solution: str) -> str:
        """Return the solution's text with the edits applied one after another.

        Raises:
            ValueError: The text at that point lacks the text of an edit, or has it twice.
        """
        for right, wrong in self.edits.items():
            if (times := solution.count(right)) != 1:
                raise ValueError(f"the solution is to have this once, but has it {times} times: {right}")
            solution = solution.replace(right, wrong)
        return solution


@dataclass(frozen=True, slots=True)
class Predict:
    """A file with complete kernels, and questions about figures to predict before measuring.

    Attributes:
        questions: The questions in the order of the file.
    """

    questions: tuple[Question, ...]

    def problem(self, solution: str) -> str:
        """Return the solution's text without the answers."""
        return blank_answers(solution)


Handout = Blank | Complete | Predict | Wrong
