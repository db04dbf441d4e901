"""`puzzles exec`: a program's own bytes and its own end, tables and reports of several, bad input in a sentence."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.cli.main import main
from harness.model.language import set_language
from harness.model.sources import ROOT
from harness.process.processors import count_processors
from harness.programs import Execution
from harness.report.lines import PATTERN
from tests.processes import import_path
from tests.programs.together import CHOICE, PROGRAMS, together, words

MODULES = ROOT / "tests" / "programs" / "modules"
SIMULATED = ["--target", "nvidia", "--backend", "simulator"]
FILLS = b"""DeviceBuffer([250, 250, 250, 250, 1])
DeviceBuffer([-2, 7, 7, -2])
DeviceBuffer([0.5, 0.5, 0.5])
DeviceBuffer([-1099511627776, -1099511627776])
"""


def program(name: str) -> str:
    return str(PROGRAMS / f"{name}.mojo")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "exec: name a program, a folder with programs, or a file with --cases."),
        ([""], "FILE|DIR: must name a file or a folder, but is empty"),
        (["nowhere.mojo"], "no program at nowhere.mojo."),
        (["README.md"], "README.md is no Mojo program: name files that end in .mojo, or folders with such files."),
        (["harness/build/mojo"], "no file below harness/build/mojo has a `main`."),
        (["tests/programs/modules/library/doubling.mojo"], "doubling.mojo has no `main`, where a program begins"),
        (["--", "a"], "exec: what follows -- goes to programs that stand before it"),
        (["--cases", "nowhere.txt"], "cannot read the cases in nowhere.txt"),
        ([program("fills"), "--target", "nvidia:sm_9"], "did you mean 'nvidia:sm_90'"),
        ([program("fills"), "--backend", "gpu"], "unknown backend 'gpu'"),
        ([program("fills"), "--backend", "cpu"], "unknown backend 'cpu'"),
        ([program("fills"), "--seed", "-1"], "--seed: must be a whole number of at least 0, but is '-1'"),
        ([program("fills"), "--seconds", "0"], "--seconds: must be a number of seconds above 0, but is '0'"),
        ([program("fills"), "--launch-seconds", "nan"], "--launch-seconds: must be a number of seconds above 0"),
        ([program("fills"), "--memory", "0"], "--memory: must be a whole number above 0, but is '0'"),
        ([program("fills"), "--launches", "many"], "--launches: must be a whole number above 0, but is 'many'"),
        ([program("fills"), "--observed-launches", "-1"], "--observed-launches: must be a whole number of at least 0"),
        ([program("fills"), "-I", "nowhere"], "-I nowhere: there is no such folder."),
        ([program("fills"), "-D", "=1"], "-D '=1' is not NAME=VALUE."),
        ([program("fills"), "--engine", "nativ"], "unknown engine 'nativ': did you mean 'native'"),
        ([program("fills"), "--format", "line"], "unknown format 'line': did you mean 'lines'"),
        ([program("fills"), "--eagre"], "unknown flag '--eagre': did you mean '--eager'"),
    ],
    ids=lambda value: " ".join(map(str, value))[-40:] if isinstance(value, list) else "",
)
def test_bad_usage_is_one_sentence(arguments: list[str], message: str, capfd, monkeypatch):
    monkeypatch.chdir(ROOT)

    assert main(["exec", *arguments]) == 2

    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("error: ") and message in err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nowhere.mojo", "cases.txt:2: no program at"),
        ("'", "cases.txt:2: No closing quotation."),
        ("", "cases.txt names no program."),
    ],
)
def test_a_bad_list_of_cases_is_told_with_its_line(line: str, message: str, tmp_path: Path, capfd):
    cases = tmp_path / "cases.txt"
    cases.write_text(f"# programs\n{line}\n")

    assert main(["exec", "--cases", str(cases)]) == 2
    assert message in capfd.readouterr().err


def test_what_is_no_file_is_no_program_and_waited_for_by_nobody(tmp_path: Path, capfd):
    os.mkfifo(tmp_path / "pipe.mojo")
    (tmp_path / "loop.mojo").symlink_to("loop.mojo")
    (tmp_path / "folder.mojo").mkdir()

    assert main(["exec", str(tmp_path)]) == 2
    assert f"no file below {tmp_path} has a `main`." in capfd.readouterr().err
    assert main(["exec", str(tmp_path / "pipe.mojo")]) == 2
    assert "no program at" in capfd.readouterr().err
    assert main(["exec", "--cases", str(tmp_path)]) == 2
    assert f"cannot read the cases in {tmp_path}: Is a directory." in capfd.readouterr().err


@pytest.mark.parametrize("flag", ["--json", "--junit", "--sarif"])
def test_a_report_that_cannot_be_written_is_told_before_anything_runs(flag: str, tmp_path: Path, capfd):
    for report, why in ((tmp_path / "no" / "report", "make the folder"), (tmp_path, "it is a folder")):
        assert main(["exec", program("fills"), flag, str(report)]) == 3

        out, err = capfd.readouterr()
        assert out == ""
        assert why in err and "compiling" not in err


@pytest.mark.parametrize(
    ("language", "why"),
    [("en", "{} may not be written to; name a file in another folder."), ("ko", "{} 폴더에 쓸 권한이 없습니다.")],
)
def test_a_report_in_a_folder_that_may_not_be_written_to_is_to_go_elsewhere(
    language: str, why: str, tmp_path: Path, monkeypatch, capsys
):
    monkeypatch.setattr(os, "access", lambda *_: False)

    assert main(["exec", program("fills"), "--json", str(tmp_path / "r.json"), "--language", language]) == 3
    assert why.format(tmp_path) in capsys.readouterr().err
    set_language(None)


def test_a_gpu_that_is_not_there_is_told(monkeypatch, capfd):
    monkeypatch.setattr("harness.backends.devices.discover", list)

    assert main(["exec", program("fills"), "--backend", "max"]) == 3
    assert "there is no GPU for nvidia:sm_90 on this machine: leave out `--backend max`." in capfd.readouterr().err


def test_one_program_has_all_processors(monkeypatch):
    plans = []

    def execute_plan(plan, _):
        plans.append(plan)
        return Execution(
            file=plan.file, arguments=(), target=plan.launches.target, backend=plan.launches.backend, status=0
        )

    monkeypatch.setattr("harness.cli.programs.execute_plan", execute_plan)

    assert main(["exec", program("fills"), "--target", "nvidia"]) == 0
    assert [plan.launches.workers for plan in plans] == [count_processors()]


@pytest.mark.slow
def test_stdout_is_the_programs_own_byte_for_byte(capfdbinary, monkeypatch, tmp_path: Path):
    """Whatever reports are asked for, and whatever is found."""
    reports = ["--json", str(tmp_path / "report.json"), "--junit", str(tmp_path / "report.xml")]
    monkeypatch.setenv(CHOICE, "fills")  # compiled with others

    assert main(["exec", *words("fills", "nvidia"), *reports]) == 0
    assert capfdbinary.readouterr().out == FILLS
    monkeypatch.setenv(CHOICE, "copy_too_short")
    assert main(["exec", *words("copy_too_short", "nvidia"), "--eager", "--seed", "3"]) == 1
    out, err = capfdbinary.readouterr()
    assert out == b""
    assert b"copy_too_short.mojo:12:" in err and b"1 error, 0 warnings" in err

    (told,) = json.loads((tmp_path / "report.json").read_text())["programs"]
    assert (told["verdict"], told["status"], told["target"]) == ("PASS", 0, "nvidia:sm_90")
    assert ElementTree.parse(tmp_path / "report.xml").find("testsuite").attrib["tests"] == "1"


@pytest.mark.slow
def test_what_ran_launches_is_told_once_for_each_kernel_to_whoever_asks_for_machine_code(capfd, monkeypatch, tmp_path):
    monkeypatch.setenv(CHOICE, "many_kernels")
    command = ["exec", *words("many_kernels", "nvidia"), "--engine", "native"]

    for arguments, what in (
        ([], "the compiled engine ran add_one, 2 blocks; every check held."),
        (["--seed", "1"], "the interpreter ran add_one because of a seed, which fixes the order of the threads."),
        (
            ["--json", str(tmp_path / "report.json")],
            "the compiled engine ran add_one, 1 block; every check held for these. 1 block ran in the interpreter "
            "because of counters: one block is counted for others that take the same path.",
        ),
    ):
        assert main([*command, *arguments]) == 0
        notes = [line for line in capfd.readouterr().err.splitlines() if line.startswith("note: ")]
        assert notes[0] == f"note: {what}" and len(notes) == 1 + ("counted" in what)  # of launches beyond 20


@pytest.mark.full
def test_places_and_lines_are_shown_from_any_folder(tmp_path: Path, capfd, monkeypatch):
    """The compiler names what lies in this repository relative to it."""
    for folder, name in ((tmp_path, program("kernel_race")), (PROGRAMS, "kernel_race.mojo")):
        monkeypatch.chdir(folder)
        assert main(["exec", name, *SIMULATED]) == 1
        err = capfd.readouterr().err
        assert f"write at {name}:21:10 in shift" in err and "21 |     cache[i] = Int32(i)" in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "more", "told"),
    [
        ("missing_wait", [], ["14:25: error: missing-wait.read: the host", "13:25: note: missing-wait.read: the host"]),
        ("many_kernels", ["--launches", "50"], ["1:1: error: limit: the program launched add_one more than 50 times"]),
    ],
)
def test_findings_and_limits_are_lines_for_editors_where_asked_for(name, more, told, capfd, monkeypatch):
    """In the place of blocks, on standard error: standard output is the program's."""
    monkeypatch.setenv(CHOICE, name)  # compiled with others

    assert main(["exec", *words(name, "nvidia"), "--format", "lines", *more])

    out, err = capfd.readouterr()
    lines = [line for line in err.splitlines() if re.match(PATTERN, line)]
    assert len(lines) == len(told) and all(map(str.__contains__, lines, told)), err
    assert not re.search(PATTERN, out, re.MULTILINE) and "=========" not in err


