"""Reading a file that somebody else wrote: no link is followed, no pipe waited for, nothing endless read."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from pathlib import Path

__all__ = ["plain_bytes"]


def plain_bytes(path: Path, most_bytes: int, owners: Collection[int] | None = None) -> bytes | None:
    """The contents of a file; None when it is a link, no plain file, larger, or somebody else's.

    Args:
        path: The file.
        most_bytes: It may have.
        owners: Ids of the users whose it may be; None for anybody's.

    Raises:
        OSError: It is not there, or may not be read.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        if path.is_symlink():
            return None
        raise
    try:
        facts = os.fstat(file)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > most_bytes:
            return None
        if owners is not None and facts.st_uid not in owners:
            return None
        with open(file, "rb", closefd=False) as opened:
            data = opened.read(facts.st_size + 1)  # all that is asked for is allocated, however little there is
            if len(data) > facts.st_size:
                data += opened.read(most_bytes)
        return data if len(data) <= most_bytes else None  # it may have grown meanwhile
    finally:
        os.close(file)
