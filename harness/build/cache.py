"""`Cache`, on disk and content-addressed: get and put blobs by key, lock builds, refuse damaged or foreign files.

A key is a digest of everything that its entry depends on. The cache lies in `$HARNESS_CACHE`, else in
`.cache` of a checkout, else in the user's cache folder.

    entries/<key>.json     the digests of its blobs, by role
    blobs/<digest>         artifacts; each is named by the digest of its bytes
    locks/<key>.lock       held while something is built

Everything is written to a temporary file and renamed, so a reader never sees half a file and needs no lock: a lock only
avoids doing the same work twice. A read-only cache still answers from its entries.

What lies here is executed. Digests show damage, not malice, since anybody can compute them: so only what this user, the
superuser or the owner of the folder wrote counts, and whoever can write as one of them can run code as this user.
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
from harness.model.plain_file import read_plain_file, write_whole
from harness.model.sources import INSTALLED, ROOT

__all__ = ["MAX_BYTES", "Blob", "Cache", "make_key", "sha256_hex"]

Notify = Callable[[str], None]
T = TypeVar("T")
LOCK_SECONDS = 120.0  # a build takes seconds, on a busy machine a minute or two
GATE_SECONDS = 5.0  # it is held for milliseconds
MAX_BYTES = 1 << 32  # of a file here; more is none of ours
_PROBE_BYTES = 1 << 20  # more than most entries take: a disk with less room would be full after the work
_DIGEST = re.compile(r"[0-9a-f]{64}")


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def make_key(facts: Mapping[str, Any]) -> str:
    """Return the key of an entry that depends on exactly these facts.

    Args:
        facts: Plain JSON values; the order of the keys does not matter.
    """
    return sha256_hex(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode())


@dataclass(frozen=True, slots=True)
class Blob:
    """A stored artifact as it was when it was looked up: its path and its bytes."""

    path: Path
    data: bytes

    @property
    def text(self) -> str:
        """The bytes decoded as UTF-8, with replacement characters."""
        return self.data.decode(errors="replace")


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache directory.

    Attributes:
        root: Its path; it is made at the first write.
        notify: Called with one line when an entry is corrupt and will be built again.
    """

    root: Path
    notify: Notify = _to_stderr

    @classmethod
    def default(cls, notify: Notify = _to_stderr) -> Cache:
        """Return the cache in `$HARNESS_CACHE`, else in a checkout's `.cache`, else in the user's cache folder.

        Nothing is made there yet. An empty `$HARNESS_CACHE` counts as not set.

        Raises:
            UsageError: `$HARNESS_CACHE` begins with `~NAME`, and there is no such user.
            EnvironmentFault: The user has no home folder.
        """
        variable = os.environ.get("HARNESS_CACHE")
        try:
            return cls(Path(variable).expanduser().absolute() if variable else _default_root(), notify)
        except RuntimeError:  # what comes after the tilde is no user
            if not variable or variable.partition("/")[0] == "~":
                raise EnvironmentFault(
                    "there is no home folder for the cache: HOME is not set, and this user is not in the system's "
                    "list (passwd). Set HOME, or HARNESS_CACHE to a folder."
                ) from None
            raise UsageError(f"HARNESS_CACHE is {variable!r}, and there is no such user: give a path.") from None

    def get(self, key: str, roles: Collection[str], shared: dict[str, Blob] | None = None) -> dict[str, Blob] | None:
        """Return the blobs of an entry by role, or None if it is missing or corrupt.

        An entry is corrupt if its own digest or that of a blob does not match, if its roles are others, if a blob is
        missing, or if a file is no regular file or another user's. Then `notify` is called, and the entry is deleted,
        but none of its blobs.

        Args:
            key: From `make_key`.
            roles: The roles of the blobs.
            shared: Blobs of other entries by digest, which are not read again; those of this entry are added.

        Raises:
            EnvironmentFault: The directory cannot be read.
        """
        path = self.root / "entries" / f"{key}.json"
        try:
            raw = self._read(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._make_fault("read", error) from None
        names = _parse_entry(raw) if raw is not None else None
        if names is not None and set(names) == set(roles):
            shared, blobs = {} if shared is None else shared, {}
            for role, name in names.items():
                if (blob := shared.get(name) or self._read_blob(name)) is None:
                    break
                blobs[role] = shared[name] = blob
            else:
                return blobs
        self.notify(f"the cache entry {key[:12]} is corrupt: building it again.")
        _delete(path)
        return None

    def put(self, key: str, blobs: Mapping[str, bytes]) -> dict[str, Blob]:
        """Store an entry, in place of one with this key; blobs that are there intact are not written again.

        Args:
            key: From `make_key`.
            blobs: The bytes by role.

        Returns:
            What `get` would return.

        Raises:
            EnvironmentFault: The directory is read-only or full.
        """
        stored = {}
        for role, data in blobs.items():
            stored[role] = Blob(self._blob_path(sha256_hex(data)), data)
            if self._read_blob(sha256_hex(data)) is None:
                self._write(stored[role].path, data)
        names = {role: blob.path.name for role, blob in stored.items()}
        entry = {"digest": make_key(names), "blobs": names}
        self._write(self.root / "entries" / f"{key}.json", json.dumps(entry, indent=1).encode())
        return stored

    def require_writable(self) -> None:
        """Write a probe of 1 MiB and delete it, to find out before a compilation whether its result could be stored.

        Raises:
            EnvironmentFault: The directory is read-only or full.
        """
        probe = self.root / "locks" / f"probe-{os.getpid()}"
        self._write(probe, b"x" * _PROBE_BYTES)
        _delete(probe)

    def build_locked(self, items: Mapping[str, T], build: Callable[[list[T]], None]) -> None:
        """Build items while no other process builds the same; waits up to `LOCK_SECONDS` in all for other processes.

        Args:
            items: The items by key.
            build: Called with all items that nobody else is building, if any, their locks held. Then called with each
                of the others as a list of one: locked once the other process has finished, or without the lock when
                the time is up. `build` must look into the cache itself: the other process may have stored the item.

        Raises:
            EnvironmentFault: The directory is read-only or full.
        """
        with contextlib.ExitStack() as locks:
            with contextlib.ExitStack() as gate:  # or two that want the same would get a part each
                self._lock("gate", GATE_SECONDS, gate)
                busy = [key for key in items if not self._lock(key, 0.0, locks)]
            if free := [item for key, item in items.items() if key not in busy]:
                build(free)
        deadline = time.monotonic() + LOCK_SECONDS
        if busy:
            self.notify(f"another process builds the same: waiting for it, at most {LOCK_SECONDS:.0f} s.")
        for key in busy:
            with contextlib.ExitStack() as locks:
                if not self._lock(key, max(0.0, deadline - time.monotonic()), locks):
                    self.notify("the other process has not finished: building it here too.")
                build([items[key]])

    def _lock(self, key: str, seconds: float, locks: contextlib.ExitStack) -> bool:
        """Take an entry's lock for as long as `locks` is open; False if another process holds it after `seconds`.

        The lock's file is deleted when `locks` closes. Raises EnvironmentFault if it cannot be written.
        """
        from filelock import FileLock, Timeout  # takes longer to import than a build that has nothing to do

        path = self.root / "locks" / f"{key}.lock"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            locks.enter_context(FileLock(path, timeout=seconds))
        except Timeout:
            return False
        except OSError as error:
            raise self._make_fault("write to", error) from None
        locks.callback(_delete, path)  # while it is held: who waits for it notices
        return True

    def _blob_path(self, name: str) -> Path:
        return self.root / "blobs" / name

    def _read_blob(self, name: str) -> Blob | None:
        """Return the blob with digest `name`; None if it is missing, unreadable, damaged or not a trusted user's."""
        path = self._blob_path(name)
        try:
            data = self._read(path)
        except OSError:
            return None
        return Blob(path, data) if data is not None and sha256_hex(data) == name else None

    def _read(self, path: Path) -> bytes | None:
        """Return the contents of a regular file of a trusted owner; None for anything else.

        Raises:
            OSError: It is missing, or may not be read.
        """
        return read_plain_file(path, MAX_BYTES, (os.getuid(), 0, self.root.stat().st_uid))

    def _write(self, path: Path, data: bytes) -> None:
        try:
            write_whole(path, data)
        except OSError as error:
            raise self._make_fault("write to", error) from None

    def _make_fault(self, verb: str, error: OSError) -> EnvironmentFault:
        where = error.filename2 or error.filename or self.root
        return EnvironmentFault(
            f"cannot {verb} the cache {self.root} ({error.strerror}: {where}): "
            "fix that, or set HARNESS_CACHE to another directory."
        )


def _delete(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _default_root() -> Path:
    if not INSTALLED:
        return ROOT / ".cache"
    from platformdirs import user_cache_path

    return user_cache_path("mojo-gpu-puzzles-harness", appauthor=False)


def _parse_entry(raw: bytes) -> dict[str, str] | None:
    """Return the digests of an entry's blobs, by role; None if the entry is damaged, or its own digest is another."""
    try:
        entry = json.loads(raw)
        names = dict(entry["blobs"])
        is_intact = entry["digest"] == make_key(names) and all(_DIGEST.fullmatch(name) for name in names.values())
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return names if is_intact else None
