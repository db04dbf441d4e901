"""`puzzles grade --scheduler` and `puzzles worker`: what they say, where work goes, what travels."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.build.cache import Cache
from harness.cli.main import main
from harness.cluster import connect, entries, grading, orders, resources
from harness.cluster.orders import Cluster
from harness.errors import EnvironmentFault
from harness.grading import judge
from harness.grading.work import Job
from harness.model import exit_code
from harness.model.sources import MOJO
from harness.process.reaper import list_descendants
from tests.cluster.certificates import certificates
from tests.cluster.farm import Farm
from tests.grading.judges import SETTINGS, say
from tests.processes import alive, comes_to

dask = pytest.importorskip("dask", reason="needs Dask: the extra `cluster`")
pytest.importorskip("distributed", reason="needs Dask: the extra `cluster`")
GRADE = ("--target", "nvidia", "--backend", "simulator", "--sandbox", "limits", "--data-seed", "7")


@pytest.fixture
def people(tmp_path):
    """A folder of submissions; the verdict stands in each file."""
    for name, text in (("ann", 'verdict = "PASS"'), ("bob", 'verdict = "FINDING"'), ("cid", "fault = 1")):
        (tmp_path / "people" / name).mkdir(parents=True)
        (tmp_path / "people" / name / "p15.mojo").write_text(text)
    return str(tmp_path / "people")


@pytest.fixture
def local(tmp_path, monkeypatch):
    """A cluster in this process, whose judges need no compiler."""
    monkeypatch.setenv("JUDGED", str(tmp_path / "judged"))
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    import_module("harness.grading.local")  # it keeps the judge that is there when it is loaded: the real one
    import tests.cluster.quick_judge as quick

    monkeypatch.setattr(judge, "judge", quick.quick)


def verdicts(folder):
    whole = json.loads((folder / "results.json").read_text())
    modes = {
        person["person"]: next(mode for mode in person["modes"] if mode["case"] == "p15") for person in whole["people"]
    }
    return {name: (mode["verdict"], mode["reason"]) for name, mode in modes.items()}


@pytest.mark.slow
def test_a_cluster_of_this_process_grades(people, local, tmp_path, capsys):
    code = main(["grade", people, "--out", str(tmp_path / "out"), "--scheduler", "local", *GRADE])

    captured = capsys.readouterr()
    assert code == exit_code.ENVIRONMENT, "one of them is not graded"
    assert "2 of 3 graded" in captured.out and "SIMT simulator of a cluster" in captured.err
    judged_as = verdicts(tmp_path / "out")
    assert judged_as["ann"][0] == "PASS" and judged_as["bob"][0] == "FINDING"
    assert judged_as["cid"] == ("NOT_GRADED", "a fault of the harness, RuntimeError: this machine is broken")


@pytest.mark.skipif(sys.platform != "linux", reason="ports are read from /proc")
def test_nobody_else_can_reach_a_cluster_of_this_process(local, tmp_path):
    with Cluster("local", 1, Cache(tmp_path / "cache")):
        assert not reachable()
        with socket.create_server(("", 0)):
            assert reachable(), "a port that is open to others would be seen"


def reachable():
    """Where this process listens beyond loopback: nothing, or the sockets' addresses."""
    own = set(sockets())
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {line[1] for line in lines if line[3] == "0A" and line[9] in own and not line[1].startswith("0100007F")}


def sockets():
    """The inodes of this process's sockets."""
    for path in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if (opened := os.readlink(path)).startswith("socket:["):
                yield opened.removeprefix("socket:[").removesuffix("]")


def test_what_nobody_can_do_is_refused_in_one_sentence(people, local, tmp_path, capsys):
    words = ["grade", people, "--out", str(tmp_path / "out"), "--scheduler", "local"]

    assert main([*words, "--target", "amd", "--backend", "max"]) == exit_code.ENVIRONMENT
    assert "no worker has a GPU for amd:gfx942: they have simulator" in capsys.readouterr().err
    assert main([*words, "--backend", "cpu"]) == exit_code.USAGE
    assert not (tmp_path / "out").exists()


