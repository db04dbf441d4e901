"""A cache addressed by content: the key of an entry is a digest of all it depends on.

It lies in `$HARNESS_CACHE`, else in `.cache` of a checkout, else in the user's cache folder.

    entries/<key>.json     the digests of its blobs, by what each is for
    blobs/<digest>         artifacts; each is named by the digest of its bytes
    locks/<key>.lock       held while something is built

Everything is written to a temporary file and renamed, so a reader never sees half a file and needs no lock: a lock
only spares the same work done twice. A read-only cache still answers what it holds.

What lies here is executed. Digests show damage, not malice, since anybody can compute them: so only what this user,
the superuser or the owner of the folder wrote counts, and whoever can write as one of them can run code as this user.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from harness.errors import EnvironmentFault, UsageError
from harness.model.plain_file import plain_bytes, write_whole
from harness.model.sources import INSTALLED, ROOT

__all__ = ["MAX_BYTES", "Blob", "Cache", "digest", "key_of"]

Notify = Callable[[str], None]
T = TypeVar("T")
LOCK_SECONDS = 120.0  # a build takes seconds, on a busy machine a minute or two
GATE_SECONDS = 5.0  # it is held for milliseconds
MAX_BYTES = 1 << 32  # of a file here; more is none of ours
_PROBE_BYTES = 1 << 20  # more than most entries take: a disk with less room would be full after the work
_DIGEST = re.compile(r"[0-9a-f]{64}")


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def key_of(facts: Mapping[str, Any]) -> str:
    """The key of an entry that depends on exactly these facts.

    Args:
        facts: Plain JSON values; the order of the keys does not matter.
    """
    return digest(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode())


@dataclass(frozen=True, slots=True)
class Blob:
    """A stored artifact, as it was when it was looked up: where it lies, and its bytes."""

    path: Path
    data: bytes

    @property
    def text(self) -> str:
        """It as text."""
        return self.data.decode(errors="replace")


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache directory.

    Attributes:
        root: Where it lies; made when something is first written.
        notify: Gets one line when an entry is corrupt and will be built again.
    """

    root: Path
    notify: Notify = _to_stderr

    @classmethod
    def default(cls, notify: Notify = _to_stderr) -> Cache:
        """The cache of this machine's user; see above.

        Raises:
            UsageError: `$HARNESS_CACHE` is no path.
            EnvironmentFault: The user has no home folder.
        """
        named = os.environ.get("HARNESS_CACHE")
        try:
            return cls(Path(named).expanduser().absolute() if named else _usual(), notify)
        except RuntimeError:  # what comes after the tilde is no user
            if not named or named.partition("/")[0] == "~":
                raise EnvironmentFault(
                    "there is no home folder for the cache: HOME is not set, and this user is not in the system's "
                    "list (passwd). Set HOME, or HARNESS_CACHE to a folder."
                ) from None
            raise UsageError(f"HARNESS_CACHE is {named!r}, and there is no such user: give a path.") from None

    def get(self, key: str, roles: Collection[str]) -> dict[str, Blob] | None:
        """The blobs of an entry, or None if it is missing or corrupt.

        An entry is corrupt when its own digest or that of a blob does not match, when it is not for these roles, or
        when a file is none or is another user's; it is then dropped, with a notice.

        Args:
            key: From `key_of`.
            roles: What the blobs are for.

        Raises:
            EnvironmentFault: The directory cannot be read.
        """
        path = self.root / "entries" / f"{key}.json"
        try:
            raw = self._read(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._fault("read", error) from None
        names = _names(raw) if raw is not None else None
        if names is not None and set(names) == set(roles):
            blobs = {role: self._blob(name) for role, name in names.items()}
            sound = {role: blob for role, blob in blobs.items() if blob is not None}
            if len(sound) == len(blobs):
                return sound
        self.notify(f"the cache entry {key[:12]} is corrupt: building it again.")
        _forget(path)
        return None

    def put(self, key: str, blobs: Mapping[str, bytes]) -> dict[str, Blob]:
        """Stores an entry.

        Args:
            key: From `key_of`.
            blobs: By what each is for.

        Returns:
            What `get` would.

        Raises:
            EnvironmentFault: The directory is read-only or full.
        """
        stored = {}
        for role, data in blobs.items():
            stored[role] = Blob(self._place(digest(data)), data)
            if self._blob(digest(data)) is None:
                self._write(stored[role].path, data)
        names = {role: blob.path.name for role, blob in stored.items()}
        whole = {"digest": key_of(names), "blobs": names}
        self._write(self.root / "entries" / f"{key}.json", json.dumps(whole, indent=1).encode())
        return stored

    def require_writable(self) -> None:
        """Finds out before anything is compiled whether it could be stored.

        Raises:
            EnvironmentFault: The directory is read-only or full.
        """
        probe = self.root / "locks" / f"probe-{os.getpid()}"
        self._write(probe, b"x" * _PROBE_BYTES)
        _forget(probe)

    def in_turn(self, wanted: Mapping[str, T], build: Callable[[list[T]], None]) -> None:
        """Builds what is wanted, not while another process builds the same.

        Args:
            wanted: What is to be built, by its key.
            build: Is called with all that nobody is building now, then with each of the others: when it is done
                elsewhere, or when that takes `LOCK_SECONDS`.

        Raises:
            EnvironmentFault: The directory is read-only or full.
        """
        with contextlib.ExitStack() as held:
            with contextlib.ExitStack() as gate:  # or two that want the same would get a part each
                self._lock("gate", GATE_SECONDS, gate)
                busy = [key for key in wanted if not self._lock(key, 0.0, held)]
            if free := [part for key, part in wanted.items() if key not in busy]:
                build(free)
        deadline = time.monotonic() + LOCK_SECONDS
        if busy:
            self.notify(f"another process builds the same: waiting for it, at most {LOCK_SECONDS:.0f} s.")
        for key in busy:
            with contextlib.ExitStack() as held:
                if not self._lock(key, max(0.0, deadline - time.monotonic()), held):
                    self.notify("the other process has not finished: building it here too.")
                build([wanted[key]])

    def _lock(self, key: str, seconds: float, held: contextlib.ExitStack) -> bool:
        """Takes an entry's lock, which the operating system drops if this process dies; False if it stays taken."""
        from filelock import FileLock, Timeout  # takes longer to import than a build that has nothing to do

        path = self.root / "locks" / f"{key}.lock"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(FileLock(path, timeout=seconds))
        except Timeout:
            return False
        except OSError as error:
            raise self._fault("write to", error) from None
        held.callback(_forget, path)  # while it is held: who waits for it notices
        return True

    def _place(self, name: str) -> Path:
        return self.root / "blobs" / name

    def _blob(self, name: str) -> Blob | None:
        path = self._place(name)
        try:
            data = self._read(path)
        except OSError:
            return None
        return Blob(path, data) if data is not None and digest(data) == name else None

    def _read(self, path: Path) -> bytes | None:
        """The contents of a file; None for anything else, such as a link, a folder or a pipe, and for a stranger's.

        Raises:
            OSError: It is not there, or may not be read.
        """
        return plain_bytes(path, MAX_BYTES, (os.getuid(), 0, self.root.stat().st_uid))

    def _write(self, path: Path, data: bytes) -> None:
        try:
            write_whole(path, data)
        except OSError as error:
            raise self._fault("write to", error) from None

    def _fault(self, verb: str, error: OSError) -> EnvironmentFault:
        where = error.filename2 or error.filename or self.root
        return EnvironmentFault(
            f"cannot {verb} the cache {self.root} ({error.strerror}: {where}): "
            "mend that, or set HARNESS_CACHE to another directory."
        )


def _forget(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _usual() -> Path:
    if not INSTALLED:
        return ROOT / ".cache"
    from platformdirs import user_cache_path

    return user_cache_path("mojo-gpu-puzzles-harness", appauthor=False)


def _names(raw: bytes) -> dict[str, str] | None:
    """The digests of an entry's blobs, by role; None if it is damaged."""
    try:
        whole = json.loads(raw)
        names = dict(whole["blobs"])
        sound = whole["digest"] == key_of(names) and all(_DIGEST.fullmatch(name) for name in names.values())
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return names if sound else None
