"""Find puzzles' files by name in each person's folder or archive; say which are misnamed, doubled, unreadable.

A person is a folder or an archive. Anywhere in it a puzzle's file is `p15.mojo`, or `problem.mojo` in a folder `p15`,
as `puzzles start` lays it out; where Python builds a graph too, so is `p17.py`, or `problem.py`. Capital letters are as
good as small ones, since some systems do not tell them apart. Links are not followed, and names are data: they may hold
anything.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path, PurePosixPath

from harness.catalogue import CASES
from harness.errors import EnvironmentFault, UsageError
from harness.grading.archives import ArchiveError, Wanted, files_in, stem
from harness.model.mojo_text import MOST_BYTES, TextError, decode_mojo
from harness.model.plain_file import read_plain_file
from harness.model.sources import PYTHON
from harness.simt.plain import one_line

__all__ = ["Submission", "SubmittedFile", "files_of", "read", "read_one"]

DEEPEST = 6
MOST_ENTRIES = 2000
_WITH_PYTHON = frozenset(case.puzzle for case in CASES if case.graph)
_PASSED_BY = ("__MACOSX", "__pycache__")
_NAMED = 10
_NUMBER = re.compile(r"(?:p|puzzle)[ _-]?0*(\d{1,2})(?!\d)")
_LONGEST = 200  # characters of a file's name that are told
Notify = Callable[[str], None]
Unpack = Callable[[Path, Sequence[str]], "tuple[dict[str, SubmittedFile], str]"]


@dataclass(frozen=True, slots=True)
class SubmittedFile:
    """A file that somebody handed in.

    Attributes:
        name: The file's path inside of what was handed in.
        text: The file's contents, unchanged.
        lack: The reason why they are not there; empty if they are.
        python: The contents of the puzzle's Python file, if it has one.
        missing: The name of the one of the puzzle's two files that is not there; empty if both are.
    """

    name: str
    text: str = ""
    lack: str = ""
    python: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Submission:
    """The files of one person.

    Attributes:
        person: The name of the folder or archive.
        files: The files, by puzzle.
        lack: The reason why not all could be read; empty if all could. The contents of `files` count all the same.
    """

    person: str
    files: dict[str, SubmittedFile] = field(default_factory=dict)
    lack: str = ""


def files_of(path: Path, puzzles: Sequence[str]) -> tuple[dict[str, SubmittedFile], str]:
    """Read the puzzles' files of a folder or an archive; what cannot be read raises nothing.

    Returns:
        By puzzle what was handed in, and why not all could be read, in words (empty if all could). A file has a `lack`
        if several differ, or it cannot be read, is no text or too large. So has a puzzle that lacks its file if one has
        almost its name, or there is an archive inside, which is not opened. Other puzzles without files are left out.
    """
    files: dict[tuple[str, str], list[tuple[PurePosixPath, bytes | str]]] = {}
    lack = packed = ""
    nearly: dict[str, SubmittedFile] = {}

    def is_wanted(name: PurePosixPath) -> bool:
        nonlocal packed
        if puzzle := _nearly(name, puzzles):
            nearly.setdefault(puzzle, _misnamed(name, puzzle))
        if not packed and stem(name.name) and not any(map(_is_passed_by, name.parts)):
            packed = one_line(str(name)[-_LONGEST:])
        return _puzzle_of(name, puzzles) in puzzles

    entries = files_in(path, MOST_BYTES, is_wanted) if path.is_file() else _files_below(path, is_wanted)
    try:
        for name, data in entries:
            several = files.setdefault((_puzzle_of(name, puzzles), name.suffix.lower()), [])
            if len(several) < _NAMED:
                several.append((name, data))
            elif data != several[0][1]:
                several[-1] = name, data  # a second one is as good as a hundred
    except ArchiveError as error:
        lack = f"{one_line(path.name)} cannot be read: {error}"
    each = {key: _read_file(several) for key, several in files.items()}
    # What is in an archive inside may be any puzzle that is not there: nobody tried it would be a guess.
    inside = SubmittedFile(
        packed, lack=f"{packed} is an archive inside of what was handed in, which is not opened: unpack it"
    )
    by_puzzle = {puzzle: _combine_files(puzzle, each) for puzzle in sorted({puzzle for puzzle, _ in each})}
    inside_of = dict.fromkeys(sorted(puzzles), inside) if packed else {}
    unread = inside_of | nearly  # what has almost the name of a puzzle's file may be that
    readable = {
        puzzle: file
        for puzzle, file in by_puzzle.items()
        if puzzle not in unread or not file.missing or (file.missing.endswith(PYTHON) and not packed)
    }
    return unread | readable, lack


def _combine_files(puzzle: str, each: Mapping[tuple[str, str], SubmittedFile]) -> SubmittedFile:
    """Combine the Mojo and the Python file of a puzzle, whichever of them it needs.

    Without the kernels' file, or a Python file that it needs, `missing` names that. A `lack` of either is the result's.

    Args:
        puzzle: The puzzle.
        each: The files that were read, by puzzle and suffix.
    """
    kernels, python = each.get((puzzle, ".mojo")), each.get((puzzle, PYTHON))
    if kernels is None:
        return SubmittedFile(python.name if python else "", missing=f"{puzzle}.mojo")
    if puzzle not in _WITH_PYTHON or kernels.lack:
        return kernels
    if python is None:
        return replace(kernels, missing=f"{puzzle}{PYTHON}")
    return replace(kernels, python=python.text, lack=python.lack)


def read(
    folder: Path,
    puzzles: Sequence[str],
    *,
    results: Path | None = None,
    notify: Notify = lambda _: None,
    unpack: Unpack = files_of,
) -> list[Submission]:
    """Read everybody's submission, sorted by file name; links, other files and hidden entries are nobody's.

    A person is named as the folder, or as the archive without its suffix, or with it if that name is taken.

    Args:
        folder: Holds a folder or an archive for each person.
        puzzles: The puzzles whose files count.
        results: The folder for results, which is nobody's submission if it lies in there.
        notify: Gets one line that names the links and other files, if there are any.
        unpack: The function that reads an archive; in a box (`harness.grading.unpack_stage`) where it may be anybody's.

    Raises:
        UsageError: There is no such folder, or nobody in it.
        EnvironmentFault: It cannot be read, or `unpack` could start no box.
    """
    if not folder.is_dir():
        raise UsageError(f"no folder of submissions at {folder}: it holds a folder or an archive for each person.")
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise EnvironmentFault(f"cannot read {folder}: {error.strerror}.") from None
    submitted: list[Submission] = []
    names: set[str] = set()
    other: list[str] = []
    results_folder = results.resolve() if results else None
    for entry in entries:
        if _is_passed_by(entry.name) or Path(entry.path).resolve() == results_folder:
            continue
        name = entry.name if entry.is_dir(follow_symlinks=False) else stem(entry.name)
        if entry.is_symlink() or not name:
            other.append(one_line(entry.name) + (" (a link)" if entry.is_symlink() else ""))
            continue
        person = _display_name(name)
        person = _display_name(entry.name) if person in names else person
        names.add(person)
        submitted.append(_submission(person, Path(entry.path), puzzles, unpack))
    if other:
        more = f" and {len(other) - _NAMED} more" if len(other) > _NAMED else ""
        notify(f"passed by, neither a folder nor an archive: {', '.join(other[:_NAMED])}{more}")
    if not submitted:
        raise UsageError(f"nobody has handed in anything in {folder}: it holds a folder or an archive for each person.")
    return submitted


def read_one(path: Path, puzzles: Sequence[str], unpack: Unpack = files_of) -> Submission:
    """Read the submission of one person, named as the folder, or as the archive without its suffix.

    Args:
        path: The person's folder or archive.
        puzzles: As of `read`.
        unpack: As of `read`.

    Raises:
        UsageError: There is no folder, and no file with an archive's suffix.
        EnvironmentFault: `unpack` could start no box.
    """
    if not path.is_dir() and not (path.is_file() and stem(path.name)):
        raise UsageError(f"no submission at {path}: it is a folder or an archive of one person's files.")
    return _submission(_display_name(stem(path.name) or path.resolve().name), path, puzzles, unpack)


def _display_name(name: str) -> str:
    """Return a person's name in one line; different names stay different."""
    return one_line(name.replace("\\", "\\\\"))


