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
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from harness.build import sdk, versions
from harness.build.array_shapes import NO_NAME, shaped
from harness.build.compiler import PROGRAM_LIMITS, Compiler, writing
from harness.build.locations import located
from harness.errors import EnvironmentFault, HarnessError
from harness.model.project import installed
from harness.process.child import Limits

__all__ = [
    "LEVELS",
    "PACKAGES",
    "assembly",
    "emit_strings",
    "executable",
    "find",
    "install",
    "package_versions",
    "precompile",
    "program",
    "require",
    "symbolizer",
]

LEVELS = ("llvm", "asm")
_ASSEMBLY = (".ptx", ".amdgcn")
PACKAGES = ("max", "mojo")
# A string constant of LLVM IR, a character in one that is written as a number, and who gets one.
_CONSTANT = re.compile(r'^@(\w+) = internal constant \[\d+ x i8\] c"([^"]*)"', re.MULTILINE)
_ESCAPE = re.compile(r"\\(?:([0-9A-F]{2})|\\)")
_CALL = re.compile(r"^  call void @(\w+)\(ptr @(\w+)\)", re.MULTILINE)
_LAST = re.compile(r"^!llvm\.", re.MULTILINE)  # comes behind all functions
# Where MAX would call cuBLAS or its like, which need the vendor's driver, it takes kernels of its own.
_OWN_KERNELS = {"MODULAR_DISABLE_VENDOR_FALLBACK": "True"}
# A function that others may call; in the code of a kernel this is the kernel, marked as one where IR has a word for it.
_EXPORTED = re.compile(
    r'^define (?!internal |private )(?P<how>[^@\n]*)@(?:"(?P<quoted>[^"]*)"|(?P<name>[-\w.$]+))', re.MULTILINE
)
_KERNEL_WORDS = ("ptx_kernel", "amdgpu_kernel")
# The type of each function in full: four fifths of a kernel's IR and more, and nothing reads it.
_NAMES = re.compile(r'!\{!"mojo_source_name", !".*"\}')


def install() -> str:
    """What to do where one of the packages is missing."""
    return f"install it with {versions.install()}"


def find() -> Path | None:
    """The `mojo` of this environment: beside the interpreter, on PATH, or where the SDK lies."""
    beside = Path(sys.executable).parent / "mojo"
    if beside.is_file() and os.access(beside, os.X_OK):
        return beside
    path = shutil.which("mojo")
    return Path(path) if path else sdk.executable("mojo")


def require() -> Path:
    """`find`, or the sentence that says how to install it.

    Raises:
        EnvironmentFault: There is no `mojo`.
    """
    path = find()
    if path is None:
        raise EnvironmentFault(f"there is no `mojo` here: {install()}.")
    return path


def symbolizer() -> Path | None:
    """The SDK's `llvm-symbolizer`, or the system's."""
    name = "llvm-symbolizer"
    path = sdk.executable(name) or shutil.which(name)
    return Path(path) if path else None


def package_versions() -> dict[str, str]:
    """The versions of `max` and `mojo`, without importing either.

    Raises:
        EnvironmentFault: One of them is not installed.
    """
    versions = {package: installed(package) for package in PACKAGES}
    for package, found in versions.items():
        if not found:
            raise EnvironmentFault(f"the Python package `{package}` is missing: {install()}.")
    return versions


def precompile(
    source: Path, package: str, folder: Path, origin: Path | None = None, limits: Limits | None = None
) -> Path:
    """Compiles one Mojo file into an importable package.

    Args:
        source: The file, or a folder that is a package already.
        package: The name under which others import it.
        folder: Where `<package>.mojoc` goes; packages already there can be imported.
        origin: The file that diagnostics name; `source` unless told.
        limits: On the compiler; its own unless told.

    Returns:
        The path of the package.

    Raises:
        CompileError: It does not compile.
    """
    # A package is a directory with an `__init__.mojo`: the file is linked into one.
    staged, out = folder / "src" / package, folder / f"{package}.mojoc"
    link = staged if source.is_dir() else staged / "__init__.mojo"
    with writing(folder):
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(source.resolve())
        out.unlink(missing_ok=True)
    with Compiler(require(), limits) as compiler:
        noise = compiler.run(["precompile", str(staged), "-I", str(folder), "-o", str(out)], origin or source)
    if not out.is_file() or out.stat().st_size == 0:
        raise _failure(compiler, origin or source, noise, {str(link): origin or source})
    return out


def program(
    file: Path,
    architecture: str,
    *,
    defines: Mapping[str, str],
    includes: Sequence[Path],
    debug: bool = False,
    origins: Mapping[str, Path] | None = None,
    limits: Limits | None = None,
    prefix: Path | None = None,
) -> tuple[str, dict[str, str]]:
    """Compiles a whole Mojo program, its `main` for this machine and its kernels for a GPU.

    Args:
        file: It may import what lies beside it.
        architecture: `sm_90`, `gfx942`, `apple-m4`.
        defines: `-D name=value`.
        includes: Folders with further modules.
        debug: Names variables as well as lines; locals then stay in memory.
        origins: Staged path to the real file, for diagnostics and places.
        limits: On the compiler; those of a whole program unless told.
        prefix: The folder that the compiler strips from the names of files.

    Returns:
        LLVM IR of the host's part, and of each kernel by the symbol that the host's part loads.

    Raises:
        CompileError: It does not compile.
    """
    with Compiler(require(), limits or PROGRAM_LIMITS) as compiler:
        out = compiler.folder / "out"
        with writing(compiler.folder):
            out.mkdir()
        lines = "-g2" if debug else "-g1"
        given = _given({**_OWN_KERNELS, **defines}, includes, prefix)
        arguments = ["build", "--emit", "llvm", lines, "--target-accelerator", architecture, *given]
        host = out / "k.llvm"
        noise = compiler.run([*arguments, str(file), "-o", str(host)], file)
        if not host.exists() or not host.stat().st_size:
            raise _failure(compiler, file, noise, origins or {})
        kernels: dict[str, str] = {}
        for path in sorted(out.glob("k_*.ll")):
            text = _NAMES.sub(shaped if debug else NO_NAME, path.read_text(errors="replace"))
            kernels |= dict.fromkeys(_kernels(text), located(text, origins or {}))
        text = _NAMES.sub(NO_NAME, host.read_text(encoding="utf-8", errors="replace"))
        return located(text, origins) if origins else text, kernels


