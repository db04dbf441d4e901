"""Wrong kernels in Mojo, each one edit away from a solution.

A mutant names the text it replaces in the solved file; `source` applies it.
Every mutant must be caught, but for those that are proved equivalent, which say why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from harness.catalogue import find_case
from harness.catalogue.further import DRAWN
from harness.model.sources import Sources
from tests.mutants.documents import Blind, Rule
from tests.mutants.puzzles import modules

__all__ = ["FEW", "HOSTS", "MUTANTS", "RULES", "SourceMutant", "marked"]


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """One wrong kernel.

    Attributes:
        case: The case whose kernel is changed.
        name: What was done to it.
        old: A text of the solution.
        new: What stands in its place.
        equivalent: The proof that no run can tell it from the solution, if so.
        step: The number of the step whose kernel it is; of a function of a struct the whole file is changed.
        silent: Why hardware may show nothing of it, if so.
        blind: Why the documents' own check lets it pass, if so.
    """

    case: str
    name: str
    old: str
    new: str
    equivalent: str = ""
    step: int = 0
    silent: str = ""
    blind: Blind | None = None

    @property
    def further(self) -> bool:
        """Whether a further launch alone shows that it is wrong."""
        return bool(self.blind and f" on {DRAWN}" in self.blind.refused)

    @property
    def id(self) -> str:
        """Case and name."""
        return f"{self.case}-{self.name}"

    def source(self) -> str:
        """The mutated text of the puzzle's file.

        Raises:
            ValueError: The solution no longer has that text.
        """
        entry = find_case(self.case)
        text = Sources("solutions").kernel_file(entry).read_text(encoding="utf-8")
        function = re.search(rf"^def {entry.steps[self.step].name}\b", text, re.MULTILINE)
        if function is None:  # one of a struct
            start = 0 if text.count(self.old) == 1 else len(text)
        else:
            start = function.start()
        at = text.find(self.old, start)
        if at < 0:
            raise ValueError(f"mutant {self.id}: the solution has no {self.old!r}, or a struct's file has several")
        return text[:at] + self.new + text[at + len(self.old) :]


def _mutants() -> Iterator[SourceMutant]:
    for module in modules():
        silent, blind = getattr(module, "SILENT", {}), getattr(module, "BLIND", {})
        for (where, step), edits in module.EDITS.items():
            for name, old, new in edits:
                told = {"silent": silent.get((where, name), ""), "blind": blind.get((where, name))}
                yield SourceMutant(where, name, old, new, step=step, **told)
        for (where, step), edits in getattr(module, "EQUIVALENT", {}).items():
            for name, old, new, why in edits:
                yield SourceMutant(where, name, old, new, why, step, blind=blind.get((where, name)))


_ALL = tuple(_mutants())
MUTANTS = tuple(mutant for mutant in _ALL if not find_case(mutant.case).called)  # of kernels that are launched
HOSTS = tuple(
    mutant for mutant in _ALL if find_case(mutant.case).called
)  # of functions of the host, and what they launch
RULES: dict[str, Rule] = {name: rule for module in modules() for name, rule in getattr(module, "RULES", {}).items()}
# Three wrong ones of each mode, blind spots before others, which stand for all where time is short; and one of a second
# launch, whose results alone are wrong.
FEW = frozenset(
    wrong.id
    for mode in dict.fromkeys(mutant.case for mutant in _ALL)
    for wrong in sorted(
        (mutant for mutant in _ALL if mutant.case == mode and not mutant.equivalent),
        key=lambda mutant: not mutant.blind,
    )[:3]
) | {"p14:complete-own-total-added", *(mutant.id for mutant in _ALL if mutant.blind and mutant.equivalent)}


def marked(mutants: Iterable[SourceMutant]) -> list[Any]:
    """Parameters of a test: `FEW` for `tests`, all for `full`."""
    return [
        pytest.param(mutant, id=mutant.id, marks=() if mutant.id in FEW else pytest.mark.full) for mutant in mutants
    ]