@pytest.mark.slow
def test_modules_definitions_arguments_environment_and_input_reach_the_program(tmp_path: Path):
    given = words("configured", "nvidia")  # with a folder of modules, and `SIZE`
    command = [sys.executable, "-m", "harness", "exec", *given, "--", "a", "b c", "--target"]
    environment = {**os.environ, "PYTHONPATH": import_path(Path("/somewhere")), "TMPDIR": str(tmp_path)}
    environment[CHOICE] = "configured"

    done = subprocess.run(command, cwd=ROOT, env=environment, input=b"words\n", capture_output=True, timeout=240)

    assert done.stdout.decode().splitlines() == [
        "DeviceBuffer([42, 42, 42])",
        *("argument a", "argument b c", "argument --target"),
        f"environment {environment['PYTHONPATH']} {tmp_path}",
        "input words",
    ]
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "more", "code"),
    [
        ("status", ["--", "nothing"], 0),
        ("status", ["--", "exit"], 3),  # the program's own
        ("status", ["--", "error"], 1),
        ("assertion", [], 128 + 4),
        ("device_pointer", [], 128 + 11),
        ("kernel_race", [], 1),  # it ends with 0
        ("many_kernels", ["--launches", "50"], 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_the_exit_code_is_the_programs_own_unless_that_hides_something(name, more, code, capfd, monkeypatch):
    monkeypatch.setenv(CHOICE, name)  # compiled with others

    assert main(["exec", *words(name, "nvidia"), *more]) == code


@pytest.mark.slow
def test_a_missing_module_is_in_the_exit_code(capfd):
    assert main(["exec", str(MODULES / "configured.mojo"), *SIMULATED]) == 1


@pytest.mark.slow
def test_several_programs_are_a_table_with_a_row_for_each_set_of_arguments(tmp_path: Path, capfd, monkeypatch):
    """A program that does not compile costs its own row; a mark of the byte order, as Windows writes it, none."""
    monkeypatch.setenv(CHOICE, "status")
    nothing = str(together("scan", "nvidia"))  # in which there is no such program
    cases = tmp_path / "cases.txt"
    status, *how = words("status", "nvidia")
    cases.write_text(f"\ufeff{status} exit now  # its status\n{status} error\n{status} nothing\n")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "wrong.mojo").write_text("def main():\n    nothing_of_this_name()\n")
    (broken / "module.mojo").write_text("def helper():\n    pass\n")
    reports = ["--json", str(tmp_path / "report.json"), "--junit", str(tmp_path / "report.xml")]

    code = main(["exec", nothing, str(broken), "--cases", str(cases), *how, *reports])

    out, err = capfd.readouterr()
    assert code == 1
    assert "use of unknown declaration 'nothing_of_this_name'" in err
    assert err.startswith("to run: 5 runs of 3 programs, each compiled first; Ctrl-C ends it\n")
    assert "that was all" in err  # what a program says itself of its end
    rows = [line for line in out.splitlines() if ".mojo" in line]
    assert [next(word for word in row.split() if word.isupper()) for row in rows] == [
        *("PASS", "COMPILE_ERROR", "MISMATCH", "MISMATCH", "PASS"),
    ]
    told = json.loads((tmp_path / "report.json").read_text())["programs"]
    assert [row["arguments"] for row in told] == [[], [], ["exit", "now"], ["error"], ["nothing"]]
    assert [row["exit_code"] for row in told] == [0, 1, 3, 1, 0]
    suites = ElementTree.parse(tmp_path / "report.xml").findall("testsuite")
    assert [len(suite.findall("testcase")) for suite in suites] == [1, 1, 3]
