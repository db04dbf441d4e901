"""The indices that arrays' shapes do not have: in a puzzle's kernels, from a debug build, which is kept by content."""

from __future__ import annotations

from harness import simt
from harness.backends.base import Request
from harness.backends.simulator import SimulatorBackend
from harness.build.unit import Build, Notify
from harness.cases.prepare import compile_cases
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from harness.simt.findings import Finding
from harness.simt.observing.shapes import Shapes

__all__ = ["indices"]


def indices(case: Case, plan: LaunchPlan, sources: Sources, notify: Notify = lambda _: None) -> tuple[Finding, ...]:
    """The indices that are outside of their array's shape on the documented data, be they inside of its memory or not.

    Args:
        case: Its kernels compile, be they launched by functions of the host or as the catalogue has it.
        plan: For the simulator.
        sources: Whose kernels.
        notify: Gets a line when they are compiled.
    """
    case = plan.sized(case)
    # A LayoutTensor says itself what is outside of its shape, if it is asked to.
    build = Build(target=plan.target, sources=sources, notify=notify, debug=True, assertions=True)
    compiled = compile_cases([case], build)
    if case.id in compiled.errors:
        return ()
    modules = [simt.decode(text, variables=True) for text in compiled.texts[case.id]]
    fixed = LaunchPlan(plan.target, plan.backend)
    backend = SimulatorBackend(fixed, {case.id: modules}, observers=lambda **_: (Shapes(),), calls=compiled.calls)
    instance = case.instance(plan.target.warp_width)
    outcome = backend.launch(Request(case=case, instance=instance, dataset=instance.datasets[0], counted=False))
    # Two calls of the host may launch the same kernel.
    found = {tuple(map(str, found.sites)): found for found in outcome.findings if found.kind == "out-of-shape"}
    return tuple(found.values())
