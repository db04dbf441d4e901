"""What tests compile, kept in the harness's cache: a second run compiles nothing that has not changed."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from harness.build import device_code, generate, toolchain
from harness.build.around import around
from harness.build.cache import Cache, digest, key_of
from harness.build.compiler import Compiler
from harness.build.device_code import Code
from harness.build.graphs import Graphs, build_graphs
from harness.build.hosts import host_programs
from harness.build.unit import Build, BuildUnit, units
from harness.catalogue import CASES
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.sources import ROOT, Sources, reference_file, shown
from harness.model.target import Target
from harness.programs import sources

__all__ = ["SOME", "codes", "graphs", "kernels", "levels", "modules", "put", "references", "settled", "solutions"]

_KERNEL = re.compile(r"^def (\w+)\((?:(?!\) ->)(?s:.))*?\):$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"^attributes (#\d+) = (.*)$", re.MULTILINE)
_NUMBER = re.compile(r"#\d+")
_IMPORTS = """from max.gpu.host import get_gpu_target
from std.compile import compile_info
from std.ffi import external_call
"""

TOOLS = (Path(toolchain.__file__), Path(device_code.__file__))
SIMULATED = [case.simulated for case in CASES]
HOLE = "/where/the/learners/file/lies.mojo"  # in kept code, for the file that it was compiled from


def _kind(case: Case) -> tuple[int, bool]:
    return len(case.steps), bool(case.geometry(32).scalars)


def _sized(case: Case) -> bool:
    """Whether its reference runs at other sizes too."""
    return case.size is not None and reference_file(case) is not None


# What MAX compiles for `tests`, for `full` it compiles all: of each kind of case the first, and those whose size is a
# value of the launch; with the puzzles that tests take for their examples. Ops that are called have tests of their own.
_EXAMPLES = ("p15", "p26:pair-swap", "p34:reduction")
_LAUNCHED = [case for case in CASES if not case.called]
SOME = [
    case
    for at, case in enumerate(_LAUNCHED)
    if case.id in _EXAMPLES or _sized(case) or _kind(case) not in map(_kind, _LAUNCHED[:at])
]


def graphs(cases: Sequence[Case] = SOME) -> Graphs:
    """Cases' graphs for sm_90 and those of what is launched around them, all from one compilation.

    Whoever needs one of them asks for it here first: alone each takes nearly as long.
    """
    return build_graphs(cases, Build(target=Target.parse("nvidia:sm_90")), surrounded=True)


def references(cases: Sequence[Case] = SOME) -> Graphs:
    """Cases' references, and those of what is launched around them, all from one compilation; else as `graphs`."""
    target = Target.parse("nvidia:sm_90")
    return build_graphs([*cases, *around(target)], Build(target=target, reference=True))


def solutions() -> None:
    """Every solution's device code for the targets that `tests` ask for, at its larger size too, from one compilation,
    with what is launched around the first of them; and what calls host functions for it, from another; else as
    `graphs`.

    AMD's narrow warps are for `full`.
    """
    _solutions(Cache.default().root)


