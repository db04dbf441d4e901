"""Read a submitted archive in a sandbox: the caller, the process's order, answer, limits and entry point.

A few bytes may keep the unpacking library busy. `archives` does the reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harness.grading.archives import MOST_BYTES as MOST_ARCHIVE_BYTES
from harness.grading.submissions import SubmittedFile, files_of
from harness.model.mojo_text import MOST_BYTES, decode_mojo
from harness.model.plain_file import read_plain_file
from harness.process.box import AnySandbox
from harness.process.child import Limits
from harness.process.stage import Stage
from harness.simt.plain import one_line

__all__ = ["LIMITS", "main", "unpack_in_box"]

LIMITS = Limits(
    memory_bytes=1 << 30,
    cpu_seconds=10,
    file_bytes=MOST_ARCHIVE_BYTES,
    open_files=64,
    processes=4,
    folder_bytes=3 * MOST_ARCHIVE_BYTES,
    seconds=300.0,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpackOrder:
    """An archive.

    Attributes:
        name: The name of its file.
        archive: The file's contents.
        puzzles: The puzzles whose files count.
        limits: The limits of the stage.
    """

    name: str
    archive: bytes
    puzzles: tuple[str, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class Unpacked:
    """By puzzle what was handed in, and why not all could be read, in words."""

    files: Mapping[str, SubmittedFile]
    lack: str


# Of so many files; a character may take six of JSON.
STAGE = Stage(__name__, UnpackOrder, Unpacked, most_bytes=64 * 8 * MOST_BYTES)


def unpack_in_box(path: Path, puzzles: Sequence[str], box: AnySandbox) -> tuple[dict[str, SubmittedFile], str]:
    """Read an archive in a sandbox; one that cannot be read raises nothing, but gives no files and the reason.

    Args:
        path: The archive.
        puzzles: The puzzles whose files count.
        box: The sandbox in which it is read.

    Returns:
        By puzzle what was handed in, and why not all could be read, in words.

    Raises:
        EnvironmentFault: No box could be started.
    """
    try:
        data = read_plain_file(path, MOST_ARCHIVE_BYTES)
    except OSError as error:
        return {}, f"{one_line(path.name)} cannot be read: {error.strerror}"
    if data is None:
        return {}, f"{one_line(path.name)} cannot be read: it is a link or has more than {MOST_ARCHIVE_BYTES >> 20} MiB"
    order = UnpackOrder(name=path.name, archive=data, puzzles=tuple(puzzles), limits=LIMITS)
    answer = STAGE.ask(order, box)
    limit = answer.limit.replace("_", " ")
    why = f"it takes more than a limit ({limit})" if limit else f"what unpacks it {answer.process_exit}"
    with suppress(ValueError):
        if answer.result:
            files = {name: _sanitize(file) for name, file in answer.result.files.items() if name in puzzles}
            return files, answer.result.lack
    return {}, f"{one_line(path.name)} cannot be read: {why}"


def _sanitize(file: SubmittedFile) -> SubmittedFile:
    """Return a checked copy of a file that a sandbox answered; its name and its reasons become one line each.

    Raises:
        ValueError: A text is too large, cannot be encoded as UTF-8, or has a byte order mark or control characters.
    """
    text, python = (decode_mojo(text.encode()) for text in (file.text, file.python))
    return SubmittedFile(one_line(file.name), text, one_line(file.lack), python, one_line(file.missing))


def main() -> None:
    """Serve one order: read its archive."""
    STAGE.serve(_unpack_archive)


def _unpack_archive(order: UnpackOrder, folder: Path) -> Unpacked:
    path = folder / "in" / order.name
    path.parent.mkdir()
    path.write_bytes(order.archive)
    return Unpacked(*files_of(path, order.puzzles))
