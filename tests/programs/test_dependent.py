"""Grids that begin early: what they use of the grid before is found where they have not waited."""

from __future__ import annotations

import pytest

from harness import simt
from harness.programs.host.dependent import Dependent

FIRST = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.griddepcontrol.launch.dependents()
define ptx_kernel void @first(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.griddepcontrol.launch.dependents()
  %q = getelementptr i32, ptr %p, i32 %t
  store i32 %t, ptr %q
  ret void
}"""
SECOND = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.griddepcontrol.wait()
define ptx_kernel void @second(ptr %p) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = add i32 %t, {shift}
  %q = getelementptr i32, ptr %p, i32 %u
  {early}
  %v = load i32, ptr %q
  {late}
  store i32 %v, ptr %q
  ret void
}}"""
WAIT = "call void @llvm.nvvm.griddepcontrol.wait()"


def second(first, *, early="", late="", shift=0):
    """The findings of a grid of four threads after one that wrote the first four of eight numbers."""
    device = simt.Device()
    numbers = device.allocate(32, "numbers", initialised=True)
    pointer = [numbers.base.to_bytes(8, "little")]
    before, after = Dependent({}), SECOND.format(early=early, late=late, shift=shift)
    for text, observer in ((first, before), (after, None)):
        own = observer or Dependent(before.written)
        given = {"grid": 1, "block": 4, "parameters": pointer, "observers": [own]}
        result = simt.launch_on(device, text, target="nvidia:sm_90", **given)
    return [(finding.id, finding.severity, finding.values["access"]) for finding in result.findings]


@pytest.mark.parametrize(
    ("late", "accesses"),
    [(WAIT, ["load"]), ("", ["load", "store"])],
    ids=["waited too late", "not waited"],
)
def test_what_the_grid_before_writes_is_used_too_early(late, accesses):
    assert second(FIRST, late=late) == [("dependent-grid", "error", access) for access in accesses]


def test_a_grid_that_waits_first_is_clean():
    assert second(FIRST, early=WAIT) == []


def test_what_the_grid_before_does_not_write_may_be_used():
    assert second(FIRST, shift=4) == []


def test_a_grid_that_lets_nobody_begin_early_has_ended():
    assert second(FIRST.replace("  call void @llvm.nvvm.griddepcontrol.launch.dependents()\n", "")) == []
