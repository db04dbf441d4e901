"""`CachedObjects`, the object store of `harness.simt.Options`: keep the simulator's machine code in the cache."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from harness.build.cache import Cache, make_key
from harness.errors import EnvironmentFault

__all__ = ["CachedObjects"]

_ROLE = "object"


@dataclass(frozen=True, slots=True)
class CachedObjects:
    """The object store that `harness.simt.Options` takes, kept in a cache; a cache that cannot be written stores
    nothing.
    """

    cache: Cache

    def get(self, key: str) -> bytes | None:
        """Return the object code with this key, or None if it is not stored.

        Raises EnvironmentFault if the cache cannot be read.
        """
        blobs = self.cache.get(_key(key), [_ROLE])
        return None if blobs is None else blobs[_ROLE].data

    def put(self, key: str, code: bytes) -> None:
        """Store object code; do nothing if the cache cannot be written."""
        with contextlib.suppress(EnvironmentFault):
            self.cache.put(_key(key), {_ROLE: code})


def _key(key: str) -> str:
    return make_key({"machine code": key})
