# /// script
# requires-python = ">=3.11"
# dependencies = ["nox>=2025.5.1"]
# ///
"""Sessions: `nox -l` lists them, `nox` alone runs the puzzles on the best device here.

All sessions share one environment, `.nox/harness`: MAX takes a gigabyte.  It is
made once, and again when what `pyproject.toml` asks for changes.  With `nox --no-venv` the
sessions use the Python that runs nox, for machines where nothing can be installed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from importlib.util import find_spec
from pathlib import Path

import nox

nox.needs_version = ">=2025.5.1"
nox.options.sessions = ["puzzles"]
nox.options.default_venv_backend = "none"

ROOT = Path(__file__).parent
ENVIRONMENT = ROOT / ".nox" / "harness"
VENDORS = ("nvidia", "amd", "apple")


@nox.session
def puzzles(session: nox.Session) -> None:
    """Run every puzzle on the best device here: a GPU, else the simulator."""
    _harness(session, "run", *session.posargs)


@nox.session(default=False)
def nvidia(session: nox.Session) -> None:
    """Build for NVIDIA and run there, or in the simulator. `-- --require-gpu` insists on a GPU."""
    _vendor(session, "nvidia")


@nox.session(default=False)
def amd(session: nox.Session) -> None:
    """Build for AMD and run there, or in the simulator. `-- --require-gpu` insists on a GPU."""
    _vendor(session, "amd")


@nox.session(default=False)
def apple(session: nox.Session) -> None:
    """Build for Apple and run in the simulator. `-- --require-gpu` insists on a GPU."""
    _vendor(session, "apple")


@nox.session(default=False)
def build(session: nox.Session) -> None:
    """Build every case for every vendor's default target; no GPU needed."""
    targets = [flag for vendor in VENDORS for flag in ("--target", vendor)]
    _harness(session, "build", *(session.posargs or targets))


@nox.session(default=False)
def quick(session: nox.Session) -> None:
    """Run the fast tests: a minute on two cores, once everything is compiled."""
    _pytest(session, "-m", "not slow and not full", *session.posargs)


@nox.session(default=False)
def tests(session: nox.Session) -> None:
    """Run the tests; those that need a GPU run where there is one."""
    _pytest(session, *session.posargs)


@nox.session(default=False)
def full(session: nox.Session) -> None:
    """Run all tests: with more seeds, sizes and targets than `tests`; the better part of an hour."""
    _pytest(session, "-m", "", *session.posargs)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """Run the wrong kernels, each of which must be caught, and report who was."""
    _module(session, "tests.mutants.report", *session.posargs)


@nox.session(default=False)
def sanitize(session: nox.Session) -> None:
    """Run every case on an NVIDIA GPU under compute-sanitizer's tools, after kernels that they must report."""
    _harness(session, "run", "--sanitize", "--require-gpu", *session.posargs)


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Time launches, full sizes and transfers on a GPU, beside the peers installed there."""
    _harness(session, "bench", *session.posargs)


@nox.session(name="bench-simulator", default=False)
def bench_simulator(session: nox.Session) -> None:
    """Time the simulator beside its peers; Oclgrind and PoCL come from the system's packages."""
    peers = ROOT / ".nox" / "peers"
    python = _interpreter(peers)
    if not python.exists():
        session.run(sys.executable, "-m", "venv", str(peers), external=True)
        session.run(str(python), "-m", "pip", "install", "--quiet", "numba", "pyopencl", external=True)
    _module(session, "tests.benchmarks.simulator", "--peers", str(python), *session.posargs)


@nox.session(default=False)
def lint(session: nox.Session) -> None:
    """Check the Python with ruff and mypy, the Mojo's format and docstrings, and that nothing generated is stale."""
    _module(session, "ruff", "check", ".")
    _module(session, "ruff", "format", "--check", ".")
    _module(session, "mypy")
    _module(session, "tools.mojo_lint")
    _module(session, "tools.generate", "--check")


@nox.session(default=False)
def generate(session: nox.Session) -> None:
    """Write again what repeats the catalogue; `-- --check` writes nothing, `-- --force` blanks solved problems."""
    _module(session, "tools.generate", *session.posargs)


def _vendor(session: nox.Session, vendor: str) -> None:
    arguments = list(session.posargs)
    if "--target" not in arguments:
        arguments = ["--target", vendor, *arguments]
    if any(word.split("=")[0] == "--artifacts" for word in arguments):  # built elsewhere: nothing is compiled here
        _harness(session, "run", *arguments)
        return
    if "--require-gpu" not in arguments:  # without one, `run` says so before anything is compiled
        _harness(session, "build", "--target", arguments[arguments.index("--target") + 1])
    _harness(session, "run", *arguments)
    # Where there is such a GPU, the simulator is held against it; elsewhere these skip.
    _module(session, "pytest", "-q", "tests/puzzles/test_gpu.py")


def _pytest(session: nox.Session, *arguments: str) -> None:
    # A file's tests stay together: they share what they compile, of which two or four at a time are enough.
    parallel = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile")
    shared = "--no-venv" in sys.argv and find_spec("xdist") is None
    _module(session, "pytest", *(() if shared else parallel), *arguments)


def _harness(session: nox.Session, *arguments: str) -> None:
    _module(session, "harness", *arguments)


def _module(session: nox.Session, name: str, *arguments: str) -> None:
    session.run(_python(session), "-m", name, *arguments, external=True)


def _python(session: nox.Session) -> str:
    """The interpreter of the shared environment, which is made or mended first."""
    if "--no-venv" in sys.argv:
        return sys.executable
    python = _interpreter(ENVIRONMENT)
    project = nox.project.load_toml("pyproject.toml")
    groups = [name for group in ("tests", "lint") for name in nox.project.dependency_groups(project, group)]
    wanted = [*project["project"]["dependencies"], *groups]
    stamp = ENVIRONMENT / "requirements.sha256"
    digest = hashlib.sha256(json.dumps([sys.version, *wanted]).encode()).hexdigest()
    if python.exists() and stamp.exists() and stamp.read_text() == digest:
        return str(python)
    session.log(f"making {ENVIRONMENT.relative_to(ROOT)}, once: MAX and Mojo are downloads of a gigabyte")
    session.run(sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT), external=True)
    install = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    session.run(*install, *wanted, external=True)
    stamp.write_text(digest)
    return str(python)


def _interpreter(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


if __name__ == "__main__":
    nox.main()
