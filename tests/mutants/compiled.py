"""Compiles many hand-written mutants of a puzzle in one build.

Each mutant is a module of its own, and so is the program that enqueues its
kernels; one `main` calls them all.  The standard library is compiled once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness.build import toolchain
from harness.build.unit import parameters_of
from harness.catalogue import CASES, case
from harness.model.sources import MOJO
from harness.model.target import Target
from tests.mutants.handwritten import Mutant

__all__ = ["device_code"]


def device_code(mutants: Sequence[Mutant], target: Target) -> dict[str, str]:
    """The LLVM IR of each mutant's kernel, by the mutant's id.

    Raises:
        CompileError: One of them does not compile.
    """
    found = {}
    for puzzle in dict.fromkeys(case(mutant.case).puzzle for mutant in mutants):
        mine = [mutant for mutant in mutants if case(mutant.case).puzzle == puzzle]
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            emitted = _emit(puzzle, mine, target, Path(folder))
        for number, mutant in enumerate(mine):
            prefix = f"mutant{number}_{case(mutant.case).kernel}"
            own = [symbol for symbol in emitted if symbol.startswith(f"mutant{number}_")]
            # The compiler cuts long names short: the kernel is the one that agrees longest.
            found[mutant.id] = emitted[max(own, key=lambda symbol: _common(symbol, prefix))]
    return found


def _emit(puzzle: str, mutants: Sequence[Mutant], target: Target, folder: Path) -> dict[str, str]:
    program = (MOJO / "device_ir" / f"{puzzle}_device.mojo").read_text()
    calls = []
    for number, mutant in enumerate(mutants):
        module = f"mutant{number}"
        (folder / f"{module}.mojo").write_text(mutant.source(case(mutant.case).kernel))
        text = program.replace(f"from {puzzle} import", f"from {module} import")
        text = text.replace("def main() raises:", f"def enqueue_{module}() raises:")
        (folder / f"program{number}.mojo").write_text(text)
        calls.append(number)
    main = "".join(f"from program{number} import enqueue_mutant{number}\n" for number in calls)
    main += "\n\ndef main() raises:\n" + "".join(f"    enqueue_mutant{number}()\n" for number in calls)
    (folder / "main.mojo").write_text(main)
    defines = {
        f"{entry.op}_{name}": value
        for entry in CASES
        if entry.puzzle == puzzle
        for name, value in parameters_of(entry.instance(target.warp_width)).items()
    }
    return toolchain.emit(folder / "main.mojo", target.architecture, "llvm", defines=defines, includes=[folder])


def _common(left: str, right: str) -> int:
    return next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
