"""Compile Mojo programs through the cache: IR, GPU executables, kernels' registers; check that a file has `main`."""

from __future__ import annotations

import contextlib
import json
import platform
import re
import zlib
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.build import locations, registers, toolchain
from harness.build.cache import Blob, Cache, make_key, sha256_hex
from harness.build.compiler import disk_errors
from harness.build.migration import staging
from harness.build.migration.compiled_text import replaced_texts, report
from harness.build.migration.staging import FIRST_SLASH, Staged, restore_bytes, stage
from harness.errors import UsageError
from harness.model.occupancy import Resources
from harness.model.project import installed_version
from harness.model.sources import GENERATED, HARNESS_MOJO, SUFFIXES
from harness.model.target import Target
from harness.process.child import temporary_folder
from harness.programs import sources
from harness.programs.object_file import remove_debug_sections

if TYPE_CHECKING:  # it takes along what a program with a `main` need not wait for
    from harness.build.exported import CallingProgram

__all__ = ["Compiled", "compiled", "executable", "has_main", "require", "resources"]

Notify = Callable[[str], None]
_MAIN = re.compile(r"^(?:def|fn)[ \t]+main[ \t]*\(", re.MULTILINE)
_OBJECT, _LOADABLE, _EXECUTABLE, _ASSEMBLY = "object", "loadable", "executable", "assembly"
_CALLS, _DATA = "calls.mojo", "call_data.mojo"  # the program around a file, and what it imports


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiled program.

    Attributes:
        file: Its source.
        target: What its kernels are for.
        host: LLVM IR of the host's part, compressed.
        kernels: LLVM IR of the kernels by symbol, as JSON.
        cache: Where all of it lies.
    """

    file: Path
    target: Target
    host: Blob
    kernels: Blob
    cache: Cache

    @property
    def machine_code(self) -> Mapping[str, Blob] | None:
        """The host's part for this processor, compressed, if made before; `loadable` has no debug information."""
        return self.cache.get(self._key(), (_OBJECT, _LOADABLE))

    def keep(self, machine_code: bytes) -> None:
        """Store the result of `harness.programs.jit.machine_code`: `Compiled.machine_code` returns it from now on.

        EnvironmentFault if the cache cannot be written.
        """
        names, line_end, code = machine_code.partition(b"\n")
        loadable = names + line_end + remove_debug_sections(code)
        self.cache.put(self._key(), {_OBJECT: zlib.compress(machine_code, 1), _LOADABLE: zlib.compress(loadable, 1)})

    def _key(self) -> str:
        # The compiler made the IR for this very processor; LLVM is the one that llvmlite holds.
        return make_key(
            {"kind": "machine code", "host": self.host.path.name, "llvmlite": installed_version("llvmlite")}
        )


def compiled(
    file: Path,
    target: Target,
    *,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    debug: bool = False,
    caller: CallingProgram | None = None,
    cache: Cache | None = None,
    notify: Notify = lambda _: None,
) -> Compiled:
    """Return a compiled program, from the cache or new.

    Args:
        file: A file with a `main`, or with functions that a program calls.
        target: The target of the kernels.
        defines: `-D NAME=VALUE`.
        includes: `-I DIR`.
        debug: Whether the kernels' variables keep their names, which changes the code.
        caller: The program that calls the file's functions; None if the file has a `main`.
        cache: The cache; the default one if None.
        notify: Called with one line when it is compiled.

    Raises:
        UsageError: There is no caller, and `require` refuses the file.
        CompileError: It does not compile.
        EnvironmentFault: A file cannot be read, the compiler is missing, or the cache cannot be written.
    """
    store, definitions = cache or Cache.default(), dict(defines or {})

    def compile_() -> dict[str, bytes]:
        notify(f"compiling {file} for {target}{', with names of variables' if debug else ''}")
        with _staged(file, caller, includes) as staged:
            how: dict[str, Any] = {"includes": staged.includes, "origins": staged.origins, "prefix": staged.prefix}
            host, kernels = toolchain.compile_program(
                staged.file, target.architecture, defines=definitions, debug=debug, **how
            )
        return {"host": zlib.compress(host.encode(), 1), "kernels": json.dumps(kernels).encode()}

    facts = {"kind": "program", "debug": debug, **_facts(file, target, definitions, includes, caller)}
    entry = _load_or_make(store, facts, ("host", "kernels"), compile_)
    return Compiled(file, target, entry["host"], entry["kernels"], store)


