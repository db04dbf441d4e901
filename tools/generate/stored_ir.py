"""The solutions' compiled code that the simulator's tests read, so that they need no compiler."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.build.device_code import device_code
from harness.build.unit import Build
from harness.catalogue import CASES
from harness.errors import CompileError
from harness.model.target import Target
from tools.generate.files import Generated, GenerateError

__all__ = ["TARGETS", "generated"]

FOLDER = Path("tests", "simt", "ir")
TARGETS = ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")


def generated(root: Path) -> Iterator[Generated]:
    """The LLVM IR of every case for every target that can run it, and nothing else.

    Raises:
        GenerateError: A solution does not compile.
    """
    folder, wanted = root / FOLDER, {}
    for target in map(Target.parse, TARGETS):
        for name, text in device_code(CASES, Build(target=target), "llvm").items():
            if isinstance(text, CompileError):
                raise GenerateError(f"{text}\n{text.diagnostics}")
            op = next(case.op for case in CASES if case.id == name)
            wanted[folder / f"{op}.{target.architecture}.ll"] = text
    for path, text in wanted.items():
        yield Generated(path, text)
    for path in set(folder.glob("*.ll")) - set(wanted):
        yield Generated(path, None)
