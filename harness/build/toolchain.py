"""The only calls of `mojo`.

The compiler's exit status says little (a crash after the work is done, a
warning counted as a failure), so each call is judged by what it wrote and by
its diagnostics.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from harness.build.compiler import Compiler, writing
from harness.errors import CompileError, EnvironmentFault
from harness.model.sources import shown

__all__ = [
    "LEVELS",
    "diagnostics",
    "emit",
    "find",
    "package_versions",
    "precompile",
    "program",
    "require",
    "symbolizer",
]

LEVELS = ("llvm", "asm")
PACKAGES = ("max", "mojo")
INSTALL = "install it with `pip install max==26.7.0 mojo==1.2.0`"
# Sidecar files that `--emit` writes, one for each kernel. Metal's assembly is IR.
_SIDECARS = (".nvptx.ll", ".amdgcn.ll", ".metal.ll", ".ptx", ".amdgcn", ".ll")
_LOCATED = re.compile(r"^(?P<path>[^\s:][^:]*\.mojo):(?P<line>\d+):(?P<column>\d+): (?P<kind>\w+): (?P<text>.*)")
# Where device code names a source file: LLVM IR and assembly, which may part the folder from the name.
_DEBUG_FILES = (
    re.compile(r'^(?P<head>!\d+ = !DIFile\(filename: )"(?P<name>[^"]*)"(?P<tail>.*)$', re.MULTILINE),
    re.compile(r'^(?P<head>\s*\.file\s+\d+ )(?:"(?P<folder>[^"]*)" )?"(?P<name>[^"]*)"(?P<tail>.*)$', re.MULTILINE),
)
_BARE = re.compile(r"^(?P<kind>error|note): (?P<text>.*)")
# Says that something failed, not what.
_NOISE = (
    "failed to parse the provided",
    "failed to run the pass manager",
    "could not elaborate the generated",
    "function instantiation failed",
)


def find() -> Path | None:
    """The `mojo` of this environment: beside the interpreter, then on PATH."""
    beside = Path(sys.executable).parent / "mojo"
    if beside.is_file() and os.access(beside, os.X_OK):
        return beside
    found = shutil.which("mojo")
    return Path(found) if found else None


def require() -> Path:
    """`find`, or the sentence that says how to install it.

    Raises:
        EnvironmentFault: There is no `mojo`.
    """
    found = find()
    if found is None:
        raise EnvironmentFault(f"there is no `mojo` here: {INSTALL}.")
    return found


def symbolizer() -> Path | None:
    """The SDK's `llvm-symbolizer`, or the system's."""
    beside = Path(sys.executable).parent / "llvm-symbolizer"
    found = str(beside) if beside.is_file() else shutil.which("llvm-symbolizer")
    return Path(found) if found else None


def package_versions() -> dict[str, str]:
    """The versions of `max` and `mojo`, without importing either.

    Raises:
        EnvironmentFault: One of them is not installed.
    """
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            raise EnvironmentFault(f"the Python package `{package}` is missing: {INSTALL}.") from None
    return found


def precompile(source: Path, package: str, folder: Path, origin: Path | None = None) -> Path:
    """Compiles one Mojo file into an importable package.

    Args:
        source: The file.
        package: The name under which others import it.
        folder: Where `<package>.mojoc` goes; packages already there can be imported.
        origin: The file that diagnostics name; `source` unless told.

    Returns:
        The path of the package.

    Raises:
        CompileError: It does not compile.
    """
    # A package is a directory with an `__init__.mojo`: the file is linked into one.
    staged, out = folder / "src" / package, folder / f"{package}.mojoc"
    link = staged / "__init__.mojo"
    with writing(folder):
        staged.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(source.resolve())
        out.unlink(missing_ok=True)
    with Compiler(require()) as compiler:
        noise = compiler.run(["precompile", str(staged), "-I", str(folder), "-o", str(out)], origin or source)
    if not out.is_file() or out.stat().st_size == 0:
        raise _failed(origin or source, noise, {str(link): origin or source})
    return out


def emit(
    file: Path,
    architecture: str,
    level: str,
    *,
    defines: Mapping[str, int],
    includes: Sequence[Path],
    origins: Mapping[str, Path] | None = None,
) -> dict[str, str]:
    """Compiles a Mojo program and returns the device code of its kernels.

    Args:
        file: A program that enqueues the kernels.
        architecture: `sm_90`, `gfx942`, `apple-m4`.
        level: `llvm` or `asm`.
        defines: `-D name=value`, read with `get_defined_int`.
        includes: Folders with the modules that it imports.
        origins: Staged path to the real file, for diagnostics.

    Returns:
        The text of each kernel, by its mangled symbol. Its debug locations name
        the real files, those of the repository relative to its root.

    Raises:
        CompileError: It does not compile.
    """
    _, kernels, noise = _emitted(file, architecture, level, defines, includes, origins or {})
    if not kernels:
        raise _failed(file, noise, origins or {})
    return kernels


def program(
    file: Path, architecture: str, *, defines: Mapping[str, str], includes: Sequence[Path]
) -> tuple[str, dict[str, str]]:
    """Compiles a whole Mojo program, its `main` for this machine and its kernels for a GPU.

    Args:
        file: It may import what lies beside it.
        architecture: `sm_90`, `gfx942`, `apple-m4`.
        defines: `-D name=value`.
        includes: Folders with further modules.

    Returns:
        LLVM IR of the host's part, and of each kernel by the symbol that the host's part loads.

    Raises:
        CompileError: It does not compile.
    """
    host, kernels, noise = _emitted(file, architecture, "llvm", defines, includes, {})
    if not host:
        raise _failed(file, noise, {})
    return host, kernels


def _emitted(
    file: Path,
    architecture: str,
    level: str,
    defines: Mapping[str, object],
    includes: Sequence[Path],
    origins: Mapping[str, Path],
) -> tuple[str, dict[str, str], str]:
    """The host's part, the kernels' by symbol, and what the compiler said."""
    # A hit in the compiler's own cache would write nothing, so each call has a fresh one.
    with Compiler(require()) as compiler:
        out = compiler.folder / "out"
        with writing(compiler.folder):
            out.mkdir()
        arguments = ["build", "--emit", level, "-g1", "--target-accelerator", architecture]
        for folder in includes:
            arguments += ["-I", str(folder)]
        for name, value in defines.items():
            arguments += ["-D", f"{name}={value}"]
        host = out / f"k.{level}"
        noise = compiler.run([*arguments, str(file), "-o", str(host)], _origin(file, origins))
        kernels = {}
        for path in sorted(out.glob("k_*")):
            suffix = next((end for end in _SIDECARS if path.name.endswith(end)), None)
            text = path.read_text(errors="replace") if suffix else ""
            if suffix and text.strip():
                kernels[path.name[len("k_") : -len(suffix)]] = _located(text, origins)
        return host.read_text(errors="replace") if host.exists() else "", kernels, noise


def diagnostics(text: str, origins: Mapping[str, Path] | None = None) -> str:
    """The compiler's errors out of everything it printed.

    Args:
        text: What the compiler, or MAX around it, printed.
        origins: Staged path (or its end) to the real file.

    Returns:
        `file:line:column: error: ...` lines with the source line and caret
        below them, paths relative to the repository.
    """
    lines = text.splitlines()
    kept: list[str] = []
    place = ""
    caret: list[str] = []
    for position, line in enumerate(lines):
        located, bare = _LOCATED.match(line), _BARE.match(line)
        found = located or bare
        if found is None or any(noise in found["text"] for noise in _NOISE):
            continue
        here, below = "", _carets(lines[position + 1 : position + 3])
        if located:
            here = f"{_shown(located['path'], origins or {})}:{located['line']}:{located['column']}: "
        if "constraint failed" in found["text"]:
            # Said of the library; what matters is the innermost call in the puzzle's own file.
            kept += [f"{place or here}error: {found['text']}", *(caret if place else below)]
        elif "call expansion failed" in found["text"]:
            place, caret = here, below
        elif found["kind"] == "error":
            kept += [f"{here}error: {found['text']}", *below]
    if not kept:
        kept = [line for line in lines if "error" in line.lower()][:8] or lines[-8:]
    return "\n".join(kept)


def _located(text: str, origins: Mapping[str, Path]) -> str:
    """Device code whose debug locations hold on any machine."""

    def named(match: re.Match[str]) -> str:
        path = "/".join(filter(None, (match.groupdict().get("folder"), match["name"])))
        return f'{match["head"]}"{_shown(path, origins)}"{match["tail"]}' if path.startswith("/") else match[0]

    for pattern in _DEBUG_FILES:
        text = pattern.sub(named, text)
    return text


def _carets(following: Sequence[str]) -> list[str]:
    if len(following) == 2 and set(following[1].strip()) <= set("^~ ") and following[1].strip():
        return list(following)
    return []


def _shown(path: str, origins: Mapping[str, Path]) -> str:
    for staged, real in origins.items():
        if path == staged or staged.endswith(f"/{path.lstrip('./')}") or path.endswith(f"/{staged}"):
            path = str(real)
            break
    return shown(Path(path))


def _origin(file: Path, origins: Mapping[str, Path]) -> Path:
    """What a user knows of what is compiled."""
    return next(iter(origins.values()), file)


def _failed(file: Path, noise: str, origins: Mapping[str, Path]) -> CompileError:
    return CompileError(f"{shown(_origin(file, origins))} does not compile", diagnostics(noise, origins))
