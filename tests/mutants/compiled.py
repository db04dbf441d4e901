"""Compiles many hand-written mutants in one build: the standard library is compiled once."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.build.unit import Build, units
from harness.catalogue import case
from harness.model.target import Target
from tests import compiled
from tests.mutants.handwritten import SourceMutant

__all__ = ["device_code"]


def device_code(mutants: Sequence[SourceMutant], target: Target) -> dict[str, str]:
    """The LLVM IR of each mutant's kernel, by the mutant's id.

    Raises:
        CompileError: One of them does not compile.
    """
    build, parts = Build(target=target), []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for number, mutant in enumerate(mutants):
            entry = case(mutant.case)
            file = Path(folder) / f"mutant{number}.mojo"
            file.write_text(mutant.source(entry.kernels[0]))
            (unit,) = units([entry], build)
            parts.append((replace(unit, file=file, module=file.stem), target))
        codes = compiled.kernels(parts)
    return {mutant.id: code for mutant, code in zip(mutants, codes, strict=True)}
