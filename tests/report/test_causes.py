"""What is told to people is told once."""

from __future__ import annotations

from dataclasses import replace

from harness.model.messages import make_finding
from harness.report.causes import select_causes
from harness.simt.findings import Finding, SourceLocation

BARRIER = SourceLocation("k.mojo", 9, 5, "call void @barrier()", function="matmul")
REDUNDANT = Finding("redundant-barrier.one", "information", "matmul_16_40", (BARRIER,))


def test_what_several_launches_show_alike_is_told_once():
    """Of one function that is compiled with several parameters too, whose code and name differ."""
    again = replace(REDUNDANT, kernel="matmul_12_40", sites=(replace(BARRIER, instruction="call void @other()"),))
    launch = make_finding(
        "check.made.other", function="execute", kernel="k", made="(1, 1) x (32, 1)", documented="(2, 1)"
    )

    assert select_causes([REDUNDANT, again, launch, replace(launch)]) == [REDUNDANT, launch]


def test_what_differs_is_told():
    beside = replace(REDUNDANT, sites=(replace(BARRIER, column=40),))
    outside = [make_finding("check.made.other", function="execute", made=made) for made in ("(1, 1)", "(3, 1)")]

    assert select_causes([REDUNDANT, beside, *outside]) == [REDUNDANT, beside, *outside]
