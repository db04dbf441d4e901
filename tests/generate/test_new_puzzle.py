"""A new puzzle is what is new about it: two files and its lesson, and nothing that is shared is edited by hand."""

from __future__ import annotations

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

HERE = Path(__file__).parent
WRITTEN = {"mojo/p99/solution.mojo": "p99/solution.mojo", "harness/catalogue/p99.py": "p99/catalogue.py"}
GENERATED = {
    "README.md",
    "README.ko.md",
    "pixi.toml",
    "pyproject.toml",
    "mojo/p99/problem.mojo",
    "tests/solutions/p99.sm_90.trace.json",
    *(
        f"mojo/p99/{name}"
        for name in ("README.md", "README.ko.md", "figures/p99-lanes.svg", "figures/p99-lanes.ko.svg")
    ),
}
FIGURE = re.compile(r"<!-- figure: [^\n]*-->.*?<!-- figure end -->", re.DOTALL)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find() is None, reason="the Mojo compiler is not installed"),
]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a repository that is no cache, by its path."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    hidden = ("__pycache__/", ".mypy_cache/", ".pytest_cache/", ".ruff_cache/")
    return {name: path.read_bytes() for name, path in names.items() if not any(part in name for part in hidden)}


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """A copy of the repository with the two files of a puzzle more."""
    copy = tmp_path_factory.mktemp("copy") / "repository"
    unwanted = shutil.ignore_patterns(".git", ".cache", ".nox", ".venv", ".pixi", "__pycache__", "build", "*.egg-info")
    keep = {ROOT / "harness", ROOT / "tests"}  # they have folders called `build`

    def ignored(folder: str, names: list[str]) -> set[str]:
        return set(unwanted(folder, names)) - ({"build"} if Path(folder) in keep else set())

    shutil.copytree(ROOT, copy, ignore=ignored)
    for name, source in WRITTEN.items():
        (copy / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(HERE / source, copy / name)
    for name in ("README.md", "README.ko.md"):  # a lesson in the form of another one, with a figure of its own
        form = (ROOT / "mojo" / "p15" / name).read_text(encoding="utf-8")
        lesson = FIGURE.sub("", form) + "\n<!-- figure: p99 lanes -->\n<!-- figure end -->\n"
        (copy / "mojo" / "p99" / name).write_text(lesson, encoding="utf-8")
    return copy


def run(repository: Path, *command: str) -> str:
    """What a command prints, in the copy, with the compiled artifacts of this repository; it must succeed."""
    environment = {**os.environ, "HARNESS_CACHE": str(Cache.default().root)}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=repository, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def generated(repository):
    """The copy after `generate`, and the files that it made or changed."""
    before = contents(repository)
    compiled.solutions()
    run(repository, "tests.generate")
    after = contents(repository)
    return repository, {name for name in after if after[name] != before.get(name)}


def test_generate_writes_all_that_a_puzzle_needs_beside_its_two_files(generated):
    """Tasks, a row of the README, the problem, and what its lesson shows of it."""
    repository, written = generated

    assert written == GENERATED
    assert 'p99 = { cmd = "python -m harness p99"' in (repository / "pixi.toml").read_text()
    assert "| `p99` | `add_10` | (1, 1) x (4, 1) | yes | yes | yes |" in (repository / "README.md").read_text()
    assert "- [퍼즐 99](mojo/p99/README.ko.md): " in (repository / "README.ko.md").read_text(encoding="utf-8")
    assert "](figures/p99-lanes.ko.svg)" in (repository / "mojo/p99/README.ko.md").read_text(encoding="utf-8")
    assert "output[i] = a[i]" in (repository / "mojo/p99/figures/p99-lanes.svg").read_text(encoding="utf-8")
    assert "    # FILL ME IN: one line\n    pass\n" in (repository / "mojo/p99/problem.mojo").read_text()


def test_the_new_puzzle_runs(generated):
    """By its own command, and among the others."""
    repository, _ = generated
    said = run(repository, "harness", "p99", "--solution", "--target", "nvidia:sm_90")

    assert said.splitlines()[:2] == [f"{name}: HostBuffer([10.0, 11.0, 12.0, 13.0])" for name in ("out", "expected")]
    assert "p99" in run(repository, "harness", "list")


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


def test_the_tests_of_the_catalogue_pass(generated):
    """And those of what is generated from it."""
    run(
        generated[0],
        "pytest",
        "-q",
        "-n",
        "0",
        "-m",
        "not slow and not full",  # full sizes are none of this puzzle's
        "tests/catalogue",
        "tests/generate/test_generate.py",
        "tests/test_tasks.py",
    )
