"""What a learner is given: a file with blank regions, a wrong one to mend, a complete one, or one with questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.model.frames import blank
from harness.model.predictions import Question, blank_answers

__all__ = ["Blank", "Complete", "Given", "Predict", "Wrong"]


@dataclass(frozen=True, slots=True)
class Blank:
    """A file whose marked regions are to be filled in."""

    def problem(self, solution: str) -> str:
        """The text of the file that is handed out, made from the solution's."""
        return blank(solution)


@dataclass(frozen=True, slots=True)
class Complete:
    """A file in which nothing is to be filled in: it is run, read and measured, and passes as it is."""

    def problem(self, solution: str) -> str:
        """The solution's own text."""
        return solution


@dataclass(frozen=True, slots=True)
class Wrong:
    """A file that is handed out wrong, to be mended. It has no marked regions: where it is wrong is to be found out.

    Attributes:
        edits: What makes the problem of the solution, of all of the file's cases: a text of the solution that occurs
            once, and what stands in its place.
        findings: By id, all that is wrong with the case as it is handed out; and of each a text of the problem that
            occurs once, in the first line of which it is found.
    """

    edits: Mapping[str, str]
    findings: Mapping[str, str]

    def problem(self, solution: str) -> str:
        """The solution's text with its edits.

        Raises:
            ValueError: The solution does not have what an edit replaces, or has it twice.
        """
        for right, wrong in self.edits.items():
            if (times := solution.count(right)) != 1:
                raise ValueError(f"the solution is to have this once, but has it {times} times: {right}")
            solution = solution.replace(right, wrong)
        return solution


@dataclass(frozen=True, slots=True)
class Predict:
    """A file with complete kernels, of which figures are to be predicted before they are measured.

    Attributes:
        questions: In the order of the file.
    """

    questions: tuple[Question, ...]

    def problem(self, solution: str) -> str:
        """The solution's text without the answers."""
        return blank_answers(solution)


Given = Blank | Complete | Predict | Wrong
