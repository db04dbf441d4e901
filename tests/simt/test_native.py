"""Launches of tests that run on a GPU, too. A stand-in plays the child that has it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from harness import simt
from tests.simt import native
from tests.simt.snippets import kernel
from tests.simt.tensors import load

BODY = """
  %p = getelementptr i32, ptr %o, i64 %i
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p"""


@pytest.fixture
def child(monkeypatch):
    """What the stand-in was asked, by an answer that it is given first."""

    class Child:
        def run(self, launch):
            self.asked = launch
            return self.answer

    stand_in = Child()
    monkeypatch.setattr(native, "_child", stand_in)
    monkeypatch.setattr(native, "_counts", Counter())
    monkeypatch.setattr(native, "_told", [])
    return stand_in


def launch(output, body=BODY, target="nvidia:sm_90"):
    return native._launch(kernel(body, target=target), target=target, grid=1, block=4, args=[output])


@pytest.mark.parametrize(("left", "what"), [([6, 7, 8, 9], "the same bytes"), ([6, 7, 8, 0], "other bytes")])
def test_what_the_gpu_leaves_takes_the_place(child, left, what):
    """It began with what the simulator began with."""
    output = np.arange(5, 9, dtype=np.int32)
    child.answer = [np.array(left, np.int32)], ""

    assert launch(output).verdict == "clean"
    assert output.tolist() == left
    assert child.asked.arguments[0].tolist() == [5, 6, 7, 8]
    assert native._counts == {what: 1}
    assert len(native._told) == (what == "other bytes")


def test_what_does_not_come_through_is_told_and_left_to_the_simulator(child):
    output = np.zeros(4, np.int32)
    child.answer = "did not end within 20 s"
    launch(output)

    assert output.tolist() == [1] * 4
    assert native._counts == {"did not come through": 1}
    assert native._told[0].endswith("did not end within 20 s")


def test_what_the_driver_optimises_wrongly_runs_without(child, monkeypatch):
    def run(wanted):
        return "illegal instruction" if wanted.optimised else ([np.array([1, 2, 3, 4], np.int32)], "")

    monkeypatch.setattr(child, "run", run, raising=False)
    output = np.arange(4, dtype=np.int32)
    launch(output)

    assert output.tolist() == [1, 2, 3, 4]
    assert list(native._counts) == [
        "came through without the driver's optimiser alone",
        "the same bytes, where the driver does not optimise",
    ]
    assert native._told[0].endswith("illegal instruction")


def test_an_array_for_a_vector_stays_in_the_simulator(child):
    """It is passed by value, not by its address."""
    text = kernel("store <4 x float> %v, ptr %o, align 4", "<4 x float> %v, ptr %o")
    output = np.zeros(4, np.float32)
    native._launch(text, target="nvidia:sm_90", grid=1, block=1, args=[np.ones(4, np.float32), output])

    assert output.tolist() == [1.0] * 4
    assert not hasattr(child, "asked")


@pytest.mark.parametrize(
    ("body", "target"), [(BODY, "amd:gfx942"), ("%v = load i32, ptr null\nstore i32 %v, ptr %o", "nvidia:sm_90")]
)
def test_other_targets_and_faulty_kernels_stay_in_the_simulator(child, body, target):
    launch(np.zeros(4, np.int32), body, target)

    assert not hasattr(child, "asked")


def test_a_tensor_map_goes_as_what_it_says(child):
    """The driver encodes it there; the kernel takes its address."""
    array, output = np.arange(64, dtype=np.float32).reshape(8, 8), np.zeros(16, np.float32)
    child.answer = [array.copy(), output.copy()], ""
    tensor = simt.TensorMap(array, (4, 4))
    native._launch(load(2, 16, (4, 0)), target="nvidia:sm_90", grid=1, block=16, args=[tensor, output])
    box, given = child.asked.arguments[0]

    assert (box.sizes, box.box, box.strides) == ((8, 8), (4, 4), (4, 32))
    np.testing.assert_array_equal(given, array)
    assert "nvvm.grid_constant" in child.asked.text
