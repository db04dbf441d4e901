"""What a box answers is believed as far as it has the form of an answer; limits are told from faults."""

from __future__ import annotations

import json
import pickle
import signal
from dataclasses import replace

import pytest

from harness.build.cache import Cache
from harness.errors import EnvironmentFault
from harness.grading.judge import ATTEMPTS, code_key, judge
from harness.grading.work import WIDEST, Job, JobResult, ModeResult, solution_text
from harness.model import codec
from harness.process.box import SandboxAnswer
from harness.process.child import ProcessExit
from harness.process.fork_server import OUR_MACHINE
from tests.grading.judges import SETTINGS

JOB = Job("p15", "kernel")
CODES = {"result": {"codes": {"p15": [{"llvm": "ir", "asm": "ptx"}]}}, "cpu_seconds": 4.0, "peak_bytes": 9}
MODE = {"case": "p15", "verdict": "PASS", "reason": "", "lines": [], "unkept": [], "notes": [], "passed": 6, "total": 6}
RIGHT = {"result": {"modes": [MODE]}, "cpu_seconds": 0.5, "peak_bytes": 5}


def answer(data, status=0, limit="", noise=""):
    raw = data if data is None or isinstance(data, bytes) else json.dumps(data).encode()
    return SandboxAnswer(ProcessExit(status, limit), raw, noise)


@pytest.fixture
def boxed(tmp_path):
    """Judges a job with these answers of its boxes, one after another, and counts how many were asked for."""

    def run(*answers, job=JOB):
        left = list(answers)

        class Asked:
            def ask(self, module, order, **_):
                return said(module, order)

        def said(module, order):
            orders.append((module.rpartition(".")[2], json.loads(order)))
            given = left.pop(0)
            if isinstance(given, Exception):
                raise given
            return given

        orders: list[tuple[str, dict]] = []
        result = judge(job, SETTINGS, Asked(), Cache(tmp_path, lambda _: None))
        return result, orders

    return run


def test_what_compiles_never_sees_the_secret_seed(boxed):
    result, orders = boxed(answer(CODES), answer(RIGHT))

    assert [stage for stage, _ in orders] == ["compile_stage", "judge_stage"]
    assert "data_seed" not in orders[0][1] and orders[1][1]["data_seed"] == SETTINGS.data_seed
    assert (result.modes[0].verdict, result.compile_seconds, result.judge_seconds) == ("PASS", 4.0, 0.5)
    assert (result.peak_bytes, result.graded, result.attempts) == (9, True, 1)


def test_what_is_compiled_is_not_compiled_again(boxed):
    boxed(answer(CODES), answer(RIGHT))
    result, orders = boxed(answer(RIGHT))

    assert [stage for stage, _ in orders] == ["judge_stage"] and orders[0][1]["codes"] == CODES["result"]["codes"]
    assert result.compile_seconds == 0.0


def test_an_error_of_the_compiler_is_not_kept(boxed):
    """It may be the machine's after all."""
    error = {"result": {"codes": {"p15": {"error": "does not compile", "diagnostics": "", "late": False}}}}
    wrong = {"result": {"modes": [{**MODE, "verdict": "COMPILE_ERROR"}]}}
    boxed(answer(error), answer(wrong))
    _, orders = boxed(answer(error), answer(wrong))

    assert [stage for stage, _ in orders] == ["compile_stage", "judge_stage"]


@pytest.mark.parametrize("limit", ["memory_bytes", "cpu_seconds", "file_bytes", "processes", "folder_bytes"])
@pytest.mark.parametrize("stage", ["compile", "judge"])
def test_a_limit_that_is_passed_is_the_submissions_own_doing(boxed, limit, stage):
    ended = answer(None, -signal.SIGKILL, limit)
    result, orders = boxed(*([ended] if stage == "compile" else [answer(CODES), ended]))

    assert result.modes[0].verdict == "LIMIT" and "than its limit" in result.modes[0].reason
    assert result.graded and len(orders) == (1 if stage == "compile" else 2)


