"""Cases of several launches: what one leaves is what the next one finds, and each is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from harness.backends.base import Observed, Outcome, Request
from harness.backends.guarded import make_guarded, split
from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.cases import pipeline
from harness.cases.case_run import run_case
from harness.cases.check import judge
from harness.catalogue import find_case
from harness.learning import trace
from harness.model.case import Case, Dataset, Instance, Kernel, TensorArgument, Within
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.model.target import Target
from tests.learning.traced import LAUNCHED_TWICE, known
from tests.mutants.compiled import device_code, few
from tests.mutants.handwritten import MUTANTS

TARGET = Target.parse("nvidia:sm_90")
COMPLETE = find_case(LAUNCHED_TWICE)

needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


@pytest.fixture(scope="module")
def report() -> Callable[[str], CaseReport]:
    """What a wrong kernel of the first phase or of the second comes to on all data, by what was done."""
    mine = {mutant.name: mutant for mutant in MUTANTS if mutant.case == COMPLETE.id}
    codes = few(TARGET)

    @cache
    def of(name: str) -> CaseReport:
        code = codes.get(mine[name].id) or device_code([mine[name]], TARGET)[mine[name].id]
        backend = SimulatorBackend(LaunchPlan(TARGET, "simulator"), {COMPLETE.id: code.code})
        return run_case(COMPLETE, LaunchPlan(TARGET, "simulator", "", ""), backend)

    return of


@needs_mojo
@pytest.mark.slow
def test_what_the_first_launch_leaves_unwritten_the_second_may_not_read(report):
    """The finding is the second kernel's, at its line; without the memory's account it would read poison."""
    wrong = report("totals-not-written")
    (told, *_) = [found for found in wrong.findings if found.kind == "uninitialised"]

    assert wrong.verdict == "FINDING"
    assert told.kernel == "prefix_sum_block_sum_phase" and told.argument == "output"


@needs_mojo
@pytest.mark.slow
def test_a_race_of_the_first_launch_is_found_at_its_line(report):
    wrong = report("read-and-written-in-one-step")
    (told, *_) = [found for found in wrong.findings if found.kind == "race"]

    assert wrong.verdict == "FINDING" and told.kernel == "prefix_sum_local_phase"
    assert all(site.function == "prefix_sum_local_phase" for site in told.sites)


@needs_mojo
@pytest.mark.slow
@pytest.mark.parametrize("name", ["own-total-added", pytest.param("totals-left-out", marks=pytest.mark.full)])
def test_a_wrong_second_launch_is_a_wrong_result(report, name):
    assert report(name).verdict == "MISMATCH"


@needs_mojo
@pytest.mark.slow
def test_each_launch_has_its_counters_and_its_picture():
    """And what the second one finds in memory is what the first one wrote."""
    known(COMPLETE.id, TARGET)
    plan = pipeline.plan("nvidia:sm_90", "simulator")
    traces, report = trace.record_case(COMPLETE, plan=plan, sources=Sources())

    assert [made.data["kernel"] for made in traces] == list(COMPLETE.kernels)
    assert all(made.data["agrees"] for made in traces) and report.verdict == "PASS"
    first, second = report.counters
    assert first["shared_bytes_per_block"] == 32 and second["shared_bytes_per_block"] == 0
    (output,) = traces[1].data["buffers"]
    held = [None if number is None else traces[1].data["texts"][number] for number in output["first"]]
    assert held[7:9] == ["28.0", "8.0"] and held[15:] == ["28.0", "77.0"]


LAYOUTS = """from layout import Layout, LayoutTensor
from max.gpu import thread_idx


def twice(
    output: LayoutTensor[DType.float32, Layout.row_major(2, 4), MutAnyOrigin],
    a: LayoutTensor[DType.float32, Layout.row_major(4), ImmutAnyOrigin],
):
    var i = thread_idx.x
    output[0, i] = 2 * a[i]
    output[1, i] += a[i]
"""


@needs_mojo
@pytest.mark.slow
@pytest.mark.full  # puzzle 28 has layouts, and puzzle 31 updates in place
def test_tensors_with_layouts_and_what_is_updated_in_place(tmp_path):
    """The second row's new values need its old ones."""
    file = tmp_path / "layouts.mojo"
    file.write_text(LAYOUTS)
    held = np.arange(8, dtype=np.float32).reshape(2, 4)
    values = {"output": held, "a": np.array([1.5, -2, 0, 4], np.float32)}
    instance = Instance(
        width=32,
        arguments=(
            TensorArgument("output", "inout", (2, 4), form="layout"),
            TensorArgument("a", "input", (4,), form="layout"),
        ),
        datasets=(Dataset("documented", values, ""),),
    )
    entry = replace(
        find_case("p01"),
        puzzle="layouts",
        op="layouts",
        file=file,
        steps=(Kernel("twice", "output a", block=4),),
        resolve=lambda _: instance,
        oracle=lambda inputs, _: {"output": np.stack([2 * inputs["a"], inputs["output"][1] + inputs["a"]])},
        claims=(),
    )
    report = pipeline.run([entry], plan=pipeline.plan("nvidia:sm_90", "simulator"), sources=Sources())

    assert report.cases[0].verdict == "PASS", report.cases[0].reason


