"""catalogue -> build -> backend -> check -> report: the only module that knows them all."""

from __future__ import annotations

import platform
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness.backends import devices
from harness.backends.choice import choose
from harness.backends.devices import Device
from harness.build.device_code import build_device_code
from harness.build.unit import Build
from harness.cases.documented import learner, learners
from harness.cases.forked import side_by_side
from harness.cases.runner import Runner
from harness.errors import ArtifactError, CompileError, EnvironmentFault, UsageError, unknown_name
from harness.model.case import Case
from harness.model.project import installed_version
from harness.model.report import BuildReport, CaseReport, RunPlan, RunReport
from harness.model.sources import Sources
from harness.model.target import DEFAULT_ARCHITECTURES, VENDOR_NAMES, Target
from harness.model.terms import format_option

if TYPE_CHECKING:  # a learner's command waits for nothing that only others need
    from harness.build.bundle import Bundle

__all__ = ["build", "claims", "environment", "learner", "learners", "plan", "plan_for", "run"]

PACKAGES = ("max", "mojo", "numpy", "llvmlite")
Notify = Callable[[str], None]


def plan(target: str | None = None, backend: str = "auto", gpus: str = "") -> RunPlan:
    """Decides what runs on what, and says why.

    Args:
        target: `vendor:architecture`, a vendor, or None for this machine's GPU
            and, without one, the default target.
        backend: One of `BACKENDS`. `auto` takes a GPU that fits the target, and
            the simulator where there is none; never `cpu`.
        gpus: `all` GPUs that fit the target, or the numbers of some, `0,2`;
            otherwise the first one. Naming any asks for `max`.

    Raises:
        UsageError: Unknown target, backend or GPU.
        EnvironmentFault: `max` was asked for and no GPU fits.
    """
    if gpus and backend not in ("auto", "max"):
        raise UsageError(f"--devices is for GPUs: it does not go with --backend {backend}.")
    backend = "max" if gpus else backend
    choice = choose(target, backend)
    wanted = choice.target
    if backend == "cpu":
        return RunPlan(wanted, "cpu", "host CPU through MAX", "requested: no kernel runs")
    if backend == "simulator":
        return RunPlan(wanted, "simulator", "SIMT simulator", "requested")
    if choice.gpus and wanted.max_can_build:
        chosen = _chosen(gpus, choice.gpus)
        here = "the GPU is here" if len(chosen) == 1 else f"{len(chosen)} GPUs are here"
        return RunPlan(wanted, "max", choice.gpus[0].name, here, tuple(device.index for device in chosen))
    vendor = VENDOR_NAMES[wanted.vendor]
    missing = f"no {vendor} GPU here"
    if choice.gpus:
        missing = f"MAX {installed_version('max')} does not run custom ops on {vendor} yet"
    elif others := [gpu for gpu in choice.present if gpu.target.vendor == wanted.vendor]:
        missing = f"the GPU here is {others[0].target}, which does not run {wanted}"
    if backend == "max":
        instead = format_option("backend", "simulator")
        raise EnvironmentFault(f"{missing}: use {instead}, which executes the same compiled kernel.")
    return RunPlan(wanted, "simulator", "SIMT simulator", missing)


def plan_for(bundle: Bundle, gpus: str = "") -> RunPlan:
    """Decides which GPU runs artifacts that were built elsewhere; `gpus` as for `plan`.

    Raises:
        UsageError: Unknown GPU.
        ArtifactError: No GPU here fits.
    """
    try:
        return plan(bundle.target.name, "max", gpus)
    except EnvironmentFault:
        here = ", ".join(f"{gpu.name} ({gpu.target})" for gpu in devices.discover()) or "no GPU"
        raise ArtifactError(
            f"the artifacts in {bundle.folder} are for {bundle.target}, but here is {here}: "
            "build for this machine's own GPU, or run without --artifacts."
        ) from None


def _chosen(gpus: str, fitting: Sequence[Device]) -> list[Device]:
    if not gpus:
        return [fitting[0]]
    if gpus == "all":
        return list(fitting)
    known = {str(gpu.index): gpu for gpu in fitting}
    names = [name.strip() for name in gpus.split(",")]
    for name in names:
        if name not in known:
            raise unknown_name("GPU", name, [*known, "all"])
    return [known[name] for name in dict.fromkeys(names)]


