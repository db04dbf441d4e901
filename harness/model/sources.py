"""Which Mojo files are run: the solved ones, the learner's, or a file of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import EnvironmentFault, UsageError, unknown

__all__ = ["KINDS", "MOJO", "ROOT", "Sources", "shown"]

ROOT = Path(__file__).resolve().parent.parent.parent
MOJO = ROOT / "mojo"
KINDS = ("solutions", "problems")


def shown(path: Path) -> str:
    """A file as reports name it: relative to the repository's root if it lies there."""
    found = path.resolve()
    return str(found.relative_to(ROOT)) if found.is_relative_to(ROOT) else str(path)


@dataclass(frozen=True, slots=True)
class Sources:
    """The kernel file of each puzzle.

    Attributes:
        kind: `solutions` or `problems`: the folder under `mojo/`.
        overrides: A file to take instead, by puzzle.
    """

    kind: str = "solutions"
    overrides: Mapping[str, Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown("kernels", self.kind, KINDS)
        for path in self.overrides.values():
            if not path.is_file():
                raise UsageError(f"no kernel file at {path}.")

    def kernel_file(self, puzzle: str, folder: str | None = None, source: str | None = None) -> Path:
        """The file with the puzzle's kernels.

        Args:
            puzzle: Its name.
            folder: Below `mojo/`, where it is not that of `kind`.
            source: The file's stem, where it is not the puzzle's name.

        Raises:
            EnvironmentFault: It is not there.
        """
        path = self.overrides.get(puzzle, MOJO / (folder or self.kind) / f"{source or puzzle}.mojo")
        if not path.is_file():
            raise EnvironmentFault(f"no kernel file at {path}: restore it with `git checkout`.")
        return path.resolve()

    def shown(self, folders: Iterable[str | None] = (None,)) -> str:
        """Where the kernels are, for people.

        Args:
            folders: Of the cases that are run; None for puzzles.
        """
        own = [str(path) for path in self.overrides.values()]
        return ", ".join(own or dict.fromkeys(f"mojo/{folder or self.kind}" for folder in folders))
