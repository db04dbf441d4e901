"""Compile kernels to device code, LLVM IR and assembly, without a GPU."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from harness.build import generate, locations, toolchain
from harness.build.compiler import Compiler, disk_errors
from harness.build.toolchain import LEVELS
from harness.build.unit import Build, BuildUnit, case_names, group_values_by_case, make_units, split_group
from harness.errors import CompileError, CompileTimeout, UsageError
from harness.model.case import Case
from harness.model.sources import GENERATED, display_path
from harness.model.target import Target
from harness.process.child import Limits

__all__ = [
    "STAGED",
    "Code",
    "Texts",
    "build_device_code",
    "compile_ahead",
    "compile_kernels",
    "group_by_case",
    "load_code",
    "restore_paths",
]

Code = dict[str, str]  # of a kernel, by level
Texts = tuple[str, ...]  # of a case: one for each launch
BuildJob = tuple[BuildUnit, Build]

_TOOLS = (Path(toolchain.__file__), Path(locations.__file__), Path(__file__))
STAGED = "kernels"  # the folder of a build in which each kernel's file is linked
_STAGED_NAME = re.compile(rf"\S*/{STAGED}/(\w+?)(?:_[0-9a-f]{{32}})?\.mojo\b")


def build_device_code(
    cases: Sequence[Case],
    build: Build,
    level: str,
    *,
    force: bool = False,
    seconds_by_case: dict[str, float] | None = None,
) -> dict[str, Texts | CompileError]:
    """Build or load the device code of cases.

    Args:
        cases: The cases; those that the target refuses are left out.
        build: The build's options, for any target, Apple's too.
        level: `llvm` or `asm` (PTX, AMDGCN; for Apple LLVM IR again).
        force: Compile what the target refuses too.
        seconds_by_case: Filled, by case id, with the seconds that compiling took now; stored code adds nothing.

    Returns:
        By case id, the text for each launch in order, or the compile error. A case that launches no kernel itself has
        no texts, also if the target refuses it: what its host functions launch is built with them.

    Raises:
        UsageError: There is no such level.
        EnvironmentFault: There is no compiler, the disk is full, or the generated code around a kernel does not
            compile.
    """
    if level not in LEVELS:
        raise UsageError(f"no level {level!r} of device code: known are {', '.join(LEVELS)}.")
    codes = group_by_case(
        _load_or_compile([(unit, build) for unit in make_units(cases, build, force=force)], seconds_by_case)
    )
    # What host functions launch is built with them.
    no_kernels = {case.id: () for case in cases if not case.kernel_steps}
    return no_kernels | {
        name: code if isinstance(code, CompileError) else tuple(part[level] for part in code)
        for name, code in codes.items()
    }


def group_by_case(
    codes_of_units: Iterable[tuple[BuildUnit, Code | CompileError]],
) -> dict[str, tuple[Code, ...] | CompileError]:
    """Group the code of units by case id, an entry for each launch; a case with an error has the first error
    instead.
    """
    codes: dict[str, tuple[Code, ...] | CompileError] = {}
    for name, codes_of_case in group_values_by_case(codes_of_units).items():
        compiled = tuple(code for code in codes_of_case if not isinstance(code, CompileError))
        errors = (code for code in codes_of_case if isinstance(code, CompileError))
        codes[name] = next(errors, compiled)
    return codes


def restore_paths(text: str, files: Mapping[str, Path]) -> str:
    """Return a line that a kernel printed, with the real path in place of that of the compilation, as in an assertion.

    Args:
        text: The line.
        files: The real files by module.
    """
    return _STAGED_NAME.sub(lambda name: display_path(files[name[1]]) if name[1] in files else name[0], text)


def compile_ahead(cases: Sequence[Case], builds: Sequence[Build]) -> dict[str, dict[str, CompileError]]:
    """Compile device code for several targets at once, and store it in the cache for `build_device_code`.

    Args:
        cases: The cases; those that a target refuses are left out.
        builds: The builds' options; they share a cache.

    Returns:
        The first compile error of each case that has one, by the target's name and case id; each target has an entry.
    """
    jobs = [(unit, build) for build in builds for unit in make_units(cases, build)]
    errors: dict[str, dict[str, CompileError]] = {build.target.name: {} for build in builds}
    for (_, build), (unit, code) in zip(jobs, _load_or_compile(jobs), strict=True):
        if isinstance(code, CompileError):
            errors[build.target.name].setdefault(unit.case.id, code)
    return errors


def load_code(unit: BuildUnit, build: Build) -> Code | None:
    """Return a unit's device code from the cache, by level, or None; compiles nothing."""
    blobs = build.cache.get(_key(unit, build), LEVELS)
    return None if blobs is None else {level: blob.text for level, blob in blobs.items()}


def _key(unit: BuildUnit, build: Build) -> str:
    # Debug locations name the kernel's file, so its path counts too: that below the
    # repository's root, so that a checkout elsewhere finds what was built here.
    program = generate.generate_device_program([(unit, build.target)])
    return unit.make_key("device code", build, program, _TOOLS, path=display_path(unit.file), **_unusual_options(build))


def _unusual_options(build: Build) -> dict[str, bool]:
    """Return the options of a build that differ from the usual ones; they go into the cache key."""
    return {name: True for name in ("assertions", "debug") if getattr(build, name)}


