"""Functions of the host run in a box that knows no seed and no answer, and all that it tells is a stranger's word."""

from __future__ import annotations

import json
import signal
import zlib
from dataclasses import replace

import pytest

from harness.backends.calls import is_independent_call
from harness.build import toolchain
from harness.build.cache import Cache
from harness.catalogue import CASES, select_cases
from harness.grading import call_stage, calls
from harness.grading.judge import ATTEMPTS, judge
from harness.grading.work import HostCall, HostCode, HostPrograms, Job, solution_text
from harness.model.case import HostStep
from harness.process import box as boxes
from harness.process.box import SandboxAnswer, SandboxPool
from harness.process.child import ProcessExit
from tests.exploits.hosts import HOSTILE, MODES, came_to_what_they_must, kept_in, with_bodies
from tests.grading.judges import SETTINGS

JOB = Job("p23", "functions of a host")
CALLS = {mode: [{"step": 0, "program": 0, "number": number}] for number, mode in enumerate(MODES)}
CODES = {
    "codes": {mode: [] for mode in MODES},
    "hosts": {"p23": {"programs": [{"host": "aG9zdA==", "kernels": {"k": "ir"}}], "calls": CALLS}},
}
TOLD = {"journal": [["buffer", 4096, 4096]], "failure": None, "findings": [], "printed": ["PASS"]}
SETS = 9
MODE = {"verdict": "PASS", "passed": SETS, "total": SETS}
RIGHT = {"modes": [{"case": mode, **MODE} for mode in MODES]}


def said(told, modes=4):
    return {"reports": [told] * modes}


def answer(result, status=0, limit="", **more):
    return SandboxAnswer(ProcessExit(status, limit), json.dumps({"result": result, **more}).encode(), "")


@pytest.fixture
def boxed(tmp_path):
    """Judges a job with these answers of its boxes, and tells what these were asked."""

    def run(*answers, settings=SETTINGS, chosen=True):
        left, orders = list(answers), []

        class Asked(boxes.Sandbox):
            def ask(self, module, order, **_):
                orders.append((module.rpartition(".")[2], json.loads(order)))
                return left.pop(0)

        return judge(JOB, settings, Asked("limits", "", chosen), Cache(tmp_path, lambda _: None)), orders

    return run


def test_what_runs_natively_gets_inputs_and_nothing_else(boxed):
    result, orders = boxed(answer(CODES), answer(said([TOLD] * SETS)), answer(RIGHT))

    assert [stage for stage, _ in orders] == ["compile_stage", "call_stage", "judge_stage"]
    assert orders[1][1].keys() == {"program", "target", "calls", "limits"} and "data_seed" in orders[2][1]
    for call in orders[1][1]["calls"]:
        assert call.keys() == {"name", "number", "sets"} and len(call["sets"]) == SETS
        assert all(one.keys() == {"buffers", "scalars"} and len(one["buffers"]) == 3 for one in call["sets"])
    assert {mode.verdict for mode in result.modes} == {"PASS"}


def test_the_fresh_data_of_a_call_is_that_of_its_judge(boxed):
    """The same seed draws the same inputs on both sides; other seeds draw others."""
    _, orders = boxed(answer(CODES), answer(said([TOLD] * SETS)), answer(RIGHT))

    sets = orders[1][1]["calls"][0]["sets"]
    assert len({json.dumps(one["buffers"][1:]) for one in sets}) == SETS


def test_what_was_told_reaches_the_judge_without_what_was_printed(boxed):
    _, orders = boxed(answer(CODES), answer(said([TOLD] * SETS)), answer(RIGHT))

    told = orders[2][1]["reports"]
    assert told.keys() == set(MODES) and told[MODES[0]]["0"][0] == {**TOLD, "printed": []}


def test_with_a_gpu_too_functions_of_the_host_run_where_no_data_of_the_judge_is(boxed):
    told = answer(CODES), answer(said([TOLD] * SETS)), answer(RIGHT)
    _, orders = boxed(*told, settings=replace(SETTINGS, backend="max"))

    assert [stage for stage, _ in orders] == ["compile_stage", "call_stage", "judge_stage"]
    assert orders[2][1]["backend"] == "simulator"


