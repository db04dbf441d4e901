"""Modular's SDK is found wherever pip, Conda or a variable put it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from harness.build import sdk, toolchain
from harness.errors import EnvironmentFault

NAME = "libNobodyHas"
LIBRARY = f"{NAME}{sdk.LIBRARY_SUFFIX}"


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder; nothing of the SDK is to be found but what a test puts there."""
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site")])
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "prefix" / "bin" / "python"))
    monkeypatch.delitem(sys.modules, "modular", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    # MAX, once it is imported, tells its children of the SDK too.
    for variable in [name for name in os.environ if name.startswith("MODULAR_")] + [
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
    ]:
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("place", ["site/modular/lib", "prefix/lib"])
def test_a_library_lies_among_the_interpreters_packages(bare: Path, place: str):
    assert put(bare / place / LIBRARY) == sdk.find_shared_library(NAME)


@pytest.mark.parametrize("place", ["modular/lib", "lib", "lib/python3.12/site-packages/modular/lib"])
def test_a_library_lies_around_the_mojo_on_path(bare: Path, place: str):
    put(bare / "bin" / "mojo")

    assert put(bare / place / LIBRARY) == sdk.find_shared_library(NAME)


@pytest.mark.parametrize(("variable", "value"), [("MODULAR_HOME", ""), ("LD_LIBRARY_PATH", "lib")])
def test_a_variable_says_where_a_library_lies(bare: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str):
    monkeypatch.setenv(variable, str(bare / "elsewhere" / value))

    assert put(bare / "elsewhere" / "lib" / LIBRARY) == sdk.find_shared_library(NAME)


def test_a_missing_library_is_told_with_every_place(bare: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", str(bare / "listed"))
    (bare / "site" / "modular").mkdir(parents=True)

    with pytest.raises(EnvironmentFault, match="install it with `pip install mojo==") as fault:
        sdk.find_shared_library(NAME)
    for place in ("site/modular/lib", "prefix/lib", "listed"):
        assert str(bare / place) in str(fault.value)


def test_mojo_is_found_in_the_sdk_and_told_where_that_lies(bare: Path):
    mojo = put(bare / "site" / "modular" / "bin" / "mojo")

    assert toolchain.find_mojo() == mojo
    assert sdk.required_environment(mojo) == {}  # whatever this is, it has no modules
    (bare / "site" / "modular" / "lib" / "mojo").mkdir(parents=True)
    assert sdk.required_environment(mojo)["MODULAR_MOJO_MAX_IMPORT_PATH"] == str(
        bare / "site" / "modular" / "lib" / "mojo"
    )
