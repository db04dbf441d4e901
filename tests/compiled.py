"""What tests compile, kept in the harness's cache: a second run compiles nothing that has not changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from harness.build import device_code, generate, toolchain
from harness.build.cache import Cache, digest, key_of
from harness.build.graphs import Graphs, build_graphs
from harness.build.unit import Build, BuildUnit
from harness.build.warmup import dirty_shared
from harness.catalogue import CASES
from harness.errors import CompileError
from harness.model.sources import ROOT, shown
from harness.model.target import Target
from harness.programs import sources

__all__ = ["graphs", "kernels", "program", "references", "solutions"]

TOOLS = (Path(toolchain.__file__), Path(device_code.__file__))


def graphs() -> Graphs:
    """Every case's graph for sm_90 and the one that fills shared memory, all from one compilation.

    Whoever needs one of them asks for it here first: alone each takes nearly as long.
    """
    return build_graphs(CASES, Build(target=Target.parse("nvidia:sm_90")), warmup=True)


def references() -> Graphs:
    """Every case's reference, and that of what fills shared memory, all from one compilation; else as `graphs`."""
    target = Target.parse("nvidia:sm_90")
    return build_graphs([*CASES, dirty_shared(target)], Build(target=target, reference=True))


def solutions() -> None:
    """Every solution's device code for the targets that the tests ask for, from one compilation; else as `graphs`."""
    targets = map(Target.parse, ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4"))
    assert not any(device_code.compile_ahead(CASES, [Build(target=target) for target in targets]).values())


def kernels(parts: Sequence[tuple[BuildUnit, Target]]) -> list[str]:
    """The LLVM IR of kernels, each for a target, all from one compilation.

    Raises:
        CompileError: One of them does not compile.
    """

    def compiled() -> list[str]:
        texts = []
        for code in device_code.compile_kernels(parts):
            if isinstance(code, CompileError):
                raise code
            texts.append(code["llvm"])
        return texts

    files = [unit.file for unit, _ in parts]
    # Debug locations name the files; those in temporary folders nobody asks for.
    names = [shown(file) for file in files if file.is_relative_to(ROOT)]
    facts = {"program": generate.device_program(parts), "names": names, "files": list(map(_digest, files))}
    texts: list[str] = _kept(facts, compiled)
    return texts


def program(file: Path, target: str) -> dict[str, str]:
    """The LLVM IR of each kernel of a Mojo program that enqueues them, by its mangled symbol.

    The program may import what lies beside it.

    Raises:
        CompileError: It does not compile.
    """
    architecture = Target.parse(target).architecture

    def compiled() -> dict[str, str]:
        return toolchain.emit(file, architecture, "llvm", defines={}, includes=[])

    parts = {Path(path).name: known for path, known in sources.digests(file, []).items()}
    texts: dict[str, str] = _kept({"name": file.name, "files": parts, "architecture": architecture}, compiled)
    return texts


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
