"""Barriers that threads miss because they returned, or went around: what hardware defines is a warning."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import kernel

BARRIERS = {
    "nvidia": "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
    "amd": "call void @llvm.amdgcn.s.barrier()",
    "apple": "call void @air.wg.barrier(i32 1, i32 1)",
}
# Some threads return at once, or do something before.
RETURNS = """
  %c = icmp ult i32 %t, 24
  br i1 %c, label %stay, label %leave
leave:
  {work}
  br label %end
stay:
  {barrier}
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 1, ptr %p
  br label %end
end:"""
AROUND = """
  %c = icmp ult i32 %t, 24
  br i1 %c, label %wait, label %on
wait:
  {barrier}
  br label %on
on:
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 1, ptr %p
  br label %end
end:"""
LOOP = """
  %n = add i32 %t, 1
  br label %head
head:
  %k = phi i32 [ 0, %0 ], [ %k1, %body ]
  %c = icmp ult i32 %k, %n
  br i1 %c, label %body, label %end
body:
  {barrier}
  %k1 = add i32 %k, 1
  br label %head
end:"""
STORE = "%q = getelementptr i32, ptr %o, i32 %t\n  store i32 2, ptr %q"


def missed(body, target, seed=None, **places):
    """What is said of barriers that threads of one block of 64 miss: ids and severities."""
    barrier = BARRIERS[target.partition(":")[0]]
    result = simt.launch(
        kernel(body.format(barrier=barrier, **places), target=target),
        target=target,
        grid=1,
        block=64,
        args=[np.zeros(64, np.int32)],
        observers=simt.observers(unwritten=False),
        options=simt.Options(seed=seed),
    )
    assert result.fault is None
    return {(finding.id, finding.severity) for finding in result.findings if finding.severity != "information"}


@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.parametrize("work", ["", STORE], ids=["at once", "after some work"])
@pytest.mark.parametrize(
    ("target", "severity"),
    [
        ("nvidia:sm_90", "warning"),
        ("nvidia:sm_70", "warning"),
        ("nvidia:sm_61", "error"),
        ("amd:gfx942", "warning"),
        ("amd:gfx1100", "warning"),
        ("apple:apple-m4", "error"),
    ],
)
def test_a_barrier_after_a_return_is_a_warning_where_hardware_awaits_the_living(target, severity, work, seed):
    """Whole warps return, and half of one; the verdict is that of any warning."""
    assert missed(RETURNS, target, seed, work=work) == {("missed-barrier.ended", severity)}


def test_where_they_returned_is_told():
    """Behind the barrier's place stands that of the way to the function's end that they took, not of that end."""
    barrier = BARRIERS["nvidia"]
    text = kernel(RETURNS.format(barrier=barrier, work=STORE), target="nvidia:sm_90")
    result = simt.launch(
        text,
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[np.zeros(64, np.int32)],
        observers=simt.observers(unwritten=False),
    )
    (finding,) = (found for found in result.findings if found.kind == "missed-barrier")

    assert [place.instruction.split(",")[0] for place in finding.sites] == [barrier, "br label %end"]


@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.parametrize("target", ["nvidia:sm_90", "amd:gfx942", "apple:apple-m4"])
def test_who_goes_around_a_barrier_is_an_error_everywhere(target, seed):
    """They do what comes behind it, as if they had waited."""
    assert missed(AROUND, target, seed) == {("missed-barrier.passed", "error")}


@pytest.mark.slow
def test_a_return_from_a_loop_is_a_return():
    """Nothing comes behind the loop: who leaves it ends."""
    assert missed(LOOP, "nvidia:sm_90") == {("missed-barrier.ended", "warning")}
    assert missed(LOOP + "\n" + STORE, "nvidia:sm_90") == {("missed-barrier.passed", "error")}
