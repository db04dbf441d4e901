"""Build cases for several targets into the cache: graphs, host programs and device code; report on each case."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from harness.build.device_code import compile_ahead, load_code
from harness.build.graphs import build_graphs, find_stored_graphs
from harness.build.hosts import build_host_programs, find_stored
from harness.build.toolchain import LEVELS
from harness.build.unit import Build, group_values_by_case, make_units
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.report import BuildReport, BuildStatus

__all__ = ["build_artifacts"]


def build_artifacts(cases: Sequence[Case], builds: Sequence[Build], *, code: bool = True) -> tuple[BuildReport, ...]:
    """Build for each target, into the cache: MEF files and, in parallel, LLVM IR, assembly and host programs.

    Compile errors are reported, not raised. Each case is built at all its sizes, and its report covers them all.

    Args:
        cases: The cases; those that a target refuses are reported as skipped.
        builds: One for each target; they share a cache.
        code: Whether to build IR and assembly too if MAX builds graphs for the target. What is left out is built later,
            when it is needed.

    Returns:
        A report for each target and case, in that order.
    """
    with_code = [build for build in builds if code or not build.target.max_can_build]
    sizes = [size for case in cases for size in case.sizes]
    cached = [_find_cached(sizes, build, build in with_code) for build in builds]
    started = time.perf_counter()
    with ThreadPoolExecutor(1) as pool:
        compiled = pool.submit(compile_ahead, sizes, with_code) if with_code else None
        graphs = [_graph_errors(sizes, build) | _host_errors(sizes, build) for build in builds]
        codes = compiled.result() if compiled else {}
    build_count = sum(case.refusal(build.target) is None for build in builds for case in sizes)
    share = (time.perf_counter() - started) / max(1, build_count - sum(map(len, cached)))
    reports: list[BuildReport] = []
    for build, cached_ids, errors in zip(builds, cached, graphs, strict=True):
        kinds = (*(("mef",) if build.target.max_can_build else ()), *(LEVELS if build in with_code else ()))
        errors = errors | codes.get(build.target.name, {})
        for case in cases:
            device_kinds = kinds if case.kernel_steps else tuple(kind for kind in kinds if case.graph and kind == "mef")
            all_kinds = (*device_kinds, *(("host",) if case.called else ()))
            size_ids = {size.id for size in case.sizes}
            error = next((errors[name] for name in errors if name in size_ids), None)
            reports.append(_report(case, build, all_kinds, size_ids <= cached_ids, error, share * len(size_ids)))
    return tuple(reports)


def _find_cached(cases: Sequence[Case], build: Build, code: bool) -> set[str]:
    """Return the ids of the cases of which everything is in the cache; compiles nothing.

    That is the device code if `code`, the host programs, and the graphs if MAX builds any for the target.
    """
    launched, called = [case for case in cases if case.kernel_steps], [case for case in cases if case.called]
    stored_by_case = group_values_by_case(
        (unit, not code or bool(load_code(unit, build))) for unit in make_units(launched, build)
    )
    complete = {name for name, stored in stored_by_case.items() if all(stored)}
    complete |= {case.id for case in called if not case.kernel_steps}
    complete -= {case.id for case in called} - find_stored(called, build)
    if build.target.max_can_build:
        graphed = [case for case in cases if case.kernel_steps or case.graph]
        complete -= {case.id for case in graphed} - find_stored_graphs(graphed, build)
    return complete


def _graph_errors(cases: Sequence[Case], build: Build) -> dict[str, CompileError]:
    return build_graphs(cases, build, surrounded=True).errors if build.target.max_can_build else {}


def _host_errors(cases: Sequence[Case], build: Build) -> dict[str, CompileError]:
    programs = build_host_programs(cases, build)
    return {name: error for name, error in programs.items() if isinstance(error, CompileError)}


def _report(
    case: Case, build: Build, kinds: tuple[str, ...], is_cached: bool, error: CompileError | None, share: float
) -> BuildReport:
    """Report a case of a build: skipped if the target refuses it, failed with an error, else cached or built.

    A cached or built case has `kinds` as its artifacts. A failed or built one has `share` as its seconds.
    """

    def make_report(status: BuildStatus, reason: str, seconds: float = 0.0) -> BuildReport:
        artifacts = kinds if status in ("built", "cached") else ()
        return BuildReport(
            case=case.id, target=build.target.name, status=status, reason=reason, artifacts=artifacts, seconds=seconds
        )

    if refusal := case.refusal(build.target):
        return make_report("skipped", refusal)
    if error:
        return make_report("failed", f"{error}\n{error.diagnostics}".strip(), share)
    only = "" if build.target.max_can_build else "device code only: MAX builds no graphs for Metal yet"
    return make_report("cached", only) if is_cached else make_report("built", only, share)
