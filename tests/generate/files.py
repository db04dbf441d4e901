"""Files that are generated as a whole or in part, and what is done about those that are stale."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.model.sources import display_path
from harness.process.forks import map_in_forks

__all__ = ["COMMAND", "GenerateError", "Generated", "between", "check", "side_by_side", "table", "write"]

COMMAND = "nox -s generate"


class GenerateError(Exception):
    """A file cannot be generated; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A file and the text that it has to hold.

    Attributes:
        path: The file.
        text: None where there must be no such file.
        keep: Why what is there must not be overwritten, or empty.
    """

    path: Path
    text: str | None
    keep: str = ""

    @property
    def stale(self) -> bool:
        """Whether something else is there."""
        held = self.path.read_text(encoding="utf-8") if self.path.is_file() else None
        return held != self.text

    def write(self) -> None:
        """Writes or removes the file."""
        if self.text is None:
            self.path.unlink()
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.text, encoding="utf-8")


def side_by_side(stages: Sequence[Callable[[], Iterable[Generated]]], jobs: int) -> Iterator[Generated]:
    """Yield the files of stages that do not read what another one writes, in their order.

    Args:
        stages: Each makes its files.
        jobs: How many processes make them; with one, a stage begins when those before it are written.

    Raises:
        GenerateError: As the first stage does that fails.
    """
    if jobs < 2:
        for stage in stages:
            yield from stage()
        return
    for files in map_in_forks(stages, _files_of, jobs):
        if isinstance(files, str):
            raise GenerateError(files)
        yield from files


def _files_of(stage: Callable[[], Iterable[Generated]]) -> list[Generated] | str:
    """Return the files of a stage, or why it fails: a process sends only errors of the harness as they are."""
    try:
        return list(stage())
    except GenerateError as error:
        return str(error)


def between(text: str, begin: str, end: str, body: str, path: Path) -> str:
    """A text with what stands between two marker lines replaced.

    Raises:
        GenerateError: The file does not have both lines, once and in this order.
    """
    head, opened, rest = text.partition(f"{begin}\n")
    _, closed, tail = rest.partition(f"{end}\n")
    if not opened or not closed or f"{begin}\n" in rest:
        raise GenerateError(f"{path} needs the lines `{begin}` and `{end}`, once each: put them back.")
    return f"{head}{begin}\n{body}{end}\n{tail}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int = 0) -> str:
    """A table in Markdown.

    Args:
        heads: Of its columns.
        rows: As many texts each.
        numbers: How many columns at its end stand to the right.
    """
    marks = ["---"] * (len(heads) - numbers) + ["---:"] * numbers
    return "".join("| " + " | ".join(row) + " |\n" for row in [heads, marks, *rows])


def check(files: Iterable[Generated]) -> int:
    """Names what is stale; returns 1 if anything is."""
    stale = [file for file in files if file.stale]
    for file in stale:
        print(f"stale: {display_path(file.path)}")
    if stale:
        print(f"error: {len(stale)} files are stale: run `{COMMAND}` and commit what it writes.", file=sys.stderr)
    return 1 if stale else 0


def write(files: Iterable[Generated], *, force: bool = False) -> int:
    """Writes what is stale and names it; returns 1 if something must be kept and `force` does not say otherwise."""
    kept = 0
    for file in files:
        if file.stale and file.keep and not force:
            kept = 1
            again = f"`{COMMAND} -- --force` overwrites it"
            print(
                f"error: {display_path(file.path)} is stale and was left as it is: {file.keep}; {again}.",
                file=sys.stderr,
            )
        elif file.stale:
            file.write()
            print(f"{'removed' if file.text is None else 'wrote'} {display_path(file.path)}")
    return kept
