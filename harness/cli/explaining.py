"""Format as text or for editors, and print, the indices outside a shape that `learning.indices` finds by a rerun."""

from __future__ import annotations

from harness.build.unit import Notify
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from harness.report import lines
from harness.report.findings import make_renderer
from harness.report.told import ReportedFinding

__all__ = ["format_index_findings", "print_index_findings"]


def print_index_findings(case: Case, plan: LaunchPlan, sources: Sources, home: str = "") -> None:
    """Print the indices outside of their array's shape, if any; the arguments are those of `format_index_findings`."""
    for line in format_index_findings(case, plan, sources, home):
        print(line, flush=True)


def format_index_findings(
    case: Case, plan: LaunchPlan, sources: Sources, home: str = "", notify: Notify = lambda _: None
) -> list[str]:
    """Return lines about the indices outside of their array's shape, from a second build and run on the first data
    set; empty if there are none, or that build does not compile.

    Args:
        case: The case with a wrong result.
        plan: A plan for the simulator.
        sources: The kernels' files.
        home: A location for lines in the format for editors, see `harness.report.lines`; empty for text.
        notify: Called with a line of progress when the build begins.
    """
    from harness.learning.indices import find_shape_violations

    show, outside = make_renderer(sources), find_shape_violations(case, plan, sources, notify)
    if home:
        return list(lines.format_findings(map(ReportedFinding, outside), show, home))
    return [f"  {line}" for finding in outside for line in show.block(finding)]
