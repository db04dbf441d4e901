"""Each blind spot of the documents' check is one: a wrong kernel passes it, and is refused here."""

from __future__ import annotations

import numpy as np
import pytest

from harness.catalogue import case
from harness.model.target import Target
from tests.mutants.blind_spots import BLIND
from tests.mutants.compiled import device_code, hosts_reports
from tests.mutants.documents import (
    EQUAL,
    IN_RANGE,
    NOTHING,
    RISING,
    WHERE_WRITTEN,
    first,
    lets_pass,
    refusal,
    told,
    within,
)
from tests.mutants.handwritten import FEW, HOSTS, MUTANTS, RULES
from tests.mutants.puzzles import modules

TARGET = Target.parse("nvidia:sm_90")
SPOTS = [mutant for mutant in BLIND if mutant in MUTANTS and not mutant.equivalent]
HOST = [mutant for mutant in BLIND if mutant in HOSTS]


def test_what_is_marked_is_there():
    """And every rule is of a case of the catalogue."""
    assert {mutant.id for mutant in BLIND} == {
        f"{entry}-{name}" for module in modules() for entry, name in getattr(module, "BLIND", {})
    }
    assert all(case(name).documented for name in RULES)


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        (EQUAL, [1, 2, 3], [1, 2, 4]),
        (within(0.02), [1, 2, 3.05], [1, 2, 3.1]),
        (within(0, 10), [1, 2, 13], [1, 2, 13.5]),
        (first(2, EQUAL), [1, 2, 0], [1, 1, 3]),
        (IN_RANGE, [1, 1, 1], [1, 2, 4]),
        (RISING, [5, 6, 7], [0, 1, 2]),
        (WHERE_WRITTEN, [0, 2, 0], [0, 2, 4]),
    ],
    ids=lambda value: getattr(value, "says", ""),
)
def test_what_the_documents_compare(rule, right, wrong):
    expected = np.array([1, 2, 3], np.float32)
    assert rule.met(np.array(right, np.float32), expected) and not rule.met(np.array(wrong, np.float32), expected)
    assert rule.met(expected, expected) and NOTHING.met(np.array(wrong), expected)


@pytest.fixture(scope="module")
def code():
    """The compiled kernels, with the others of the ordinary suite, as which the cache has them."""
    return device_code([mutant for mutant in MUTANTS if mutant.id in FEW], TARGET)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", SPOTS, ids=lambda mutant: mutant.id)
def test_a_wrong_kernel_passes_the_documents_check_and_is_refused_here(mutant, code):
    entry, made = case(mutant.case), code[mutant.id]

    assert lets_pass(entry, TARGET, made.code, RULES)
    assert refusal(entry, TARGET, *made) == mutant.blind.refused


@pytest.mark.slow
@pytest.mark.parametrize("mutant", [mutant for mutant in BLIND if mutant.equivalent], ids=lambda mutant: mutant.id)
def test_what_is_right_as_the_documents_launch_it_is_refused_as_they_do_not(mutant, code):
    """`tests/puzzles/test_reported.py` launches it so."""
    assert lets_pass(case(mutant.case), TARGET, code[mutant.id].code, RULES)
    assert refusal(case(mutant.case), TARGET, *code[mutant.id]) == ""
    assert mutant.blind.refused.startswith("PASS; ")


@pytest.fixture(scope="module")
def reports():
    """What wrong functions of the host come to, with the others of the ordinary suite."""
    return hosts_reports(tuple(mutant for mutant in HOSTS if mutant.id in FEW), TARGET)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", HOST, ids=lambda mutant: mutant.id)
def test_a_wrong_host_function_passes_the_documents_check_and_is_refused_here(mutant, reports):
    """What the documents look at is right on their data."""
    report, looked_at = reports[mutant.id], case(mutant.case).printed_output.split()
    wrong = {finding.argument for finding in report.datasets[0].findings if finding.kind == "check"}

    assert report.datasets[0].name == "documented" and wrong.isdisjoint(looked_at)
    assert told(report.decisive) == mutant.blind.refused
