"""Whole programs, each run as it is: what it prints, how it ends, and what is told of it."""

from __future__ import annotations

import pytest

from harness.programs import execute
from harness.report import programs
from tests.programs.expectation import RUNS, Expectation

# Each takes five seconds to compile.  In the ordinary tests run forty of them, some of each kind, on one target; `full`
# runs all of them on all of theirs.
SAMPLE = {
    **dict.fromkeys(("assertion", "copy_too_short", "device_pointer", "fills", "kernel_race", "leak"), "nvidia"),
    **dict.fromkeys(("many_kernels", "missing_wait", "p34_cluster", "shared_dynamic", "status", "scan"), "nvidia"),
    **dict.fromkeys(("host_function", "waited", "double_free", "source_overwritten", "over_released"), "nvidia"),
    **dict.fromkeys(("foreign_memory", "streams", "never_awaited", "p15_axis_sum", "constant_memory"), "nvidia"),
    **dict.fromkeys(("launch_attributes", "programmatic_launch", "occupancy"), "nvidia"),
    **dict.fromkeys(("contexts", "kernel_print", "uninitialised_copy", "use_after_free"), "amd"),
    **dict.fromkeys(("ownership", "structs", "p26_butterfly", "wrapped"), "amd"),
    **dict.fromkeys(("atomics", "layout_tensor", "stream_race", "sub_buffers", "timer"), "apple"),
    **dict.fromkeys(("copies", "two_contexts"), "apple"),
}


def marked(run: Expectation) -> object:
    sampled = SAMPLE.get(run.file.stem) == run.vendor
    return pytest.param(run, id=str(run), marks=[pytest.mark.slow] if sampled else [pytest.mark.slow, pytest.mark.full])


def test_the_sample_is_of_programs_and_targets_that_are_there():
    assert SAMPLE.items() <= {(run.file.stem, run.vendor) for run in RUNS}


@pytest.mark.parametrize("run", [marked(run) for run in RUNS])
def test_a_program_prints_and_ends_as_it_says(run: Expectation):
    how = {"arguments": run.arguments, "defines": run.defines, "target": run.vendor}
    execution = execute(run.file, backend="simulator", **how)  # also where there is a GPU

    told = "\n".join([*programs.lines(execution), execution.errors.decode()])
    findings = {
        (finding.severity, finding.id, finding.sites[0].line if finding.sites else 0)
        for finding in execution.findings
        if finding.severity != "information"
    }
    assert execution.output.decode() == run.output, told
    assert findings == run.findings, told
    assert execution.status == run.status, told
    assert not execution.missing and not execution.limit, told
