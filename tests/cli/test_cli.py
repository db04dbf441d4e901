"""Bad input is one clear sentence and a non-zero exit; reports say what happened."""

from __future__ import annotations

import errno
import importlib.metadata
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from harness.cases import pipeline
from harness.catalogue import CASES, PARTS, PUZZLES
from harness.catalogue.scaled import CASES as SCALED_CASES
from harness.cli.listing import case_facts
from harness.cli.main import main
from harness.cli.parser import make_parser
from harness.errors import UsageError
from harness.learning.progress import LearnerProgress
from harness.model.lines import display_width
from harness.model.project import DISTRIBUTION
from harness.model.sources import HARNESS_MOJO, MOJO, ROOT
from harness.report import console, json_report
from harness.report.screen import Screen
from tests.report.reports import report

MEANT = ("15", "p015", "p15,p16", "p15/problem.mojo", "p15.mojo", "p155")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "p26:pairswap"], "unknown case 'p26:pairswap': did you mean 'p26:pair-swap'"),
        (["run", "--target", "nvidia:sm_9"], "did you mean 'nvidia:sm_90'"),
        (["run", "--backend", "simulater"], "did you mean 'simulator'"),
        (["run", "--kernels", "solution"], "did you mean 'solutions'"),
        (["build", "--wrong"], "unknown flag '--wrong': did you mean"),  # not that --target is missing
        (["grade", "--sandbx", "off"], "unknown flag '--sandbx': did you mean '--sandbox'"),
        (["run", "--jsn", "x"], "unknown flag '--jsn': did you mean '--json'"),
        (["run", "--backend", "cpu", "--require-gpu"], "cannot be combined"),
        (["run", "--engine", "fast"], "unknown engine 'fast'"),
        (["run", "--engine", "native", "--scheduler", "tcp://nowhere:1"], "--engine native and --scheduler cannot be"),
        (["p26", "--pairswap"], "did you mean '--pair-swap'"),
        (["p26", "--pair-swap", "--parallel-max"], "not allowed with"),
        (["p15", "--solution", "--file", "x.mojo"], "cannot be combined"),
        (["p15", "--file", "nowhere.mojo"], "no kernel file at nowhere.mojo"),
        (["run", "p77"], "unknown case 'p77': known: "),
        (["p77"], "unknown command 'p77': known: p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, "),
        (["p1"], "unknown command 'p1': did you mean 'p01'"),
        (["p09:first-case"], "unknown command 'p09:first-case': did you mean 'p09 --first-case'?"),
        (["foo"], "unknown command 'foo': see `puzzles --help`."),
        (["run", "foo"], "unknown case 'foo': see `puzzles list`."),
        (["run", "--mode", "x"], "unknown flag '--mode': known: --help, --target, "),
        *((["run", name], f"unknown case '{name}': did you mean 'p15'") for name in MEANT),
        (["run", "p5"], "unknown case 'p5': did you mean 'p05'"),
        (["claims", "p01-p77"], "unknown puzzle 'p77'"),
        (["ruin"], "unknown command 'ruin': did you mean 'run'"),
        (["inspect", "p26", "--target", "nvidia"], "has several modes"),
        (["inspect", "p15", "--level", "ptx"], "unknown level 'ptx'"),
        (["build", "p15"], "--target"),
        (["run", "p15", "--seed", "-1"], "--seed: must be a whole number of at least 0, but is '-1'"),
        (["run", "p15", "--seed", "one"], "--seed: must be a whole number of at least 0, but is 'one'"),
        (["p15", "--target", " 4"], "unknown target ' 4'"),
        (["p34", ""], "unexpected argument ''"),
        (["p34", "--target", "nvidia", "p15"], "unexpected argument 'p15'"),
        (["p15", "--target", "nvidia:sm_70"], "Mojo does not compile for nvidia:sm_70"),
        (["simulate", "nowhere.ll", "--target", "nvidia", "--grid", "1", "--block", "1"], "no file at nowhere.ll"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_usage_is_one_sentence(arguments, message, capsys):
    """Exit code 2, the nearest name, nothing on stdout, no traceback."""
    assert main(arguments) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.splitlines()[-1].startswith("error: ")


@pytest.mark.parametrize("command", ["list", "doctor", "run", "build", "claims", "inspect", "simulate", *PUZZLES])
def test_every_command_has_help(command, capsys):
    """Python 3.11 fails on a group of flags that is empty, as that of a puzzle with one case was."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: puzzles {command}")


def test_help_explains_every_argument_in_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    (commands,) = (action for action in make_parser()._actions if action.dest == "==SUPPRESS==" and action.choices)
    for name, command in commands.choices.items():
        wide = [line for line in command.format_help().splitlines() if len(line) > 80]
        bare = [action.dest for action in command._actions if not action.help]
        assert (name, wide, bare) == (name, [], [])


def test_the_keys_of_a_watch_are_in_its_help(capsys):
    with pytest.raises(SystemExit):
        main(["watch", "--help"])
    assert "Keys: h hint, n next, l list, p page, q quit." in capsys.readouterr().out


def test_the_version_names_the_compiler_too(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (ended.value.code, project["name"]) == (0, DISTRIBUTION)
    assert re.fullmatch(rf"puzzles {project['version']} \(max .+, mojo .+\)\n", capsys.readouterr().out)


@pytest.mark.parametrize("command", ["claims", "build --target nvidia", "run --target nvidia --backend simulator"])
def test_a_range_of_puzzles_is_each_of_them(command, monkeypatch):
    asked = []
    monkeypatch.setattr(pipeline, command.split()[0], lambda cases, *_, **__: asked.extend(cases) or ended())

    def ended():
        raise UsageError("enough")

    assert main([*command.split(), "p03-p05", "p15"]) == 2
    assert {case.puzzle for case in asked} == {"p03", "p04", "p04_tile_tensor", "p05", "p15"}


def test_claims_are_checked(monkeypatch, capsys):
    """The command finds its module; what it measures is tested with the claims."""
    monkeypatch.setattr(pipeline, "claims", lambda *_, **__: ())
    assert main(["claims", "p15"]) == 3
    assert capsys.readouterr().err == ""


def test_a_required_gpu_that_is_missing_fails(monkeypatch, capsys):
    """Exit code 3, and the sentence says what can be done instead."""
    monkeypatch.setattr(pipeline.devices, "discover", list)

    assert main(["run", "--target", "nvidia", "--require-gpu"]) == 3
    assert "use `--backend simulator`" in capsys.readouterr().err


def test_list_names_every_case(capsys):
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert all(case.id in out for case in (*CASES, *SCALED_CASES))
    assert not re.search(r"[\[(]'", out)  # no Python in what people read

    assert main(["list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema_version"] == 2
    assert [row["case"] for row in document["cases"]] == [case.id for case in (*CASES, *SCALED_CASES)]
    assert document["cases"][-1]["vendors"] == ["nvidia"]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("solved", [False, True])
def test_the_list_leads_through_the_puzzles(language, solved, tmp_path, monkeypatch, capsys):
    """In order, by parts, with what each builds on, and in a workspace with its state; it fits 80 columns."""
    monkeypatch.chdir(tmp_path)
    if solved:
        main(["start", "p15", "."])
        LearnerProgress.read(tmp_path).update("p15", solved="2026-01-02T03:04:05+00:00")
        capsys.readouterr()
    assert main(["list", "--language", language]) == 0

    lines = capsys.readouterr().out.splitlines()[:-1]  # the last one names those of full size
    assert max(map(display_width, lines)) <= 80
    named = [line.split()[0] for line in lines]
    assert [name for name in named if name in {case.id for case in CASES}] == [case.id for case in CASES]
    row = next(line for line in lines if line.startswith("p15 "))
    assert "p07, p12" in row and row.endswith({"en": "solved", "ko": "해결"}[language]) == solved
    heads = [line for line in lines if re.match(r"Part \d+: |\d+부: ", line)]
    assert len(heads) == len(PARTS) and any("nvidia, amd" in line for line in lines)
    assert [("(1 " in line or "1개 해결" in line) for line in heads].count(True) == solved


def test_list_says_which_cases_no_run_takes_by_itself(capsys):
    """Below the table and in the JSON; the documented cases need no remark."""
    assert main(["list"]) == 0
    scale = ", ".join(case.id for case in SCALED_CASES)
    assert capsys.readouterr().out.splitlines()[-1] == f"{scale}: full size; run it by name"
    assert main(["--language", "ko", "list"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{scale}: 원래 크기의 퍼즐입니다(이름을 지정하면 실행합니다)"
    assert {row["remark"] for row in map(case_facts, CASES)} == {""}
    assert case_facts(SCALED_CASES[0])["command"] == "puzzles run p15@scale"


def test_doctor_says_what_runs_on_what(capsys):
    assert main(["doctor"]) == 0

    out = capsys.readouterr().out
    assert "nvidia:sm_90 runs on" in out
    assert "amd:gfx942 runs on" in out
    assert importlib.metadata.version("max") in out


@pytest.mark.slow
@pytest.mark.parametrize("command", [["doctor"], ["run", "p15"], ["build", "--target", "nvidia"]], ids=lambda it: it[0])
def test_a_cache_that_cannot_be_written_is_said(command, tmp_path, monkeypatch, capsys):
    """Exit code 3 and the way out, before anything is compiled."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(pipeline.devices, "discover", list)

    assert main(command) == 3
    captured = capsys.readouterr()
    assert "set HARNESS_CACHE to another directory" in " ".join((captured.out + captured.err).split())
    assert "compiling" not in captured.err


def test_a_full_cache_is_said(tmp_path, monkeypatch, capsys):
    """As the disk says it, and nothing is left half written."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path))
    monkeypatch.setattr("harness.build.cache.os.replace", full)

    assert main(["run", "p15", "--target", "nvidia", "--backend", "simulator"]) == 3
    said = capsys.readouterr().err
    assert "(No space left on device" in said and "fix that, or set HARNESS_CACHE" in said
    assert not list(tmp_path.rglob(".writing-*"))


def test_run_writes_its_reports(tmp_path, capsys):
    """The JSON has the documented fields; the table has a row for each case."""
    files = {kind: tmp_path / f"run.{kind}" for kind in ("json", "xml")}
    arguments = ["run", "p15", "--target", "nvidia:sm_90", "--backend", "simulator", "--counters"]

    assert main([*arguments, "--json", str(files["json"]), "--junit", str(files["xml"])]) == 0

    captured = capsys.readouterr()
    assert "PASS" in captured.out
    assert "mojo/p15/solution.mojo for nvidia:sm_90, in the simulator (requested)" in captured.err
    document = json.loads(files["json"].read_text())
    case = document["cases"][0]
    assert document["schema_version"] == 2
    assert {"case", "target", "backend", "verdict", "reason", "launches", "datasets"} <= set(case)
    assert (case["case"], case["verdict"], case["backend"]) == ("p15", "PASS", "simulator")
    assert case["launches"][0]["grid"] == [1, 4, 1]
    one = {"ran": 1, "why_no_more": "every order gives the same"}
    orders = [dataset["orders"] for dataset in case["datasets"]]
    assert orders[:10] == [one] * 10 and [dataset["name"].partition(" ")[0] for dataset in case["datasets"][10:]] == [
        "drawn",
        "drawn-size-3",
    ]
    assert "orders of the threads: 1 on 10 of 12 data sets (every order gives the same)" in captured.err
    assert case["counters"][0]["shared_bytes_per_block"] == 32
    suite = ElementTree.parse(files["xml"]).getroot()[0]
    assert (suite.get("name"), suite.get("tests")) == ("p15", "12")


def test_a_report_that_cannot_be_written_is_said(tmp_path, capsys):
    target = tmp_path / "missing" / "run.json"

    assert main(["run", "p15", "--target", "nvidia", "--backend", "simulator", "--json", str(target)]) == 3
    assert "cannot write the report" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        ("PASS", 0),
        ("REFERENCE", 0),
        ("MISMATCH", 1),
        ("FINDING", 1),
        ("COMPILE_ERROR", 1),
        ("LAUNCH_ERROR", 1),
        ("TIMEOUT", 1),
        ("INCOMPLETE", 3),
        ("SKIPPED", 3),
    ],
)
def test_the_exit_code_comes_from_the_verdict(verdict, code):
    assert report(verdict).exit_code == code


def test_a_table_fits_a_narrow_terminal(monkeypatch, capsys):
    """At 80 columns a row is a line, and what has no room in it is said above it; reasons stand below in full."""
    told = report("LAUNCH_ERROR", reason="a very long reason " * 10)

    monkeypatch.setattr(console, "Screen", lambda: Screen(80))
    console.print_run(told)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "simulator: d, for nvidia:sm_90"
    assert [line.split()[:2] for line in lines if line.startswith("LAUNCH")] == [["LAUNCH_ERROR", "p15"]]
    assert any("A very long reason a very" in line for line in lines)
    monkeypatch.undo()
    console.print_run(told)
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("LAUNCH_ERROR"))
    assert "simulator" in row and "nvidia:sm_90" in row


@pytest.mark.slow
def test_a_closed_pipe_is_no_error():
    """`... | head -1` ends quietly."""
    command = f"{shlex.quote(sys.executable)} -u -m harness list --json | head -1"
    run = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True)

    assert (run.stdout, run.stderr) == ("{\n", "")


@pytest.mark.slow
def test_an_interrupt_is_one_word():
    """Ctrl-C ends a run with 130 and without a traceback."""
    probe = (
        "import sys; from harness.cases import pipeline\n"
        "def stop(*_): raise KeyboardInterrupt\n"
        "pipeline.plan = stop\n"
        "from harness.cli.main import main; sys.exit(main(['run']))"
    )
    run = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True)

    assert (run.returncode, run.stdout, run.stderr) == (130, "", "interrupted\n")


def test_an_empty_run_fails():
    assert replace(report("PASS"), cases=()).exit_code == 3


def test_json_has_no_bare_nan():
    """NaN and infinities are strings: JSON has no such numbers."""
    document = json_report.text({"values": np.array([np.nan, np.inf, -np.inf, 1.5])})

    assert json.loads(document)["values"] == ["NaN", "Infinity", "-Infinity", 1.5]


@pytest.mark.slow
def test_the_module_starts_without_max_or_the_simulator():
    """`list` and bad usage answer at once: heavy packages are imported when needed."""
    probe = (
        "import sys; from harness.cli.main import main; main(['list']); "
        "print(sorted({'max', 'llvmlite', 'harness.simt.public'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)

    assert run.stdout.splitlines()[-1] == "[]"


def test_mojo_holds_no_python():
    """A module or a package there would shadow the installed `mojo`; a puzzle's own Python lies a folder below."""
    for folder in (MOJO, HARNESS_MOJO):
        assert list(folder.rglob("*.mojo")) and not [*folder.glob("*.py"), *folder.rglob("__init__.py")]
        assert not list(folder.rglob("__init__.mojo"))
