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

import argparse
import atexit
import hashlib
import json
import re
import shlex
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nox

nox.needs_version = ">=2025.5.1"
nox.options.sessions = ["puzzles"]
nox.options.default_venv_backend = "none"

ROOT = Path(__file__).parent
ENVIRONMENT = ROOT / ".nox" / "harness"
VENDORS = ("nvidia", "amd", "apple")
NIGHTLY = "https://whl.modular.com/nightly/simple/"  # Modular's own index of what it builds each day
sys.path.insert(0, str(ROOT))  # the table of the pairs of MAX and Mojo needs Python alone
PAIRS = import_module("harness.build.versions").PAIRS
# A file's tests stay together: they share what they compile, of which two or four at a time are enough.  Files begin in
# the order of `tests/conftest.py`; xdist's own, by the number of tests, has the longest ones last.
PARALLEL = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder")


@nox.session
def puzzles(session: nox.Session) -> None:
    """Run every puzzle on the best device here: a GPU, else the simulator."""
    _harness(session, "run", *session.posargs)
    if "--no-venv" not in sys.argv:
        atexit.register(print, _next_steps(ENVIRONMENT, session.invoked_from), file=sys.stderr)  # nox's own come first


@nox.session(default=False)
def nvidia(session: nox.Session) -> None:
    """Build for NVIDIA and run there, or in the simulator. `-- --backend max` insists on a GPU."""
    _vendor(session, "nvidia")


@nox.session(default=False)
def amd(session: nox.Session) -> None:
    """Build for AMD and run there, or in the simulator. `-- --backend max` insists on a GPU."""
    _vendor(session, "amd")


@nox.session(default=False)
def apple(session: nox.Session) -> None:
    """Build for Apple and run in the simulator. `-- --backend max` insists on a GPU."""
    _vendor(session, "apple")


@nox.session(default=False)
def build(session: nox.Session) -> None:
    """Build every case for every vendor's default target; no GPU needed."""
    targets = [flag for vendor in VENDORS for flag in ("--target", vendor)]
    named = any(word.partition("=")[0] == "--target" for word in session.posargs)
    _harness(session, "build", *session.posargs, *(() if named else targets))


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
    """Run all tests: with more seeds, sizes, targets and programs than `tests`; the better part of an hour."""
    # Together they run each instruction that the simulator declares; of a choice of them that cannot be asked.
    whole = () if session.posargs else ("-p", "tests.simt.executed")
    _pytest(session, *whole, "-m", "", *session.posargs)


@nox.session(default=False)
def newest(session: nox.Session) -> None:
    """Try the newest MAX and Mojo (`-- --nightly`: today's) and report what broke, by puzzle, program and test."""
    nightly = "--nightly" in session.posargs
    # A specifier that names a development release lets pip take those of this package, and of no other.
    wanted = ("max>=0.dev0", "mojo>=0.dev0") if nightly else ("max", "mojo")
    name, index = ("nightly", ("--extra-index-url", NIGHTLY)) if nightly else ("newest", ())
    folder = ROOT / ".nox" / name
    python = _environment(session, folder, [*_others(), *wanted], again=True, options=index)
    session.run(python, "-m", "pip", "list", external=True)
    session.run(python, "-m", "tests.trial", str(folder / "trial"), external=True)


@nox.session(default=False)
@nox.parametrize("pair", [nox.param(pair, id=pair.max) for pair in PAIRS])
def versions(session: nox.Session, pair: Any) -> None:
    """Run the puzzles, the fast tests and ten programs with each tested pair of MAX and Mojo, and report what broke."""
    folder = ROOT / ".nox" / f"max-{pair.max}"
    python = _environment(session, folder, [*_others(), *pair.requirements])
    session.run(python, "-m", "tests.trial", str(folder / "trial"), *session.posargs, external=True)


@nox.session(default=False)
def browser(session: nox.Session) -> None:
    """Open the pages of `puzzles show` and the site in Chromium or Chrome; compare the pages with the simulator."""
    project = nox.project.load_toml("pyproject.toml")
    wanted = [*_requirements(), *nox.project.dependency_groups(project, "browser", "docs")]
    here = "--no-venv" in sys.argv
    python = sys.executable if here else _environment(session, ROOT / ".nox" / "browser", wanted)
    session.run(python, "-m", "pytest", "-n", "0", "tests/browser", *session.posargs, external=True)


