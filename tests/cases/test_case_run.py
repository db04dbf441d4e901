"""What only repetition shows on hardware, by backends that misbehave."""

from __future__ import annotations

import dataclasses
import threading

import numpy as np
import pytest

from harness.backends.base import Failure, Observed, Outcome, Request
from harness.backends.guarded import POISON, make_guarded, split
from harness.backends.simulator import SimulatorBackend
from harness.build.graphs import Graphs
from harness.cases import case_run, pipeline, prepare, side_by_side
from harness.cases.case_run import run_case
from harness.cases.runner import Runner
from harness.catalogue import CASES, find_case
from harness.errors import CompileError, CompileTimeout
from harness.model.case import CounterClaim, TensorArgument, Within
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from harness.model.target import Target
from tests.solutions.stored import simulator, text_of

SM_90 = Target.parse("nvidia:sm_90")
POISONS = ("poison", "poison-2", "poison-3")
HARDWARE = LaunchPlan(SM_90, "max", "a GPU", "it is here", (0,))


class Right:
    """A backend that gives what the oracle says, and remembers what it was asked."""

    name = "max"
    device = "fake GPU"
    executes_kernel = True

    def __init__(self) -> None:
        self.requests = []
        self.closed = False

    def launch(self, request):
        self.requests.append(request)
        first, *others = (
            self.launched(dataclasses.replace(request, fill=fill, repeats=1 if number else request.repeats))
            for number, fill in enumerate((request.fill, *request.others))
        )
        return dataclasses.replace(first, others=tuple(others))

    def launched(self, request):
        """On one kind of memory."""
        expected = request.case.expected(request.dataset, request.instance.width)
        results = {}
        for buffer in request.instance.results:
            whole = make_guarded(buffer.shape, buffer.dtype, request.fill)
            values, _, _ = split(whole, buffer.shape)
            if buffer.name in expected:
                held = np.ma.asarray(expected[buffer.name])
                np.copyto(values, held.data, casting="unsafe", where=~np.ma.getmaskarray(held))  # others nobody writes
            results[buffer.name] = Observed(*split(whole, buffer.shape))
        return self.changed(Outcome(results=results, inputs=dict(request.dataset.inputs)), request)

    def changed(self, outcome, request):
        """For those that misbehave."""
        return outcome

    def close(self):
        self.closed = True


class Uninitialised(Right):
    """A maximum over one element that nobody wrote: NaN loses, a large number wins."""

    def changed(self, outcome, request):
        values = outcome.results["output"].values
        word = np.array(POISON[request.fill], np.uint32).view(np.float32)
        np.fmax(values, word, out=values)
        return outcome


class Unstable(Right):
    """Another result in some repetition."""

    def changed(self, outcome, request):
        unstable = ("output",) if request.repeats > 1 else ()
        return dataclasses.replace(outcome, unstable=unstable)


class Unordered(Unstable):
    """Adds up in another order each time."""

    def changed(self, outcome, request):
        values = outcome.results["output"].values
        values *= np.float32(1 + 2.0**-20 * POISONS.index(request.fill))
        return super().changed(outcome, request)


class Faulty(Right):
    """Dies in the second poison."""

    def changed(self, outcome, request):
        if request.fill == "poison":
            return outcome
        return Outcome(failure=Failure("LAUNCH_ERROR", "p15: axis_sum: it broke"))


def test_every_data_set_runs_on_three_kinds_of_memory():
    """The documented one is repeated as often as the case says."""
    backend = Right()
    entry = find_case("p34:reduction")
    report = run_case(entry, HARDWARE, backend)
    assert report.verdict == "PASS"
    names = [dataset.name for dataset in entry.instance(32).datasets]
    asked = [(request.dataset.name, (request.fill, *request.others)) for request in backend.requests]
    assert asked == [(name, POISONS) for name in names]
    assert [request.repeats for request in backend.requests] == [100, *[1] * (len(asked) - 1)]
    assert find_case("p15").repetitions == 8


def test_large_data_runs_on_three_kinds_of_memory_once(monkeypatch):
    monkeypatch.setattr("harness.cases.case_run._LARGE", 1)
    backend = Right()
    entry = find_case("p34:reduction")
    assert run_case(entry, HARDWARE, backend).verdict == "PASS"
    documented, *others = [dataset.name for dataset in entry.instance(32).datasets]
    asked = [(request.dataset.name, (request.fill, *request.others)) for request in backend.requests]
    assert asked == [(documented, POISONS), *((name, ("poison",)) for name in others)]


