"""What is proved equivalent is, and what only the data hide is not proved."""

from __future__ import annotations

import pytest

from harness.backends.simulator import SimulatorBackend
from harness.catalogue import find_case
from harness.model.launch_plan import LaunchPlan
from harness.model.target import Target
from tests.mutants.automatic import killer, verdict
from tests.mutants.equivalent import explain
from tests.mutants.operators import mutants
from tests.mutants.proofs import NEVER_RUN, Flow, proof, same, whole_proof
from tests.solutions.stored import text_of

SM_90 = Target.parse("nvidia:sm_90")
KERNEL = """define ptx_kernel void @k(ptr %0, i32 %1) {
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = icmp slt i32 %3, %1
  br i1 %4, label %5, label %9

5:
  %6 = getelementptr inbounds float, ptr %0, i32 %3
  %7 = load float, ptr %6, align 4
  %8 = fcmp olt float %7, 5.000000e+00
  br label %9

9:
  ret void
}
"""


def test_what_follows_from_the_launch_is_told_from_what_the_data_say():
    flow = Flow(KERNEL)
    assert flow.varying == {"%7", "%8"} and flow.control() and flow.accesses()
    other = Flow(KERNEL.replace("br label %9\n\n9", "br i1 %8, label %9, label %5\n\n9"))
    assert not other.control()


@pytest.mark.parametrize(
    ("old", "compared"),
    [
        ("%4 = icmp slt i32 %3, %1", "icmp ne i1 %4, %twin.4"),
        ("%6 = getelementptr inbounds float, ptr %0, i32 %3", ""),  # no number of its own to change
        ("%8 = fcmp olt float %7, 5.000000e+00", ""),
    ],
)
def test_a_probe_compares_what_is_seen(old, compared):
    """Of an instruction whose operands are data there is none."""
    probes = [same(Flow(KERNEL), mutant) for mutant in mutants(KERNEL) if mutant.old == old]
    assert all((compared in probe) if compared else not probe for probe in probes)
    assert probes or not compared


@pytest.mark.slow
@pytest.mark.parametrize("name", ["p15", "p26:pair-swap", "p26:conditional-max"])
def test_no_killed_mutant_is_proved(name):
    """And whatever is proved by a rule of its own is proved by hand too."""
    entry, text = find_case(name).simulated, text_of(find_case(name).op, SM_90.name)

    def right(probe: str) -> bool:
        backend = SimulatorBackend(LaunchPlan(SM_90, "simulator"), {entry.id: (probe,)})
        return not verdict(backend, entry, SM_90, promises=False)

    proved = 0
    for mutant in mutants(text):
        rule = whole_proof([proof(mutant, text, right)])
        proved += bool(rule)
        if rule:
            assert not killer(entry, SM_90, (mutant.text,)), (rule, str(mutant))
            assert explain(name, SM_90.name, mutant), (rule, str(mutant))
    assert proved


def test_a_probe_that_differs_is_not_right():
    """Without the first twin the second one would never differ: the probe is run, and says so."""
    entry, text = find_case("p15").simulated, text_of("p15", SM_90.name)
    flow = Flow(text)
    killed = next(m for m in mutants(text) if "icmp slt" in m.old and killer(entry, SM_90, (m.text,)))
    backend = SimulatorBackend(LaunchPlan(SM_90, "simulator"), {"p15": (same(flow, killed),)})
    assert verdict(backend, entry, SM_90, promises=False)


@pytest.mark.slow
def test_an_instruction_that_no_thread_comes_by_is_not_proved():
    """At the documented launch of puzzle 34 no thread is past the end; at another one the zero would be missed."""
    entry, text = find_case("p34:reduction").simulated, text_of("p34_reduction", SM_90.name)
    mutant = next(one for one in mutants(text) if one.operator == "delete-store" and "float 0.0" in one.old)

    def right(probe: str) -> bool:
        backend = SimulatorBackend(LaunchPlan(SM_90, "simulator"), {entry.id: (probe,)})
        return not verdict(backend, entry, SM_90, promises=False)

    assert not killer(entry, SM_90, (mutant.text,))
    assert proof(mutant, text, right) == NEVER_RUN
    assert whole_proof([NEVER_RUN]) == ""


def test_a_mutant_is_proved_where_some_thread_comes_by_and_each_launch_has_a_rule():
    assert whole_proof([NEVER_RUN, "fixed"]) == "fixed"
    assert whole_proof(["fixed", ""]) == whole_proof([NEVER_RUN, NEVER_RUN]) == ""
