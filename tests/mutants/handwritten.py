"""Wrong kernels in Mojo, each one edit away from a solution.

A mutant names the text it replaces in the solved file; `source` applies it.
Every mutant must be caught, but for those that are proved equivalent, which say why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from harness.catalogue import case
from harness.model.sources import Sources
from tests.mutants.puzzles import modules

__all__ = ["MUTANTS", "SourceMutant"]


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """One wrong kernel.

    Attributes:
        case: The case whose kernel is changed.
        name: What was done to it.
        old: A text of the solution.
        new: What stands in its place.
        equivalent: The proof that no run can tell it from the solution, if so.
        step: The number of the step whose kernel it is.
        silent: Why hardware may show nothing of it, if so.
    """

    case: str
    name: str
    old: str
    new: str
    equivalent: str = ""
    step: int = 0
    silent: str = ""

    @property
    def id(self) -> str:
        """Case and name."""
        return f"{self.case}-{self.name}"

    def source(self) -> str:
        """The mutated text of the puzzle's file.

        Raises:
            ValueError: The solution no longer has that text.
        """
        entry = case(self.case)
        kernel = entry.steps[self.step].name
        text = Sources("solutions").kernel_file(entry).read_text(encoding="utf-8")
        start = re.search(rf"^def {kernel}\b", text, re.MULTILINE).start()
        at = text.find(self.old, start)
        if at < 0:
            raise ValueError(f"mutant {self.id}: the solution has no {self.old!r}")
        return text[:at] + self.new + text[at + len(self.old) :]


def _mutants() -> Iterator[SourceMutant]:
    for module in modules():
        silent = getattr(module, "SILENT", {})
        for (where, step), edits in module.EDITS.items():
            for name, old, new in edits:
                yield SourceMutant(where, name, old, new, step=step, silent=silent.get((where, name), ""))
        for (where, step), edits in getattr(module, "EQUIVALENT", {}).items():
            for name, old, new, why in edits:
                yield SourceMutant(where, name, old, new, equivalent=why, step=step)


MUTANTS = tuple(_mutants())
