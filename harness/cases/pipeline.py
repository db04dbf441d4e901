"""`run`, `build` and `claims`, from cases to reports; `environment`: versions, devices; exports `learner`, `plan`."""

from __future__ import annotations

import platform
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness.backends import devices
from harness.backends.planning import plan, plan_artifacts
from harness.build.device_code import build_device_code
from harness.build.unit import Build
from harness.cases.documented import learner, learners
from harness.cases.forked import map_cases
from harness.cases.runner import Runner
from harness.errors import CompileError, UsageError
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.project import installed_version
from harness.model.report import BuildReport, CaseReport, RunReport
from harness.model.sources import Sources
from harness.model.target import DEFAULT_ARCHITECTURES, Target

if TYPE_CHECKING:  # a learner's command waits for nothing that only others need
    from harness.build.bundle import Bundle

__all__ = ["build", "claims", "environment", "learner", "learners", "plan", "plan_artifacts", "run"]

PACKAGES = ("max", "mojo", "numpy", "llvmlite")
Notify = Callable[[str], None]


def run(
    cases: Sequence[Case],
    *,
    plan: LaunchPlan,
    sources: Sources,
    bundle: Bundle | None = None,
    notify: Notify = lambda _: None,
    on_result: Callable[[CaseReport], None] = lambda _: None,
) -> RunReport:
    """Build and run every case on all of its data sets, and return the report; what does not compile or fails is in it.

    Cases that the target refuses are SKIPPED. Profiles are added if the plan asks for them. On GPUs the cases run in
    shuffled order, so that no case leans on what another left behind; several GPUs share them.

    Args:
        cases: The cases, in the order of the reports.
        plan: The plan of compilation and launches. Without a seed, the order of the cases on GPUs is random.
        sources: The files with the kernels.
        bundle: Artifacts that were built elsewhere, instead of the sources.
        notify: Gets one line when something slow begins.
        on_result: Gets each case's report as soon as it is there.

    Raises:
        EnvironmentFault: This machine is to blame.
    """
    facts = {}
    order = list(cases)
    if plan.backend == "max":
        seed = random.randrange(2**32) if plan.seed is None else plan.seed
        random.Random(seed).shuffle(order)
        facts["order of the cases"] = f"shuffled with seed {seed}"
    if plan.data_seed is not None:
        facts["fresh data"] = f"drawn with data seed {plan.data_seed}"
    reports = {}
    with Runner(cases, plan, sources, notify, bundle) as runner:
        facts = {**environment(), **facts}  # now, while an engine starts
        for report in runner.reports(order):
            on_result(report)
            reports[report.case] = report
    profile_tables = {}
    if plan.profile:
        from harness.cases.profiles import make_profiles

        build = Build(target=plan.target, sources=sources, notify=notify)
        profile_tables = make_profiles(
            [plan.case_to_run(case) for case in cases], list(reports.values()), build, notify
        )
    return RunReport(
        plan=plan,
        kernels=str(bundle) if bundle else sources.describe(cases),
        cases=tuple(reports[case.id] for case in cases),
        sources=None if bundle else sources,
        environment=facts,
        profiles=profile_tables,
    )


def build(
    cases: Sequence[Case],
    targets: Sequence[Target],
    sources: Sources,
    notify: Notify = lambda _: None,
    *,
    code: bool = False,
    out: Path | None = None,
) -> tuple[BuildReport, ...]:
    """Build the artifacts of every case for every target, and return a report each, target by target.

    Compile errors are in the reports, not raised.

    Args:
        cases: The cases; those that a target refuses have a report with the status `skipped`.
        targets: One or more.
        sources: The files with the kernels.
        notify: Gets one line when something is compiled, and for each case that `out` cannot hold.
        code: Whether to build LLVM IR and assembly too; both stay in the cache.
        out: A folder that is to hold all that one target's GPU needs; see `harness.build.bundle`. It is not touched if
            no case was built.

    Raises:
        UsageError: A folder for several targets, or for one that MAX builds no graphs for, or a folder of something
            else.
    """
    from harness.build import bundle, product
    from harness.build.graphs import build_graphs
    from harness.build.hosts import explain_kernels_only

    if out is not None:
        if len(targets) != 1 or not targets[0].max_can_build:
            target_names = ", ".join(str(target) for target in targets)
            raise UsageError(f"--out takes one target that MAX builds graphs for, not {target_names}.")
        bundle.require_writable_place(out)
    builds = [Build(target=target, sources=sources, notify=notify) for target in targets]
    reports = product.build_artifacts(cases, builds, code=code)
    finished = {report.case for report in reports if report.status in ("built", "cached")}
    if out is not None and finished:  # a build of nothing leaves the folder as it was
        portable = [bundle.keep_portable_launches(case) for case in cases]
        graphs = build_graphs(
            [size for case in portable if case.id in finished for size in case.sizes], builds[0], surrounded=True
        )
        good = [case for case in portable if all(size.id in graphs.artifacts for size in case.sizes)]
        if good:
            bundle.write_bundle(graphs, good, builds[0], out)
        for size in (size for case in cases for size in case.sizes):
            if size.called and size.id not in graphs.artifacts:
                notify(f"not in {out}: {explain_kernels_only('a folder of artifacts', size)}")
    return reports


def claims(
    cases: Sequence[Case],
    target: Target,
    sources: Sources,
    notify: Notify = lambda _: None,
    *,
    documented_size: bool = False,
    jobs: int = 1,
) -> tuple[CaseReport, ...]:
    """Run the cases in the simulator, and check every promise there and in the kernels' assembly.

    Args:
        jobs: As in `LaunchPlan`.
        documented_size: As in `LaunchPlan`.

    Returns:
        A report for each case, in their order, with the claims of counters, instructions and occupancy; without claims
        if its launch fails. The verdict is SKIPPED if the target refuses the case.
    """
    simulated = plan(target.name, "simulator")
    simulated = replace(simulated, documented_size=documented_size, engine="auto", counters=False, jobs=jobs)
    runnable = [simulated.case_to_run(case) for case in cases if case.refusal(target) is None]
    codes = build_device_code(runnable, Build(target=target, sources=sources, notify=notify), "asm")
    with Runner(cases, simulated, sources, notify) as runner:

        def report(case: Case) -> CaseReport:
            code = codes.get(case.id)
            return runner.report(case, None if isinstance(code, CompileError) else "\n".join(code or ()))

        return tuple(map_cases(cases, simulated, report))


def environment() -> dict[str, str]:
    """Return what a run's report records: versions of Python, system and packages (`missing` if not installed),
    devices, and the default target.
    """
    system = platform.uname()  # `platform.platform` reads all of Python's own binary for the version of its C library
    platform_name = f"{system.system}-{system.release}-{system.machine}"
    facts = {"python": platform.python_version(), "platform": platform_name}
    facts |= {package: installed_version(package) or "missing" for package in PACKAGES}
    facts["devices"] = ", ".join(f"{gpu.name} ({gpu.target})" for gpu in devices.discover()) or "no GPU"
    facts["default target"] = f"nvidia:{DEFAULT_ARCHITECTURES['nvidia']}"
    return facts