def test_nothing_runs_natively_in_a_weak_box_that_nobody_asked_for(boxed):
    result, orders = boxed(chosen=False)

    assert {mode.verdict for mode in result.modes} == {"NOT_GRADED"} and not orders
    assert "--sandbox limits" in result.modes[0].reason


def test_what_a_box_took_before_it_was_ended_is_counted(boxed):
    ended = SandboxAnswer(ProcessExit(-signal.SIGKILL, "processes", 3.0), json.dumps({"cpu_seconds": 3.0}).encode(), "")
    result, _ = boxed(answer(CODES, cpu_seconds=9.0), ended)

    assert (result.compile_seconds, result.judge_seconds) == (9.0, 3.0)


WORDS = {"kind": "LAUNCH_ERROR", "reason": "it\x1b[2J\n::error::owned"}


def test_a_reason_that_was_told_is_one_line(boxed):
    _, orders = boxed(answer(CODES), answer(said([{**TOLD, "failure": WORDS}])), answer(RIGHT))

    reason = orders[2][1]["reports"][MODES[0]]["0"][0]["failure"]["reason"]
    assert reason.isprintable() and reason.startswith("it")


FORGED = [
    None,
    {},
    {"modes": RIGHT["modes"]},
    said([TOLD] * SETS, modes=3),
    said([]),
    said([TOLD] * (SETS + 1)),
    said([TOLD] * (SETS - 1)),
    said([{**TOLD, "verdict": "PASS"}] * SETS),
    said([{**TOLD, "journal": "done"}] * SETS),
    said([{**TOLD, "failure": {"kind": "EXCELLENT", "reason": ""}}]),
    said([{**TOLD, "findings": [{"id": "no.such", "severity": "error"}]}] * SETS),
    said([{**TOLD, "findings": [{"id": "check.by-host", "severity": "fine"}]}] * SETS),
]
CONTROL = [answer(CODES), answer(said([TOLD] * SETS)), answer(RIGHT)]


@pytest.mark.slow
@pytest.mark.parametrize("forged", FORGED, ids=range(len(FORGED)))
def test_what_no_calls_tell_is_not_followed(boxed, forged):
    result, orders = boxed(answer(CODES), *[answer(forged)] * ATTEMPTS, *CONTROL)

    assert {mode.verdict for mode in result.modes} == {"INCOMPLETE"} and result.graded
    assert [stage for stage, _ in orders[:-2]] == ["compile_stage", *["call_stage"] * ATTEMPTS, "compile_stage"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "ended",
    [
        answer(None, -signal.SIGKILL),
        answer(None, -signal.SIGKILL, "seconds"),
        answer(None, fault="the disk is full"),
        SandboxAnswer(ProcessExit(1), None, "", served=False),
    ],
    ids=["killed", "late", "fault", "not-served"],
)
def test_who_ends_its_box_is_not_the_machine_unless_our_own_solution_ends_so_too(boxed, ended):
    result, _ = boxed(answer(CODES), *[ended] * ATTEMPTS, *CONTROL)
    assert {mode.verdict for mode in result.modes} == {"INCOMPLETE"} and result.graded

    again, _ = boxed(*[ended] * (ATTEMPTS + 1))
    assert {mode.verdict for mode in again.modes} == {"NOT_GRADED"}


def test_a_limit_that_is_passed_is_the_submissions_own(boxed):
    result, orders = boxed(answer(CODES), answer(None, -signal.SIGKILL, "processes"))

    assert {mode.verdict for mode in result.modes} == {"LIMIT"} and len(orders) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "hosts",
    [
        {},
        {"p23": {"programs": [], "calls": CALLS}},
        {"p23": {"programs": CODES["hosts"]["p23"]["programs"], "calls": {}}},
        {"p15": CODES["hosts"]["p23"]},
    ],
)
def test_code_without_the_program_of_a_call_is_none(boxed, hosts):
    result, orders = boxed(*[answer({**CODES, "hosts": hosts})] * ATTEMPTS, *CONTROL)

    assert {mode.verdict for mode in result.modes} == {"INCOMPLETE"}
    assert [stage for stage, _ in orders[:ATTEMPTS]] == ["compile_stage"] * ATTEMPTS


