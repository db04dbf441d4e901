"""The kernels' own device code: LLVM IR and assembly, without a GPU."""

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
from harness.build.compiler import Compiler, writing
from harness.build.toolchain import LEVELS
from harness.build.unit import Build, BuildUnit, by_case, case_names, smaller, units
from harness.errors import CompileError, CompileTimeout, UsageError
from harness.model.case import Case
from harness.model.sources import GENERATED, shown
from harness.model.target import Target
from harness.process.child import Limits

__all__ = [
    "STAGED",
    "Code",
    "Texts",
    "compile_ahead",
    "compile_kernels",
    "device_code",
    "of_cases",
    "stored_code",
    "unstaged",
]

Code = dict[str, str]  # of a kernel, by level
Texts = tuple[str, ...]  # of a case: one for each launch
Part = tuple[BuildUnit, Build]

_TOOLS = (Path(toolchain.__file__), Path(locations.__file__), Path(__file__))
STAGED = "kernels"  # the folder of a build in which each kernel's file is linked
_STAGED_NAME = re.compile(rf"\S*/{STAGED}/(\w+?)(?:_[0-9a-f]{{32}})?\.mojo\b")


def device_code(
    cases: Sequence[Case], build: Build, level: str, *, force: bool = False, spent: dict[str, float] | None = None
) -> dict[str, Texts | CompileError]:
    """The device code of each case's kernels.

    Args:
        cases: What is wanted; a case that the target refuses is left out.
        build: For any target, Apple's too.
        level: `llvm` or `asm` (PTX, AMDGCN; for Apple LLVM IR once more).
        force: Compiles also what the target refuses.
        spent: Gets, by case id, the share of the seconds that compiling took now; nothing of what is stored.

    Returns:
        By case id, the text for each launch in order, or why one does not compile.

    Raises:
        UsageError: There is no such level.
        EnvironmentFault: There is no compiler, no room for what it writes, or it is not the one for which the harness
            generates what is around a kernel.
    """
    if level not in LEVELS:
        raise UsageError(f"no level {level!r} of device code: known are {', '.join(LEVELS)}.")
    codes = of_cases(_codes([(unit, build) for unit in units(cases, build, force=force)], spent))
    without = {case.id: () for case in cases if not case.kernel_steps}  # what they launch is built with what they call
    return without | {
        name: code if isinstance(code, CompileError) else tuple(part[level] for part in code)
        for name, code in codes.items()
    }


def of_cases(
    parts: Iterable[tuple[BuildUnit, Code | CompileError]],
) -> dict[str, tuple[Code, ...] | CompileError]:
    """The code of each case by its id, a kernel's for each launch; or the first error."""
    codes: dict[str, tuple[Code, ...] | CompileError] = {}
    for name, every in by_case(parts).items():
        good = tuple(code for code in every if not isinstance(code, CompileError))
        errors = (code for code in every if isinstance(code, CompileError))
        codes[name] = next(errors, good)
    return codes


def unstaged(text: str, files: Mapping[str, Path]) -> str:
    """What a kernel printed, with the places that it names in its own files: an assertion says where it was compiled.

    Args:
        text: A line.
        files: By module.
    """
    return _STAGED_NAME.sub(lambda name: shown(files[name[1]]) if name[1] in files else name[0], text)


def compile_ahead(cases: Sequence[Case], builds: Sequence[Build]) -> dict[str, dict[str, CompileError]]:
    """Compiles for several targets at once what `device_code` will find in the cache.

    Args:
        cases: What a target refuses is left out.
        builds: They share a cache.

    Returns:
        By target and case id, why it does not compile.
    """
    parts = [(unit, build) for build in builds for unit in units(cases, build)]
    errors: dict[str, dict[str, CompileError]] = {build.target.name: {} for build in builds}
    for (_, build), (unit, code) in zip(parts, _codes(parts), strict=True):
        if isinstance(code, CompileError):
            errors[build.target.name].setdefault(unit.case.id, code)
    return errors


def stored_code(unit: BuildUnit, build: Build) -> Code | None:
    """The device code of a unit out of the cache, by level, or None."""
    blobs = build.cache.get(_key(unit, build), LEVELS)
    return None if blobs is None else {level: blob.text for level, blob in blobs.items()}


def _key(unit: BuildUnit, build: Build) -> str:
    # Debug locations name the kernel's file, so its path counts too: that below the
    # repository's root, so that a checkout elsewhere finds what was built here.
    program = generate.device_program([(unit, build.target)])
    return unit.key("device code", build, program, _TOOLS, path=shown(unit.file), **_how(build))


def _how(build: Build) -> dict[str, bool]:
    """What is particular to a build; nothing of the usual one, whose keys do not name it."""
    return {name: True for name in ("assertions", "debug") if getattr(build, name)}


