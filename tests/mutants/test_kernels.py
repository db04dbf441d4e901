"""Every wrong kernel is caught, and nothing else is; those of blind spots pass the documents' own check."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.catalogue import CASES, find_case
from harness.catalogue.further import DRAWN
from harness.model.target import Target
from tests.mutants.automatic import SEED, killer
from tests.mutants.compiled import device_code
from tests.mutants.documents import lets_pass, refusal
from tests.mutants.handwritten import HOSTS, MUTANTS, RULES, marked

TARGET = Target.parse("nvidia:sm_90")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def code(wanted):
    """The compiled kernels of the mutants that are wanted."""
    return device_code([mutant for mutant in MUTANTS if mutant.id in wanted], TARGET)


@pytest.mark.parametrize("mutant", marked(mutant for mutant in MUTANTS if not mutant.equivalent and not mutant.blind))
def test_a_wrong_kernel_is_caught(mutant, code):
    """It compiles, it runs, and some data set, finding or promise says that it is wrong; blind spots are below."""
    assert killer(find_case(mutant.case), TARGET, *code[mutant.id], seed=SEED)


BY_COINCIDENCE = [mutant for mutant in MUTANTS if mutant.further]


@pytest.mark.parametrize("mutant", marked(BY_COINCIDENCE))
def test_a_kernel_that_is_right_at_the_documented_launch_alone_is_caught_at_a_further_one(mutant, code):
    """At the documented launch its results are right, whatever it promises."""
    documented, assembly, further = code[mutant.id]
    entry = find_case(mutant.case)

    assert killer(entry, TARGET, documented, assembly) in ("", "claim")
    beside = [killer(launch, TARGET, texts) for launch, texts in zip(entry.simulated.further, further, strict=True)]
    assert any(f" on {DRAWN}" in verdict for verdict in beside)


@pytest.mark.parametrize("mutant", marked(mutant for mutant in MUTANTS if mutant.equivalent))
def test_an_equivalent_kernel_passes(mutant, code):
    """A kernel that is proved right is not reported."""
    assert killer(find_case(mutant.case), TARGET, *code[mutant.id], seed=SEED) == ""


SPOTS = [mutant for mutant in MUTANTS if mutant.blind]


@pytest.mark.parametrize("mutant", marked(mutant for mutant in SPOTS if not mutant.equivalent))
def test_a_blind_spot_passes_the_documents_check_and_is_refused_here(mutant, code):
    entry, made = find_case(mutant.case), code[mutant.id]

    assert lets_pass(entry, TARGET, made.code, RULES)
    assert mutant.blind.refused
    assert refusal(entry, TARGET, *made) == mutant.blind.refused


@pytest.mark.parametrize("mutant", marked(mutant for mutant in SPOTS if mutant.equivalent))
def test_what_is_right_as_the_documents_launch_it_is_refused_as_they_do_not(mutant, code):
    """`tests/puzzles/test_reported.py` launches it so."""
    assert lets_pass(find_case(mutant.case), TARGET, code[mutant.id].code, RULES)
    assert refusal(find_case(mutant.case), TARGET, *code[mutant.id]) == ""
    assert mutant.blind.refused.startswith("PASS; ")


def test_every_mode_has_wrong_ones_by_hand():
    """Three at least, as many as `tests` runs; `full` runs all."""
    counts = Counter(mutant.case for mutant in (*MUTANTS, *HOSTS) if not mutant.equivalent)

    assert [entry.id for entry in CASES if counts[entry.id] < 3] == []
