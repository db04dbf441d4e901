"""`run` (here, on a cluster, under compute-sanitizer), `build` and `inspect` of catalogue cases, with reports."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.cases import pipeline
from harness.cases.fresh import new_seed
from harness.catalogue import select_cases, select_one_case
from harness.cli.files import require_writable_reports
from harness.cli.names import expand_names
from harness.errors import EnvironmentFault, UsageError
from harness.model import exit_code
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import RunReport
from harness.model.sources import Sources
from harness.model.workspace import available_cases, kernel_sources
from harness.process.forks import choose_jobs
from harness.process.processors import count_processors
from harness.report import console, github

if TYPE_CHECKING:  # what a command does not ask for is not loaded
    from harness.build.bundle import Bundle

__all__ = ["build", "inspect", "plan_run", "run"]

_OTHERS = ("max", "cpu")  # backends that count nothing


def run(arguments: Namespace) -> int:
    """Run cases, print the results and write the reports; exit code 0 if something ran and all is right, 1 if one is
    wrong, else 3.

    `--sanitize` runs them under compute-sanitizer, `--scheduler` on a cluster.
    """
    require_writable_reports(arguments.json, arguments.junit, arguments.sarif)
    if arguments.sanitize is not None:
        return _run_sanitized(arguments)
    if arguments.scheduler and arguments.engine == "native":
        raise UsageError("--engine native and --scheduler cannot be combined: machine code is made here.")
    if arguments.scheduler and not arguments.profile:
        return _report_run(_run_on_cluster(arguments), arguments)
    cases, plan, sources, bundle = plan_run(arguments)
    console.print_header(plan, str(bundle) if bundle else sources.describe(cases))
    with console.show_progress() as notify:
        report = pipeline.run(cases, plan=plan, sources=sources, bundle=bundle, notify=notify)
    return _report_run(report, arguments)


def plan_run(arguments: Namespace) -> tuple[tuple[Case, ...], LaunchPlan, Sources, Bundle | None]:
    """Return the cases, the plan, the sources, and the artifacts or None, of a run on this machine; nothing is built.

    Raises:
        HarnessError: Flags contradict each other, a case is unknown, the target or backend is not there, or artifacts
            do not fit.
    """
    backend, bundle = _profiling_backend(arguments) if arguments.profile else _choose_backend(arguments), None
    if arguments.artifacts:
        bundle = _read_artifacts(arguments, backend)
        cases, plan = bundle.select(expand_names(arguments.cases)), pipeline.plan_artifacts(bundle, arguments.devices)
    else:
        cases, plan = _select_cases(arguments), pipeline.plan(arguments.target, backend, arguments.devices)
    shown_data = {"profile": arguments.profile, "counters": arguments.counters or arguments.json is not None}
    execution = {"engine": arguments.engine, "workers": count_processors()}  # nobody else is known to run beside it
    if plan.backend == "simulator":
        execution["jobs"] = choose_jobs(len(cases), arguments.jobs)
    elif arguments.jobs:
        raise UsageError("--jobs is for the simulator: a GPU runs one kernel after another.")
    plan = replace(plan, **_seeds(arguments), documented_size=arguments.documented_size, **execution, **shown_data)
    return cases, plan, kernel_sources(arguments.kernels or "solutions", cases), bundle


def _seeds(arguments: Namespace) -> dict[str, Any]:
    """Return the keywords `seed` (None without `--seed`) and `data_seed` (random without `--data-seed`) of a plan."""
    data_seed = new_seed() if arguments.data_seed is None else arguments.data_seed
    return {"seed": arguments.seed, "data_seed": data_seed}


def _report_run(report: RunReport, arguments: Namespace) -> int:
    console.print_run(report, counters=arguments.counters)
    if arguments.json:
        from harness.report import json_report

        json_report.write(arguments.json, json_report.run(report))
    if arguments.junit:
        from harness.report import junit

        junit.write(arguments.junit, report)
    if arguments.sarif:
        from harness.report import sarif
        from harness.report.findings import make_renderer

        sarif.write(arguments.sarif, sarif.of_cases(report.cases), make_renderer(report.sources))
    github.report_to_job(report)
    return report.exit_code


def _profiling_backend(arguments: Namespace) -> str:
    """Return the backend for `--profile`: the simulator, or an unknown backend's name, which is not refused here.

    Raises:
        UsageError: A flag is given that the simulator on this machine does not go with.
    """
    flags_given = {
        "--artifacts": arguments.artifacts,
        "--scheduler": arguments.scheduler,
        "--devices": arguments.devices,
    }
    flags_given |= {
        "--require-gpu": arguments.require_gpu,
        f"--backend {arguments.backend}": arguments.backend in _OTHERS,
    }
    for flag in (flag for flag, is_given in flags_given.items() if is_given):
        raise UsageError(f"--profile and {flag} cannot be combined: what is counted is a run in the simulator, here.")
    return _choose_backend(arguments) if arguments.backend != "auto" else "simulator"


def _run_on_cluster(arguments: Namespace) -> RunReport:
    """Run the cases, or artifacts, on the workers of a scheduler; prints the header.

    Raises:
        UsageError: `--devices`, `--jobs` or `--backend cpu` is given, or other flags contradict each other.
    """
    from harness.build.cache import Cache
    from harness.cluster import resources, running
    from harness.cluster.orders import Cluster
    from harness.grading.local import default_workers

    if arguments.devices:
        raise UsageError("--devices is for this machine: each worker of a scheduler has its own.")
    if arguments.jobs:
        raise UsageError("--jobs is for this machine: a worker's own `--simulators` says how many cases it runs.")
    backend = _choose_backend(arguments)
    if backend == "cpu":
        raise UsageError("--backend cpu runs no kernel: run it here, without --scheduler.")
    bundle = _read_artifacts(arguments, backend) if arguments.artifacts else None
    cases = bundle.select(expand_names(arguments.cases)) if bundle else _select_cases(arguments)
    sources = kernel_sources(arguments.kernels or "solutions", cases)
    cache = Cache.default()
    with console.show_progress() as notify, Cluster(arguments.scheduler, default_workers(), cache, notify) as cluster:
        target, backend = (bundle.target.name, "max") if bundle else (arguments.target, backend)
        plan, need = resources.choose_plan(target, backend, cluster.sum_resources())
        plan = replace(plan, **_seeds(arguments), documented_size=arguments.documented_size)
        console.print_header(plan, str(bundle) if bundle else sources.describe(cases))
        return running.run(
            cases,
            plan=plan,
            needs=[need],
            sources=sources,
            cluster=cluster,
            cache=cache,
            bundle=bundle,
            notify=notify,
        )


def _run_sanitized(arguments: Namespace) -> int:
    from harness.backends.compute_sanitizer import run as sanitize

    chosen = sanitize.parse_tools(arguments.sanitize)
    unsupported = {
        "--artifacts": arguments.artifacts,
        "--scheduler": arguments.scheduler,
        "--junit": arguments.junit,
        "--sarif": arguments.sarif,
        "--seed": arguments.seed is not None,
        "--data-seed": arguments.data_seed is not None,
        "--counters": arguments.counters,
        "--profile": arguments.profile,
        "--engine": arguments.engine != "auto",
        "--documented-size": arguments.documented_size,
        "--jobs": arguments.jobs,
    }
    for flag, is_given in unsupported.items():
        if is_given:
            raise UsageError(f"--sanitize and {flag} cannot be combined.")
    if arguments.backend not in ("auto", "max"):
        raise UsageError("--sanitize needs an NVIDIA GPU: in the simulator its own checks always run.")
    cases = _select_cases(arguments)
    sources = kernel_sources(arguments.kernels or "solutions", cases)
    try:
        plan = pipeline.plan(arguments.target, "max", arguments.devices)
    except EnvironmentFault:
        raise EnvironmentFault(sanitize.NO_GPU) from None
    console.print_header(plan, sources.describe(cases))
    with console.show_progress() as notify:
        examined = sanitize.run(cases, plan=plan, sources=sources, tools_to_run=chosen, notify=notify)
    console.print_examinations(examined)
    if arguments.json:
        from harness.report import json_report

        json_report.write(arguments.json, json_report.examined(examined, plan))
    return sanitize.compute_exit_code(examined)


def _read_artifacts(arguments: Namespace, backend: str) -> Bundle:
    if backend not in ("auto", "max"):
        raise UsageError(f"--artifacts are for a GPU: they do not go with --backend {backend}.")
    if arguments.kernels:
        raise UsageError(f"--artifacts hold kernels already: leave out --kernels {arguments.kernels}.")
    from harness.build import bundle as artifacts

    bundle = artifacts.read_bundle(arguments.artifacts)
    if arguments.target and arguments.target not in (bundle.target.name, bundle.target.vendor):
        raise UsageError(f"the artifacts in {bundle.folder} are for {bundle.target}, not for {arguments.target}.")
    return bundle


def _select_cases(arguments: Namespace) -> tuple[Case, ...]:
    """Return the named cases, or without names all documented ones.

    With `--kernels problems` in a workspace, these are only those of puzzles with a file there, or all if none has one.
    """
    cases = select_cases(expand_names(arguments.cases))
    return cases if arguments.cases else available_cases(cases, arguments.kernels or "solutions") or cases


def _choose_backend(arguments: Namespace) -> str:
    backend: str = arguments.backend
    if not arguments.require_gpu:
        return backend
    if backend not in ("auto", "max"):
        raise UsageError(f"--require-gpu and --backend {backend} cannot be combined.")
    return "max"


def build(arguments: Namespace) -> int:
    """Build cases for targets, and print and report the results; exit code 0 if something is built, 1 if one
    case does not compile, 3 if all are skipped.
    """
    require_writable_reports(arguments.json)
    cases = select_cases(expand_names(arguments.cases))
    targets = list(dict.fromkeys(pipeline.plan(text, "simulator").target for text in arguments.target))
    with console.show_progress() as notify:
        reports = pipeline.build(
            cases, targets, kernel_sources(arguments.kernels, cases), notify, code=arguments.code, out=arguments.out
        )
    console.print_builds(reports)
    if arguments.json:
        from harness.report import json_report

        json_report.write(arguments.json, json_report.built(reports))
    return exit_code.combine_statuses(report.status for report in reports)


def inspect(arguments: Namespace) -> int:
    """Print one level of what a case compiles to; the exit code is 0.

    Raises:
        UsageError: The case, target or level is unknown, or they do not go together.
        CompileError: The kernel does not compile.
    """
    case = select_one_case(arguments.case)
    target = pipeline.plan(arguments.target, "simulator").target
    from harness.cases import levels  # graphs and what makes them: nothing else here needs those

    print(levels.inspect(case, target, arguments.level, kernel_sources(arguments.kernels, [case])))
    return exit_code.OK
