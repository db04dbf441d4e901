"""Every wrong function of the host is caught; those of blind spots pass the documents' own check."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.catalogue import find_case
from harness.errors import CompileError
from harness.model.target import Target
from tests.mutants.compiled import hosts_reports, killer_of_host
from tests.mutants.documents import told
from tests.mutants.handwritten import HOSTS, marked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reports(wanted):
    """What became of those that are wanted."""
    return hosts_reports([mutant for mutant in HOSTS if mutant.id in wanted], Target.parse("nvidia:sm_90"))


@pytest.mark.parametrize("mutant", marked(HOSTS))
def test_a_wrong_function_of_the_host_is_caught(mutant, reports):
    """As of kernels; what is proved right passes."""
    killer = killer_of_host(reports[mutant.id])

    assert bool(killer) != bool(mutant.equivalent), killer


@pytest.mark.parametrize("mutant", marked(mutant for mutant in HOSTS if mutant.blind))
def test_a_blind_spot_passes_the_documents_check_and_is_refused_here(mutant, reports):
    """What the documents look at is right on their data."""
    report, looked_at = reports[mutant.id], find_case(mutant.case).printed_output.split()
    wrong = {finding.argument for finding in report.datasets[0].findings if finding.kind == "check"}

    assert report.datasets[0].name == "documented" and wrong.isdisjoint(looked_at)
    set_alone = report.decisive.name.partition(" with ")[0]  # without the launch that it is of
    assert told(replace(report.decisive, name=set_alone)) == mutant.blind.refused


def test_one_that_does_not_compile_is_not_caught_by_that():
    broken = replace(next(mutant for mutant in HOSTS if mutant.case == "p09:first-case"), new="no_such_name")

    with pytest.raises(CompileError, match=broken.id):
        hosts_reports([broken], Target.parse("nvidia:sm_90"))
