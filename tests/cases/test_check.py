"""Every way of being wrong gets a verdict that says how."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness.backends.base import Failure, Observed, Outcome, Request
from harness.backends.guarded import GUARD_ELEMENTS, POISON, find_damaged, make_guarded, split
from harness.cases.check import compare_values, judge
from harness.catalogue import CASES, find_case
from harness.model.case import HostStep, Kernel, Launch, Within
from harness.model.report import CaseReport
from harness.report.findings import format_case, make_renderer
from harness.simt.findings import SEVERITIES, Finding, SourceLocation
from harness.simt.messages import words


def request_for(case_id: str = "p15", **fields) -> Request:
    entry = find_case(case_id).simulated
    instance = entry.instance(32)
    return Request(case=entry, instance=instance, dataset=instance.datasets[0], **fields)


def right(request: Request) -> Outcome:
    """An outcome as a right kernel leaves it behind."""
    expected = request.case.expected(request.dataset, request.instance.width)
    results = {}
    for buffer in request.instance.results:
        whole = make_guarded(buffer.shape, buffer.dtype, request.fill)
        observed = Observed(*split(whole, buffer.shape))
        written = ~np.ma.getmaskarray(expected[buffer.name])  # what is masked nobody writes
        observed.values[written] = np.asarray(expected[buffer.name])[written]
        results[buffer.name] = observed
    inputs = {name: array.copy() for name, array in request.dataset.inputs.items()}
    width, steps = request.instance.width, request.case.steps
    traced = tuple((step.name, step.launch(width)) for step in steps if isinstance(step, Kernel)) or None
    made = {number: launches_of(step, width) for number, step in enumerate(steps) if isinstance(step, HostStep)}
    return Outcome(results=results, inputs=inputs, traced=traced, host_launches=made, run_seconds=0.5)


def launches_of(step: HostStep, width: int) -> list[tuple[str, Launch]]:
    """What a host function is to launch, or a library may."""
    one = Launch(grid=(1, 1, 1), block=(1, 1, 1))
    return (
        [(own.name, made) for own, made in zip(step.expected_launches, step.geometries(width), strict=True)]
        if step.expected_launches
        else [("k", one)]
    )


@pytest.mark.parametrize("entry", CASES, ids=lambda entry: entry.id)
def test_the_documented_result_passes(entry):
    request = request_for(entry.id)

    assert judge(request, right(request)).verdict == "PASS"
    assert judge(request, right(request), reference=True).verdict == "REFERENCE"


def test_a_result_without_guards_may_have_any_shape():
    """As a graph gives it back."""
    values, before, after = split(np.ones((4, 6), np.float32), (4, 6), 0)

    assert values.shape == (4, 6)
    assert not find_damaged(before).size and not find_damaged(after).size


def test_zeros_are_refused():
    request = request_for()
    outcome = right(request)
    outcome.results["output"].values[...] = 0

    report = judge(request, outcome)

    assert report.verdict == "MISMATCH"
    assert (
        "4 of 4 wrong in output; output[0, 0] expected 15.0 got 0.0 (thread (0,0,0) in block (0,0,0), warp 0 lane 0)"
        in report.reason
    )


@pytest.mark.parametrize("fill", ["poison", "poison-2", "poison-3"])
def test_untouched_poison_is_named_as_never_written(fill):
    request = request_for(fill=fill)
    outcome = right(request)
    outcome.results["output"].values[2:] = np.uint32(POISON[fill]).view(np.float32)

    report = judge(request, outcome)

    assert report.verdict == "MISMATCH"
    assert "output never written: 2 of 4, at [2, 0], [3, 0]" in report.reason


@pytest.mark.parametrize("wrong", [88.0, np.nan, np.inf, -87.0], ids=str)
def test_one_changed_element_is_refused(wrong):
    request = request_for()
    outcome = right(request)
    outcome.results["output"].values[2, 0] = wrong

    report = judge(request, outcome)

    assert report.verdict == "MISMATCH"
    assert "1 of 4 wrong in output; output[2, 0] expected 87.0" in report.reason


def test_a_scratch_value_that_the_documents_promise_is_told_beside_a_right_answer():
    """The partial sums of p34 are promised too; their sum is the answer."""
    request = request_for("p34:reduction")
    outcome = right(request)
    outcome.results["temp_storage"].values[1] += 1
    report = judge(request, outcome)
    (promise,) = report.findings

    assert (report.verdict, report.reason, promise.id) == ("PASS", "", "promise.scratch")
    assert "1 of 4 elements" in promise.message
    assert words().items(promise) == ("temp_storage[1] expected 98176.0 got 98177.0",)

    outcome.results["output"].values[0] += 1
    assert judge(request, outcome).verdict == "MISMATCH"


def test_what_is_written_outside_of_scratch_is_wrong():
    """Wherever the answer comes from."""
    request = request_for("p34:reduction")
    outcome = right(request)
    outcome.results["temp_storage"].after[0] = 1.0

    assert judge(request, outcome).verdict == "MISMATCH"


@pytest.mark.parametrize(
    ("side", "place", "index"),
    [("before", -1, -1), ("before", 0, -GUARD_ELEMENTS), ("after", 0, 4), ("after", 5, 9)],
)
def test_a_damaged_guard_is_named_with_its_index(side, place, index):
    request = request_for()
    outcome = right(request)
    getattr(outcome.results["output"], side)[place] = 1.0

    report = judge(request, outcome)

    assert report.verdict == "MISMATCH"
    assert "written outside output" in report.reason
    assert f"the nearest at index {index}" in report.reason


def test_an_edited_input_is_refused():
    request = request_for()
    outcome = right(request)
    outcome.inputs["a"][1, 2] = -0.0

    assert "input a was changed at [1, 2]" in judge(request, outcome).reason


def test_an_input_that_does_not_come_back_is_refused():
    request = request_for()

    assert "input a did not come back" in judge(request, replace(right(request), inputs={})).reason


@pytest.mark.parametrize(
    ("traced", "message"),
    [
        ((), "no launch at all"),
        ((("k", Launch(grid=(1, 2, 1), block=(8, 1, 1))),), "but documented is"),
        ((("k", Launch(grid=(1, 4, 1), block=(16, 1, 1))),), "but documented is"),
        ((("k", Launch(grid=(1, 4, 1), block=(8, 1, 1))),) * 2, "2 launches"),
    ],
    ids=["none", "grid", "block", "twice"],
)
def test_a_wrong_trace_is_refused(traced, message):
    request = request_for()

    assert message in judge(request, replace(right(request), traced=traced)).reason


def test_a_result_that_does_not_come_back_is_refused():
    request = request_for()

    assert "output output did not come back" in judge(request, replace(right(request), results={})).reason


@pytest.mark.parametrize("values", [np.zeros(4, np.float32), np.zeros((4, 1), np.float64)], ids=["shape", "dtype"])
def test_a_wrong_shape_or_dtype_is_refused(values):
    request = request_for()
    outcome = right(request)
    outcome.results["output"] = replace(outcome.results["output"], values=values)

    assert "output came back as" in judge(request, outcome).reason


@pytest.mark.parametrize("kind", ["LAUNCH_ERROR", "TIMEOUT", "COMPILE_ERROR", "INCOMPLETE"])
def test_a_failure_is_the_verdict(kind):
    """Whatever the buffers hold, a launch that failed has failed."""
    request = request_for()
    outcome = replace(right(request), failure=Failure(kind, "the reason"))

    assert (judge(request, outcome).verdict, judge(request, outcome).reason) == (kind, "the reason")


def test_what_was_right_is_compared_with_the_oracle_once():
    """The same array; another one is compared."""
    request = request_for()
    outcome = right(request)
    other = replace(request, fill="poison-2", right=outcome.results, oracle=lambda: {"output": np.zeros((4, 1))})

    assert judge(other, outcome).verdict == "PASS"
    assert judge(other, right(request)).verdict == "MISMATCH"


def test_what_nobody_is_to_write_is_looked_at_on_each_memory():
    """What one held before, another one did not."""
    request = request_for()
    outcome = right(request)
    outcome.results["output"].values[0] = np.uint32(POISON["poison"]).view(np.float32)
    expected = np.ma.array(request.expected["output"])
    expected[0] = np.ma.masked
    request = replace(request, oracle=lambda: {"output": expected})

    assert judge(request, outcome).verdict == "PASS"
    told = judge(replace(request, fill="poison-2", right=outcome.results), outcome)
    assert [found.id for found in told.findings] == ["check.touched"]


# Got, expected, whether that fits exactly and within a bound.
FITS = [
    (1.0, 1.0, True, True),
    (1.0, 1.0 + 2.0**-30, False, True),
    (1.0, 1.5, False, False),
    (np.nan, np.nan, True, True),
    (np.nan, 1.0, False, False),
    (1.0, np.nan, False, False),
    (np.inf, np.inf, True, True),
    (np.inf, 1e39, False, False),
    (3.0, np.inf, False, False),
    (-0.0, 0.0, True, True),
]


@pytest.mark.parametrize("size", [1, 1 << 20], ids=["one part", "many parts"])
@pytest.mark.parametrize("within", [None, Within(rtol=2.0**-20, atol=0, why="of this test")])
def test_an_element_fits_wherever_it_is_among_such_as_do(size, within):
    got, expected = np.ones(size, np.float32), np.ones(size)
    places = np.linspace(0, size - 1, min(size, len(FITS))).astype(int)
    for first in range(0, len(FITS), len(places)):
        some = FITS[first : first + len(places)]
        got[places], expected[places] = ([one[side] for one in some] for side in (0, 1))
        wanted = np.ones(size, bool)
        wanted[places] = [one[3 if within else 2] for one in some]
        np.testing.assert_array_equal(compare_values(got, expected, within), wanted)


IDS = {"error": "race.shared.write-read", "warning": "race.shared.write-write", "information": "redundant-barrier.one"}


@pytest.mark.parametrize("severity", SEVERITIES)
@pytest.mark.parametrize("fail_on", [None, *SEVERITIES])
def test_a_case_fails_from_a_severity_on_and_says_why(severity, fail_on):
    asked = {"fail_on": fail_on} if fail_on else {}
    values = {"first": "store", "second": "load", "between": "warps", "level": "block", "left": 1, "total": 2}
    finding = Finding(
        IDS[severity], severity, "k", (SourceLocation("k.mojo", 1, 1, "store"),), argument="cache", values=values
    )
    wrong = SEVERITIES.index(severity) <= SEVERITIES.index(fail_on or "warning")
    request = request_for(**asked)

    report = judge(request, replace(right(request), findings=(finding,)))

    assert report.verdict == ("FINDING" if wrong else "PASS")
    assert report.findings == (finding,), "it is there once, whatever comes of it"
    own = {"target": "nvidia:sm_90", "backend": "simulator", "device": "", "launches": (), "datasets": (report,)}
    case_report = CaseReport(case="p15", verdict=report.verdict, findings=report.findings, **own, **asked)
    lines = "\n".join(format_case(case_report, make_renderer()))
    assert (f"`fail-on` is `{fail_on}`" in lines) == (wrong and severity == "information")
    assert (IDS[severity] in lines) == (wrong or severity == "warning"), "a warning is shown, whatever comes of it"


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_integers_are_compared_in_all_of_their_64_bits(dtype):
    got = np.array([(1 << 62) + 1, (1 << 53) + 1, 5], dtype)

    np.testing.assert_array_equal(compare_values(got, got - np.array([1, 1, 0], dtype), None), [False, False, True])
    np.testing.assert_array_equal(compare_values(got, got.astype(np.float64), None), [True, True, True])