def test_memory_that_the_judge_does_not_get_is_a_limit_too(boxed):
    result, _ = boxed(answer(CODES), answer({"limit": "memory_bytes"}))

    assert result.modes[0].verdict == "LIMIT" and "1536 MiB" in result.modes[0].reason


@pytest.mark.parametrize(
    "fault",
    [
        answer(None, -signal.SIGKILL),
        answer(None, OUR_MACHINE, noise="OSError: [Errno 28] No space left on device"),
        SandboxAnswer(ProcessExit(1), None, "bwrap: no more namespaces", served=False),
        answer(None, -signal.SIGKILL, "seconds"),
        answer({"fault": "the disk is full"}),
        EnvironmentFault("cannot start it."),
    ],
    ids=["killed", "no-room", "no-server", "wall-clock", "full", "not-started"],
)
def test_a_fault_of_the_machine_is_tried_again_and_is_no_verdict(boxed, fault):
    result, orders = boxed(*[fault] * ATTEMPTS)

    assert result.modes[0].verdict == "NOT_GRADED" and result.modes[0].reason
    assert not result.graded and (len(orders), result.attempts) == (ATTEMPTS, ATTEMPTS)

    again, _ = boxed(fault, answer(CODES), answer(RIGHT))
    assert (again.modes[0].verdict, again.attempts) == ("PASS", 2)


CONTROL = [answer(CODES), answer(RIGHT)]
STUMBLE = {**MODE, "verdict": "INCOMPLETE", "reason": "the simulator failed on it (KeyError: 1)"}
STUMBLES = {"result": {"modes": [STUMBLE]}}
FAILURES = [
    answer(None, -signal.SIGABRT, noise="LLVM ERROR: out of luck"),
    answer(None, -signal.SIGSEGV),
    answer(None, 1, noise="struct.error: unpack requires a buffer of 8 bytes"),
]


@pytest.mark.parametrize("failure", FAILURES, ids=["aborted", "segfault", "exception"])
@pytest.mark.parametrize("stage", ["compile", "judge"])
def test_a_file_on_which_the_simulator_fails_twice_has_a_verdict(boxed, stage, failure):
    """Or a submission could keep a class from its end. Our own solution says that it is not the simulator's."""
    before = [] if stage == "compile" else [answer(CODES)]
    result, orders = boxed(*before, *[failure] * ATTEMPTS, *CONTROL)

    assert result.modes[0].verdict == "INCOMPLETE" and "without an answer" in result.modes[0].reason
    assert result.graded and (len(orders), result.attempts) == (ATTEMPTS + len(before) + len(CONTROL), ATTEMPTS)
    assert orders[-1][1]["text"] == solution_text("p15")


@pytest.mark.parametrize("failure", [*FAILURES, answer({"fault": "the disk is full"})], ids=range(4))
def test_where_our_own_solution_fails_too_nobody_is_graded(boxed, failure):
    result, _ = boxed(*[FAILURES[0]] * ATTEMPTS, failure)

    assert result.modes[0].verdict == "NOT_GRADED" and not result.graded


@pytest.mark.parametrize(("control", "verdict"), [(RIGHT, "INCOMPLETE"), (STUMBLES, "NOT_GRADED")])
def test_a_mode_over_which_the_simulator_stumbles_is_held_against_our_own_too(boxed, control, verdict):
    result, _ = boxed(answer(CODES), answer(STUMBLES), answer(CODES), answer(control))

    assert (result.modes[0].verdict, result.attempts) == (verdict, 1)


def test_code_that_another_version_kept_is_compiled_again(boxed, tmp_path):
    Cache(tmp_path, lambda _: None).put(code_key(JOB, SETTINGS), {"codes": b'{"p15": {"llvm": "ir", "asm": "ptx"}}'})
    _, orders = boxed(answer(CODES), answer(RIGHT))

    assert [stage for stage, _ in orders] == ["compile_stage", "judge_stage"]


def test_a_file_on_which_it_fails_once_is_judged(boxed):
    result, _ = boxed(FAILURES[0], answer(CODES), answer(RIGHT))

    assert (result.modes[0].verdict, result.attempts) == ("PASS", 2)


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


