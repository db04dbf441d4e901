"""Kernels in the form of the documents, pasted into the problems as they are: the names and frames fit.

`tests/puzzles/forms.py` says how.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pytest

from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.build.unit import BuildUnit
from harness.cases.case_run import run_case
from harness.catalogue import CASES, find_case
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport
from harness.model.target import Target
from tests import compiled
from tests.mutants.compiled import hosts_reports
from tests.pairs import lacking
from tests.puzzles.forms import (
    FORMS,
    MORE,
    ONE_LINE,
    PLACES,
    SOME,
    TARGETS,
    forms,
    launched,
    one_line,
    part,
    pasted,
    together,
)

Name = TypeVar("Name")
_LACK = "there is no `mojo` here" if toolchain.find_mojo() is None else lacking("tests/puzzles/documented")
pytestmark = pytest.mark.skipif(bool(_LACK), reason=_LACK)


def judged(case: Case, target: Target, *code: str) -> CaseReport:
    """The case's verdict in the simulator, on all its data, with everything watching."""
    backend = SimulatorBackend(LaunchPlan(target, "simulator"), {case.id: code})
    return run_case(case, LaunchPlan(target, "simulator", "", ""), backend)


def assert_right(case: Case, target: Target, codes: Sequence[str]) -> None:
    """Assert that kernels are right at the documented launch of a case and at its further ones, in that order."""
    steps = len(case.steps)
    for at, launch in enumerate(case.sizes):
        report = judged(launch, target, *codes[at * steps : (at + 1) * steps])
        assert report.verdict == "PASS", report.reason


def made(parts: Mapping[Name, Sequence[tuple[BuildUnit, Target]]]) -> dict[Name, list[str]]:
    """Compile kernels, all at once; return their LLVM IR by name."""
    codes = iter(compiled.kernels([one for units in parts.values() for one in units]))
    return {name: [next(codes) for _ in units] for name, units in parts.items()}


@pytest.fixture(scope="module")
def codes():
    """LLVM IR of every documented kernel at each launch, for every target that can run it, and of another form."""
    together()
    return made(
        {(case.id, target): part(case, target) for case, target in PLACES} | {(ONE_LINE, TARGETS[0]): one_line()}
    )


@pytest.mark.parametrize(("case", "target"), PLACES, ids=lambda value: getattr(value, "id", str(value)))
def test_a_documented_kernel_passes_as_it_is(codes, case, target):
    """It compiles, and is right on every data set."""
    assert_right(case, target, codes[case.id, target])


@pytest.fixture(scope="module")
def more(request):
    """The same of those of the other puzzles that are tested, for one target."""
    own = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    wanted = {find_case.id for item in own if (find_case := item.callspec.params.get("other"))}
    together()
    return made({case.id: part(case, TARGETS[0]) for case in MORE if case.id in wanted})


OTHERS = [pytest.param(case, marks=() if case in SOME else pytest.mark.full) for case in MORE]


@pytest.mark.slow
@pytest.mark.parametrize("other", OTHERS, ids=lambda case: case.id)
def test_another_documented_kernel_passes_as_it_is(more, other):
    """At its further launches too."""
    assert_right(other, TARGETS[0], more[other.id])


@pytest.fixture(scope="module")
def elsewhere():
    """The same for the other targets."""
    return made({(case.id, target): part(case, target) for case, target in ELSEWHERE})


ELSEWHERE = [(case, target) for target in TARGETS[1:] for case in MORE if case.refusal(target) is None]


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize(("case", "target"), ELSEWHERE, ids=lambda value: getattr(value, "id", str(value)))
def test_another_documented_kernel_passes_on_other_targets(elsewhere, case, target):
    """At its further launches too."""
    assert_right(case, target, elsewhere[case.id, target])


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
        return pasted(find_case(self.case), FORMS / f"{find_case(self.case).puzzle}.mojo", "solutions")


HOSTS = [Pasted(case.id) for case in CASES if case.called and forms(case) & launched(case)]


# What of them `tests` run: functions that launch a kernel of theirs, and one that a library launches for.
SOME_HOSTS = ("p17", "p18", "p24:functional")
MARKED = [pytest.param(form, marks=() if form.id in SOME_HOSTS else pytest.mark.full) for form in HOSTS]


@pytest.fixture(scope="module")
def hosts(request):
    """What those that are tested come to at all launches, from one program."""
    own = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    return hosts_reports([form for item in own if (form := item.callspec.params.get("form"))], TARGETS[0])


@pytest.mark.slow
@pytest.mark.parametrize("form", MARKED, ids=lambda form: form.id)
def test_a_documented_host_function_passes_as_it_is(hosts, form):
    """At its further launches too."""
    assert hosts[form.id].verdict == "PASS", hosts[form.id].reason


@pytest.mark.parametrize("name", ["pair-swap", "parallel-max", "conditional-max"])
def test_a_size_made_from_the_warp_s_width_follows_the_target(codes, name):
    """Though one program compiled the kernel for all of them: the guard holds 32, 64, 32 and 32."""
    guards = [re.findall(r"icmp slt i64 %\d+, (32|64)\b", codes[f"p26:{name}", target][0])[:1] for target in TARGETS]

    sizes = ["32", "64", "32", "32"] if name != "conditional-max" else ["64"] * 4
    assert guards == [[size] for size in sizes]


def test_the_one_line_sum_is_right_too(codes):
    """The documents' other form of puzzle 15, without a barrier between reading and adding."""
    assert_right(find_case("p15"), TARGETS[0], codes[ONE_LINE, TARGETS[0]])


@pytest.mark.slow
def test_eight_elected_writers_of_one_value_are_right(codes):
    """`elect_one_sync` elects a lane of each warp: PASS, with the promise of a single writer beside it."""
    report = judged(find_case("p34:reduction"), TARGETS[0], codes["p34:reduction", TARGETS[0]][0])

    assert report.verdict == "PASS"
    assert [claim.sentence for claim in report.claims if not claim.holds] == [
        "one thread in the whole cluster writes the sum"
    ]
    assert report.counters[0]["output_writers"] == 8
