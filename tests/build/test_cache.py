"""The cache: addressed by content, written atomically, never led astray, safe for several at once."""

from __future__ import annotations

import errno
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.build import cache as module
from harness.build.cache import Blob, Cache, make_key, sha256_hex
from harness.errors import EnvironmentFault, UsageError
from harness.model import exit_code, plain_file

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = b"an artifact"
KEY = make_key({"what": "a test"})


@pytest.fixture
def notices():
    return []


@pytest.fixture
def store(tmp_path, notices):
    return Cache(tmp_path / "cache", notices.append)


def fill(store: Cache) -> Path:
    return store.put(KEY, {"mef": DATA})["mef"].path


def held(store: Cache) -> bytes | None:
    blobs = store.get(KEY, ["mef"])
    return blobs["mef"].data if blobs else None


def test_what_was_stored_is_found(store, notices):
    """An entry, its blob, and nothing half-written beside them."""
    assert store.get(KEY, ["mef"]) is None
    assert fill(store).read_bytes() == DATA
    assert store.get(KEY, ["mef"]) == {"mef": Blob(store.root / "blobs" / sha256_hex(DATA), DATA)}
    assert store.put(KEY, {"a": b"1", "b": b"1"}) == store.get(KEY, ["b", "a"])
    assert not list(store.root.rglob(".writing-*")) and not notices


def test_a_blob_that_another_entry_has_too_is_read_once(store, notices):
    other, shared = make_key({"what": "another"}), dict[str, Blob]()
    path = fill(store)
    store.put(other, {"mef": DATA, "number": b"2"})
    first = store.get(KEY, ["mef"], shared)
    path.unlink()

    second = store.get(other, ["mef", "number"], shared)

    assert first and second and second["mef"] is first["mef"] and second["number"].data == b"2"
    assert store.get(KEY, ["mef"]) is None and notices


def test_a_key_depends_on_every_fact_and_on_no_order():
    """The same facts in another order have the same key; any other fact changes it."""
    assert make_key({"a": 1, "b": 2}) == make_key({"b": 2, "a": 1})
    assert len({make_key(facts) for facts in ({"a": 1}, {"a": 2}, {"b": 1}, {"a": 1, "b": None})}) == 4


@pytest.mark.parametrize("damage", ["entry", "edited", "blob", "lost"])
def test_a_corrupt_entry_is_dropped_with_one_line(store, notices, damage):
    """Whatever was damaged, the entry is gone, one line says so, and it can be stored again."""
    blob, entry = fill(store), store.root / "entries" / f"{KEY}.json"
    if damage == "entry":
        entry.write_text("{")
    elif damage == "edited":
        entry.write_text(entry.read_text().replace('"mef"', '"other"'))
    elif damage == "blob":
        blob.write_bytes(b"damaged")
    else:
        blob.unlink()
    assert held(store) is None
    assert notices == [f"the cache entry {KEY[:12]} is corrupt: building it again."]
    fill(store)
    assert held(store) == DATA and len(notices) == 1


def test_notices_go_to_stderr(tmp_path, capsys):
    """stdout holds the documented lines and nothing else."""
    store = Cache(tmp_path)
    fill(store).write_bytes(b"")
    assert held(store) is None
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1


@pytest.mark.parametrize(("code", "said"), [(errno.EROFS, "Read-only file"), (errno.ENOSPC, "No space")])
def test_a_read_only_or_full_directory(store, monkeypatch, code, said):
    """Nothing can be stored, and one sentence says what to do; what is there is still found."""
    fill(store)

    def refuse(place, mode, **more):
        if mode != "rb":
            raise OSError(code, os.strerror(code))
        return open(place, mode, **more)

    monkeypatch.setattr(plain_file, "open", refuse, raising=False)
    sentence = rf"cannot write to the cache .*{said}.*HARNESS_CACHE"
    with pytest.raises(EnvironmentFault, match=sentence) as caught:
        store.require_writable()
    assert exit_code.code_of_error(caught.value) != 0
    assert held(store) == DATA


