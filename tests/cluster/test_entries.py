"""Artifacts travel by what is in them: sent where they lack, believed as far as the digest agrees."""

from __future__ import annotations

import base64
import zlib

from harness.build.cache import Cache, sha256_hex
from harness.cluster.entries import describe_entries, pack_blobs, store_entries

KEY, ROLES = "k" * 64, {"k" * 64: ["codes"]}


def caches(tmp_path):
    here, there = Cache(tmp_path / "here"), Cache(tmp_path / "there")
    here.put(KEY, {"codes": b"code" * 1000})
    return here, there


def test_a_worker_that_lacks_something_says_so_and_is_sent_it_once(tmp_path):
    here, there = caches(tmp_path)
    held = describe_entries(here, ROLES)

    lacking = store_entries(there, held, {})
    blobs = pack_blobs(here, ROLES, lacking)

    assert lacking == [sha256_hex(b"code" * 1000)] and len(blobs[lacking[0]]) < 200, "compressed"
    assert store_entries(there, held, blobs) == []
    assert there.get(KEY, ["codes"])["codes"].data == b"code" * 1000
    assert store_entries(there, held, {}) == [], "whoever has it is sent nothing"


def test_what_is_not_what_its_digest_says_is_not_kept(tmp_path):
    here, there = caches(tmp_path)
    held = describe_entries(here, ROLES)
    (name,) = held[KEY].values()

    for text in ("", "!", base64.b64encode(zlib.compress(b"other")).decode(), base64.b64encode(b"no zlib").decode()):
        assert store_entries(there, held, {name: text}) == [name]
        assert there.get(KEY, ["codes"]) is None


def test_what_is_not_here_is_neither_described_nor_packed(tmp_path):
    _, there = caches(tmp_path)

    assert describe_entries(there, ROLES) == {} and pack_blobs(there, ROLES, ["d"]) == {}
