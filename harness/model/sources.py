"""`Sources`: a case's files (solution, problem or the caller's `overrides`), originals from solutions; folders."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import EnvironmentFault, UsageError, unknown_name
from harness.model.mojo_text import MOST_BYTES, TextError, decode_mojo
from harness.model.plain_file import read_plain_file
from harness.simt.plain import one_line

if TYPE_CHECKING:  # it takes NumPy along, which a command need not wait for
    from harness.model.case import Case

__all__ = [
    "GENERATED",
    "HARNESS_MOJO",
    "INSTALLED",
    "KINDS",
    "MANIFEST",
    "MOJO",
    "PYTHON",
    "ROOT",
    "SUFFIXES",
    "LearnerFile",
    "Sources",
    "display_path",
    "find_reference",
]

_PACKAGE = Path(__file__).resolve().parent.parent
ROOT = _PACKAGE.parent
# An installed package has all that a learner reads as its data (see pyproject.toml); a checkout has it at its root.
INSTALLED = (_PACKAGE / "kernels").is_dir()
MOJO = _PACKAGE / "kernels" if INSTALLED else ROOT / "mojo"
HARNESS_MOJO = _PACKAGE / "build" / "mojo"  # what only the harness needs
GENERATED = ROOT / "generated"  # how messages name what is made for a build and kept nowhere
KINDS = ("solutions", "problems")
SUFFIXES = (".mojo", ".🔥")
PYTHON = ".py"  # of the file that builds a puzzle's graph, which goes by its kernels' name
MANIFEST = "manifest.json"  # in a folder of artifacts


class LearnerFile(NamedTuple):
    """A file of a case that a learner edits.

    Attributes:
        path: The file.
        functions: The functions to fill in, and structs that contain such.
        original: Its original text.
    """

    path: Path
    functions: tuple[str, ...]
    original: str


def display_path(path: Path) -> str:
    """Return a file's name for reports: relative to the repository's root if it lies there, links followed, else
    unchanged.
    """
    resolved = path.resolve()
    return str(resolved.relative_to(ROOT)) if resolved.is_relative_to(ROOT) else str(path)


def find_reference(case: Case) -> Path | None:
    """Return the file `reference.mojo` beside a case's kernels, its sequential reference, or None if there is none."""
    folder = case.file.parent if case.file else MOJO / case.puzzle
    path = folder / "reference.mojo"
    return path if path.is_file() else None


@dataclass(frozen=True, slots=True)
class Sources:
    """The kernel file of each puzzle.

    Attributes:
        kind: `solutions` or `problems`: which file of a puzzle's folder.
        overrides: A file to use instead, by puzzle.
        problems: The original text of a problem by puzzle, and of its Python by that file's name, for processes that
            cannot read the solution.
    """

    kind: str = "solutions"
    overrides: Mapping[str, Path] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kernels", self.kind, KINDS)
        for path in self.overrides.values():
            if not os.path.isfile(path):  # which is no error, whatever the name
                raise UsageError(f"no kernel file at {one_line(str(path))}.")
            if path.resolve().suffix not in SUFFIXES:  # a compiler's errors show lines of whatever it is given
                target = one_line(path.resolve().name)
                raise UsageError(f"{one_line(str(path))} leads to {target}, which is no Mojo file (.mojo).")
            _require_text(path)

    def are_solutions(self, case: Case) -> bool:
        """Return whether a case's file is the harness's own, not a learner's: the case names it, or `kind` is
        `solutions` and there are no overrides at all, not even of other puzzles.
        """
        return case.file is not None or (self.kind == "solutions" and not self.overrides)

    def kernel_file(self, case: Case) -> Path:
        """Return the absolute path of the file with the kernel of a case: the override's, the case's own, or that of
        its puzzle.

        Raises:
            EnvironmentFault: It does not exist.
            UsageError: It is no text of a Mojo file.
        """
        usual = case.file or MOJO / case.puzzle / self._name
        path = self.overrides.get(case.puzzle, usual)
        if not path.is_file():
            raise EnvironmentFault(
                f"no kernel file at {path}: restore it with `git checkout`, or install the package again."
            )
        _require_text(path)
        return path.resolve()

    def python_file(self, case: Case) -> Path:
        """Return the file that builds a case's graph: the path of the kernels' file with the ending `.py`.

        Raises:
            UsageError: It does not exist, or it or the kernels' file is no text.
            EnvironmentFault: The kernels' file does not exist.
        """
        path = self.kernel_file(case).with_suffix(PYTHON)
        if not path.is_file():
            raise UsageError(
                f"no Python file at {display_path(path)}: {case.id} builds a graph, and that file is to build it."
            )
        _require_text(path, "Python")
        return path

    def learner_files(self, case: Case) -> tuple[LearnerFile, ...]:
        """Return the files of a case that a learner edits, the kernels' first, then the Python file if it builds a
        graph.

        The Python file is left out if `problems` has the original text of the kernels but not of the Python file.

        Raises:
            EnvironmentFault: A Mojo file does not exist.
            UsageError: The Python file does not exist, or a file is no text.
        """
        kernels = LearnerFile(self.kernel_file(case), case.functions, self.original_text(case))
        original = self.problems.get(f"{case.puzzle}{PYTHON}")
        if case.graph is None or (case.puzzle in self.problems and original is None):
            return (kernels,)
        if original is None:
            original = case.graph.handout.problem(Sources().python_file(case).read_text(encoding="utf-8"))
        return kernels, LearnerFile(self.python_file(case), (case.graph.name,), original)

    def original_text(self, case: Case) -> str:
        """Return the original text of a case's problem, from `problems`, else made from its solution by `case.handout`.

        Raises:
            EnvironmentFault: The solution is needed and does not exist.
            UsageError: The solution is needed and is no text.
        """
        original = self.problems.get(case.puzzle)
        return (
            case.handout.problem(Sources().kernel_file(case).read_text(encoding="utf-8"))
            if original is None
            else original
        )

    def describe(self, cases: Sequence[Case]) -> str:
        """Return the names of the files of some cases, for people, with commas between.

        If there are overrides, it names all of them and nothing else. For several puzzles it gives a pattern
        (`mojo/*/solution.mojo`). For one puzzle it raises as `kernel_file` does.
        """
        if self.overrides:
            return ", ".join(map(str, self.overrides.values()))
        if len({case.puzzle for case in cases if case.file is None}) > 1:
            several = [f"{display_path(MOJO)}/*/{self._name}"]
            return ", ".join([*several, *(display_path(case.file) for case in cases if case.file)])
        return ", ".join(dict.fromkeys(display_path(self.kernel_file(case)) for case in cases))

    @property
    def _name(self) -> str:
        return f"{self.kind.removesuffix('s')}.mojo"


def _require_text(path: Path, language: str = "Mojo") -> None:
    # Debug locations name the file, in LLVM IR, and reports do: all of them are UTF-8.
    try:
        str(path.resolve()).encode()
    except UnicodeEncodeError:
        raise UsageError(
            f"the path {one_line(str(path))} is not UTF-8, which compilers and reports need: rename it, or set a "
            "locale with UTF-8 (`export LC_ALL=C.UTF-8`)."
        ) from None
    try:
        data = read_plain_file(path.resolve(), MOST_BYTES)
        if data is None:
            raise TextError(f"it has more than {MOST_BYTES >> 10} KiB")
        decode_mojo(data)
    except TextError as error:
        raise UsageError(f"{one_line(str(path))} is no {language} file: {error}.") from None
    except OSError as error:
        raise EnvironmentFault(f"cannot read {one_line(str(path))}: {error.strerror}.") from None
