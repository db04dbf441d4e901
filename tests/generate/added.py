"""The puzzles that `test_new_puzzle.py` adds, of which kernels are compiled with those of others."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from harness.model.case import Case

__all__ = ["ADDED", "NEW", "solution_of"]

NEW = Path(__file__).parent / "new"


def _case(puzzle: str) -> Case:
    """As the catalogue has it of the copy in which the puzzle is."""
    spec = spec_from_file_location(puzzle, NEW / "harness" / "catalogue" / f"{puzzle}.py")
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(module := module_from_spec(spec))
    (case,) = module.CASES
    assert isinstance(case, Case)
    return case


def solution_of(puzzle: str) -> Path:
    """Its solution."""
    return NEW / "mojo" / puzzle / "solution.mojo"


ADDED = {puzzle: _case(puzzle) for puzzle in ("p97", "p99")}  # p98 has a function of the host
