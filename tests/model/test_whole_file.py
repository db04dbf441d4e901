"""A file is written whole or not at all, and nothing is left beside it."""

from __future__ import annotations

import os
import re
import stat
import threading

import pytest

from harness.model.whole_file import replace_file


def test_a_file_holds_what_was_written_and_has_its_own_mode(tmp_path):
    path = tmp_path / "new.json"
    replace_file(path, b"one")
    beside = tmp_path / "beside"
    beside.touch()
    assert path.read_bytes() == b"one" and path.stat().st_mode == beside.stat().st_mode

    path.chmod(0o640)
    replace_file(path, b"two")
    assert path.read_bytes() == b"two" and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["beside", "new.json"]


@pytest.mark.parametrize("exists", [True, False])
def test_what_fails_leaves_what_was_there_and_names_the_destination(exists, tmp_path, monkeypatch):
    path = tmp_path / "file"
    if exists:
        path.write_bytes(b"before")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))

    with pytest.raises(OSError, match=f"No space left on device.*{re.escape(str(path))}"):
        replace_file(path, b"after")

    assert os.listdir(tmp_path) == (["file"] if exists else [])
    assert not exists or path.read_bytes() == b"before"


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_bytes(b"before")
    (tmp_path / "link").symlink_to("real")

    replace_file(tmp_path / "link", b"after")

    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_bytes() == b"after"


def test_a_link_that_leads_to_itself_is_told(tmp_path):
    (tmp_path / "link").symlink_to("link")

    with pytest.raises(OSError, match="symbolic links") as told:
        replace_file(tmp_path / "link", b"after")

    assert told.value.filename == str(tmp_path / "link")
    assert os.listdir(tmp_path) == ["link"] and (tmp_path / "link").is_symlink()


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()

    replace_file(pipe, b"told")

    reader.join()
    assert got == [b"told"] and pipe.is_fifo()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to everything")
def test_what_may_not_be_written_is_not_replaced(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"before")
    path.chmod(0o444)

    with pytest.raises(PermissionError):
        replace_file(path, b"after")
    assert path.read_bytes() == b"before"
