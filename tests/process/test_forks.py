"""Work in forks: the same results in the same order, and nothing is left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.errors import EnvironmentFault, UsageError
from harness.process import free_memory, reaper
from harness.process.forks import choose_jobs, map_in_forks
from tests.processes import heed_signals

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not reaper.LINUX, reason="nothing is forked here")]


@pytest.mark.parametrize("jobs", [1, 2, 5, 50])
def test_results_come_in_the_order_of_the_items_whoever_is_done_first(jobs):
    def do(item):
        time.sleep(0.02 * (item % 3))
        return item, "x" * (item * 50_000)

    assert list(map_in_forks(range(7), do, jobs, [item % 2 for item in range(7)])) == [do(item) for item in range(7)]


def test_the_longest_begin_first():
    both = multiprocessing.Barrier(2, timeout=60)

    def do(item):
        began = time.monotonic()
        if item in (1, 3):
            both.wait()
        return item, began

    started = dict(map_in_forks(range(4), do, 2, [1, 9, 2, 8]))
    assert max(started[1], started[3]) <= min(started[0], started[2])


def test_each_is_done_once_and_not_here():
    done = list(map_in_forks(range(20), lambda item: (item, os.getpid()), 3))
    assert [item for item, _ in done] == list(range(20))
    assert os.getpid() not in {pid for _, pid in done}


def test_what_is_raised_is_raised_here_and_ends_the_others(tmp_path):
    def do(item):
        if item == 1:
            raise UsageError("no such item.")
        time.sleep(20 * (item == 2))
        return item

    started = time.monotonic()
    results = map_in_forks(range(3), do, 3)
    assert next(results) == 0
    with pytest.raises(UsageError, match="no such item"):
        next(results)
    assert time.monotonic() - started < 10


def test_what_cannot_be_sent_is_told_in_words():
    def do(item):
        raise LookupError(f"item {item}")

    with pytest.raises(RuntimeError, match="LookupError: item 0"):
        list(map_in_forks(range(2), do, 2))


def test_a_fork_that_is_killed_ends_the_run_with_a_sentence():
    with pytest.raises(EnvironmentFault, match="killed by SIGKILL: with fewer --jobs it takes less memory"):
        list(map_in_forks(range(4), lambda item: os.kill(os.getpid(), signal.SIGKILL), 2))


def test_who_has_enough_leaves_nothing_behind():
    pids = []
    results = map_in_forks(range(100), lambda item: (os.getpid(), time.sleep(0.01)), 2)
    for pid, _ in results:
        pids.append(pid)
        if len(pids) == 3:
            break
    results.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_fork_that_is_interrupted_before_it_begins_does_nothing_else(monkeypatch, tmp_path):
    """It must not come back into what made it, as a second process of that."""
    fork = os.fork

    def interrupted():
        pid = fork()
        if pid == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return pid

    monkeypatch.setattr(os, "fork", interrupted)
    with pytest.raises(EnvironmentFault, match="ended before it was done"):
        list(map_in_forks(range(4), lambda item: item, 2))

    (tmp_path / f"{os.getpid()}").touch()
    assert len(list(tmp_path.iterdir())) == 1


PROGRAM = r"""
import os, sys, time
from harness.process.child import Child
from harness.process.forks import map_in_forks

def do(item):
    with Child() as child:
        child.start(["sleep", "600"])
        os.write(1, f"{os.getpid()} {child.pid} {child.folder}\n".encode())  # whole, beside the other fork's
        child.wait()

try:
    list(map_in_forks(range(2), do, 2))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def gone(pid):
    """Return whether a process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("whole", [True, False], ids=["the terminal's group", "the process alone"])
def test_an_interrupt_leaves_no_process_and_no_folder(number, whole):
    """Forks, the reapers below them, what these stand above, and their folders."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_signals,
    ) as process:
        lines = [process.stdout.readline().split() for _ in range(2)]
        (os.killpg if whole else os.kill)(process.pid, number)
        rest = process.stdout.read()  # until all that could write is gone
        process.wait()
    assert ("interrupted" in rest) == (number == signal.SIGINT)
    pids = [int(pid) for line in lines for pid in line[:2]]
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not (
        all(map(gone, pids)) and not any(Path(folder).exists() for _, _, folder in lines)
    ):
        time.sleep(0.05)
    assert all(map(gone, pids))
    assert not any(Path(folder).exists() for _, _, folder in lines)


def test_jobs_are_bound_by_items_processors_and_memory(monkeypatch):
    monkeypatch.setattr(free_memory, "count_processors", lambda: 8)
    monkeypatch.setattr(free_memory, "find_free_bytes", lambda: 3 * free_memory.EACH_BYTES + 1)
    assert [choose_jobs(2), choose_jobs(50), choose_jobs(50, 2), choose_jobs(50, 16)] == [2, 3, 2, 3]
    monkeypatch.setattr(free_memory, "find_free_bytes", lambda: None)
    assert [choose_jobs(50), choose_jobs(50, 16), choose_jobs(1)] == [8, 16, 1]
    monkeypatch.setattr(free_memory, "find_free_bytes", lambda: 0)
    assert choose_jobs(50) == 1
