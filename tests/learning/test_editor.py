"""What `start` leaves for an editor: the matcher's own patterns read whatever is told, and a watch's marks."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path

import jsonschema
import pytest

from harness.cli import watching
from harness.cli.main import main
from harness.learning import editor, watch
from harness.model import language as model_language
from harness.model.messages import make_finding as told_by_the_harness
from harness.programs import messages as programs
from harness.report import lines
from harness.report.told import ReportedFinding, make_compile_finding
from harness.simt.findings import SEVERITIES, Finding, SourceLocation, Who
from harness.simt.messages import LANGUAGES, words
from harness.simt.render import Renderer
from tests import messages
from tests.hazards.pairs import PAIRS, run
from tests.learners import write

SCHEMA = json.loads((Path(__file__).parents[1] / "report" / "schemas" / "vscode-tasks.json").read_text("utf-8"))
(TASK,) = editor.make_tasks()["tasks"]
PATTERN, BACKGROUND = TASK["problemMatcher"]["pattern"], TASK["problemMatcher"]["background"]
# What regular expressions of JavaScript and of Python both have, and mean alike.
COMMON = re.compile(r"(?:\\[sdw.]|\[(?:\^|\\[sdw]|[:.-])+\]|\((?!\?)|[)|.+*?^$: ]|\w)+")
WHO = (Who((0, 0, 0), (1, 0, 0), 0, 1), Who((0, 0, 0), (40, 0, 0), 1, 8))


def problem(line: str) -> dict[str, str]:
    """A line's parts, as the editor's matcher reads them."""
    match = re.search(PATTERN["regexp"], line)
    assert match, line
    return {part: match[group] for part, group in PATTERN.items() if part != "regexp"}


def every_message() -> list[str]:
    """The ids of all that a command may find; the learner's loop only talks."""
    assert programs.MESSAGES
    told_by_the_harness("livelock")
    return [name for name in words().messages if not name.startswith("learn.")]


def example(name: str, severity: str, *places: SourceLocation) -> Finding:
    """A finding of a kind, with all that its message and the terms in it may name."""
    message, terms = words().messages[name], words().terms
    named = messages.parameters(message, terms) | messages.fields(message.item)
    values = dict.fromkeys(named - messages.STANDARD, 1)
    return Finding(name, severity, "k", places, WHO, "a", 4, 4, {**values, "items": (values,)}, 7)


def test_the_patterns_are_javascript_s_as_much_as_python_s():
    for pattern in (PATTERN["regexp"], BACKGROUND["beginsPattern"], BACKGROUND["endsPattern"]):
        assert COMMON.fullmatch(pattern), pattern
    assert not COMMON.fullmatch(r"(?P<file>.)") and not COMMON.fullmatch(r"\A")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_of_finding_is_read_at_its_line(language):
    """Of both places of a race the second is a note, which names the first."""
    first, second = SourceLocation("/a b/k.mojo", 7, 3, "store"), SourceLocation("/a b/other: k.mojo", 9, 0, "load")
    show = Renderer(lambda _: (), words(language))
    kinds = every_message()
    assert {"race.shared.write-read", "run.compile-error", "copy-too-short"} < set(kinds)
    for name in kinds:
        for severity, level in zip(SEVERITIES, ("error", "warning", "note"), strict=True):
            one, other = map(
                problem, lines.format_findings([ReportedFinding(example(name, severity, first, second))], show)
            )

            assert (one["file"], one["line"], one["column"]) == ("/a b/k.mojo", "7", "3")
            assert (one["severity"], one["code"]) == (level, name) and one["message"]
            assert (other["file"], other["line"], other["severity"]) == ("/a b/other: k.mojo", "9", "note")
            assert other["message"].endswith("[/a b/k.mojo:7:3]")


@pytest.mark.parametrize("path", {path.parent: path for path in PAIRS}.values(), ids=lambda path: path.parent.name)
def test_what_the_simulator_finds_is_read(path):
    """Of code without lines in the file itself, where its kernel begins."""
    findings = run(path, "caught").findings
    assert findings
    for line in lines.format_findings([ReportedFinding(finding, {}, str(path)) for finding in findings], Renderer()):
        assert problem(line)["file"].endswith(path.name)