def test_what_is_stored_is_read_by_whom_the_umask_permits(store):
    before = os.umask(0o077)
    try:
        fill(store)
    finally:
        os.umask(before)

    modes = {path.stat().st_mode & 0o777 for path in store.root.rglob("*") if path.is_file()}
    assert modes == {0o600}


def test_a_disk_that_fills_up_while_writing(store, monkeypatch):
    """The half-written file is removed."""

    def refuse(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(module.os, "replace", refuse)
    with pytest.raises(EnvironmentFault, match="No space left"):
        fill(store)
    assert not [path for path in store.root.rglob("*") if path.is_file()]


def test_a_directory_that_cannot_be(tmp_path):
    """A file where the directory should be."""
    (tmp_path / "file").write_text("")
    store = Cache(tmp_path / "file" / "cache")
    assert held(store) is None
    with pytest.raises(EnvironmentFault, match="cannot write to the cache"):
        store.require_writable()
    with pytest.raises(EnvironmentFault, match=r"cannot write to the cache .*Not a directory.*set HARNESS_CACHE"):
        store.build_locked({KEY: 1}, lambda _: None)


def test_the_directory_comes_from_the_environment(monkeypatch, tmp_path):
    """`$HARNESS_CACHE`, else `.cache` of a checkout, else the user's own; what is no path is said."""
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path))
    assert Cache.default().root == tmp_path
    monkeypatch.setenv("HARNESS_CACHE", "~")
    assert Cache.default().root == Path.home()
    monkeypatch.setenv("HARNESS_CACHE", "~nobody-of-that-name/x")
    with pytest.raises(UsageError, match="HARNESS_CACHE is '~nobody-of-that-name/x', and there is no such user: give"):
        Cache.default()
    monkeypatch.setenv("HARNESS_CACHE", "")
    assert Cache.default().root == ROOT / ".cache"
    monkeypatch.setattr(module, "INSTALLED", True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    if sys.platform == "linux":
        assert Cache.default().root == tmp_path / "caches" / "mojo-gpu-puzzles-harness"


@pytest.mark.parametrize("named", ["", "~", "~/cache"])
def test_a_user_without_a_home_is_told_so(monkeypatch, named):
    """As in a container, by an id that the system does not list."""
    monkeypatch.setenv("HARNESS_CACHE", named)
    monkeypatch.setattr(module, "INSTALLED", True)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    with pytest.raises(EnvironmentFault, match=r"there is no home folder for the cache: .* HARNESS_CACHE to a folder"):
        Cache.default()


def entry_of(blobs) -> bytes:
    return json.dumps({"digest": make_key(blobs) if isinstance(blobs, dict) else "", "blobs": blobs}).encode()


@pytest.mark.parametrize(
    "raw",
    [
        entry_of({"mef": "../../secret"}),
        entry_of({"mef": "/etc/passwd"}),
        entry_of({"mef": ""}),
        entry_of({"mef": sha256_hex(DATA)[:-1] + "/"}),
        entry_of({"mef": sha256_hex(DATA), "more": sha256_hex(DATA)}),
        entry_of({"llvm": sha256_hex(DATA)}),
        entry_of({}),
        entry_of([sha256_hex(DATA)]),
        entry_of({"mef": None}),
        entry_of({"mef": [sha256_hex(DATA)]}),
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b"null",
        b"1" * 5000,
        b"",
    ],
    ids=lambda raw: raw[:40].decode(errors="replace"),
)
def test_an_entry_leads_nowhere_else(store, notices, tmp_path, raw):
    """It names its blobs by digests alone, each role that is asked for and no other; a right digest does not help."""
    fill(store)
    (tmp_path / "secret").write_bytes(DATA)
    (store.root / "entries" / f"{KEY}.json").write_bytes(raw)
    assert held(store) is None and len(notices) == 1
    fill(store)
    assert held(store) == DATA


OBSTACLES = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "full folder": lambda path: (path / "more").mkdir(parents=True),
    "link to nothing": lambda path: path.symlink_to("nothing"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "link elsewhere": lambda path: (path.with_name("real").write_bytes(DATA), path.symlink_to("real")),
    "file": lambda path: path.write_bytes(b"x"),
}
PLACES = {
    "entry": f"entries/{KEY}.json",
    "blob": f"blobs/{sha256_hex(DATA)}",
    "lock": f"locks/{KEY}.lock",
    "entries": "entries",
    "blobs": "blobs",
    "locks": "locks",
}


@pytest.mark.parametrize(("place", "obstacle"), [*itertools.product(PLACES, OBSTACLES)])
def test_whatever_lies_there_is_a_sentence_at_most(store, monkeypatch, place, obstacle):
    """No hang, no other error: the entry is built again, or it is said what is in the way."""
    fill(store)
    path = store.root / PLACES[place]
    subprocess.run(["rm", "-rf", str(path)], check=True)
    path.parent.mkdir(exist_ok=True)
    OBSTACLES[obstacle](path)
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.1)

    def late(*_):
        raise AssertionError("it hangs")

    previous = signal.signal(signal.SIGALRM, late)
    signal.alarm(20)
    try:
        assert place in ("lock", "locks") or held(store) is None
        store.require_writable()
        store.build_locked({KEY: store}, lambda _: fill(store))
        assert held(store) == DATA
    except EnvironmentFault as error:
        assert f"the cache {store.root} (" in str(error) and "set HARNESS_CACHE" in str(error)
        assert place not in ("entry", "blob") or "folder" in obstacle, "it could have been put right"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