def test_what_is_added_up_in_any_order_may_differ_within_its_bound():
    """And nothing else may."""
    for unordered, verdict in ((True, "PASS"), (False, "MISMATCH")):
        near = Within(rtol=2.0**-16, atol=0, why="a sum in any order", unordered=unordered)
        entry = dataclasses.replace(find_case("p34:reduction"), within={"output": near})
        assert run_case(entry, HARDWARE, Unordered()).verdict == verdict
    far = dataclasses.replace(entry, within={"output": Within(rtol=2.0**-24, atol=0, why="", unordered=True)})
    assert run_case(far, HARDWARE, Unordered()).verdict == "MISMATCH"


def test_the_simulator_is_asked_once():
    """It sees what hardware only lets be guessed."""
    backend = Right()
    backend.name = "simulator"
    run_case(find_case("p15"), HARDWARE, backend)
    assert {(request.fill, request.others, request.repeats) for request in backend.requests} == {("poison", (), 1)}


def test_a_maximum_over_uninitialised_memory_is_seen():
    """NaN poison alone would let it pass."""
    report = run_case(find_case("p26:parallel-max"), HARDWARE, Uninitialised())
    assert report.verdict == "MISMATCH"
    assert "output[0] is 1000.0 or 2.90240" in report.reason
    assert report.reason.endswith("depending on what memory held before the launch")


def test_scratch_that_follows_the_poison_is_seen():
    """Results that no oracle names must not depend on memory either."""

    class Scratch(Right):
        def changed(self, outcome, request):
            outcome.results["temp_storage"].values[:] = 1.0 if request.fill == "poison" else 2.0
            return outcome

    entry = find_case("p34:reduction")
    quiet = dataclasses.replace(entry, oracle=lambda inputs, width: {"output": entry.oracle(inputs, width)["output"]})
    report = run_case(quiet, HARDWARE, Scratch())
    assert report.verdict == "MISMATCH"
    assert "temp_storage[0] is 1.0 or 2.0, depending on what memory held" in report.reason
    assert run_case(quiet, HARDWARE, Right()).verdict == "PASS", "scratch that nobody writes is no defect"


def test_results_that_differ_between_repetitions_are_wrong():
    report = run_case(find_case("p15"), HARDWARE, Unstable())
    assert report.verdict == "MISMATCH"
    assert "output differs between 8 runs on the same inputs" in report.reason


def test_a_fault_ends_the_case():
    """It would only repeat itself."""
    backend = Faulty()
    report = run_case(find_case("p15"), HARDWARE, backend)
    assert (report.verdict, len(report.datasets), len(backend.requests)) == ("LAUNCH_ERROR", 1, 1)


def test_what_is_wrong_at_once_is_told_whatever_comes_of_it_on_other_memory():
    class WrongAndFaulty(Faulty):
        def changed(self, outcome, request):
            outcome.results["output"].values[0] += 1
            return super().changed(outcome, request)

    assert run_case(find_case("p15"), HARDWARE, WrongAndFaulty()).verdict == "MISMATCH"


@pytest.fixture
def gpus(monkeypatch):
    """Fake GPUs instead of those that MAX drives, all in one barrier: they must run side by side."""
    made = []
    together = threading.Barrier(2, timeout=20)

    class Waiting(Right):
        def __init__(self, target, built, number):
            super().__init__()
            self.number = number
            self.first = threading.Lock()
            made.append(self)

        def launch(self, request):
            if self.first.acquire(blocking=False):
                together.wait()
            return super().launch(request)

    monkeypatch.setattr("harness.backends.in_child.InChild", lambda target, number: number)
    monkeypatch.setattr("harness.backends.max_backend.MaxBackend", Waiting)
    monkeypatch.setattr("harness.build.graphs.build_graphs", lambda *_, **__: Graphs())
    return made


def test_several_gpus_share_the_cases(gpus):
    """Each case once, on some GPU; all backends are closed."""
    plan = dataclasses.replace(HARDWARE, gpus=(0, 3))
    launched = [entry for entry in CASES if not entry.called][:9]
    with Runner(launched, plan, Sources()) as runner:
        reports = list(runner.reports(launched))
    assert sorted(report.case for report in reports) == sorted(entry.id for entry in launched)
    assert {report.verdict for report in reports} == {"PASS"}
    assert {report.device for report in reports} == {"fake GPU, GPU 0", "fake GPU, GPU 3"}
    assert [backend.number for backend in gpus] == [0, 3]
    assert all(backend.closed for backend in gpus)


