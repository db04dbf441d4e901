"""Find accesses outside of an array's shape, by simulating a case's debug build with assertions on one data set."""

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

__all__ = ["find_shape_violations"]


def find_shape_violations(
    case: Case, plan: LaunchPlan, sources: Sources, notify: Notify = lambda _: None
) -> tuple[Finding, ...]:
    """Run a case on its first data set, at the size that the plan runs, and return the accesses whose index is outside
    of the array's shape.

    Of each source location one finding is returned (kind `out-of-shape`), and no other finding. Such an index may still
    be inside of the array's memory. Empty if the debug build does not compile.

    Args:
        case: The case to run.
        plan: A plan for the simulator.
        sources: The kernels' files.
        notify: Called with a line of progress when something is compiled.
    """
    case = plan.case_to_run(case)
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
    by_sites = {
        tuple(map(str, finding.sites)): finding for finding in outcome.findings if finding.kind == "out-of-shape"
    }
    return tuple(by_sites.values())
