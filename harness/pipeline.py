"""catalogue -> build -> backend -> check -> report: the only module that knows them all."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version

from harness import build as builder
from harness import claims as promises
from harness import devices
from harness.backends.base import Backend, Fill, Outcome, Request
from harness.check import judge
from harness.errors import CompileError, EnvironmentFault, UsageError, unknown
from harness.sources import Sources
from harness.spec import Case
from harness.target import DEFAULT_ARCHITECTURES, Target
from harness.verdict import BACKENDS, LEVELS, BuildReport, CaseReport, DatasetReport, LearnerReport, Plan, RunReport

__all__ = ["build", "claims", "environment", "inspect", "learner", "plan", "run"]

PACKAGES = ("max", "mojo", "numpy", "llvmlite")
Notify = Callable[[str], None]


def plan(target: str | None = None, backend: str = "auto") -> Plan:
    """Decides what runs on what, and says why.

    Args:
        target: `vendor:architecture`, a vendor, or None for this machine's GPU
            and, without one, the default target.
        backend: One of `BACKENDS`. `auto` takes a GPU that fits the target, and
            the simulator where there is none; never `cpu`.

    Raises:
        UsageError: Unknown target or backend.
        EnvironmentFault: `max` was asked for and no GPU fits.
    """
    if backend not in BACKENDS:
        raise unknown("backend", backend, BACKENDS)
    present = devices.discover()
    if target is None:
        first = present[0] if present else None
        wanted = Target.parse(first.target.name if first else "nvidia")
    else:
        wanted = Target.parse(target)
        if ":" not in target:  # a vendor alone means the GPU that is here
            wanted = next((one.target for one in present if one.target.vendor == target), wanted)
    gpu = next((one for one in present if wanted.fits(one.target.architecture)), None)
    if backend == "cpu":
        return Plan(wanted, "cpu", "host CPU through MAX", "the sequential reference was asked for: no kernel runs")
    if backend == "simulator":
        return Plan(wanted, "simulator", "SIMT simulator", "it was asked for")
    if gpu is not None and wanted.max_can_build:
        return Plan(wanted, "max", gpu.name, "the GPU is here")
    missing = f"there is no {wanted.vendor} GPU for {wanted} on this machine"
    if gpu is not None:
        missing = f"MAX {version('max')} does not run custom ops on {wanted.vendor} yet"
    elif others := [one for one in present if one.target.vendor == wanted.vendor]:
        missing = f"the GPU here is {others[0].target}, which does not run {wanted}"
    if backend == "max":
        raise EnvironmentFault(f"{missing}: use `--backend simulator`, which executes the same compiled kernel.")
    return Plan(wanted, "simulator", "SIMT simulator", missing)


def run(
    cases: Sequence[Case],
    *,
    plan: Plan,
    sources: Sources,
    seed: int | None = None,
    notify: Notify = lambda _: None,
    on_result: Callable[[CaseReport], None] = lambda _: None,
) -> RunReport:
    """Builds and runs every case on all of its data sets.

    Args:
        cases: In the order of the reports.
        plan: From `plan`.
        sources: Whose kernels.
        seed: Shuffles the simulator's schedule; None for its fixed order.
        notify: Gets one line when something slow begins.
        on_result: Gets each case's report as soon as it is there.
    """
    reports = []
    with _Bench(cases, plan, sources, seed, notify) as bench:
        for case in cases:
            report = bench.report(case)
            on_result(report)
            reports.append(report)
    return RunReport(plan=plan, kernels=str(sources), cases=tuple(reports), environment=environment())


def learner(
    case: Case, *, plan: Plan, sources: Sources, notify: Notify = lambda _: None
) -> LearnerReport:
    """Runs one documented command.

    The printed run starts from zeroed outputs, as the documented programs do;
    every data set is then checked on poisoned ones.
    """
    refusal = case.refusal(plan.target)
    if refusal is not None:
        raise EnvironmentFault(f"{case.id} does not run on {plan.target}: {refusal}.")
    with _Bench([case], plan, sources, None, notify) as bench:
        if failed := bench.failed(case):
            raise failed
        sized = case.at(plan.target.warp_width)
        request = Request(case=case, sized=sized, dataset=sized.datasets[0], fill="zero")
        outcome = bench.backend.launch(request)
        if outcome.failure is not None:  # the data sets would only repeat it
            return LearnerReport((), False, outcome.failure.kind, outcome.failure.reason)
        report = bench.report(case)
        expected = case.oracle(request.dataset.inputs, sized.width)[case.printed_buffer]
        got = outcome.results[case.printed_buffer].values
        lines = tuple(case.printed(sized.width, got, expected, report.ok))
        return LearnerReport(lines, report.verdict == "PASS", report.verdict, report.reason)


def build(
    cases: Sequence[Case],
    targets: Sequence[Target],
    sources: Sources,
    notify: Notify = lambda _: None,
    *,
    code: bool = False,
) -> tuple[BuildReport, ...]:
    """Builds the artifacts of every case for every target: MEFs, and with `code` IR and assembly."""
    return tuple(
        report for target in targets for report in builder.artifacts(cases, target, sources, notify, code=code)
    )


def inspect(case: Case, target: Target, level: str, sources: Sources) -> str:
    """The graph's MLIR (`mo`), the kernel's LLVM IR (`llvm`) or its assembly (`asm`).

    Raises:
        UsageError: Unknown level, or the target cannot run the case.
        CompileError: The kernel does not compile.
    """
    if level not in LEVELS:
        raise unknown("level", level, LEVELS)
    refusal = case.refusal(target)
    if refusal is not None:
        raise UsageError(f"{case.id} does not run on {target}: {refusal}.")
    if level == "mo":
        return builder.mefs([case], target, sources, width=target.warp_width).graph_text(case)
    text = builder.device_code([case], target, sources, level)[case.id]
    if isinstance(text, CompileError):
        raise text
    return text


def claims(
    cases: Sequence[Case], target: Target, sources: Sources, notify: Notify = lambda _: None
) -> tuple[CaseReport, ...]:
    """Checks every promise of the cases, in the simulator and in the assembly.

    Returns:
        A report for each case, with the claims of counters and of instructions.
    """
    runnable = [case for case in cases if case.refusal(target) is None]
    codes = builder.device_code(runnable, target, sources, "asm", notify)
    reports = []
    with _Bench(cases, plan(target.name, "simulator"), sources, None, notify) as bench:
        for case in cases:
            code = codes.get(case.id)
            if isinstance(code, CompileError):
                reports.append(bench.report(case))
            else:
                reports.append(bench.report(case, code))
    return tuple(reports)


def environment() -> dict[str, str]:
    """Versions and devices, for the record of a run."""
    facts = {"python": platform.python_version(), "platform": platform.platform()}
    for package in PACKAGES:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            facts[package] = "missing"
    facts["devices"] = ", ".join(f"{one.name} ({one.target})" for one in devices.discover()) or "no GPU"
    facts["default target"] = f"nvidia:{DEFAULT_ARCHITECTURES['nvidia']}"
    return facts


class _Bench:
    """What a run shares: the built kernels, and one backend that executes them."""

    def __init__(
        self, cases: Sequence[Case], plan: Plan, sources: Sources, seed: int | None, notify: Notify
    ) -> None:
        self._plan = plan
        wanted = [case for case in cases if plan.backend == "cpu" or case.refusal(plan.target) is None]
        self._errors: dict[str, CompileError] = {}
        self._seconds: dict[str, float] = {}
        self.backend: Backend
        if plan.backend == "simulator":
            from harness.backends.simulator import SimulatorBackend
            from harness.simt import observers

            started = time.perf_counter()
            code = builder.device_code(wanted, plan.target, sources, "llvm", notify)
            self._seconds = dict.fromkeys(code, time.perf_counter() - started)
            self._errors = {name: text for name, text in code.items() if isinstance(text, CompileError)}
            texts = {name: text for name, text in code.items() if isinstance(text, str)}
            self.backend = SimulatorBackend(plan.target, texts, seed=seed, observers=observers)
        else:
            from harness.backends.max_engine import MaxBackend

            target = None if plan.backend == "cpu" else plan.target
            built = builder.mefs(wanted, target, sources, notify, width=plan.target.warp_width)
            self._errors = dict(built.errors)
            self._seconds = dict(built.seconds)
            self.backend = MaxBackend(target, built)

    def __enter__(self) -> _Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self.backend.close()

    def failed(self, case: Case) -> CompileError | None:
        """The error of a case that does not compile."""
        return self._errors.get(case.id)

    def report(self, case: Case, code: str | None = None) -> CaseReport:
        """Runs a case on all of its data sets; with its assembly, checks that too."""
        plan = self._plan
        sized = case.at(plan.target.warp_width)

        def made(verdict, reason="", **rest) -> CaseReport:
            return CaseReport(
                case=case.id, target=plan.target.name, backend=plan.backend, device=self.backend.device,
                verdict=verdict, reason=reason, launch=sized.launch,
                build_seconds=self._seconds.get(case.id, 0.0), **rest,
            )  # fmt: skip

        refusal = case.refusal(plan.target)
        if refusal is not None and plan.backend != "cpu":
            return made("SKIPPED", refusal)
        if error := self.failed(case):
            return made("COMPILE_ERROR", f"{error}\n{error.diagnostics}".strip())
        reference = not self.backend.executes_kernel
        datasets: list[DatasetReport] = []
        outcomes: list[Outcome] = []
        for dataset in sized.datasets:
            fill: Fill = "poison"
            request = Request(case=case, sized=sized, dataset=dataset, fill=fill)
            outcome = self.backend.launch(request)
            outcomes.append(outcome)
            datasets.append(judge(request, outcome, reference=reference))
            if outcome.failure is not None and outcome.failure.kind != "INCOMPLETE":
                break  # a fault or a hang would only repeat itself
        number = next((n for n, one in enumerate(datasets) if one.verdict not in ("PASS", "REFERENCE")), 0)
        worst = datasets[number]
        verdict, reason = worst.verdict, f"{worst.name}: {worst.reason}" if worst.reason else ""
        documented = outcomes[0]
        checked: tuple[promises.ClaimReport, ...] = ()
        if documented.counters and documented.failure is None:
            checked = promises.check(case, plan.target, documented.counters, code)
        if verdict == "PASS" and (broken := promises.broken(checked)):
            verdict, reason = "FINDING", broken
        return made(
            verdict, reason, datasets=tuple(datasets),
            run_seconds=sum(one.run_seconds for one in datasets),
            findings=outcomes[number].findings, counters=documented.counters, claims=checked,
        )  # fmt: skip
