"""A case whose documented size fills one block: what is right there is run again over several, and that decides too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.backends.base import Request
from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.build.bundle import Bundle
from harness.build.unit import Build
from harness.cases import pipeline
from harness.cases.case_run import at_size, joined
from harness.catalogue import CASES, case
from harness.grading.work import Job
from harness.learning.trace import of_case
from harness.model import codec
from harness.model.report import CaseReport, DatasetReport, RunReport
from harness.model.sources import Sources
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.programs.called import host_functions
from tests import compiled
from tests.cases.sized import LARGER, OVER_ALL
from tests.learners import solution, write

PLAN = pipeline.plan("nvidia:sm_90", "simulator")
BASIC, NEIGHBOR = LARGER
SEVERAL = "several-blocks with SIZE = 320"

needs_mojo = pytest.mark.skipif(toolchain.find() is None, reason="there is no `mojo` here")


def report(verdict: Verdict, **more: object) -> CaseReport:
    """That of a case with one data set."""
    own = DatasetReport("random", verdict, run_seconds=1.0)
    told = {"case": "p25:neighbor", "target": "nvidia:sm_90", "backend": "simulator", "device": "", "launches": ()}
    return CaseReport(**told, verdict=verdict, datasets=(own,), run_seconds=1.0, **more)


def test_what_does_not_compile_at_the_larger_size_does_not_compile():
    whole = joined(report(Verdict.PASS), replace(report(Verdict.COMPILE_ERROR), datasets=()), NEIGHBOR.larger)

    assert whole.verdict == Verdict.COMPILE_ERROR and whole.passed == 1


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.MISMATCH])
def test_the_verdict_over_several_blocks_decides(verdict):
    whole = joined(report(Verdict.PASS), report(verdict), NEIGHBOR.larger)

    assert whole.verdict == verdict and whole.case == "p25:neighbor" and whole.run_seconds == 2.0
    assert [dataset.name for dataset in whole.datasets] == ["random", "random with SIZE = 320"]
    assert whole.decisive is None if verdict == Verdict.PASS else whole.decisive.name == "random with SIZE = 320"
    assert codec.decoded(CaseReport, codec.encoded(whole)) == whole


@pytest.mark.parametrize(
    "entry", [entry for entry in CASES if entry.larger and entry.larger.resized], ids=lambda entry: entry.id
)
def test_there_are_several_blocks_on_every_warp_width(entry):
    """Or of what a library launches more warps than one block of it has; and nothing is named as at the other size."""
    assert entry.sizes == (entry, entry.larger) and not entry.larger.claims
    assert (entry.op, entry.module) != (entry.larger.op, entry.larger.module)
    for width in (32, 64):
        instance = entry.larger.instance(width)
        assert all(launch.grid[0] >= 5 for launch in entry.larger.launches(width))
        assert instance.inputs[0].elements > 256
        assert {at_size(one.name, entry.larger) for one in instance.datasets} == {
            f"several-blocks with {entry.larger.resized.constant} = 320"
        }


def test_what_is_called_on_a_processor_is_judged_beside_the_kernel():
    """At the same size, on the same data, under its own name."""
    entry = case("p18")
    (gpu, cpu), instance = entry.sizes, entry.larger.instance(32)

    assert gpu is entry and cpu.kernels == ("softmax_cpu_kernel",) and not cpu.claims and cpu.graph is None
    assert [launch.block for launch in cpu.launches(32)] == [(1, 1, 1)]
    assert [one.name for one in instance.datasets] == [one.name for one in entry.instance(32).datasets]
    assert at_size("documented", cpu) == "documented of softmax_cpu_kernel"
    assert [size.id for size in Job("p18", "").sizes] == ["p18", cpu.id] and Job("p18", "").cases == ("p18",)


def test_grading_and_artifacts_know_both_sizes_of_one_mode(tmp_path: Path):
    job = Job("p25", "")
    assert len(job.cases) == 5 and [size.id for size in job.sizes][:2] == ["p25:neighbor", "p25:neighbor-SIZE-320"]

    entries = {name: {} for name in ("p15", "p25:neighbor", "p25:neighbor-SIZE-320")}
    bundle = Bundle(tmp_path, Target.parse("nvidia:sm_90"), "", entries, {})
    assert [entry.id for entry in bundle.select(())] == ["p15", "p25:neighbor"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """A file of puzzle 25 with a kernel that is right in one block alone."""
    file = tmp_path_factory.mktemp("larger") / "p25.mojo"
    assert solution("p25").count(OVER_ALL) == 1
    write("right in one block alone", file)
    return Sources(overrides={"p25": file})


@pytest.fixture(scope="module")
def ran(sources: Sources) -> RunReport:
    return pipeline.run((BASIC, NEIGHBOR), plan=PLAN, sources=sources, data_seed=1)


@needs_mojo
@pytest.mark.slow
def test_what_is_right_in_one_block_alone_is_refused(ran):
    """With the size in the data set's name, and the line of the store."""
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
def test_a_library_launches_once_and_in_several_blocks_at_the_larger_size(target, block):
    """With 256 threads a block on NVIDIA, as the documents have it, where a warp has the elements."""
    entry, where = case("p24:functional"), Target.parse(target)
    compiled.solutions()
    calls, _ = host_functions(entry.sizes, Build(target=where))
    backend = SimulatorBackend(where, dict.fromkeys((size.id for size in entry.sizes), ()), calls=calls)
    for size, elements in zip(entry.sizes, (where.warp_width, 320), strict=True):
        instance = size.instance(where.warp_width)
        outcome = backend.launch(Request(case=size, instance=instance, dataset=instance.datasets[0]))
        ((_, launch),) = outcome.made[0]
        assert (launch.grid, launch.block) == ((-(-elements // block), 1, 1), (block, 1, 1))


@needs_mojo
@pytest.mark.full
def test_its_picture_is_that_of_the_size_that_decided(sources):
    made, told = of_case(BASIC, plan=PLAN, sources=sources)
    assert told.verdict == "MISMATCH" and made[0].data["dataset"] == "several-blocks"