def test_a_resource_that_is_gone_when_work_begins_is_refused_too(local, tmp_path):
    with Cluster("local", 1, Cache(tmp_path / "cache")) as cluster:
        job = Job("p15", "x = 1")
        with pytest.raises(EnvironmentFault, match="no worker of local has nvidia:sm_90, with this harness"):
            list(grading.judge_files([job], SETTINGS, "limits", cluster, ["nvidia:sm_90"]))


def test_workers_with_another_harness_get_nothing(local, tmp_path, monkeypatch):
    with Cluster("local", 1, Cache(tmp_path / "cache")) as cluster:
        monkeypatch.setattr(resources, "harness_resource", lambda: "harness:other")
        with pytest.raises(EnvironmentFault, match="all 1 workers of local have another harness"):
            cluster.sum_resources()


def test_code_comes_back_once_and_is_sent_only_where_it_lacks(local, tmp_path, monkeypatch):
    """The client's cache and the worker's are two; what one has, the other need not compile."""
    job, client = Job("p15", "x = 1"), Cache(tmp_path / "client")
    key, compiled = judge.code_key(job, SETTINGS), []

    def judging(job, settings, box, cache, stop):
        if cache.get(key, judge.CODE) is None:
            compiled.append(job.key)
            cache.put(key, {"codes": b"{}"})
        return say(job)

    monkeypatch.setattr(judge, "judge", judging)
    with Cluster("local", 1, client) as cluster:
        for folder in ("worker1", "worker1", "worker2", "worker3"):
            monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / folder))
            (result,) = grading.judge_files([job], SETTINGS, "limits", cluster, [resources.SIMULATOR])
            assert result == say(job)
            assert Cache(tmp_path / folder).get(key, judge.CODE) is not None

    assert compiled == [job.key], "by the first worker alone"
    assert client.get(key, judge.CODE)["codes"].data == b"{}"


def test_what_does_not_arrive_whole_is_not_sent_for_ever(local, tmp_path, monkeypatch):
    job, client = Job("p15", "x = 1"), Cache(tmp_path / "client")
    client.put(judge.code_key(job, SETTINGS), {"codes": b"{}"})
    monkeypatch.setattr(entries, "pack_blobs", lambda cache, wanted, digests: dict.fromkeys(digests, "damaged"))
    with Cluster("local", 1, client) as cluster:
        (result,) = grading.judge_files([job], SETTINGS, "limits", cluster, [resources.SIMULATOR])

    assert {mode.verdict for mode in result.modes} == {"NOT_GRADED"}
    assert result.modes[0].reason == "an artifact did not reach its worker whole"


@pytest.mark.slow
def test_only_so_much_is_under_way_as_keeps_everybody_busy(local, tmp_path, monkeypatch):
    sent = []
    real = Cluster._submit
    monkeypatch.setattr(Cluster, "_submit", lambda self, *given: sent.append(1) or real(self, *given))
    with Cluster("local", 2, Cache(tmp_path / "cache")) as cluster:
        wanted = [Job("p15", f"seconds = 0.05\nn = {number}") for number in range(20)]
        for done, _ in enumerate(
            grading.judge_files(wanted, SETTINGS, "limits", cluster, [resources.SIMULATOR]), start=1
        ):
            assert len(sent) - done < orders.ORDERS_PER_SLOT * 2 + 1
    assert len(sent) == 20


@pytest.mark.slow
def test_no_worker_is_told(tmp_path, people, capsys):
    with Farm(tmp_path) as farm:
        farm.scheduler()
        assert comes_to(lambda: "Scheduler at" in farm.log("scheduler"))
        assert main(["grade", people, "--out", str(tmp_path / "out"), "--scheduler", farm.address]) == 3
    assert f"start `puzzles worker {farm.address}`" in capsys.readouterr().err


