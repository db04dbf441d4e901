"""Everything that is built for some targets: compiled graphs and, side by side, device code."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from harness.build.device_code import compile_ahead, stored_code
from harness.build.graphs import build_graphs, stored_graphs
from harness.build.hosts import host_programs, stored_hosts
from harness.build.toolchain import LEVELS
from harness.build.unit import Build, by_case, units
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.report import BuildReport, BuildStatus

__all__ = ["artifacts"]


def artifacts(cases: Sequence[Case], builds: Sequence[Build], *, code: bool = True) -> tuple[BuildReport, ...]:
    """Builds for each target: MEFs and, side by side, LLVM IR and assembly.

    Args:
        cases: What a target refuses is skipped.
        builds: One for each target; they share a cache.
        code: Whether to build IR and assembly too where MAX builds graphs; what
            is left out is built when it is first asked for.
    """
    with_code = [build for build in builds if code or not build.target.max_can_build]
    sizes = [size for case in cases for size in case.sizes]
    cached = [_cached(sizes, build, build in with_code) for build in builds]
    started = time.perf_counter()
    with ThreadPoolExecutor(1) as pool:
        compiled = pool.submit(compile_ahead, sizes, with_code) if with_code else None
        graphs = [_graph_errors(sizes, build) | _host_errors(sizes, build) for build in builds]
        codes = compiled.result() if compiled else {}
    wanted = sum(case.refusal(build.target) is None for build in builds for case in sizes)
    share = (time.perf_counter() - started) / max(1, wanted - sum(map(len, cached)))
    reports: list[BuildReport] = []
    for build, kept, errors in zip(builds, cached, graphs, strict=True):
        kinds = (*(("mef",) if build.target.max_can_build else ()), *(LEVELS if build in with_code else ()))
        errors = errors | codes.get(build.target.name, {})
        for case in cases:
            made = kinds if case.kernel_steps else tuple(kind for kind in kinds if case.graph and kind == "mef")
            held = (*made, *(("host",) if case.called else ()))
            own = {size.id for size in case.sizes}
            error = next((errors[name] for name in errors if name in own), None)
            reports.append(_report(case, build, held, own <= kept, error, share * len(own)))
    return tuple(reports)


def _cached(cases: Sequence[Case], build: Build, code: bool) -> set[str]:
    """The ids of the cases of which everything is there already."""
    launched, called = [case for case in cases if case.kernel_steps], [case for case in cases if case.called]
    every = by_case((unit, not code or bool(stored_code(unit, build))) for unit in units(launched, build))
    kept = {name for name, stored in every.items() if all(stored)}
    kept |= {case.id for case in called if not case.kernel_steps}
    kept -= {case.id for case in called} - stored_hosts(called, build)
    if build.target.max_can_build:
        graphed = [case for case in cases if case.kernel_steps or case.graph]
        kept -= {case.id for case in graphed} - stored_graphs(graphed, build)
    return kept


def _graph_errors(cases: Sequence[Case], build: Build) -> dict[str, CompileError]:
    return build_graphs(cases, build, surrounded=True).errors if build.target.max_can_build else {}


def _host_errors(cases: Sequence[Case], build: Build) -> dict[str, CompileError]:
    programs = host_programs(cases, build)
    return {name: error for name, error in programs.items() if isinstance(error, CompileError)}


def _report(
    case: Case, build: Build, kinds: tuple[str, ...], kept: bool, error: CompileError | None, share: float
) -> BuildReport:
    def made(status: BuildStatus, reason: str, seconds: float = 0.0) -> BuildReport:
        held = kinds if status in ("built", "cached") else ()
        return BuildReport(
            case=case.id, target=build.target.name, status=status, reason=reason, artifacts=held, seconds=seconds
        )

    if refusal := case.refusal(build.target):
        return made("skipped", refusal)
    if error:
        return made("failed", f"{error}\n{error.diagnostics}".strip(), share)
    only = "" if build.target.max_can_build else "device code only: MAX builds no graphs for Metal yet"
    return made("cached", only) if kept else made("built", only, share)
