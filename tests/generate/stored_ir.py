"""The solutions' compiled kernels as tests of the simulator read them, without a compiler: `tests/solutions/*.ll`.

The folder is the list of what is stored: an empty file with the name of a case's op and a target is filled.

What the compiler writes depends on its version, so the first lines of a file hold a digest
of all that it was made from and one of its text: what is stale is seen without compiling.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from harness.build import generate
from harness.build.cache import make_key, sha256_hex
from harness.build.device_code import build_device_code, compile_ahead
from harness.build.toolchain import package_versions
from harness.build.unit import Build, BuildUnit, make_units
from harness.catalogue import CASES
from harness.errors import CompileError
from harness.model.sources import display_path
from harness.model.target import Target
from tests.generate.files import Generated, GenerateError

__all__ = ["FOLDER", "TARGETS", "generated", "path_of"]

FOLDER = Path("tests", "solutions")
TARGETS = tuple(map(Target.parse, ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")))


def path_of(root: Path, op: str, target: Target) -> Path:
    """Where a kernel's code lies in the repository at `root`."""
    return root / FOLDER / f"{op}.{target.architecture}.ll"


def generated(root: Path, *, compile_stale: bool) -> Iterator[Generated]:
    """Every file, those that no case has without a text.

    Args:
        root: The repository.
        compile_stale: Otherwise what is stale is given a text without code.

    Raises:
        GenerateError: A solution does not compile.
    """
    wanted = {
        path: (unit, target)
        for target in TARGETS
        for unit in make_units(CASES, Build(target=target))
        if (path := path_of(root, unit.op, target)).is_file()
    }
    stale = {path: made for path, made in wanted.items() if not _fresh(path, _made_from(*made))}
    if compile_stale and stale:
        # One program compiles all of them: what one target has stale the others mostly have, too.
        cases = {unit.case.id: unit.case for unit, _ in stale.values()}
        targets = dict.fromkeys(target for _, target in stale.values())
        compile_ahead(list(cases.values()), [Build(target=target, notify=_notify) for target in targets])
    for path, made in wanted.items():
        if path in stale:
            yield Generated(path, _compiled(*made) if compile_stale else _head(_made_from(*made), ""))
        else:
            yield Generated(path, path.read_text(encoding="utf-8"))
    for path in sorted((root / FOLDER).glob("*.ll")):
        if path not in wanted:
            yield Generated(path, None)


def _made_from(unit: BuildUnit, target: Target) -> str:
    facts = {
        "kernel": sha256_hex(unit.file.read_bytes()),
        "path": display_path(unit.file),
        "program": generate.generate_device_program([(unit, target)]),
        "versions": package_versions(),
    }
    return make_key(facts)


def _head(made_from: str, code: str) -> str:
    return f"; Made by `nox -s generate`.\n; from: {made_from}\n; code: {sha256_hex(code.encode())}\n"


def _fresh(path: Path, made_from: str) -> bool:
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8")
    code = "".join(text.splitlines(keepends=True)[3:])
    return text == _head(made_from, code) + code


def _compiled(unit: BuildUnit, target: Target) -> str:
    texts = build_device_code([unit.case], Build(target=target, notify=_notify), "llvm")[unit.case.id]
    if isinstance(texts, CompileError):
        raise GenerateError(f"{unit.case.id} for {target}: {texts}\n{texts.diagnostics}")
    return _head(_made_from(unit, target), texts[unit.step]) + texts[unit.step]


def _notify(line: str) -> None:
    print(line, file=sys.stderr)
