"""Workers and schedulers that are killed, hang or are restarted: a retry each, and every verdict once."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest

from harness.build.cache import Cache
from harness.cluster import orders, resources
from harness.cluster.grading import judge_files
from harness.cluster.orders import Cluster
from harness.grading.work import Job
from tests.cluster.farm import Farm
from tests.grading.judges import SETTINGS, say
from tests.processes import alive, comes_to

pytest.importorskip("distributed", reason="needs Dask: the extra `cluster`")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="workers are found through /proc"),
]
VERDICTS = ("PASS", "FINDING", "MISMATCH", "COMPILE_ERROR")


@pytest.fixture
def farm(tmp_path):
    with Farm(tmp_path) as started:
        yield started


@pytest.fixture
def cluster(farm, tmp_path):
    """A client of a scheduler, as soon as so many workers have reached it."""

    def made(count: int, notify: Callable[[str], None] = lambda _: None) -> Cluster:
        assert farm.at_work(count), farm.log("scheduler")
        return Cluster(farm.address, 1, Cache(tmp_path / "cache"), notify)

    return made


def jobs(count, seconds):
    """Files whose verdicts stand in them."""
    return [
        Job("p15", f'verdict = "{VERDICTS[number % 4]}"\nseconds = {seconds}\nnumber = {number}\n')
        for number in range(count)
    ]


def collected(cluster, wanted, into):
    """All results, as they come, while others do something to the workers."""

    def collect():
        into.extend(judge_files(wanted, SETTINGS, "limits", cluster, [resources.SIMULATOR]))

    thread = threading.Thread(target=collect, daemon=True)
    thread.start()
    return thread


def as_one_process_does(results, wanted):
    assert Counter(result.key for result in results) == Counter(job.key for job in wanted), "each once"
    expected = {job.key: say(job) for job in wanted}
    assert {result.key: result for result in results} == expected


def test_a_worker_that_is_killed_costs_a_retry_and_is_told(farm, cluster):
    farm.scheduler()
    told = []
    workers = [farm.worker(f"worker{number}", "--simulators", "1") for number in range(2)]
    wanted, results = jobs(6, 0.3), []
    with cluster(2, told.append) as both:
        thread = collected(both, wanted, results)
        victim = farm.busy(workers[0])
        os.kill(victim, signal.SIGKILL)
        thread.join(60)

    as_one_process_does(results, wanted)
    assert [line.partition(",")[0] for line in told] == ["a worker is gone"], told
    begun, ended = farm.judged("begins"), farm.judged("ends")
    interrupted = [key for pid, key in begun if pid == victim and (victim, key) not in ended]
    assert len(interrupted) == 1 and [key for _, key in begun].count(interrupted[0]) == 2, "it was judged elsewhere"


@pytest.mark.full
def test_a_worker_that_hangs_costs_a_retry(farm, cluster):
    farm.scheduler()
    workers = [farm.worker(f"worker{number}", "--simulators", "1") for number in range(3)]
    wanted, results = jobs(12, 0.5), []
    with cluster(3) as three:
        thread = collected(three, wanted, results)
        victim = farm.busy(workers[1])
        os.kill(victim, signal.SIGSTOP)
        thread.join(90)
        told = len(results)
        os.kill(victim, signal.SIGCONT)  # what it still says is of no interest to anybody
        time.sleep(1.0)

    assert told == len(results)
    as_one_process_does(results, wanted)


@pytest.mark.full
def test_a_scheduler_that_is_restarted_costs_a_retry(farm, cluster):
    first = farm.scheduler()
    for number in range(3):
        farm.worker(f"worker{number}", "--simulators", "1")
    wanted, results = jobs(18, 0.5), []
    with cluster(3) as three:
        thread = collected(three, wanted, results)
        assert comes_to(lambda: len(results) >= 3)
        first.kill()
        first.wait()
        answered = {result.key for result in results}
        time.sleep(1.0)
        before = {key for _, key in farm.judged("ends")}
        farm.scheduler()
        thread.join(90)

    as_one_process_does(results, wanted)
    again = Counter(key for _, key in farm.judged("ends"))
    assert all(again[key] == 1 for key in answered), "what was answered is not asked again"
    assert before < set(again), "and the rest was judged by the workers that came back"


@pytest.mark.full
def test_all_three_at_once_change_no_verdict(farm, cluster):
    first = farm.scheduler()
    workers = [farm.worker(f"worker{number}", "--simulators", "1") for number in range(3)]
    wanted, results = jobs(24, 0.4), []
    with cluster(3) as three:
        thread = collected(three, wanted, results)
        os.kill(farm.busy(workers[0]), signal.SIGKILL)
        hung = farm.busy(workers[1])
        os.kill(hung, signal.SIGSTOP)
        assert comes_to(lambda: len(results) >= 8)
        first.kill()
        first.wait()
        farm.scheduler()
        thread.join(120)
        os.kill(hung, signal.SIGCONT)

    as_one_process_does(results, wanted)


@pytest.mark.full
def test_a_job_that_its_workers_never_outlive_is_not_graded(farm, cluster, monkeypatch):
    monkeypatch.setattr(orders, "MAX_LOSSES", 1)
    farm.scheduler()
    worker = farm.worker("worker", "--simulators", "1")
    wanted, results = jobs(1, 30), []
    with cluster(1) as joined:
        thread = collected(joined, wanted, results)
        while thread.is_alive():
            os.kill(farm.busy(worker), signal.SIGKILL)
            thread.join(0.5)

    assert [mode.verdict for mode in results[0].modes] == ["NOT_GRADED"]
    assert "lost again and again" in results[0].modes[0].reason


def test_whoever_has_enough_ends_what_is_under_way(farm, cluster):
    farm.scheduler()
    worker = farm.worker("worker", "--simulators", "1")
    quick, endless = jobs(1, 0.1), jobs(2, 60.0)
    with cluster(1) as joined:
        for _ in judge_files([*quick, *endless], SETTINGS, "limits", joined, [resources.SIMULATOR]):
            assert comes_to(lambda: len(farm.judged("begins")) == 2)
            break
        assert [
            result.key for result in judge_files(jobs(4, 0.05)[3:], SETTINGS, "limits", joined, [resources.SIMULATOR])
        ]
    assert alive(worker.pid)