def _codes(
    wanted: Sequence[Part], spent: dict[str, float] | None = None
) -> list[tuple[BuildUnit, Code | CompileError]]:
    """What is stored, and the rest compiled together."""
    codes: dict[str, Code | CompileError] = {}
    keys = [_key(unit, build) for unit, build in wanted]
    missing = _add_stored(dict(zip(keys, wanted, strict=True)), codes)
    if missing:
        build = wanted[0][1]
        build.cache.require_writable()
        names = dict.fromkeys(unit.case.id for unit, _ in missing.values())
        targets = dict.fromkeys(str(build.target) for _, build in missing.values())
        how = ", with the names of their variables" if build.debug else ""
        build.notify(
            f"compiling the kernels of {case_names(unit for unit, _ in missing.values())} for {', '.join(targets)}{how}"
        )
        items = {key: (key, part) for key, part in missing.items()}
        started = time.perf_counter()
        build.cache.in_turn(items, lambda free: _build(dict(free), codes))
        if spent is not None:  # one program compiles them all
            spent |= dict.fromkeys(names, (time.perf_counter() - started) / len(names))
    return [(unit, codes[key]) for key, (unit, _) in zip(keys, wanted, strict=True)]


def _add_stored(wanted: Mapping[str, Part], codes: dict[str, Code | CompileError]) -> dict[str, Part]:
    """Adds what the cache holds by its key, and returns what it lacks."""
    missing = {}
    for key, part in wanted.items():
        if code := stored_code(*part):
            codes[key] = code
        else:
            missing[key] = part
    return missing


def _build(free: Mapping[str, Part], codes: dict[str, Code | CompileError]) -> None:
    """Compiles what no other build has stored meanwhile, and stores it."""
    missing = _add_stored(free, codes)
    if not missing:
        return
    build = next(build for _, build in missing.values())  # all of them come from one call
    parts = [(unit, build.target) for unit, build in missing.values()]
    compiled = compile_kernels(parts, limits=build.limits, meanwhile=build.meanwhile, **_how(build))
    for (key, (_, build)), code in zip(missing.items(), compiled, strict=True):
        codes[key] = code
        if not isinstance(code, CompileError):
            build.cache.put(key, {level: text.encode() for level, text in code.items()})


def compile_kernels(
    parts: Sequence[tuple[BuildUnit, Target]],
    *,
    limits: Limits | None = None,
    assertions: bool = False,
    debug: bool = False,
    apart: bool = False,
    meanwhile: Callable[[], object] | None = None,
) -> list[Code | CompileError]:
    """The device code of kernels, all compiled by one program; if that fails, in smaller ones.

    Args:
        parts: Kernels, each for a target. Files that differ have modules that differ.
        limits: As of a `Build`.
        assertions: The same.
        debug: The same.
        apart: Whether no file may have to do with another one: each compiles to what it does alone.
        meanwhile: The same.

    Raises:
        CompileTimeout: Of several files that are apart one takes too long, or all together do.
    """
    if not parts:
        return []
    try:
        return list(_compiled(parts, limits, assertions, debug, meanwhile, apart))
    except CompileError as error:
        if len(parts) == 1:
            ((unit, target),) = parts

            def again(others: tuple[BuildUnit, ...]) -> object:
                return _compiled([(other, target) for other in others], limits, assertions, debug, None)

            return [generate.at_home(error, (unit,), again)]
        if apart and isinstance(error, CompileTimeout) and len({unit.file for unit, _ in parts}) > 1:
            raise
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        again_each = partial(compile_kernels, limits=limits, assertions=assertions, debug=debug, apart=apart)
        return [code for codes in pool.map(again_each, smaller(parts)) for code in codes]


def _compiled(
    parts: Sequence[tuple[BuildUnit, Target]],
    limits: Limits | None,
    assertions: bool,
    debug: bool,
    meanwhile: Callable[[], object] | None,
    apart: bool = False,
) -> list[Code]:
    mark = ""
    if apart and len({unit.file for unit, _ in parts}) > 1:
        # Files could reach one another by the names of their modules, and the program by those of its calls.
        mark = f"_{secrets.token_hex(16)}"
        parts = [(replace(unit, module=unit.module + mark), target) for unit, target in parts]
    with Compiler(toolchain.require(), limits) as compiler, writing(compiler.folder):
        modules = compiler.folder / STAGED
        origins: dict[str, Path] = {}
        modules.mkdir()
        for unit in {unit.module: unit for unit, _ in parts}.values():
            origins |= unit.staged(modules)
        program = compiler.folder / "device.mojo"
        origins[str(program)] = GENERATED / program.name
        program.write_text(generate.device_program(parts, mark), encoding="utf-8")
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
    return [{level: calls[f"{level}_{number}{mark}"] for level in LEVELS} for number in range(len(parts))]
