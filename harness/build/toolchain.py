"""Find `mojo`, and call it to precompile packages, build programs and emit device code.

The compiler's exit status says little (a crash after the work is done, a warning counted as a failure), so each call is
judged by what it wrote and by its diagnostics.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from harness.build import sdk, versions
from harness.build.array_shapes import NO_NAME, shape_metadata
from harness.build.compiler import PROGRAM_LIMITS, Compiler, disk_errors
from harness.build.locations import rewrite_locations
from harness.errors import EnvironmentFault, HarnessError
from harness.model.project import installed_version
from harness.process.child import Limits

__all__ = [
    "LEVELS",
    "PACKAGES",
    "build_executable",
    "compile_program",
    "compile_to_assembly",
    "emit_strings",
    "find_mojo",
    "find_symbolizer",
    "install_advice",
    "package_versions",
    "precompile",
    "require_mojo",
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


def install_advice() -> str:
    """Return the advice for a missing package: the command that installs it."""
    return f"install it with {versions.install_command()}"


def find_mojo() -> Path | None:
    """Return the `mojo` of this environment, or None: beside the interpreter, on PATH, or in the SDK."""
    neighbour = Path(sys.executable).parent / "mojo"
    if neighbour.is_file() and os.access(neighbour, os.X_OK):
        return neighbour
    path = shutil.which("mojo")
    return Path(path) if path else sdk.find_executable("mojo")


def require_mojo() -> Path:
    """Return the path of `mojo`.

    Raises:
        EnvironmentFault: There is none; the message says how to install it.
    """
    path = find_mojo()
    if path is None:
        raise EnvironmentFault(f"there is no `mojo` here: {install_advice()}.")
    return path


def find_symbolizer() -> Path | None:
    """Return the path of `llvm-symbolizer`, the SDK's or the system's, or None."""
    name = "llvm-symbolizer"
    path = sdk.find_executable(name) or shutil.which(name)
    return Path(path) if path else None


def package_versions() -> dict[str, str]:
    """Return the versions of `max` and `mojo` by name, without importing either.

    Raises:
        EnvironmentFault: One of them is not installed.
    """
    versions = {package: installed_version(package) for package in PACKAGES}
    for package, version in versions.items():
        if not version:
            raise EnvironmentFault(f"the Python package `{package}` is missing: {install_advice()}.")
    return versions


def precompile(
    source: Path, package: str, folder: Path, origin: Path | None = None, limits: Limits | None = None
) -> Path:
    """Compile one Mojo file, or a package, into an importable package.

    Args:
        source: The file, or a folder that is a package already.
        package: The name to import it by.
        folder: Where `<package>.mojoc` goes; packages already there can be imported.
        origin: The file that diagnostics name; `source` if None.
        limits: Limits for the compiler; those of a puzzle's file if None.

    Returns:
        The path of the package.

    Raises:
        CompileError: It does not compile.
        EnvironmentFault: There is no `mojo`, or the machine is to blame.
    """
    # A package is a directory with an `__init__.mojo`: the file is linked into one.
    staged, out = folder / "src" / package, folder / f"{package}.mojoc"
    link = staged if source.is_dir() else staged / "__init__.mojo"
    with disk_errors(folder):
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(source.resolve())
        out.unlink(missing_ok=True)
    with Compiler(require_mojo(), limits) as compiler:
        noise = compiler.run(["precompile", str(staged), "-I", str(folder), "-o", str(out)], origin or source)
    if not out.is_file() or out.stat().st_size == 0:
        raise _explain_failure(compiler, origin or source, noise, {str(link): origin or source})
    return out


def compile_program(
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
    """Compile a whole Mojo program to LLVM IR, its `main` for this machine and its kernels for a GPU.

    Args:
        file: The program; it may import what lies beside it.
        architecture: `sm_90`, `gfx942`, `apple-m4`.
        defines: `-D name=value`.
        includes: Folders with further modules.
        debug: Name variables as well as lines; locals then stay in memory.
        origins: The real files by staged path, for diagnostics and debug locations.
        limits: Limits for the compiler; those of a whole program if None.
        prefix: The folder that the compiler strips from the names of files.

    Returns:
        The LLVM IR of the host, and that of each kernel by the symbol that the host loads.

    Raises:
        CompileError: It does not compile.
        EnvironmentFault: There is no `mojo`, or the machine is to blame.
    """
    with Compiler(require_mojo(), limits or PROGRAM_LIMITS) as compiler:
        out = compiler.folder / "out"
        with disk_errors(compiler.folder):
            out.mkdir()
        lines = "-g2" if debug else "-g1"
        options = _options({**_OWN_KERNELS, **defines}, includes, prefix)
        arguments = ["build", "--emit", "llvm", lines, "--target-accelerator", architecture, *options]
        host = out / "k.llvm"
        noise = compiler.run([*arguments, str(file), "-o", str(host)], file)
        if not host.exists() or not host.stat().st_size:
            raise _explain_failure(compiler, file, noise, origins or {})
        kernels: dict[str, str] = {}
        for path in sorted(out.glob("k_*.ll")):
            text = _NAMES.sub(shape_metadata if debug else NO_NAME, path.read_text(errors="replace"))
            kernels |= dict.fromkeys(_kernel_symbols(text), rewrite_locations(text, origins or {}))
        text = _NAMES.sub(NO_NAME, host.read_text(encoding="utf-8", errors="replace"))
        return rewrite_locations(text, origins) if origins else text, kernels


def compile_to_assembly(
    file: Path, architecture: str, *, defines: Mapping[str, str], includes: Sequence[Path]
) -> tuple[str, ...]:
    """Return the assembly of a program's kernels, a text each; empty for Apple's GPUs.

    The arguments are those of `compile_program`. A program that does not compile gives no texts, and no error; what the
    machine is to blame for is raised, and CompileTimeout.
    """
    with Compiler(require_mojo(), PROGRAM_LIMITS) as compiler:
        out = compiler.folder / "out"
        with disk_errors(compiler.folder):
            out.mkdir()
        options = ("-g1", "--target-accelerator", architecture, *_options({**_OWN_KERNELS, **defines}, includes))
        compiler.run(["build", "--emit", "asm", *options, str(file), "-o", str(out / "k.s")], file)
        return tuple(path.read_text(errors="replace") for path in sorted(out.glob("k_*")) if path.suffix in _ASSEMBLY)


def _kernel_symbols(text: str) -> Iterator[str]:
    """Yield the symbols of the kernels that a module defines: functions marked as kernels, else all exported ones."""
    exported = [(match["how"], match["quoted"] or match["name"]) for match in _EXPORTED.finditer(text)]
    marked = [symbol for attributes, symbol in exported if any(word in attributes for word in _KERNEL_WORDS)]
    yield from marked or (symbol for _, symbol in exported)


def build_executable(
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
    """Build a whole Mojo program, or a shared library, for a GPU of this machine.

    Args:
        out: The path of the result.
        library: Whether to build a shared library with the functions that the file exports.
        limits: Limits for the compiler; those of a whole program if None.

    The other arguments, and what is raised, are those of `compile_program`.
    """
    with Compiler(require_mojo(), limits or PROGRAM_LIMITS) as compiler:
        kind = ["--emit", "shared-lib"] if library else []
        arguments = ["build", *kind, "--target-accelerator", architecture, *_options(defines, includes, prefix)]
        noise = compiler.run([*arguments, str(file), "-o", str(out)], file)
    if not out.is_file():
        raise _explain_failure(compiler, file, noise, origins or {})


def _options(defines: Mapping[str, object], includes: Sequence[Path], prefix: Path | None = None) -> Iterator[str]:
    """Yield the compiler's options for the prefix to strip, the folders with modules and the definitions."""
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
    """Compile a Mojo program, and return the constant strings that it passes to external functions.

    It abandons the compiler once the strings are complete.

    Args:
        compiler: A compiler that has not run yet.
        file: A program that calls undefined functions, each with a string that the compiler knows, such as the device
            code of a kernel.
        defines: `-D name=value`.
        includes: Folders with the modules that it imports.
        origins: The real files by staged path, for diagnostics.
        debug: Name variables as well as lines; locals then stay in memory.
        meanwhile: Called once, when the compiler has started.

    Returns:
        The strings by function name; debug locations in a kernel name the real files, relative to the repository's
        root.

    Raises:
        CompileError: It does not compile.
        EnvironmentFault: The machine is to blame.
    """
    # Unlike the files that `--emit` writes beside its output, these strings say which kernel they are.
    arguments = ["build", "--emit", "llvm", "-g2" if debug else "-g1", *_options(defines or {}, includes), str(file)]
    host = compiler.compile_to_text(arguments, meanwhile)
    strings = dict(_CONSTANT.findall(host))
    calls = {name: strings[constant] for name, constant in _CALL.findall(host) if constant in strings}
    if not calls or not _LAST.search(host):
        raise _explain_failure(compiler, file, compiler.finish(_user_file(file, origins or {})), origins or {})
    compiler.abandon()
    short = shape_metadata if debug else "!{}"
    return {
        name: rewrite_locations(_NAMES.sub(short, _decode_constant(text)), origins or {})
        for name, text in calls.items()
    }


def _decode_constant(text: str) -> str:
    """Decode what is between the quotes of a string constant of LLVM IR, as UTF-8; trailing NULs are dropped.

    What is not UTF-8 becomes U+FFFD.
    """
    plain = _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else "\\", text)
    return plain.rstrip("\0").encode("latin-1", "replace").decode("utf-8", "replace")


def _user_file(file: Path, origins: Mapping[str, Path]) -> Path:
    """Return the file that a user knows of what is compiled: the first of `origins`, else `file`."""
    return next(iter(origins.values()), file)


def _explain_failure(compiler: Compiler, file: Path, noise: str, origins: Mapping[str, Path]) -> HarnessError:
    from harness.build.compiler_check import explain_failure  # late: most files compile

    return explain_failure(compiler, _user_file(file, origins), noise, origins)
