"""Observers are switched one by one, and what one finds goes with its switch."""

import json

import numpy as np
import pytest

from harness import simt

TEXT = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, 4
  br i1 %c, label %in, label %end
in:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p = getelementptr float, ptr %o, i32 %t
  store float undef, ptr %p, align 4
  br label %end
end:
  ret void
}
"""
FOUND_BY = {
    "uninitialised": {"uninitialised"},
    "sync": {"missed-barrier"},
    "unwritten": {"never-written"},
    "redundant": {"redundant-barrier"},
}


def run(**switches):
    """A kernel with a fault for each observer."""
    output = simt.Buffer(np.full(8, np.nan, np.float32), "output", initialised=False)
    return simt.launch(
        TEXT, target="nvidia:sm_90", grid=1, block=8, args=[output], observers=simt.observers(**switches)
    )


def kinds(result):
    """The kinds of its findings."""
    return {finding.kind for finding in result.findings}


def test_all_are_on_unless_switched_off():
    """One run finds all of it."""
    assert set.union(*FOUND_BY.values()) <= kinds(run())
    assert "bank_conflicts" in run().counters


@pytest.mark.parametrize("name", FOUND_BY)
def test_a_switch_takes_away_what_its_observer_finds(name):
    """And nothing else."""
    assert kinds(run(**{name: False})) == kinds(run()) - FOUND_BY[name]


def test_counters_can_be_left_out():
    """What remains is what the engine counts."""
    assert "bank_conflicts" not in run(counters=False).counters


def test_a_switch_that_does_not_exist_is_refused():
    """A misspelt switch would leave a check on, or off."""
    with pytest.raises(ValueError, match="no observer 'race'"):
        simt.observers(race=False)


def test_observers_are_fresh():
    """Nothing of one launch is left for the next."""
    assert not set(map(id, simt.observers())) & set(map(id, simt.observers()))
    assert kinds(run()) == kinds(run())


def test_json_knows_every_value():
    """No NaN, no NumPy scalar, no object."""
    record = simt.render.as_dict(run())

    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_the_text_names_origin_and_elements():
    """Of an undefined value where it came from, of a result what is missing."""
    text = simt.render.text(run())

    assert "Use of an undefined value" in text
    assert "literal undef" in text
    assert "4 of 8 elements of output are never written, the first at 4" in text
    assert "========= Information: Redundant barrier" in text
