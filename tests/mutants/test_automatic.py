"""Every automatic mutant is killed, or proved equivalent."""

import re
from functools import cache

import pytest

from tests.mutants.automatic import TARGETS, fates
from tests.mutants.equivalent import RULES, explain
from tests.mutants.operators import OPERATORS, mutants
from tests.solutions.stored import PLACES

KERNEL = """define void @k(ptr %0) {
  %2 = load i32, ptr %0, align 4, !dbg !1
  %3 = icmp slt i32 %2, 6, !dbg !2
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !3
  %4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %9, i32 1, i32 31), !dbg !4
  store float %4, ptr %0, align 4, !dbg !5
}
"""


@cache
def fated(target):
    """Every mutant of a target and what became of it; run once."""
    return tuple(fates(target))


def test_the_operators_change_one_instruction_each():
    """What is changed, into what, and that its metadata stays."""
    replaced = [(mutant.operator, mutant.new) for mutant in mutants(KERNEL)]

    assert ("negate-comparison", "%3 = icmp sge i32 %2, 6") in replaced
    assert ("shift-comparison", "%3 = icmp sle i32 %2, 6") in replaced
    assert ("change-constant", "%3 = icmp slt i32 %2, 7") in replaced
    assert ("delete-barrier", "") in replaced
    assert ("delete-store", "") in replaced
    assert ("delete-shuffle", "%4 = select i1 true, float %9, float %9") in replaced
    for mutant in mutants(KERNEL):
        changed = [a for a, b in zip(KERNEL.split("\n"), mutant.text.split("\n"), strict=True) if a != b]
        assert len(changed) == 1
        assert mutant.operator in OPERATORS
    texts = [mutant.text for mutant in mutants(KERNEL) if mutant.new]
    assert all(len(re.findall(r"!dbg !\d", text)) == 5 for text in texts)


SOME = [target for target in TARGETS if target != "amd:gfx1100"]  # whose narrow warps are as the others'
EACH = [pytest.param(target, marks=() if target in SOME else pytest.mark.full) for target in TARGETS]
ALL = [pytest.param(SOME, id="some"), pytest.param(TARGETS, id="all", marks=pytest.mark.full)]


@pytest.mark.slow
@pytest.mark.parametrize("target", EACH)
def test_every_mutant_is_killed_or_explained(target):
    """Nothing else survives."""
    survivors = [
        str(fate.mutant)
        for fate in fated(target)
        if not fate.killer and explain(fate.case.id, target, fate.mutant) is None
    ]

    assert not survivors


@pytest.mark.slow
@pytest.mark.parametrize("targets", ALL)
def test_every_explanation_is_needed(targets):
    """A rule that explains no survivor would hide the next one; of modes that are not stored a document tells."""
    used = {
        id(explain(fate.case.id, target, fate.mutant))
        for target in targets
        for fate in fated(target)
        if not fate.killer
    }

    stored = {case.id for case, _ in PLACES}
    asked = [rule for rule in RULES if any(re.fullmatch(rule.targets, target) for target in targets)]
    assert {id(rule) for rule in asked if stored & set(rule.cases)} <= used


@pytest.mark.slow
@pytest.mark.parametrize("targets", ALL)
def test_no_killed_mutant_has_an_explanation(targets):
    """A rule that calls a killed mutant equivalent is wrong."""
    wrong = [
        f"{fate.case.id}: {fate.mutant}"
        for target in targets
        for fate in fated(target)
        if fate.killer and explain(fate.case.id, target, fate.mutant) is not None
    ]

    assert not wrong
