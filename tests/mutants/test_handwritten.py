"""Every wrong kernel is caught, and nothing else is."""

from __future__ import annotations

import pytest

from harness.catalogue import case
from harness.model.target import Target
from tests.mutants.automatic import killer
from tests.mutants.compiled import device_code, hosts_killers
from tests.mutants.handwritten import HOSTS, MUTANTS

TARGET = Target.parse("nvidia:sm_90")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def code():
    """The compiled kernels of all mutants."""
    return device_code(MUTANTS, TARGET)


@pytest.mark.parametrize(
    "mutant", [mutant for mutant in MUTANTS if not mutant.equivalent], ids=lambda mutant: mutant.id
)
def test_a_wrong_kernel_is_caught(mutant, code):
    """It compiles, it runs, and some data set, finding or promise says that it is wrong."""
    assert killer(case(mutant.case), TARGET, *code[mutant.id])


ONE_BLOCK = [
    mutant
    for mutant in MUTANTS
    if mutant.case.startswith(("p24", "p25"))
    and mutant.name.startswith(
        ("place-of-the-first", "elements-of-the-first", "other-blocks", "first-of-all", "lane-0-of")
    )
]


@pytest.mark.parametrize("mutant", ONE_BLOCK, ids=lambda mutant: mutant.id)
def test_a_kernel_that_is_right_in_one_block_alone_is_caught_over_several(mutant, code):
    """At the documented size it passes, with all promises kept."""
    documented, assembly, larger = code[mutant.id]
    entry = case(mutant.case)

    assert killer(entry, TARGET, documented, assembly) == ""
    assert killer(entry, TARGET, documented, assembly, larger).endswith("several-blocks")


@pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if mutant.equivalent], ids=lambda mutant: mutant.id)
def test_an_equivalent_kernel_passes(mutant, code):
    """A kernel that is proved right is not reported."""
    assert killer(case(mutant.case), TARGET, *code[mutant.id]) == ""


@pytest.fixture(scope="module")
def killers():
    """What became of the wrong functions of the host."""
    return hosts_killers(HOSTS, TARGET)


@pytest.mark.parametrize("mutant", HOSTS, ids=lambda mutant: mutant.id)
def test_a_wrong_function_of_the_host_is_caught(mutant, killers):
    """As of kernels; what is proved right passes."""
    assert bool(killers[mutant.id]) != bool(mutant.equivalent), killers[mutant.id]
