"""A learner's workspace or single file: state of each case, next case, where to edit, reset; changed kernels."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.catalogue import CASES, PARTS, PUZZLES, select_documented
from harness.errors import EnvironmentFault, UsageError
from harness.learning.messages import say
from harness.learning.progress import LearnerProgress, unused_path
from harness.model.case import Case
from harness.model.frames import find_first_region, find_unfilled, is_untouched
from harness.model.handout import Blank, Predict
from harness.model.messages import make_finding
from harness.model.place import puzzle_number
from harness.model.predictions import Answer, find_answers
from harness.model.report import CaseReport
from harness.model.sources import MOJO, PYTHON, Sources
from harness.model.whole_file import replace_file
from harness.model.workspace import PROBLEM, find_workspace
from harness.simt.findings import Finding

__all__ = ["CheckResult", "Desk", "State", "changed_cases", "extract_kernels", "solution_kernels"]

# `Desk.state` says what each means.
State = Literal["solved", "open", "untouched", "missing"]
_DEFINED = r"^(?:def|fn|struct) {}\b.*?(?=^\S(?<![\])])|\Z)"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check.

    Attributes:
        case: The case.
        report: Its report; None if there was nothing to check.
        message: Why there was nothing to check; empty if the file is not filled in.
        seconds: How long the check took.
    """

    case: Case
    report: CaseReport | None
    message: str = ""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """True if the case was checked and is right."""
        return self.report is not None and self.report.ok


