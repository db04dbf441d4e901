"""A second process of the simulator: what it makes of a launch is what this one makes of it."""

from __future__ import annotations

import dataclasses
import os
import signal
import time

import numpy as np
import pytest

from harness import simt
from harness.backends.base import Outcome, Request
from harness.backends.second import Second
from harness.backends.simulator import SimulatorBackend
from harness.catalogue import case
from harness.model.target import Target
from tests.solutions.stored import simulator, text_of

SM_90 = "nvidia:sm_90"


@pytest.fixture
def second():
    """One that says that it is ready."""
    made = Second()
    made.start()
    deadline = time.monotonic() + 60
    while not made._ready and time.monotonic() < deadline:
        time.sleep(0.02)
        made._collect()
    assert made._ready
    yield made
    made.close()


def requests(name: str) -> list[Request]:
    """A printed run and every data set, in the order in which a learner's command asks for them."""
    entry = case(name)
    instance = entry.instance(32)
    poisoned = [Request(case=entry, instance=instance, dataset=dataset) for dataset in instance.datasets]
    return [dataclasses.replace(poisoned[0], fill="zero"), *poisoned]


def settled(second: Second) -> None:
    """Waits for what it is busy with."""
    deadline = time.monotonic() + 60
    while second._busy is not None and time.monotonic() < deadline:
        time.sleep(0.01)
        second._collect()


def backend(name: str, second: Second, text: str | None = None) -> SimulatorBackend:
    entry = case(name)
    code = text or text_of(entry.op, SM_90)
    return SimulatorBackend(Target.parse(SM_90), {name: code}, observers=simt.observers, second=second)


def counted(second: Second) -> list[Outcome]:
    """The outcomes that come out of it from now on."""
    taken, own = [], second.outcome

    def outcome(wanted):
        if (made := own(wanted)) is not None:
            taken.append(made)
        return made

    second.outcome = outcome
    return taken


def assert_same(outcome: Outcome, other: Outcome) -> None:
    assert (
        outcome.findings == other.findings and outcome.counters == other.counters and outcome.failure == other.failure
    )
    assert outcome.printed == other.printed and outcome.results.keys() == other.results.keys()
    for name, observed in outcome.results.items():
        for part in ("values", "before", "after"):
            first, second = getattr(observed, part), getattr(other.results[name], part)
            assert first.tobytes() == second.tobytes() and first.dtype == second.dtype and first.shape == second.shape
    for name, values in outcome.inputs.items():
        np.testing.assert_array_equal(values, other.inputs[name])


def test_the_last_launches_are_made_there_and_are_the_same(second):
    """Findings, counters, results and the words around them."""
    taken, asked = counted(second), requests("p15")
    both, alone = backend("p15", second), simulator(case("p15"), SM_90)
    for request in asked:
        assert_same(both.launch(request), alone.launch(request))
        settled(second)
    assert len(taken) == len(asked) // 2


def test_a_kernel_with_a_race_races_there_too(second):
    """The finding names the same lanes and lines."""
    text = text_of("p15", SM_90).replace("call void @llvm.nvvm.barrier", "; call void @llvm.nvvm.barrier")
    taken, asked = counted(second), requests("p15")
    both, alone = backend("p15", second, text), simulator(case("p15"), SM_90, code=text)
    for request in asked:
        assert_same(both.launch(request), alone.launch(request))
        settled(second)
    assert any(finding.kind == "race" for outcome in taken for finding in outcome.findings)


def test_a_second_process_that_is_gone_costs_nothing(second):
    """What it had begun is made here."""
    asked = requests("p15")
    both, alone = backend("p15", second), simulator(case("p15"), SM_90)
    both.launch(asked[0])
    os.kill(second._worker.pid, signal.SIGKILL)
    for request in asked[1:]:
        assert_same(both.launch(request), alone.launch(request))


def test_other_data_than_was_expected_is_not_mixed_up(second):
    """The data set of that name, but with other values: what was made of it is not taken."""
    first, *_, last = requests("p15")
    both, alone = backend("p15", second), simulator(case("p15"), SM_90)
    both.launch(first)
    settled(second)
    changed = {"a": last.dataset.inputs["a"] + 1}
    other = dataclasses.replace(last, dataset=dataclasses.replace(last.dataset, inputs=changed))
    taken = counted(second)
    assert_same(both.launch(other), alone.launch(other))
    assert not taken
    both.launch(first)
    settled(second)
    assert_same(both.launch(last), alone.launch(last))
    assert len(taken) == 1


def test_one_that_is_never_started_is_never_used():
    """A run whose code is stored already is over before a process would be up."""
    asked, idle = requests("p15"), Second()
    both, alone = backend("p15", idle), simulator(case("p15"), SM_90)
    assert_same(both.launch(asked[0]), alone.launch(asked[0]))
