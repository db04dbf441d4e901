"""A case that is judged at further launches too: what is right at the documented one is run there, and they decide."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from harness.backends.base import Request
from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.build.bundle import Bundle
from harness.build.unit import Build
from harness.cases import pipeline
from harness.cases.case_run import merge_further_report, name_further_dataset
from harness.catalogue import CASES, find_case
from harness.catalogue.further import DRAWN
from harness.grading.work import Job
from harness.learning.trace import record_case
from harness.model import codec
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport, DatasetReport, RunReport
from harness.model.sources import Sources
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.programs.host_calls import host_functions
from harness.report.findings import format_case, make_renderer
from tests import compiled
from tests.cases.sized import ONE_BLOCK, OVER_ALL
from tests.learners import solution, write

PLAN = pipeline.plan("nvidia:sm_90", "simulator")
BASIC, NEIGHBOR = ONE_BLOCK
(OVER_BLOCKS,) = NEIGHBOR.further
WIDTH = 32
SEVERAL = "drawn with 6 blocks of 96 threads, SIZE = 448"
JUDGED_FURTHER = [entry for entry in CASES if any(one.redefined for one in entry.further)]

needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


def report(verdict: Verdict, **more: object) -> CaseReport:
    """That of a case with one data set."""
    own = DatasetReport("random", verdict, run_seconds=1.0)
    told = {"case": "p25:neighbor", "target": "nvidia:sm_90", "backend": "simulator", "device": "", "launches": ()}
    return CaseReport(**told, verdict=verdict, datasets=(own,), run_seconds=1.0, **more)


def test_what_does_not_compile_for_a_further_launch_does_not_compile():
    beside = replace(report(Verdict.COMPILE_ERROR), datasets=())
    whole = merge_further_report(report(Verdict.PASS), beside, OVER_BLOCKS, WIDTH)

    assert whole.verdict == Verdict.COMPILE_ERROR and whole.passed == 1
    assert whole.decisive.name == SEVERAL and whole.decisive.launch == OVER_BLOCKS.further_launch(WIDTH)
    said = "\n".join(format_case(whole, make_renderer()))
    assert "COMPILE_ERROR with 6 blocks of 96 threads (SIZE = 448)" in said and "coincidence" not in said


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.MISMATCH])
def test_the_verdict_at_the_further_launch_decides(verdict):
    whole = merge_further_report(report(Verdict.PASS), report(verdict), OVER_BLOCKS, WIDTH)
    name = "random with 6 blocks of 96 threads, SIZE = 448"

    assert whole.verdict == verdict and whole.case == "p25:neighbor" and whole.run_seconds == 2.0
    assert [dataset.name for dataset in whole.datasets] == ["random", name]
    assert [dataset.launch for dataset in whole.datasets] == [None, OVER_BLOCKS.further_launch(WIDTH)]
    assert whole.decisive is None if verdict == Verdict.PASS else whole.decisive.name == name
    assert codec.decode(CaseReport, codec.encode(whole)) == whole


@pytest.mark.parametrize("entry", JUDGED_FURTHER, ids=lambda entry: entry.id)
def test_a_further_launch_is_another_one_under_another_name(entry):
    """At the simulator's size too; it promises nothing, and has its own data alone."""
    launches = [one for one in entry.further if one.redefined]
    assert entry.sizes == (entry, *entry.further)
    assert [one.id for one in entry.simulated.further] == [one.id for one in entry.further]
    assert all(one.documented_id == entry.id and not one.claims and not one.further for one in launches)
    assert all(one.module != entry.module for one in launches)
    for names in ([one.id for one in entry.sizes], [one.op for one in entry.sizes]):
        assert len(set(names)) == len(names)
    for width in (32, 64):
        documented = [(one.launches(width), one.instance(width).constants) for one in (entry, entry.simulated)]
        for one in launches:
            instance = one.instance(width)
            assert (one.launches(width), instance.constants) not in documented
            assert instance.datasets and all(data.name.startswith(DRAWN) for data in instance.datasets)
            assert name_further_dataset(DRAWN, one, width) == f"{DRAWN} with {one.further_launch(width)}"


