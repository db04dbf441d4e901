"""Why a learner's result is wrong, beside its verdict."""

from __future__ import annotations

from harness.build.unit import Notify
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from harness.report import lines
from harness.report.findings import make_renderer
from harness.report.told import ReportedFinding

__all__ = ["index_lines", "tell_indices"]


def tell_indices(case: Case, plan: LaunchPlan, sources: Sources, home: str = "") -> None:
    """Prints the indices that arrays' shapes do not have; arguments as of `index_lines`."""
    for line in index_lines(case, plan, sources, home):
        print(line, flush=True)


def index_lines(
    case: Case, plan: LaunchPlan, sources: Sources, home: str = "", notify: Notify = lambda _: None
) -> list[str]:
    """The indices that arrays' shapes do not have, in words; a second build says which they are.

    Args:
        case: What is wrong.
        plan: For the simulator.
        sources: Whose kernels.
        home: Where given, they are lines for editors; see `harness.report.lines`.
        notify: Gets a line when it is compiled.
    """
    from harness.learning.indices import indices

    show, outside = make_renderer(sources), indices(case, plan, sources, notify)
    if home:
        return list(lines.format_findings(map(ReportedFinding, outside), show, home))
    return [f"  {line}" for found in outside for line in show.block(found)]
