"""`python -m harness.grading.unpack_stage ORDER ANSWER`: in a box, reads an archive that somebody handed in.

What unpacks is a library's, and a few bytes may keep it busy for days. ORDER is a line of JSON, `name` and `puzzles`,
and the archive; ANSWER is JSON: `files`, by puzzle what was handed in, and `lack`, why not all could be read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.grading.archives import MOST_BYTES as MOST_ARCHIVE_BYTES
from harness.grading.submissions import Handed, files_of
from harness.model.mojo_text import MOST_BYTES, mojo_text
from harness.model.plain_file import plain_bytes
from harness.process.box import Box, WarmBoxes, order_and_answer
from harness.process.child import Limits
from harness.simt.plain import one_line

__all__ = ["LIMITS", "main", "unpacked"]

LIMITS = Limits(
    memory_bytes=1 << 30,
    cpu_seconds=10,
    file_bytes=MOST_ARCHIVE_BYTES,
    open_files=64,
    processes=4,
    folder_bytes=3 * MOST_ARCHIVE_BYTES,
    seconds=300.0,
)


def unpacked(path: Path, puzzles: Sequence[str], box: Box | WarmBoxes) -> tuple[dict[str, Handed], str]:
    """What is in an archive.

    Args:
        path: The archive.
        puzzles: Whose files count.
        box: What it is read in.

    Returns:
        By puzzle what was handed in, and why not all could be read, in words.

    Raises:
        EnvironmentFault: No box could be started.
    """
    try:
        data = plain_bytes(path, MOST_ARCHIVE_BYTES)
    except OSError as error:
        return {}, f"{one_line(path.name)} cannot be read: {error.strerror}"
    if data is None:
        return {}, f"{one_line(path.name)} cannot be read: it is a link or has more than {MOST_ARCHIVE_BYTES >> 20} MiB"
    order = json.dumps({"name": path.name, "puzzles": list(puzzles)}).encode() + b"\n" + data
    most = len(puzzles) * 8 * MOST_BYTES  # a character may take six of JSON
    answer = box.ask(__spec__.name, order, limits=LIMITS, most_bytes=most)
    try:
        said = json.loads(answer.data or b"")
        return {str(name): _handed(held) for name, held in said["files"].items() if name in puzzles}, str(said["lack"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        limit = answer.ended.limit.replace("_", " ")
        why = f"it takes more than a limit ({limit})" if limit else f"what unpacks it {answer.ended}"
        return {}, f"{one_line(path.name)} cannot be read: {why}"


def _handed(held: dict[str, Any]) -> Handed:
    """What a box said of a file, as far as it could be true."""
    text = mojo_text(str(held["text"]).encode())
    return Handed(one_line(str(held["name"])), text, one_line(str(held["lack"])))


def main() -> None:
    """Does what the order asks."""
    data, out = order_and_answer(sys.argv)
    head, _, archive = data.partition(b"\n")
    order = json.loads(head)
    folder = out.parent / "in"
    folder.mkdir()
    path = folder / order["name"]
    path.write_bytes(archive)
    files, lack = files_of(path, order["puzzles"])
    answer = {"files": {puzzle: asdict(handed) for puzzle, handed in files.items()}, "lack": lack}
    out.write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main()
