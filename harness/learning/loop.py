"""Where a learner is in a workspace: what each puzzle's file holds, and which case is next."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.catalogue import CASES, PARTS, PUZZLES, select
from harness.errors import EnvironmentFault, UsageError, unknown
from harness.learning.messages import say
from harness.learning.progress import Progress, unused
from harness.model.case import Case
from harness.model.frames import as_handed_out, first_region, unfilled
from harness.model.given import Blank, Predict
from harness.model.messages import finding
from harness.model.place import number
from harness.model.predictions import Answer, answers
from harness.model.report import CaseReport
from harness.model.sources import MOJO, PYTHON, Sources
from harness.model.whole_file import write_whole
from harness.model.workspace import PROBLEM, workspace
from harness.simt.findings import Finding

__all__ = ["Checked", "Desk", "State", "changed", "kernel_text", "solved_text"]

# `missing`: the workspace has no such puzzle. `untouched`: its region, or its file if it has none, is as it was handed
# out.
State = Literal["solved", "open", "untouched", "missing"]
_DEFINED = r"^(?:def|fn|struct) {}\b.*?(?=^\S(?<![\])])|\Z)"


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a case.

    Attributes:
        case: Which.
        report: None where there was nothing to check.
        said: Why not; empty where nobody has filled it in.
        seconds: What it took.
    """

    case: Case
    report: CaseReport | None
    said: str = ""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether it is right."""
        return self.report is not None and self.report.ok


@dataclass(frozen=True, slots=True)
class Desk:
    """A workspace and what was done in it, or a file of kernels anywhere.

    Attributes:
        root: The workspace, or the folder of the file.
        progress: What was done; of a file it is not stored.
        override: The file with the kernels, in place of the workspace's; None in a workspace.
    """

    root: Path
    progress: Progress
    override: Path | None = None

    @classmethod
    def here(cls) -> Desk:
        """That of the current folder.

        Raises:
            UsageError: There is none.
        """
        root = workspace()
        if root is None:
            raise UsageError(say("learn.needs-workspace"))
        return cls(root, Progress.read(root))

    @classmethod
    def of_file(cls, file: Path) -> Desk:
        """Return the desk of a file of kernels that lies anywhere."""
        folder = file.absolute().parent
        return cls(folder, Progress(folder, is_stored=False), folder / file.name)

    @property
    def flag(self) -> str:
        """The flag that names the file to `show` and `check`, after a space; empty in a workspace."""
        return f" --file {shlex.quote(self.shown(self.override))}" if self.override else ""

    def file(self, case: Case) -> Path:
        """The file in which a case is solved."""
        return self.override or self.root / case.puzzle / PROBLEM

    def shown(self, path: Path) -> str:
        """A path as the current folder has it."""
        return os.path.relpath(path)

    def sources(self, case: Case) -> Sources:
        """The learner's file, to be run.

        Raises:
            UsageError: It is not there.
        """
        if self.override is None:
            for file in self.files(case):
                self._require(file, case)
        sources = Sources("problems", {case.puzzle: Path(self.shown(self.file(case)))})
        if case.graph:
            sources.python_file(case)  # or says that it is not there
        return sources

    def text(self, case: Case) -> str:
        """What the file holds, and behind it the Python of a case that builds a graph; empty where there is no file.

        Raises:
            EnvironmentFault: It cannot be read.
        """
        return "\n".join(map(_text, self.files(case)))

    def files(self, case: Case) -> tuple[Path, ...]:
        """The files in which a case is solved, the kernels' first."""
        file = self.file(case)
        return (file, file.with_suffix(PYTHON)) if case.graph else (file,)

    def _require(self, file: Path, case: Case) -> None:
        if not file.is_file():
            raise UsageError(say("learn.gone", file=self.shown(file), puzzle=case.puzzle))

    def _as_handed_out(self, case: Case) -> bool:
        """Whether nobody has written anything into the files, be they blank in part or given as a whole."""
        parts = zip(self.files(case), Sources().parts(case), strict=True)
        return all(as_handed_out(_text(file), part.handed_out) for file, part in parts)

    def unfilled(self, case: Case) -> tuple[Path, int] | None:
        """The first file with a region that nobody has filled in, or an open question, and its line, from 1."""
        for file, (_, functions, handed_out) in zip(self.files(case), Sources().parts(case), strict=True):
            if line := unfilled(_text(file), functions, handed_out):
                return file, line
        if asked := self._open_question(case):
            return self.file(case), asked[1].line
        beside = self._to_fill_in_before(case)
        return self.unfilled(beside) if beside else None

    def _to_fill_in_before(self, case: Case) -> Case | None:
        """Return the mode to fill in first where a case is given as a whole, to compare with; None if that is done."""
        if not isinstance(case.given, Blank) or self._marked(case) or not self._as_handed_out(case):
            return None
        return next((other for other in CASES if other.puzzle == case.puzzle and self._marked(other)), None)

    def open_task(self, case: Case) -> Finding:
        """Return what is to be told of a case that nobody has filled in, or predicted."""
        place = self.place(case)
        if asked := self._open_question(case):
            return finding("predict.open", question=asked[0], place=place)
        if beside := self._to_fill_in_before(case):
            return finding("frame.whole", case=case.id, other=beside.id, place=place)
        return finding("frame.unfilled", case=case.id, place=place)

    def _open_question(self, case: Case) -> tuple[str, Answer] | None:
        """Return the first question of a case that its file leaves open, and where it stands."""
        if not isinstance(case.given, Predict):
            return None
        asked = answers(_text(self.file(case)), case.functions)
        return next(((question, answer) for question, answer in asked.items() if answer.is_open), None)

    def state(self, case: Case) -> State:
        """What became of a case; once it was right it is solved, whatever its file holds now."""
        if self.progress.of(case.id).solved:
            return "solved"
        if not _text(self.file(case)):
            return "missing"
        if isinstance(case.given, Predict):  # what is written there are comments
            return "untouched" if self.unfilled(case) else "open"
        return "untouched" if self.unfilled(case) or self._as_handed_out(case) else "open"

    def place(self, case: Case) -> str:
        """`file:line:column` of what is to be filled in, or was; of the kernel where there are no marks."""
        file, line = self.unfilled(case) or self._marked(case) or (self.file(case), 0)
        text = _text(file)
        if not line:
            match = re.search(rf"^(?:def|fn|struct) {case.functions[0]}\b", text, re.MULTILINE)
            line = text.count("\n", 0, match.start()) + 1 if match else 1
        held = text.split("\n")[line - 1]
        return f"{self.shown(file)}:{line}:{len(held) - len(held.lstrip()) + 1}"

    def _marked(self, case: Case) -> tuple[Path, int] | None:
        """The first file with a region, and its line, from 1."""
        for file, part in zip(self.files(case), Sources().parts(case), strict=True):
            if line := first_region(_text(file), part.functions):
                return file, line
        return None

    def next(self) -> Case | None:
        """The first case that is here and not solved; None when all are."""
        return next((case for case in CASES if self.state(case) in ("open", "untouched")), None)

    def lacks(self) -> tuple[int, str] | None:
        """The first part of which a puzzle is not here, by its number, from 1, and its title; None if all are."""
        return next(
            (
                (place, part)
                for place, (part, puzzles) in enumerate(PARTS.items(), 1)
                if any(self.state(case) == "missing" for case in CASES if case.puzzle in puzzles)
            ),
            None,
        )

    def unsolved(self, puzzles: Iterable[str]) -> tuple[str, ...]:
        """Those of some puzzles of which a mode is not solved."""
        left = {case.puzzle for case in CASES if not self.progress.of(case.id).solved}
        return tuple(puzzle for puzzle in puzzles if puzzle in left)

    def count(self, puzzles: Iterable[str] = PUZZLES) -> tuple[int, int]:
        """How many of some puzzles are solved with all of their modes, and of how many, by their numbers."""
        puzzles = tuple(puzzles)
        every = {number(puzzle) for puzzle in puzzles}
        return len(every - {number(puzzle) for puzzle in self.unsolved(puzzles)}), len(every)

    def meant(self, names: Sequence[str]) -> tuple[Case, ...]:
        """The documented cases that are named; without a name the next one, or where all are solved all.

        Raises:
            UsageError: A name is none, or that of no documented case, or there is nothing.
        """
        if names:
            cases = tuple(case for case in select(list(names)) if case.documented)
            if not cases:
                puzzle = names[0].partition("@")[0]  # of full size: there is nothing to solve
                raise unknown("case", names[0], [case.id for case in CASES if case.puzzle == puzzle])
            return cases
        following = self.next()
        cases = (following,) if following else tuple(case for case in CASES if self.state(case) == "solved")
        if not cases:
            raise UsageError(say("learn.no-case"))
        return cases

    def chosen(self, name: str | None) -> Case:
        """The case of that name, of a puzzle with several modes the first that is not solved; or the next one.

        Raises:
            UsageError: The name is none.
        """
        cases = self.meant([name] if name else [])
        return next((case for case in cases if self.state(case) != "solved"), cases[0])

    def reset(self, puzzle: str) -> list[tuple[Path, Path]]:
        """Hands out a puzzle's files anew.

        Returns:
            Each file that was changed, and the copy of what was there.

        Raises:
            UsageError: All are as they were handed out, or one is not there.
            EnvironmentFault: One cannot be copied or written.
        """
        case = next(case for case in CASES if case.puzzle == puzzle)
        for file in self.files(case):
            self._require(file, case)
        pristine = {file: (MOJO / puzzle / file.name).read_bytes() for file in self.files(case)}
        held = {file: file.read_bytes() for file in pristine}
        anew = [file for file in pristine if held[file] != pristine[file]]
        if not anew:
            raise UsageError(say("learn.untouched", file=self.shown(self.file(case))))
        copies = [(file, unused(file)) for file in anew]
        try:
            for file, copy in copies:
                write_whole(copy, held[file])
                write_whole(file, pristine[file])
        except OSError as error:
            raise EnvironmentFault(f"cannot write to {error.filename or file}: {error.strerror}.") from None
        return copies


def _text(file: Path) -> str:
    """What a file holds; empty where there is none.

    Raises:
        EnvironmentFault: It cannot be read.
    """
    try:
        return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    except OSError as error:
        raise EnvironmentFault(f"cannot read {file}: {error.strerror}.") from None


def kernel_text(text: str, case: Case) -> str:
    """The lines of a case's kernels, and of its graph, in its files, without what is blank behind them."""
    names = (*case.functions, *([case.graph.name] if case.graph else []))
    found = (re.search(_DEFINED.format(name), text, re.MULTILINE | re.DOTALL) for name in names)
    return "\n\n\n".join(match[0].rstrip() for match in found if match)


def solved_text(case: Case) -> str:
    """The kernels, and the graph, as they are solved here."""
    return kernel_text("\n".join(part.path.read_text(encoding="utf-8") for part in Sources().parts(case)), case)


def changed(before: str, after: str, cases: Iterable[Case]) -> list[Case]:
    """The cases of which an edit changed a kernel; all of them where it changed what lies outside of the kernels.

    Args:
        before: The text of the files.
        after: The same later.
        cases: Those of the file.
    """
    cases = list(cases)
    own = [case for case in cases if kernel_text(before, case) != kernel_text(after, case)]
    return own or (cases if before != after else [])
