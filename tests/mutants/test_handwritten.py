"""Every wrong kernel is caught, and nothing else is."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.catalogue import CASES, case
from harness.model.target import Target
from tests.mutants.automatic import killer
from tests.mutants.compiled import device_code, hosts_killers
from tests.mutants.handwritten import FEW, HOSTS, MUTANTS

TARGET = Target.parse("nvidia:sm_90")

pytestmark = pytest.mark.slow


def marked(mutants):
    """Three wrong ones of each mode for `tests`, all for `full`."""
    return [
        pytest.param(mutant, id=mutant.id, marks=() if mutant.id in FEW else pytest.mark.full) for mutant in mutants
    ]


@pytest.fixture(scope="module")
def wanted(request):
    """The mutants of the tests that run."""
    own = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    return {item.callspec.params["mutant"].id for item in own}


@pytest.fixture(scope="module")
def code(wanted):
    """The compiled kernels of the mutants that are wanted."""
    return device_code([mutant for mutant in MUTANTS if mutant.id in wanted], TARGET)


@pytest.mark.parametrize("mutant", marked(mutant for mutant in MUTANTS if not mutant.equivalent))
def test_a_wrong_kernel_is_caught(mutant, code):
    """It compiles, it runs, and some data set, finding or promise says that it is wrong."""
    assert killer(case(mutant.case), TARGET, *code[mutant.id])


ONE_BLOCK = [mutant for mutant in MUTANTS if mutant.blind and "on several-blocks" in mutant.blind.refused]


@pytest.mark.parametrize("mutant", marked(ONE_BLOCK))
def test_a_kernel_that_is_right_in_one_block_alone_is_caught_over_several(mutant, code):
    """At the documented size it passes, with all promises kept."""
    documented, assembly, larger = code[mutant.id]
    entry = case(mutant.case)

    assert killer(entry, TARGET, documented, assembly) == ""
    assert killer(entry, TARGET, documented, assembly, larger).endswith("several-blocks")


@pytest.mark.parametrize("mutant", marked(mutant for mutant in MUTANTS if mutant.equivalent))
def test_an_equivalent_kernel_passes(mutant, code):
    """A kernel that is proved right is not reported."""
    assert killer(case(mutant.case), TARGET, *code[mutant.id]) == ""


@pytest.fixture(scope="module")
def killers(wanted):
    """What became of the wrong functions of the host that are wanted."""
    return hosts_killers([mutant for mutant in HOSTS if mutant.id in wanted], TARGET)


@pytest.mark.parametrize("mutant", marked(HOSTS))
def test_a_wrong_function_of_the_host_is_caught(mutant, killers):
    """As of kernels; what is proved right passes."""
    assert bool(killers[mutant.id]) != bool(mutant.equivalent), killers[mutant.id]


def test_every_mode_has_wrong_ones_by_hand():
    """Three at least, which `tests` runs."""
    counts = Counter(mutant.case for mutant in (*MUTANTS, *HOSTS) if not mutant.equivalent)

    assert [entry.id for entry in CASES if counts[entry.id] < 3] == []
