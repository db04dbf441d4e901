"""Suspect the simulator or an untested MAX; compare with our solution's result: NOT_GRADED if neither compiles.

A compile error may be the harness's only with a pair of MAX and Mojo that is not a tested one.
"""

from __future__ import annotations

from dataclasses import replace

from harness.build import versions
from harness.grading.work import STUMBLED, JobResult, ModeResult
from harness.model.verdict import Verdict

__all__ = ["may_be_ours", "with_control"]


def may_be_ours(mode: ModeResult) -> bool:
    """Return whether a mode's verdict may be the harness's fault.

    True if its reason says that the simulator failed on it (`STUMBLED`), or if it does not compile and the installed
    pair of MAX and Mojo is not a tested one.
    """
    return mode.reason.startswith(STUMBLED) or _is_suspect(mode)


def _is_suspect(mode: ModeResult) -> bool:
    return mode.verdict == Verdict.COMPILE_ERROR and bool(versions.untested_warning())


def with_control(result: JobResult, control: JobResult) -> JobResult:
    """Return the result with NOT_GRADED for each mode that compiles neither in the file nor in our own solution.

    With a tested pair of MAX and Mojo the result is unchanged.

    Args:
        result: The result of a file.
        control: The result of our own solution of the same puzzle.
    """
    suspect_cases = {mode.case for mode in control.modes if _is_suspect(mode)}
    reason = f"our own solution does not compile with {versions.installed_pair()} either"
    modes = (
        replace(mode, verdict=Verdict.NOT_GRADED, reason=reason)
        if mode.case in suspect_cases and _is_suspect(mode)
        else mode
        for mode in result.modes
    )
    return replace(result, modes=tuple(modes))
