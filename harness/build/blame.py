"""Whose fault it is when a file does not compile with a pair of MAX and Mojo that is not tested.

With a tested pair it is the file's. With any other the puzzle's own solution is compiled in its place: where that fails
too, the pair is to blame, and nobody's work is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from harness.build import versions
from harness.build.unit import BuildUnit
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.sources import MOJO, Sources, shown

__all__ = ["attribute", "own_file"]


def attribute(
    error: CompileError, units: Sequence[BuildUnit], compiles: Callable[[tuple[BuildUnit, ...]], object]
) -> CompileError:
    """Return the error of units of one case; if their file is our own, its message says so and names the pair.

    Args:
        error: Of a compilation of these units alone.
        units: Of one case.
        compiles: Compiles other units in the same way.

    Raises:
        EnvironmentFault: The pair is not tested, and our own solution does not compile with it either.
    """
    own = own_file(units[0].case)
    if not versions.warning() or own is None:
        return error
    if units[0].file == own:
        said = f"{error}: it is the harness's own, and {versions.installed_pair()} is not one of the tested pairs"
        return type(error)(said, error.diagnostics)
    try:
        compiles(tuple(replace(unit, file=own) for unit in units))
    except CompileError as again:
        raise versions.own_fault(f"our own solution {shown(own)}", again) from None
    return error


def own_file(case: Case) -> Path | None:
    """Return the solution of a puzzle of ours; None if there is none, or it cannot be read here, as in a box."""
    path = MOJO / case.puzzle / "solution.mojo"
    if case.file or case.package or not path.is_file():
        return None
    return Sources().kernel_file(case)