def _submission(person: str, path: Path, puzzles: Sequence[str], unpack: Unpack) -> Submission:
    return Submission(person, *(unpack if path.is_file() else files_of)(path, puzzles))


def _is_passed_by(name: str) -> bool:
    """Return whether a file or folder of this name is skipped: a hidden one (but not `..`), or one of `_PASSED_BY`."""
    return (name.startswith(".") and name != "..") or name in _PASSED_BY


def _puzzle_of(name: PurePosixPath, puzzles: Sequence[str]) -> str:
    """Return the puzzle, one of `puzzles`, that a file belongs to by its name: `p15.mojo`, or `p15/problem.mojo`.

    A Python file counts for a puzzle with a graph alone. Empty for any other file, and for one in a folder that is
    skipped. Capital letters are as good as small ones.
    """
    suffix, file_stem = name.suffix.lower(), name.stem.lower()
    if any(map(_is_passed_by, name.parts)) or suffix not in (".mojo", PYTHON):
        return ""
    puzzle = name.parent.name.lower() if file_stem == "problem" else file_stem
    return puzzle if puzzle in puzzles and (suffix == ".mojo" or puzzle in _WITH_PYTHON) else ""


def _nearly(name: PurePosixPath, puzzles: Sequence[str]) -> str:
    """Return the puzzle that a misnamed Mojo file seems to belong to, for instance `p15 (1).mojo`, `puzzle 2.mojo` or
    `p15.mojo.txt`; else an empty string.
    """
    file_stem, kind, _ = name.name.lower().partition(".mojo")
    if not kind or any(map(_is_passed_by, name.parts)) or _puzzle_of(name, puzzles):
        return ""
    if _is_word(file_stem, "problem"):
        file_stem = name.parent.name.lower()
    elif number := _NUMBER.match(file_stem):  # p2, puzzle 02
        file_stem = f"p{number[1]:0>2}{file_stem[number.end() :]}"
    return max((puzzle for puzzle in puzzles if _is_word(file_stem, puzzle)), key=len, default="")


