"""Staging and engine on the host CPU, where MAX's buffers are plain ones."""

from __future__ import annotations

import dataclasses
import gc
import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from harness.backends.engine import MaxEngine
from harness.backends.guarded import GUARD_ELEMENTS, POISON, find_poisoned, make_guarded
from harness.backends.protocol import Argument, Around, LaunchOrder
from harness.build.around import COMPARED
from harness.catalogue import find_case
from tests import compiled


@pytest.fixture(scope="module")
def engine():
    return MaxEngine(None)


@pytest.fixture(scope="module")
def artifacts():
    """The references and what is launched around them, out of one compilation."""
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


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.float64])
@pytest.mark.parametrize("shape", [(64,), (100, 33), (1000,), (4097,)])
def test_what_is_poisoned_on_the_device_is_what_the_host_would_send(engine, dtype, shape, monkeypatch):
    monkeypatch.setattr("harness.backends.staging.FILLED", 64)
    for fill in FILLS:
        got = engine.staging.download(engine.staging.make_guarded(shape, np.dtype(dtype), fill, GUARD_ELEMENTS))
        assert got.tobytes() == make_guarded(shape, np.dtype(dtype), fill).tobytes()


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


def order(artifacts, name: str, repeats: int = 1, guard: int = GUARD_ELEMENTS, fills=("poison",)) -> LaunchOrder:
    entry, artifact = find_case(name), artifacts[name]
    instance = entry.instance(32)
    arguments = tuple(
        Argument(tensor.name, instance.datasets[0].inputs[tensor.name])
        if tensor.role == "input"
        else Argument(tensor.name, None, tensor.shape, tensor.dtype)
        for tensor in instance.tensors
    )
    scalars = tuple(scalar.dtype.type(scalar.value) for scalar in instance.scalars)
    return LaunchOrder(str(artifact.mef), artifact.graph, arguments, guard, fills, repeats, scalars=scalars)


def test_phases_are_told_in_order(engine, artifacts):
    """Each before it begins; a repetition is a phase of its own."""
    said: list[str] = []
    (answer,) = engine.launch(order(artifacts, "p15", repeats=3), said.append)
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
    (answer,) = engine.launch(order(artifacts, "p15", repeats=4))
    assert (answer.unstable, len(calls)) == (("output",), 4)
    expected = find_case("p15").oracle(find_case("p15").instance(32).datasets[0].inputs, 32)["output"]
    np.testing.assert_array_equal(answer.arrays["output"][GUARD_ELEMENTS:-GUARD_ELEMENTS], expected.ravel())


def test_each_repetition_starts_from_the_same_memory(engine, artifacts, monkeypatch):
    """An accumulation onto the output would show otherwise."""
    plain = MaxEngine.run
    seen = []

    def looking(self, model, arguments):
        seen.append(np.from_dlpack(arguments[0]).copy())
        return plain(self, model, arguments)

    monkeypatch.setattr(MaxEngine, "run", looking)
    list(engine.launch(order(artifacts, "p15", repeats=3)))
    assert len({memory.tobytes() for memory in seen}) == 1 and len(seen) == 3


@pytest.mark.slow
def test_a_repetition_waits_for_its_memory(engine, artifacts):
    """On the host a copy is not ordered before what is executed next: a large one would come after the kernel."""
    (answer,) = engine.launch(order(artifacts, "p15", repeats=2, guard=2**22))
    assert answer.unstable == ()


FILLS = ("poison", "poison-2", "poison-3")


def acting(monkeypatch, act):
    """The reference, and behind each execution what `act` does to output and input, by its number."""
    plain, calls = MaxEngine.run, []

    def run(self, model, arguments):
        returned = plain(self, model, arguments)
        output, values = (np.from_dlpack(buffer) for buffer in arguments[:2])
        act(len(calls), output, values)
        calls.append(1)
        return returned

    monkeypatch.setattr(MaxEngine, "run", run)
    return calls


def test_results_that_are_the_same_come_back_once(engine, artifacts, monkeypatch):
    """On each kind of memory the kernel runs anew, behind the repetitions on the first, on inputs that stay there."""
    calls, uploads, plain = acting(monkeypatch, lambda *_: None), [], engine.staging.upload
    monkeypatch.setattr(engine.staging, "upload", lambda array: uploads.append(array.size) or plain(array))
    said: list[str] = []
    wanted = order(artifacts, "p15", repeats=3, fills=FILLS)
    assert [[*answer.arrays] for answer in engine.launch(wanted, said.append)] == [["output"], [], []]
    each = ["load", "copy in", "execute", "copy out"]
    assert (said, len(calls)) == ([*each, "repeat", "repeat", *each, *each], 5)
    (given,) = (argument.array.size for argument in wanted.arguments if argument.shape is None)
    assert uploads.count(given) == 1 and len(uploads) == 4


def test_what_nobody_writes_comes_back_with_each_fill(engine, artifacts, monkeypatch):
    held = []

    def lost(number, output, _):
        output[0, 0] = np.array([POISON[FILLS[number]]], np.uint32).view(np.float32)[0]

    acting(monkeypatch, lost)
    for fill, answer in zip(FILLS, engine.launch(order(artifacts, "p15", fills=FILLS)), strict=True):
        held.append(np.flatnonzero(find_poisoned(answer.arrays["output"], fill)).tolist())
    assert held == [[GUARD_ELEMENTS]] * 3


