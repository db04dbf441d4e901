"""Kernels run in a child: its answers and its faults."""

from __future__ import annotations

import dataclasses
import itertools
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from harness.backends import in_child
from harness.backends.base import Request
from harness.backends.guarded import find_poisoned
from harness.backends.in_child import InChild
from harness.backends.max_backend import MaxBackend
from harness.build.graphs import Artifact, Graphs
from harness.build.unit import compiled_parameters
from harness.cases.check import judge
from harness.catalogue import CASES, find_case
from harness.errors import ArtifactError, EnvironmentFault
from harness.model.case import Dataset, Launch
from harness.model.sources import find_reference
from harness.model.target import Target
from harness.process.worker import Worker
from tests import compiled
from tests.processes import import_path

pytestmark = pytest.mark.slow  # together they take four seconds

HERE = Path(__file__).resolve().parent.parent
SM_90 = Target.parse("nvidia:sm_90")


@pytest.fixture(scope="module")
def reference(request):
    """The reference branches of the cases of the tests that run, run by MAX on the host."""
    own = (item for item in request.session.items if item.path == request.path and hasattr(item, "callspec"))
    every = any(item.callspec.params.get("entry") not in (None, *compiled.SOME) for item in own)
    backend = MaxBackend(None, compiled.references(CASES if every else compiled.SOME), InChild(None))
    yield backend
    backend.close()


def request_for(name: str, dataset: str = "documented", **rest) -> Request:
    entry = find_case(name)
    instance = entry.instance(32)
    return Request(case=entry, instance=instance, dataset=instance.dataset(dataset), **rest)


# What a host function launches has no reference, also where other modes of its puzzle have one.
REFERENCES = [entry for entry in CASES if find_reference(entry) and not entry.called]


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=entry.id, marks=() if entry in compiled.SOME else pytest.mark.full)
        for entry in REFERENCES
    ],
)
def test_the_reference_gives_the_documented_results(reference, entry):
    """Graph, op, marshalling and engine are the real ones; the verdict is never PASS."""
    instance = entry.instance(32)
    for dataset in instance.datasets:
        request = Request(case=entry, instance=instance, dataset=dataset)
        outcome = reference.launch(request)
        assert judge(request, outcome, reference=True).verdict == "REFERENCE", dataset.name
        assert outcome.traced is None and outcome.run_seconds > 0
    assert (reference.name, reference.executes_kernel) == ("cpu", False)


def test_results_lie_between_their_guards(reference):
    """Guards come back as they were, and inputs as they were given."""
    request = request_for("p34:reduction")
    outcome = reference.launch(request)
    assert set(outcome.results) == {"output", "temp_storage"}
    assert {result.before.size for result in outcome.results.values()} == {64}
    np.testing.assert_array_equal(outcome.inputs["input"], request.dataset.inputs["input"])


def test_what_is_the_same_on_other_memory_is_the_same_array(reference):
    """The worker compares, and sends no more than what differs."""
    request = request_for("p34:reduction", others=("poison-2",))
    outcome = reference.launch(request)
    (other,) = outcome.others
    assert other.results["output"] is outcome.results["output"]
    assert other.inputs["input"] is outcome.inputs["input"] is request.dataset.inputs["input"]


