"""Read a regular file within size and owner limits; write one atomically; no links followed (see `whole_file`)."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Collection
from pathlib import Path

__all__ = ["read_plain_file", "write_whole"]


def read_plain_file(path: Path, most_bytes: int, owners: Collection[int] | None = None) -> bytes | None:
    """Return the contents of a file; None if it is a link, no regular file, larger than `most_bytes`, or somebody
    else's.

    Args:
        path: The file.
        most_bytes: The maximum size.
        owners: The user ids whose file it may be; None for anybody's.

    Raises:
        OSError: It does not exist, or may not be read.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        if path.is_symlink():
            return None
        raise
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most_bytes:
            return None
        if owners is not None and status.st_uid not in owners:
            return None
        with open(file, "rb", closefd=False) as opened:
            data = opened.read(status.st_size + 1)  # all that is asked for is allocated, however little there is
            if len(data) > status.st_size:
                data += opened.read(most_bytes)
        return data if len(data) <= most_bytes else None  # it may have grown meanwhile
    finally:
        os.close(file)


def write_whole(path: Path, data: bytes, prefix: str = ".writing-") -> None:
    """Write a file, whole or not at all, readable by whom the umask permits; make its folders. A link there is
    replaced, not followed.

    Args:
        path: The file. What is there is replaced.
        data: Its contents.
        prefix: How the name of the temporary file beside it begins.

    Raises:
        OSError: It cannot be written; the temporary file is gone, too.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.parent / f"{prefix}{os.urandom(8).hex()}"
    try:
        with open(temporary, "xb") as file:  # `tempfile` would make it its owner's alone, and `chmod` knows no umask
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
