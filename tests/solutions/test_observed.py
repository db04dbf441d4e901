"""The solutions under all observers: clean, in any order, keeping every promise."""

from dataclasses import replace

import pytest

from harness.backends.base import Request
from harness.cases import claims
from harness.cases.check import judge
from harness.catalogue import CASES
from harness.model.target import Target
from tests.solutions.stored import PLACES, launches, simulator

pytestmark = pytest.mark.slow  # together they take four seconds

# AMD's narrow warps are as the others'.
SOME = [
    pytest.param(*place, marks=pytest.mark.full if place[1] == "amd:gfx1100" else (), id=f"{place[0].id}-{place[1]}")
    for place in PLACES
]
FEW = (None, 0, 1)
SEEDS = [
    pytest.param(FEW, id="seeds-0-1"),
    pytest.param(range(2, 20), id="seeds-2-19", marks=pytest.mark.full),
]
BUDGET_SECONDS = 0.05

# All that is said of a solution, none of it an error: why it is so, and right.
EXPLAINED = {
    ("p15", "redundant-barrier"): (
        "A step reads slots stride..2*stride-1 and writes slots 0..stride-1, each its own thread's: "
        "the barrier between reading and adding orders nothing that conflicts. The documents show this "
        "form because it is right for any mapping of threads to slots."
    ),
}


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize(("case", "target"), SOME)
def test_a_solution_is_clean_in_any_order(case, target, seeds):
    """Every data set, 20 shuffled schedules: the result, no finding but what is explained."""
    for seed in seeds:
        for request, outcome in launches(case, target, seed):
            assert judge(request, outcome).verdict == "PASS", (seed, request.dataset.name)
            said = {(case.id, finding.kind) for finding in outcome.findings}
            assert said <= EXPLAINED.keys(), (seed, request.dataset.name, outcome.findings)
            assert all(finding.severity == "information" for finding in outcome.findings)


@pytest.mark.parametrize(("case", "target"), SOME)
def test_a_solution_keeps_its_promises(case, target):
    """Every counter claim holds on every data set and in any order."""
    for seed in FEW:
        for request, outcome in launches(case, target, seed):
            checked = claims.check(case, Target.parse(target), outcome.counters)
            assert checked
            assert all(claim.holds for claim in checked), (seed, request.dataset.name)


@pytest.mark.parametrize("key", EXPLAINED, ids=":".join)
def test_what_is_explained_is_still_said(key):
    """An explanation without its finding would hide the next one."""
    case = next(entry for entry in CASES if entry.id == key[0])
    kinds = [finding.kind for _, outcome in launches(case, "nvidia:sm_90", None) for finding in outcome.findings]

    assert key[1] in kinds


@pytest.mark.parametrize(("case", "target"), PLACES, ids=lambda value: getattr(value, "id", value))
def test_the_documented_case_is_within_its_time(case, target):
    """All observers on: the documented data, from compiled segments to findings."""
    instance = case.instance(Target.parse(target).warp_width)
    backend = simulator(case, target)
    request = Request(case=case, instance=instance, dataset=instance.datasets[0])
    best = min(backend.launch(request).run_seconds for _ in range(5))

    assert best < BUDGET_SECONDS


@pytest.mark.parametrize(("case", "target"), SOME)
def test_machine_code_changes_nothing(case, target):
    """What a launch leaves, and what is said of it."""
    expected, backend = (simulator(case, target, engine=engine) for engine in ("reference", "native"))
    for request, _ in launches(case, target, None):
        left, right = (one.launch(replace(request, counted=False)) for one in (expected, backend))

        assert (right.findings, right.failure, right.printed) == (left.findings, left.failure, left.printed)
        for name, result in left.results.items():
            assert right.results[name].values.tobytes() == result.values.tobytes()
