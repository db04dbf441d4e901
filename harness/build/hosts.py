"""Build and cache the programs that call host functions of the puzzles' files.

A program calls one function, by its number, once for each data set. `harness/build/mojo/host_data.mojo` makes the
buffers. Several functions share a program, since compiling two takes hardly longer than compiling one.
"""

from __future__ import annotations

import json
import re
import secrets
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.build import blame, locations, sdk, toolchain
from harness.build.cache import Blob
from harness.build.compiler import disk_errors
from harness.build.device_code import STAGED
from harness.build.host_text import generate_host_program
from harness.build.unit import Build, BuildUnit, case_names, make_units, split_group
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.sources import GENERATED, HARNESS_MOJO, display_path
from harness.model.steps import HostStep
from harness.process.child import temporary_folder

__all__ = [
    "HostLibrary",
    "HostProgram",
    "Libraries",
    "Programs",
    "build_host_libraries",
    "build_host_programs",
    "explain_kernels_only",
    "find_stored",
]

_ROLES, _LIBRARY = ("host", "kernels", "number"), ("library", "number")
_TOOLS = (Path(toolchain.__file__), Path(locations.__file__), Path(__file__), HARNESS_MOJO / "host_data.mojo")
_PROGRAM = "hosts.mojo"
_OF_GENERATED = re.compile(rf"{GENERATED.name}/{_PROGRAM}:\d+:\d+: error: (?:constraint failed: )?(.*)")


@dataclass(frozen=True, slots=True)
class HostLibrary:
    """A shared library for a GPU of this machine, and the number of a call in it.

    Attributes:
        file: The library, compressed.
        number: The number of the call.
    """

    file: Blob
    number: int


@dataclass(frozen=True, slots=True)
class HostProgram:
    """A compiled program, and the number of a call in it.

    Attributes:
        host: The host's LLVM IR, compressed.
        kernels: The kernels' LLVM IR by symbol, as JSON.
        number: The number of the call.
        debug: Whether the kernels name the source's variables.
    """

    host: Blob
    kernels: Blob
    number: int
    debug: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """The LLVM IR of the kernels, by symbol; parsed at each use."""
        texts: dict[str, str] = json.loads(self.kernels.data)
        return texts


Programs = dict[str, dict[int, HostProgram] | CompileError]
Libraries = dict[str, dict[int, HostLibrary] | CompileError]


def build_host_libraries(
    cases: Sequence[Case], build: Build, seconds_by_case: dict[str, float] | None = None
) -> Libraries:
    """Build or load libraries for a GPU of this machine; arguments and result are those of `build_host_programs`."""
    return _build_all(cases, build, seconds_by_case, native=True)


def build_host_programs(
    cases: Sequence[Case], build: Build, seconds_by_case: dict[str, float] | None = None
) -> Programs:
    """Build or load the programs that call the host functions of cases.

    Args:
        cases: The cases; those that the target refuses, or that call no host function, are left out.
        build: The build's options.
        seconds_by_case: Filled, by case id, with the seconds that compiling took now; stored programs add nothing.

    Returns:
        By case id, a program for each step that is a call, by the step's number; or a compile error of any of them.

    Raises:
        EnvironmentFault: There is no compiler, or the disk is full.
    """
    return _build_all(cases, build, seconds_by_case, native=False)


def _build_all(
    cases: Sequence[Case], build: Build, seconds_by_case: dict[str, float] | None, *, native: bool
) -> dict[str, dict[int, Any] | CompileError]:
    """Load the calls of cases from the cache, and build and store those that are missing.

    Returns by case id the programs (or libraries) by step, or a compile error of the case.
    """
    units_by_key = _units_by_key(cases, build, native)
    results: dict[str, Any] = {}
    if missing := _load_cached(units_by_key, results, build, native):
        build.cache.require_writable()
        names = dict.fromkeys(unit.case.id for unit in missing.values())
        build.notify(f"compiling the host functions of {case_names(missing.values())} for {build.target}")
        started = time.perf_counter()
        items = {key: (key, unit) for key, unit in missing.items()}

        def compile_(free: list[tuple[str, BuildUnit]]) -> None:
            _compile(_load_cached(dict(free), results, build, native), results, build, native)

        build.cache.build_locked(items, compile_)
        if seconds_by_case is not None:
            share = (time.perf_counter() - started) / len(names)
            seconds_by_case |= {name: seconds_by_case.get(name, 0.0) + share for name in names}
    programs: dict[str, dict[int, Any] | CompileError] = {}
    for key, unit in units_by_key.items():
        program, steps = results[key], programs.setdefault(unit.case.id, {})
        if isinstance(program, CompileError):
            programs[unit.case.id] = program
        elif not isinstance(steps, CompileError):
            steps[unit.step] = program
    return programs


def explain_kernels_only(what: str, case: Case) -> str:
    """Return the clause that says why something refuses a case that calls host functions."""
    return f"{case.id} calls {case.called}, a function of the host, and {what} takes launches of kernels alone"


def find_stored(cases: Sequence[Case], build: Build) -> frozenset[str]:
    """Return the ids of the cases that call host functions, with programs for all of these calls in the cache.

    It compiles nothing; libraries do not count.
    """
    units_by_key = _units_by_key(cases, build, native=False)
    missing = {unit.case.id for unit in _load_cached(units_by_key, {}, build, native=False).values()}
    return frozenset(unit.case.id for unit in units_by_key.values()) - missing


