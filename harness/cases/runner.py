"""`Runner`: compile cases, run each with its further launches; add graph verdicts, predictions, faults of a file."""

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
    from harness.cases.python_graph import GraphVerdict

__all__ = ["Runner"]

Notify = Callable[[str], None]


class Runner:
    """Some cases, prepared: their kernels are compiled, and each GPU, or the simulator, has a backend.

    Args:
        cases: The cases that may be run.
        plan: The plan of compilation and launches.
        sources: The files with the kernels.
        notify: Gets one line when something is compiled.
        bundle: Artifacts that were built elsewhere, instead of the sources.
        compiled: The code for the simulator if it was compiled elsewhere.
        limits: The limits of each call of a compiler; None for those of each compiler.
        graphs: The verdicts on the graphs that the cases' Python builds; None to check them here.

    Attributes:
        backend: The first backend.
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
        graphs: Mapping[str, GraphVerdict] | None = None,
    ) -> None:
        if plan.jobs > 1:
            notify, plan = forked.limit_to_this_process(notify), forked.divide_workers(plan)
        self._plan, self._sources = plan, None if bundle else sources
        # A reference runs on any target.
        cases = [case for case in cases if plan.backend == "cpu" or case.refusal(plan.target) is None]
        self._graphs = graphs or {}
        graphed = [case for case in cases if case.graph]  # at the documented size, as Python builds them
        if graphs is None and compiled is None and bundle is None and graphed:
            from harness.cases.python_graph import check_case_graphs

            self._graphs = check_case_graphs(graphed, sources, plan.target.warp_width)
        self._prepared = prepare(cases, plan, sources, notify=notify, bundle=bundle, compiled=compiled, limits=limits)
        self.backend: Backend = self._prepared.backends[0]

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        for backend in self._prepared.backends:
            backend.close()

    def backend_for(self, case: Case) -> Backend:
        """Return what executes a case on the first GPU, or in the simulator: the backend, or the caller of its host
        functions.
        """
        return self._find_executor(case, self.backend) or self.backend

    def _find_executor(self, case: Case, backend: Backend) -> Backend | None:
        """Return what executes a case on the GPU of a backend: the backend, or its caller of host functions if the case
        only calls those and its graph is not executed. None if nothing here makes the case's calls.
        """
        if not case.called or self._plan.runs_graph(case):
            return backend
        prepared = self._prepared
        if prepared.host_callers and not case.kernel_steps:
            return prepared.host_callers[prepared.backends.index(backend)]
        return backend if prepared.calls_made else None

    def find_compile_error(self, case: Case) -> CompileError | None:
        """Return the error of a case that does not compile, or None."""
        return self._prepared.errors.get(case.id)

    def refuses(self, case: Case) -> bool:
        """Return True if a case is not executed because it does not compile, reads the clock of a simulated device, or
        calls host functions where nothing makes calls. Whether the target refuses it is not looked at.
        """
        prepared = self._prepared
        unfit = case.id in prepared.errors or case.id in prepared.clocks
        return unfit or self._find_executor(case, self.backend) is None

    def reports(self, cases: Sequence[Case]) -> Iterator[CaseReport]:
        """Run the cases and yield their reports, each on the first GPU that is free; it runs the next case while
        results are judged. The simulator's come in the order of the cases; on GPUs those of large cases come first.
        """
        if self._plan.backend == "simulator":
            return forked.map_cases(cases, self._plan, self.report)
        from harness.cases.side_by_side import map_on_gpus

        backends = self._prepared.backends
        return map_on_gpus(cases, backends, lambda case, backend: self.report(case, backend=backend))

    def report(self, case: Case, code: str | None = None, backend: Backend | None = None) -> CaseReport:
        """Run a case on all of its data sets and return its report; with its assembly (`code`), check that too.

        It runs at the plan's size on the GPU of `backend`, or else on the first GPU. Further launches run while all is
        right. The verdict on its graph and findings about the learner's file are merged in. A case that does not
        compile or cannot run here has a report that says why; only `EnvironmentFault` is raised, as by `_run_case`.
        """
        case = self._plan.case_to_run(case)
        backend = backend or self.backend
        report, decided = self._run_case(case, code, backend), case
        for further in self._plan.sizes(case)[1:]:
            if not report.ok:  # what is wrong already would only be so again
                break
            from harness.cases.case_run import merge_further_report

            decided = further
            beside = self._run_case(further, None, backend)
            report = merge_further_report(report, beside, further, self._plan.target.warp_width)
        if case.id in self._graphs:
            from harness.cases.python_graph import merge_graph_verdict

            report = merge_graph_verdict(report, self._graphs[case.id], case)
        if self._plan.gpus:
            number = self._plan.gpus[self._prepared.backends.index(backend)]
            report = replace(report, device=f"{report.device}, GPU {number}")
        return self._explain(case, report, decided)

    def _explain(self, case: Case, report: CaseReport, decided: Case | None = None) -> CaseReport:
        """Return the report with findings about the learner's file; `decided` as in `add_file_causes`. A right one
        with an open or wrong prediction becomes a FINDING; skipped ones, references and artifacts are unchanged.
        """
        if report.verdict in (Verdict.SKIPPED, Verdict.REFERENCE) or self._sources is None:
            return report
        if report.ok and isinstance(case.handout, Predict) and not self._sources.are_solutions(case):
            from harness.cases.predicted import judge_predictions

            report = judge_predictions(report, case.handout, case, self._sources)
        from harness.cases.frame_check import add_file_causes, add_file_remarks

        if report.ok:
            return replace(report, findings=add_file_remarks(report.findings, case, self._sources))
        return replace(report, findings=add_file_causes(report.findings, case, self._sources, decided))

    def _run_case(self, case: Case, code: str | None, backend: Backend) -> CaseReport:
        """Run one size of a case on the GPU of a backend and return its report, which says why if the case did not run.

        It is then SKIPPED if the target refuses the case or nothing here can run it, COMPILE_ERROR or TIMEOUT if it did
        not compile, FINDING if it reads a clock.

        Raises:
            EnvironmentFault: This machine is to blame; of a case with host functions, INCOMPLETE is reported instead.
        """
        plan, prepared, executor = self._plan, self._prepared, self._find_executor(case, backend)
        backend = executor or backend
        if (refusal := case.refusal(plan.target)) is not None and plan.backend != "cpu":
            return self._skip(case, backend, refusal)
        if plan.backend == "cpu" and find_reference(case) is None and not plan.runs_graph(case):
            return self._skip(case, backend, f"{case.puzzle} has no reference.mojo that a processor could run")
        if error := prepared.errors.get(case.id):
            file = self._sources.kernel_file(case) if self._sources else None
            text = file.read_text(encoding="utf-8", errors="replace") if file and file.is_file() else ""
            advice, late = find_advice(error.diagnostics, text.split("\n")), isinstance(error, CompileTimeout)
            why = make_finding("run.compile-error", reason=str(error), items=error.items, **advice)
            return self._report_without_run(case, backend, Verdict.TIMEOUT if late else Verdict.COMPILE_ERROR, (why,))
        if executor is None:
            return self._skip(case, backend, explain_kernels_only(f"what runs it here ({backend.name})", case))
        if case.id in prepared.clocks:
            return self._report_without_run(case, backend, Verdict.FINDING, (make_finding("run.reads-clock"),))
        from harness.cases.case_run import run_case

        try:
            return run_case(case, plan, backend, build_seconds=prepared.seconds.get(case.id, 0.0), code=code)
        except EnvironmentFault as error:
            if not case.called:
                raise
            # Its process needs more of this machine than kernels do; the other cases may run all the same.
            why = make_finding("run.environment", reason=str(error))
            return self._report_without_run(case, backend, Verdict.INCOMPLETE, (why,))

    def report_decided(self, case: Case, dataset: DatasetReport) -> CaseReport:
        """Return the report of a case that one data set decided, with findings about the file; runs nothing, as other
        data sets would only repeat it.
        """
        report = self._report_without_run(case, self.backend, dataset.verdict, dataset.findings, (dataset,))
        return self._explain(case, report)

    def _skip(self, case: Case, backend: Backend, reason: str) -> CaseReport:
        why = make_finding("run.skipped", "information", reason=reason)
        return self._report_without_run(case, backend, Verdict.SKIPPED, (why,))

    def _report_without_run(
        self,
        case: Case,
        backend: Backend,
        verdict: Verdict,
        findings: tuple[Finding, ...],
        datasets: tuple[DatasetReport, ...] = (),
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
