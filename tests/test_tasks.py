"""Tasks, sessions and documents name what the catalogue has, and nothing else."""

from __future__ import annotations

import importlib
import re
import tomllib
from types import SimpleNamespace

import pytest

from harness.catalogue import CASES
from harness.cli.parser import TARGET_VARIABLE, make_parser
from harness.model.sources import ROOT
from harness.model.target import VENDORS
from tests.sessions import sessions

PIXI = tomllib.loads((ROOT / "pixi.toml").read_text())
POE = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["poe"]["tasks"]


@pytest.mark.parametrize("tasks", [POE, PIXI["tasks"]], ids=["poe", "pixi"])
def test_flags_after_a_task_reach_its_command(tasks):
    """They are appended, so no task takes arguments itself."""
    for task in tasks.values():
        assert not {"args", "deps", "depends-on"} & set(task)


def test_pixi_has_an_environment_for_each_vendor():
    """The vendor comes from the environment; without one it is NVIDIA."""
    assert set(PIXI["environments"]) == set(VENDORS)
    assert PIXI["activation"]["env"][TARGET_VARIABLE] == "nvidia"
    for vendor in VENDORS:
        assert PIXI["environments"][vendor]["features"] == [vendor]
        assert PIXI["feature"][vendor]["activation"]["env"] == {TARGET_VARIABLE: vendor}


def test_nox_has_a_session_for_each_vendor():
    """Every session has a docstring, which `nox -l` shows; `puzzles` is the default."""
    assert {"puzzles", "build", "quick", "tests", "full", "lint", "generate", "mutants", *VENDORS} <= set(sessions())
    assert all(sessions().values())
    assert 'nox.options.sessions = ["puzzles"]' in (ROOT / "noxfile.py").read_text()


@pytest.mark.parametrize(
    ("words", "built"),
    [
        ("", "--target nvidia"),
        ("--target amd", "--target amd"),
        ("--target=amd p15 p26:pair-swap --json p15.json", "p15 p26:pair-swap --target amd"),
        ("p01-p03", "p01-p03 --target nvidia"),
        ("--target", None),
        ("--require-gpu", None),
        ("--backend max", None),
        ("--backend=max", None),
        ("--artifacts=there", None),
    ],
)
def test_the_session_of_a_vendor_builds_what_it_runs(monkeypatch, words, built):
    pytest.importorskip("nox")
    monkeypatch.syspath_prepend(ROOT)
    noxfile = importlib.import_module("noxfile")
    called = []
    monkeypatch.setattr(noxfile, "_module", lambda session, *words: called.append(" ".join(words)))

    noxfile._vendor(SimpleNamespace(posargs=words.split()), "nvidia")

    own = "" if "--target" in words else "--target nvidia "
    run = f"{own}{words}".strip()
    before = [f"harness.cli.asked {run}", f"harness build {built}"] if built else []
    expected = [*before, f"harness run {run}"]
    assert called[: len(expected)] == expected


def test_the_command_line_has_every_puzzle_and_mode():
    help_of = {}
    for action in make_parser()._actions:
        help_of.update(action.choices or {})

    for case in CASES:
        flags = {option for action in help_of[case.puzzle]._actions for option in action.option_strings}
        assert {"--solution", "--file", "--target"} <= flags
        assert case.mode is None or f"--{case.mode}" in flags


WORKFLOWS = {path.stem: path.read_text() for path in (ROOT / ".github" / "workflows").glob("*.yml")}
WORKFLOW = WORKFLOWS["ci"]


def test_the_workflow_runs_sessions_that_there_are():
    commands = "".join(WORKFLOWS.values()) + (ROOT / ".ci" / "run").read_text()
    asked = {name for names in re.findall(r"nox -s ([\w -]+?)(?= --|\n)", commands) for name in names.split()}

    assert (
        {"lint", "tests", "puzzles", "build", "full", "mutants", "newest", "release", "versions"}
        <= asked
        <= sessions().keys()
    )


def _scripts(workflow: str) -> list[str]:
    """The shell scripts of its steps, with their continued lines."""
    return re.findall(r"^ *(?:- )?run: (.*(?:\n {8,}(?!\w+:).*)*)", workflow, re.MULTILINE)


def test_no_script_of_a_workflow_holds_an_expression():
    """GitHub would write its value into the script, where a shell executes it: values come as variables."""
    assert _scripts("    - run: >\n        a ${{ b }}\n        c\n      env:\n        D: ${{ e }}\n") == [
        ">\n        a ${{ b }}\n        c"
    ]
    scripts = {name: _scripts(text) for name, text in WORKFLOWS.items()}

    assert all(scripts.values())
    assert not [script for found in scripts.values() for script in found if "${{" in script]


def test_the_workflow_names_actions_by_commit():
    """A tag can be moved; the version stands beside it for people."""
    used = re.findall(r"uses: (.*)", "".join(WORKFLOWS.values()))

    assert used
    for action in used:
        assert re.fullmatch(r"(actions|github)/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_each_command_runs_on_the_machines_that_people_have():
    """A Mac and a 64-bit Arm with Linux: a learner's, a teacher's and a programmer's commands, and the fast tests."""
    (job,) = (job for job in re.split(r"\n  (?=\w+:\n)", WORKFLOW) if job.startswith("machines:"))
    scripts = "\n".join(_scripts(job))

    assert re.search(r"machine: \[macos-\S+, ubuntu-\S+-arm\]", job) and "runs-on: ${{ matrix.machine }}" in job
    assert re.search(r"nox -s puzzles -- .*\n(.*\n)*.*nox -s quick", scripts)
    for command in ("doctor", "exec", "start", "grade"):
        assert re.search(rf"\$PUZZLES {command}\b", scripts), command
    assert "-m harness check" in scripts


def test_no_job_waits_for_a_runner_that_nobody_has():
    """Self-hosted runners are asked for where a variable of the repository says that there are some."""
    jobs = re.split(r"\n  (?=\w+:\n)", WORKFLOW.partition("\njobs:\n")[2])
    waiting = [job for job in jobs if "runs-on: [self-hosted" in job]

    assert waiting
    assert all(re.search(r"\n    if: .*vars\.GPU_VENDORS != ''\n", job) for job in waiting)


def test_ci_runs_the_readmes_test_command():
    readme, script = (ROOT / "README.md").read_text(), (ROOT / ".ci" / "run").read_text()

    assert "\nnox -s tests\n" in readme
    assert script.rstrip().endswith("nox -s tests")