def _is_word(text: str, word: str) -> bool:
    """Return whether a text begins with a word that is not continued by a letter or digit."""
    return text.startswith(word) and not text[len(word) :][:1].isalnum()


def _misnamed(name: PurePosixPath, puzzle: str) -> SubmittedFile:
    shown_name = one_line(str(name)[-_LONGEST:])
    return SubmittedFile(
        shown_name, lack=f"{shown_name} is not read, since its name is another one: call it {puzzle}.mojo"
    )


def _read_file(several: list[tuple[PurePosixPath, bytes | str]]) -> SubmittedFile:
    names = [one_line(str(name)[-_LONGEST:]) for name, _ in several]
    if len({data for _, data in several}) > 1:
        return SubmittedFile(names[0], lack=f"there are several: {', '.join(sorted(names)[:4])}")
    data = several[0][1]
    if isinstance(data, str):
        return SubmittedFile(names[0], lack=f"{names[0]} is not read: {data}")
    try:
        return SubmittedFile(names[0], decode_mojo(data))
    except TextError as error:
        language = "Python" if several[0][0].suffix.lower() == PYTHON else "Mojo"
        return SubmittedFile(names[0], lack=f"{names[0]} is no {language} file: {error}")


def _files_below(root: Path, is_wanted: Wanted) -> Iterator[tuple[PurePosixPath, bytes | str]]:
    """Yield the wanted files of a folder with their contents, or as text the reason why they are not read.

    Skips hidden entries, and files whose path below the folder has more than six names.

    Raises:
        ArchiveError: There are more than 2000 entries or, after all others were yielded, a folder could not be read.
    """
    remaining, count, closed = [(root, PurePosixPath())], 0, ""
    while remaining:
        folder, inside = remaining.pop()
        try:
            with os.scandir(folder) as all_of_them:
                entries = sorted(islice(all_of_them, MOST_ENTRIES + 1), key=lambda entry: entry.name)
        except OSError as error:  # what lies beside it counts
            closed = closed or f"{one_line(str(inside))}: {error.strerror}"
            continue
        for entry in entries:
            if _is_passed_by(entry.name):
                continue
            count += 1
            if count > MOST_ENTRIES:
                raise ArchiveError(f"it has more than {MOST_ENTRIES} files")
            name = inside / entry.name
            if entry.is_dir(follow_symlinks=False):
                if len(name.parts) < DEEPEST:
                    remaining.append((Path(entry.path), name))
            elif is_wanted(name):
                yield name, _contents(Path(entry.path))
    if closed:
        raise ArchiveError(closed)


def _contents(path: Path) -> bytes | str:
    try:
        data = read_plain_file(path, MOST_BYTES)
        kind = path.lstat().st_mode if data is None else 0
    except OSError as error:
        return str(error.strerror)
    if data is not None:
        return data
    if not stat.S_ISREG(kind):
        return "it is a link" if stat.S_ISLNK(kind) else "it is no plain file"
    return f"it has more than {MOST_BYTES >> 10} KiB"