@nox.session(default=False)
def notebooks(session: nox.Session) -> None:
    """Run the notebooks of `docs/notebooks` as Jupyter does, and compare what their cells come to."""
    project = nox.project.load_toml("pyproject.toml")["project"]
    # What `pip install '.[notebook]'` brings, and who compares.
    wanted = [*project["dependencies"], *project["optional-dependencies"]["notebook"], "pytest>=8.4"]
    here = "--no-venv" in sys.argv
    python = sys.executable if here else _environment(session, ROOT / ".nox" / "notebooks", wanted)
    session.run(python, "-m", "pytest", "-m", "", "tests/notebooks", *session.posargs, external=True)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """Run the wrong kernels, each of which must be caught, and report who was."""
    _module(session, "tests.mutants.report", *session.posargs)


@nox.session(default=False)
def sanitize(session: nox.Session) -> None:
    """Run every case on an NVIDIA GPU under compute-sanitizer's tools, after kernels that they must report."""
    _harness(session, "run", "--sanitize", "--backend", "max", *session.posargs)


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Time launches, full sizes and transfers on a GPU, beside the peers installed there."""
    _harness(session, "bench", *session.posargs)


@nox.session(name="bench-simulator", default=False)
def bench_simulator(session: nox.Session) -> None:
    """Time the simulator beside its peers; Oclgrind and PoCL come from the system's packages."""
    python = _environment(session, ROOT / ".nox" / "peers", ["numba", "pyopencl"])
    _module(session, "tests.benchmarks.simulator", "--peers", python, *session.posargs)


@nox.session(default=False)
def docs(session: nox.Session) -> None:
    """Build the site of the documents and lessons, in both languages, into `build/site`; broken links fail."""
    project = nox.project.load_toml("pyproject.toml")
    # Recordings of the solutions are stored: nothing is compiled, and MAX's gigabyte is not needed.
    light = [name for name in project["project"]["dependencies"] if not _max_or_mojo(name)]
    wanted = [*light, *nox.project.dependency_groups(project, "docs")]
    here = "--no-venv" in sys.argv
    python = sys.executable if here else _environment(session, ROOT / ".nox" / "docs", wanted)
    session.run(python, "-m", "tests.generate.site", external=True)
    for tree in ("mkdocs.yml", "mkdocs.ko.yml"):
        quiet = {"NO_MKDOCS_2_WARNING": "1"}
        session.run(python, "-m", "mkdocs", "build", "-f", tree, *session.posargs, env=quiet, external=True)


@nox.session(default=False)
def release(session: nox.Session) -> None:
    """Build wheel and sdist into `dist`, check them, and run the puzzles where each is installed alone."""
    _module(session, "tests.release", *session.posargs)


@nox.session(default=False)
def lint(session: nox.Session) -> None:
    """Check the Python with ruff and mypy, the Mojo's format and docstrings, and that nothing generated is stale."""
    _python(session)  # made before two threads ask for it
    with ThreadPoolExecutor(1) as pool:
        types = pool.submit(_module, session, "mypy")  # takes as long as all others together, on one processor
        _module(session, "ruff", "check", ".")
        _module(session, "ruff", "format", "--check", ".")
        _module(session, "tests.mojo_lint")
        _module(session, "tests.generate", "--check")
        types.result()


@nox.session(default=False)
def library(session: nox.Session) -> None:
    """Compile the compiled engine's run-time library, C, and store its IR; `-- --check` compares what is stored."""
    project = nox.project.load_toml("pyproject.toml")
    wanted = [*_others(), *nox.project.dependency_groups(project, "library")]
    here = "--no-venv" in sys.argv
    python = sys.executable if here else _environment(session, ROOT / ".nox" / "library", wanted)
    session.run(python, "-m", "tests.generate.runtime_library", *session.posargs, external=True)


@nox.session(default=False)
def generate(session: nox.Session) -> None:
    """Write again what repeats the catalogue; `-- --check` writes nothing, `-- --force` blanks solved problems."""
    _module(session, "tests.generate", *session.posargs)


