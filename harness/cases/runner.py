"""What a run shares: the built kernels, and the backends that execute them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from harness.backends.base import Backend
from harness.build.cache import Cache
from harness.build.clock import reads_clock
from harness.build.compile_advice import find_advice
from harness.build.device_code import Texts, build_device_code
from harness.build.hosts import explain_kernels_only
from harness.build.objects import CachedObjects
from harness.build.unit import Build
from harness.cases import forked
from harness.errors import CompileError, CompileTimeout, EnvironmentFault
from harness.model.case import Case
from harness.model.handout import Predict
from harness.model.messages import make_finding
from harness.model.report import CaseReport, DatasetReport, RunPlan
from harness.model.sources import Sources, find_reference
from harness.model.verdict import Verdict
from harness.process.child import Limits
from harness.simt.findings import Finding

if TYPE_CHECKING:  # a compiler is started first, and what comes after it is loaded while it runs
    from harness.backends.calls import Calls
    from harness.backends.max_backend import Transport
    from harness.build.bundle import Bundle
    from harness.build.graphs import Graphs
    from harness.cases.python_graph import Checked

__all__ = ["Runner", "import_simulator"]

Notify = Callable[[str], None]


def import_simulator() -> None:
    """What takes a tenth of a second, and while a compiler runs nobody's time."""
    import numpy as np

    from harness.backends import simulator
    from harness.cases import case_run, frame_check
    from harness.simt import public

    # NumPy loads these two when `unique` and a generator are first asked for.
    _ = simulator, case_run, frame_check, public, np.ma, np.random


def _looked_up(bundle: Bundle, cases: Sequence[Case], transports: Sequence[Transport]) -> Graphs:
    """What was built of some cases; the engines, which take longer, are on their way meanwhile."""
    with ExitStack() as begun:
        for transport in transports if cases else ():
            begun.callback(transport.close)
            transport.begin()
        built = bundle.load_graphs(cases)
        begun.pop_all()
    return built


