"""The solutions' compiled kernels as tests read them, without a compiler: `tests/solutions/*.ll`.

What the compiler writes depends on its version, so the first lines of a file hold a digest
of all that it was made from and one of its text: what is stale is seen without compiling.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from harness.build import generate
from harness.build.cache import digest, key_of
from harness.build.device_code import compile_ahead, device_code
from harness.build.toolchain import package_versions
from harness.build.unit import Build, units
from harness.catalogue import CASES
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.sources import shown
from harness.model.target import Target
from tests.generate.files import Generated, GenerateError

__all__ = ["FOLDER", "TARGETS", "generated", "path_of"]

FOLDER = Path("tests", "solutions")
TARGETS = tuple(map(Target.parse, ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")))


def path_of(root: Path, case: Case, target: Target) -> Path:
    """Where a kernel's code lies in the repository at `root`."""
    return root / FOLDER / f"{case.op}.{target.architecture}.ll"


def generated(root: Path, *, compile_stale: bool) -> Iterator[Generated]:
    """The file of every case and target, and those that no case has.

    Args:
        root: The repository.
        compile_stale: Otherwise what is stale is given an empty text.

    Raises:
        GenerateError: A solution does not compile.
    """
    wanted = {
        path_of(root, case, target): (case, target) for target in TARGETS for case in CASES if not case.refusal(target)
    }
    stale = {path: made for path, made in wanted.items() if not _fresh(path, _made_from(*made))}
    if compile_stale and stale:
        # One program compiles all of them: what one target has stale the others mostly have, too.
        cases, targets = (list(dict.fromkeys(column)) for column in zip(*stale.values(), strict=True))
        compile_ahead(cases, [Build(target=target, notify=_notify) for target in targets])
    for path, made in wanted.items():
        if path in stale:
            yield Generated(path, _compiled(*made) if compile_stale else "")
        else:
            yield Generated(path, path.read_text(encoding="utf-8"))
    for path in sorted((root / FOLDER).glob("*.ll")):
        if path not in wanted:
            yield Generated(path, None)


def _made_from(case: Case, target: Target) -> str:
    (unit,) = units([case], Build(target=target))
    facts = {
        "kernel": digest(unit.file.read_bytes()),
        "path": shown(unit.file),
        "program": generate.device_program([(unit, target)]),
        "versions": package_versions(),
    }
    return key_of(facts)


def _head(made_from: str, code: str) -> str:
    return f"; Made by `nox -s generate`.\n; from: {made_from}\n; code: {digest(code.encode())}\n"


def _fresh(path: Path, made_from: str) -> bool:
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8")
    code = "".join(text.splitlines(keepends=True)[3:])
    return text == _head(made_from, code) + code


def _compiled(case: Case, target: Target) -> str:
    code = device_code([case], Build(target=target, notify=_notify), "llvm")[case.id]
    if isinstance(code, CompileError):
        raise GenerateError(f"{case.id} for {target}: {code}\n{code.diagnostics}")
    return _head(_made_from(case, target), code) + code


def _notify(line: str) -> None:
    print(line, file=sys.stderr)