@cache
def _solutions(_root: Path) -> None:
    """They are looked for once: it takes most of a second."""
    builds = [Build(target=Target.parse(name)) for name in ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4")]
    judged = [size for case in SIMULATED for size in case.sizes]
    parts = [(unit, build) for build in builds for unit in units(judged, build)]
    parts += [(unit, builds[0]) for unit in units(around(builds[0].target), builds[0])]
    assert not any(isinstance(code, CompileError) for _, code in device_code._codes(parts))
    assert not any(isinstance(made, CompileError) for made in host_programs(judged, builds[0]).values())


def codes(wanted: Sequence[tuple[Case, str, Target]], **how: bool) -> list[Code]:
    """The device code of learners' files, each a case and the file's text for a target, all from one compilation.

    Where it names its file stands `HOLE`; `put` has more. `how` is what a `Build` says of it: `debug`, `assertions`.

    Raises:
        CompileError: One of them does not compile.
    """
    with tempfile.TemporaryDirectory(prefix="learners-") as folder:
        files: dict[str, Path] = {}
        parts = []
        for case, text, target in wanted:
            first = Path(folder).resolve() / f"{case.module}.mojo"  # the name that it has when compiled alone
            another = first.with_stem(f"{case.module}_{len(files)}")
            file = files.setdefault(text, another if first in files.values() else first)
            file.write_text(text, encoding="utf-8")
            build = Build(target=target, sources=Sources(overrides={case.puzzle: file}))
            parts += [(replace(unit, module=file.stem), target) for unit in units([case], build)]

        def compiled() -> list[Code]:
            found = []
            for (unit, _), code in zip(parts, device_code.compile_kernels(parts, **how), strict=True):
                if isinstance(code, CompileError):
                    raise code
                found.append({level: text.replace(str(unit.file), HOLE) for level, text in code.items()})
            return found

        program = generate.device_program(parts)
        facts = {"program": program, "how": how, "files": [_digest(unit.file) for unit, _ in parts]}
        found: list[Code] = _kept(facts, compiled)
    return found


def put(code: Code, case: Case, file: Path, target: Target, **how: bool) -> None:
    """Puts what `codes` compiled of a file's text where the harness looks for the code of that file.

    It finds what it would have compiled itself; but of the files of one module only the first has its name, and the
    kernels' symbols, which nobody is shown, are made from it.
    """
    build = Build(target=target, sources=Sources(overrides={case.puzzle: file}), **how)
    (unit,) = units([case], build)
    blobs = {level: text.replace(HOLE, shown(unit.file)).encode() for level, text in code.items()}
    build.cache.put(device_code._key(unit, build), blobs)


def settled(text: str) -> list[str]:
    """The lines of IR in an order of their own, with attributes in the place of their number: what else a program
    compiles changes the order of declarations, and by it the numbers.
    """
    attributes = dict(_ATTRIBUTES.findall(text))
    return sorted(_NUMBER.sub(lambda number: attributes.get(number[0], number[0]), text).splitlines())


def kernels(parts: Sequence[tuple[BuildUnit, Target]]) -> list[str]:
    """The LLVM IR of kernels, each for a target, all from one compilation.

    Raises:
        CompileError: One of them does not compile.
    """
    return [code["llvm"] for code in levels(parts)]


def levels(parts: Sequence[tuple[BuildUnit, Target]]) -> list[Code]:
    """The same with their assembly.

    Raises:
        CompileError: One of them does not compile.
    """

    def compiled() -> list[Code]:
        found = []
        for code in device_code.compile_kernels(parts):
            if isinstance(code, CompileError):
                raise code
            found.append(code)
        return found

    files = [unit.file for unit, _ in parts]
    # Debug locations name the files; those in temporary folders nobody asks for.
    names = [shown(file) for file in files if file.is_relative_to(ROOT)]
    facts = {"program": generate.device_program(parts), "names": names, "files": list(map(_digest, files))}
    found: list[Code] = _kept(facts, compiled)
    return found


def modules(wanted: Sequence[tuple[Path, str]]) -> list[dict[str, str]]:
    """The LLVM IR of the kernels of Mojo modules, each for a target, all from one compilation.

    A kernel is a function that takes no parameters of the compiler and returns nothing. No host launches them: to
    compile one takes longer than they do.

    Returns:
        Of each module, by the kernel's name.

    Raises:
        CompileError: One of them does not compile.
    """
    kernels = [
        (at, kernel)
        for at, (file, _) in enumerate(wanted)
        for kernel in _KERNEL.findall(file.read_text(encoding="utf-8"))
    ]
    lines = [f"import {module}" for module in dict.fromkeys(file.stem for file, _ in wanted)] + ["def main():"]
    for number, (at, kernel) in enumerate(kernels):
        file, target = wanted[at]
        where = f'target=get_gpu_target["{Target.parse(target).architecture}"]()'
        lines.append(f'    var code_{number} = compile_info[{file.stem}.{kernel}, {where}, emission_kind="llvm"]()')
        lines.append(f'    external_call["code_{number}", NoneType](code_{number}.asm.unsafe_ptr())')
    source = _IMPORTS + "\n".join(lines) + "\n"

    def compiled() -> list[dict[str, str]]:
        with Compiler(toolchain.require()) as compiler:
            program = compiler.folder / "modules.mojo"
            program.write_text(source, encoding="utf-8")
            includes = list(dict.fromkeys(file.parent for file, _ in wanted))
            codes = toolchain.emit_strings(compiler, program, includes=includes)
        found: list[dict[str, str]] = [{} for _ in wanted]
        for number, (at, kernel) in enumerate(kernels):
            found[at][kernel] = codes[f"code_{number}"]
        return found

    parts = {Path(path).name: known for file, _ in wanted for path, known in sources.digests(file, []).items()}
    made: list[dict[str, str]] = _kept({"program": source, "files": parts}, compiled)
    return made


def _digest(file: Path) -> str:
    return digest(file.read_bytes())


def _kept(facts: dict[str, Any], make: Callable[[], Any]) -> Any:
    """What is made from these facts, as JSON in the cache; workers that need it at once make it once."""
    cache, versions = Cache.default(), toolchain.package_versions()
    key = key_of({"kind": "tests", "tools": list(map(_digest, TOOLS)), "versions": versions, **facts})

    def build(_: object) -> None:
        if cache.get(key, ["json"]) is None:
            cache.put(key, {"json": json.dumps(make()).encode()})

    if cache.get(key, ["json"]) is None:
        cache.in_turn({key: None}, build)
    kept = cache.get(key, ["json"])
    assert kept is not None
    return json.loads(kept["json"].text)