def resources(
    file: Path,
    target: Target,
    *,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    caller: CallingProgram | None = None,
    cache: Cache | None = None,
    notify: Notify = lambda _: None,
) -> dict[str, Resources]:
    """Return the resources of a program's kernels, by symbol, from the cache or new.

    Arguments and errors are those of `compiled`; EnvironmentFault also if NVIDIA's compiler is missing and needed. The
    kernels are compiled to assembly for this.
    """
    store, definitions = cache or Cache.default(), dict(defines or {})

    def assemble() -> dict[str, bytes]:
        notify(f"compiling {file} for {target}, for its registers")
        with _staged(file, caller, includes) as staged:
            where = staged.file, target.architecture
            texts = toolchain.compile_to_assembly(*where, defines=definitions, includes=staged.includes)
        return {_ASSEMBLY: json.dumps(texts).encode()}

    facts = {"kind": "assembly", **_facts(file, target, definitions, includes, caller)}
    texts = json.loads(_load_or_make(store, facts, (_ASSEMBLY,), assemble)[_ASSEMBLY].data)
    return dict(ChainMap(*map(dict, registers.find_resources(texts, store))))


def executable(
    file: Path,
    target: Target,
    *,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    caller: CallingProgram | None = None,
    cache: Cache | None = None,
    notify: Notify = lambda _: None,
) -> bytes:
    """Return the bytes of the program that `mojo build` makes for a GPU, from the cache or new.

    Arguments and errors are those of `compiled`. With a caller, `HARNESS_NATIVE=1` is defined unless `defines` says
    otherwise.
    """
    definitions = {**({"HARNESS_NATIVE": "1"} if caller else {}), **(defines or {})}

    def build() -> dict[str, bytes]:
        notify(f"building {file} for {target}")
        with temporary_folder() as folder, _staged(file, caller, includes) as staged:
            out = folder / "program"
            how: dict[str, Any] = {"includes": staged.includes, "origins": staged.origins, "prefix": staged.prefix}
            toolchain.build_executable(staged.file, target.architecture, out, defines=definitions, **how)
            return {_EXECUTABLE: zlib.compress(restore_bytes(out.read_bytes(), staged.origins), 1)}

    # It finds the SDK's libraries where they lay when it was built.
    facts = {
        "kind": "executable",
        "mojo": str(toolchain.require_mojo()),
        **_facts(file, target, definitions, includes, caller),
    }
    entry = _load_or_make(cache or Cache.default(), facts, (_EXECUTABLE,), build)
    return zlib.decompress(entry[_EXECUTABLE].data)


def has_main(text: str) -> bool:
    """Return whether a text defines `main`, with which a program begins."""
    return _MAIN.search(text) is not None


def require(file: Path) -> None:
    """Check that a file holds a program: a readable Mojo file whose text defines `main`; it is not compiled.

    Raises:
        UsageError: There is no such file, it is a folder or no Mojo file, it cannot be read, or it has no `main`.
    """
    if file.is_dir():
        raise UsageError(f"{file} is a folder: name the file in it that has `main`.")
    if not file.is_file():
        raise UsageError(f"no program at {file}.")
    if file.suffix not in SUFFIXES:
        raise UsageError(f"{file} is no Mojo program: name files that end in .mojo, or folders with such files.")
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None
    if not has_main(text):  # the compiler's words are of something else
        from harness.build import signatures  # late: it takes along what most programs need not wait for

        if function := next(iter(signatures.find_exported_functions(text)), ""):
            raise UsageError(
                f"{file} has no `main`, where a program begins, but exports {function}: "
                f"`puzzles call {file} {function}` calls it."
            )
        raise UsageError(
            f"{file} has no `main`, where a program begins: write one that enqueues each kernel, with "
            "`ctx.enqueue_function[kernel](...)`."
        )


