"""What people handed in: for each of them, the files of puzzles that are found.

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
from harness.model.mojo_text import MOST_BYTES, TextError, mojo_text
from harness.model.plain_file import plain_bytes
from harness.model.sources import PYTHON
from harness.simt.plain import one_line

__all__ = ["Handed", "Submission", "files_of", "read", "read_one"]

DEEPEST = 6
MOST_ENTRIES = 2000
_WITH_PYTHON = frozenset(case.puzzle for case in CASES if case.graph)
_PASSED_BY = ("__MACOSX", "__pycache__")
_NAMED = 10
_NUMBER = re.compile(r"(?:p|puzzle)[ _-]?0*(\d{1,2})(?!\d)")
_LONGEST = 200  # characters of a file's name that are told
Notify = Callable[[str], None]
Unpack = Callable[[Path, Sequence[str]], "tuple[dict[str, Handed], str]"]


@dataclass(frozen=True, slots=True)
class Handed:
    """A file that somebody handed in.

    Attributes:
        name: Inside of what was handed in.
        text: Its contents, as they are.
        lack: Why they are not there, in words; empty when they are.
        python: What the puzzle's Python holds, where it has some.
        missing: Which of the puzzle's two files is not there; empty otherwise.
    """

    name: str
    text: str = ""
    lack: str = ""
    python: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Submission:
    """What one person handed in.

    Attributes:
        person: The name of the folder or archive.
        files: By puzzle.
        lack: Why not all could be read, in words; empty otherwise. What is in `files` counts all the same.
    """

    person: str
    files: dict[str, Handed] = field(default_factory=dict)
    lack: str = ""


def files_of(path: Path, puzzles: Sequence[str]) -> tuple[dict[str, Handed], str]:
    """What is in a folder or an archive.

    Returns:
        By puzzle what was handed in, and why not all could be read, in words.
    """
    files: dict[tuple[str, str], list[tuple[PurePosixPath, bytes | str]]] = {}
    lack = packed = ""
    nearly: dict[str, Handed] = {}

    def wanted(name: PurePosixPath) -> bool:
        nonlocal packed
        if puzzle := _nearly(name, puzzles):
            nearly.setdefault(puzzle, _misnamed(name, puzzle))
        if not packed and stem(name.name) and not any(map(_is_passed_by, name.parts)):
            packed = one_line(str(name)[-_LONGEST:])
        return _puzzle_of(name, puzzles) in puzzles

    entries = files_in(path, MOST_BYTES, wanted) if path.is_file() else _files_below(path, wanted)
    try:
        for name, data in entries:
            several = files.setdefault((_puzzle_of(name, puzzles), name.suffix.lower()), [])
            if len(several) < _NAMED:
                several.append((name, data))
            elif data != several[0][1]:
                several[-1] = name, data  # a second one is as good as a hundred
    except ArchiveError as error:
        lack = f"{one_line(path.name)} cannot be read: {error}"
    each = {key: _handed(several) for key, several in files.items()}
    # What is in an archive inside may be any puzzle that is not there: nobody tried it would be a guess.
    inside = Handed(packed, lack=f"{packed} is an archive inside of what was handed in, which is not opened: unpack it")
    found = {puzzle: _whole(puzzle, each) for puzzle in sorted({puzzle for puzzle, _ in each})}
    inside_of = dict.fromkeys(sorted(puzzles), inside) if packed else {}
    unread = inside_of | nearly  # what has almost the name of a puzzle's file may be that
    whole = {
        puzzle: handed
        for puzzle, handed in found.items()
        if puzzle not in unread or not handed.missing or (handed.missing.endswith(PYTHON) and not packed)
    }
    return unread | whole, lack


def _whole(puzzle: str, each: Mapping[tuple[str, str], Handed]) -> Handed:
    """What was handed in of a puzzle, whichever files that takes."""
    kernels, python = each.get((puzzle, ".mojo")), each.get((puzzle, PYTHON))
    if kernels is None:
        return Handed(python.name if python else "", missing=f"{puzzle}.mojo")
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
    """Everybody's submission, by name.

    Args:
        folder: Holds a folder or an archive for each person.
        puzzles: Whose files count.
        results: Nobody's folder, should it be in there: where the results go.
        notify: Gets a line that names what is nobody's submission.
        unpack: Reads an archive; in a box (`harness.grading.unpack_stage`) where it may be anybody's.

    Raises:
        UsageError: There is no such folder, or nobody in it.
        EnvironmentFault: It cannot be read.
    """
    if not folder.is_dir():
        raise UsageError(f"no folder of submissions at {folder}: it holds a folder or an archive for each person.")
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise EnvironmentFault(f"cannot read {folder}: {error.strerror}.") from None
    submitted: list[Submission] = []
    taken: set[str] = set()
    other: list[str] = []
    own = results.resolve() if results else None
    for entry in entries:
        if _is_passed_by(entry.name) or Path(entry.path).resolve() == own:
            continue
        name = entry.name if entry.is_dir(follow_symlinks=False) else stem(entry.name)
        if entry.is_symlink() or not name:
            other.append(one_line(entry.name) + (" (a link)" if entry.is_symlink() else ""))
            continue
        person = _named(name)
        person = _named(entry.name) if person in taken else person
        taken.add(person)
        submitted.append(_submission(person, Path(entry.path), puzzles, unpack))
    if other:
        more = f" and {len(other) - _NAMED} more" if len(other) > _NAMED else ""
        notify(f"passed by, neither a folder nor an archive: {', '.join(other[:_NAMED])}{more}")
    if not submitted:
        raise UsageError(f"nobody has handed in anything in {folder}: it holds a folder or an archive for each person.")
    return submitted


def read_one(path: Path, puzzles: Sequence[str], unpack: Unpack = files_of) -> Submission:
    """The submission of one person, in a folder or an archive; arguments as of `read`.

    Raises:
        UsageError: There is none.
    """
    if not path.is_dir() and not (path.is_file() and stem(path.name)):
        raise UsageError(f"no submission at {path}: it is a folder or an archive of one person's files.")
    return _submission(_named(stem(path.name) or path.resolve().name), path, puzzles, unpack)


def _named(name: str) -> str:
    """A person's name in one line: another one for each name."""
    return one_line(name.replace("\\", "\\\\"))