class Runner:
    """The kernels of some cases, built, and one backend or one for each GPU.

    Args:
        cases: What may be run.
        plan: On what.
        sources: Whose kernels.
        seed: Shuffles the simulator's schedule; None for its fixed order.
        notify: Gets one line when something is compiled.
        bundle: Artifacts that were built elsewhere, instead of the sources.
        data_seed: Draws data beside the documented sets; None for those alone.
        assertions: Compiles `debug_assert` in, for the simulator.
        code: For the simulator, LLVM IR of each launch that is there already, by case id, or why there is none.
        limits: On each call of a compiler; None for those of each compiler.
        calls: With such code, what makes the calls of host functions.
        graphs: What became of the graphs of the cases' Python; None to look here.
    """

    def __init__(
        self,
        cases: Sequence[Case],
        plan: RunPlan,
        sources: Sources,
        seed: int | None = None,
        notify: Notify = lambda _: None,
        bundle: Bundle | None = None,
        data_seed: int | None = None,
        assertions: bool = False,
        code: Mapping[str, Texts | CompileError] | None = None,
        limits: Limits | None = None,
        calls: Calls | None = None,
        graphs: Mapping[str, Checked] | None = None,
    ) -> None:
        notify, plan = forked.only_here(notify), forked.shared_out(plan)
        self._plan, self._sources, self._data_seed = plan, None if bundle else sources, data_seed
        cases = [case for case in cases if plan.backend == "cpu" or case.refusal(plan.target) is None]
        graphed = [case for case in cases if case.graph]  # at the documented size, as Python builds them
        wanted = [size for case in cases for size in self._sizes(plan.case_to_run(case))]
        self._errors: dict[str, CompileError] = {}
        self._seconds: dict[str, float] = {}
        self._clocks: set[str] = set()
        self._calls_made = False
        self._native: list[Backend] = []  # for each GPU, what calls host functions there
        self._backends: list[Backend]
        self._graphs = graphs or {}
        if graphs is None and code is None and bundle is None and graphed:
            from harness.cases.python_graph import checked

            self._graphs = checked(graphed, sources, plan.target.warp_width)
        if plan.backend == "simulator":
            if code is None:
                build = Build(
                    target=plan.target,
                    sources=sources,
                    notify=notify,
                    meanwhile=import_simulator,
                    assertions=assertions,
                    limits=limits,
                )
                code = build_device_code(wanted, build, "llvm", seconds_by_case=self._seconds)
                if any(case.called for case in wanted):
                    from harness.programs.called import host_functions

                    calls, self._errors = host_functions(wanted, build, self._seconds)
            from harness.backends.simulator import SimulatorBackend
            from harness.simt import observers

            self._errors |= {name: text for name, text in code.items() if isinstance(text, CompileError)}
            texts = {name: text for name, text in code.items() if not isinstance(text, CompileError)}
            self._clocks = {name for name, parts in texts.items() if any(map(reads_clock, parts))}
            files = {case.module: sources.kernel_file(case) for case in wanted}
            self._calls_made = calls is not None
            backend = partial(SimulatorBackend, plan.target, texts, seed=seed, observers=observers, files=files)
            objects = None if plan.engine == "reference" else CachedObjects(Cache.default(notify))
            backend = partial(backend, profile=plan.profile, all_counters=plan.counters or plan.profile)
            self._backends = [backend(calls=calls, engine=plan.engine, objects=objects, workers=plan.workers)]
        else:
            from harness.backends.in_child import InChild
            from harness.backends.max_backend import MaxBackend
            from harness.build.graphs import build_graphs

            target = None if plan.backend == "cpu" else plan.target
            transports = [InChild(target, gpu) for gpu in plan.gpus or (0,)]
            if bundle:
                built = _looked_up(bundle, wanted, transports)
            else:
                build = Build(
                    target=plan.target, sources=sources, notify=notify, reference=target is None, limits=limits
                )
                built = build_graphs(wanted, build, surrounded=bool(wanted))
            self._errors = dict(built.errors)
            self._seconds = dict(built.seconds)
            native = [case for case in wanted if case.called and not case.kernel_steps and not self._executed(case)]
            if native and target and not bundle:
                self._native = self._libraries(native, build)
            self._backends = [MaxBackend(target, built, transport) for transport in transports]

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        for backend in self._backends:
            backend.close()

    @property
    def backend(self) -> Backend:
        """The first of them."""
        return self._backends[0]

    def backend_for(self, case: Case) -> Backend:
        """What executes a case, the first that does."""
        return self._calling(case, self.backend)

    def _calling(self, case: Case, backend: Backend) -> Backend:
        """The same, on the GPU of a backend."""
        if not case.called or not self._native or self._executed(case) or case.kernel_steps:
            return backend
        return self._native[self._backends.index(backend)]

    def _executed(self, case: Case) -> bool:
        """Whether a case's graph is executed, which is all of it then."""
        where = "cpu" if self._plan.backend == "cpu" else "gpu"
        return self._plan.backend != "simulator" and case.graph is not None and where in case.graph.devices

    def _without_calls(self, case: Case) -> bool:
        """Whether a case calls functions of the host, and nothing here does."""
        here = self._calls_made or (self._native and not case.kernel_steps) or self._executed(case)
        return bool(case.called) and not here

    def _libraries(self, cases: Sequence[Case], build: Build) -> list[Backend]:
        """What calls the host functions of cases, on each GPU."""
        from harness.build.hosts import build_host_libraries
        from harness.programs.native_calls import NativeCalls

        programs = build_host_libraries(cases, build, self._seconds)
        self._errors |= {name: steps for name, steps in programs.items() if isinstance(steps, CompileError)}
        sound = {name: steps for name, steps in programs.items() if not isinstance(steps, CompileError)}
        device = f"{self._plan.device} ({self._plan.target.architecture})"
        return [NativeCalls(self._plan.target, sound, gpu, device) for gpu in self._plan.gpus or (0,)]

    def _sizes(self, case: Case) -> tuple[Case, ...]:
        """At what a case is run: its documented launch, and what is judged beside it; references have no blocks."""
        return (case,) if self._plan.backend == "cpu" else case.sizes

    def failed(self, case: Case) -> CompileError | None:
        """The error of a case that does not compile."""
        return self._errors.get(case.id)

    def refuses(self, case: Case) -> bool:
        """Whether a case is not executed: it does not compile, reads the clock of a simulated device, or calls
        functions of the host where nothing makes calls.
        """
        return case.id in self._errors or case.id in self._clocks or self._without_calls(case)

    def reports(self, cases: Sequence[Case]) -> Iterator[CaseReport]:
        """Runs the cases, each on the first GPU that is free; it runs the next while what it left of one is judged."""
        if self._plan.backend == "simulator":
            yield from forked.side_by_side(cases, self._plan, self.report)
            return
        from harness.cases.side_by_side import side_by_side

        yield from side_by_side(cases, self._backends, lambda case, backend: self.report(case, backend=backend))

    def report(self, case: Case, code: str | None = None, backend: Backend | None = None) -> CaseReport:
        """Runs a case on all of its data sets; with its assembly, checks that too."""
        case = self._plan.case_to_run(case)
        backend = backend or self.backend
        report, decided = self._judged(case, code, self._calling(case, backend)), case
        for further in self._sizes(case)[1:]:
            if not report.ok:  # what is wrong already would only be so again
                break
            from harness.cases.case_run import joined

            decided = further
            beside = self._judged(further, None, self._calling(further, backend))
            report = joined(report, beside, further, self._plan.target.warp_width)
        if case.id in self._graphs:
            from harness.cases.python_graph import with_graph

            report = with_graph(report, self._graphs[case.id], case)
        if self._plan.gpus:
            number = self._plan.gpus[self._backends.index(backend)]
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
        if plan.backend == "cpu" and find_reference(case) is None and not self._executed(case):
            return self._skipped(case, backend, f"{case.puzzle} has no reference.mojo that a processor could run")
        if error := self.failed(case):
            advice, late = find_advice(error.diagnostics), isinstance(error, CompileTimeout)
            why = make_finding("run.compile-error", reason=str(error), items=error.items, **advice)
            return self._unrun(case, backend, Verdict.TIMEOUT if late else Verdict.COMPILE_ERROR, why)
        if self._without_calls(case):
            return self._skipped(case, backend, explain_kernels_only(f"what runs it here ({backend.name})", case))
        if case.id in self._clocks:
            return self._unrun(case, backend, Verdict.FINDING, make_finding("run.reads-clock"))
        from harness.cases.case_run import run_case

        seconds = self._seconds.get(case.id, 0.0)
        try:
            return run_case(case, plan, backend, build_seconds=seconds, code=code, data_seed=self._data_seed)
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
            build_seconds=self._seconds.get(case.id, 0.0),
            run_seconds=sum(dataset.run_seconds for dataset in datasets),
        )