@pytest.mark.slow
def test_tls_as_the_document_sets_it_up(tmp_path, people, capsys, monkeypatch):
    settings = certificates(tmp_path)
    variables = {f"DASK_{name.upper().replace('.', '__').replace('-', '_')}": file for name, file in settings.items()}
    strangers = tmp_path / "strangers"
    strangers.mkdir()
    with Farm(tmp_path, settings=variables, scheme="tls") as farm, dask.config.set(settings):
        farm.scheduler("--protocol", "tls")
        farm.worker("worker", "--simulators", "1")
        assert farm.at_work(1), farm.log("scheduler")
        words = ["grade", people, "--scheduler", farm.address, *GRADE]

        assert main([*words, "--out", str(tmp_path / "out")]) == exit_code.ENVIRONMENT
        assert verdicts(tmp_path / "out")["ann"][0] == "PASS"
        capsys.readouterr()
        with dask.config.set(certificates(strangers)):
            monkeypatch.setattr(connect, "SECONDS", 2.0)
            assert main([*words, "--out", str(tmp_path / "none")]) == exit_code.ENVIRONMENT
        told = capsys.readouterr().err
        assert "there is no scheduler at tls://" in told and "certificate does not match" in told, "a stranger's"


@pytest.mark.full
def test_a_scheduler_without_the_harness_is_told(tmp_path, people, capsys):
    with Farm(tmp_path) as farm:
        with_harness, farm.environment = farm.environment, {**farm.environment, "PYTHONPATH": ""}
        farm.scheduler(folder=tmp_path)
        farm.environment = with_harness
        farm.worker("worker", "--simulators", "1")
        assert farm.at_work(1)
        words = ["--out", str(tmp_path / "out"), "--scheduler", farm.address]

        assert main(["grade", people, *words, *GRADE]) == exit_code.ENVIRONMENT
        assert "run it where the same harness is installed" in capsys.readouterr().err


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="its children are found through /proc")
def test_a_worker_that_is_ended_leaves_nothing(tmp_path):
    with Farm(tmp_path) as farm:
        farm.scheduler()
        worker = farm.worker("worker", "--simulators", "1")
        assert farm.at_work(1)
        children = list_descendants(worker.pid)
        worker.send_signal(signal.SIGTERM)

        assert worker.wait(30) == 128 + signal.SIGTERM
        assert children and comes_to(lambda: not any(map(alive, children)))
        assert "Traceback" not in farm.log("worker")


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_real_kernels_get_the_verdicts_of_one_process(tmp_path):
    """Compiled and judged by two workers in another order: the same records, but for what it took."""
    right = (MOJO / "p15" / "solution.mojo").read_text()
    texts = {
        "ann": right,
        "bob": right.replace("cache[local_i] += addend", "cache[local_i] -= addend"),
        "cid": right.replace("barrier()", "pass", 1),
        "dan": f"{right}\nvar = =\n",
    }
    for name, text in texts.items():
        (tmp_path / "people" / name).mkdir(parents=True)
        (tmp_path / "people" / name / "p15.mojo").write_text(text)
    people = str(tmp_path / "people")
    assert main(["grade", people, "--out", str(tmp_path / "one"), *GRADE]) == exit_code.OK
    with Farm(tmp_path, judge=None, settings={"HARNESS_CACHE": str(tmp_path / "theirs")}) as farm:
        farm.scheduler()
        for number in range(2):
            farm.worker(f"worker{number}", "--simulators", "1")
        assert farm.at_work(2)
        words = ["--out", str(tmp_path / "many"), "--scheduler", farm.address]
        assert main(["grade", people, *words, *GRADE]) == exit_code.OK

    assert records(tmp_path / "one") == records(tmp_path / "many")


def records(folder):
    stored = {path.name: json.loads(path.read_text()) for path in (folder / "jobs").iterdir()}
    for record in stored.values():
        for took in ("compile_seconds", "judge_seconds", "peak_bytes"):
            del record[took]
        for mode in record["modes"]:
            del mode["seconds"]
    return stored