@dataclass(frozen=True, slots=True)
class Desk:
    """A learner's workspace and progress, or a single file of kernels anywhere.

    Attributes:
        root: The workspace, or the folder of the file.
        progress: The record of what was done; that of a single file is not stored.
        override: The single file of kernels; None in a workspace.
    """

    root: Path
    progress: LearnerProgress
    override: Path | None = None

    @classmethod
    def of_current_folder(cls) -> Desk:
        """Return the desk of the workspace around the current folder.

        Raises:
            UsageError: The current folder is in no workspace.
            EnvironmentFault: The progress cannot be read; a damaged file is renamed instead, and the progress empty.
        """
        root = find_workspace()
        if root is None:
            raise UsageError(say("learn.needs-workspace"))
        return cls(root, LearnerProgress.read(root))

    @classmethod
    def of_file(cls, file: Path) -> Desk:
        """Return the desk of a file of kernels anywhere; its progress is never stored."""
        folder = file.absolute().parent
        return cls(folder, LearnerProgress(folder, is_stored=False), folder / file.name)

    @property
    def flag(self) -> str:
        """The flag that names the file to `show` and `check`, after a space; empty in a workspace."""
        return f" --file {shlex.quote(self.display_path(self.override))}" if self.override else ""

    def kernel_file(self, case: Case) -> Path:
        """Return the path of the file in which a case is solved."""
        return self.override or self.root / case.puzzle / PROBLEM

    def display_path(self, path: Path) -> str:
        """Return a path relative to the current folder."""
        return os.path.relpath(path)

    def sources(self, case: Case) -> Sources:
        """Return the learner's files as sources to run; that the file of `of_file` exists is not checked.

        Raises:
            UsageError: A file of a workspace is missing, or a case's file that builds its graph is missing or no text.
        """
        if self.override is None:
            for file in self.files(case):
                self._require(file, case)
        sources = Sources("problems", {case.puzzle: Path(self.display_path(self.kernel_file(case)))})
        if case.graph:
            sources.python_file(case)  # or says that it is not there
        return sources

    def read_text(self, case: Case) -> str:
        """Return the text of a case's files, the kernels' first; empty if there is no file.

        Raises:
            EnvironmentFault: A file cannot be read.
        """
        return "\n".join(map(_read_text, self.files(case)))

    def files(self, case: Case) -> tuple[Path, ...]:
        """Return the paths of the kernels' file and, for a case with a graph, of its Python file, existing or not."""
        file = self.kernel_file(case)
        return (file, file.with_suffix(PYTHON)) if case.graph else (file,)

    def _require(self, file: Path, case: Case) -> None:
        if not file.is_file():
            raise UsageError(say("learn.gone", file=self.display_path(file), puzzle=case.puzzle))

    def _is_untouched(self, case: Case) -> bool:
        """Return whether all files of a case are as handed out, up to comments, blank lines and empty regions."""
        pairs = zip(self.files(case), Sources().learner_files(case), strict=True)
        return all(is_untouched(_read_text(file), part.original) for file, part in pairs)

    def first_unfilled(self, case: Case) -> tuple[Path, int] | None:
        """Return the first place that a learner must fill in before a case is checked: a file and a line, from 1.

        Empty regions come before open questions, and those before another mode that must be solved first. None if
        nothing is left to fill in.
        """
        for file, (_, functions, handed_out) in zip(self.files(case), Sources().learner_files(case), strict=True):
            if line := find_unfilled(_read_text(file), functions, handed_out):
                return file, line
        if question := self._open_question(case):
            return self.kernel_file(case), question[1].line
        beside = self._to_fill_in_before(case)
        return self.first_unfilled(beside) if beside else None

    def _to_fill_in_before(self, case: Case) -> Case | None:
        """Return the puzzle's first mode whose files have a region, if the case's have none and are as handed out.

        None otherwise, and if the case's handout is not `Blank` (regions to fill in).
        """
        if not isinstance(case.handout, Blank) or self._first_region(case) or not self._is_untouched(case):
            return None
        return next((other for other in CASES if other.puzzle == case.puzzle and self._first_region(other)), None)

    def open_task(self, case: Case) -> Finding:
        """Return the message for an open case: its question, the mode to fill in first, or its region."""
        place = self.location(case)
        if question := self._open_question(case):
            return make_finding("predict.open", question=question[0], place=place)
        if beside := self._to_fill_in_before(case):
            return make_finding("frame.whole", case=case.id, other=beside.id, place=place)
        return make_finding("frame.unfilled", case=case.id, place=place)

    def _open_question(self, case: Case) -> tuple[str, Answer] | None:
        """Return the text of a case's first open question and its answer in the file; None if none is open or asked."""
        if not isinstance(case.handout, Predict):
            return None
        written_answers = find_answers(_read_text(self.kernel_file(case)), case.functions)
        return next(((question, answer) for question, answer in written_answers.items() if answer.is_open), None)

    def state(self, case: Case) -> State:
        """Return the state of a case; it stays `solved` once it was right, whatever its file holds now.

        `missing`: the kernels' file is missing or empty. `untouched`: something must still be filled in or, unless the
        case asks for predictions, the files are as handed out. `open`: all else.
        """
        if self.progress.of(case.id).solved:
            return "solved"
        if not _read_text(self.kernel_file(case)):
            return "missing"
        if isinstance(case.handout, Predict):  # what is written there are comments
            return "untouched" if self.first_unfilled(case) else "open"
        return "untouched" if self.first_unfilled(case) or self._is_untouched(case) else "open"

    def location(self, case: Case) -> str:
        """Return `file:line:column`, at a non-blank, of the first open place, else first region, kernel or line 1."""
        file, line = self.first_unfilled(case) or self._first_region(case) or (self.kernel_file(case), 0)
        text = _read_text(file)
        if not line:
            match = re.search(rf"^(?:def|fn|struct) {case.functions[0]}\b", text, re.MULTILINE)
            line = text.count("\n", 0, match.start()) + 1 if match else 1
        source_line = text.split("\n")[line - 1]
        return f"{self.display_path(file)}:{line}:{len(source_line) - len(source_line.lstrip()) + 1}"

    def _first_region(self, case: Case) -> tuple[Path, int] | None:
        """Return the first file with a region of the case, and the region's line, from 1; None if no file has one."""
        for file, part in zip(self.files(case), Sources().learner_files(case), strict=True):
            if line := find_first_region(_read_text(file), part.functions):
                return file, line
        return None

    def next_case(self) -> Case | None:
        """Return the first case that is in the workspace and not solved; None if there is none."""
        return next((case for case in CASES if self.state(case) in ("open", "untouched")), None)

    def first_incomplete_part(self) -> tuple[int, str] | None:
        """Return the number, from 1, and title of the first part with a missing puzzle; None if none is missing."""
        return next(
            (
                (place, part)
                for place, (part, puzzles) in enumerate(PARTS.items(), 1)
                if any(self.state(case) == "missing" for case in CASES if case.puzzle in puzzles)
            ),
            None,
        )

    def unsolved(self, puzzles: Iterable[str]) -> tuple[str, ...]:
        """Return the puzzles, of those given, with at least one unsolved case."""
        unsolved = {case.puzzle for case in CASES if not self.progress.of(case.id).solved}
        return tuple(puzzle for puzzle in puzzles if puzzle in unsolved)

    def count_solved(self, puzzles: Iterable[str] = PUZZLES) -> tuple[int, int]:
        """Return how many puzzles are solved in all cases, and how many there are; two of one number count as one."""
        puzzles = tuple(puzzles)
        every = {puzzle_number(puzzle) for puzzle in puzzles}
        return len(every - {puzzle_number(puzzle) for puzzle in self.unsolved(puzzles)}), len(every)

    def select_cases(self, names: Sequence[str]) -> tuple[Case, ...]:
        """Return the documented cases with these names; without names the next case, or else all solved ones.

        Raises:
            UsageError: A name is unknown or names no documented case, or there is no case.
        """
        if names:
            return select_documented(tuple(names))
        following = self.next_case()
        cases = (following,) if following else tuple(case for case in CASES if self.state(case) == "solved")
        if not cases:
            raise UsageError(say("learn.no-case"))
        return cases

    def select_case(self, name: str | None) -> Case:
        """Return the case with this name, or the next case if it is None.

        If the name is a puzzle's with several cases, it is the first that is not solved, or the first of all.

        Raises:
            UsageError: The name is unknown or of no documented case, or there is no case.
        """
        cases = self.select_cases([name] if name else [])
        return next((case for case in cases if self.state(case) != "solved"), cases[0])

    def reset(self, puzzle: str) -> list[tuple[Path, Path]]:
        """Write a puzzle's original files over the learner's, and keep each changed file as a backup.

        Returns:
            Each file that was changed, and the path of its backup.

        Raises:
            UsageError: No file differs from the original, or one is missing; nothing is written then.
            EnvironmentFault: A file cannot be copied or written.
        """
        case = next(case for case in CASES if case.puzzle == puzzle)
        for file in self.files(case):
            self._require(file, case)
        pristine = {file: (MOJO / puzzle / file.name).read_bytes() for file in self.files(case)}
        current = {file: file.read_bytes() for file in pristine}
        changed_files = [file for file in pristine if current[file] != pristine[file]]
        if not changed_files:
            raise UsageError(say("learn.untouched", file=self.display_path(self.kernel_file(case))))
        copies = [(file, unused_path(file)) for file in changed_files]
        try:
            for file, copy in copies:
                replace_file(copy, current[file])
                replace_file(file, pristine[file])
        except OSError as error:
            raise EnvironmentFault(f"cannot write to {error.filename or file}: {error.strerror}.") from None
        return copies


