"""Versions stand in `pyproject.toml`, and everything else asks."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata

import pytest

from harness.build.versions import PAIRS
from harness.model import project
from harness.model.sources import ROOT

STATED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture(autouse=True)
def _fresh():
    """What is stated is read once in a process."""
    project.version.cache_clear()
    yield
    project.version.cache_clear()


def test_a_checkout_says_it_itself():
    assert project.version() == STATED["version"]


def test_an_installed_package_says_it_in_its_metadata(monkeypatch, tmp_path):
    """A `pyproject.toml` that lies where it is installed is somebody else's."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\nversion = "9"\ndependencies = ["max==1"]\n')
    monkeypatch.setattr(project, "ROOT", tmp_path)
    monkeypatch.setattr(metadata, "version", {project.DISTRIBUTION: "7"}.__getitem__)

    assert project.version() == "7"


def test_nowhere_else_says_it(monkeypatch, tmp_path):
    monkeypatch.setattr(project, "ROOT", tmp_path)
    monkeypatch.setattr(project, "DISTRIBUTION", "no-such-distribution")

    assert project.version() == "not installed"


def test_no_module_repeats_a_pair():
    """The table is the one place to change, beside the range of `pyproject.toml`."""
    pattern = re.compile("|".join(re.escape(word) for pair in PAIRS for word in pair.requirements))
    guilty = [path for path in (ROOT / "harness").rglob("*.py") if pattern.search(path.read_text())]

    assert guilty == []
