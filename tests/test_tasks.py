"""Tasks, sessions and documents name what the catalogue has, and nothing else."""

from __future__ import annotations

import ast
import re
import tomllib

import pytest

from harness.catalogue import CASES, PUZZLES
from harness.cli.parser import TARGET_VARIABLE, parser
from harness.model.sources import ROOT
from harness.model.target import VENDORS
from tests.readme_table import README, between_markers, table

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PIXI = tomllib.loads((ROOT / "pixi.toml").read_text())
POE = PYPROJECT["tool"]["poe"]["tasks"]


@pytest.mark.parametrize("tasks", [POE, PIXI["tasks"]], ids=["poe", "pixi"])
def test_tasks_are_the_puzzles(tasks):
    """One task for each puzzle; flags after it are appended, so it takes no arguments itself."""
    assert set(tasks) == {*PUZZLES, "puzzles", "tests"}
    for puzzle in PUZZLES:
        assert tasks[puzzle]["cmd"] == f"python -m harness {puzzle}"
        assert not {"args", "deps", "depends-on"} & set(tasks[puzzle])
    assert tasks["puzzles"]["cmd"] == "python -m harness run"
    assert tasks["tests"]["cmd"] == "python -m pytest"


def test_poe_and_pixi_describe_the_tasks_alike():
    assert {name: task["help"] for name, task in POE.items()} == {
        name: task["description"] for name, task in PIXI["tasks"].items()
    }


def test_pixi_has_an_environment_for_each_vendor():
    """The vendor comes from the environment; without one it is NVIDIA."""
    assert set(PIXI["environments"]) == set(VENDORS)
    assert PIXI["activation"]["env"][TARGET_VARIABLE] == "nvidia"
    for vendor in VENDORS:
        assert PIXI["environments"][vendor]["features"] == [vendor]
        assert PIXI["feature"][vendor]["activation"]["env"] == {TARGET_VARIABLE: vendor}


def test_pixi_pins_what_pyproject_allows():
    """Exact versions, of every dependency of the package."""
    pinned = PIXI["pypi-dependencies"]
    for requirement in PYPROJECT["project"]["dependencies"]:
        name, specifier = re.fullmatch(r"([a-z]+)(.*)", requirement).groups()
        assert pinned[name].startswith("==")
        if specifier.startswith("=="):
            assert pinned[name].startswith(specifier.removesuffix("*"))


def test_nox_has_a_session_for_each_vendor():
    """Every session has a docstring, which `nox -l` shows; `puzzles` is the default."""
    tree = ast.parse((ROOT / "noxfile.py").read_text())
    sessions = {
        node.name: ast.get_docstring(node)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    }

    assert {"puzzles", "build", "tests", "lint", "mutants", *VENDORS} <= set(sessions)
    assert all(sessions.values())
    assert 'nox.options.sessions = ["puzzles"]' in (ROOT / "noxfile.py").read_text()


def test_the_command_line_has_every_puzzle_and_mode():
    help_of = {}
    for action in parser()._actions:
        help_of.update(action.choices or {})

    for case in CASES:
        flags = {option for action in help_of[case.puzzle]._actions for option in action.option_strings}
        assert {"--solution", "--file", "--target"} <= flags
        assert case.mode is None or f"--{case.mode}" in flags


def test_the_readme_shows_the_catalogue():
    """`python -m tests.readme_table` writes the table again when this fails."""
    assert between_markers(README.read_text()) == table()


def test_ci_runs_the_readmes_test_command():
    readme, script = README.read_text(), (ROOT / ".ci" / "run").read_text()

    assert "\nnox -s tests\n" in readme
    assert script.rstrip().endswith("nox -s tests")