def _read_text(file: Path) -> str:
    """Return the text of a file; empty if there is none.

    Raises:
        EnvironmentFault: The file cannot be read.
    """
    try:
        return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    except OSError as error:
        raise EnvironmentFault(f"cannot read {file}: {error.strerror}.") from None


def extract_kernels(text: str, case: Case) -> str:
    """Return the definitions of a case's kernels, then of its graph function; one that is not found is left out."""
    names = (*case.functions, *([case.graph.name] if case.graph else []))
    matches = (re.search(_DEFINED.format(name), text, re.MULTILINE | re.DOTALL) for name in names)
    return "\n\n\n".join(match[0].rstrip() for match in matches if match)


def solution_kernels(case: Case) -> str:
    """Return the kernels, and the graph function, of this project's own solution, as `extract_kernels` does."""
    return extract_kernels(
        "\n".join(part.path.read_text(encoding="utf-8") for part in Sources().learner_files(case)), case
    )


def changed_cases(before: str, after: str, cases: Iterable[Case]) -> list[Case]:
    """Return the cases whose kernels an edit changed; all if it changed only other text, none if it changed nothing."""
    cases = list(cases)
    edited = [case for case in cases if extract_kernels(before, case) != extract_kernels(after, case)]
    return edited or (cases if before != after else [])
