"""Compiles many hand-written mutants in one build: the standard library is compiled once."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.build.device_code import Texts
from harness.build.unit import Build, units
from harness.catalogue import case
from harness.model.target import Target
from tests import compiled
from tests.mutants.handwritten import SourceMutant

__all__ = ["device_code"]


def device_code(mutants: Sequence[SourceMutant], target: Target) -> dict[str, Texts]:
    """The LLVM IR of each launch of each mutant, by the mutant's id.

    Raises:
        CompileError: One of them does not compile.
    """
    build, parts = Build(target=target), []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for number, mutant in enumerate(mutants):
            entry = case(mutant.case)
            file = Path(folder) / f"mutant{number}.mojo"
            file.write_text(mutant.source())
            parts += [(replace(unit, file=file, module=file.stem), target) for unit in units([entry], build)]
        codes = iter(compiled.kernels(parts))
    return {mutant.id: tuple(next(codes) for _ in case(mutant.case).steps) for mutant in mutants}
