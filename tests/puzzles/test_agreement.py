"""The simulator and the GPU come to the same verdicts, on right kernels and on wrong ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.backends.base import Request
from harness.backends.in_child import InChild
from harness.backends.max_backend import MaxBackend
from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.build.device_code import build_device_code as compiled
from harness.build.graphs import build_graphs
from harness.build.unit import Build
from harness.cases.case_run import run_case
from harness.cases.check import judge
from harness.catalogue import CASES, find_case
from harness.model.frames import find_unfilled
from harness.model.handout import Blank
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from harness.model.target import Target
from tests.faults.faults import FAULTS
from tests.faults.mutants import artifacts
from tests.faults.trials import Hardware, Simulated
from tests.mutants.compiled import device_code
from tests.mutants.handwritten import MUTANTS
from tests.puzzles.alike import alike

SECONDS = 2.0
# What hardware may not show: that nothing orders two accesses which it happens to order, that another order than the
# one it happens to take gives another result, and that shared memory which holds the right value was never written.
SILENT = {"race", "order-dependent", "uninitialised"}

gpu = pytest.mark.gpu


class Sides:
    """The same kernels on the hardware and in the simulator.

    Args:
        target: What they are compiled for.
        sources: Whose kernels.
    """

    def __init__(self, target, sources):
        self.cases = [case.simulated for case in CASES if not case.refusal(target) and not case.called]
        build = Build(target=target, sources=sources)
        code = compiled(self.cases, build, "llvm")
        self.hardware = MaxBackend(target, build_graphs(self.cases, build, surrounded=True), InChild(target))
        self.simulator = SimulatorBackend(LaunchPlan(target, "simulator"), code)

    def judged(self, request):
        """(report, outcome) of the hardware, and of the simulator."""
        for backend in (self.hardware, self.simulator):
            outcome = backend.launch(request)
            yield judge(request, outcome), outcome


@pytest.fixture(scope="module", params=["solutions", "problems"])
def sides(request, target):
    """Both backends, for the solved puzzles and for the unsolved ones."""
    made = Sides(target, Sources(request.param))
    yield made, request.param
    made.hardware.close()


def begun_by_nobody(entry):
    """Whether a case has something to be filled in."""
    text = Sources("problems").kernel_file(entry).read_text()
    return find_unfilled(text, entry.functions, text) is not None


@gpu
@pytest.mark.parametrize("entry", CASES, ids=lambda entry: entry.id)
def test_verdicts_and_results_agree(sides, entry, target):
    """On every data set: solutions pass on both; unsolved problems fail alike; every byte is equal, or nearly
    where the hardware rounds otherwise.
    """
    made, kind = sides
    entry = entry.simulated
    if entry not in made.cases:
        pytest.skip(entry.refusal(target) or "it calls a function of the host")
    if kind == "problems" and not (isinstance(entry.handout, Blank) and begun_by_nobody(entry)):
        pytest.skip("it is handed out with what hardware may hang on, or let pass, or with nothing to fill in")
    instance = entry.instance(target.warp_width)
    for dataset in instance.datasets:
        request = Request(case=entry, instance=instance, dataset=dataset)
        (real, left), (simulated, foretold) = made.judged(request)

        assert (real.verdict, real.reason) == (simulated.verdict, simulated.reason), dataset.name
        assert (real.verdict == "PASS") == (kind == "solutions")
        for buffer in instance.results:
            mine, theirs = left.results[buffer.name].values, foretold.results[buffer.name].values
            assert alike(entry, buffer.name, mine, theirs), (dataset.name, buffer.name)


@pytest.fixture(scope="module")
def benches(target):
    """Both backends, for faults."""
    made = Hardware(target), Simulated(target)
    yield made
    made[0].close()


@gpu
@pytest.mark.parametrize(
    "fault", [fault for fault in FAULTS if fault.simulator and not fault.differs], ids=lambda fault: fault.name
)
def test_faults_agree(benches, fault, target):
    """But for those that differ by nature, which say why."""
    if target.vendor != "nvidia":
        pytest.skip("what is expected was written down for NVIDIA")
    real, simulated = (bench.run(fault) for bench in benches)

    assert real.verdict == simulated.verdict, (real, simulated)


def acceptable(verdict: str, kinds: set[str]) -> set[str]:
    """What hardware may say of a kernel, given the simulator's verdict and its kinds of findings."""
    if verdict != "FINDING":
        return {verdict}
    caught = {"MISMATCH", "LAUNCH_ERROR", "TIMEOUT"}
    return caught | {"PASS"} if kinds <= SILENT else caught


