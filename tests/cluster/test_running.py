"""`puzzles run --scheduler`: the reports of one process, exactly, whoever ran the cases."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from harness.build import toolchain
from harness.build.cache import Cache
from harness.cases import pipeline
from harness.catalogue import select_cases
from harness.cli.main import main
from harness.cluster import connect, entries, resources, running
from harness.cluster.orders import Cluster, ClusterOrder, LostOrder
from harness.errors import EnvironmentFault
from harness.model import codec, exit_code
from harness.model.launch import Launch
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport, ClaimReport, DatasetReport
from harness.model.sources import MANIFEST, MOJO, Sources
from harness.model.target import Target
from harness.model.workspace import add_puzzles
from harness.simt.findings import Finding, SourceLocation, Who
from tests import compiled, learners
from tests.cluster.farm import Farm
from tests.processes import comes_to

needs_dask = pytest.mark.skipif(not connect.find_spec("distributed"), reason="needs Dask: the extra `cluster`")
FINDING = Finding(
    "race.shared.write-read",
    "error",
    "k",
    (SourceLocation("a.mojo", 3, 1, "store", ("a.mojo:3:1",), "k"),),
    (Who((0, 0, 0), (1, 0, 0), 0, 1),),
    "out",
    4,
    4,
    {"expected": float("inf"), "got": (1, (2, None)), "by": {"3": "x"}},
    2,
)
REPORT = CaseReport(
    case="p15",
    target="nvidia:sm_90",
    backend="simulator",
    device="d",
    verdict="FINDING",
    launches=(Launch(grid=(1, 4, 1), block=(8, 1, 1)),),
    datasets=(DatasetReport("documented", "FINDING", (FINDING,), 0.5),),
    findings=(FINDING,),
    counters=({"barriers": 4},),
    claims=(ClaimReport("it has one barrier", "1", "4", FINDING),),
)


def plain(record):
    """A record as what JSON says."""
    return json.loads(codec.encode(record))


def test_a_report_comes_back_as_it_was():
    assert codec.decode(CaseReport, codec.encode(REPORT)) == REPORT


@pytest.mark.parametrize(
    "answer", [None, {}, {"report": 3}, plain(FINDING), plain(REPORT), {**plain(REPORT), "case": "p26", "x": 1}]
)
def test_a_worker_that_answers_nonsense_is_to_blame(answer):
    with pytest.raises(EnvironmentFault, match="p26 could not be run: a worker answered what is no report"):
        running._read_report("p26", answer)


def test_a_case_that_nobody_could_run_is_told():
    with pytest.raises(EnvironmentFault, match="p15 could not be run: its worker was lost"):
        running._read_report("p15", LostOrder("its worker was lost again and again"))


def test_what_the_target_refuses_is_reported_without_asking_anybody(tmp_path):
    class Nobody:
        address = "local"

        def run_orders(self, orders, needs):
            assert not list(orders)
            return iter(())

    plan = resources.choose_plan("amd:gfx942", "max", {"amd:gfx942"})[0]
    report = running.run(
        select_cases(["p34:reduction"]),
        plan=replace(plan, data_seed=1),
        needs=[],
        sources=Sources(),
        cluster=Nobody(),
        cache=Cache(tmp_path),
    )

    assert [(case.verdict, case.backend) for case in report.cases] == [("SKIPPED", "max")]


@pytest.mark.full
@needs_dask
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_right_and_wrong_kernels_get_the_same_report_as_here(tmp_path):
    wrong = tmp_path / "p15.mojo"
    wrong.write_text((MOJO / "p15" / "solution.mojo").read_text().replace("barrier()", "pass", 1))
    broken = tmp_path / "p34.mojo"
    broken.write_text((MOJO / "p34" / "solution.mojo").read_text() + "\nvar = =\n")
    cases = select_cases(["p15", "p26:pair-swap", "p34"])
    compiled.solutions()  # p26's: where one of several does not compile, each is compiled alone
    sources, cache = Sources(overrides={"p15": wrong, "p34": broken}), Cache.default()
    here = pipeline.run(cases, plan=replace(pipeline.plan("nvidia", "simulator"), data_seed=4), sources=sources)
    with Cluster("local", 2, cache) as cluster:
        plan, need = resources.choose_plan("nvidia", "simulator", cluster.sum_resources())
        plan = replace(plan, data_seed=4)
        there = running.run(cases, plan=plan, needs=[need], sources=sources, cluster=cluster, cache=cache)

    assert [case.verdict for case in there.cases] == ["FINDING", "PASS", *["COMPILE_ERROR"] * (len(cases) - 2)]
    for case, other in zip(here.cases, there.cases, strict=True):
        assert untimed(case) == untimed(replace(other, device=case.device))
    assert there.exit_code == exit_code.WRONG


@needs_dask
@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_a_live_scheduler_gives_the_table_of_one_process(tmp_path, monkeypatch, capsys):
    """Two workers of a real scheduler run a learner's kernels: right ones, a racy one, one that is not filled in."""
    add_puzzles(tmp_path / "mine", ["p15", "p26", "p34"])
    monkeypatch.chdir(tmp_path / "mine")
    for puzzle, name in (("p15", "no first barrier"), ("p26", "p26 solved"), ("p34", "p34 as it is handed out")):
        learners.write(name, tmp_path / "mine" / puzzle / "problem.mojo")
    words = ["run", "--kernels", "problems", "--target", "nvidia", "--backend", "simulator", "--data-seed", "4"]
    words += ["--json", str(tmp_path / "run.json")]

    def told(*more):
        assert main([*words, *more]) == exit_code.WRONG
        report = (tmp_path / "run.json").read_text()
        whole = json.loads(report, object_hook=lambda facts: {k: v for k, v in facts.items() if not timed(k)})
        # The last two columns are seconds; the one before has the width that they leave.
        out = re.sub(r" +\d+\.\d+ +\d+\.\d+ *$", "", capsys.readouterr().out, flags=re.MULTILINE)
        return re.sub("^orders of the threads: .*\n", "", out, flags=re.MULTILINE), whole["cases"]

    def timed(key):
        """Whether the clock has a say: other orders of the threads are tried where that is quick."""
        return "seconds" in key or key == "orders"

    here = told()
    with Farm(tmp_path, judge=None, settings={"HARNESS_CACHE": str(tmp_path / "theirs")}) as farm:
        for number in range(2):
            farm.worker(f"worker{number}", "--simulators", "1")
        assert comes_to(lambda: f"waiting for a scheduler at {farm.address}" in farm.log("worker1"))
        farm.scheduler()
        assert farm.at_work(2), farm.log("scheduler")
        there = told("--scheduler", farm.address)

    assert here == there
    came_to = {(case["case"].partition(":")[0], case["verdict"]) for case in here[1]}
    assert came_to == {("p15", "FINDING"), ("p26", "PASS"), ("p34", "MISMATCH")}


