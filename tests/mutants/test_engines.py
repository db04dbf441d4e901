"""Both engines say the same of mutants, and where they would not it is told."""

from __future__ import annotations

import pytest

from harness.backends.base import Request
from harness.catalogue import find_case
from harness.model.target import Target
from harness.simt.run import launch
from harness.simt.run.compiled_launch import run_compiled
from tests import compiled
from tests.mutants.compiled import few, few_hosts
from tests.mutants.engines import Both, compared, compared_by_hand
from tests.mutants.handwritten import FEW, HOSTS, MUTANTS
from tests.mutants.originals import originals

pytestmark = pytest.mark.slow
SM_90 = Target.parse("nvidia:sm_90")


@pytest.mark.parametrize("mode", ["p26:pair-swap", "p09:first-case"])
def test_machine_code_says_of_mutants_what_python_says(mode):
    """Of kernels that are launched, and of those that functions of the host launch."""
    compiled.solutions()
    kernels, requests, differences = compared(mode, SM_90.name)
    assert requests > kernels > 2
    assert differences == []


def test_what_differs_is_told():
    """Beside the solution, one that adds another number."""
    compiled.solutions()
    (original,) = originals([find_case("p01")], SM_90)
    (text,) = original.texts().values()
    assert "1.000000e+01" in text
    both = Both(original.backend({}), original.backend({"0": text.replace("1.000000e+01", "1.100000e+01")}, "native"))
    instance = original.case.instance(32)
    both.launch(Request(case=original.case, instance=instance, dataset=instance.datasets[0]))
    assert both.differences == ["on documented: results"]


def test_machine_code_says_of_hand_written_mutants_what_python_says():
    """Of kernels, at a larger size too, and of functions of the host."""
    few(SM_90)
    few_hosts(SM_90)
    some = [mutant for mutant in (*MUTANTS, *HOSTS) if mutant.id in FEW]
    ids = [mutant.id for mutant in some if mutant.case in ("p08", "p24:traditional", "p09:first-case")]
    assert len(ids) == 9
    kernels, requests, differences = compared_by_hand(ids, SM_90.name)
    assert kernels == 9 + 6  # at further launches
    assert requests >= kernels
    assert differences == []


def test_hand_written_mutants_that_differ_are_named(monkeypatch):
    """By machine code that leaves another number in the first element."""

    def other(engine, setup, side_by_side, right=run_compiled):
        ran = right(engine, setup, side_by_side)
        first = next(one for one in engine.memory.allocations if one.argument is not None and one.writable)
        first.data[0] ^= 1
        return ran

    few(SM_90)
    monkeypatch.setattr(launch, "run_compiled", other)
    told = [f"p08-neighbour, p08, {SM_90.name}: on {name}: results" for name in ("documented", "random-8")]
    assert compared_by_hand(["p08-neighbour"], SM_90.name)[2] == told
