"""Kernels in the form of the documents, pasted into the problems as they are: the names and frames fit.

`tests/puzzles/forms.py` says how.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from harness import simt
from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.cases.case_run import run_case
from harness.catalogue import CASES, case
from harness.model.case import Case
from harness.model.report import CaseReport, Plan
from harness.model.steps import Host
from harness.model.target import Target
from tests import compiled
from tests.mutants.compiled import hosts_reports
from tests.pairs import lacking
from tests.puzzles.forms import FORMS, MORE, ONE_LINE, PLACES, SOME, TARGETS, forms, one_line, part, pasted, together

_LACK = "there is no `mojo` here" if toolchain.find() is None else lacking("tests/puzzles/documented")
pytestmark = pytest.mark.skipif(bool(_LACK), reason=_LACK)


def judged(case: Case, target: Target, *code: str) -> CaseReport:
    """The case's verdict in the simulator, on all its data, with everything watching."""
    backend = SimulatorBackend(target, {case.id: code}, observers=simt.observers)
    return run_case(case, Plan(target, "simulator", "", ""), backend)


@pytest.fixture(scope="module")
def codes():
    """LLVM IR of every documented kernel for every target that can run it, and of another form."""
    together()
    parts = [one for case, target in PLACES for one in part(case, target)]
    names = [*((case.id, target) for case, target in PLACES), (ONE_LINE, TARGETS[0])]
    return dict(zip(names, compiled.kernels([*parts, *one_line()]), strict=True))


@pytest.mark.parametrize(("case", "target"), PLACES, ids=lambda value: getattr(value, "id", str(value)))
def test_a_documented_kernel_passes_as_it_is(codes, case, target):
    """It compiles, and is right on every data set."""
    report = judged(case, target, codes[case.id, target])

    assert report.verdict == "PASS", report.reason


@pytest.fixture(scope="module")
def more(request):
    """The same of those of the other puzzles that are tested, for one target."""
    own = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    wanted = {case.id for item in own if (case := item.callspec.params.get("other"))}
    together()
    by_case = {case.id: part(case, TARGETS[0]) for case in MORE if case.id in wanted}
    made = iter(compiled.kernels([one for parts in by_case.values() for one in parts]))
    return {name: [next(made) for _ in parts] for name, parts in by_case.items()}


OTHERS = [pytest.param(case, marks=() if case in SOME else pytest.mark.full) for case in MORE]


@pytest.mark.slow
@pytest.mark.parametrize("other", OTHERS, ids=lambda case: case.id)
def test_another_documented_kernel_passes_as_it_is(more, other):
    """Over several blocks too, where the case is judged so."""
    steps = len(other.steps)
    for at, size in enumerate(other.sizes):
        report = judged(size, TARGETS[0], *more[other.id][at * steps : (at + 1) * steps])
        assert report.verdict == "PASS", report.reason


@dataclass(frozen=True, slots=True)
class Pasted:
    """The solution of a case that calls functions of the host, with the documented ones in their place."""

    case: str

    @property
    def id(self) -> str:
        """The case's."""
        return self.case

    def source(self) -> str:
        """The text of the file: what launches a documented kernel is ours."""
        return pasted(case(self.case), FORMS / f"{case(self.case).puzzle}.mojo", "solutions")


def launched(case: Case) -> set[str]:
    """What it launches or calls, and what that is to launch."""
    calls = (step for step in case.steps if isinstance(step, Host))
    return {*case.kernels, *(launch.name for call in calls for launch in call.own or ())}


HOSTS = [Pasted(case.id) for case in CASES if case.called and forms(case) & launched(case)]


@pytest.fixture(scope="module")
def hosts():
    """What they come to, from one program."""
    return hosts_reports(HOSTS, TARGETS[0])


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("form", HOSTS, ids=lambda form: form.id)
def test_a_documented_host_function_passes_as_it_is(hosts, form):
    assert hosts[form.id].verdict == "PASS", hosts[form.id].reason


@pytest.mark.parametrize("name", ["pair-swap", "parallel-max", "conditional-max"])
def test_a_size_made_from_the_warp_s_width_follows_the_target(codes, name):
    """Though one program compiled the kernel for all of them: the guard holds 32, 64, 32 and 32."""
    guards = [re.findall(r"icmp slt i64 %\d+, (32|64)\b", codes[f"p26:{name}", target])[:1] for target in TARGETS]

    sizes = ["32", "64", "32", "32"] if name != "conditional-max" else ["64"] * 4
    assert guards == [[size] for size in sizes]


def test_the_one_line_sum_is_right_too(codes):
    """The documents' other form of puzzle 15, without a barrier between reading and adding."""
    assert judged(case("p15"), TARGETS[0], codes[ONE_LINE, TARGETS[0]]).verdict == "PASS"


@pytest.mark.slow
def test_eight_elected_writers_of_one_value_are_right(codes):
    """`elect_one_sync` elects a lane of each warp: PASS, with the promise of a single writer beside it."""
    report = judged(case("p34:reduction"), TARGETS[0], codes["p34:reduction", TARGETS[0]])

    assert report.verdict == "PASS"
    assert [claim.sentence for claim in report.claims if not claim.holds] == [
        "one thread in the whole cluster writes the sum"
    ]
    assert report.counters[0]["output_writers"] == 8
