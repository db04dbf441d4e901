"""Replace a file atomically, following links; terminals and pipes are written directly (see `plain_file`)."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

__all__ = ["replace_file"]

_DEVICES = (Path("/dev"), Path("/proc"))  # `/dev/stdout` is an open file, whose name may lead to a plain one


def replace_file(path: Path, data: bytes) -> None:
    """Write a file atomically, in a folder that exists; a link stays, and its target is written.

    A terminal, a pipe or another special file is written directly. The file's mode is kept.

    Args:
        path: The file.
        data: Its new content.

    Raises:
        OSError: It cannot be written, or may not be (its mode); names `path`.
    """
    try:
        if any(map(path.absolute().is_relative_to, _DEVICES)) or (path.exists() and not path.is_file()):
            path.write_bytes(data)
        else:
            _replace_plain(_resolve_links(path), data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _resolve_links(path: Path) -> Path:
    """Return the absolute path that a path leads to, with all links followed, whether or not it exists.

    Raises:
        OSError: The links lead in a circle.
    """
    end = Path(os.path.realpath(path))
    if end.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return end


def _replace_plain(path: Path, data: bytes) -> None:
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
