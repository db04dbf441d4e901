"""What the child that runs kernels tells, and when."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from harness.backends import worker
from harness.backends.protocol import Phase
from harness.process import channel


@pytest.fixture
def answers():
    read, write = channel.pipe()
    yield worker._Answers(write), read
    os.close(read)  # its thread ends with the process


LARGE = np.zeros(1 << 20)


@pytest.mark.parametrize(
    ("phase", "known", "waits"),
    [
        ("load", True, False),
        ("load", False, True),
        ("copy in", False, False),
        ("prepare", True, False),
        ("copy out", True, False),
        ("execute", True, True),
        ("repeat", True, True),
    ],
)
def test_what_may_end_the_process_begins_when_all_before_is_told(answers, phase, known, waits):
    """Or what it does would be taken for the case's before it."""
    told, read = answers
    told.put(LARGE)
    begins = threading.Thread(target=worker._begin, args=(told, phase), kwargs={"known": known})
    begins.start()
    begins.join(0.2)
    assert begins.is_alive() == waits
    assert channel.receive(read, 20).shape == LARGE.shape
    assert channel.receive(read, 20) == Phase(phase)
    begins.join(20)
    assert not begins.is_alive()


@pytest.mark.parametrize(
    ("message", "code", "said"), [("lambda: 0", 1, "pickle"), ("os.close(read)", 0, "")], ids=["broken", "unheard"]
)
def test_what_cannot_be_told_ends_the_process(message, code, said):
    """Who waits for it learns of that at once."""
    program = (
        "import os; from harness.backends import worker; from harness.process import channel; "
        f"read, write = channel.pipe(); told = worker._Answers(write); told.put({message}); told.sent()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, said in done.stderr) == (code, True)
