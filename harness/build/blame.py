"""With an untested pair of MAX and Mojo, compile the solution too, to see if the pair is to blame for an error.

With a tested pair the file is to blame. With any other pair the puzzle's own solution is compiled instead: if that
fails too, the pair is to blame, and nobody's work is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from harness.build import versions
from harness.build.unit import BuildUnit
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.sources import MOJO, Sources, display_path

__all__ = ["attribute_error", "find_solution"]


def attribute_error(
    error: CompileError, units: Sequence[BuildUnit], compiles: Callable[[tuple[BuildUnit, ...]], object]
) -> CompileError:
    """Return the compile error, or raise EnvironmentFault if the installed pair of MAX and Mojo is to blame.

    The error is unchanged if the pair is tested, or the case has no solution of the harness. Otherwise, if the units'
    file is that solution, a copy of the error is returned whose message also says that the pair is not tested. For any
    other file the solution is compiled, and the error is unchanged if that succeeds.

    Args:
        error: The error of compiling these units alone.
        units: Units of one case, all of one file.
        compiles: Compiles other units in the same way; raises CompileError if they do not compile.

    Raises:
        EnvironmentFault: The pair is not tested, and the harness's own solution does not compile with it either.
    """
    solution = find_solution(units[0].case)
    if not versions.untested_warning() or solution is None:
        return error
    if units[0].file == solution:
        message = f"{error}: it is the harness's own, and {versions.installed_pair()} is not one of the tested pairs"
        return type(error)(message, error.diagnostics)
    try:
        compiles(tuple(replace(unit, file=solution) for unit in units))
    except CompileError as second_error:
        raise versions.make_own_fault(f"our own solution {display_path(solution)}", second_error) from None
    return error


def find_solution(case: Case) -> Path | None:
    """Return the file of the harness's own solution of a puzzle.

    Returns None if the case has a file or package of its own, or if there is no such file, as in a sandbox.
    """
    path = MOJO / case.puzzle / "solution.mojo"
    if case.file or case.package or not path.is_file():
        return None
    return Sources().kernel_file(case)
