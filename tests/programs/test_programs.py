"""Whole programs, each run as it is: what it prints, how it ends, and what is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.programs import execute
from harness.report import programs
from tests.programs.expectation import VENDORS, Expectation, read

PROGRAMS = Path(__file__).parent / "programs"
FILES = sorted(PROGRAMS.glob("*.mojo"))
RUNS = [run for file in FILES for run in read(file)]


def chosen(run: Expectation) -> bool:
    """One target for each program in the ordinary tests, another one for the next program."""
    targets = [vendor for vendor in VENDORS if any(other.file == run.file and other.vendor == vendor for other in RUNS)]
    return run.vendor == targets[FILES.index(run.file) % len(targets)]


def marked(run: Expectation) -> object:
    marks = [pytest.mark.slow] if chosen(run) else [pytest.mark.slow, pytest.mark.full]
    return pytest.param(run, id=str(run), marks=marks)


@pytest.mark.parametrize("run", [marked(run) for run in RUNS])
def test_a_program_prints_and_ends_as_it_says(run: Expectation):
    execution = execute(run.file, arguments=run.arguments, defines=run.defines, target=run.vendor)

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
