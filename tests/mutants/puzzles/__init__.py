"""Wrong and right kernels in Mojo, a module for each puzzle that has some; each is found by its name.

EDITS: by case and the number of the step, `(what is done, a text of the solution, what stands in its place)`.
EQUIVALENT: the same for what is right all the same, with the proof as a fourth text.
SILENT: by case and what is done, why hardware may show nothing of it.
BLIND: by case and what is done, why the documents' own check lets it pass, and what the harness says of it
    (`tests.mutants.documents.Blind`).
RULES: by case what the documents' check compares, where that is not each element with the expected one.
RIGHT: what else a learner may write, each as `tests.puzzles.right.Right` takes it.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

__all__ = ["modules"]


def modules() -> Iterator[ModuleType]:
    """That of each puzzle."""
    for found in pkgutil.iter_modules(__path__):
        yield import_module(f"{__name__}.{found.name}")