@contextlib.contextmanager
def _staged(file: Path, caller: CallingProgram | None, includes: Sequence[Path]) -> Iterator[Staged]:
    """Yield, for a `with` block, the paths that the compiler gets.

    They are the file and folders themselves if there is no caller and no source in the syntax of an older Mojo.
    Otherwise they lead to a temporary folder with rewritten sources and the caller, which is removed after the block.
    """
    files = [Path(path) for path in sources.compute_digests(file, includes)]
    texts = replaced_texts(files, _module_folders(file, includes))
    if not texts and caller is None:
        yield Staged(file.resolve(), tuple(includes), {})
        return
    with temporary_folder() as folder, disk_errors(folder):
        staged = stage(folder, file.resolve(), files, includes, texts)
        yield staged if caller is None else _with_calls(staged, folder, file.resolve(), caller)


def _with_calls(staged: Staged, folder: Path, file: Path, caller: CallingProgram) -> Staged:
    """Write the calling program into the staging folder; return what to compile: it, with `file` as a module.

    The staged file gets a link beside it with the module's name, and its folder comes first among the includes.
    """
    program, module = folder / FIRST_SLASH / _CALLS, staged.file.with_name(f"{caller.module}.mojo")
    program.parent.mkdir()
    program.write_text(caller.text, encoding="utf-8")
    (program.parent / _DATA).symlink_to(HARNESS_MOJO / _DATA)
    module.symlink_to(staged.file)
    origins = {str(module.relative_to(folder)): file, f"{FIRST_SLASH}/{_CALLS}": GENERATED / _CALLS, **staged.origins}
    return Staged(program, (module.parent, *staged.includes), origins, folder)


def _module_folders(file: Path, includes: Sequence[Path]) -> list[Path]:
    """Return where the imports of a program are looked for first."""
    return [file.resolve().parent, *map(Path.resolve, includes)]


def _facts(
    file: Path, target: Target, defines: Mapping[str, str], includes: Sequence[Path], caller: CallingProgram | None
) -> dict[str, object]:
    """Return what a compilation depends on, for the cache's key; print one note for each source in older Mojo.

    Raises:
        UsageError: There is no caller, and `require` refuses the file.
        EnvironmentFault: A file cannot be read.
    """
    if caller is None:
        require(file)
    calls = {} if caller is None else {"caller": caller.text, "data": sha256_hex((HARNESS_MOJO / _DATA).read_bytes())}
    digests, folders = sources.compute_digests(file, includes), _module_folders(file, includes)
    texts = replaced_texts(map(Path, digests), folders)
    for path in texts:
        report(path, folders)
    return {
        **calls,
        **({"replaced": {str(path): sha256_hex(text.encode()) for path, text in texts.items()}} if texts else {}),
        "file": str(file.resolve()),
        "sources": digests,
        "target": target.name,
        "defines": dict(defines),
        "includes": [str(folder.resolve()) for folder in includes],
        "processor": _processor_digest(),
        "versions": toolchain.package_versions(),
        "tools": [sha256_hex(Path(str(tool.__file__)).read_bytes()) for tool in (toolchain, locations, staging)],
    }


def _load_or_make(
    store: Cache, facts: Mapping[str, object], roles: Sequence[str], make: Callable[[], dict[str, bytes]]
) -> dict[str, Blob]:
    """Return the cache entry for these facts, with a blob for each of the `roles`.

    If it is missing, `make` makes it, in one process at a time, and what `make` raises is passed on. EnvironmentFault
    if it is missing and the cache cannot be written.
    """
    key = make_key(facts)
    entry = store.get(key, roles)

    def build(_: list[str]) -> None:
        nonlocal entry
        entry = store.get(key, roles) or store.put(key, make())  # another process may have been faster

    if entry is None:
        store.require_writable()
        store.build_locked({key: key}, build)
    assert entry is not None
    return entry


def _processor_digest() -> str:
    """Return a digest of this machine's processor, or its name without `/proc/cpuinfo`; host code depends on it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    relevant = ("model name", "flags", "Features", "CPU part")
    return sha256_hex("\n".join(sorted({line for line in lines if line.startswith(relevant)})).encode())
