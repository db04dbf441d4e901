"""Which Mojo files are run: the solved ones, the learner's, or a file of one's own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import EnvironmentFault, UsageError, unknown
from harness.model.mojo_text import MOST_BYTES, TextError, mojo_text
from harness.model.plain_file import plain_bytes
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
    "Part",
    "Sources",
    "reference_file",
    "shown",
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


class Part(NamedTuple):
    """A file of a case in which somebody fills something in.

    Attributes:
        path: Where it lies.
        functions: Those that are to be filled in, and structs that hold such.
        handed_out: Its text as it was handed out.
    """

    path: Path
    functions: tuple[str, ...]
    handed_out: str


def shown(path: Path) -> str:
    """A file as reports name it: relative to the repository's root if it lies there."""
    resolved = path.resolve()
    return str(resolved.relative_to(ROOT)) if resolved.is_relative_to(ROOT) else str(path)


def reference_file(case: Case) -> Path | None:
    """The file with a case's sequential reference, or None if it has none."""
    folder = case.file.parent if case.file else MOJO / case.puzzle
    path = folder / "reference.mojo"
    return path if path.is_file() else None


@dataclass(frozen=True, slots=True)
class Sources:
    """The kernel file of each puzzle.

    Attributes:
        kind: `solutions` or `problems`: which file of a puzzle's folder.
        overrides: A file to take instead, by puzzle.
        problems: The text of a puzzle's problem as it was handed out, by puzzle, and of its Python by that file's name,
            for where no solution can be read.
    """

    kind: str = "solutions"
    overrides: Mapping[str, Path] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown("kernels", self.kind, KINDS)
        for path in self.overrides.values():
            if not os.path.isfile(path):  # which is no error, whatever the name
                raise UsageError(f"no kernel file at {one_line(str(path))}.")
            if path.resolve().suffix not in SUFFIXES:  # a compiler's errors show lines of whatever it is given
                target = one_line(path.resolve().name)
                raise UsageError(f"{one_line(str(path))} leads to {target}, which is no Mojo file (.mojo).")
            _require_text(path)

    def are_solutions(self, case: Case) -> bool:
        """Whether a case's file is ours, and nobody's who was handed out a problem."""
        return case.file is not None or (self.kind == "solutions" and not self.overrides)

    def kernel_file(self, case: Case) -> Path:
        """The file with the kernel of a case.

        Raises:
            EnvironmentFault: It is not there.
            UsageError: It is no text of a Mojo file.
        """
        own = case.file or MOJO / case.puzzle / self._name
        path = self.overrides.get(case.puzzle, own)
        if not path.is_file():
            raise EnvironmentFault(
                f"no kernel file at {path}: restore it with `git checkout`, or install the package again."
            )
        _require_text(path)
        return path.resolve()

    def python_file(self, case: Case) -> Path:
        """The file that builds a case's graph: it lies beside the kernels.

        Raises:
            UsageError: It is not there, or is no text.
        """
        path = self.kernel_file(case).with_suffix(PYTHON)
        if not path.is_file():
            raise UsageError(
                f"no Python file at {shown(path)}: {case.id} builds a graph, and that file is to build it."
            )
        _require_text(path, "Python")
        return path

    def parts(self, case: Case) -> tuple[Part, ...]:
        """The files of a case that a learner writes in, the kernels' first.

        Raises:
            EnvironmentFault: One of them is not there.
            UsageError: One is no text.
        """
        kernels = Part(self.kernel_file(case), case.functions, self.handed_out(case))
        known = self.problems.get(f"{case.puzzle}{PYTHON}")
        if case.graph is None or (case.puzzle in self.problems and known is None):
            return (kernels,)
        if known is None:
            known = case.graph.given.problem(Sources().python_file(case).read_text(encoding="utf-8"))
        return kernels, Part(self.python_file(case), (case.graph.name,), known)

    def handed_out(self, case: Case) -> str:
        """The file of a case as it was handed out, which is made from its solution.

        Raises:
            EnvironmentFault: It is not there.
        """
        known = self.problems.get(case.puzzle)
        return case.given.problem(Sources().kernel_file(case).read_text(encoding="utf-8")) if known is None else known

    def shown(self, cases: Sequence[Case]) -> str:
        """Where the kernels of the cases are, for people."""
        if self.overrides:
            return ", ".join(map(str, self.overrides.values()))
        if len({case.puzzle for case in cases if case.file is None}) > 1:
            several = [f"{shown(MOJO)}/*/{self._name}"]
            return ", ".join([*several, *(shown(case.file) for case in cases if case.file)])
        return ", ".join(dict.fromkeys(shown(self.kernel_file(case)) for case in cases))

    @property
    def _name(self) -> str:
        return f"{self.kind.removesuffix('s')}.mojo"


def _require_text(path: Path, language: str = "Mojo") -> None:
    # Debug locations name the file, in LLVM IR, and reports do: all of them are UTF-8.
    if not _is_utf_8(str(path.resolve())):
        raise UsageError(
            f"the path {one_line(str(path))} is not UTF-8, which compilers and reports need: rename it, or set a "
            "locale with UTF-8 (`export LC_ALL=C.UTF-8`)."
        )
    try:
        data = plain_bytes(path.resolve(), MOST_BYTES)
        if data is None:
            raise TextError(f"it has more than {MOST_BYTES >> 10} KiB")
        mojo_text(data)
    except TextError as error:
        raise UsageError(f"{one_line(str(path))} is no {language} file: {error}.") from None
    except OSError as error:
        raise EnvironmentFault(f"cannot read {one_line(str(path))}: {error.strerror}.") from None


def _is_utf_8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
