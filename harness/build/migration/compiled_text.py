"""Replace older spellings in the text for the compiler, where no column moves, and print the note about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from harness.build.migration.changes import scan
from harness.build.migration.edits import apply
from harness.errors import EnvironmentFault
from harness.model import spelling
from harness.model.sources import SUFFIXES, display_path

__all__ = ["compiled_text", "has_module", "replaced_texts", "report"]


def has_module(name: str, folders: Sequence[Path]) -> bool:
    """Return whether a module of this name lies in one of the folders: then it is not Mojo's."""
    return any(
        (folder / name).is_dir() or any((folder / f"{name}{suffix}").is_file() for suffix in SUFFIXES)
        for folder in folders
    )


def compiled_text(file: Path, folders: Sequence[Path] = ()) -> str | None:
    """Return the text that the compiler gets in place of a file's; None if the compiler gets the file itself.

    The result is None if nothing is to be replaced, with `--as-is`, or if the file is no Mojo file or no UTF-8.
    Only changes that keep every column are made; blanks fill up shorter words. The file is not changed, and nothing is
    printed (see `report`).

    Args:
        file: A Mojo file.
        folders: Where its imports are looked for, beside its own folder; modules there are not Mojo's.

    Raises:
        EnvironmentFault: The file cannot be read.
    """
    if spelling.is_as_is() or file.suffix not in SUFFIXES:
        return None
    try:
        data = file.read_bytes()
    except OSError as error:
        raise EnvironmentFault(f"cannot read {file}: {error.strerror}.") from None
    text, _ = _replace(data, file.parent, tuple(folders))
    return text


def report(file: Path, folders: Sequence[Path] = ()) -> None:
    """Print the note about a file of which the compiler gets another text, once in a process; nothing for other files.

    Raises OSError if the file cannot be read.
    """
    if not spelling.is_as_is():
        _, rules = _replace(file.read_bytes(), file.parent, tuple(folders))
        spelling.print_note(display_path(file), list(rules))


def replaced_texts(files: Iterable[Path], folders: Sequence[Path]) -> Mapping[Path, str]:
    """Return the texts that the compiler gets in place of files, by file; files whose text stays are left out.

    Arguments and errors of each file are those of `compiled_text`.
    """
    texts = {file: compiled_text(file, folders) for file in files}
    return {file: text for file, text in texts.items() if text is not None}


@lru_cache(maxsize=256)
def _replace(data: bytes, home: Path, folders: tuple[Path, ...]) -> tuple[str | None, tuple[str, ...]]:
    """Return a file's text with the replacements that keep every column, and their rules as `old → new`, each once.

    Returns (None, ()) if nothing is replaced, or `data` is no UTF-8. Imports of modules that lie in `home`, the file's
    folder, or in `folders` are left alone. Results are cached, although such modules may come and go.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None, ()  # the compiler says what is wrong with it
    changes = [c for c in scan(text, lambda name: has_module(name, (home, *folders))).changes if c.keeps_columns]
    if not changes:
        return None, ()
    return apply(text, changes, pad=True), tuple(dict.fromkeys(str(change.rule) for change in changes))