def assembly(file: Path, architecture: str, *, defines: Mapping[str, str], includes: Sequence[Path]) -> tuple[str, ...]:
    """The assembly of the kernels of a program that compiles; arguments as of `program`.

    Returns:
        A text for each kernel; none for Apple's GPUs.
    """
    with Compiler(require(), PROGRAM_LIMITS) as compiler:
        out = compiler.folder / "out"
        with writing(compiler.folder):
            out.mkdir()
        given = ("-g1", "--target-accelerator", architecture, *_given({**_OWN_KERNELS, **defines}, includes))
        compiler.run(["build", "--emit", "asm", *given, str(file), "-o", str(out / "k.s")], file)
        return tuple(path.read_text(errors="replace") for path in sorted(out.glob("k_*")) if path.suffix in _ASSEMBLY)


def _kernels(text: str) -> Iterator[str]:
    """The symbols of the kernels that a module defines; the name of its file may be cut."""
    exported = [(match["how"], match["quoted"] or match["name"]) for match in _EXPORTED.finditer(text)]
    marked = [symbol for how, symbol in exported if any(word in how for word in _KERNEL_WORDS)]
    yield from marked or (symbol for _, symbol in exported)


def executable(
    file: Path,
    architecture: str,
    out: Path,
    *,
    defines: Mapping[str, str],
    includes: Sequence[Path],
    origins: Mapping[str, Path] | None = None,
    library: bool = False,
    limits: Limits | None = None,
    prefix: Path | None = None,
) -> None:
    """Builds a whole Mojo program for a GPU of this machine.

    Args:
        out: Where it goes.
        library: Whether it is a shared library, with functions that the file exports.
        limits: Of the compiler; those of a whole program unless told.

    The other arguments, and what is raised, are those of `program`.
    """
    with Compiler(require(), limits or PROGRAM_LIMITS) as compiler:
        kind = ["--emit", "shared-lib"] if library else []
        arguments = ["build", *kind, "--target-accelerator", architecture, *_given(defines, includes, prefix)]
        noise = compiler.run([*arguments, str(file), "-o", str(out)], file)
    if not out.is_file():
        raise _failure(compiler, file, noise, origins or {})


def _given(defines: Mapping[str, object], includes: Sequence[Path], prefix: Path | None = None) -> Iterator[str]:
    if prefix is not None:
        yield from ("-strip-file-prefix", str(prefix))
    for folder in includes:
        yield from ("-I", str(folder))
    for name, value in defines.items():
        yield from ("-D", f"{name}={value}")


def emit_strings(
    compiler: Compiler,
    file: Path,
    *,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    origins: Mapping[str, Path] | None = None,
    debug: bool = False,
    meanwhile: Callable[[], object] | None = None,
) -> dict[str, str]:
    """Compiles a Mojo program and returns the constant strings that it passes to external functions.

    Args:
        compiler: Not used before.
        file: A program that calls functions which are not there, each with a string
            that the compiler knows, the device code of a kernel for instance.
        defines: `-D name=value`.
        includes: Folders with the modules that it imports.
        origins: Staged path to the real file, for diagnostics.
        debug: Names variables as well as lines; locals then stay in memory.
        meanwhile: Is called while the compiler runs.

    Returns:
        By the function's name, the string, a kernel's debug locations naming the real files, those of
        the repository relative to its root.

    Raises:
        CompileError: It does not compile.
    """
    # Unlike the files that `--emit` writes beside its output, these strings say which kernel they are.
    arguments = ["build", "--emit", "llvm", "-g2" if debug else "-g1", *_given(defines or {}, includes), str(file)]
    host = compiler.written(arguments, meanwhile)
    strings = dict(_CONSTANT.findall(host))
    calls = {name: strings[constant] for name, constant in _CALL.findall(host) if constant in strings}
    if not calls or not _LAST.search(host):
        raise _failure(compiler, file, compiler.finish(_origin(file, origins or {})), origins or {})
    compiler.abandon()
    short = shaped if debug else "!{}"
    return {name: located(_NAMES.sub(short, _unescaped(text)), origins or {}) for name, text in calls.items()}


def _unescaped(text: str) -> str:
    """The text of a string constant of LLVM IR."""
    plain = _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else "\\", text)
    return plain.rstrip("\0").encode("latin-1", "replace").decode("utf-8", "replace")


def _origin(file: Path, origins: Mapping[str, Path]) -> Path:
    """What a user knows of what is compiled."""
    return next(iter(origins.values()), file)


def _failure(compiler: Compiler, file: Path, noise: str, origins: Mapping[str, Path]) -> HarnessError:
    from harness.build.compiler_check import failure  # late: most files compile

    return failure(compiler, _origin(file, origins), noise, origins)
