"""What tests compile, kept in the harness's cache: a second run compiles nothing that has not changed."""

from __future__ import annotations

import json
import os
import re
import tempfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from harness.build import device_code, generate, toolchain
from harness.build.around import surrounding_cases
from harness.build.cache import Cache, make_key, sha256_hex
from harness.build.compiler import Compiler
from harness.build.device_code import Code
from harness.build.graphs import Graphs, build_graphs
from harness.build.hosts import build_host_programs
from harness.build.unit import Build, BuildUnit, make_units
from harness.catalogue import CASES, scaled, select_cases
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.sources import ROOT, Sources, display_path, find_reference
from harness.model.target import Target
from harness.programs import sources
from tests.build.op import CASE as CALLED
from tests.build.op import text as called

__all__ = [
    *("ELSEWHERE", "KINDS", "SOME", "codes", "graphs", "kernels", "levels", "modules", "placed", "put", "references"),
    *("settled", "solutions"),
]

_KERNEL = re.compile(r"^def (\w+)\((?:(?!\) ->)(?s:.))*?\):$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"^attributes (#\d+) = (.*)$", re.MULTILINE)
_UNIT = re.compile(r"^(!\d+) = distinct !DICompileUnit\(.*?file: (!\d+), (.*)\)$", re.MULTILINE)
_UNITS = re.compile(r"^!llvm\.dbg\.cu = .*\n", re.MULTILINE)
_NUMBER = re.compile(r"[#!]\d+")
_IMPORTS = """from max.gpu.host import get_gpu_target
from std.compile import compile_info
from std.ffi import external_call
"""

TOOLS = (Path(toolchain.__file__), Path(device_code.__file__))
SIMULATED = [case.simulated for case in CASES]
SIZES = [size for case in SIMULATED for size in case.sizes]
HOLE = "/where/the/learners/file/lies.mojo"  # in kept code, for the file that it was compiled from


def _kind(case: Case) -> tuple[int, bool]:
    return len(case.steps), bool(case.geometry(32).scalars)


def _sized(case: Case) -> bool:
    """Whether its reference runs at other sizes too."""
    return case.size is not None and find_reference(case) is not None


# What MAX compiles for `tests`, for `full` it compiles all: of each kind of case the first, with the puzzles that tests
# take for their examples; for the processor also those whose size is a value of the launch.
_EXAMPLES = ("p15", "p26:pair-swap", "p34:reduction")
_LAUNCHED = [case for case in CASES if not case.called]
KINDS = [
    case for at, case in enumerate(_LAUNCHED) if case.id in _EXAMPLES or _kind(case) not in map(_kind, _LAUNCHED[:at])
]
SOME = [case for case in _LAUNCHED if case in KINDS or _sized(case)]


# What `tests` compile and run for AMD and Apple, for `full` it is all: a mode of each kind of kernel. One element a
# thread, a tile, shared memory, several launches, a tree; copies that are not awaited; what a warp does together, and
# what a block does; layouts, phases, products by matrices, and vectors.
ELSEWHERE = (
    *("p01", "p04_tile_tensor", "p08", "p14:complete", "p15", "p16:idiomatic-tiled", "p24:traditional", "p24:kernel"),
    *("p25:neighbor", "p25:broadcast-shuffle-coordination", "p26:pair-swap", "p26:prefix-sum"),
    *("p27:block-sum-dot-product", "p27:histogram", "p27:normalize", "p28", "p29:multi-stage"),
    *("p33:tensor-core", "p33:tiled", "p35:unaligned"),
)
# Of these one more NVIDIA GPU is asked how many threads it holds.
_OCCUPANCY = [entry.simulated for entry in select_cases(["p31"])]


def graphs(cases: Sequence[Case] = KINDS) -> Graphs:
    """Cases' graphs for sm_90 and those of what is launched around them, all from one compilation.

    Whoever needs one of them asks for it here first: alone each takes nearly as long.
    """
    return build_graphs(cases, Build(target=Target.parse("nvidia:sm_90")), surrounded=True)


def references(cases: Sequence[Case] = SOME) -> Graphs:
    """Cases' references, those of what is launched around them, and an op, all from one compilation: as `graphs`."""
    target, op = Target.parse("nvidia:sm_90"), placed(f"{CALLED.puzzle}.mojo", called("2"))
    build = Build(target=target, reference=True, sources=Sources(overrides={CALLED.puzzle: op}))
    return build_graphs([*cases, *surrounding_cases(target), CALLED], build)


def solutions() -> None:
    """The solutions' device code that `tests` ask for, from one compilation, with what is launched around them; and
    what calls host functions for NVIDIA, from another; else as `graphs`.

    Every one at each of its sizes, those of full size too, for NVIDIA; for others `ELSEWHERE`. AMD's narrow warps are
    for `full`.
    """
    _solutions(Cache.default().root)


@cache
def _solutions(_root: Path) -> None:
    """They are looked for once: it takes most of a second."""
    own, amd, apple, a10 = (
        Build(target=Target.parse(name)) for name in ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4", "nvidia:sm_86")
    )
    elsewhere = [size for case in SIMULATED if case.id in ELSEWHERE for size in case.sizes]
    everything = [*SIZES, *(entry.simulated for entry in scaled.CASES), *surrounding_cases(own.target)]
    wanted = [(everything, own), (elsewhere, amd), (elsewhere, apple), (_OCCUPANCY, a10)]
    parts = [(unit, build) for cases, build in wanted for unit in make_units(cases, build)]
    assert not any(isinstance(code, CompileError) for _, code in device_code._load_or_compile(parts))
    assert not any(isinstance(made, CompileError) for made in build_host_programs(SIZES, own).values())


def codes(wanted: Sequence[tuple[Case, str, Target]], **how: Any) -> list[Code]:
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
            changed = repr(case.constants).encode()
            module = file.stem + (f"_{zlib.crc32(changed):08x}" if case.constants else "")  # which is another text
            parts += [(replace(unit, module=module), target) for unit in make_units([case], build)]

        def compiled() -> list[Code]:
            found = []
            for (unit, _), code in zip(parts, device_code.compile_kernels(parts, **how), strict=True):
                if isinstance(code, CompileError):
                    raise code
                found.append({level: text.replace(str(unit.file), HOLE) for level, text in code.items()})
            return found

        program = generate.generate_device_program(parts)
        facts = {"program": program, "how": how, "files": [_digest(unit.file) for unit, _ in parts]}
        found: list[Code] = _kept(facts, compiled)
    return found


def put(code: Code | Sequence[Code], case: Case, file: Path, target: Target, **how: Any) -> None:
    """Puts what `codes` or `levels` compiled of a file's text where the harness looks for the code of that file: of a
    kernel, or of each launch.

    It finds what it would have compiled itself; but of the files of one module only the first has its name, and the
    kernels' symbols, which nobody is shown, are made from it.
    """
    build = Build(target=target, sources=Sources(overrides={case.puzzle: file}), **how)
    for unit, one in zip(make_units([case], build), [code] if isinstance(code, dict) else code, strict=True):
        blobs = {level: text.replace(HOLE, display_path(unit.file)).encode() for level, text in one.items()}
        build.cache.put(device_code._key(unit, build), blobs)


def settled(text: str) -> list[str]:
    """The lines of IR in an order of their own, with attributes and compile units in the place of their numbers: what
    else a program compiles changes the order of declarations and of units, and by it the numbers.
    """
    named = dict(_ATTRIBUTES.findall(text))
    for unit, file, facts in _UNIT.findall(text):
        named |= {unit: facts, file: f"file of {facts}"}
    return sorted(_NUMBER.sub(lambda number: named.get(number[0], number[0]), _UNITS.sub("", text)).splitlines())


def kernels(parts: Sequence[tuple[BuildUnit, Target]]) -> list[str]:
    """The LLVM IR of kernels, each for a target, all from one compilation.

    Raises:
        CompileError: One of them does not compile.
    """
    return [code["llvm"] for code in levels(parts)]


def levels(parts: Sequence[tuple[BuildUnit, Target]]) -> list[Code]:
    """The same with their assembly. What of them was compiled before, with whatever else, is found.

    Raises:
        CompileError: One of them does not compile.
    """

    def key_of_part(unit: BuildUnit, target: Target) -> str:
        # Debug locations name the file; one in a temporary folder nobody asks for.
        name = display_path(unit.file) if unit.file.is_relative_to(ROOT) else ""
        program = generate.generate_device_program([(unit, target)])
        return _key({"program": program, "name": name, "file": _digest(unit.file)})

    cache, keys = Cache.default(), [key_of_part(*part) for part in parts]
    wanted = dict(zip(keys, parts, strict=True))

    def missing(among: Iterable[str]) -> list[str]:
        return [key for key in among if cache.get(key, ["json"]) is None]

    def compiled(free: list[str]) -> None:
        left = missing(free)
        for key, code in zip(left, device_code.compile_kernels([wanted[key] for key in left]), strict=True):
            if isinstance(code, CompileError):
                raise code
            cache.put(key, {"json": json.dumps(code).encode()})

    if unknown := missing(wanted):
        cache.build_locked({key: key for key in unknown}, compiled)
    return [_held(key) for key in keys]


def placed(name: str, text: str) -> Path:
    """A file of that name and text, at a path that stays: by it is found what was compiled before."""
    file = Cache.default().root / "tests" / sha256_hex(text.encode()) / name
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as written:
            written.write(text)
        os.replace(written.name, file)  # another worker never reads half of it
    return file


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
        with Compiler(toolchain.require_mojo()) as compiler:
            program = compiler.folder / "modules.mojo"
            program.write_text(source, encoding="utf-8")
            includes = list(dict.fromkeys(file.parent for file, _ in wanted))
            codes = toolchain.emit_strings(compiler, program, includes=includes)
        found: list[dict[str, str]] = [{} for _ in wanted]
        for number, (at, kernel) in enumerate(kernels):
            found[at][kernel] = codes[f"code_{number}"]
        return found

    parts = {Path(path).name: known for file, _ in wanted for path, known in sources.compute_digests(file, []).items()}
    made: list[dict[str, str]] = _kept({"program": source, "files": parts}, compiled)
    return made


def _digest(file: Path) -> str:
    return sha256_hex(file.read_bytes())


def _key(facts: dict[str, Any]) -> str:
    versions = toolchain.package_versions()
    return make_key({"kind": "tests", "tools": list(map(_digest, TOOLS)), "versions": versions, **facts})


def _kept(facts: dict[str, Any], make: Callable[[], Any]) -> Any:
    """What is made from these facts, as JSON in the cache; workers that need it at once make it once."""
    cache, key = Cache.default(), _key(facts)

    def build(_: object) -> None:
        if cache.get(key, ["json"]) is None:
            cache.put(key, {"json": json.dumps(make()).encode()})

    if cache.get(key, ["json"]) is None:
        cache.build_locked({key: None}, build)
    return _held(key)


def _held(key: str) -> Any:
    """What was put under a key."""
    kept = Cache.default().get(key, ["json"])
    assert kept is not None
    return json.loads(kept["json"].text)
