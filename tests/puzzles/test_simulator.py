"""Every case on every target without a GPU: the kernel's own device code, simulated."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from harness.cases import pipeline
from harness.cases.case_run import name_further_dataset
from harness.catalogue import CASES
from harness.catalogue import find_case as case_of
from harness.model.case import Case
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.model.target import Target
from tests import compiled

TARGETS = ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")


# NVIDIA's on every edit; beside it, of each kind of kernel a mode with AMD's wide warps and in Apple's own code. AMD's
# narrow ones are as the others'. What calls a function of the host goes one way on all of them: a function alone, and
# what follows the warp's width, stand for the rest, for AMD alone. What an op's graph is, no target changes.
CALLED = [case for case in CASES if case.called]
KINDS = {case.id: (bool(case.graph), case.instance(32).tensors != case.instance(64).tensors) for case in CALLED}
FEW = {kind: name for name, kind in reversed(KINDS.items())}.values()  # the first of each kind


def marks(target: str, case: Case) -> list[pytest.MarkDecorator]:
    """When a case runs for a target."""
    if target == TARGETS[0]:
        return [pytest.mark.slow] if case.called and case.id not in FEW else []
    some = [name for name in FEW if not case_of(name).graph] if target == "amd:gfx942" else []
    runs = case.id in (*compiled.ELSEWHERE, *some) or case.refusal(Target.parse(target))
    return [pytest.mark.slow, *([] if runs and target != "amd:gfx1100" else [pytest.mark.full])]


RUNS = [pytest.param(name, case, id=f"{name}-{case.id}", marks=marks(name, case)) for name in TARGETS for case in CASES]


@pytest.fixture(scope="module")
def reports(request) -> Callable[[str], dict[str, CaseReport]]:
    """By a target, one run of those cases that are wanted for it."""
    own = [item.callspec.params for item in request.session.items if item.path == request.path]

    @cache
    def of(target: str) -> dict[str, CaseReport]:
        wanted = [each["case"] for each in own if each["target"] == target]
        compiled.solutions()
        run = pipeline.run(wanted, plan=pipeline.plan(target, "simulator"), sources=Sources())
        return {report.case: report for report in run.cases}

    return of


@pytest.mark.parametrize(("target", "case"), RUNS)
def test_solutions_give_the_documented_results(reports, target, case):
    """PASS on every data set, or SKIPPED with the catalogue's reason where a target cannot."""
    report, target = reports(target)[case.id], Target.parse(target)

    if case.refusal(target):
        assert (report.verdict, report.reason) == ("SKIPPED", case.refusal(target))
    else:
        assert (report.verdict, report.reason) == ("PASS", "")
        small, *further = case.simulated.sizes
        width = target.warp_width
        assert [dataset.name for dataset in report.datasets] == [
            *(dataset.name for dataset in small.instance(width).datasets),
            *(name_further_dataset(one.name, size, width) for size in further for one in size.instance(width).datasets),
        ]
