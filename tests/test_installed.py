"""The installed package: a wheel with all that it needs, and a `puzzles` command that works in an empty folder."""

from __future__ import annotations

import email
import email.message
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.backends import devices
from harness.build import toolchain
from harness.build.cache import Cache
from harness.catalogue import PUZZLES
from harness.model import sources
from harness.model.sources import MOJO, ROOT
from tests import learners

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed, which builds the wheel"),
]


def pip(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *map(str, arguments)]
    subprocess.run(command, check=True, cwd=ROOT)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of this tree, built with what is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", ROOT, "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder with the commands of an environment that has the wheel; its dependencies are those of this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    scripts = Path(sysconfig.get_path("scripts", "venv", {"base": str(folder)}))
    packages = _packages(folder)
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip("--python", scripts / "python", "install", "--no-deps", "--no-index", wheel)
    return scripts


@pytest.fixture(scope="module")
def packages(installed) -> Path:
    """Where it lies."""
    return _packages(installed.parent)


def _packages(environment: Path) -> Path:
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(environment)}))


@pytest.fixture
def puzzles(installed, tmp_path):
    """Runs the installed command in an empty folder, with a home and a cache of its own."""
    here, home = tmp_path / "here", tmp_path / "home"
    here.mkdir()
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HARNESS_", "PYTHON", "XDG_"))}
    path = os.pathsep.join((str(installed), str(Path(sys.executable).parent), kept.get("PATH", "")))
    environment = {**kept, "PATH": path, "HOME": str(home)}

    def run(*arguments: str, folder: Path = here, **more: str) -> subprocess.CompletedProcess[str]:
        command = ["puzzles", *arguments]
        given = {**environment, **more}
        return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=300)

    def shell(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(line, shell=True, cwd=here, env=environment, capture_output=True, text=True, timeout=300)

    run.here, run.home, run.shell = here, home, shell
    return run


def test_the_wheel_has_the_kernels_and_no_package_of_the_compilers(wheel):
    """Beside `harness` there would be `mojo`, the SDK's own."""
    names = set(zipfile.ZipFile(wheel).namelist())

    assert {name.split("/")[0].partition("-")[0] for name in names} == {"harness", "mojo_gpu_puzzles_harness"}
    shipped = {f"harness/kernels/{path.relative_to(MOJO).as_posix()}" for path in MOJO.rglob("*") if path.is_file()}
    assert shipped <= names and {f"harness/kernels/{puzzle}/solution.mojo" for puzzle in PUZZLES} <= names
    tracked = {path.relative_to(ROOT).as_posix() for path in (ROOT / "harness").rglob("*.mojo")}
    assert tracked and tracked <= names


def _metadata(wheel: Path) -> email.message.Message:
    with zipfile.ZipFile(wheel) as held:
        (name,) = (name for name in held.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(held.read(name))


def test_the_wheel_says_what_it_is(wheel):
    about = _metadata(wheel)
    classifiers = about.get_all("Classifier")

    assert len(classifiers) > 10 and about["Author"] and "simulator" in about["Keywords"]
    assert about["License-Expression"] == "Apache-2.0" and not any(name.startswith("License") for name in classifiers)
    minors = {int(found[1]) for name in classifiers if (found := re.fullmatch(r".*Python :: 3\.(\d+)", name))}
    assert minors and min(minors) == int(about["Requires-Python"].removeprefix(">=3."))


@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_the_commands_of_the_package_s_page_work_once_it_is_installed(wheel, puzzles):
    """The first two make an environment and install it, which is done here; what is inline has its help."""
    page = str(_metadata(wheel).get_payload())
    lines = [line for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    setup, install, *others = lines
    assert setup.startswith("python3 -m venv ") and install == "pip install mojo-gpu-puzzles-harness"
    assert len(others) == 2

    for line in others:
        done = puzzles.shell(line.replace("puzzles run", "puzzles run --backend simulator"))
        assert done.returncode == 0, done
    assert (puzzles.here / "puzzles" / "p15" / "problem.mojo").is_file()
    inline = {words.split()[1] for words in re.findall(r"`(puzzles [^`]+)`", page)}
    assert {"run", "start", "watch", "hint", "grade", "exec"} <= inline
    for command in inline:
        assert puzzles(command, "--help").returncode == 0, command


def test_a_checkout_is_not_taken_for_an_installed_package():
    assert not (ROOT / "harness" / "kernels").exists()


def test_the_installed_command_knows_itself(puzzles):
    version = puzzles("--version")
    assert version.returncode == 0 and version.stdout.startswith("puzzles 0"), version
    listed = puzzles("list")
    assert listed.returncode == 0 and all(puzzle in listed.stdout for puzzle in PUZZLES), listed


@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_the_solutions_run_in_an_empty_folder(puzzles):
    """And leave it empty: what is compiled goes to the user's own cache."""
    ran = puzzles("run", "p15", "--target", "nvidia", "--backend", "simulator")

    assert ran.returncode == 0 and "PASS" in ran.stdout, ran
    assert "harness/kernels/p15/solution.mojo" in ran.stderr
    assert not list(puzzles.here.iterdir())
    (cache,) = (path for path in puzzles.home.rglob("mojo-gpu-puzzles-harness") if path.is_dir())
    assert list(cache.glob("entries/*.json"))


@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
@pytest.mark.skipif(bool(devices.discover()), reason="there is a GPU, which runs the programs natively")
@pytest.mark.full
def test_a_repository_of_programs_asserts_them_with_the_three_lines_of_the_document(puzzles):
    """The first of them installs the package, which is done here."""
    document = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
    install, *lines = re.findall(r"^- run: (.*)$", document, re.MULTILINE)
    assert len(lines) == 2 and install.startswith("pip install pytest ")
    kernels = puzzles.here / "kernels"
    kernels.mkdir()
    shutil.copy(ROOT / "tests" / "programs" / "programs" / "fills.mojo", kernels)

    for line in lines:
        done = puzzles.shell(line)
        assert done.returncode == 0 and "1 passed" in done.stdout, done
    alone = puzzles("exec", "kernels/fills.mojo")
    assert alone.returncode == 0 and alone.stdout.startswith("DeviceBuffer([250,"), alone
    shutil.copy(ROOT / "tests" / "programs" / "programs" / "copy_too_short.mojo", kernels)
    done = puzzles.shell(lines[0])
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout, done
    assert "Copy beyond the end of its source" in done.stdout


@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_without_a_workspace_it_says_what_runs_and_how_to_make_one(puzzles, packages, monkeypatch):
    """What is compiled here is known: the test above compiles."""
    cache = {"HARNESS_CACHE": str(Cache.default().root)}
    mine = puzzles.here / "mine"
    assert puzzles("start", "p15", "mine").returncode == 0
    learners.write("p15 solved", mine / "p15" / "problem.mojo")
    with monkeypatch.context() as patch:
        patch.setattr(sources, "ROOT", packages)  # by which the installed package names its files
        learners.known("a region left blank", packages / "harness" / "kernels" / "p15" / "problem.mojo")

    unsolved = puzzles("p15", "--target", "nvidia", **cache)
    assert unsolved.returncode != 0
    assert "harness/kernels/p15/problem.mojo for nvidia:sm_90" in unsolved.stderr
    assert "`puzzles start` makes a workspace" in unsolved.stderr

    solved = puzzles("p15", "--target", "nvidia", folder=mine, **cache)
    assert solved.returncode == 0, solved
    assert "p15/problem.mojo for nvidia:sm_90" in solved.stderr and "puzzles start" not in solved.stderr
