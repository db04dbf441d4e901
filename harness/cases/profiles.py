"""Make kernel profiles from a run's measured launches; compile the kernels' assembly to find their registers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.build.device_code import build_device_code
from harness.build.registers import find_resources
from harness.build.unit import Build
from harness.errors import CompileError, EnvironmentFault
from harness.model.case import Case
from harness.model.occupancy import Resources
from harness.model.profile import KernelProfile, profile_launches
from harness.model.report import CaseReport

__all__ = ["make_profiles"]


def make_profiles(
    cases: Sequence[Case], reports: Sequence[CaseReport], build: Build, notify: Callable[[str], None]
) -> dict[str, tuple[KernelProfile, ...]]:
    """Return the profiles of each case whose report has `measured` launches, by its id; compiles its assembly for the
    registers.

    Args:
        cases: The cases at the sizes at which they ran.
        reports: The reports of these cases.
        build: The target and the files with which they were built.
        notify: Gets one line if this machine cannot determine registers; none for a case that does not compile.
    """
    measured = {report.case: report.measured for report in reports if report.measured}
    codes = build_device_code([case for case in cases if case.id in measured], build, "asm")
    texts = [(name, text) for name, parts in codes.items() if not isinstance(parts, CompileError) for text in parts]
    resources: dict[str, dict[str, Resources]] = {name: {} for name in measured}
    try:
        for (name, _), found_resources in zip(texts, find_resources([text for _, text in texts]), strict=True):
            resources[name].update(found_resources)
    except EnvironmentFault as error:
        notify(f"without registers: {error}")
    return {name: profile_launches(launches, build.target, resources[name]) for name, launches in measured.items()}
