"""What a run shares: the cases prepared as the plan says, each then run, judged and explained."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from harness.backends.base import Backend
from harness.build.compile_advice import find_advice
from harness.build.hosts import explain_kernels_only
from harness.cases import forked
from harness.cases.prepare import CompiledCases, prepare
from harness.errors import CompileError, CompileTimeout, EnvironmentFault
from harness.model.case import Case
from harness.model.handout import Predict
from harness.model.launch_plan import LaunchPlan
from harness.model.messages import make_finding
from harness.model.report import CaseReport, DatasetReport
from harness.model.sources import Sources, find_reference
from harness.model.verdict import Verdict
from harness.process.child import Limits
from harness.simt.findings import Finding

if TYPE_CHECKING:
    from harness.build.bundle import Bundle
    from harness.cases.python_graph import Checked

__all__ = ["Runner"]

Notify = Callable[[str], None]


class Runner:
    """Some cases, prepared: their kernels are compiled, and each GPU, or the simulator, has a backend.

    Args:
        cases: What may be run.
        plan: What is compiled, and how it is launched.
        sources: Whose kernels.
        notify: Gets one line when something is compiled.
        bundle: Artifacts that were built elsewhere, instead of the sources.
        compiled: For the simulator, what was compiled elsewhere.
        limits: On each call of a compiler; None for those of each compiler.
        graphs: What became of the graphs of the cases' Python; None to look here.
    """

    def __init__(
        self,
        cases: Sequence[Case],
        plan: LaunchPlan,
        sources: Sources,
        notify: Notify = lambda _: None,
        bundle: Bundle | None = None,
        compiled: CompiledCases | None = None,
        limits: Limits | None = None,
        graphs: Mapping[str, Checked] | None = None,
    ) -> None:
        notify, self._plan = forked.only_here(notify), forked.shared_out(plan)
        self._sources = None if bundle else sources
        cases = [case for case in cases if plan.takes(case)]
        self._graphs = graphs or {}
        graphed = [case for case in cases if case.graph]  # at the documented size, as Python builds them
        if graphs is None and compiled is None and bundle is None and graphed:
            from harness.cases.python_graph import checked

            self._graphs = checked(graphed, sources, plan.target.warp_width)
        self._prepared = prepare(
            cases, self._plan, sources, notify=notify, bundle=bundle, compiled=compiled, limits=limits
        )

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        for backend in self._prepared.backends:
            backend.close()

    @property
    def backend(self) -> Backend:
        """The first of them."""
        return self._prepared.backends[0]

    def backend_for(self, case: Case) -> Backend:
        """Return what executes a case, the first that does."""
        return self._caller_for(case, self.backend)

    def _caller_for(self, case: Case, backend: Backend) -> Backend:
        """Return what executes a case on the GPU of a backend."""
        callers = self._prepared.host_callers
        if not case.called or not callers or self._plan.runs_graph(case) or case.kernel_steps:
            return backend
        return callers[self._prepared.backends.index(backend)]

    def _lacks_caller(self, case: Case) -> bool:
        """Return whether a case calls functions of the host, and nothing here makes the calls."""
        prepared = self._prepared
        here = prepared.calls_made or (prepared.host_callers and not case.kernel_steps) or self._plan.runs_graph(case)
        return bool(case.called) and not here

    def failed(self, case: Case) -> CompileError | None:
        """The error of a case that does not compile."""
        return self._prepared.errors.get(case.id)

    def refuses(self, case: Case) -> bool:
        """Whether a case is not executed: it does not compile, reads the clock of a simulated device, or calls
        functions of the host where nothing makes calls.
        """
        return case.id in self._prepared.errors or case.id in self._prepared.clocks or self._lacks_caller(case)

    def reports(self, cases: Sequence[Case]) -> Iterator[CaseReport]:
        """Runs the cases, each on the first GPU that is free; it runs the next while what it left of one is judged."""
        if self._plan.backend == "simulator":
            return forked.side_by_side(cases, self._plan, self.report)
        from harness.cases.side_by_side import side_by_side

        backends = self._prepared.backends
        return side_by_side(cases, backends, lambda case, backend: self.report(case, backend=backend))

    def report(self, case: Case, code: str | None = None, backend: Backend | None = None) -> CaseReport:
        """Runs a case on all of its data sets; with its assembly, checks that too."""
        case = self._plan.case_to_run(case)
        backend = backend or self.backend
        report, decided = self._judged(case, code, self._caller_for(case, backend)), case
        for further in self._plan.sizes(case)[1:]:
            if not report.ok:  # what is wrong already would only be so again
                break
            from harness.cases.case_run import joined

            decided = further
            beside = self._judged(further, None, self._caller_for(further, backend))
            report = joined(report, beside, further, self._plan.target.warp_width)
        if case.id in self._graphs:
            from harness.cases.python_graph import with_graph

            report = with_graph(report, self._graphs[case.id], case)
        if self._plan.gpus:
            number = self._plan.gpus[self._prepared.backends.index(backend)]
            report = replace(report, device=f"{report.device}, GPU {number}")
        return self._explained(case, report, decided)

    def _explained(self, case: Case, report: CaseReport, decided: Case | None = None) -> CaseReport:
        """The same report, with what is to be told of the file itself; `decided` as of `in_front_of`."""
        if report.verdict in (Verdict.SKIPPED, Verdict.REFERENCE) or self._sources is None:
            return report
        if report.ok and isinstance(case.handout, Predict) and not self._sources.are_solutions(case):
            from harness.cases.predicted import with_predictions

            report = with_predictions(report, case.handout, case, self._sources)
        from harness.cases.frame_check import behind, in_front_of

        if report.ok:
            return replace(report, findings=behind(report.findings, case, self._sources))
        return replace(report, findings=in_front_of(report.findings, case, self._sources, decided))

    def _judged(self, case: Case, code: str | None, backend: Backend) -> CaseReport:
        plan = self._plan
        if (refusal := case.refusal(plan.target)) is not None and plan.backend != "cpu":
            return self._skipped(case, backend, refusal)
        if plan.backend == "cpu" and find_reference(case) is None and not plan.runs_graph(case):
            return self._skipped(case, backend, f"{case.puzzle} has no reference.mojo that a processor could run")
        if error := self.failed(case):
            advice, late = find_advice(error.diagnostics), isinstance(error, CompileTimeout)
            why = make_finding("run.compile-error", reason=str(error), items=error.items, **advice)
            return self._unrun(case, backend, Verdict.TIMEOUT if late else Verdict.COMPILE_ERROR, why)
        if self._lacks_caller(case):
            return self._skipped(case, backend, explain_kernels_only(f"what runs it here ({backend.name})", case))
        if case.id in self._prepared.clocks:
            return self._unrun(case, backend, Verdict.FINDING, make_finding("run.reads-clock"))
        from harness.cases.case_run import run_case

        seconds = self._prepared.seconds.get(case.id, 0.0)
        try:
            return run_case(case, plan, backend, build_seconds=seconds, code=code)
        except EnvironmentFault as error:
            if not case.called:
                raise
            # Its process needs more of this machine than kernels do; the other cases may run all the same.
            return self._unrun(case, backend, Verdict.INCOMPLETE, make_finding("run.environment", reason=str(error)))

    def given_up(self, case: Case, dataset: DatasetReport) -> CaseReport:
        """The report of a case that one data set decided: the others would only repeat it."""
        report = self._report(case, self.backend, dataset.verdict, dataset.findings, (dataset,))
        return self._explained(case, report)

    def _skipped(self, case: Case, backend: Backend, reason: str) -> CaseReport:
        return self._unrun(case, backend, Verdict.SKIPPED, make_finding("run.skipped", "information", reason=reason))

    def _unrun(self, case: Case, backend: Backend, verdict: Verdict, why: Finding) -> CaseReport:
        return self._report(case, backend, verdict, (why,), ())

    def _report(
        self,
        case: Case,
        backend: Backend,
        verdict: Verdict,
        findings: tuple[Finding, ...],
        datasets: tuple[DatasetReport, ...],
    ) -> CaseReport:
        return CaseReport(
            case=case.id,
            target=self._plan.target.name,
            backend=self._plan.backend,
            device=backend.device,
            verdict=verdict,
            launches=case.launches(self._plan.target.warp_width),
            resized=case.resized,
            findings=findings,
            datasets=datasets,
            build_seconds=self._prepared.seconds.get(case.id, 0.0),
            run_seconds=sum(dataset.run_seconds for dataset in datasets),
        )
