"""The kernels' own device code: LLVM IR and assembly, without a GPU."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness.build import generate, toolchain
from harness.build.toolchain import LEVELS
from harness.build.unit import Build, BuildUnit, units
from harness.errors import CompileError, UsageError
from harness.model.case import Case
from harness.model.sources import GENERATED, shown
from harness.model.target import Target

__all__ = ["Code", "compile_kernels", "device_code", "stored_code"]

Code = dict[str, str]  # by level

_TOOLS = (Path(toolchain.__file__), Path(__file__))


def device_code(
    cases: Sequence[Case], build: Build, level: str, *, force: bool = False
) -> dict[str, str | CompileError]:
    """The device code of each case's kernel.

    Args:
        cases: What is wanted; a case that the target refuses is left out.
        build: For any target, Apple's too.
        level: `llvm` or `asm` (PTX, AMDGCN; for Apple LLVM IR once more).
        force: Compiles also what the target refuses.

    Returns:
        By case id, the text, or why it does not compile.
    """
    if level not in LEVELS:
        raise UsageError(f"no level {level!r} of device code: known are {', '.join(LEVELS)}.")
    wanted = units(cases, build, force=force)
    codes: dict[str, Code | CompileError] = {}
    missing = {}
    for unit in wanted:
        if code := stored_code(unit, build):
            codes[unit.case.id] = code
        else:
            missing[_key(unit, build)] = unit
    if missing:
        build.cache.require_writable()
        names = ", ".join(unit.case.id for unit in missing.values())
        build.notify(f"compiling the kernels of {names} for {build.target}")
        build.cache.in_turn(missing, lambda free: codes.update(_built(free, build)))
    return {unit.case.id: _at(level, codes[unit.case.id]) for unit in wanted}


def _at(level: str, code: Code | CompileError) -> str | CompileError:
    return code if isinstance(code, CompileError) else code[level]


def stored_code(unit: BuildUnit, build: Build) -> Code | None:
    """The device code of a unit out of the cache, by level, or None."""
    blobs = build.cache.get(_key(unit, build), LEVELS)
    return None if blobs is None else {level: blob.text for level, blob in blobs.items()}


def _key(unit: BuildUnit, build: Build) -> str:
    # Debug locations name the kernel's file, so its path counts too: that below the
    # repository's root, so that a checkout elsewhere finds what was built here.
    program = generate.device_program([(unit, build.target)])
    return unit.key("device code", build, program, _TOOLS, path=shown(unit.file))


def _built(wanted: Sequence[BuildUnit], build: Build) -> dict[str, Code | CompileError]:
    """Compiles what no other build has stored meanwhile, and stores it."""
    codes: dict[str, Code | CompileError] = {}
    rest = []
    for unit in wanted:
        if code := stored_code(unit, build):
            codes[unit.case.id] = code
        else:
            rest.append(unit)
    for unit, made in zip(rest, compile_kernels([(unit, build.target) for unit in rest]), strict=True):
        codes[unit.case.id] = made
        if not isinstance(made, CompileError):
            build.cache.put(_key(unit, build), {level: text.encode() for level, text in made.items()})
    return codes


def compile_kernels(parts: Sequence[tuple[BuildUnit, Target]]) -> list[Code | CompileError]:
    """The device code of kernels, all compiled by one program; if that fails, one by one.

    Args:
        parts: Kernels, each for a target. Files that differ have modules that differ.
    """
    if not parts:
        return []
    try:
        return list(_compiled(parts))
    except CompileError as error:
        if len(parts) == 1:
            return [error]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return [code for alone in pool.map(lambda part: compile_kernels([part]), parts) for code in alone]


def _compiled(parts: Sequence[tuple[BuildUnit, Target]]) -> list[Code]:
    with tempfile.TemporaryDirectory(prefix="kernels-") as name:
        folder = Path(name).resolve()
        modules, origins = folder / "kernels", {}
        modules.mkdir()
        for module, file in {unit.module: unit.file for unit, _ in parts}.items():
            # Linked alone under the module's name: nothing else in its folder is imported.
            link = modules / f"{module}.mojo"
            link.symlink_to(file)
            origins[str(link)] = file
        program = folder / "device.mojo"
        origins[str(program)] = GENERATED / program.name
        program.write_text(generate.device_program(parts), encoding="utf-8")
        calls = toolchain.emit_strings(program, includes=[modules], origins=origins)
    return [{level: calls[f"{level}_{number}"] for level in LEVELS} for number in range(len(parts))]