def untimed(report):
    datasets = tuple(replace(dataset, run_seconds=0.0) for dataset in report.datasets)
    return replace(report, datasets=datasets, run_seconds=0.0, build_seconds=0.0)


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_a_gpu_gets_its_case_and_no_other_by_content(tmp_path, monkeypatch):
    """What `build --out` makes, taken apart for each case; the worker puts it together, checks it, and runs it."""
    folder, client = tmp_path / "artifacts", Cache(tmp_path / "client")
    compiled.graphs()
    assert main(["build", "p15", "p26:pair-swap", "--target", "nvidia:sm_90", "--out", str(folder)]) == exit_code.OK
    bundle = running.artifacts.read_bundle(folder)
    plan = LaunchPlan(Target.parse("nvidia:sm_90"), "max", seed=1, data_seed=2)
    order = running._make_order(select_cases(["p15"])[0], plan, bundle, client)
    asked = []

    def ran(cases, *, plan, sources, bundle):
        files = len(list(bundle.folder.glob("*.mef")))
        asked.append(([case.id for case in cases], plan.seed, plan.data_seed, files))
        bundle.load_graphs(cases)
        return type("Run", (), {"cases": (REPORT,)})

    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "worker"))
    monkeypatch.setattr(running.pipeline, "run", ran)
    monkeypatch.setattr(running.pipeline, "plan_artifacts", lambda bundle: LaunchPlan(bundle.target, "max"))
    monkeypatch.setattr(running, "_device_name", lambda: "H200, GPU 1 of there")
    held = entries.describe_entries(client, order.entries)
    lacking = entries.store_entries(Cache.default(), held, {})
    assert entries.store_entries(Cache.default(), held, entries.pack_blobs(client, order.entries, lacking)) == []
    sent = codec.decode(running.ArtifactsOrder, codec.encode(order.order))
    answer = running.run_on_gpu(sent, lambda: False)

    assert running._read_report("p15", plain(answer)) == replace(REPORT, device="H200, GPU 1 of there")
    files = {path.name for path in folder.glob("*.mef")}
    assert asked == [(["p15"], 1, 2, len(sent.files))] and set(sent.files) <= files
    assert (
        list(sent.manifest["cases"]) == [size.id for size in select_cases(["p15"])[0].sizes]
        and (folder / MANIFEST).is_file()
    )
    assert isinstance(order, ClusterOrder)


@needs_dask
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--devices", "all"], "--devices is for this machine"),
        (["--backend", "cpu"], "--backend cpu runs no kernel"),
        (["--jobs", "2"], "--jobs is for this machine: a worker's own `--simulators` says how many cases it runs."),
        (["--sanitize"], "--sanitize and --scheduler cannot be combined"),
    ],
)
def test_what_does_not_go_together_is_told(words, told, capsys):
    assert main(["run", "p15", "--scheduler", "local", *words]) == exit_code.USAGE
    assert told in capsys.readouterr().err


@pytest.mark.slow
@needs_dask
def test_a_gpu_that_no_worker_has_is_refused_before_anything_is_built(capsys, monkeypatch):
    monkeypatch.setattr(running, "build_graphs", None)

    assert main(["run", "p15", "--scheduler", "local", "--require-gpu"]) == exit_code.ENVIRONMENT
    assert "no worker has a GPU for nvidia:sm_90" in capsys.readouterr().err
