"""Writing a file that somebody will read: it is there whole, or what was there before is."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

__all__ = ["write_whole"]

_DEVICES = (Path("/dev"), Path("/proc"))  # `/dev/stdout` is an open file, whose name may lead to a plain one


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file beside its place and then renames it; a link stays, and what it leads to is written.

    What is no plain file, a terminal or a pipe for instance, is written as it is.

    Args:
        path: In a folder that is there.
        data: What the file is to hold.

    Raises:
        OSError: It cannot be written; names `path`.
    """
    try:
        if any(map(path.absolute().is_relative_to, _DEVICES)) or (path.exists() and not path.is_file()):
            path.write_bytes(data)
        else:
            _replace(_end(path), data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _end(path: Path) -> Path:
    """Where a chain of links ends."""
    end = Path(os.path.realpath(path))
    if end.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return end


def _replace(path: Path, data: bytes) -> None:
    before = path.stat() if path.exists() else None
    if before and not os.access(path, os.W_OK):  # to rename needs no leave of the file's
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    written = path.with_name(f".writing-{secrets.token_hex(8)}")
    try:
        with open(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(data)
        if before:
            written.chmod(stat.S_IMODE(before.st_mode))
        os.replace(written, path)
    except BaseException:
        with contextlib.suppress(OSError):
            written.unlink()
        raise
