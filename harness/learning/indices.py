"""The indices that arrays' shapes do not have: in a puzzle's kernels, from a debug build, which is kept by content."""

from __future__ import annotations

from harness import simt
from harness.backends.base import Request
from harness.backends.simulator import SimulatorBackend
from harness.build.device_code import device_code
from harness.build.unit import Build, Notify
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.report import Plan
from harness.model.sources import Sources
from harness.simt.findings import Finding
from harness.simt.observing.shapes import Shapes

__all__ = ["indices"]


def indices(case: Case, plan: Plan, sources: Sources, notify: Notify = lambda _: None) -> tuple[Finding, ...]:
    """The indices that are outside of their array's shape on the documented data, be they inside of its memory or not.

    Args:
        case: Its kernels compile; of functions of the host nothing is told.
        plan: For the simulator.
        sources: Whose kernels.
        notify: Gets a line when they are compiled.
    """
    case = plan.sized(case)
    if case.called:
        return ()
    build = Build(target=plan.target, sources=sources, notify=notify, debug=True)
    code = device_code([case], build, "llvm")[case.id]
    if isinstance(code, CompileError):
        return ()
    modules = [simt.decode(text, variables=True) for text in code]
    watching = {number: Shapes() for number in range(len(case.steps))}
    backend = SimulatorBackend(plan.target, {case.id: modules}, recorders=watching)
    instance = case.instance(plan.target.warp_width)
    outcome = backend.launch(Request(case=case, instance=instance, dataset=instance.datasets[0], counted=False))
    return tuple(found for found in outcome.findings if found.kind == "out-of-shape")
