"""Both engines say the same of mutants, and where they would not it is told."""

from __future__ import annotations

import pytest

from harness.backends.base import Request
from harness.catalogue import case
from harness.model.target import Target
from tests.mutants.engines import Both, compared
from tests.mutants.originals import originals

pytestmark = pytest.mark.slow
SM_90 = Target.parse("nvidia:sm_90")


@pytest.mark.parametrize("mode", ["p26:pair-swap", "p09:first-case"])
def test_machine_code_says_of_mutants_what_python_says(mode):
    """Of kernels that are launched, and of those that functions of the host launch."""
    kernels, requests, differences = compared(mode, SM_90.name)
    assert requests > kernels > 2
    assert differences == []


def test_what_differs_is_told():
    """Beside the solution, one that adds another number."""
    (original,) = originals([case("p01")], SM_90)
    (text,) = original.texts().values()
    assert "1.000000e+01" in text
    both = Both(original.backend({}), original.backend({"0": text.replace("1.000000e+01", "1.100000e+01")}, "native"))
    instance = original.case.instance(32)
    both.launch(Request(case=original.case, instance=instance, dataset=instance.datasets[0]))
    assert both.differences == ["on documented: results"]
