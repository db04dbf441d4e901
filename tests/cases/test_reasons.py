"""Why an element is wrong is told where it is certain: nothing of inputs that nobody tried."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness import simt
from harness.cases import reasons
from harness.cases.trail import Trail, find_touches
from harness.cases.upstream import trace_upstream
from harness.catalogue import find_case
from harness.model.case import Case
from harness.simt.findings import Finding
from tests.simt.engines import made
from tests.solutions.stored import simulator

SUMS = find_case("p15")


def told(wanted: Case) -> Finding | None:
    """Of the kernel that is right for puzzle 15, held against another oracle."""
    instance = wanted.instance(32)
    return reasons.explain_wrong_element(
        wanted, instance, instance.datasets[0], simulator(SUMS, "nvidia:sm_90"), "output", []
    )


def expecting(change: np.ufunc, *more: float) -> Case:
    return replace(SUMS, oracle=lambda inputs, width: {"output": change(SUMS.oracle(inputs, width)["output"], *more)})


@pytest.mark.slow
def test_what_is_done_with_the_right_elements_is_told_after_all_were_tried(monkeypatch):
    other = expecting(np.add, 1)
    found = told(other)
    assert found is not None and found.id == "check.reason.combined"
    monkeypatch.setattr(reasons, "SECONDS", -1.0)
    assert told(other) is None


@pytest.mark.parametrize(("share", "id"), [(1 / 2, "times"), (1 / 409_600, "weight")])
def test_nothing_counts_more_often_than_a_block_has_threads(share, id):
    """Where a change goes elsewhere, what comes of it is any multiple of what should."""
    found = told(expecting(np.multiply, share))

    assert found is not None and found.id == f"check.reason.{id}"


@pytest.mark.slow
@pytest.mark.parametrize("nobody", [np.full((4, 1), np.nan), np.ma.masked_all((4, 1))], ids=["nan", "masked"])
def test_what_follows_from_no_input_has_no_reason(nobody):
    """Beside a wrong element it is passed over."""
    assert told(replace(SUMS, oracle=lambda _inputs, _width: {"output": nobody})) is None
    sums = SUMS.oracle(SUMS.instance(32).datasets[0].inputs, 32)["output"]

    def oracle(inputs: dict[str, np.ndarray], width: int) -> dict[str, np.ndarray]:
        found = np.ma.masked_array(2 * SUMS.oracle(inputs, width)["output"])
        found[0] = nobody[0]
        return {"output": found}

    found = told(replace(SUMS, oracle=oracle))
    assert sums.shape == (4, 1) and found is not None and found.values["index"] == "[1, 0]"


def test_a_float_that_is_moved_as_an_integer_is_shown_as_one():
    """As a copy moves it: what an array holds is known of an argument, and of an access that takes it for a float."""
    body = """
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  store i32 %v, ptr addrspace(3) %s
  %w = load float, ptr addrspace(3) %s
  %n = fptosi float %w to i32
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %n, ptr %q"""
    module, trails = simt.decode(made(body)), (Trail(), Trail())
    for trail, value in zip(trails, (2.0, 3.0), strict=True):
        buffers = simt.Buffer(np.full(64, value, np.float32), "a"), simt.Buffer(np.zeros(64, np.int32), "o")
        options = simt.Options(engine="reference")
        simt.launch(module, target="nvidia:sm_90", grid=1, block=64, args=buffers, observers=[trail], options=options)
        trail.floats["a"] = np.dtype(np.float32)

    told = [(touch.kind, touch.name, touch.value) for touch in find_touches(*trails, trails[0])]
    shared = told[1][1]
    assert told == [
        ("load", "a", "2.0"), ("store", shared, "2.0"), ("load", shared, "2.0"), ("store", "o", "2")
    ]  # fmt: skip
    assert trails[1].last_store("o", 5).value == "3"


@pytest.mark.parametrize("changed", [0, 1])
def test_a_nan_that_stays_is_no_change(changed):
    body = """
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %o, i64 %i
  store float %v, ptr %q"""
    module, trails = simt.decode(made(body)), (Trail(), Trail())
    for trail, value in zip(trails, (2.0, 2.0 + changed), strict=True):
        values = np.full(64, np.nan, np.float32)
        values[5] = value
        buffers = simt.Buffer(values, "a"), simt.Buffer(np.zeros(64, np.float32), "o")
        options = simt.Options(engine="reference")
        simt.launch(module, target="nvidia:sm_90", grid=1, block=64, args=buffers, observers=[trail], options=options)

    touches = find_touches(*trails, trails[1])
    assert [(touch.flat, touch.value) for touch in touches] == [(5, "3.0")] * 2 * changed
    assert len(trace_upstream(*trails, "o", 5)) == 2 * changed
    assert trace_upstream(*trails, "o", 6) == []
