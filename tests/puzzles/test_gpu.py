"""On a GPU: the catalogue through MAX, and the simulator held against the hardware."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.backends.base import Request
from harness.backends.in_child import InChild
from harness.backends.max_backend import MaxBackend
from harness.backends.simulator import SimulatorBackend
from harness.build.device_code import build_device_code
from harness.build.graphs import build_graphs
from harness.build.unit import Build
from harness.cases import pipeline
from harness.catalogue import CASES
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from tests.puzzles.alike import alike, random_inputs

pytestmark = pytest.mark.gpu
LEARNED = [case for case in CASES if case.graph or case.id in ("p15", "p24:functional")]


@pytest.fixture(scope="module")
def cases(target):
    """What the target can run, at sizes that the simulator takes."""
    return [case.simulated for case in CASES if not case.refusal(target) and not case.called]


@pytest.fixture(scope="module")
def backends(target, cases):
    """The hardware and the simulator, on the same kernels."""
    build = Build(target=target)
    code = build_device_code(cases, build, "llvm")
    hardware = MaxBackend(target, build_graphs(cases, build), InChild(target))
    yield hardware, SimulatorBackend(LaunchPlan(target, "simulator"), code)
    hardware.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_catalogue_passes_on_the_gpu(target, case):
    """Every data set and fresh ones, with the launch trace asserted; `pytest -n` spreads the cases over the GPUs."""
    plan = pipeline.plan(target.name, "max")
    (report,) = pipeline.run([case], plan=replace(plan, data_seed=1), sources=Sources()).cases

    assert report.verdict == ("SKIPPED" if case.refusal(target) else "PASS"), report.reason


@pytest.mark.parametrize("case", LEARNED, ids=lambda case: case.id)
def test_a_learner_gets_lines_and_a_verdict(target, case):
    """Of a graph, and of a kernel: what is printed comes from a launch of its own."""
    if refusal := case.refusal(target):
        pytest.skip(refusal)
    told = pipeline.learner(case, plan=replace(pipeline.plan(target.name, "max"), data_seed=1), sources=Sources())

    assert (told.case.verdict, told.case.reason) == ("PASS", "")
    assert told.lines


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_simulator_and_gpu_agree_bit_for_bit(case, cases, backends, target):
    """On 50 random inputs, or nearly where the hardware fuses what it multiplies with what it adds."""
    case = case.simulated
    if case not in cases:
        pytest.skip(case.refusal(target) or "it calls a function of the host, which is another test's")
    instance = case.instance(target.warp_width)
    for dataset in random_inputs(case, instance):
        request = Request(case=case, instance=instance, dataset=dataset)
        hardware, simulated = (backend.launch(request) for backend in backends)

        assert (hardware.failure, simulated.failure) == (None, None)
        for buffer in instance.results:
            ours, theirs = simulated.results[buffer.name].values, hardware.results[buffer.name].values
            assert alike(case, buffer.name, theirs, ours), f"{buffer.name} differs for {dataset.name}"
