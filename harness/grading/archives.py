"""Read chosen files of a stranger's zip or tar archive, in memory; refuse unsafe paths, links and large files."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

__all__ = ["MOST_BYTES", "SUFFIXES", "ArchiveError", "Wanted", "files_in", "stem"]

Wanted = Callable[[PurePosixPath], bool]
SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
# What else people pack with: somebody handed it in, so it is told, not passed by.
OTHERS = (".rar", ".7z", ".tar.zst", ".zst", ".gz", ".bz2", ".xz", ".tbz2", ".txz", ".tar.lz4", ".tar.lzma", ".tar.br")
MOST_BYTES = 32 << 20  # of an archive, packed or not: submissions are a few kilobytes
MOST_ENTRIES = 2000
_PIECE = 1 << 20  # that is unpacked at a time
MOST_MEMORY = 128 << 20  # that an archive may ask for to be unpacked
_ZIPPED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1  # a bit of an entry's flags
_ERRORS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    NotImplementedError,
)
_CUT = "it is damaged (cut off)"
_OUTSIDE = "its path leads out of the archive"


class ArchiveError(Exception):
    """An archive that cannot be read, or should not be."""


def stem(name: str) -> str | None:
    """Return a file's name without its archive suffix, which may be in capitals; None if it has no such suffix.

    Suffixes of kinds that `files_in` does not read count too. Only the name is looked at, not the file.
    """
    suffixes = sorted((*SUFFIXES, *OTHERS), key=len, reverse=True)
    suffix = next((suffix for suffix in suffixes if name.lower().endswith(suffix)), None)
    return name[: -len(suffix)] if suffix else None


def _leads_out(name: PurePosixPath) -> bool:
    """Return whether a path is absolute or contains `..`: unpackers refuse such a file, or write it elsewhere."""
    return name.is_absolute() or ".." in name.parts


def files_in(path: Path, most_bytes: int, is_wanted: Wanted) -> Iterator[tuple[PurePosixPath, bytes | str]]:
    """Yield the wanted files of an archive, read in memory.

    Args:
        path: The archive.
        most_bytes: The limit of a file, unpacked.
        is_wanted: Returns whether to read a file of this name.

    Yields:
        The name inside the archive, and its contents, or as text the reason why they are not read (larger than
        `most_bytes`, a link, a password, a path out of the archive, ...).

    Raises:
        ArchiveError: The archive is damaged, of a kind not in `SUFFIXES`, larger than 32 MiB (packed, or a tar
            unpacked), or has more than 2000 entries; raised while iterating. Files that were yielded before count.
    """
    if not path.name.lower().endswith(SUFFIXES):
        raise ArchiveError(f"it is packed in another way than {', '.join(SUFFIXES)}")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ArchiveError(f"it has more than {MOST_BYTES >> 20} MiB")
        if path.name.lower().endswith(".zip"):
            yield from _zipped(path, most_bytes, is_wanted)
        else:
            yield from _tarred(path, most_bytes, is_wanted)
    except _ERRORS as error:
        raise ArchiveError(_damaged(error)) from None


def _zipped(path: Path, most_bytes: int, is_wanted: Wanted) -> Iterator[tuple[PurePosixPath, bytes | str]]:
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_ENTRIES:
            raise ArchiveError(f"it has more than {MOST_ENTRIES} entries")
        for entry in entries:
            kind = entry.external_attr >> 28  # of a file from Unix: 8 is a plain one, 10 a link
            name = PurePosixPath(entry.filename.replace("\\", "/"))  # as some programs on Windows write it
            if entry.is_dir() or entry.filename.endswith("\\") or not is_wanted(name):
                continue
            if _leads_out(name):
                yield name, _OUTSIDE
            elif kind not in (0, 8):
                yield name, "it is a link or no plain file"
            elif entry.flag_bits & _ENCRYPTED:
                yield name, "it needs a password"
            elif entry.compress_type not in _ZIPPED:
                yield name, "it is compressed in an unusual way"
            elif entry.file_size > most_bytes:
                yield name, _too_large(most_bytes)
            else:
                try:
                    with archive.open(entry) as file:  # what the directory says of its size may be a lie
                        data = file.read(most_bytes + 1)
                except _ERRORS as error:  # each file has its own checksum: the others are whole
                    yield name, _damaged(error)
                else:
                    yield name, data if len(data) <= most_bytes else _too_large(most_bytes)


def _tarred(path: Path, most_bytes: int, is_wanted: Wanted) -> Iterator[tuple[PurePosixPath, bytes | str]]:
    contents, is_complete = _unpacked(path)
    if not contents and not is_complete:
        raise ArchiveError(_CUT)
    if len(contents) > MOST_BYTES:
        raise ArchiveError(f"it grows to more than {MOST_BYTES >> 20} MiB")
    with tarfile.open(fileobj=io.BytesIO(contents), mode="r:") as archive:
        for number, entry in enumerate(archive):
            if number >= MOST_ENTRIES:
                raise ArchiveError(f"it has more than {MOST_ENTRIES} entries")
            name = PurePosixPath(entry.name)
            if entry.isdir() or not is_wanted(name):
                continue
            if _leads_out(name):
                yield name, _OUTSIDE
                continue
            file = archive.extractfile(entry) if entry.isreg() and not entry.issparse() else None
            if file is None:
                yield name, "it is a link or no plain file"
            elif entry.size > most_bytes:
                yield name, _too_large(most_bytes)
            else:
                yield name, file.read()
        # `tarfile` takes a damaged header, and what is cut between two files, for the end: that is a block of nulls.
        last = contents[archive.offset : archive.offset + tarfile.BLOCKSIZE]
        if not last or not is_complete:
            raise ArchiveError(_CUT)
        if last.strip(b"\0"):
            raise ArchiveError("it is damaged (in the middle)")


def _unpacked(path: Path) -> tuple[bytes, bool]:
    """Return the unpacked bytes of a tar file, at most `MOST_BYTES` + 1, and False if the file is cut off.

    What comes before the cut is intact. Other damage could be in any file: then the library's error is
    raised as it is, and `files_in` converts it.
    """
    name = path.name.lower()
    if name.endswith(".xz"):
        decompressor = lzma.LZMADecompressor(memlimit=MOST_MEMORY)
        data = decompressor.decompress(path.read_bytes(), MOST_BYTES + 1)
        return data, decompressor.eof or len(data) > MOST_BYTES
    opened = gzip.open if name.endswith((".gz", ".tgz")) else bz2.open if name.endswith(".bz2") else open
    buffer = io.BytesIO()
    with opened(path, "rb") as stream:
        assert isinstance(stream, gzip.GzipFile | bz2.BZ2File | io.BufferedReader)
        try:
            # `read` would lose what came before the cut.
            while buffer.tell() <= MOST_BYTES and (chunk := stream.read1(min(_PIECE, MOST_BYTES + 1 - buffer.tell()))):
                buffer.write(chunk)
        except EOFError:
            return buffer.getvalue(), False
    return buffer.getvalue(), True


def _damaged(error: Exception) -> str:
    return f"it is damaged ({error or type(error).__name__})"


def _too_large(most_bytes: int) -> str:
    return f"it has more than {most_bytes >> 10} KiB"
