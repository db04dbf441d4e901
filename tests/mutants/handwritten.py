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
from harness.model.steps import Host
from tests.mutants.puzzles import modules

__all__ = ["HOSTS", "MUTANTS", "SourceMutant"]


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """One wrong kernel.

    Attributes:
        case: The case whose kernel is changed.
        name: What was done to it.
        old: A text of the solution.
        new: What stands in its place.
        equivalent: The proof that no run can tell it from the solution, if so.
        step: The number of the step whose kernel it is; of a host function it is the whole file that is changed.
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
        step = entry.steps[self.step]
        text = Sources("solutions").kernel_file(entry).read_text(encoding="utf-8")
        if isinstance(step, Host):
            start = 0 if text.count(self.old) == 1 else len(text)
        else:
            start = re.search(rf"^def {step.name}\b", text, re.MULTILINE).start()
        at = text.find(self.old, start)
        if at < 0:
            raise ValueError(f"mutant {self.id}: the solution has no {self.old!r}, or a host function's has several")
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


_ALL = tuple(_mutants())
MUTANTS = tuple(mutant for mutant in _ALL if not case(mutant.case).called)  # of kernels that are launched
HOSTS = tuple(mutant for mutant in _ALL if case(mutant.case).called)  # of functions of the host, and what they launch