@pytest.mark.parametrize(
    "entry", [entry for entry in CASES if entry.puzzle in ("p24", "p25", "p26")], ids=lambda e: e.id
)
def test_there_are_several_warps_at_every_width(entry):
    """In one block, where the documents do not fix how long it is, or else in several."""
    (further,) = entry.further
    for width in (32, 64):
        threads = sum(math.prod(launch.grid + launch.block) for launch in further.launches(width))
        assert threads >= 6 * width if threads else further.instance(width).inputs[0].elements >= 7 * width


def test_what_is_called_on_a_processor_is_judged_beside_the_kernel():
    """On the same data as the documented launch, under its own name."""
    entry = find_case("p18")
    cpu = next(one for one in entry.further if one.kernels == ("softmax_cpu_kernel",) and not one.redefined)
    instance = cpu.instance(WIDTH)

    assert not cpu.claims and cpu.graph is None
    assert [launch.block for launch in cpu.launches(WIDTH)] == [(1, 1, 1)]
    assert [one.name for one in instance.datasets] == [one.name for one in entry.instance(WIDTH).datasets]
    assert name_further_dataset("documented", cpu, WIDTH) == "documented of softmax_cpu_kernel"
    assert [size.id for size in Job("p18", "").sizes] == ["p18", *(one.id for one in entry.further)]


def test_grading_and_artifacts_know_all_launches_of_one_mode(tmp_path: Path):
    job = Job("p25", "")
    assert len(job.cases) == 5 and [size.id for size in job.sizes][:2] == ["p25:neighbor", OVER_BLOCKS.id]

    entries = {name: {} for name in ("p15", "p25:neighbor", OVER_BLOCKS.id)}
    bundle = Bundle(tmp_path, Target.parse("nvidia:sm_90"), "", entries, {})
    assert [entry.id for entry in bundle.select(())] == ["p15", "p25:neighbor"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """A file of puzzle 25 with a kernel that is right in one block alone."""
    file = tmp_path_factory.mktemp("further") / "p25.mojo"
    assert solution("p25").count(OVER_ALL) == 1
    write("right in one block alone", file)
    return Sources(overrides={"p25": file})


@pytest.fixture(scope="module")
def ran(sources: Sources) -> RunReport:
    return pipeline.run((BASIC, NEIGHBOR), plan=replace(PLAN, data_seed=1), sources=sources)


@needs_mojo
@pytest.mark.slow
def test_what_is_right_in_one_block_alone_is_refused(ran):
    """With the launch in the data set's name, and the line of the store."""
    basic, neighbor = ran.cases

    assert neighbor.verdict == "PASS" and SEVERAL in [dataset.name for dataset in neighbor.datasets]
    assert basic.verdict == "MISMATCH" and basic.decisive.name == SEVERAL
    assert basic.findings[0].id == "check.wrong-value.owned" and basic.passed > len(BASIC.instance(32).datasets)
    assert basic.claims and all(claim.holds for claim in basic.claims)  # of the documented size


@needs_mojo
@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "block"), [("nvidia:sm_90", 256), pytest.param("amd:gfx1100", 128, marks=pytest.mark.full)]
)
def test_a_library_launches_once_and_in_several_blocks_at_the_further_size(target, block):
    """With 256 threads a block on NVIDIA, as the documents have it, where a warp has the elements."""
    entry, where = find_case("p24:functional"), Target.parse(target)
    compiled.solutions()
    calls, _ = host_functions(entry.sizes, Build(target=where))
    backend = SimulatorBackend(
        LaunchPlan(where, "simulator"), dict.fromkeys((size.id for size in entry.sizes), ()), calls=calls
    )
    for size, elements in zip(entry.sizes, (where.warp_width, 448), strict=True):
        instance = size.instance(where.warp_width)
        outcome = backend.launch(Request(case=size, instance=instance, dataset=instance.datasets[0]))
        ((_, launch),) = outcome.host_launches[0]
        assert (launch.grid, launch.block) == ((-(-elements // block), 1, 1), (block, 1, 1))


@needs_mojo
@pytest.mark.full
def test_its_picture_is_that_of_the_launch_that_decided(sources):
    made, told = record_case(BASIC, plan=PLAN, sources=sources)
    assert told.verdict == "MISMATCH" and made[0].data["dataset"] == DRAWN
