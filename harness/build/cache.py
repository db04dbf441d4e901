"""A cache addressed by content: the key of an entry is a digest of all it depends on.

It lies in `$HARNESS_CACHE`, or else in `.cache` beside the harness.

    entries/<key>.json     what was built, and the digests of its blobs
    blobs/<digest>         artifacts; each is named by the digest of its bytes
    locks/<name>.lock      held while something is built, never removed

Everything is written to a temporary file and renamed, so a reader never sees
half a file and needs no lock.  A read-only cache still answers what it holds.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import EnvironmentFault
from harness.model.sources import ROOT

__all__ = ["Cache", "digest", "key_of"]

Notify = Callable[[str], None]


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
        """`$HARNESS_CACHE`, or `.cache` beside the harness."""
        named = os.environ.get("HARNESS_CACHE")
        return cls(Path(named).expanduser().absolute() if named else ROOT / ".cache", notify)

    def blob(self, name: str) -> Path:
        """Where the blob of that digest lies."""
        return self.root / "blobs" / name

    def get(self, key: str) -> dict[str, Any] | None:
        """The entry of a key, or None if it is missing or corrupt.

        An entry is corrupt when its own digest or that of a blob it names does
        not match; it is then dropped, with a notice.

        Raises:
            EnvironmentFault: The directory cannot be read.
        """
        path = self.root / "entries" / f"{key}.json"
        try:
            raw = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._fault("read", error) from None
        entry = _checked(raw)
        if entry is None or not all(self._intact(name) for name in entry["blobs"]):
            self.notify(f"the cache entry {key[:12]} is corrupt: building it again.")
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        content: dict[str, Any] = entry["content"]
        return content

    def put(self, key: str, content: Mapping[str, Any], blobs: Mapping[str, bytes] | None = None) -> None:
        """Stores an entry and the blobs that it names.

        Args:
            key: From `key_of`.
            content: Plain JSON values.
            blobs: By digest.

        Raises:
            EnvironmentFault: The directory is read-only or full.
        """
        for name, data in (blobs or {}).items():
            if not self._intact(name):
                self._write(self.blob(name), data)
        body = {"content": content, "blobs": sorted(blobs or {})}
        whole = {"digest": key_of(body), **body}
        self._write(self.root / "entries" / f"{key}.json", json.dumps(whole, indent=1).encode())

    def require_writable(self) -> None:
        """Finds out before anything is compiled whether it could be stored.

        Raises:
            EnvironmentFault: The directory is read-only or full.
        """
        probe = self.root / "locks" / f"probe-{os.getpid()}"
        self._write(probe, b"x" * 4096)
        with contextlib.suppress(OSError):
            probe.unlink()

    @contextlib.contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Holds a lock against every other process that builds the same thing.

        Args:
            name: What is built; the kernel drops the lock if the holder dies.
        """
        path = self.root / "locks" / f"{name.replace(':', '-')}.lock"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            held = path.open("a")
        except OSError as error:
            raise self._fault("write to", error) from None
        with held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.notify(f"another build of {name} is under way: waiting for it.")
                fcntl.flock(held, fcntl.LOCK_EX)
            yield

    def _intact(self, name: str) -> bool:
        try:
            return digest(self.blob(name).read_bytes()) == name
        except OSError:
            return False

    def _write(self, path: Path, data: bytes) -> None:
        temporary = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                os.fchmod(file.fileno(), 0o644)  # others may read what one user built
            os.replace(temporary, path)
        except OSError as error:
            if temporary is not None:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            raise self._fault("write to", error) from None

    def _fault(self, verb: str, error: OSError) -> EnvironmentFault:
        return EnvironmentFault(
            f"cannot {verb} the cache {self.root} ({error.strerror}): "
            "make it writable or set HARNESS_CACHE to another directory."
        )


def _checked(raw: bytes) -> dict[str, Any] | None:
    try:
        whole = json.loads(raw)
        body = {"content": whole["content"], "blobs": whole["blobs"]}
    except (ValueError, KeyError, TypeError):
        return None
    return body if whole.get("digest") == key_of(body) else None
