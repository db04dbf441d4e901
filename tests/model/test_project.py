"""Versions stand in `pyproject.toml`, and everything else asks."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata

import pytest

from harness.model import project
from harness.model.sources import ROOT

STATED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture(autouse=True)
def _fresh():
    """What is stated is read once in a process."""
    project._stated.cache_clear()
    yield
    project._stated.cache_clear()


def test_a_checkout_says_it_itself():
    assert project.version() == STATED["version"]
    assert project.requirement("max") in STATED["dependencies"]


def test_an_installed_package_says_it_in_its_metadata(monkeypatch, tmp_path):
    """A `pyproject.toml` that lies where it is installed is somebody else's."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\nversion = "9"\ndependencies = ["max==1"]\n')
    monkeypatch.setattr(project, "ROOT", tmp_path)
    needed = ["max-core>=3", "max ==26.7.0; python_version > '3'"]
    monkeypatch.setattr(metadata, "version", {project.DISTRIBUTION: "7"}.__getitem__)
    monkeypatch.setattr(metadata, "requires", {project.DISTRIBUTION: needed}.__getitem__)

    assert project.version() == "7"
    assert [project.requirement(name) for name in ("max", "numpy")] == ["max==26.7.0", "numpy"]


def test_nowhere_else_says_it(monkeypatch, tmp_path):
    monkeypatch.setattr(project, "ROOT", tmp_path)
    monkeypatch.setattr(project, "DISTRIBUTION", "no-such-distribution")

    assert (project.version(), project.requirement("mojo")) == ("not installed", "mojo")


def test_no_module_repeats_a_pin():
    """`pyproject.toml` is the one place to change."""
    pins = [re.escape(name.partition("==")[2]) for name in STATED["dependencies"] if name.startswith(("max=", "mojo="))]
    pattern = re.compile(rf"=={pins[0]}|=={pins[1]}")
    guilty = [path for path in (ROOT / "harness").rglob("*.py") if pattern.search(path.read_text())]

    assert [path for path in guilty if path.name != "project.py"] == []
