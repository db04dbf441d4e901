"""The programs that call host functions of the puzzles' files: made from the catalogue, compiled together, cached.

A program calls one of them, by its number, once for each data set that it is given. `harness/build/mojo/host_data.mojo`
makes the buffers. Compiling one takes as long as two kernels' files, two of them together hardly longer.
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
from harness.build.compiler import writing
from harness.build.device_code import STAGED
from harness.build.host_text import host_program
from harness.build.unit import Build, BuildUnit, case_names, smaller, units
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.sources import GENERATED, HARNESS_MOJO, shown
from harness.model.steps import Host
from harness.process.child import temporary_folder

__all__ = [
    "HostLibrary",
    "HostProgram",
    "Libraries",
    "Programs",
    "host_libraries",
    "host_programs",
    "stored_hosts",
    "takes_kernels",
]

_ROLES, _LIBRARY = ("host", "kernels", "number"), ("library", "number")
_TOOLS = (Path(toolchain.__file__), Path(locations.__file__), Path(__file__), HARNESS_MOJO / "host_data.mojo")
_PROGRAM = "hosts.mojo"
_OF_GENERATED = re.compile(rf"{GENERATED.name}/{_PROGRAM}:\d+:\d+: error: (?:constraint failed: )?(.*)")


@dataclass(frozen=True, slots=True)
class HostLibrary:
    """A library for a GPU of this machine, and which of its calls is meant.

    Attributes:
        file: The shared library, compressed.
        number: Of the call.
    """

    file: Blob
    number: int


@dataclass(frozen=True, slots=True)
class HostProgram:
    """A compiled program, and which of its calls is meant.

    Attributes:
        host: LLVM IR of the host's part, compressed.
        kernels: LLVM IR of the kernels by symbol, as JSON.
        number: Of the call.
        debug: Whether they name the source's variables.
    """

    host: Blob
    kernels: Blob
    number: int
    debug: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """LLVM IR of the kernels, by symbol."""
        texts: dict[str, str] = json.loads(self.kernels.data)
        return texts


Programs = dict[str, dict[int, HostProgram] | CompileError]
Libraries = dict[str, dict[int, HostLibrary] | CompileError]


def host_libraries(cases: Sequence[Case], build: Build, spent: dict[str, float] | None = None) -> Libraries:
    """The same as `host_programs`, for a GPU of this machine."""
    return _built(cases, build, spent, native=True)


def host_programs(cases: Sequence[Case], build: Build, spent: dict[str, float] | None = None) -> Programs:
    """What calls the host functions of some cases, from the cache or new.

    Args:
        cases: What the target refuses is left out, and what calls none.
        build: For what.
        spent: Gets, by case id, the share of the seconds that compiling took now; nothing of what is stored.

    Returns:
        By case id, a program for each step that is a call, by its number; or why one does not compile.

    Raises:
        EnvironmentFault: There is no compiler, or no room for what it writes.
    """
    return _built(cases, build, spent, native=False)


def _built(
    cases: Sequence[Case], build: Build, spent: dict[str, float] | None, *, native: bool
) -> dict[str, dict[int, Any] | CompileError]:
    wanted = _wanted(cases, build, native)
    made: dict[str, Any] = {}
    if missing := _add_stored(wanted, made, build, native):
        build.cache.require_writable()
        names = dict.fromkeys(unit.case.id for unit in missing.values())
        build.notify(f"compiling the host functions of {case_names(missing.values())} for {build.target}")
        started = time.perf_counter()
        items = {key: (key, unit) for key, unit in missing.items()}

        def compile_(free: list[tuple[str, BuildUnit]]) -> None:
            _compile(_add_stored(dict(free), made, build, native), made, build, native)

        build.cache.in_turn(items, compile_)
        if spent is not None:
            share = (time.perf_counter() - started) / len(names)
            spent |= {name: spent.get(name, 0.0) + share for name in names}
    programs: dict[str, dict[int, Any] | CompileError] = {}
    for key, unit in wanted.items():
        program, known = made[key], programs.setdefault(unit.case.id, {})
        if isinstance(program, CompileError):
            programs[unit.case.id] = program
        elif not isinstance(known, CompileError):
            known[unit.step] = program
    return programs


def takes_kernels(what: str, case: Case) -> str:
    """Why something does without a case that calls functions of the host, in a clause."""
    return f"{case.id} calls {case.called}, a function of the host, and {what} takes launches of kernels alone"


def stored_hosts(cases: Sequence[Case], build: Build) -> frozenset[str]:
    """The ids of the cases of which each call is in the cache."""
    wanted = _wanted(cases, build, native=False)
    missing = {unit.case.id for unit in _add_stored(wanted, {}, build, native=False).values()}
    return frozenset(unit.case.id for unit in wanted.values()) - missing


def _wanted(cases: Sequence[Case], build: Build, native: bool) -> dict[str, BuildUnit]:
    return {_key(unit, build, native): unit for unit in units(cases, build, kind=Host)}


def _key(unit: BuildUnit, build: Build, native: bool) -> str:
    how: dict[str, bool | str] = {name: True for name in ("assertions", "debug") if getattr(build, name)}
    if native:  # it finds the SDK's libraries where they lay when it was built
        how |= {"mojo": str(toolchain.require())}
    text = host_program([unit], native=native)
    return unit.key("host function", build, text, _TOOLS, path=shown(unit.file), **how)


def _add_stored(
    wanted: Mapping[str, BuildUnit], made: dict[str, Any], build: Build, native: bool
) -> dict[str, BuildUnit]:
    """Adds what the cache holds, and returns what it lacks."""
    missing = {}
    for key, unit in wanted.items():
        if blobs := build.cache.get(key, _LIBRARY if native else _ROLES):
            made[key] = _of(blobs, build)
        else:
            missing[key] = unit
    return missing


def _compile(missing: Mapping[str, BuildUnit], made: dict[str, Any], build: Build, native: bool) -> None:
    """Compiles and stores calls, all in one program; if that fails, in smaller ones."""
    if not missing:
        return
    try:
        data = _compiled(list(missing.values()), build, native)
    except CompileError as error:
        if len(missing) == 1:
            made |= {key: _at_home(_attribute(error, unit, build, native), unit) for key, unit in missing.items()}
            return
        for part in smaller(list(missing.items())):
            _compile(dict(part), made, build, native)
        return
    for number, key in enumerate(missing):
        made[key] = _of(build.cache.put(key, {**data, "number": str(number).encode()}), build)


def _of(blobs: Mapping[str, Blob], build: Build) -> HostProgram | HostLibrary:
    number = int(blobs["number"].text)
    if "library" in blobs:
        return HostLibrary(blobs["library"], number)
    return HostProgram(blobs["host"], blobs["kernels"], number, build.debug)


def _compiled(together: Sequence[BuildUnit], build: Build, native: bool) -> dict[str, bytes]:
    if build.apart and len({unit.file for unit in together}) > 1:
        mark = f"_{secrets.token_hex(16)}"  # files could reach one another by the names of their modules
        together = [replace(unit, module=unit.module + mark) for unit in together]
    with temporary_folder() as folder, writing(folder):
        modules = folder / STAGED
        modules.mkdir()
        file = folder / _PROGRAM
        file.write_text(host_program(together, native=native), encoding="utf-8")
        (modules / "host_data.mojo").symlink_to(HARNESS_MOJO / "host_data.mojo")
        origins: dict[str, Path] = {}
        for unit in {unit.module: unit for unit in together}.values():
            origins |= unit.staged(modules)
        origins[str(file)] = GENERATED / _PROGRAM
        architecture = build.target.architecture
        how: dict[str, Any] = {"includes": [modules], "origins": origins, "limits": build.limits}
        if native:
            out = folder / f"library{sdk.LIBRARY_SUFFIX}"
            toolchain.executable(file, architecture, out, defines={"HARNESS_NATIVE": "1"}, library=True, **how)
            return {"library": zlib.compress(out.read_bytes(), 1)}
        defines = {"ASSERT": "all"} if build.assertions else {}
        host, kernels = toolchain.program(file, architecture, defines=defines, debug=build.debug, **how)
    return {"host": zlib.compress(host.encode(), 1), "kernels": json.dumps(kernels).encode()}


def _attribute(error: CompileError, unit: BuildUnit, build: Build, native: bool) -> CompileError:
    """Return the error if the file is to blame; see `blame.attribute`."""
    return blame.attribute(error, (unit,), lambda others: _compiled(others, build, native))


def _at_home(error: CompileError, unit: BuildUnit) -> CompileError:
    """The same error; what it says of the generated call is said of the function that does not fit it."""
    owner, _, name = unit.host.name.rpartition(".")
    function = rf"struct {owner}\b" if owner else rf"(?:def|fn) {name}\b"
    takes = ", ".join((*(argument.name for argument in unit.arguments), "ctx"))

    def said(part: str) -> str:
        match = _OF_GENERATED.match(part)
        if not match:
            return part
        size = match[1].startswith(tuple(f"{constant} must be " for constant in unit.constants))
        text = match[1] if size else f"{unit.host.name} must take ({takes}): {match[1]}"
        return unit.error_at(rf"comptime {text.split()[0]}\b" if size else function, text)

    parts = dict.fromkeys(map(said, re.split(r"\n(?=\S)", error.diagnostics)))
    return type(error)(str(error), "\n".join(parts))
