"""Every wrong kernel is caught, and nothing else is."""

from __future__ import annotations

import pytest

from harness import pipeline
from harness.catalogue import case
from harness.sources import Sources
from tests.mutants.handwritten import MUTANTS

TARGET = "nvidia:sm_90"


@pytest.fixture(scope="session")
def verdict_of(tmp_path_factory):
    """Runs a mutant on all data sets of its case, in the simulator."""
    folder = tmp_path_factory.mktemp("mutants")

    def run(mutant):
        entry = case(mutant.case)
        path = folder / mutant.id.replace(":", "-") / f"{entry.puzzle}.mojo"
        path.parent.mkdir()
        path.write_text(mutant.source(entry.kernel))
        sources = Sources(overrides={entry.puzzle: path})
        return pipeline.run([entry], plan=pipeline.plan(TARGET, "simulator"), sources=sources).cases[0]

    return run


@pytest.mark.slow
@pytest.mark.parametrize("mutant", [one for one in MUTANTS if not one.equivalent], ids=lambda one: one.id)
def test_a_wrong_kernel_is_caught(mutant, verdict_of):
    """It compiles, it runs, and its verdict says that it is wrong."""
    report = verdict_of(mutant)

    assert report.verdict in ("MISMATCH", "FINDING", "TIMEOUT"), report


@pytest.mark.slow
@pytest.mark.parametrize("mutant", [one for one in MUTANTS if one.equivalent], ids=lambda one: one.id)
def test_an_equivalent_kernel_passes(mutant, verdict_of):
    """A kernel that is proved right is not reported."""
    report = verdict_of(mutant)

    assert report.verdict == "PASS", report
