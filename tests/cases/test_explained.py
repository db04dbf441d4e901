"""The data set that decides a report, with the case and the instance that have it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from harness.cases.case_run import name_further_dataset
from harness.cases.explained import find_decisive
from harness.cases.fresh import add_fresh_data
from harness.catalogue import find_case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport
from harness.model.target import Target

PLAN = LaunchPlan(Target.parse("nvidia:sm_90"), "simulator", "", "", data_seed=7)
CASE = find_case("p01")


def report_on(name: str | None) -> CaseReport:
    return cast(CaseReport, SimpleNamespace(decisive=None if name is None else SimpleNamespace(name=name)))


@pytest.mark.parametrize("number", range(len(CASE.sizes)))
def test_every_data_set_is_found_by_its_name(number):
    """Also fresh data, and those of further launches."""
    size = CASE.sizes[number]
    for dataset in add_fresh_data(size, size.instance(32), PLAN.data_seed).datasets:
        name = dataset.name if number == 0 else name_further_dataset(dataset.name, size, 32)
        found = find_decisive(report_on(name), CASE, PLAN)

        assert found is not None and found[0] is size
        assert found[2] is found[1].dataset(dataset.name)


def test_no_data_set_decides_what_is_right():
    assert find_decisive(report_on(None), CASE, PLAN) is None
    assert find_decisive(report_on("fresh-1"), CASE, replace(PLAN, data_seed=None)) is None
