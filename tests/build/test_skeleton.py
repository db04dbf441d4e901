"""A problem is its solution without the lines to fill in."""

from __future__ import annotations

import pytest

from harness.catalogue import CASES, PUZZLES
from harness.build.skeleton import blank, outside
from harness.model.sources import MOJO


def text(kind: str, puzzle: str) -> str:
    return (MOJO / kind / f"{puzzle}.mojo").read_text()


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_problem_equals_solution_outside_the_regions(puzzle):
    """Whatever a learner fills in, the frame around it is the solution's."""
    assert outside(text("problems", puzzle)) == outside(text("solutions", puzzle))


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_each_kernel_has_one_region(puzzle):
    """Every case leaves something to fill in, and the pristine problem leaves it out."""
    solution = text("solutions", puzzle)
    kernels = [case for case in CASES if case.puzzle == puzzle]

    assert solution.count("# FILL ME IN: ") == len(kernels)
    assert blank(solution).count("pass\n") == len(kernels)
    assert len(blank(solution)) < len(solution) - 100


def test_a_change_outside_the_regions_is_seen():
    """The comparison can fail: a changed signature is no longer the same frame."""
    solution = text("solutions", "p15")

    assert outside(solution.replace("batch: Int", "rows: Int")) != outside(solution)
    assert outside(solution.replace("stride //= 2", "stride //= 4")) == outside(solution)
