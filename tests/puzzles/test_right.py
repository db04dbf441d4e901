"""A right answer is right, however it comes about; what the puzzle asks for beside it is told, and binds nobody."""

from __future__ import annotations

import pytest

from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.cases import pipeline
from harness.cases.case_run import run_case
from harness.catalogue import find_case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import RunReport
from harness.model.sources import Sources
from harness.model.target import Target
from harness.report.findings import format_case, make_renderer
from tests import compiled
from tests.puzzles.forms import together
from tests.puzzles.right import RIGHT

TARGET = Target.parse("nvidia:sm_90")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")]


@pytest.fixture(scope="module")
def code():
    """The kernels' code at each launch, all from one build."""
    together()
    codes = iter(compiled.kernels([one for kernel in RIGHT for one in kernel.parts(TARGET)]))
    return {kernel.id: [next(codes) for _ in find_case(kernel.case).sizes] for kernel in RIGHT}


@pytest.fixture(scope="module")
def reported(code):
    """Runs a kernel as the command line does."""
    plan = pipeline.plan(TARGET.name, "simulator")

    def report(kernel, sources):
        entry = find_case(kernel.case)
        backend = SimulatorBackend(LaunchPlan(TARGET, "simulator"), {entry.id: (code[kernel.id][0],)})
        return RunReport(plan=plan, kernels="k", cases=(run_case(entry, plan, backend),), sources=sources)

    return report


@pytest.mark.parametrize("kernel", RIGHT, ids=lambda kernel: kernel.id)
def test_a_right_kernel_is_right(kernel, reported):
    """On every data set, without a finding that is not for information; exit code 0."""
    run = reported(kernel, Sources("problems"))
    (report,) = run.cases

    assert (report.verdict, report.reason, run.exit_code) == ("PASS", "", 0)
    assert not [finding for finding in report.findings if finding.severity != "information"]
    assert {promise.id for promise in report.unkept} == {f"promise.{name}" for name in kernel.unkept}


@pytest.mark.parametrize("kernel", RIGHT, ids=lambda kernel: kernel.id)
def test_a_right_kernel_is_right_at_further_launches(kernel, code):
    for launch, text in zip(find_case(kernel.case).further, code[kernel.id][1:], strict=True):
        backend = SimulatorBackend(LaunchPlan(TARGET, "simulator"), {launch.id: (text,)})
        report = run_case(launch, pipeline.plan(TARGET.name, "simulator"), backend)
        assert (report.verdict, report.reason) == ("PASS", "")


@pytest.mark.parametrize("kernel", RIGHT, ids=lambda kernel: kernel.id)
def test_what_is_asked_for_is_told_and_why(kernel, reported):
    """Each promise that is not kept once, in a sentence with its reason; of the others nothing."""
    run = reported(kernel, Sources("problems"))
    lines = list(format_case(run.cases[0], make_renderer(), remarks=False))
    told = [number for number, line in enumerate(lines) if line.startswith("    - ")]

    assert lines[0] == f"{kernel.case}: PASS, {len(run.cases[0].datasets)} of {len(run.cases[0].datasets)} data sets"
    assert len(told) == len(kernel.unkept)
    assert all(lines[number + 1].startswith("      Why: ") for number in told)
    assert any("The answer is right." in line for line in lines) == bool(kernel.unkept)
    assert not any(word in "\n".join(lines) for word in ("FINDING", "wrong", "fail", "error"))


def test_a_solution_must_keep_its_promises(reported):
    """The same kernel, in the place of the documents' own."""
    kernel = next(right for right in RIGHT if right.name == "serial-loop")
    run = reported(kernel, Sources("solutions"))

    assert run.exit_code == 1 and run.cases[0].verdict == "PASS"


def test_there_are_enough_of_them():
    assert len(RIGHT) >= 8 and len({kernel.id for kernel in RIGHT}) == len(RIGHT)
    assert {kernel.case.partition(":")[0] for kernel in RIGHT} >= {"p15", "p26", "p34"}