def run(
    cases: Sequence[Case],
    *,
    plan: RunPlan,
    sources: Sources,
    seed: int | None = None,
    bundle: Bundle | None = None,
    data_seed: int | None = None,
    notify: Notify = lambda _: None,
    on_result: Callable[[CaseReport], None] = lambda _: None,
) -> RunReport:
    """Builds and runs every case on all of its data sets.

    On GPUs the cases run in shuffled order, so that none leans on what another
    left behind; several GPUs share them.

    Args:
        cases: In the order of the reports.
        plan: From `plan`.
        sources: Whose kernels.
        seed: Shuffles the cases on GPUs, and the schedule of the simulator; None
            for a random order there, and the fixed schedule here.
        bundle: Artifacts that were built elsewhere, instead of the sources.
        data_seed: Draws data beside the documented sets, the same for the same seed; None for those alone.
        notify: Gets one line when something slow begins.
        on_result: Gets each case's report as soon as it is there.
    """
    facts = {}
    order = list(cases)
    if plan.backend == "max":
        seed = random.randrange(2**32) if seed is None else seed
        random.Random(seed).shuffle(order)
        facts["order of the cases"] = f"shuffled with seed {seed}"
    if data_seed is not None:
        facts["fresh data"] = f"drawn with data seed {data_seed}"
    reports = {}
    with Runner(cases, plan, sources, seed, notify, bundle, data_seed) as runner:
        facts = {**environment(), **facts}  # now, while an engine starts
        for report in runner.reports(order):
            on_result(report)
            reports[report.case] = report
    shown = {}
    if plan.profile:
        from harness.cases.profiles import profiles

        build = Build(target=plan.target, sources=sources, notify=notify)
        shown = profiles([plan.case_to_run(case) for case in cases], list(reports.values()), build, notify)
    return RunReport(
        plan=plan,
        kernels=str(bundle) if bundle else sources.describe(cases),
        cases=tuple(reports[case.id] for case in cases),
        sources=None if bundle else sources,
        environment=facts,
        profiles=shown,
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
    """Builds the artifacts of every case for every target.

    Args:
        cases: What a target refuses is skipped.
        targets: One or more.
        sources: Whose kernels.
        notify: Gets one line when something is compiled.
        code: IR and assembly too; both stay in the cache.
        out: A folder that is to hold all that one target's GPU needs; see `harness.build.bundle`.

    Raises:
        UsageError: A folder for several targets, or for one that MAX builds no
            graphs for, or a folder of something else.
    """
    from harness.build import bundle, product
    from harness.build.graphs import build_graphs
    from harness.build.hosts import explain_kernels_only

    if out is not None:
        if len(targets) != 1 or not targets[0].max_can_build:
            named = ", ".join(str(target) for target in targets)
            raise UsageError(f"--out takes one target that MAX builds graphs for, not {named}.")
        bundle.require_writable_place(out)
    builds = [Build(target=target, sources=sources, notify=notify) for target in targets]
    reports = product.build_artifacts(cases, builds, code=code)
    done = {report.case for report in reports if report.status in ("built", "cached")}
    if out is not None and done:  # a build of nothing leaves the folder as it was
        held = [bundle.keep_portable_launches(case) for case in cases]
        graphs = build_graphs(
            [size for case in held if case.id in done for size in case.sizes], builds[0], surrounded=True
        )
        good = [case for case in held if all(size.id in graphs.artifacts for size in case.sizes)]
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
    """Checks every promise of the cases, in the simulator and in the assembly.

    Args:
        jobs: As of a `Plan`.
        documented_size: As of a `Plan`.

    Returns:
        A report for each case, with the claims of counters and of instructions.
    """
    simulated = plan(target.name, "simulator")
    simulated = replace(simulated, documented_size=documented_size, engine="auto", counters=False, jobs=jobs)
    runnable = [simulated.case_to_run(case) for case in cases if case.refusal(target) is None]
    codes = build_device_code(runnable, Build(target=target, sources=sources, notify=notify), "asm")
    with Runner(cases, simulated, sources, None, notify) as runner:

        def report(case: Case) -> CaseReport:
            code = codes.get(case.id)
            return runner.report(case, None if isinstance(code, CompileError) else "\n".join(code or ()))

        return tuple(side_by_side(cases, simulated, report))


def environment() -> dict[str, str]:
    """Versions and devices, for the record of a run."""
    system = platform.uname()  # `platform.platform` reads all of Python's own binary for the version of its C library
    shown = f"{system.system}-{system.release}-{system.machine}"
    facts = {"python": platform.python_version(), "platform": shown}
    facts |= {package: installed_version(package) or "missing" for package in PACKAGES}
    facts["devices"] = ", ".join(f"{gpu.name} ({gpu.target})" for gpu in devices.discover()) or "no GPU"
    facts["default target"] = f"nvidia:{DEFAULT_ARCHITECTURES['nvidia']}"
    return facts
