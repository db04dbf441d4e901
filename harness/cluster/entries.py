"""Transfer cache entries between hosts: describe them by digests, pack missing blobs, verify and store them.

An order names what it needs by the cache's keys and by the digests of the contents. A worker that lacks some says so
and is sent them; whoever has them already is sent nothing.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Collection, Mapping

from harness.build.cache import Blob, Cache, sha256_hex

__all__ = ["Entries", "Roles", "describe_entries", "pack_blobs", "store_entries"]

Roles = Mapping[str, Collection[str]]  # by the key of an entry, what its blobs are for
Entries = dict[str, dict[str, str]]  # by the key of an entry, the digest of each blob
MAX_BYTES = 1 << 28  # of an artifact


def describe_entries(cache: Cache, requested: Roles) -> Entries:
    """Return those of the requested entries that the cache has, with the digests of their blobs by role."""
    return {
        key: {role: blob.path.name for role, blob in found_blobs.items()}
        for key, found_blobs in _load_blobs(cache, requested).items()
    }


def pack_blobs(cache: Cache, requested: Roles, digests: Collection[str]) -> dict[str, str]:
    """Return those blobs of the requested cache entries that have these digests: by digest, compressed, in base64.

    A digest that no entry has is left out.
    """
    blobs = {blob.path.name: blob for entry in _load_blobs(cache, requested).values() for blob in entry.values()}
    return {name: base64.b64encode(zlib.compress(blobs[name].data, 1)).decode() for name in digests if name in blobs}


def store_entries(cache: Cache, entries: Mapping[str, Mapping[str, str]], blobs: Mapping[str, str]) -> list[str]:
    """Store each entry whose blobs all arrived, and return the digests of the other entries' missing blobs.

    An entry that the cache has already is left alone, and misses nothing. A digest may occur twice in the result.

    Args:
        cache: The cache to store them in.
        entries: The entries that are needed, as `describe_entries` returns them.
        blobs: From `pack_blobs`; one whose contents differ from its digest counts as missing.
    """
    missing = []
    for key, names in entries.items():
        if cache.get(key, names) is not None:
            continue
        contents = {role: _unpack(name, blobs.get(name, "")) for role, name in names.items()}
        valid = {role: data for role, data in contents.items() if data is not None}
        if len(valid) == len(names):
            cache.put(key, valid)
        else:
            missing += [name for role, name in names.items() if role not in valid]
    return missing


def _load_blobs(cache: Cache, requested: Roles) -> dict[str, dict[str, Blob]]:
    entries = {key: cache.get(key, roles) for key, roles in requested.items()}
    return {key: blobs for key, blobs in entries.items() if blobs is not None}


def _unpack(name: str, text: str) -> bytes | None:
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(text), MAX_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        return None
    return data if sha256_hex(data) == name else None