def test_what_has_no_place_stands_at_its_kernel(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "k.mojo"
    file.write_text("comptime N = 4\n\n\ndef kernel(a: Int):\n    pass\n")
    show = Renderer(lambda name: Path(name).read_text().split("\n"))
    kinds = [Finding("livelock", "error", kernel) for kernel in ("kernel", "")]

    reported = [ReportedFinding(kind, {}, "k.mojo") for kind in kinds]
    assert [line.split(": ")[0] for line in lines.format_findings(reported, show)] == [
        "k.mojo:4:1",
        "k.mojo:1:1",
    ]
    (line,) = lines.format_findings([ReportedFinding(kinds[0], {}, "k.mojo")], show, "k.mojo:9:5")
    assert line.startswith("k.mojo:9:5: ")


def test_each_error_of_a_compiler_is_read_with_its_notes():
    said = "/k.mojo:3:5: error: no matching function: 'f'\n    f()\n    ^\n  /k.mojo:1:1: note: candidate: 'f'"

    error, note = map(
        problem, lines.format_findings([ReportedFinding(make_compile_finding("k.mojo", said))], Renderer())
    )

    assert error == {
        "file": "/k.mojo",
        "line": "3",
        "column": "5",
        "severity": "error",
        "code": "run.compile-error",
        "message": "no matching function: 'f'",
    }
    assert (note["line"], note["severity"]) == ("1", "note")


def test_a_name_of_a_file_makes_no_line_of_its_own():
    place = SourceLocation("/a\nb.mojo", 1, 1, "store")

    (line,) = lines.format_findings([ReportedFinding(Finding("livelock", "error", "k", (place,)))], Renderer())

    assert "\n" not in line and problem(line)["file"] == r"/a\nb.mojo"


def test_the_workspace_has_a_task_as_its_schema_asks(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["start", "p01", "mine"]) == 0
    left = json.loads((tmp_path / "mine" / editor.TASKS).read_text())
    jsonschema.Draft7Validator(SCHEMA).validate(left)

    assert left == editor.make_tasks()
    assert left["tasks"][0]["args"] == ["watch", "--format", "lines"]
    for broken in ({**left, "version": "1"}, {**left, "tasks": [{**TASK, "problemMatcher": {"owner": "a"}}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft7Validator(SCHEMA).validate(broken)


@pytest.mark.parametrize("own", [".vscode/tasks.json", ".vscode"])
def test_what_somebody_has_there_stays_as_it_is(own, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "mine" / own
    file.parent.mkdir(parents=True)
    file.write_text("")

    assert main(["start", "p01", "mine"]) == 0
    assert file.read_text() == ""


def test_the_command_of_the_environment_that_made_the_workspace_is_named(tmp_path, monkeypatch):
    """An editor that is started from a desktop knows no virtual environment."""
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    assert editor.make_tasks()["tasks"][0]["command"] == "puzzles"
    (tmp_path / "puzzles").touch()
    assert editor.make_tasks()["tasks"][0]["command"] == str(tmp_path / "puzzles")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_watch_tells_what_begins_what_is_wrong_and_what_ends(language, tmp_path, monkeypatch, capsys):
    """A race, an error of the compiler, then all is well: each save clears what the one before it told."""
    monkeypatch.chdir(tmp_path)
    assert main(["start", "p15", "."]) == 0
    file, begun = tmp_path / "p15" / "problem.mojo", threading.Event()
    first = watching._Watch.begin

    def begin(self):
        first(self)
        begun.set()

    def saved(folder, *, poll, recursive):
        assert begun.wait(60)
        for name in ("no barrier at all", "", "p15 solved"):
            if name:
                write(name, file)
            else:
                file.write_text(file.read_text().replace("barrier()", "barier()").replace("pass", "barier()"))
            yield {file}

    monkeypatch.setattr(model_language, "_chosen", [])  # as it was, for other tests
    monkeypatch.setattr(watch, "watch_saves", saved)
    monkeypatch.setattr(watching._Watch, "begin", begin)
    monkeypatch.setattr(watch, "sends_change_events", lambda _folder, **_: True)
    capsys.readouterr()

    assert main(["watch", "--format", "lines", "--target", "nvidia:sm_90", "--language", language]) == 0

    rounds: list[list[str]] = []
    active = BACKGROUND["activeOnStart"]
    for line in capsys.readouterr().out.splitlines():
        if re.search(BACKGROUND["beginsPattern"], line):
            rounds.append([])
            active = True
        elif re.search(BACKGROUND["endsPattern"], line):
            active = False
        elif re.search(PATTERN["regexp"], line):
            assert active and problem(line)["file"] == "p15/problem.mojo"
            if problem(line)["severity"] != "note":
                rounds[-1].append(problem(line)["code"])
    untouched, race, compiler, right = rounds
    assert untouched == ["frame.unfilled"]
    assert any(code.startswith("race.shared.") for code in race)
    assert set(compiler) == {"run.compile-error"} and right == []
    assert not active