def test_a_gpu_runs_the_next_case_while_one_is_judged(monkeypatch):
    """Judging the first waits here for the launch of the second."""
    second, judge, waited = threading.Event(), case_run.judge, []

    class Telling(Right):
        def launch(self, request):
            if request.case.id == "p02":
                second.set()
            return super().launch(request)

    def judged(request, *more, **how):
        waited.append(second.wait(20))
        return judge(request, *more, **how)

    monkeypatch.setattr("harness.backends.max_backend.MaxBackend", lambda *_, **__: Telling())
    monkeypatch.setattr("harness.build.graphs.build_graphs", lambda *_, **__: Graphs())

    monkeypatch.setattr(case_run, "judge", judged)
    asked = [find_case("p01"), find_case("p02")]
    with Runner(asked, HARDWARE, Sources()) as runner:
        reports = list(runner.reports(asked))
    assert [(report.case, report.verdict) for report in reports] == [("p01", "PASS"), ("p02", "PASS")]
    assert all(waited)


def test_the_gpu_that_was_chosen_is_named(monkeypatch):
    """One alone too: which it was is part of the record."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr("harness.backends.max_backend.MaxBackend", lambda *_, **__: Right())
    monkeypatch.setattr("harness.build.graphs.build_graphs", lambda *_, **__: Graphs())
    with Runner(CASES[:1], dataclasses.replace(HARDWARE, gpus=(1,)), Sources()) as runner:
        (report,) = runner.reports(CASES[:1])
    assert report.device == "fake GPU, GPU 1"


def test_what_is_too_large_for_the_simulator_comes_first(monkeypatch):
    """Behind it small cases fill what gaps there are."""
    backend = Right()
    monkeypatch.setattr("harness.backends.max_backend.MaxBackend", lambda *_, **__: backend)
    monkeypatch.setattr("harness.build.graphs.build_graphs", lambda *_, **__: Graphs())
    monkeypatch.setattr(side_by_side, "AT_ONCE", 1)
    large = dataclasses.replace(find_case("p03"), small=find_case("p03"))
    asked = [find_case("p01"), find_case("p02"), large]
    with Runner(asked, HARDWARE, Sources()) as runner:
        reports = list(runner.reports(asked))
    assert [report.case for report in reports] == ["p03", "p01", "p02"]
    asked_for = dict.fromkeys(request.case.documented_id for request in backend.requests)
    assert list(asked_for) == ["p03", "p01", "p02"]


@pytest.mark.parametrize(("left", "most"), [(None, 4), (1 << 40, 4), (4 << 30, 2), (0, 1)])
def test_where_memory_is_short_fewer_cases_are_on_their_way(left, most, monkeypatch):
    """Each holds its buffers several times."""
    running, together, lock = [], [], threading.Lock()
    all_here = threading.Barrier(most, timeout=20)

    class Slow(Right):
        def launch(self, request):
            with lock:
                running.append(request.case.id)
                together.append(len(running))
            all_here.wait()
            with lock:
                running.remove(request.case.id)
            return super().launch(request)

    monkeypatch.setattr("harness.backends.max_backend.MaxBackend", lambda *_, **__: Slow())
    monkeypatch.setattr("harness.build.graphs.build_graphs", lambda *_, **__: Graphs())
    monkeypatch.setattr(side_by_side, "find_free_bytes", lambda: left)
    monkeypatch.setattr(case_run, "add_fresh_data", lambda entry, *_: with_one(entry))
    asked = [find_case(f"p0{number}") for number in (1, 2, 3, 5)]
    with Runner(asked, HARDWARE, Sources()) as runner:
        assert len(list(runner.reports(asked))) == 4
    assert max(together) == most


def with_one(entry):
    """A case with its first data set alone."""
    whole = entry.instance(32)
    return dataclasses.replace(whole, datasets=whole.datasets[:1])


@pytest.mark.parametrize("name", ["p17", "p01"])
def test_a_learner_runs_of_a_graph_what_its_op_takes(name, monkeypatch):
    """A tensor that the graph does not take is the simulator's alone."""
    backend, entry = Right(), dataclasses.replace(find_case(name), further=())
    if entry.graph:
        whole = entry.instance(32)
        beside = dataclasses.replace(whole, arguments=(*whole.arguments, TensorArgument("beside", "scratch", (4,))))
        entry = dataclasses.replace(entry, resolve=lambda _width: beside)
    monkeypatch.setattr("harness.backends.max_backend.MaxBackend", lambda *_, **__: backend)
    monkeypatch.setattr("harness.build.graphs.build_graphs", lambda *_, **__: Graphs())
    told = pipeline.learner(entry, plan=dataclasses.replace(HARDWARE, data_seed=1), sources=Sources())

    whole = entry.instance(32)
    taken = whole.tensors_of(f"{entry.graph.operands} {entry.graph.results}") if entry.graph else whole.tensors
    assert {request.instance.tensors for request in backend.requests} == {taken}
    assert (taken == whole.tensors) == (name == "p01")
    assert told.case.verdict == "PASS" and told.lines