def _load_or_compile(
    jobs: Sequence[BuildJob], seconds_by_case: dict[str, float] | None = None
) -> list[tuple[BuildUnit, Code | CompileError]]:
    """Load the code of units from the cache, compile the rest together, and return all in order.

    Errors are returned in place of code, and not stored. If anything is compiled, `notify` of the first job's build is
    called. In `seconds_by_case` each compiled case then gets an equal share of the time, in place of what was there.
    """
    codes: dict[str, Code | CompileError] = {}
    keys = [_key(unit, build) for unit, build in jobs]
    missing = _load_cached(dict(zip(keys, jobs, strict=True)), codes)
    if missing:
        build = jobs[0][1]
        build.cache.require_writable()
        names = dict.fromkeys(unit.case.id for unit, _ in missing.values())
        targets = dict.fromkeys(str(build.target) for _, build in missing.values())
        suffix = ", with the names of their variables" if build.debug else ""
        build.notify(
            f"compiling the kernels of {case_names(unit for unit, _ in missing.values())} "
            f"for {', '.join(targets)}{suffix}"
        )
        items = {key: (key, part) for key, part in missing.items()}
        started = time.perf_counter()
        build.cache.build_locked(items, lambda free: _build(dict(free), codes))
        if seconds_by_case is not None:  # one program compiles them all
            seconds_by_case |= dict.fromkeys(names, (time.perf_counter() - started) / len(names))
    return [(unit, codes[key]) for key, (unit, _) in zip(keys, jobs, strict=True)]


def _load_cached(jobs: Mapping[str, BuildJob], codes: dict[str, Code | CompileError]) -> dict[str, BuildJob]:
    """Add cached code to `codes`, and return the jobs that are not cached."""
    missing = {}
    for key, job in jobs.items():
        if code := load_code(*job):
            codes[key] = code
        else:
            missing[key] = job
    return missing


def _build(jobs: Mapping[str, BuildJob], codes: dict[str, Code | CompileError]) -> None:
    """Compile and store the jobs that no other process has stored meanwhile; put code and errors into `codes`.

    The options of the first job hold for all. Errors are not stored.
    """
    missing = _load_cached(jobs, codes)
    if not missing:
        return
    build = next(build for _, build in missing.values())  # all of them come from one call
    units_and_targets = [(unit, build.target) for unit, build in missing.values()]
    compiled = compile_kernels(
        units_and_targets, limits=build.limits, meanwhile=build.meanwhile, **_unusual_options(build)
    )
    for (key, (_, build)), code in zip(missing.items(), compiled, strict=True):
        codes[key] = code
        if not isinstance(code, CompileError):
            build.cache.put(key, {level: text.encode() for level, text in code.items()})


def compile_kernels(
    kernels: Sequence[tuple[BuildUnit, Target]],
    *,
    limits: Limits | None = None,
    assertions: bool = False,
    debug: bool = False,
    apart: bool = False,
    meanwhile: Callable[[], object] | None = None,
) -> list[Code | CompileError]:
    """Compile kernels to device code, all in one program; if that fails, in smaller ones.

    Args:
        kernels: The kernels, each with its target. Different files have different modules.
        limits: As in `Build`.
        assertions: As in `Build`.
        debug: As in `Build`.
        apart: Whether no file may import another one, so that each compiles to what it does alone.
        meanwhile: As in `Build`; called during the first attempt alone.

    Returns:
        The code by level, or the compile error, of each kernel in order; a timeout is such an error too.

    Raises:
        CompileTimeout: With `apart`, several files together take too long; they are then not tried in smaller programs.
        EnvironmentFault: There is no compiler, or the machine or the installed pair is to blame.
    """
    if not kernels:
        return []
    try:
        return list(_compile_program(kernels, limits, assertions, debug, meanwhile, apart))
    except CompileError as error:
        if len(kernels) == 1:
            ((unit, target),) = kernels

            def compile_others(others: tuple[BuildUnit, ...]) -> object:
                return _compile_program([(other, target) for other in others], limits, assertions, debug, None)

            return [generate.relocate_error(error, (unit,), compile_others)]
        if apart and isinstance(error, CompileTimeout) and len({unit.file for unit, _ in kernels}) > 1:
            raise
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        compile_fewer = partial(compile_kernels, limits=limits, assertions=assertions, debug=debug, apart=apart)
        return [code for codes in pool.map(compile_fewer, split_group(kernels)) for code in codes]


def _compile_program(
    kernels: Sequence[tuple[BuildUnit, Target]],
    limits: Limits | None,
    assertions: bool,
    debug: bool,
    meanwhile: Callable[[], object] | None,
    apart: bool = False,
) -> list[Code]:
    """Compile kernels in one program, and return the code of each by level.

    With `apart`, files get random module names, by which they cannot find one another. Raises CompileError.
    """
    suffix = ""
    if apart and len({unit.file for unit, _ in kernels}) > 1:
        # Files could reach one another by the names of their modules, and the program by those of its calls.
        suffix = f"_{secrets.token_hex(16)}"
        kernels = [(replace(unit, module=unit.module + suffix), target) for unit, target in kernels]
    with Compiler(toolchain.require_mojo(), limits) as compiler, disk_errors(compiler.folder):
        modules = compiler.folder / STAGED
        origins: dict[str, Path] = {}
        modules.mkdir()
        for unit in {unit.module: unit for unit, _ in kernels}.values():
            origins |= unit.stage(modules)
        program = compiler.folder / "device.mojo"
        origins[str(program)] = GENERATED / program.name
        program.write_text(generate.generate_device_program(kernels, suffix), encoding="utf-8")
        defines = {"ASSERT": "all"} if assertions else {}
        calls = toolchain.emit_strings(
            compiler,
            program,
            defines=defines,
            includes=[modules],
            origins=origins,
            debug=debug,
            meanwhile=meanwhile,
        )
    return [{level: calls[f"{level}_{number}{suffix}"] for level in LEVELS} for number in range(len(kernels))]
