"""Calls of host functions: right ones, wrong ones and hostile ones, each judged by what its kernels leave."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from harness.build import toolchain
from harness.cases import pipeline
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.programs import host_calls
from tests.programs import hosts

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here"),
]


@pytest.fixture(scope="module")
def reports() -> dict[str, CaseReport]:
    """All of them, compiled in one program."""
    hosts.built()
    told: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host_calls, "LIMITS", replace(host_calls.LIMITS, cpu_seconds=4))
        plan = pipeline.plan("nvidia:sm_90", "simulator")
        report = pipeline.run(hosts.called(), plan=plan, sources=Sources(), notify=told.append)
    assert not [line for line in told if "host functions" in line]
    return {found.case: found for found in report.cases}


@pytest.mark.parametrize("name", ["right", "second_main", "writes_a_file"])
def test_what_launches_the_kernel_is_right(reports, name):
    report = reports[name]

    assert (report.verdict, report.passed) == ("PASS", 3), report.reason
    assert not os.path.exists("left-behind")


@pytest.mark.parametrize(
    ("name", "verdict", "reason"),
    [
        ("other_grid", "MISMATCH", "double launched twice with grid (2, 1, 1) block (8, 1, 1)"),
        ("two_launches", "MISMATCH", "double made 2 launches, where the puzzle has 1: twice, twice"),
        ("other_kernel", "MISMATCH", "double launched elsewhere, but documented is twice"),
        ("no_launch", "MISMATCH", "double launched nothing"),
        ("accumulates", "FINDING", "output"),
        ("out_of_bounds", "FINDING", "a"),
        ("raises", "LAUNCH_ERROR", "double raised an error: no more"),
        ("exits", "LAUNCH_ERROR", "double did not return: it ended its program with status 0"),
        ("aborts", "FINDING", "SIGABRT"),
        ("endless", "TIMEOUT", "double did not return within 4 s of the processor"),
        ("forged", "MISMATCH", "double launched nothing"),
        ("computed", "FINDING", "8 of 8 elements of output are what the host wrote there"),
        ("decoy", "FINDING", "elements of output are what the host wrote there"),
    ],
)
def test_what_does_not_has_its_verdict(reports, name, verdict, reason):
    report = reports[name]

    assert report.verdict == verdict, report.reason
    assert reason in report.reason