@pytest.mark.parametrize("entry", [entry for entry in REFERENCES if entry.size], ids=lambda entry: entry.id)
def test_what_was_built_once_takes_any_size(reference, entry):
    """Each launch has its own, and the next one the documented one again; NaN behind it would show a larger one."""
    instance = entry.instance(32)
    first = instance.datasets[0]
    results = []
    for size in (1, entry.size.most // 2, entry.size.most - 1, entry.size.most):
        inputs = {name: values + 1 for name, values in first.inputs.items()}
        for values in inputs.values():
            values[..., size:] = np.nan
        scalars = {} if size == entry.size.most else {entry.size.argument: size}
        request = Request(case=entry, instance=instance, dataset=Dataset("sized", inputs, "", scalars))
        outcome = reference.launch(request)
        assert judge(request, outcome, reference=True).verdict == "REFERENCE", size
        results.append((request, outcome))
    # The sum of the block that the size ends in is another one; of results within a bound the judge says which are.
    for (_, outcome), (request, _) in itertools.pairwise(results):
        assert judge(request, outcome).verdict == "MISMATCH", "each size has another sum"


def test_a_launch_that_was_not_built_is_refused(reference):
    """The launch is compiled in: another one cannot be asked for."""
    request = request_for("p15")
    other = dataclasses.replace(request.case, steps=(dataclasses.replace(request.case.steps[0], grid=(1, 5)),))
    with pytest.raises(ArtifactError, match=r"'grid_y': 4.*'grid_y': 5"):
        reference.launch(dataclasses.replace(request, case=other))


def test_a_missing_artifact_is_one_failure(reference, tmp_path):
    """The engine's own error, the phase and the case are named; the next launch works."""
    request = request_for("p15")
    lost = dataclasses.replace(reference._graphs.artifacts["p15"], mef=tmp_path / "no")
    built = Graphs({"p15": lost})
    backend = MaxBackend(None, built, InChild(None))
    try:
        failure = backend.launch(request).failure
        assert failure.kind == "LAUNCH_ERROR" and failure.reason.startswith("axis_sum: ")
        assert "(phase: load)" in failure.reason
        backend._graphs = reference._graphs
        assert backend.launch(request).failure is None
    finally:
        backend.close()


@pytest.fixture
def fake(monkeypatch):
    """Makes a backend for sm_90 whose child is the fake worker in some mode."""
    monkeypatch.setenv("PYTHONPATH", import_path(HERE))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    made = []

    def make(*modes: str) -> MaxBackend:
        left = list(modes)
        parameters = compiled_parameters(find_case("p15"), 32)
        artifacts = {"p15": Artifact(Path("none"), "p15", "", parameters)}

        def start(kind: str, environment: dict[str, str]) -> Worker:
            assert (kind, environment["CUDA_VISIBLE_DEVICES"]) == ("gpu", "0")
            return Worker("fake_worker", [left.pop(0)])

        made.append(MaxBackend(SM_90, Graphs(artifacts), InChild(SM_90, start=start)))
        return made[-1]

    yield make
    for backend in made:
        backend.close()


def test_what_a_kernel_prints_stays_off_the_channel(fake):
    """stdout is not the channel; the driver's trace comes back as launches."""
    backend = fake("print")
    outcome = backend.launch(request_for("p15"))
    assert outcome.failure is None and outcome.run_seconds == 0.25
    assert outcome.traced == (("p15_axis_sum", Launch(grid=(1, 4, 1), block=(8, 1, 1))),)
    assert (backend.name, backend.executes_kernel, backend.device) == ("max", True, "Fake GPU (sm_90)")


@pytest.mark.parametrize(
    ("mode", "kind", "said"),
    [
        ("hang", "TIMEOUT", r"^axis_sum did not end within 0.3 s, the limit \(phase: execute\)$"),
        ("segfault", "LAUNCH_ERROR", r"killed by SIGSEGV \(phase: execute\)\nprinted by the kernel"),
        ("garbage", "LAUNCH_ERROR", r"sent no valid message \(phase: execute\)"),
        ("illegal-address", "LAUNCH_ERROR", r"axis_sum: .*CUDA_ERROR_ILLEGAL_ADDRESS \(phase: synchronize\)"),
    ],
)
def test_a_fault_costs_one_verdict(fake, mode, kind, said):
    """The failure names phase, kernel and cause; the next launch has a new child."""
    backend = fake(mode, "print")
    failure = backend.launch(request_for("p15", time_limit_seconds=0.3)).failure
    assert failure.kind == kind
    assert re.search(said, failure.reason), failure.reason
    assert backend.device == "Fake GPU (sm_90)" and backend._transport._worker is None
    assert backend.launch(request_for("p15")).failure is None


@pytest.mark.parametrize("mode", ["hang", "segfault", "illegal-address"])
def test_a_fault_costs_the_order_behind_it_nothing(fake, mode):
    """It is sent while the first is executed, more than a pipe holds, and goes to another child then."""
    backend = fake(mode, "print")
    first = request_for("p15", time_limit_seconds=1.0)
    large = dataclasses.replace(first.dataset, inputs={"a": np.zeros(1 << 22, np.float32)})
    with ThreadPoolExecutor(2) as pool:
        failing = pool.submit(backend.launch, first)
        while backend._transport._before.is_set() and not failing.done():
            time.sleep(0.001)
        behind = pool.submit(backend.launch, dataclasses.replace(first, dataset=large))
    assert failing.result().failure is not None
    assert behind.result().failure is None


def test_where_no_engine_starts_all_who_ask_are_told(fake):
    """And none waits for another."""
    backend = fake(*["no-start"] * 3)
    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(backend.launch, request_for("p15")) for _ in range(3)]
    assert all("ImportError: libmax" in str(one.exception()) for one in asked)


def test_once_it_is_closed_nobody_starts_another_worker(fake):
    """As after an interrupt: one waits for its launch, and one for its turn."""
    backend = fake("hang", "print")
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(backend.launch, request_for("p15", time_limit_seconds=60.0)) for _ in range(2)]
        while backend._transport._before.is_set():
            time.sleep(0.001)
        time.sleep(0.1)
        backend.close()
    told = [one.exception() or one.result().failure.reason for one in asked]
    assert any("its process" in str(one) for one in told) and any("after its end" in str(one) for one in told)


def test_a_fault_on_other_memory_leaves_what_came_before(fake):
    """A hang or a fault there is the outcome of that fill alone, and the last of them."""
    backend = fake("late-segfault", "print")
    outcome = backend.launch(request_for("p15", others=("poison-2", "poison-3")))
    assert outcome.failure is None and "output" in outcome.results
    (other,) = outcome.others
    assert re.search(r"killed by SIGSEGV \(phase: execute\)", other.failure.reason)
    outcome = backend.launch(request_for("p15", others=("poison-2", "poison-3")))
    for fill, other in zip(("poison-2", "poison-3"), outcome.others, strict=True):
        assert other.failure is None and find_poisoned(other.results["output"].values, fill).all()


def test_a_gpu_that_is_lost_for_a_moment(fake, monkeypatch):
    """After a worker that was killed the next one may find none: another is started, a few times."""
    monkeypatch.setattr(in_child, "PAUSE_SECONDS", 0.0)
    backend = fake("hang", "no-start", "print", "hang", *["no-start"] * 4)
    assert backend.launch(request_for("p15", time_limit_seconds=0.3)).failure.kind == "TIMEOUT"
    assert backend.launch(request_for("p15")).failure is None

    backend._transport.restart()
    backend.launch(request_for("p15", time_limit_seconds=0.3))
    with pytest.raises(EnvironmentFault, match="ImportError: libmax"):
        backend.launch(request_for("p15"))


def test_a_device_that_does_not_fit(fake):
    """Artifacts for sm_90 do not run on sm_80."""
    with pytest.raises(ArtifactError, match=r"for nvidia:sm_90, but the device is Fake GPU \(sm_80\)"):
        fake("other-device").launch(request_for("p15"))


def test_an_engine_that_does_not_start(fake):
    """Its own last line is shown."""
    with pytest.raises(EnvironmentFault, match="ended with status 1: ImportError: libmax"):
        fake("no-start").launch(request_for("p15"))
