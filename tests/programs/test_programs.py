"""Whole programs, each run as it is: what it prints, how it ends, and what is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.programs import Execution, execute
from harness.report import programs
from tests.programs.expectation import RUNS, VENDORS, Expectation
from tests.programs.sight import expect, reported, sight_here
from tests.programs.together import SAMPLE, execute_beside, named


def comes_to_what_it_says(run: Expectation, execution: Execution) -> None:
    told = "\n".join([*programs.format_execution(execution), execution.errors.decode()])
    sight = sight_here()
    assert execution.output.decode() == run.output, told
    assert reported(execution, sight) == expect(run, sight), told  # each of them once
    assert execution.status == run.status, told
    assert not execution.missing and not execution.limit, told


def test_the_sample_has_each_finding_and_three_programs_of_each_vendor():
    sampled = [run for run in RUNS if named(run) in SAMPLE]

    assert {named(run) for run in sampled} == SAMPLE, "programs and targets that are there"
    assert {name for run in sampled for _, name, _ in run.findings} == {
        name for run in RUNS for _, name, _ in run.findings
    }
    assert all(len({name for name, own in SAMPLE if own == vendor}) >= 3 for vendor in VENDORS)


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.parametrize("run", [pytest.param(run, id=str(run)) for run in RUNS])
def test_a_program_prints_and_ends_as_it_says(run: Expectation):
    how = {"arguments": run.arguments, "defines": run.defines, "target": run.vendor}
    comes_to_what_it_says(run, execute(run.file, backend="simulator", **how))  # also where there is a GPU


@pytest.mark.slow
@pytest.mark.parametrize("run", [pytest.param(run, id=str(run)) for run in RUNS if named(run) in SAMPLE])
def test_compiled_beside_others_it_does_the_same(run: Expectation):
    execution = execute_beside(run.file.stem, run.vendor, arguments=run.arguments, defines=run.defines)

    comes_to_what_it_says(run, execution)
    places = {Path(finding.sites[0].file) for finding in execution.findings if finding.sites}
    assert {place.stem for place in places} <= {run.file.stem}
