"""Everything that is built for a target: compiled graphs and, side by side, device code."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from harness.build.device_code import device_code, stored_code
from harness.build.graphs import build_graphs, stored_graphs
from harness.build.toolchain import LEVELS
from harness.build.unit import Build, units
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.report import BuildReport, BuildStatus

__all__ = ["artifacts"]


def artifacts(cases: Sequence[Case], build: Build, *, code: bool = True) -> tuple[BuildReport, ...]:
    """Builds for a target: MEFs and, side by side, LLVM IR and assembly.

    Args:
        cases: What the target refuses is skipped.
        build: For what.
        code: Whether to build IR and assembly too where MAX builds graphs; what
            is left out is built when it is first asked for.
    """
    target, graphs = build.target, build.target.max_can_build
    code = code or not graphs
    wanted = [case for case in cases if case.refusal(target) is None]
    cached = {unit.case.id for unit in units(wanted, build) if not code or stored_code(unit, build)}
    if graphs:
        cached &= stored_graphs(wanted, build)
    started = time.perf_counter()
    errors: dict[str, CompileError] = {}
    with ThreadPoolExecutor(2) as pool:
        compiled = pool.submit(build_graphs, wanted, build, warmup=True) if graphs else None
        texts = pool.submit(device_code, wanted, build, "llvm") if code else None
        if compiled:
            errors |= compiled.result().errors
        if texts:
            errors |= {name: text for name, text in texts.result().items() if isinstance(text, CompileError)}
    share = (time.perf_counter() - started) / max(1, len(wanted) - len(cached))
    kinds = (*(("mef",) if graphs else ()), *(LEVELS if code else ()))

    def report(case: Case) -> BuildReport:
        def made(status: BuildStatus, reason: str, seconds: float = 0.0) -> BuildReport:
            held = kinds if status in ("built", "cached") else ()
            return BuildReport(
                case=case.id, target=target.name, status=status, reason=reason, artifacts=held, seconds=seconds
            )

        if refusal := case.refusal(target):
            return made("skipped", refusal)
        if error := errors.get(case.id):
            return made("failed", f"{error}\n{error.diagnostics}".strip(), share)
        only = "" if graphs else "device code only: MAX builds no graphs for Metal yet"
        return made("cached", only) if case.id in cached else made("built", only, share)

    return tuple(report(case) for case in cases)
