"""A puzzle is its folder and its file in the catalogue: nothing else in the harness names it."""

from __future__ import annotations

import ast
import re

import pytest

from harness.model.sources import ROOT

HARNESS = ROOT / "harness"
PUZZLE = re.compile(r"\bp\d\d(_\w+|\b)")
# What names puzzles as examples, for people; and the one case whose place known-bad kernels take.
EXAMPLES = {
    "backends/compute_sanitizer/run.py",
    "cli/command_help.py",
    "cli/flags.py",
    "cli/learner_parser.py",
    "cli/parser.py",
    "grading/scheme.py",
    "learning/figures/figure.py",
    "model/messages/help_ko.py",
    "model/messages/interface_ko.py",
    "model/place.py",
    "model/workspace.py",
    "notebook.py",
}


def names_a_puzzle(source: str) -> bool:
    """Whether the code does, in a name or a text; comments and docstrings may."""
    if not PUZZLE.search(source):
        return False
    tree = ast.parse(source)
    bodies = [node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list)]
    said = {body[0].value for body in bodies if body and isinstance(body[0], ast.Expr)}
    for node in ast.walk(tree):
        texts = [node.value] if isinstance(node, ast.Constant) and node not in said else []
        texts += [getattr(node, field, "") for field in ("id", "attr", "name", "module")]
        if any(isinstance(text, str) and PUZZLE.search(text) for text in texts):
            return True
    return False


@pytest.mark.slow
def test_nothing_outside_the_catalogue_names_a_puzzle():
    files = [path for path in HARNESS.rglob("*.py") if path.parent.name != "catalogue"]
    naming = {
        path.relative_to(HARNESS).as_posix() for path in files if names_a_puzzle(path.read_text(encoding="utf-8"))
    }

    assert len(files) > 300 and naming == EXAMPLES


def test_a_name_is_noticed():
    assert names_a_puzzle('if case == "p15@scale": pass') and names_a_puzzle(
        "from harness.catalogue.p34 import CLUSTERS"
    )
    assert not names_a_puzzle('"""As `p15` does."""\nx = 1  # p26\n')
