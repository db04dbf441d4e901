# /// script
# requires-python = ">=3.11"
# dependencies = ["nox>=2025.5.1"]
# ///
"""Sessions: `nox -l` lists them, `nox` alone runs the puzzles on the best device here.

All sessions share one environment, `.nox/harness`: MAX takes a gigabyte.  It is
made once and made again when `pyproject.toml` changes.  With `nox --no-venv` the
sessions use the Python that runs nox, for machines where nothing can be installed.
"""

from __future__ import annotations

import hashlib
import sys
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
def tests(session: nox.Session) -> None:
    """Run the tests; those that need a GPU run where there is one."""
    # A file's tests stay together: they share what they compile.
    parallel = [] if "--no-venv" in sys.argv else ["-n", "2", "--dist", "loadfile"]
    session.run(_python(session), "-m", "pytest", *parallel, *session.posargs, external=True)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """Run the wrong kernels, each of which must be caught, and report who was."""
    session.run(_python(session), "-m", "tests.mutants.report", *session.posargs, external=True)


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
    arguments = ["--peers", str(python), *session.posargs]
    session.run(_python(session), "-m", "tests.benchmarks.simulator", *arguments, external=True)


@nox.session(default=False)
def lint(session: nox.Session) -> None:
    """Check the Python with ruff and mypy, and format and docstrings of the Mojo."""
    python = _python(session)
    session.run(python, "-m", "ruff", "check", ".", external=True)
    session.run(python, "-m", "ruff", "format", "--check", ".", external=True)
    session.run(python, "-m", "mypy", external=True)
    session.run(python, "-m", "tests.mojo_lint", external=True)


def _vendor(session: nox.Session, vendor: str) -> None:
    arguments = list(session.posargs)
    if "--target" not in arguments:
        arguments = ["--target", vendor, *arguments]
    if any(word.split("=")[0] == "--artifacts" for word in arguments):  # built elsewhere: nothing is compiled here
        _harness(session, "run", *arguments)
        return
    target = arguments[arguments.index("--target") + 1]
    _harness(session, "build", "--target", target)
    _harness(session, "run", *arguments)
    # Where there is such a GPU, the simulator is held against it; elsewhere these skip.
    session.run(_python(session), "-m", "pytest", "-q", "tests/puzzles/test_gpu.py", external=True)


def _harness(session: nox.Session, *arguments: str) -> None:
    session.run(_python(session), "-m", "harness", *arguments, external=True)


def _python(session: nox.Session) -> str:
    """The interpreter of the shared environment, which is made or mended first."""
    if "--no-venv" in sys.argv:
        return sys.executable
    python = _interpreter(ENVIRONMENT)
    stamp = ENVIRONMENT / "pyproject.sha256"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return str(python)
    project = nox.project.load_toml("pyproject.toml")
    groups = [name for group in ("tests", "lint") for name in nox.project.dependency_groups(project, group)]
    session.run(sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT), external=True)
    install = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    session.run(*install, *project["project"]["dependencies"], *groups, external=True)
    stamp.write_text(wanted)
    return str(python)


def _interpreter(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


if __name__ == "__main__":
    nox.main()