def _submission(person: str, path: Path, puzzles: Sequence[str], unpack: Unpack) -> Submission:
    return Submission(person, *(unpack if path.is_file() else files_of)(path, puzzles))


def _is_passed_by(name: str) -> bool:
    """Whether nothing below this name counts: a repository's own files, say, of which there are many."""
    return (name.startswith(".") and name != "..") or name in _PASSED_BY


def _puzzle_of(name: PurePosixPath, puzzles: Sequence[str]) -> str:
    """The puzzle that a file is of; empty where it is of none."""
    suffix, own = name.suffix.lower(), name.stem.lower()
    if any(map(_is_passed_by, name.parts)) or suffix not in (".mojo", PYTHON):
        return ""
    puzzle = name.parent.name.lower() if own == "problem" else own
    return puzzle if puzzle in puzzles and (suffix == ".mojo" or puzzle in _WITH_PYTHON) else ""


def _nearly(name: PurePosixPath, puzzles: Sequence[str]) -> str:
    """The puzzle whose kernels a file seems to be, as browsers and systems name what is there twice; else empty."""
    own, kind, _ = name.name.lower().partition(".mojo")
    if not kind or any(map(_is_passed_by, name.parts)) or _puzzle_of(name, puzzles):
        return ""
    if _is_word(own, "problem"):
        own = name.parent.name.lower()
    elif number := _NUMBER.match(own):  # p2, puzzle 02
        own = f"p{number[1]:0>2}{own[number.end() :]}"
    return max((puzzle for puzzle in puzzles if _is_word(own, puzzle)), key=len, default="")


def _is_word(text: str, word: str) -> bool:
    """Whether a text begins with a word that ends there."""
    return text.startswith(word) and not text[len(word) :][:1].isalnum()


def _misnamed(name: PurePosixPath, puzzle: str) -> Handed:
    told = one_line(str(name)[-_LONGEST:])
    return Handed(told, lack=f"{told} is not read, since its name is another one: call it {puzzle}.mojo")


def _handed(several: list[tuple[PurePosixPath, bytes | str]]) -> Handed:
    names = [one_line(str(name)[-_LONGEST:]) for name, _ in several]
    if len({data for _, data in several}) > 1:
        return Handed(names[0], lack=f"there are several: {', '.join(sorted(names)[:4])}")
    data = several[0][1]
    if isinstance(data, str):
        return Handed(names[0], lack=f"{names[0]} is not read: {data}")
    try:
        return Handed(names[0], mojo_text(data))
    except TextError as error:
        language = "Python" if several[0][0].suffix.lower() == PYTHON else "Mojo"
        return Handed(names[0], lack=f"{names[0]} is no {language} file: {error}")


def _files_below(root: Path, wanted: Wanted) -> Iterator[tuple[PurePosixPath, bytes | str]]:
    """The wanted files of a folder with their contents, or why these are not read."""
    left, seen, closed = [(root, PurePosixPath())], 0, ""
    while left:
        folder, inside = left.pop()
        try:
            with os.scandir(folder) as all_of_them:
                entries = sorted(islice(all_of_them, MOST_ENTRIES + 1), key=lambda entry: entry.name)
        except OSError as error:  # what lies beside it counts
            closed = closed or f"{one_line(str(inside))}: {error.strerror}"
            continue
        for entry in entries:
            if _is_passed_by(entry.name):
                continue
            seen += 1
            if seen > MOST_ENTRIES:
                raise ArchiveError(f"it has more than {MOST_ENTRIES} files")
            name = inside / entry.name
            if entry.is_dir(follow_symlinks=False):
                if len(name.parts) < DEEPEST:
                    left.append((Path(entry.path), name))
            elif wanted(name):
                yield name, _contents(Path(entry.path))
    if closed:
        raise ArchiveError(closed)


def _contents(path: Path) -> bytes | str:
    try:
        data = plain_bytes(path, MOST_BYTES)
        kind = path.lstat().st_mode if data is None else 0
    except OSError as error:
        return str(error.strerror)
    if data is not None:
        return data
    if not stat.S_ISREG(kind):
        return "it is a link" if stat.S_ISLNK(kind) else "it is no plain file"
    return f"it has more than {MOST_BYTES >> 10} KiB"
