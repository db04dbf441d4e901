"""Stage a program's files in a folder, some with another text, so that every report names the real files.

A file at `/home/me/sum.mojo` lies at `FOLDER/^home/me/sum.mojo`. The compiler strips the folder from each name that it
writes. What is left is as long as the real name, so that it can be replaced in machine code too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FIRST_SLASH", "Staged", "restore", "restore_bytes", "stage"]

FIRST_SLASH = "^"  # takes the place of the first slash


@dataclass(frozen=True, slots=True)
class Staged:
    """The paths at which the compiler finds a staged program.

    Attributes:
        file: The program's file.
        includes: Folders with further modules: those of the staged files first.
        origins: The real files by the names that the compiler writes.
        prefix: The folder that the compiler strips from names; None if nothing is staged.
    """

    file: Path
    includes: tuple[Path, ...]
    origins: Mapping[str, Path]
    prefix: Path | None = None


def stage(
    folder: Path, file: Path, files: Iterable[Path], includes: Sequence[Path], texts: Mapping[Path, str]
) -> Staged:
    """Put a program's files into a folder, as symbolic links where the text stays, and return their paths there.

    A file `/home/me/sum.mojo` lies at `folder/^home/me/sum.mojo`. The result's include folders are the staged ones,
    the real folder of `file`, and the real include folders; those that do not exist are left out.

    Args:
        folder: An empty folder.
        file: The program, by its whole path; it is one of `files`.
        files: All Mojo files that it needs, by their whole paths.
        includes: Folders with further modules.
        texts: The texts of the files that are written instead of linked.

    Raises:
        OSError: A file cannot be written, or the path of a link exists already.
    """
    origins = {}
    for path in files:
        name = FIRST_SLASH + str(path)[1:]
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if path in texts:
            place.write_bytes(texts[path].encode())
        else:
            place.symlink_to(path)
        origins[name] = path
    homes = [file.parent, *(path.resolve() for path in includes)]
    staged = [folder / (FIRST_SLASH + str(home)[1:]) for home in homes]
    # What no import that is understood names is found where it lies.
    folders = [path for path in (*staged[1:], *homes) if path.is_dir()]
    return Staged(folder / (FIRST_SLASH + str(file)[1:]), tuple(folders), origins, folder)


def restore(text: str, origins: Mapping[str, Path]) -> str:
    """Return LLVM IR or assembly in which each staged name, such as `^home/me/sum.mojo`, is replaced by the real path.

    A name stays if it does not begin with `^`, or has another length in bytes than the path: a constant string's length
    is written beside it.

    Args:
        text: The text.
        origins: The real files by staged name.
    """
    for name, path in origins.items():
        if name.startswith(FIRST_SLASH) and _length(name) == _length(path):
            text = text.replace(_escaped(name), _escaped(str(path)))
    return text


def restore_bytes(data: bytes, origins: Mapping[str, Path]) -> bytes:
    """Return machine code in which staged names are replaced by real paths of the same length, as `restore` does."""
    for name, path in origins.items():
        if name.startswith(FIRST_SLASH) and _length(name) == _length(path):
            data = data.replace(name.encode(), str(path).encode())
    return data


def _length(path: str | Path) -> int:
    return len(str(path).encode())


def _escaped(name: str) -> str:
    """Return a name as a string of LLVM IR has it."""
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in name.encode())
