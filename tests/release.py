"""Builds a release, and tries it as who installs it does: `python -m tests.release [--tag vX.Y.Z] [CASE ...]`.

The wheel and the sdist hold what git tracks, each is installed into an empty environment, and there `puzzles run` runs
the cases in an empty folder: all of them, if none is named.
"""

from __future__ import annotations

import argparse
import email
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from harness.model.sources import ROOT

__all__ = ["ReleaseError", "build", "check_sdist", "check_wheel", "main", "notes", "try_out", "version_of"]

NOTES = "notes.md"  # of the release, beside what is built
_NAME = "mojo_gpu_puzzles_harness"
_OF_WHEEL = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
_RELATIVE = re.compile(r"\]\((?!https?:|#)([^)\s]+)\)")


class ReleaseError(Exception):
    """It is no release; the message says what to do."""


def version_of(pyproject: str) -> str:
    """The one place that says the version."""
    return str(tomllib.loads(pyproject)["project"]["version"])


def notes(changelog: str, version: str) -> str:
    """What the changelog says of a version, which has to be its newest.

    Raises:
        ReleaseError: It is not, or nothing is said.
    """
    newest = re.search(r"^## (\S+).*?$\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if newest is None or newest[1] != version or not newest[2].strip():
        raise ReleaseError(
            f"CHANGELOG.md does not begin with what is new in {version}: write a section `## {version}`."
        )
    return newest[2].strip() + "\n"


def build(root: Path, out: Path) -> tuple[Path, Path]:
    """The wheel and the sdist, in a folder that holds nothing else of ours.

    Raises:
        ReleaseError: They could not be built.
    """
    for old in [*out.glob(f"{_NAME}-*")]:
        old.unlink()
    out.mkdir(parents=True, exist_ok=True)
    _run([sys.executable, "-m", "hatchling", "build", "-d", str(out.resolve())], cwd=root)
    (wheel,), (sdist,) = out.glob(f"{_NAME}-*.whl"), out.glob(f"{_NAME}-*.tar.gz")
    return wheel, sdist


def tracked(root: Path) -> set[str]:
    """The files that git knows.

    Raises:
        ReleaseError: Git knows nothing of the folder.
    """
    return set(_run(["git", "ls-files", "-z"], cwd=root).split("\0")) - {""}


def check_wheel(wheel: Path, files: Iterable[str], version: str) -> None:
    """The harness, the kernels as its data, and a page without a link that leads nowhere.

    Args:
        files: That git tracks.

    Raises:
        ReleaseError: Something is missing, or too much.
    """
    kept = {name for name in files if name.startswith("harness/")}
    kept |= {f"harness/kernels/{name.removeprefix('mojo/')}" for name in files if name.startswith("mojo/")}
    info = f"{_NAME}-{version}.dist-info"
    with zipfile.ZipFile(wheel) as held:
        _compare(wheel, set(held.namelist()), kept | {f"{info}/{name}" for name in _OF_WHEEL})
        about = email.message_from_bytes(held.read(f"{info}/METADATA"))
    if lost := _RELATIVE.findall(str(about.get_payload())):
        raise ReleaseError(f"{wheel.name}: its page has links that lead nowhere: {', '.join(lost)}.")


def check_sdist(sdist: Path, files: Iterable[str], version: str) -> None:
    """All that git tracks, and what the package says of itself.

    Raises:
        ReleaseError: Something is missing, or too much.
    """
    with tarfile.open(sdist) as held:
        names = {name.removeprefix(f"{_NAME}-{version}/") for name in held.getnames()}
    _compare(sdist, names, {*files, "PKG-INFO"})


def _compare(archive: Path, has: set[str], wanted: set[str]) -> None:
    for what, names in (("lacks", sorted(wanted - has)), ("has, and git does not know,", sorted(has - wanted))):
        if names:
            more = f" and {len(names) - 1} more" if names[1:] else ""
            raise ReleaseError(f"{archive.name} {what} {names[0]}{more}.")


def try_out(archive: Path, folder: Path, cases: Sequence[str], *, install: Sequence[str] = ()) -> None:
    """Installs an archive into an empty environment, and runs cases there in an empty folder, which stays empty.

    Args:
        folder: For the environment; made anew.
        cases: All of them if none is named.
        install: Further flags of `pip install`.

    Raises:
        ReleaseError: A step failed.
    """
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder / "environment", with_pip=True)
    scripts = Path(sysconfig.get_path("scripts", "venv", {"base": str(folder / "environment")}))
    pip = [str(scripts / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    _run([*pip, *install, str(archive.resolve())], cwd=folder)
    empty = folder / "empty"
    empty.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HARNESS_", "PYTHON"))}
    environment = {
        **kept,
        "PATH": f"{scripts}{os.pathsep}{kept.get('PATH', '')}",
        "HARNESS_CACHE": str(folder / "cache"),
    }
    _run([str(scripts / "puzzles"), "run", *cases], cwd=empty, environment=environment)
    if left := sorted(path.name for path in empty.iterdir()):
        raise ReleaseError(f"{archive.name}: `puzzles run` leaves {', '.join(left)} in the current folder.")


def _run(command: Sequence[str], *, cwd: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = "\n".join([*done.stdout.splitlines()[-20:], *done.stderr.splitlines()[-20:]])
        raise ReleaseError(f"`{' '.join(command)}` ended with {done.returncode}:\n{said}")
    return done.stdout


def main(argv: Sequence[str] | None = None) -> int:
    """Builds, checks and tries; 1 if it is no release."""
    parser = argparse.ArgumentParser(prog="python -m tests.release", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help="that are run (default: all)")
    parser.add_argument("--tag", metavar="vX.Y.Z", help="the tag that it is for, which has to be the version's")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR", help="default: dist")
    options = parser.parse_args(argv)
    version = version_of((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    try:
        if options.tag not in (None, f"v{version}"):
            raise ReleaseError(
                f"the tag {options.tag} is not v{version}: `version` in pyproject.toml says which it is."
            )
        text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
        files = tracked(ROOT)
        wheel, sdist = build(ROOT, options.out)
        check_wheel(wheel, files, version)
        check_sdist(sdist, files, version)
        for archive in (wheel, sdist):
            print(f"{archive.name}: into an empty environment ...", flush=True)
            with tempfile.TemporaryDirectory(prefix="puzzles-release-") as folder:
                try_out(archive, Path(folder) / "tried", options.cases)
            print(f"{archive.name}: `puzzles run {' '.join(options.cases)}` is right there", flush=True)
        (options.out / NOTES).write_text(text, encoding="utf-8")
    except ReleaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