def outcome(request: Request, *, traced: int, **results: np.ndarray) -> Outcome:
    """What a GPU leaves behind, with so many launches in the driver's trace."""
    observed = {}
    for tensor in request.instance.results:
        whole = make_guarded(tensor.shape, tensor.dtype, request.fill)
        observed[tensor.name] = Observed(*split(whole, tensor.shape))
        held = ~np.isnan(results[tensor.name])
        observed[tensor.name].values[held] = results[tensor.name][held]
    launches = request.case.launches(request.instance.width)[:traced]
    inputs = {name: array.copy() for name, array in request.dataset.inputs.items()}
    return Outcome(results=observed, inputs=inputs, traced=tuple(("k", launch) for launch in launches))


def test_a_launch_that_the_driver_did_not_see_is_told():
    instance = COMPLETE.instance(32)
    request = Request(case=COMPLETE, instance=instance, dataset=instance.datasets[0])
    right = COMPLETE.expected(request.dataset, 32)["output"]

    assert judge(request, outcome(request, traced=2, output=right)).verdict == "PASS"
    report = judge(request, outcome(request, traced=1, output=right))
    assert [found.id for found in report.findings] == ["check.launch.several"]
    assert "the driver saw 1 launch, where the puzzle has 2" in report.reason


def partly(expected: np.ndarray, **more: object) -> Request:
    """A case whose result is written in part, or within a bound."""
    data = Dataset("documented", {"a": np.zeros(4, np.float32)}, "")
    instance = Instance(
        width=32,
        arguments=(TensorArgument("output", "partial", (4,)), TensorArgument("a", "input", (4,))),
        datasets=(data,),
    )
    entry: Case = replace(
        find_case("p01"),
        steps=(Kernel("k", block=4),),
        resolve=lambda _: instance,
        oracle=lambda *_: {"output": expected},
    )
    return Request(case=replace(entry, **more), instance=instance, dataset=data)


def test_what_nothing_writes_must_stay_as_it_was():
    request = partly(np.ma.masked_array([1.0, 2.0, 0.0, 0.0], [False, False, True, True]))

    assert judge(request, outcome(request, traced=1, output=np.array([1, 2, np.nan, np.nan]))).verdict == "PASS"
    touched = judge(request, outcome(request, traced=1, output=np.array([1, 2, np.nan, 0])))
    assert [found.id for found in touched.findings] == ["check.touched"] and "[3]" in touched.reason
    missing = judge(request, outcome(request, traced=1, output=np.array([1, np.nan, np.nan, np.nan])))
    assert [found.id for found in missing.findings] == ["check.never-written"]


def test_a_bound_lets_rounding_pass_and_nothing_else():
    """Both parts of it count, and an infinity is within none."""
    bound = {"output": Within(rtol=1e-5, atol=1e-3, why="of this test")}
    request = partly(np.array([0.0, 100.0, np.inf, -1.0]), within=bound)

    for got, verdict in (
        ([0.0009, 100.0019, np.inf, -1.0], "PASS"),
        ([0.0011, 100.0, np.inf, -1.0], "MISMATCH"),
        ([0.0, 100.0021, np.inf, -1.0], "MISMATCH"),
        ([0.0, 100.0, 3e38, -1.0], "MISMATCH"),
        ([0.0, 100.0, np.inf, -np.inf], "MISMATCH"),
    ):
        assert judge(request, outcome(request, traced=1, output=np.array(got))).verdict == verdict, got


@pytest.mark.parametrize(("data", "verdict"), [((), "PASS"), (("documented",), "PASS"), (("random",), "MISMATCH")])
def test_data_that_a_bound_does_not_name_is_exact(data, verdict):
    """What is exact on some data has a bound on the other."""
    request = partly(np.zeros(4), within={"output": Within(rtol=0, atol=0.1, why="of this test", data=data)})
    assert judge(request, outcome(request, traced=1, output=np.full(4, 0.05))).verdict == verdict