def _vendor(session: nox.Session, vendor: str) -> None:
    arguments = list(session.posargs)
    flags = [word.partition("=")[0] for word in arguments]
    known = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    known.add_argument("--target", nargs="?", default=vendor)
    known.add_argument("--backend", nargs="?")
    parsed = known.parse_known_args(arguments)[0]
    target, insists = parsed.target, parsed.backend == "max" or "--require-gpu" in flags
    if "--target" not in flags:
        arguments = ["--target", vendor, *arguments]
    if "--artifacts" in flags:  # built elsewhere: nothing is compiled here
        _harness(session, "run", *arguments)
        return
    # Without a GPU, or with no word behind `--target`, `run` says so before anything is compiled.
    if not insists and target:
        _module(session, "harness.cli.asked", *arguments)  # what `run` refuses is not built for minutes before
        cases = [word for word in arguments if re.fullmatch(r"p\d\d[\w:@-]*", word)]
        _harness(session, "build", *cases, "--target", target)
    _harness(session, "run", *arguments)
    # Where there is such a GPU, the simulator is held against it; elsewhere these skip.
    _module(session, "pytest", "-q", "tests/puzzles/test_gpu.py")


def _pytest(session: nox.Session, *arguments: str) -> None:
    alone = "--no-venv" in sys.argv and find_spec("xdist") is None
    _module(session, "pytest", *(() if alone else PARALLEL), *arguments)


def _harness(session: nox.Session, *arguments: str) -> None:
    _module(session, "harness", *arguments)


def _module(session: nox.Session, name: str, *arguments: str) -> None:
    session.run(_python(session), "-m", name, *arguments, external=True)


def _python(session: nox.Session) -> str:
    """The interpreter of the shared environment, which is made or mended first."""
    if "--no-venv" in sys.argv:
        return sys.executable
    python = _environment(session, ENVIRONMENT, _requirements())
    _install_command(ENVIRONMENT)
    return python


def _install_command(environment: Path) -> None:
    """Write the command `puzzles` of this checkout into an environment.

    The package is not installed there: it would be a pytest plugin of its own tests, and a copy of what is edited.
    """
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from harness.__main__ import command; command()"
    python = _interpreter(environment)
    script = python.with_name("puzzles")
    text = f'#!/bin/sh\nexec {shlex.quote(str(python))} -P -c {shlex.quote(code)} "$@"\n'
    if not script.is_file() or script.read_text(encoding="utf-8") != text:
        script.write_text(text, encoding="utf-8")
        script.chmod(0o755)


def _next_steps(environment: Path, folder: str) -> str:
    """Return the line that says how a learner goes on.

    Args:
        environment: Which has the command `puzzles`.
        folder: Where the learner's shell is.
    """
    activate = _interpreter(environment).with_name("activate")
    shown = activate.relative_to(folder) if activate.is_relative_to(folder) else activate
    return f"To solve them yourself: `. {shlex.quote(str(shown))} && puzzles start && cd puzzles`, then `puzzles`."


def _requirements() -> list[str]:
    """What the package, its extras, its tests and its lint need."""
    project = nox.project.load_toml("pyproject.toml")
    extras = [name for extra in project["project"]["optional-dependencies"].values() for name in extra]
    groups = [name for group in ("tests", "lint") for name in nox.project.dependency_groups(project, group)]
    return [*project["project"]["dependencies"], *extras, *groups]


def _others() -> list[str]:
    """The same without MAX and Mojo."""
    return [name for name in _requirements() if not _max_or_mojo(name)]


def _max_or_mojo(requirement: str) -> bool:
    return re.fullmatch(r"(max|mojo)\b.*", requirement) is not None


def _environment(
    session: nox.Session,
    folder: Path,
    requirements: list[str],
    *,
    again: bool = False,
    options: Sequence[str] = (),
) -> str:
    """The interpreter of an environment, which is made when what it has to hold changes, or when `again` says so.

    `options` are pip's.
    """
    python = _interpreter(folder)
    stamp = folder / "requirements.sha256"
    digest = hashlib.sha256(json.dumps([sys.version, *requirements]).encode()).hexdigest()
    if python.exists() and stamp.exists() and stamp.read_text() == digest and not again:
        return str(python)
    large = " (MAX and Mojo: a gigabyte to download, once)" if any(map(_max_or_mojo, requirements)) else ""
    session.log(f"installing into {folder.relative_to(ROOT)}{large}")
    session.run(sys.executable, "-m", "venv", "--clear", str(folder), external=True)
    install = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile")
    session.run(*install, *options, *requirements, external=True)
    # pip would compile bytecode on one processor. Some packages have files that are no valid Python: exit code 1.
    compile_all = (str(python), "-m", "compileall", "-q", "-q", "-j", "0", str(folder / "lib"))
    session.run(*compile_all, external=True, success_codes=[0, 1])
    stamp.write_text(digest)
    return str(python)


def _interpreter(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


if __name__ == "__main__":
    nox.main()