def _units_by_key(cases: Sequence[Case], build: Build, native: bool) -> dict[str, BuildUnit]:
    return {_key(unit, build, native): unit for unit in make_units(cases, build, kind=HostStep)}


def _key(unit: BuildUnit, build: Build, native: bool) -> str:
    options: dict[str, bool | str] = {name: True for name in ("assertions", "debug") if getattr(build, name)}
    if native:  # it finds the SDK's libraries where they lay when it was built
        options |= {"mojo": str(toolchain.require_mojo())}
    text = generate_host_program([unit], native=native)
    return unit.make_key("host function", build, text, _TOOLS, path=display_path(unit.file), **options)


def _load_cached(
    units_by_key: Mapping[str, BuildUnit], results: dict[str, Any], build: Build, native: bool
) -> dict[str, BuildUnit]:
    """Add the cached programs or libraries to `results`, and return the units that are not cached."""
    missing, shared = {}, dict[str, Blob]()  # a program has many calls
    for key, unit in units_by_key.items():
        if blobs := build.cache.get(key, _LIBRARY if native else _ROLES, shared):
            results[key] = _from_blobs(blobs, build)
        else:
            missing[key] = unit
    return missing


def _compile(missing: Mapping[str, BuildUnit], results: dict[str, Any], build: Build, native: bool) -> None:
    """Compile and store the missing calls, all in one program; if that fails, in smaller ones. Errors go into the
    results too, and are not stored.
    """
    if not missing:
        return
    try:
        data = _compile_program(list(missing.values()), build, native)
    except CompileError as error:
        if len(missing) == 1:
            results |= {
                key: _relocate_error(_attribute(error, unit, build, native), unit) for key, unit in missing.items()
            }
            return
        for fewer in split_group(list(missing.items())):
            _compile(dict(fewer), results, build, native)
        return
    for number, key in enumerate(missing):
        results[key] = _from_blobs(build.cache.put(key, {**data, "number": str(number).encode()}), build)


def _from_blobs(blobs: Mapping[str, Blob], build: Build) -> HostProgram | HostLibrary:
    number = int(blobs["number"].text)
    if "library" in blobs:
        return HostLibrary(blobs["library"], number)
    return HostProgram(blobs["host"], blobs["kernels"], number, build.debug)


def _compile_program(together: Sequence[BuildUnit], build: Build, native: bool) -> dict[str, bytes]:
    """Compile the calls of units in one program, and return the blobs to store by role, all but `number`.

    With `build.apart`, files get random module names, by which they cannot find one another. Raises CompileError.
    """
    if build.apart and len({unit.file for unit in together}) > 1:
        suffix = f"_{secrets.token_hex(16)}"  # files could reach one another by the names of their modules
        together = [replace(unit, module=unit.module + suffix) for unit in together]
    with temporary_folder() as folder, disk_errors(folder):
        modules = folder / STAGED
        modules.mkdir()
        file = folder / _PROGRAM
        file.write_text(generate_host_program(together, native=native), encoding="utf-8")
        (modules / "host_data.mojo").symlink_to(HARNESS_MOJO / "host_data.mojo")
        origins: dict[str, Path] = {}
        for unit in {unit.module: unit for unit in together}.values():
            origins |= unit.stage(modules)
        origins[str(file)] = GENERATED / _PROGRAM
        architecture = build.target.architecture
        options: dict[str, Any] = {"includes": [modules], "origins": origins, "limits": build.limits}
        if native:
            out = folder / f"library{sdk.LIBRARY_SUFFIX}"
            toolchain.build_executable(
                file, architecture, out, defines={"HARNESS_NATIVE": "1"}, library=True, **options
            )
            return {"library": zlib.compress(out.read_bytes(), 1)}
        defines = {"ASSERT": "all"} if build.assertions else {}
        host, kernels = toolchain.compile_program(file, architecture, defines=defines, debug=build.debug, **options)
    return {"host": zlib.compress(host.encode(), 1), "kernels": json.dumps(kernels).encode()}


def _attribute(error: CompileError, unit: BuildUnit, build: Build, native: bool) -> CompileError:
    """Return the error if the file is to blame; see `blame.attribute_error`."""
    return blame.attribute_error(error, (unit,), lambda others: _compile_program(others, build, native))


def _relocate_error(error: CompileError, unit: BuildUnit) -> CompileError:
    """Return the error with its diagnostics about generated lines moved to the user's function, or to the line of a
    constant.
    """
    owner, _, name = unit.host.name.rpartition(".")
    function = rf"struct {owner}\b" if owner else rf"(?:def|fn) {name}\b"
    takes = ", ".join((*(argument.name for argument in unit.arguments), "ctx"))

    def relocate(part: str) -> str:
        match = _OF_GENERATED.match(part)
        if not match:
            return part
        size = match[1].startswith(tuple(f"{constant} must be " for constant in unit.constants))
        text = match[1] if size else f"{unit.host.name} must take ({takes}): {match[1]}"
        return unit.format_error(rf"comptime {text.split()[0]}\b" if size else function, text)

    diagnostics = dict.fromkeys(map(relocate, re.split(r"\n(?=\S)", error.diagnostics)))
    return type(error)(str(error), "\n".join(diagnostics))
