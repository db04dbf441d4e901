"""New puzzles are what is new about them: a folder and a file each, and nothing that is shared is edited by hand.

What is written of them lies in `new` as it does in the repository: p97 has two launches, wrong kernels and a lesson,
p98 a host function and the Python of a graph, p99 is handed out wrong.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.build.cache import Cache
from harness.model.sources import ROOT
from tests import compiled
from tests.generate.added import NEW
from tests.learning.traced import known_of_added
from tests.processes import import_path

PUZZLES = ("p97", "p98", "p99")
TIMED = ("p97", "p99")  # what has steps of kernels alone
GENERATED = {
    "docs/wrong-kernels.md",
    "docs/learning.md",
    "docs/learning.ko.md",
    "docs/puzzles.md",
    "pixi.toml",
    "pyproject.toml",
    "tests/solutions/p97.sm_90.trace.json",
    *(f"mojo/{puzzle}/problem.mojo" for puzzle in PUZZLES),
    "mojo/p98/problem.py",
    *(
        f"mojo/p97/{name}"
        for name in ("README.md", "README.ko.md", "figures/p97-lanes.svg", "figures/p97-lanes.ko.svg")
    ),
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed"),
]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a repository that is no cache, by its path."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    hidden = ("__pycache__/", ".mypy_cache/", ".pytest_cache/", ".ruff_cache/")
    return {name: path.read_bytes() for name, path in names.items() if not any(part in name for part in hidden)}


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """A copy of the repository with the files of some puzzles more."""
    copy = tmp_path_factory.mktemp("copy") / "repository"
    unwanted = shutil.ignore_patterns(".git", ".cache", ".nox", ".venv", ".pixi", "__pycache__", "build", "*.egg-info")
    keep = {ROOT / "harness", ROOT / "tests"}  # they have folders called `build`

    def ignored(folder: str, names: list[str]) -> set[str]:
        return set(unwanted(folder, names)) - ({"build"} if Path(folder) in keep else set())

    shutil.copytree(ROOT, copy, ignore=ignored)
    shutil.copytree(NEW, copy, ignore=unwanted, dirs_exist_ok=True)
    return copy


def run(repository: Path, *command: str, ends: int = 0, folder: Path | None = None) -> str:
    """What a command prints, in the copy, with the compiled artifacts of this repository; it must end so."""
    environment = {**os.environ, "HARNESS_CACHE": str(Cache.default().root), "PYTHONPATH": import_path(repository)}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder or repository, env=environment, capture_output=True, text=True
    )
    assert done.returncode == ends, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def generated(repository):
    """The copy after `generate`, and the files that it made or changed."""
    before = contents(repository)
    compiled.solutions()
    known_of_added()
    run(repository, "tests.generate")
    after = contents(repository)
    return repository, {name for name in after if after[name] != before.get(name)}


def test_generate_writes_all_that_a_puzzle_needs_beside_its_files(generated):
    """Tasks, a row of the table of modes, the problem, and what its lesson shows of it."""
    repository, written = generated

    assert written == GENERATED
    tasks, table = (repository / "pixi.toml").read_text(), (repository / "docs/puzzles.md").read_text()
    assert all(f'{puzzle} = {{ cmd = "python -m harness {puzzle}"' in tasks for puzzle in PUZZLES)
    assert "`double`: one line | (1, 1) x (4, 1)<br>(1, 1) x (4, 1) | yes | yes | yes | `a` 4 |" in table
    lessons = (repository / "docs/learning.ko.md").read_text(encoding="utf-8")
    assert "- [퍼즐 97](../mojo/p97/README.ko.md): 두 번 하는 맵" in lessons
    assert "](figures/p97-lanes.ko.svg)" in (repository / "mojo/p97/README.ko.md").read_text(encoding="utf-8")
    assert "output[i] = a[i]" in (repository / "mojo/p97/figures/p97-lanes.svg").read_text(encoding="utf-8")
    problems = {puzzle: (repository / f"mojo/{puzzle}/problem.mojo").read_text() for puzzle in PUZZLES}
    assert problems["p97"].count("    # FILL ME IN: one line\n    pass\n") == 2
    assert "            # FILL ME IN: about 10 lines\n            pass\n" in problems["p98"]
    python = (repository / "mojo/p98/problem.py").read_text()
    assert "        # FILL ME IN: the op's call\n        pass\n" in python
    assert "output[i] = a[i] - 10" in problems["p99"]


@pytest.mark.parametrize(
    "puzzles",
    [TIMED, pytest.param(PUZZLES, marks=pytest.mark.full)],  # a function of the host and a graph are compiled alone
    ids=["kernels", "all"],
)
def test_the_new_puzzles_run(generated, puzzles):
    """By their own commands, and among the others."""
    repository, _ = generated
    lines = {puzzle: run(repository, "harness", puzzle, "--solution", "--target", "nvidia:sm_90") for puzzle in puzzles}
    said = run(repository, "harness", "run", *puzzles, "--target", "nvidia:sm_90")

    sums = dict.fromkeys(puzzles, "[10.0, 11.0, 12.0, 13.0]") | {"p97": "[20.0, 22.0, 24.0, 26.0]"}
    assert lines == {name: f"out: HostBuffer({it})\nexpected: HostBuffer({it})\n" for name, it in sums.items()}
    assert re.findall(r"^PASS +(\w+)", said, re.MULTILINE) == list(puzzles)
    listed = run(repository, "harness", "list")
    assert all(puzzle in listed for puzzle in PUZZLES)


@pytest.mark.full
def test_a_learner_meets_them_as_any_other(generated, tmp_path):
    """Not yet solved, solved, looked at, and graded."""
    repository, _ = generated
    for puzzle in PUZZLES:
        run(repository, "harness", "start", puzzle, str(tmp_path / "mine"))
    mine = {"folder": tmp_path / "mine"}

    assert "MISMATCH" in run(repository, "harness", "check", "p99", ends=1, **mine)
    assert "not filled in" in run(repository, "harness", "check", "p97", ends=1, **mine)
    assert "not filled in" in run(repository, "harness", "check", "p98", ends=1, **mine)
    for puzzle in PUZZLES:
        for solution in (repository / "mojo" / puzzle).glob("solution.*"):
            shutil.copyfile(solution, (tmp_path / "mine" / puzzle / "problem").with_suffix(solution.suffix))
        assert "PASS" in run(repository, "harness", "check", puzzle, **mine)
        run(repository, "harness", "show", puzzle, "-o", str(tmp_path / f"{puzzle}.html"), **mine)
        assert "add_10" in (tmp_path / f"{puzzle}.html").read_text(encoding="utf-8")
    for puzzle in PUZZLES:
        shutil.copytree(tmp_path / "mine" / puzzle, tmp_path / "class" / "ann" / puzzle)
    where = (str(tmp_path / "class"), "--out", str(tmp_path / "out"), "--sandbox", "limits")
    run(repository, "harness", "grade", *where, "--target", "nvidia", "--backend", "simulator")

    (ann,) = json.loads((tmp_path / "out" / "results.json").read_text())["people"]
    assert {mode["case"] for mode in ann["modes"] if mode["verdict"] != "NOT_ATTEMPTED"} == set(PUZZLES)
    assert {mode["verdict"] for mode in ann["modes"] if mode["case"] in PUZZLES} == {"PASS"}


@pytest.mark.full  # MAX compiles graphs for a minute
def test_they_are_timed_without_a_word_about_them(generated, tmp_path):
    """Their graphs are compiled, and what calls the function of the host; nothing does the same elsewhere."""
    bench = ("harness", "bench", "--target", "nvidia:sm_90", "--build", str(graphs := tmp_path / "graphs.mef"))

    assert "what calls p98 is in the cache" in run(generated[0], *bench, *PUZZLES)
    assert graphs.stat().st_size


@pytest.fixture(scope="module")
def translated(generated):
    """The copy after its Korean was brought up to date."""
    run(generated[0], "tests.generate", "--translated")
    return generated[0]


def test_nothing_is_stale_or_out_of_style(translated):
    run(translated, "tests.generate", "--check")
    run(translated, "ruff", "check", "harness/catalogue")
    run(translated, "ruff", "format", "--check", "harness/catalogue")


@pytest.mark.full  # mypy reads everything anew in the copy
def test_lint_has_nothing_to_say(translated):
    run(translated, "nox", "--no-venv", "-s", "lint")


@pytest.mark.full
def test_the_quick_tests_pass(translated):
    """All of them, none of which knows of these puzzles."""
    run(translated, "nox", "--no-venv", "-s", "quick")
