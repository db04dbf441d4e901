"""Values that need more than a row of the table of launches: another parameter, or a launch after another."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.run.launch import launch  # without the tests' own observers
from tests.simt.engines import OUT, VALUE, both
from tests.simt.launches.row import whole
from tests.simt.launches.values import WIDE
from tests.simt.snippets import kernel


@pytest.mark.parametrize("opcode", ["uitofp", "sitofp"])
def test_after_an_integer_of_128_bits_machine_code_runs_again(opcode):
    assert both(whole(WIDE.format(opcode))).engine.python
    assert not both(f"{VALUE}\n  %w = add i32 %v, 12345{OUT}").engine.python


def test_code_that_does_not_link_runs_in_python(monkeypatch):
    """Whatever it calls, and what is made behind it links."""
    from harness.simt.native.jit import compiler as machine

    object_of = machine._object
    calls = "declare i32 @nobody_has_it()\ndefine i32 @run() {\n  %r = call i32 @nobody_has_it()\n  ret i32 %r\n}"
    monkeypatch.setattr(machine, "_object", lambda _text, level=1: object_of(calls, level))
    again = f"{VALUE}\n  %w = add i32 %v, 54321{OUT}"
    assert both(again).engine.why == "a function that this computer does not have"
    monkeypatch.undo()
    assert not both(f"{VALUE}\n  %w = add i32 %v, 54322{OUT}").engine.python


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_parameter_of_several_bits(engine):
    output = np.zeros(64, np.int32)
    text = kernel(f"\n  %e = extractelement <2 x i1> %b, i32 1\n  %w = zext i1 %e to i32{OUT}", "ptr %o, <2 x i1> %b")
    options = simt.Options(engine=engine)
    launch(text, target="nvidia:sm_90", grid=1, block=64, args=[output, np.array([False, True])], options=options)

    assert output.tolist() == [1] * 64