def test_only_what_luck_may_save_passes_on_hardware():
    """A wrong value is a wrong value everywhere, and guard words see what leaves a result."""
    assert acceptable("PASS", set()) == {"PASS"}
    assert acceptable("MISMATCH", set()) == {"MISMATCH"}
    assert "PASS" in acceptable("FINDING", {"race"})
    assert "PASS" in acceptable("FINDING", {"race", "order-dependent"})
    assert "PASS" in acceptable("FINDING", {"uninitialised"})
    assert "PASS" not in acceptable("FINDING", {"race", "out-of-bounds"})


def foretold(entry, target, code):
    """The simulator's verdict on the first data set that it does not pass, and the kinds of its findings.

    Without the promises: on hardware nothing counts.
    """
    entry = entry.simulated
    instance = entry.instance(target.warp_width)
    backend = SimulatorBackend(LaunchPlan(target, "simulator"), {entry.id: code})
    for dataset in instance.datasets:
        request = Request(case=entry, instance=instance, dataset=dataset, time_limit_seconds=SECONDS)
        outcome = backend.launch(request)
        report = judge(request, outcome)
        if report.verdict != "PASS":
            return report.verdict, {finding.kind for finding in outcome.findings if finding.severity != "information"}
    return "PASS", set()


@pytest.fixture(scope="module")
def mutants(target):
    """The mutants' device code and a function that runs one on the hardware."""
    mine = [mutant for mutant in MUTANTS if find_case(mutant.case).refusal(target) is None]
    graphs = artifacts(target)
    built = build_graphs([case.simulated for case in CASES if not case.called], Build(target=target), surrounded=True)
    built = replace(built, artifacts=dict(built.artifacts))
    backend = MaxBackend(target, built, InChild(target))

    def run(mutant):
        entry = find_case(mutant.case).simulated
        built.artifacts[entry.id] = graphs[mutant.id]
        return run_case(entry, LaunchPlan(target, "max", "", ""), backend)

    yield device_code(mine, target), run
    backend.close()


@gpu
@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_wrong_kernels_agree(mutants, mutant, target):
    """What the simulator refuses the hardware refuses too, unless luck saves it; equivalent ones pass on both."""
    entry = find_case(mutant.case)
    if reason := entry.refusal(target):
        pytest.skip(reason)
    code, run = mutants
    verdict, kinds = foretold(entry.simulated, target, code[mutant.id].code)
    report = run(mutant)

    allowed = acceptable(verdict, kinds) | ({"PASS"} if mutant.silent else set())
    assert report.verdict in allowed, (report.verdict, report.reason, verdict, kinds)


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_the_simulators_side_says_what_it_should():
    """A race, a wrong value and an equivalent kernel, without a GPU."""
    sm_90 = Target.parse("nvidia:sm_90")
    names = ("p15-barrier-after-load-left-out", "p15-last-step-left-out", "p15-barrier-between-read-and-add-left-out")
    chosen = [mutant for mutant in MUTANTS if mutant.id in names]
    code = device_code(chosen, sm_90)
    outcomes = {mutant.id: foretold(find_case(mutant.case), sm_90, code[mutant.id].code) for mutant in chosen}

    assert [outcomes[name][0] for name in names] == ["FINDING", "MISMATCH", "PASS"]
    assert outcomes[names[0]][1] == {"race"}