@pytest.mark.parametrize("when", [0, 1, 2])
def test_an_input_that_is_changed_comes_back_and_the_next_fill_has_it_as_given(engine, artifacts, monkeypatch, when):
    def changing(number, _, values):
        values[0, 0] += number == when

    acting(monkeypatch, changing)
    answers = list(engine.launch(order(artifacts, "p15", fills=FILLS)))
    assert ["a" in answer.arrays for answer in answers] == [number == when for number in range(3)]
    assert answers[when].arrays["a"][0, 0] == find_case("p15").instance(32).datasets[0].inputs["a"][0, 0] + 1


@pytest.mark.parametrize(("drift", "executions", "unstable"), [(0, 2, ()), (1, 8, ("output",))])
def test_slow_repetitions_end_early_unless_one_differs(engine, artifacts, monkeypatch, drift, executions, unstable):
    """By a clock on which each look is 20 ms later."""
    ticks = SimpleNamespace(perf_counter=map((0.02).__mul__, itertools.count()).__next__)
    monkeypatch.setattr("harness.backends.engine.time", ticks)

    def drifting(number, output, _):
        output[0, 0] += number * drift

    calls = acting(monkeypatch, drifting)
    (answer,) = engine.launch(order(artifacts, "p15", repeats=8))
    assert (len(calls), answer.unstable) == (executions, unstable)


def test_a_failure_tells_its_phase(engine, artifacts, tmp_path):
    """`phase` stays what it was when MAX raised."""
    broken = order(artifacts, "p15")
    lost = LaunchOrder(str(tmp_path / "no.mef"), broken.graph, broken.arguments, broken.guard)
    with pytest.raises(RuntimeError, match="No such file or directory"):
        list(engine.launch(lost))
    assert engine.phase == "load"
    assert [answer.arrays.keys() for answer in engine.launch(broken)] == [{"output"}]


@pytest.fixture(scope="module")
def compare(artifacts):
    """What compares results, by its sequential branch."""
    own = artifacts["differing"]
    return Around(str(own.mef), own.graph, own.parameters["threads"], own.parameters["words"])


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("place", [None, 0, 4 * COMPARED - 1, 4 * COMPARED, 8 * COMPARED - 1, 8 * COMPARED, -1])
def test_large_results_are_compared_where_they_lie(engine, compare, dtype, place, monkeypatch):
    """All of their bytes; what is left over at the end comes to the host alone."""
    array = np.arange(8 * COMPARED + 40, dtype=np.uint8).view(dtype)
    changed = array.copy()
    if place is not None:
        changed.view(np.uint8)[place] ^= 1
    buffer, kept = engine.staging.upload(changed), engine.staging.upload(array)
    moved: list[int] = []
    download = engine.staging.download
    monkeypatch.setattr(engine.staging, "download", lambda of: moved.append(of.num_elements) or download(of))
    assert engine._is_same(compare, buffer, array, kept) == (place is None)
    if place is None:
        assert set(moved) <= {compare.witnesses, 40}


def test_what_differs_from_what_was_kept_alone_is_the_same(engine, compare):
    """A kernel may have written there, behind its bounds: the host knows better."""
    array = np.arange(4 * COMPARED, dtype=np.uint8)
    assert engine._is_same(compare, engine.staging.upload(array), array, engine.staging.upload(array[::-1].copy()))


@pytest.mark.slow
@pytest.mark.parametrize("drift", [0, 1])
def test_a_large_result_that_comes_out_otherwise_is_told(engine, compare, drift, monkeypatch):
    """By a repetition, and on the next kind of memory."""
    number = itertools.count()

    def run(_engine, _model, arguments):
        np.from_dlpack(arguments[0])[...] = 7
        np.from_dlpack(arguments[0])[-1, -1] = drift * next(number)
        return []

    monkeypatch.setattr(MaxEngine, "run", run)
    monkeypatch.setitem(engine._models, "none", {"none": None})
    monkeypatch.setattr("harness.backends.engine.REPEAT_SECONDS", 60)
    large = Argument("output", None, (COMPARED, 2))
    wanted = LaunchOrder("none", "none", (large,), GUARD_ELEMENTS, ("poison", "poison-2"), repeats=2, compare=compare)
    first, second = engine.launch(wanted)
    assert (first.unstable, list(second.arrays)) == ((("output",), ["output"]) if drift else ((), []))


def before(**changes) -> Around:
    """What is launched first, by its sequential branch."""
    artifact = compiled.references().artifacts["warmup"]
    fields = {"mef": str(artifact.mef), "graph": artifact.graph, "witnesses": artifact.parameters["grid_x"], "words": 1}
    return Around(**{**fields, **changes})


def test_what_is_launched_first_is_a_phase_of_its_own(engine, artifacts):
    """And the launch after it is the case's."""
    said: list[str] = []
    wanted = dataclasses.replace(order(artifacts, "p15"), warmup=before())
    assert [answer.arrays.keys() for answer in engine.launch(wanted, said.append)] == [{"output"}]
    assert said == ["load", "copy in", "prepare", "execute", "copy out"]


def test_its_failure_is_none_of_the_kernel_s(engine, artifacts):
    """The phase tells it apart: here a witness that is too short for the blocks."""
    with pytest.raises(ValueError, match=r"\(1023\), f32\] does not match expected type \[\(1024\)"):
        list(engine.launch(dataclasses.replace(order(artifacts, "p15"), warmup=before(witnesses=1023))))
    assert engine.phase == "prepare"