FORGED = [
    pickle.dumps(Bomb()),
    b"",
    b"[" * 100_000,
    b'{"result": 1}',
    b"\xff",
    {"result": {"modes": 1}},
    {"result": {"modes": []}},
    *(
        {"result": {"modes": modes}}
        for modes in (
            [MODE, MODE],
            [{**MODE, "case": "p34:reduction"}],
            [{**MODE, "verdict": "EXCELLENT"}],
            [{**MODE, "verdict": None}],
            [{**MODE, "lines": [1]}],
            [{**MODE, "notes": [1]}],
            [{**MODE, "reason": "half a character: \udc00"}],
            [{**MODE, "reason": "x" * (WIDEST + 1)}],
            [{**MODE, "lines": ["x" * (WIDEST + 1)]}],
            [{**MODE, "passed": "6"}],
            [{**MODE, "passed": True}],
            [{**MODE, "passed": -1}],
            [{**MODE, "seconds": "soon"}],
            [{**MODE, "seconds": float("nan")}],
            [{**MODE, "points": 5}],
            ["PASS"],
        )
    ),
    {"result": {"modes": [MODE]}, "points": 5},
    {"result": {"modes": [MODE]}, "cpu_seconds": 1e300},
    {"codes": {}, "verdict": "PASS"},
]


@pytest.mark.parametrize("forged", FORGED, ids=range(len(FORGED)))
def test_what_has_not_the_form_of_a_result_is_none(boxed, forged):
    result, _ = boxed(answer(CODES), answer(forged), answer(forged), *CONTROL)

    assert result.modes[0].verdict == "INCOMPLETE" and result.graded


@pytest.mark.parametrize(
    "codes",
    [
        None,
        [],
        {"p15": 1},
        {"p15": {"llvm": "ir", "asm": "ptx"}},
        {"p15": [{"llvm": "ir"}]},
        {"p15": [{"llvm": 1, "asm": ""}]},
        {"p15": [{"llvm": "", "asm": ""}, {"llvm": "", "asm": ""}]},
        {"p34:reduction": [{"llvm": "", "asm": ""}]},
    ],
)
def test_what_is_no_code_is_not_run(boxed, codes):
    result, orders = boxed(*[answer({"result": {"codes": codes}})] * ATTEMPTS, *CONTROL)

    assert result.modes[0].verdict == "INCOMPLETE"
    ours = [stage for stage, order in orders if JOB.text in (order.get("text"), *order.get("files", {}).values())]
    assert ours == ["compile_stage"] * ATTEMPTS


def test_what_was_never_run_has_a_reason_in_one_line():
    told = ModeResult.without_a_run("p15", "INCOMPLETE", "\x1b[2J\n::error::owned " + "x" * WIDEST)

    assert told.lines[0].startswith(r"p15: \x1b[2J\n") and len(told.lines[0]) == len(told.reason) == WIDEST
    assert told.reason.isprintable() and told.lines[0].isprintable()


def test_a_result_comes_back_from_its_record(boxed):
    result, _ = boxed(answer(CODES), answer(RIGHT))

    said = json.loads(codec.encode(result))
    assert JobResult.read(said, JOB) == result
    for other in (Job("p15", "another kernel"), replace(JOB, people="others too")):
        with pytest.raises(ValueError, match="no result of this job"):
            JobResult.read(said, other)


def test_code_is_not_taken_from_what_made_it_in_another_way(monkeypatch):
    before = code_key(JOB, SETTINGS)
    monkeypatch.setattr("harness.grading.judge.TOOL", "another")

    assert code_key(JOB, SETTINGS) != before


def test_kernels_are_compiled_once_whatever_python_is_beside_them():
    """Their verdicts are apart; what the compiler's box gets is the same."""
    one, other = (Job("p17", "op", python=text) for text in ("one", "other"))
    assert one.key != other.key and code_key(one, SETTINGS) == code_key(other, SETTINGS)
    assert code_key(one, SETTINGS) != code_key(replace(one, text="another op"), SETTINGS)