@pytest.mark.skipif(os.getuid() != 0, reason="only the superuser can give a file away")
@pytest.mark.parametrize("place", ["entry", "blob"])
def test_what_another_user_wrote_does_not_count(store, notices, place):
    """Unless the folder is theirs: then it is their cache."""
    fill(store)
    os.chown(store.root / PLACES[place], 12345, 12345)
    assert held(store) is None and len(notices) == 1
    fill(store)
    assert held(store) == DATA
    os.chown(store.root, 12345, 12345)
    os.chown(store.root / PLACES[place], 12345, 12345)
    assert held(store) == DATA


HOLDER = (
    "import sys; from pathlib import Path; from harness.build.cache import Cache\n"
    "def build(parts): print('held', flush=True); sys.stdin.readline()\n"
    "Cache(Path(sys.argv[1])).build_locked({sys.argv[2]: 1}, build)"
)


@pytest.fixture
def holder(store):
    """Another process that builds the entry of `KEY` until it is told to end."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(store.root), KEY],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_the_same_is_not_built_twice_at_once(store, notices, holder):
    """What nobody else builds is not kept waiting; the rest has its turn when the other process has died."""
    turns = []

    def build(parts):
        turns.append((parts, len(notices)))

    def end(line):
        notices.append(line)
        holder.kill()
        holder.wait()

    others = {make_key({"what": number}): number for number in range(2)}
    Cache(store.root, end).build_locked({KEY: "busy", **others}, build)
    assert turns == [([0, 1], 0), (["busy"], 1)]
    assert notices == ["another process builds the same: waiting for it, at most 120 s."]
    assert not list((store.root / "locks").iterdir()), "no lock is left"


@pytest.mark.slow
def test_a_build_without_end_delays_nobody_for_long(store, notices, holder, monkeypatch):
    """Then it is built here too: what is written is written whole, by both."""
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.3)
    turns = []
    start = time.monotonic()
    store.build_locked({KEY: "busy", make_key({}): "free"}, turns.append)
    assert turns == [["free"], ["busy"]] and 0.3 <= time.monotonic() - start < 10
    assert notices[1:] == ["the other process has not finished: building it here too."]
    assert holder.poll() is None


def test_a_failed_build_holds_no_lock(store, notices):
    def fail(_):
        raise EnvironmentFault("the disk is full")

    for _ in range(2):
        with pytest.raises(EnvironmentFault, match="the disk is full"):
            store.build_locked({KEY: 1}, fail)
    assert not notices
