"""Every case on every target without a GPU: the kernel's own device code, simulated."""

from __future__ import annotations

import pytest

from harness.cases import pipeline
from harness.cases.case_run import at_size
from harness.catalogue import CASES
from harness.model.sources import Sources
from harness.model.target import Target

TARGETS = ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")


# NVIDIA's on every edit; beside it AMD's wide warps and Apple's own code. AMD's narrow ones are as the others'.
MARKS = {name: [pytest.mark.slow] for name in TARGETS[1:]}
MARKS["amd:gfx1100"].append(pytest.mark.full)
OTHERS = [pytest.param(name, marks=marks) for name, marks in MARKS.items()]


@pytest.fixture(scope="module", params=[TARGETS[0], *OTHERS])
def reports(request):
    """One run of the whole catalogue for a target."""
    run = pipeline.run(CASES, plan=pipeline.plan(request.param, "simulator"), sources=Sources())
    return Target.parse(request.param), {report.case: report for report in run.cases}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_solutions_give_the_documented_results(reports, case):
    """PASS on every data set, or SKIPPED with the catalogue's reason where a target cannot."""
    target, by_case = reports
    report = by_case[case.id]

    if case.refusal(target):
        assert (report.verdict, report.reason) == ("SKIPPED", case.refusal(target))
    else:
        assert (report.verdict, report.reason) == ("PASS", "")
        small, *larger = case.simulated.sizes
        assert [dataset.name for dataset in report.datasets] == [
            *(dataset.name for dataset in small.instance(target.warp_width).datasets),
            *(at_size(dataset.name, size) for size in larger for dataset in size.instance(target.warp_width).datasets),
        ]
