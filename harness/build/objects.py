"""Machine code of the simulator's, kept in the cache."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from harness.build.cache import Cache, key_of
from harness.errors import EnvironmentFault

__all__ = ["CachedObjects"]

_ROLE = "object"


@dataclass(frozen=True, slots=True)
class CachedObjects:
    """The `objects` of `harness.simt.Options`, in a cache. One that cannot be written keeps nothing."""

    cache: Cache

    def get(self, key: str) -> bytes | None:
        """An object of the host, or None if it was not kept."""
        blobs = self.cache.get(_key(key), [_ROLE])
        return None if blobs is None else blobs[_ROLE].data

    def put(self, key: str, code: bytes) -> None:
        """Keeps one."""
        with contextlib.suppress(EnvironmentFault):
            self.cache.put(_key(key), {_ROLE: code})


def _key(key: str) -> str:
    return key_of({"machine code": key})
