"""Compiled artifacts on their way: entries of the cache, sent only where they are lacking, and checked by content.

An order names what it needs by the cache's keys and by the digests of the contents. A worker that lacks some says so
and is sent them; whoever has them already is sent nothing.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Collection, Mapping

from harness.build.cache import Blob, Cache, digest

__all__ = ["Entries", "Roles", "described", "packed", "settled"]

Roles = Mapping[str, Collection[str]]  # by the key of an entry, what its blobs are for
Entries = dict[str, dict[str, str]]  # by the key of an entry, the digest of each blob
MOST_BYTES = 1 << 28  # of an artifact


def described(cache: Cache, wanted: Roles) -> Entries:
    """Return those of the wanted entries that the cache has, with the digests of their blobs by role."""
    return {key: {role: blob.path.name for role, blob in held.items()} for key, held in _held(cache, wanted).items()}


def packed(cache: Cache, wanted: Roles, digests: Collection[str]) -> dict[str, str]:
    """Blobs of some entries as text, by their digests."""
    blobs = {blob.path.name: blob for held in _held(cache, wanted).values() for blob in held.values()}
    return {name: base64.b64encode(zlib.compress(blobs[name].data, 1)).decode() for name in digests if name in blobs}


def settled(cache: Cache, entries: Mapping[str, Mapping[str, str]], blobs: Mapping[str, str]) -> list[str]:
    """Keeps what came, and says which digests are still lacking.

    Args:
        cache: Where they go.
        entries: What is needed.
        blobs: From `packed`; what is not what its digest says counts as lacking.
    """
    lacking = []
    for key, names in entries.items():
        if cache.get(key, names) is not None:
            continue
        contents = {role: _unpacked(name, blobs.get(name, "")) for role, name in names.items()}
        whole = {role: data for role, data in contents.items() if data is not None}
        if len(whole) == len(names):
            cache.put(key, whole)
        else:
            lacking += [name for role, name in names.items() if role not in whole]
    return lacking


def _held(cache: Cache, wanted: Roles) -> dict[str, dict[str, Blob]]:
    entries = {key: cache.get(key, roles) for key, roles in wanted.items()}
    return {key: blobs for key, blobs in entries.items() if blobs is not None}


def _unpacked(name: str, text: str) -> bytes | None:
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(text), MOST_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        return None
    return data if digest(data) == name else None
