"""`puzzles grade`: what it says, what it leaves, and how it ends."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from harness.build import toolchain
from harness.catalogue import CASES
from harness.cli.main import main
from harness.grading import local
from harness.model import exit_code
from harness.model.frames import blank_regions
from harness.model.language import set_language
from harness.model.sources import MOJO, ROOT
from harness.process import box as boxes
from harness.process.reaper import list_descendants
from tests import learners
from tests.grading.judges import say
from tests.processes import heed_signals

SOLUTION = (MOJO / "p15" / "solution.mojo").read_text()


@pytest.fixture
def people(tmp_path):
    """A folder of submissions, by person and file."""

    def make(**files):
        for name, text in files.items():
            (tmp_path / "people" / name).mkdir(parents=True)
            (tmp_path / "people" / name / "p15.mojo").write_text(text)
        return str(tmp_path / "people")

    return make


@pytest.fixture
def quick(monkeypatch):
    """The verdict stands in the file, and no compiler is needed."""
    whole = local.judge_all
    monkeypatch.setattr(
        local, "judge_all", lambda *given: whole(*given, judge=lambda job, *_: say(job), compiled=alone)
    )


@pytest.fixture
def any_language():
    """What the test chooses holds for it alone."""
    yield
    set_language(None)


def alone(*_):
    """No file is compiled beside another one."""
    return {}


def grade(*words):
    return main(["grade", *map(str, words), "--target", "nvidia", "--backend", "simulator", "--sandbox", "limits"])


def test_verdicts_do_not_decide_the_exit_code(people, quick, tmp_path, capsys):
    folder = people(ann='verdict = "PASS"', bob='verdict = "FINDING"', cid='verdict = "FINDING"')

    assert grade(folder, "--out", tmp_path / "out", "--data-seed", 7) == exit_code.OK

    out = capsys.readouterr().out
    assert f"3 of 3 graded: 2 FINDING, {3 * len(CASES) - 3} NOT_ATTEMPTED, 1 PASS" in out
    assert "groups of files that are alike: 1 p15" in out
    assert "seed 7 (--data-seed repeats it)" in out and "index.html" in out


def test_an_assignment_names_its_puzzles_and_points(people, quick, tmp_path, capsys):
    """Nothing else is judged, asked for, or in the reports; ranges are those of the command line."""
    folder = people(ann='verdict = "PASS"', bob='verdict = "FINDING"')
    (tmp_path / "people" / "ann" / "p20.mojo").write_text('verdict = "NOT_GRADED"')
    (tmp_path / "work.toml").write_text('puzzles = ["p14-p15"]\n[points]\np15 = 5\np14 = 3\n')

    assert grade(folder, "--out", tmp_path / "out", "--assignment", tmp_path / "work.toml") == exit_code.OK
    assert "2 of 2 graded: 1 FINDING, 4 NOT_ATTEMPTED, 1 PASS" in capsys.readouterr().out
    ann, bob = json.loads((tmp_path / "out" / "results.json").read_text())["people"]
    assert [mode["case"] for mode in ann["modes"]] == ["p14:simple", "p14:complete", "p15"]
    assert (ann["points"], ann["most"], bob["points"]) == (5.0, 8.0, 0.0)
    head = (tmp_path / "out" / "results.csv").read_text("utf-8-sig").splitlines()[0]
    assert head.startswith("person,points,most,graded,p14:simple,") and "p20" not in head


@pytest.mark.parametrize("language", ["en", "ko"])
def test_who_hung_or_was_limited_is_seen_at_a_glance(language, people, quick, tmp_path, capsys, any_language):
    folder = people(
        ann='verdict = "TIMEOUT"', bob='verdict = "LIMIT"', cid='verdict = "PASS"', dan='verdict = "TIMEOUT"'
    )
    (tmp_path / "people" / "ann" / "p01.mojo").write_text('verdict = "TIMEOUT"')

    assert grade(folder, "--out", tmp_path / "out", "--language", language) == exit_code.OK
    out = capsys.readouterr().out.splitlines()
    hung, limited = {"en": ("hung", "over a limit"), "ko": ("끝나지 않음", "한도를 넘음")}[language]
    assert f"{hung}: ann (p01, p15), dan (p15)" in out and f"{limited}: bob (p15)" in out
    document = json.loads((tmp_path / "out" / "results.json").read_text())
    assert document["concerns"] == {"hung": {"ann": ["p01", "p15"], "dan": ["p15"]}, "limited": {"bob": ["p15"]}}
    page = (tmp_path / "out" / "index.html").read_text()
    assert '<li>hung: <a href="people/1.html">ann</a> (p01, p15), <a href="people/4.html">dan</a> (p15)</li>' in page


def test_of_many_who_hung_some_are_named(people, quick, tmp_path, capsys):
    folder = people(**{f"p{number:02}": 'verdict = "TIMEOUT"' for number in range(12)})
    assert grade(folder, "--out", tmp_path / "out") == exit_code.OK
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("hung: "))
    assert line.count("(p15)") == 10 and line.endswith("... (12)")


def test_somebody_who_is_not_graded_does(people, quick, tmp_path, capsys):
    folder = people(ann='verdict = "PASS"', bob='verdict = "FINDING"')
    (tmp_path / "people" / "bob" / "p26.mojo").write_text('verdict = "NOT_GRADED"')

    assert grade(folder, "--out", tmp_path / "out") == exit_code.ENVIRONMENT

    captured = capsys.readouterr()
    assert "1 of 2 graded" in captured.out
    assert (
        "bob is not graded, p26:pair-swap: p26.mojo:1:5: it is so" in captured.err
        and "goes on where this one stopped" in captured.err
    )


def test_a_file_over_which_the_harness_stumbles_costs_nobody_else(people, monkeypatch, tmp_path, capsys):
    whole = local.judge_all

    def stumbling(job, *_):
        if "odd" in job.text:
            raise ZeroDivisionError("nobody thought of that")
        return say(job)

    monkeypatch.setattr(local, "judge_all", lambda *given: whole(*given, judge=stumbling, compiled=alone))
    folder = people(ann="odd = 1", bob='verdict = "PASS"', cid='verdict = "FINDING"')

    assert grade(folder, "--out", tmp_path / "out") == exit_code.ENVIRONMENT
    captured = capsys.readouterr()
    assert f"2 of 3 graded: 1 FINDING, {3 * len(CASES) - 3} NOT_ATTEMPTED, 1 NOT_GRADED, 1 PASS" in captured.out
    assert "ann is not graded, p15: a fault of the harness, ZeroDivisionError: nobody thought of that" in captured.err


def test_a_secret_seed_is_another_one_each_time(people, quick, tmp_path, capsys):
    folder, seeds = people(ann='verdict = "PASS"'), set()
    for number in range(2):
        grade(folder, "--out", tmp_path / str(number))
        seeds.add(json.loads((tmp_path / str(number) / "grading.json").read_text())["data_seed"])
    assert len(seeds) == 2


def test_one_person_for_a_service(people, quick, tmp_path):
    people(ann='verdict = "PASS"')
    out = tmp_path / "results.json"

    assert grade(tmp_path / "people" / "ann", "--format", "gradescope", "--out", out) == exit_code.OK
    told = {test["name"]: test["status"] for test in json.loads(out.read_text())["tests"]}
    assert told["p15"] == "passed"


def test_a_service_is_given_whole_results_or_none(people, quick, tmp_path, capsys):
    people(ann='verdict = "NOT_GRADED"')
    out = tmp_path / "results.json"

    assert grade(tmp_path / "people" / "ann", "--format", "gradescope", "--out", out) == exit_code.ENVIRONMENT
    assert not out.exists() and str(out) not in capsys.readouterr().out


def test_a_service_that_does_not_say_whose_it_is_is_told_before_anything_is_judged(
    people, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(local, "judge_all", None)
    monkeypatch.delenv("CLASSROOM", raising=False)
    people(ann="x")

    assert grade(tmp_path / "people" / "ann", "--format", "classroom50", "--out", tmp_path / "r") == 3
    assert "needs CLASSROOM" in capsys.readouterr().err


def test_results_may_lie_among_the_submissions(people, quick, tmp_path):
    folder = people(ann='verdict = "PASS"')
    for _ in range(2):
        assert grade(folder, "--out", tmp_path / "people" / "results") == exit_code.OK
    whole = json.loads((tmp_path / "people" / "results" / "results.json").read_text())
    assert [person["person"] for person in whole["people"]] == ["ann"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "--out is missing"),
        (["--out", "o", "--format", "moodle"], "unknown format 'moodle'"),
        (["--out", "o", "--sandbox", "jail"], "unknown sandbox 'jail'"),
        (["--out", "o", "--assignment", "missing.toml"], "cannot read missing.toml"),
        (["--out", "o", "--data-seed", "-1"], "at least 0"),
    ],
)
def test_what_cannot_be_done_is_told_first(people, tmp_path, monkeypatch, capsys, words, told):
    monkeypatch.chdir(tmp_path)
    folder = people(ann="x")

    assert main(["grade", folder, *words]) == exit_code.USAGE
    assert told in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_the_reference_is_no_judge(people, tmp_path, capsys):
    assert main(["grade", people(ann="x"), "--out", str(tmp_path / "o"), "--backend", "cpu"]) == exit_code.USAGE
    assert "runs the reference" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_right_wrong_and_unsolved_kernels_are_told_apart(people, tmp_path, any_language):
    """One is compiled here, the others were; see `tests/learning/test_agreement.py`."""
    names = {
        "ann": "p15 solved",
        "bob": "half of the tree",
        "cid": "a region left blank",
        "eve": "no barrier at all",
        "fay": "code below its region",
    }
    for name in names.values():
        learners.known_to_graders(name)
    people(dan=f"# mine\n{SOLUTION}")
    people(**{person: learners.LEARNERS[name][1] for person, name in names.items()})
    folder = people(gus=f"{SOLUTION}\u3000", hal=SOLUTION.replace("    barrier()", "    # \r    barrier()", 1))

    assert grade(folder, "--out", tmp_path / "out") == exit_code.OK

    whole = json.loads((tmp_path / "out" / "results.json").read_text())
    verdicts = {
        person["person"]: next(mode["verdict"] for mode in person["modes"] if mode["case"] == "p15")
        for person in whole["people"]
    }
    assert verdicts == {
        "ann": "PASS",
        "bob": "MISMATCH",
        "cid": "NOT_ATTEMPTED",
        "dan": "PASS",
        "eve": "FINDING",
        "fay": "PASS",
        "gus": "COMPILE_ERROR",
        "hal": "UNREADABLE",
    }
    assert whole["alike"] == [{"puzzle": "p15", "people": ["ann", "dan"], "solution": True}]
    modes = {
        person["person"]: next(mode for mode in person["modes"] if mode["case"] == "p15") for person in whole["people"]
    }
    (note,) = modes["fay"]["notes"]
    assert re.fullmatch(r"the whole file ran, with \d+ lines changed or added outside .*: p15\.mojo:\d+:5", note), note
    assert not modes["dan"]["notes"], "a comment is nothing"
    shutil.rmtree(tmp_path / "people" / "gus")  # whom the compiler would refuse once more
    assert grade(folder, "--out", tmp_path / "ko", "--language", "ko") == exit_code.OK
    people_told = json.loads((tmp_path / "ko" / "results.json").read_text())["people"]
    korean = next(mode for mode in people_told[4]["modes"] if mode["case"] == "p15")
    assert korean["verdict"] == "FINDING" and re.search("[가-힣]", "".join(korean["lines"]))
    told = "\n".join(modes["eve"]["lines"])
    assert "write of cache in shared memory" in told and re.search(r"at p15\.mojo:(\d+):.*\n +\1 \| +\S", told), told


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="its children are found through /proc")
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_however_it_is_stopped_nothing_is_left_and_it_goes_on(people, tmp_path, number):
    """In the middle of a compilation that would not end."""
    endless = (ROOT / "tests" / "exploits" / "endless_comptime.mojo").read_text()
    (tmp_path / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    command = [sys.executable, "-m", "harness", "grade", people(ann=endless), "--out", str(tmp_path / "out")]
    command += ["--sandbox", boxes.choose_strongest().kind]
    running = subprocess.Popen(
        [*command, "--target", "nvidia", "--backend", "simulator"],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        preexec_fn=heed_signals,
    )
    try:
        deadline = time.monotonic() + 60
        while not any(compiles(pid) for pid in list_descendants(running.pid)) and time.monotonic() < deadline:
            time.sleep(0.1)
        started = list_descendants(running.pid)
        assert any(compiles(pid) for pid in started), "the compiler runs"
    finally:
        running.send_signal(number)
        running.communicate(timeout=60)

    deadline = time.monotonic() + 20
    while (left := [pid for pid in started if compiles(pid)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left and running.returncode != 0
    while list((tmp_path / "tmp").glob("puzzles-*")) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not list((tmp_path / "tmp").glob("puzzles-*"))
    if number != signal.SIGKILL:
        assert not json.loads((tmp_path / "out" / "results.json").read_text())["complete"], "what there is is reported"
    (tmp_path / "people" / "ann" / "p15.mojo").write_text(blank_regions(SOLUTION))
    assert main([*command[3:], "--target", "nvidia", "--backend", "simulator"]) == exit_code.OK, "no lock is left"


def compiles(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().split(b"\0")[0].endswith(b"/mojo")
    except OSError:
        return False
