"""The front page: short, with a picture, the same in both languages, and every command in it runs."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
import venv
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.model.sources import ROOT
from harness.process import bubblewrap
from tests import learners
from tests.processes import heed_signals, import_path
from tests.programs.together import in_korean
from tests.sessions import noxfile

PAGES = {language: (ROOT / name).read_text("utf-8") for language, name in (("en", "README.md"), ("ko", "README.ko.md"))}
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
INLINE = re.compile(r"`((?:pip|nox|puzzles|python3?) [^`]+)`")
LINK = re.compile(r"\]\(([^)]+)\)")
READERS = ("docs/learning", "docs/grading", "docs/programs", "CONTRIBUTING")


def commands(page: str) -> set[str]:
    """What somebody may type who reads it."""
    blocks = {line for block in BLOCK.findall(page) for line in block.splitlines()}
    return blocks | set(INLINE.findall(BLOCK.sub("", page)))


def links(page: str) -> list[str]:
    """Where it leads, without the languages."""
    return [target.replace(".ko.", ".") for target in LINK.findall(page) if not target.startswith("README")]


# How each command is run: as it is, by `tests/test_installed.py`, in this repository, in a folder of its own.
SETUP = "python3 -m venv .venv && . .venv/bin/activate"
INSTALL = "pip install ."
GO_ON = ". .nox/harness/bin/activate && puzzles start && cd puzzles"
HERE = {"pip install nox && nox -s puzzles", "nox -s tests", "nox -s quick"}
ALONE = {
    "puzzles start",
    "puzzles watch",
    "puzzles hint",
    "puzzles grade SUBMISSIONS --out RESULTS",
    "puzzles exec kernels/ --target amd",
}


def test_every_command_is_run_below():
    for page in PAGES.values():
        assert commands(page) == {SETUP, INSTALL, GO_ON} | HERE | ALONE


def test_it_is_short_and_has_a_picture_and_a_paragraph_with_one_link_for_each_reader():
    for language, page in PAGES.items():
        assert len(page.splitlines()) <= 120
        assert f"](docs/front{'' if language == 'en' else '.ko'}.svg)" in page
        readers = [part for part in page.split("\n\n") if part.startswith("**") and not part.startswith("**It runs")]
        led = [LINK.findall(part) for part in readers if LINK.search(part)]
        assert [len(found) for found in led] == [1] * len(READERS)
        assert all(found[0].startswith(start) for found, start in zip(led, READERS, strict=True))


def test_both_languages_say_the_same():
    """The same commands, the same pages in the same order, the same number of headings."""
    assert commands(PAGES["en"]) == commands(PAGES["ko"])
    assert links(PAGES["en"]) == links(PAGES["ko"])
    assert PAGES["en"].count("\n## ") == PAGES["ko"].count("\n## ")


@pytest.fixture
def shell(tmp_path):
    """Runs a line in a shell that has `puzzles`, and `nox` with little to do in its sessions; `pip` is done
    already: a new environment has none, which would take all the time.
    """
    tools = tmp_path / "tools"
    tools.mkdir()
    few = {"puzzles": "p01 --target nvidia --backend simulator", "tests": "-n 0 tests/test_tasks.py"}
    few["quick"] = few["tests"]
    cases = "".join(f"{name}) set -- {flags} ;; " for name, flags in few.items())
    nox = f'shift; session=$1; case $session in {cases}esac; exec {sys.executable} -m nox --no-venv -s $session -- "$@"'
    puzzles, python3 = f'exec {sys.executable} -m harness "$@"', f'exec {sys.executable} "$@" --without-pip'
    for name, does in (("pip", "true"), ("nox", nox), ("puzzles", puzzles), ("python3", python3)):
        (tools / name).write_text(f"#!/bin/sh\n{does}\n")
        (tools / name).chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": import_path(ROOT), "HARNESS_CACHE": _cache()}

    def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )

    run.environment = environment
    return run


def _cache() -> str:
    return os.environ.get("HARNESS_CACHE", str(ROOT / ".cache"))


@pytest.mark.slow
def test_the_environment_is_made_and_entered(shell, tmp_path):
    done = shell(f"{SETUP} && command -v python", tmp_path)

    assert done.returncode == 0 and done.stdout.strip() == str(tmp_path / ".venv" / "bin" / "python"), done


@pytest.mark.slow
@pytest.mark.skipif(find_spec("nox") is None, reason="nox is not installed")
def test_a_learner_goes_on_in_the_environment_that_nox_made(shell, tmp_path):
    """It has the command; in the folder of their own that says what is next."""
    made = tmp_path / ".nox" / "harness"
    venv.create(made)
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(made)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    noxfile()._install_command(made)
    (tmp_path / "tools" / "puzzles").unlink()

    done = shell(f"{GO_ON} && command -v puzzles && puzzles && pwd", tmp_path)

    assert done.returncode == 0, done
    assert str(made / "bin" / "puzzles") in done.stdout and "p01" in done.stdout, done
    assert done.stdout.splitlines()[-1] == str(tmp_path / "puzzles")


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
@pytest.mark.parametrize("line", sorted(HERE))
def test_the_sessions_run(line, shell):
    """As a newcomer starts them; `.ci/run` runs the tests' whole."""
    done = shell(line, ROOT)

    assert done.returncode == 0 and ("PASS" in done.stdout or "passed" in done.stdout), done


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_the_commands_of_each_reader_run(shell, tmp_path):
    """In the order of the page: a learner's, a teacher's, and those of somebody with kernels."""
    folder = tmp_path / "here"
    (folder / "SUBMISSIONS" / "ada").mkdir(parents=True)
    (folder / "kernels").mkdir()
    (folder / "SUBMISSIONS" / "ada" / "p15.mojo").write_text(learners.LEARNERS["p15 solved"][1])
    learners.known_to_graders("p15 solved")
    (folder / "kernels" / "fills.mojo").symlink_to(in_korean())  # compiled for others too
    said = {}
    for line in sorted(ALONE, key=PAGES["en"].index):
        where = folder / "puzzles" if line.split()[1] in ("hint", "watch") else folder
        if line == "puzzles watch":
            said[line] = _interrupted(line, where, shell.environment)
        else:
            done = shell(line, where)
            if (
                "grade" in line and os.geteuid() == 0 and bubblewrap.find_obstacle()
            ):  # the superuser is told what to do instead
                assert done.returncode == 3 and "--sandbox limits" in done.stderr, done
                done = shell(f"{line} --sandbox limits", where)
            assert done.returncode == 0, done
            said[line] = done.stdout + done.stderr

    assert (folder / "puzzles" / "p15" / "problem.mojo").is_file()
    assert "Watching puzzles" in said["puzzles watch"] and "hint 1" in said["puzzles hint"].lower()
    assert "PASS" in (folder / "RESULTS" / "results.csv").read_text()


def _interrupted(line: str, folder: Path, environment: dict[str, str]) -> str:
    """What a command says until it waits, and somebody ends it."""
    with subprocess.Popen(
        line.split(),
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_signals,
    ) as process:
        told: list[str] = []
        end = time.monotonic() + 120
        for text in process.stdout:
            told.append(text)
            if "Watching" in text or time.monotonic() > end:
                break
        process.send_signal(signal.SIGINT)
        told.append(process.stdout.read())
    assert process.returncode in (0, 130)  # it waits already, or is just about to
    return "".join(told)
