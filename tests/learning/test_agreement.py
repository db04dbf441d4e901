"""A learner's commands and `grade` say the same of every file."""

from __future__ import annotations

import json
import re

import pytest

from harness.cli.main import main
from harness.process.box import choose_strongest
from tests import learners

pytestmark = pytest.mark.slow

TARGET = ("--target", "nvidia:sm_90", "--backend", "simulator")
SOLVED = learners.solution("p15").encode()
# What becomes of each file on both sides.
VERDICTS = {
    "p15 solved": "PASS",
    "a lookup table": "MISMATCH",
    "one size": "MISMATCH",
    "fractions cut off": "MISMATCH",
    "half of the tree": "MISMATCH",
    "no last barrier": "FINDING",
    "a race that it accepts": "FINDING",
    "the clock": "FINDING",
    "a loop that does nothing": "TIMEOUT",
    "a region left blank": "NOT_ATTEMPTED",
    "a region left blank, and an import": "NOT_ATTEMPTED",
    "code below its region": "PASS",
    "wrong code below its region": "MISMATCH",
}
# Wrong on all data, as is the wrong code below its region.
ALIKE = ("fractions cut off", "half of the tree")

# Bytes that are no Mojo file, where an editor shows a right one.
UNREADABLE = {
    "a lone carriage return": SOLVED.replace(b"    barrier()\n", b"    # it waits\r    barrier()\n", 1),
    "a form feed": SOLVED + b"\f\n",
    "an escape": b"# \x1b[2J\n" + SOLVED,
    "a byte order mark": b"\xef\xbb\xbf" + SOLVED,
    "another encoding": "# Größe\n".encode("latin-1") + SOLVED,
}


@pytest.fixture(scope="module")
def grades(tmp_path_factory):
    """The verdict of each file, where each is what somebody handed in."""
    folder = tmp_path_factory.mktemp("class")
    for name in VERDICTS:
        _, text = learners.LEARNERS[name]
        learners.known_to_graders(name)
        (folder / "in" / name).mkdir(parents=True)
        (folder / "in" / name / "p15.mojo").write_text(text, encoding="utf-8")
    for name, data in UNREADABLE.items():
        (folder / "in" / name).mkdir()
        (folder / "in" / name / "p15.mojo").write_bytes(data)
    how = ("--backend", "simulator", "--sandbox", choose_strongest().kind, *TARGET)
    assert main(["grade", str(folder / "in"), "--out", str(folder / "out"), *how]) == 0
    told = json.loads((folder / "out" / "results.json").read_text(encoding="utf-8"))
    return {person["person"]: person for person in told["people"]}


def said(text: str) -> str:
    """The verdict that a learner reads."""
    if re.search(r"^p15 is not filled in yet: ", text, re.MULTILINE):
        return "NOT_ATTEMPTED"
    return re.search(r"^p15: ([A-Z_]+)", text, re.MULTILINE)[1]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.full) if name in ALIKE else name for name in VERDICTS]
)
def test_learners_and_teachers_are_told_the_same(name, grades, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("harness.backends.devices.discover", list)  # also where there is a GPU
    monkeypatch.chdir(tmp_path)
    assert main(["start", "."]) == 0
    learners.write(name, tmp_path / "p15" / "problem.mojo")
    learners.write(name, tmp_path / "mine.mojo")
    wrong = int(VERDICTS[name] != "PASS")

    capsys.readouterr()
    assert main(["p15", "--file", "mine.mojo", *TARGET]) == wrong
    documented = said(capsys.readouterr().err)
    assert main(["check", "p15", *TARGET]) == wrong
    checked = said(capsys.readouterr().out)

    (graded,) = (mode["verdict"] for mode in grades[name]["modes"] if mode["case"] == "p15")
    assert (documented, checked, graded) == (VERDICTS[name],) * 3


def test_what_a_file_of_a_puzzle_accepts_is_found_all_the_same(tmp_path, monkeypatch, capsys):
    """The comment stands where a program's would be heeded: at the finding's line, with its id."""
    monkeypatch.chdir(tmp_path)
    assert main(["start", "p15", "."]) == 0
    text = learners.write("a race that it accepts", tmp_path / "p15" / "problem.mojo")
    (line,) = (at for at, line in enumerate(text.split("\n"), 1) if "# puzzles: accept" in line)
    capsys.readouterr()

    assert main(["check", "p15", "--format", "lines", *TARGET]) == 1
    assert re.search(rf"^p15/problem.mojo:{line}:\d+: warning: race.shared.write-read: ", capsys.readouterr().out, re.M)


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_mojo_file_is_judged_by_nobody(name, grades, tmp_path, monkeypatch, capsys):
    """And both sides give the same reason."""
    monkeypatch.chdir(tmp_path)
    assert main(["start", "."]) == 0
    for file in (tmp_path / "p15" / "problem.mojo", tmp_path / "mine.mojo"):
        file.write_bytes(UNREADABLE[name])
    (mode,) = (mode for mode in grades[name]["modes"] if mode["case"] == "p15")

    assert mode["verdict"] == "UNREADABLE"
    reason = re.search(r"(?:line \d+|it) (?:has|is|begins) .*", mode["reason"])[0].rstrip(".")
    for words in (["p15", "--file", "mine.mojo"], ["check", "p15"]):
        capsys.readouterr()
        assert main([*words, *TARGET]) == 2
        assert reason in " ".join(capsys.readouterr().err.split())
