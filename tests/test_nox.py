"""Sessions as somebody starts them, in the Python that runs these tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from harness.backends import devices
from harness.model.sources import ROOT
from tests.sessions import noxfile


def nox(session: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nox", "--no-venv", "-s", session, "--", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True)


@pytest.mark.slow
def test_a_session_that_needs_a_gpu_says_so_before_it_compiles(tmp_path):
    """In one sentence, with the environment's own failure."""
    if any(device.target.vendor == "nvidia" for device in devices.discover()):
        pytest.skip("there is an NVIDIA GPU on this machine")
    done = nox("nvidia", "--backend", "max", HARNESS_CACHE=str(tmp_path / "cache"))

    assert done.returncode == 1
    assert "error: no NVIDIA GPU here" in done.stdout + done.stderr
    assert "failed with exit code 3" in done.stderr
    assert not (tmp_path / "cache").exists()


@pytest.mark.slow
def test_flags_reach_the_command():
    done = nox("generate", "--help")

    assert done.returncode == 0
    assert "--check" in done.stdout and "--force" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nonsense"], "error: unknown flag '--nonsense'"),
        pytest.param(["p15", "--backend", "cuda"], "error: unknown backend 'cuda'", marks=pytest.mark.full),
        pytest.param(["p15", "--json", "missing/report.json"], "missing", marks=pytest.mark.full),
    ],
    ids=["flag", "backend", "folder"],
)
def test_what_a_run_refuses_is_not_built_before(words, said, tmp_path):
    done = nox("nvidia", *words, HARNESS_CACHE=str(tmp_path / "cache"))

    assert done.returncode == 1 and said in done.stdout + done.stderr
    assert "failed with exit code" in done.stderr and "harness build" not in done.stderr
    assert not (tmp_path / "cache").exists()


@pytest.mark.slow
def test_a_build_is_for_all_vendors_whatever_else_it_is_told(tmp_path):
    wrong = nox("build", "--wrong", HARNESS_CACHE=str(tmp_path / "cache"))
    assert wrong.returncode == 1 and "error: unknown flag '--wrong'" in wrong.stdout + wrong.stderr

    one = nox("build", "p77", HARNESS_CACHE=str(tmp_path / "cache"))
    assert "harness build p77 --target nvidia --target amd --target apple" in one.stderr


@pytest.mark.slow
def test_the_environment_of_the_sessions_has_the_command_and_nothing_of_a_plugin(tmp_path):
    """It runs this checkout from any folder; nothing of that folder can be imported."""
    environment, elsewhere = tmp_path / "a folder" / "environment", tmp_path / "elsewhere"
    venv.create(environment)
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(environment)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    elsewhere.mkdir()
    (elsewhere / "json.py").write_text("raise SystemExit('of the working directory')")

    noxfile()._install_command(environment)
    noxfile()._install_command(environment)

    done = subprocess.run(
        [environment / "bin" / "puzzles", "--version"], cwd=elsewhere, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("puzzles "), done
    assert not list(environment.rglob("*.dist-info"))


@pytest.mark.parametrize("folder", ["the checkout", "another one"])
def test_the_last_line_says_how_a_learner_goes_on(folder, tmp_path):
    """From where the shell is: a command that it can execute as it stands."""
    module = noxfile()
    where = ROOT if folder == "the checkout" else tmp_path

    line = module._next_steps(module.ENVIRONMENT, str(where))

    (entered,) = re.findall(r"`\. (\S+) && puzzles start && cd puzzles`", line)
    assert Path(where, entered) == ROOT / ".nox" / "harness" / "bin" / "activate"
    assert (entered == ".nox/harness/bin/activate") == (where == ROOT)
    if where == ROOT:
        assert f"\n. {entered} && puzzles start && cd puzzles\n" in (ROOT / "README.md").read_text(encoding="utf-8")
