"""Staging and engine on the host CPU, where MAX's buffers are plain ones."""

from __future__ import annotations

import dataclasses
import gc

import numpy as np
import pytest

from harness.backends.engine import MaxEngine
from harness.backends.guarded import GUARD_ELEMENTS, guarded
from harness.backends.protocol import Argument, LaunchOrder, Warmup
from harness.catalogue import case
from tests import compiled


@pytest.fixture(scope="module")
def engine():
    return MaxEngine(None)


@pytest.fixture(scope="module")
def artifacts():
    """The references and what is launched first, out of one compilation."""
    return compiled.references().artifacts


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.uint8, np.int64])
@pytest.mark.parametrize("shape", [(1,), (3, 5), (2, 3, 4)])
def test_what_goes_up_comes_down(engine, dtype, shape):
    """Bit for bit, as an array of its own."""
    array = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    buffer = engine.staging.upload(array)
    sent = array.copy()
    array[...] = 0  # the source is free as soon as `upload` returns
    got = engine.staging.download(buffer)
    assert (got.dtype, got.shape) == (sent.dtype, sent.shape)
    np.testing.assert_array_equal(got, sent)
    got[...] = 0
    np.testing.assert_array_equal(engine.staging.download(buffer), sent)


def test_an_array_born_in_staging_is_known_while_it_lives(engine):
    """Its memory is found by its address, views keep it alive, and it goes with the last of them."""
    staging = engine.staging
    array = staging.empty((4, 8192), np.int32)
    array[...] = np.arange(4 * 8192).reshape(4, 8192)
    assert staging._memory(array) is not None
    assert staging._memory(np.zeros(4)) is None
    assert staging._memory(staging.empty((3,))) is None, "not worth it"
    assert staging._memory(array[1:]) is None, "only a whole array starts where its memory does"
    view = array[:2]
    born = len(staging._born)
    del array
    gc.collect()
    assert len(staging._born) == born
    np.testing.assert_array_equal(view, np.arange(2 * 8192).reshape(2, 8192))
    del view
    gc.collect()
    assert len(staging._born) == born - 1


def order(artifacts, name: str, repeats: int = 1, guard: int = GUARD_ELEMENTS) -> LaunchOrder:
    entry, artifact = case(name), artifacts[name]
    instance = entry.instance(32)
    arguments = tuple(
        Argument(tensor.name, instance.datasets[0].inputs[tensor.name])
        if tensor.role == "input"
        else Argument(tensor.name, guarded(tensor.shape, tensor.dtype, "poison", guard), tensor.shape)
        for tensor in instance.tensors
    )
    scalars = tuple(scalar.dtype.type(scalar.value) for scalar in instance.scalars)
    return LaunchOrder(str(artifact.mef), artifact.graph, arguments, guard, repeats, scalars=scalars)


def test_phases_are_told_in_order(engine, artifacts):
    """Each before it begins; a repetition is a phase of its own."""
    said: list[str] = []
    answer = engine.launch(order(artifacts, "p15", repeats=3), said.append)
    assert said == ["load", "copy in", "execute", "copy out", "repeat", "repeat"]
    assert answer.unstable == () and answer.seconds > 0


def test_repetitions_that_differ_are_named(engine, artifacts, monkeypatch):
    """A device that adds something of its own to each later execution."""
    plain, calls = MaxEngine.run, []

    def drifting(self, model, arguments):
        returned = plain(self, model, arguments)
        calls.append(1)
        output = np.from_dlpack(arguments[0])
        output[0, 0] += len(calls) - 1
        return returned

    monkeypatch.setattr(MaxEngine, "run", drifting)
    answer = engine.launch(order(artifacts, "p15", repeats=4))
    assert (answer.unstable, len(calls)) == (("output",), 4)
    expected = case("p15").oracle(case("p15").instance(32).datasets[0].inputs, 32)["output"]
    np.testing.assert_array_equal(answer.arrays["output"][GUARD_ELEMENTS:-GUARD_ELEMENTS], expected.ravel())


def test_each_repetition_starts_from_the_same_memory(engine, artifacts, monkeypatch):
    """An accumulation onto the output would show otherwise."""
    plain = MaxEngine.run
    seen = []

    def looking(self, model, arguments):
        seen.append(np.from_dlpack(arguments[0]).copy())
        return plain(self, model, arguments)

    monkeypatch.setattr(MaxEngine, "run", looking)
    engine.launch(order(artifacts, "p15", repeats=3))
    assert len({memory.tobytes() for memory in seen}) == 1 and len(seen) == 3


def test_a_repetition_waits_for_its_memory(engine, artifacts):
    """On the host a copy is not ordered before what is executed next: a large one would come after the kernel."""
    assert engine.launch(order(artifacts, "p15", repeats=2, guard=2**22)).unstable == ()


def test_a_failure_tells_its_phase(engine, artifacts, tmp_path):
    """`phase` stays what it was when MAX raised."""
    broken = order(artifacts, "p15")
    lost = LaunchOrder(str(tmp_path / "no.mef"), broken.graph, broken.arguments, broken.guard)
    with pytest.raises(RuntimeError, match="No such file or directory"):
        engine.launch(lost)
    assert engine.phase == "load"
    assert engine.launch(broken).arrays.keys() == {"output", "a"}


def before(**changes) -> Warmup:
    """What is launched first, by its sequential branch."""
    artifact = compiled.references().artifacts["warmup"]
    fields = {"mef": str(artifact.mef), "graph": artifact.graph, "blocks": artifact.parameters["grid_x"], "word": 7}
    return Warmup(**{**fields, **changes})


def test_what_is_launched_first_is_a_phase_of_its_own(engine, artifacts):
    """And the launch after it is the case's."""
    said: list[str] = []
    wanted = dataclasses.replace(order(artifacts, "p15"), warmup=before())
    assert engine.launch(wanted, said.append).arrays.keys() == {"output", "a"}
    assert said == ["load", "copy in", "prepare", "execute", "copy out"]


def test_its_failure_is_none_of_the_kernel_s(engine, artifacts):
    """The phase tells it apart: here a witness that is too short for the blocks."""
    with pytest.raises(ValueError, match=r"\(1023\), f32\] does not match expected type \[\(1024\)"):
        engine.launch(dataclasses.replace(order(artifacts, "p15"), warmup=before(blocks=1023)))
    assert engine.phase == "prepare"