def test_promises_are_counted_on_the_documented_data_alone():
    """What is promised is promised of it; other data is there for wrong results."""
    counted = []

    class Counting(Right):
        name = "simulator"

        def changed(self, outcome, request):
            if not request.counted:
                return outcome
            counted.append(request.dataset.name)
            entry = request.case
            kept = {claim.counter: claim.expected(32) for claim in entry.claims if isinstance(claim, CounterClaim)}
            return dataclasses.replace(outcome, counters=(kept | {"reduction_steps": 1},))

    report = run_case(find_case("p15"), HARDWARE, Counting())
    assert [promise.id for promise in report.unkept] == ["promise.reduction_steps"]
    assert report.verdict == "PASS" and report.counters[0]["reduction_steps"] == 1
    assert counted == ["documented"]


def test_each_row_has_its_own_seconds(monkeypatch):
    """What was built now has its share, what was stored nothing."""

    def compiled(cases, build, level, *, seconds_by_case):
        seconds_by_case[cases[0].id] = 4.0
        return dict.fromkeys((entry.id for entry in cases), CompileError("no"))

    monkeypatch.setattr(prepare, "build_device_code", compiled)
    plan = LaunchPlan(SM_90, "simulator", "SIMT simulator", "requested")
    with Runner(CASES[:2], plan, Sources("problems")) as runner:
        assert [report.build_seconds for report in runner.reports(CASES[:2])] == [4.0, 0.0]


def test_of_a_compiler_that_said_nothing_no_line_is_told(monkeypatch):
    def compiled(cases, build, level, *, seconds_by_case):
        return dict.fromkeys((entry.id for entry in cases), CompileTimeout("p01.mojo was still compiling"))

    monkeypatch.setattr(prepare, "build_device_code", compiled)
    plan = LaunchPlan(SM_90, "simulator", "SIMT simulator", "requested")
    with Runner(CASES[:1], plan, Sources("solutions")) as runner:
        (report,) = runner.reports(CASES[:1])
    assert (report.verdict, report.reason) == ("TIMEOUT", "p01.mojo was still compiling")


def test_the_simulator_counts_where_it_is_asked_to():
    """Counting takes a quarter of a launch's time."""
    entry = find_case("p15")
    backend, instance = simulator(entry, "nvidia:sm_90"), entry.instance(32)
    counters = {
        counted: backend.launch(
            Request(case=entry, instance=instance, dataset=instance.datasets[0], counted=counted)
        ).counters[0]
        for counted in (True, False)
    }
    assert counters[False].keys() == {"steps", "lanes"} < counters[True].keys()


@pytest.mark.parametrize("every", [False, True])
def test_no_more_is_counted_than_promises_are_judged_by(every):
    """So machine code may count it, unless all is wanted; and even then the rest does not hold a launch up."""
    entry, asked = find_case("p15"), []

    def observers(**how):
        asked.append(how)
        return ()

    code = {entry.id: [text_of(entry.op, "nvidia:sm_90")]}
    backend = SimulatorBackend(LaunchPlan(SM_90, "simulator", counters=every), code, observers=observers)
    instance = entry.instance(32)
    backend.launch(Request(case=entry, instance=instance, dataset=instance.datasets[0], counted=True))
    claimed = {claim.counter for claim in entry.claims if isinstance(claim, CounterClaim)}
    assert asked[0] == {"profile": False, "shapes": False, "counted": sorted(claimed), "more": every}
