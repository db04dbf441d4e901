"""The cache: addressed by content, written atomically, safe for two at once."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness.build import cache as module
from harness.build.cache import Cache, digest, key_of
from harness.errors import EnvironmentFault
from harness.model import exit_code

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = b"an artifact"
KEY = key_of({"what": "a test"})


@pytest.fixture
def notices():
    return []


@pytest.fixture
def store(tmp_path, notices):
    return Cache(tmp_path / "cache", notices.append)


def fill(store: Cache) -> Path:
    store.put(KEY, {"mef": digest(DATA)}, {digest(DATA): DATA})
    return store.blob(digest(DATA))


def test_what_was_stored_is_found(store, notices):
    """An entry, its blob, and nothing half-written beside them."""
    assert store.get(KEY) is None
    assert fill(store).read_bytes() == DATA
    assert store.get(KEY) == {"mef": digest(DATA)}
    assert not list(store.root.rglob(".writing-*")) and not notices


def test_a_key_depends_on_every_fact_and_on_no_order():
    """The same facts in another order have the same key; any other fact changes it."""
    assert key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1})
    assert len({key_of(facts) for facts in ({"a": 1}, {"a": 2}, {"b": 1}, {"a": 1, "b": None})}) == 4


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
    assert store.get(KEY) is None
    assert notices == [f"the cache entry {KEY[:12]} is corrupt: building it again."]
    fill(store)
    assert store.get(KEY) == {"mef": digest(DATA)} and len(notices) == 1


def test_notices_go_to_stderr(tmp_path, capsys):
    """stdout holds the documented lines and nothing else."""
    store = Cache(tmp_path)
    fill(store).write_bytes(b"")
    assert store.get(KEY) is None
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1


@pytest.mark.parametrize(("code", "said"), [(errno.EROFS, "Read-only file"), (errno.ENOSPC, "No space")])
def test_a_read_only_or_full_directory(store, monkeypatch, code, said):
    """Nothing can be stored, and one sentence says what to do; what is there is still found."""
    fill(store)

    def refuse(*_, **__):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    sentence = rf"cannot write to the cache .*{said}.*HARNESS_CACHE"
    with pytest.raises(EnvironmentFault, match=sentence) as caught:
        store.require_writable()
    assert exit_code.of_error(caught.value) != 0
    assert store.get(KEY) == {"mef": digest(DATA)}


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
    assert store.get(KEY) is None
    with pytest.raises(EnvironmentFault, match="cannot write to the cache"):
        store.require_writable()
    with pytest.raises(EnvironmentFault, match="cannot write to the cache"), store.lock("x"):
        pass


def test_the_directory_comes_from_the_environment(monkeypatch, tmp_path):
    """`$HARNESS_CACHE`, else `.cache` beside the harness."""
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path))
    assert Cache.default().root == tmp_path
    monkeypatch.delenv("HARNESS_CACHE")
    assert Cache.default().root == ROOT / ".cache"


def test_a_lock_keeps_another_process_out(store, notices):
    """The second waits, says so once, and gets its turn when the first has died."""
    script = (
        "import sys; from pathlib import Path; from harness.build.cache import Cache\n"
        "with Cache(Path(sys.argv[1])).lock('mef-nvidia:sm_90'):\n"
        "    print('held', flush=True); sys.stdin.readline()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(store.root)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout.readline() == b"held\n"

        def end(line: str) -> None:
            notices.append(line)
            other.kill()

        with Cache(store.root, end).lock("mef-nvidia:sm_90"):
            assert other.wait() != 0
    assert notices == ["another build of mef-nvidia:sm_90 is under way: waiting for it."]
