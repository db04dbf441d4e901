"""Distinguish a compiler that cannot work on this machine from a file that does not compile.

The check runs only after a failure that the compiler's own diagnostics do not explain. It trusts no words of that
failure, since a file may print any: it runs the compiler again, without the file, and compares the installed files with
pip's record of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.build import sdk, versions
from harness.build.compiler import Compiler, disk_errors
from harness.build.diagnostics import extract_diagnostics
from harness.errors import CompileError, EnvironmentFault, HarnessError
from harness.model.sources import display_path
from harness.process.child import Limits
from harness.simt.plain import one_line

__all__ = ["check_installation", "check_start", "explain_failure", "find_environment_fault"]

_LOCATED_ERROR = re.compile(r"^\S.*?\.(?:mojo|🔥):\d+:\d+: error: ", re.MULTILINE)
# An error about the library's files stands at a line of the user's file. A misspelt import reads the same.
_LIBRARY_ERROR = re.compile(r"error: .*(?:unable to locate module|precompiled file|'std' is required)")
_WIDEST = 300  # characters of what the compiler says that one sentence quotes


def explain_failure(compiler: Compiler, origin: Path, noise: str, origins: Mapping[str, Path]) -> HarnessError:
    """Return the error of a compilation that wrote nothing: an EnvironmentFault if the compiler cannot work here.

    Otherwise a CompileError with the diagnostics in `noise`.

    Args:
        compiler: The call that failed.
        origin: The file as the user knows it.
        noise: All that the compiler printed.
        origins: The real files by their staged paths, for diagnostics.
    """
    if fault := find_environment_fault(compiler.mojo, compiler.limits, noise):
        return EnvironmentFault(f"`mojo` could not compile {display_path(origin)}: {fault}.")
    return CompileError(f"{display_path(origin)} does not compile", extract_diagnostics(noise, origins))


def find_environment_fault(mojo: Path, limits: Limits, noise: str) -> str:
    """Return why the compiler cannot work on this machine; empty if the failure is the file's.

    Nothing is checked if the compiler located an error in a file, unless that is about its library.

    Args:
        mojo: The compiler that failed.
        limits: The limits that it ran under.
        noise: All that it printed. It decides whether to check, never the answer.

    Raises:
        EnvironmentFault: As `check_start`.
    """
    is_located = _LOCATED_ERROR.search(noise) is not None
    concerns_library = _LIBRARY_ERROR.search(noise) is not None
    if is_located and not concerns_library:
        return ""
    fault = check_start(mojo, limits) or check_installation(mojo)
    return fault or (_check_library(mojo, limits) if concerns_library else "")


def check_start(mojo: Path, limits: Limits | None = None) -> str:
    """Run `mojo --version`, and return why it does not start, in the system's own words; empty if it does.

    Raises:
        EnvironmentFault: The system refuses to execute it, or the disk is full.
    """
    with Compiler(mojo, limits) as compiler:
        compiler.launch(["--version"])
        exit = compiler.wait()
        assert exit is not None  # without a timeout, `wait` returns when the process has ended
        if exit.status == 0:
            return ""
        message = _first_words(compiler.output().replace(f"{compiler.mojo}: ", ""))
        words = message or f"{compiler.mojo} {exit} and printed nothing"
    return f"it does not start on this machine ({words}): `mojo --version` must work first; {_reinstall()} may help"


def check_installation(mojo: Path) -> str:
    """Return a clause on the first file of the SDK that is missing or of another size than pip recorded.

    The clause names the command that repairs the SDK; it is empty if all files are intact. An SDK without a record of
    pip's, as Conda installs it, counts as complete.
    """
    for path, size in _recorded_files(sdk.resolve_launcher(mojo)):
        try:
            actual_size = path.stat().st_size
        except OSError as error:
            return f"its installation is incomplete ({path}: {error.strerror}): {_reinstall()} completes it"
        if actual_size != size:
            return f"its installation is damaged ({path} has {actual_size} bytes of {size}): {_reinstall()} repairs it"
    return ""


def _check_library(mojo: Path, limits: Limits) -> str:
    """Precompile an empty package, and return why the compiler cannot load its library; empty if it can."""
    with Compiler(mojo, limits) as compiler:
        package, out = compiler.folder / "empty", compiler.folder / "empty.mojoc"
        with disk_errors(compiler.folder):
            package.mkdir()
            (package / "__init__.mojo").write_text("\n", encoding="utf-8")
        compiler.launch(["precompile", str(package), "-o", str(out)])
        compiler.wait()
        if out.is_file() and out.stat().st_size:
            return ""
        words = _first_words(compiler.output().replace(f"{package}/", "")) or "it wrote nothing"
    return f"it cannot load its own library ({words}): {_reinstall()} may help"


def _recorded_files(mojo: Path) -> Iterator[tuple[Path, int]]:
    """Yield the path and size of each file of the SDK around a compiler that pip has recorded with a size.

    Nothing if there is no record; a record that cannot be read is skipped.
    """
    root = mojo.parent.parent
    for record in sorted(root.parent.glob("m*.dist-info/RECORD")):  # `max`, `mojo` and their parts
        try:
            lines = record.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            continue
        for name, _, size in (line.rsplit(",", 2) for line in lines if line.count(",") >= 2):
            if name.startswith(f"{root.name}/") and size.isdecimal():
                yield root.parent / name, int(size)


def _first_words(noise: str) -> str:
    """Return the line that says what went wrong: a script's exception, otherwise the first one.

    At most 300 characters; empty if nothing was printed.
    """
    lines = [line for line in noise.splitlines() if line.strip()]
    if not lines:
        return ""
    return one_line(lines[-1 if lines[0].startswith("Traceback ") else 0])[:_WIDEST]


def _reinstall() -> str:
    return versions.reinstall_command("mojo")
