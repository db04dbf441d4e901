"""All that `run`, `check`, `exec`, `simulate` and `grade` print is in Korean, but for names and what is quoted."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness import simt
from harness.cli import grade, programs, simulate
from harness.cli.main import main
from harness.errors import CompileError
from harness.grading.result import GradedMode, Grading, PersonResult, SimilarFiles
from harness.grading.work import ModeResult, Settings
from harness.model import language
from harness.model.messages import make_finding
from harness.model.occupancy import Occupancy
from harness.model.profile import KernelProfile, Resources
from harness.model.report import DatasetReport
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.programs import Execution
from harness.report import console
from harness.report.findings import format_case, make_renderer
from harness.report.programs import format_execution, summarise
from harness.simt.declined import Cause, Reason, UnknownObserver
from harness.simt.findings import Finding, SourceLocation, Who
from harness.simt.ir.parse import decode
from harness.simt.messages import words
from harness.simt.render import Renderer, text
from harness.simt.result import EngineUsage
from harness.simt.rows import Row
from tests.cli.kernels import TWICE
from tests.hazards.pairs import PAIRS, arguments, run
from tests.hazards.pairs import name as pair_name
from tests.korean import english
from tests.report.reports import PASSED, report

# Phases of a child and backends have names, too.
NAMES = ("axis_sum", "SIGSEGV", "launch", "simulator")
ENGLISH = {"global", "shared", "local", "constant", "load", "store", "to", "of", "in", "by", "at", "and"}
HANGUL = re.compile("[가-힣]")
RACE = Finding(
    "race.shared.write-write",
    "error",
    "k",
    (SourceLocation("k.mojo", 3, 5, "store"), SourceLocation("k.mojo", 4, 5, "store")),
    (Who((0, 0, 0), (1, 0, 0), 0, 1), Who((0, 0, 0), (2, 0, 0), 0, 2)),
    argument="shared array 0",
    values={"first": "store", "second": "store", "between": "threads of one warp", "level": "warp"},
    count=3,
)
UNCOMPILED = make_finding(
    "run.compile-error",
    reason="p15/problem.mojo does not compile",
    items=({"line": "p15/problem.mojo:3:1: error: use of unknown declaration 'x'"},),
)


@pytest.fixture(autouse=True)
def korean(monkeypatch):
    language.set_language("ko")
    monkeypatch.setattr(simulate, "decode_foreign", decode)
    yield
    language.set_language(None)


def _execution(**fields) -> Execution:
    made = {"file": Path("k.mojo"), "target": Target.parse("nvidia"), "backend": "simulator", "status": 0, **fields}
    return Execution(**made)


def test_english_in_a_korean_text_is_found():
    """What was printed before: the test below must be able to fail."""
    for line, found in (
        ("잘못된 __global__ 읽기: 4바이트", []),  # a name of compute-sanitizer's
        ("범위를 벗어난 global 읽기 4바이트", ["global"]),
        ("커널이 제한(5 seconds) 안에 끝나지 않았습니다", ["seconds"]),
        ("초기화되지 않은 공유 메모리 shared array 0", ["shared", "array"]),
        ("========= ERROR SUMMARY: 1 error (4 times)", ["SUMMARY", "error", "times"]),
        ("컴파일되지 않습니다. p15/problem.mojo does not compile", ["does", "not", "compile"]),
        ("`cache[i]`는 nvidia:sm_90에서 p15/problem.mojo:3:5의 output[1]에 쓰이고 PASS입니다", []),
        ("    3 | var total = a + b", []),
        ("cache에 대한 쓰기", ["cache"]),
    ):
        assert english(line) == found, line
    assert english("cache에 대한 쓰기", ["cache"]) == []


def _case_reports():
    """Return reports of `run` and `check`: right, wrong, uncompiled, skipped, without an end, and not simulated."""
    race = DatasetReport("documented", "FINDING", (RACE,), orders=2, why_no_more="it takes long")
    wrong = (
        ("run.timeout", "axis_sum did not return within 5 s of the processor"),
        ("run.timeout", "k: the kernel was stopped: no block ended in 5 seconds of processor time; whether it ends is "
         "not known, in kernel k, by thread (1,0,0) in block (0,0,0), warp 0 lane 1 (8 times)"),
        ("run.timeout", "k: the kernel was stopped after 3000 steps; whether it ends is not known, in kernel k, by "
         "thread (1,0,0) in block (0,0,0), warp 0 lane 1"),
        ("run.incomplete", "a value of type i7 is not supported, reached by thread (1,0,0) in block (0,0,0), "
         "warp 0 lane 1"),
        ("run.launch-error", "p15 did not return: it ended its program with status 3"),
        ("run.launch-error", "p15: its process was killed by SIGSEGV (phase: launch)"),
    )  # fmt: skip
    yield report("PASS", PASSED)
    yield report("FINDING", race, findings=(RACE,))
    yield report("COMPILE_ERROR", findings=(UNCOMPILED,))
    for name, reason in wrong:
        yield report("TIMEOUT", findings=(make_finding(name, reason=reason),))


def _printed_by_check() -> str:
    shown = make_renderer()
    return "\n".join(line for each in _case_reports() for line in format_case(each.cases[0], shown))


def test_check_prints_korean():
    said = _printed_by_check()

    assert english(said, NAMES) == [], said and "problem.mojo 파일이 컴파일되지 않습니다" in said
    assert said.count("컴파일되지 않습니다") == 1  # told once
    assert "0번 공유 배열" in said and "그럴 수 없다면 두 접근 사이에서" in said


@pytest.mark.parametrize("width", [80, 200])
def test_run_prints_korean(width, monkeypatch, capsys):
    monkeypatch.setattr(console, "Screen", lambda: console.profile.Screen(width))
    row = Row("k.mojo", 3, 5, "global load", requests=1)
    taken, full = Resources(16, 8, 0, 0), Occupancy(1, 4, 8, ("threads", "shared memory"))
    profiles = {"p15": [KernelProfile("k", 2, (row,), 8.0, 1.0, taken, full)]}
    for each in _case_reports():
        environment = {"order of the cases": "shuffled with seed 3", "fresh data": "drawn with data seed 4"}
        (case,) = each.cases
        counted = type(case)(
            **{**_fields(case), "counters": ({"barriers": 1}, {"barriers": 2}), "device": console_device()}
        )
        ran = type(each)(**{**_fields(each), "cases": (counted,), "profiles": profiles, "environment": environment})
        console.print_header(replace(ran.plan, why="requested"), "mojo/p15/solution.mojo")
        console.print_run(ran, counters=True)
    out, err = capsys.readouterr()

    assert english(out + err, [*NAMES, "barriers"]) == [], out + err
    assert "판정" in out and "통과한 퍼즐이 없습니다" in out and "프로파일: k, 커널 실행 2번" in out


def console_device() -> str:
    return "SIMT simulator, 32 lanes a warp"


def _fields(record) -> dict:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def test_exec_prints_korean(capsys):
    executions = [
        _execution(diagnostics="k.mojo:1:1: error: x"),
        _execution(findings=(RACE,)),
        _execution(
            missing=("tensorMapEncode is not supported by the simulated device", "kernel k: i7 is not supported")
        ),
        _execution(limit="did not end within 5 s: `--seconds` raises the limit"),
        _execution(status=-9),
        _execution(status=-4),
        _execution(status=3),
    ]
    said = [line for each in executions for form in ("text", "lines") for line in format_execution(each, form=form)]
    console.print_programs(summarise(executions))
    programs.print_progress("compiling k.mojo for nvidia:sm_90, for its registers")
    for kernel in ("k",):
        for ran in (
            EngineUsage(8, 0),
            EngineUsage(7, 1, Cause(Reason.SIZE)),
            EngineUsage(0, 8, UnknownObserver(("Profile",)).cause),
        ):
            print(ran.note(kernel, words("ko")))
    printed = "\n".join([*said, *capsys.readouterr()])

    assert english(printed, ["tensorMapEncode", "SIGKILL", "SIGILL", "Profile", "warning", "error", "finding"]) == []
    assert "오류 1건, 경고 0건" in printed and "프로그램이 5초 안에 끝나지 않았습니다" in printed


def test_simulate_prints_korean(tmp_path, capsys):
    file = tmp_path / "k.ll"
    file.write_text(TWICE)
    ways = (
        "--kernel twice --arg out=empty:f32:8 --arg in=ones:f32:4 --arg n=i32:8",
        "--kernel twice --arg out=empty:f32:8 --arg in=ones:f32:8 --arg n=i32:8 --profile --engine native",
        "--kernel endless --launch-seconds 0.05",
    )
    codes = [
        main(
            [
                "simulate",
                str(file),
                *way.split(),
                "--target",
                "nvidia",
                "--grid",
                "1",
                "--block",
                "8",
                "--language",
                "ko",
            ]
        )
        for way in ways
    ]
    said = "".join(capsys.readouterr())

    assert codes == [1, 0, 3]
    assert english(said, ["twice", "endless", "out", "in", "nan", "Profile"]) == [], said
    assert "오류 요약: 오류 1건(4번)" in said and "제한(CPU 시간 0.05초)" in said and "전역 메모리 읽기" in said


def _grading(*verdicts: Verdict) -> Grading:
    people = tuple(
        PersonResult(f"person{at}", (GradedMode(_mode(verdict), "p15.mojo", 0.0, 1.0, at),))
        for at, verdict in enumerate(verdicts)
    )
    alike = (SimilarFiles(puzzle="p15", people=("person0", "person1")),)
    return Grading(
        settings=Settings(target="nvidia:sm_90", backend="simulator", data_seed=0),
        sandbox="bwrap",
        people=people,
        alike=alike,
    )


def _mode(verdict: Verdict) -> ModeResult:
    reason = "our own solution does not compile with MAX 26.6.0 with Mojo 1.1.0 either"
    return ModeResult(case="p15", verdict=verdict, reason=reason if verdict == Verdict.NOT_GRADED else "")


def test_grade_prints_korean(capsys):
    grading = _grading(Verdict.PASS, Verdict.INCOMPLETE, Verdict.NOT_GRADED)
    grade._print_summary(grading, Path("out"), None)
    for line in (
        "for nvidia:sm_90, SIMT simulator; sandbox: limits (there is no bwrap here): a program in it could use the "
        "network, and read and change what you may, other submissions too",
        "to judge: 3, judged in an earlier run: 1, as handed out, so nothing to judge: 2",
        "2 of 3 files judged, about 90 s left",
        "2 of 3 files judged, about 4 min left",
        "passed by, neither a folder nor an archive: a.txt, b.txt and 3 more",
    ):
        grade._to_stderr(line)
    said = "".join(capsys.readouterr())

    names = ["NOT", "GRADED", "person0", "html", "csv", "json", "txt"]
    assert english(said, names) == [], said
    assert "3명 중 2명 채점" in said and "다시 실행하면 멈춘 곳부터" in said


def test_a_compile_error_that_ends_a_command_is_told_once_and_in_korean(capsys):
    def fail(_words) -> int:
        raise CompileError("k.mojo does not compile", "k.mojo:1:1: error: use of unknown declaration 'x'")

    assert main([], do=fail) == 1
    said = capsys.readouterr().err
    assert english(said) == [] and said.startswith("오류: k.mojo 파일이 컴파일되지 않습니다\n")


_FIRST_OF_EACH = list({path.parent: path for path in PAIRS}.values())


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=() if path in _FIRST_OF_EACH else pytest.mark.full) for path in PAIRS],
    ids=pair_name,
)
def test_findings_are_in_korean(path):
    """Each kind of fault, as `simulate` and `exec` show it."""
    result = run(path, "caught")
    said = text(result, Renderer(words=words("ko"), detail=False))
    buffers = [each.name for each in arguments(path) if isinstance(each, simt.Buffer)]
    code = re.sub(r";.*", "", path.read_text(encoding="utf-8"))
    held = {*re.findall(r"[A-Za-z]+", code)} - ENGLISH

    assert HANGUL.search(said) and result.findings and np.all([finding.id for finding in result.findings])
    assert english(said, [*buffers, *held]) == [], said