def test_a_box_in_which_a_stranger_ran_is_used_once(monkeypatch):
    asked = []
    monkeypatch.setattr(boxes.Sandbox, "ask", lambda self, module, *_, **__: asked.append(module) or answer({}))
    program = HostCode(b"", {"k": "ir"})
    hosts = HostPrograms((program,), {mode: (HostCall(0, 0, 0),) for mode in MODES})

    with SandboxPool(boxes.choose_sandbox("limits")) as warm:
        monkeypatch.setattr(warm, "ask", None)
        assert calls.run_host_calls(hosts, "p23", SETTINGS, warm).failed

    assert asked == [call_stage.__name__]


@pytest.mark.slow
@pytest.mark.parametrize(
    "made",
    [
        pytest.param(b"no zlib", id="not compressed"),
        pytest.param(zlib.compress(b"\n"), id="empty", marks=pytest.mark.full),
        pytest.param(zlib.compress(b"\n\x7fELF and no more"), id="cut off"),
    ],
)
def test_machine_code_that_is_none_ends_its_own_box(made):
    hosts = HostPrograms((HostCode(b"", {"k": "ir"}, made),), {mode: (HostCall(0, 0, 0),) for mode in MODES})

    asked = calls.run_host_calls(hosts, "p23", SETTINGS, boxes.choose_strongest())

    told = [one for steps in asked.reports.values() for one in steps[0]]
    assert (asked.failed.blame == "stage") if asked.failed else (told and all(one.failure for one in told))


def test_each_call_of_the_catalogue_follows_from_its_data_set():
    """What it gets is known before anything of the submission ran."""
    for case in CASES:
        instance = case.simulated.instance(32)
        calls = [number for number, step in enumerate(case.steps) if isinstance(step, HostStep)]
        assert all(is_independent_call(case.simulated, instance, number) for number in calls), case.id


def test_the_clock_leaves_room_for_every_call_at_its_limit():
    most = max(
        sum(isinstance(step, HostCall) for case in select_cases([name]) for step in case.steps)
        for name in ("p17", "p23")
    )

    assert call_stage.LIMITS.seconds >= call_stage.CALL_SECONDS * (most + 1)


# Several in a file where none ends more than its own process; a sample in every run, all in `full`.
TOGETHER = (
    ("computes_on_the_host", "tells_of_results", "ends_its_process", "launches_nothing"),
    ("never_returns", "takes_all_memory", "writes_beyond", "reads_secrets"),
    ("leaves_a_process", "second_main", "holds_memory"),
    ("ends_its_box",),
    ("multiplies",),
    ("stops_its_parent",),
)


def test_each_hostile_file_is_tried():
    assert sorted(name for names in TOGETHER for name in names) == sorted(HOSTILE)


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize(
    "names",
    [
        TOGETHER[0],
        *(
            pytest.param(names, marks=[pytest.mark.full, *[kept_in] * ("ends_its_box" in names)])
            for names in TOGETHER[1:]
        ),
    ],
)
def test_a_hostile_function_gets_the_verdict_that_it_must(names, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_JUDGE", "1")
    monkeypatch.setattr(calls, "LIMITS", replace(call_stage.LIMITS, cpu_seconds=8))
    settings, hostile = replace(SETTINGS, versions=toolchain.package_versions()), dict(zip(MODES, names, strict=False))

    result = judge(
        Job("p23", with_bodies(hostile)), settings, boxes.choose_sandbox(boxes.choose_strongest().kind), Cache.default()
    )

    assert came_to_what_they_must(hostile, result.modes), result.modes
    whole = "".join(line for mode in result.modes for line in (mode.reason, *mode.lines))
    assert whole.isprintable() and result.graded


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_our_own_functions_pass_in_the_same_boxes():
    settings = replace(SETTINGS, versions=toolchain.package_versions())
    result = judge(
        Job("p23", solution_text("p23")), settings, boxes.choose_sandbox(boxes.choose_strongest().kind), Cache.default()
    )

    assert {(mode.verdict, mode.passed, mode.unkept) for mode in result.modes} == {("PASS", SETS, ())}
