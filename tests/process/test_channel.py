"""Messages between processes: whole, in time, and never garbage."""

from __future__ import annotations

import contextlib
import os
import threading
import time

import numpy as np
import pytest

from harness.process import channel


@pytest.fixture
def pipe():
    read, write = channel.open_pipe()
    yield read, write
    for descriptor in (read, write):
        with contextlib.suppress(OSError):
            os.close(descriptor)


@pytest.fixture(params=["lent", "written"])
def large(request, monkeypatch):
    """How large arrays are sent: where the system can, their pages are lent to the pipe."""
    if request.param == "written":
        monkeypatch.setattr(channel, "_find_vmsplice", lambda: None)
    elif channel._find_vmsplice() is None:
        pytest.skip("not Linux")


def test_arrays_come_back_as_they_were(pipe, large):
    """Far more than a pipe holds, read-only and strided ones too; what arrives is the receiver's own."""
    read, write = pipe
    big = np.arange(3_000_001, dtype=np.float32)
    frozen = np.arange(70_000, dtype=np.int16)
    frozen.flags.writeable = False
    message = {"big": big, "frozen": frozen, "every other": big[:20:2], "none": np.zeros((0, 3)), "text": "x"}
    thread = threading.Thread(target=channel.send, args=(write, message), kwargs={"lend": True})
    thread.start()
    got = channel.receive(read, 20)
    thread.join()
    for name in ("big", "frozen", "every other", "none"):
        np.testing.assert_array_equal(got[name], message[name])
        assert got[name].flags.writeable == (name != "frozen")
    assert got["text"] == "x"
    got["big"][0] = 5
    assert big[0] == 0


@pytest.mark.slow
def test_what_was_sent_may_be_changed(pipe, large):
    """As soon as `send` returns, however long the other end takes."""
    read, write = pipe
    big = np.arange(1 << 21, dtype=np.uint32)

    def send():
        channel.send(write, big, lend=True)
        big[:] = 0

    thread = threading.Thread(target=send)
    thread.start()
    time.sleep(0.1)
    got = channel.receive(read, 20)
    thread.join()
    np.testing.assert_array_equal(got, np.arange(1 << 21, dtype=np.uint32))
    assert not big.any()


@pytest.mark.slow
def test_a_large_array_that_nobody_reads_on_is_told(pipe, large):
    """Also where its beginning was read."""
    read, write = pipe
    leaving = threading.Timer(0.2, os.close, [read])
    leaving.start()
    with pytest.raises(channel.ClosedError):
        channel.send(write, np.zeros(1 << 24), lend=True)
    leaving.join()


@pytest.mark.slow
def test_silence_ends_the_wait_but_a_slow_message_does_not(pipe):
    """The limit is for silence: bytes that flow are no hang."""
    read, write = pipe
    with pytest.raises(channel.TimeUpError):
        channel.receive(read, 0.05)
    staged, sent = os.pipe()
    channel.send(sent, np.arange(100))
    raw = os.read(staged, 1 << 16)

    def trickle():
        for start in range(0, len(raw), 100):
            time.sleep(0.02)
            os.write(write, raw[start : start + 100])

    thread = threading.Thread(target=trickle)
    thread.start()
    assert channel.receive(read, 5).sum() == 4950
    thread.join()
    os.close(staged)
    os.close(sent)


def test_a_closed_end_is_told(pipe):
    read, write = pipe
    os.close(write)
    with pytest.raises(channel.ClosedError):
        channel.receive(read, 1)
    os.close(read)
    other_read, other_write = os.pipe()
    os.close(other_read)
    with pytest.raises(channel.ClosedError):
        channel.send(other_write, "nobody")
    os.close(other_write)


@pytest.mark.parametrize(
    "raw",
    [
        b"Traceback (most recent call last):\n",
        channel._HEADER.pack(channel._MAGIC, 1 << 60, 0),
        channel._HEADER.pack(channel._MAGIC, 4, 1) + channel._LENGTH.pack(1 << 60),
        channel._HEADER.pack(channel._MAGIC, 4, 0) + b"\x80\x05.x",
    ],
    ids=["text", "absurd pickle", "absurd array", "no pickle"],
)
def test_garbage_is_recognised(pipe, raw):
    """Nothing is unpickled, and nothing is waited for."""
    read, write = pipe
    os.write(write, raw)
    with pytest.raises(channel.GarbageError):
        channel.receive(read, 1)
