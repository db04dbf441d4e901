"""Compile cases, have a scheduler's workers run them, and report; also the worker's part, simulator or GPU.

In the simulator a worker gets a kernel's LLVM IR and runs it in a child; on a GPU it gets what `build --out` makes and
does what `run --artifacts` does. What does not compile, or the target refuses, is reported without asking anybody.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.build import bundle as artifacts
from harness.build.bundle import Bundle
from harness.build.cache import Cache, make_key, sha256_hex
from harness.build.device_code import build_device_code
from harness.build.graphs import build_graphs
from harness.build.unit import Build
from harness.cases import pipeline
from harness.cases.prepare import CompiledCases
from harness.cases.runner import Runner
from harness.catalogue import find_case as case_of
from harness.cluster import case_stage
from harness.cluster.boxes import get_pool
from harness.cluster.case_stage import CaseOrder, KernelFile
from harness.cluster.orders import Cluster, ClusterOrder, LostOrder
from harness.errors import CompileError, EnvironmentFault
from harness.model import codec
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport, RunReport
from harness.model.sources import MANIFEST, Sources, display_path
from harness.process.child import Limits, temporary_folder

__all__ = ["ArtifactsOrder", "run", "run_on_gpu", "simulate_case"]

ROLE = ("artifact",)
_LIMITS = Limits(seconds=3600.0)  # of a case, all of its data sets: something is wrong
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactsOrder:
    """A case, for a GPU.

    Attributes:
        case: Its id.
        seed: Of the order of the cases.
        data_seed: Of the fresh data, or None.
        manifest: Of what was built, as far as it is the case's.
        files: By the name in the manifest, the cache's key of each.
    """

    case: str
    seed: int | None
    data_seed: int | None
    manifest: Mapping[str, Any]
    files: Mapping[str, str]


def run(
    cases: Sequence[Case],
    *,
    plan: LaunchPlan,
    needs: Sequence[str],
    sources: Sources,
    cluster: Cluster,
    cache: Cache,
    bundle: Bundle | None = None,
    notify: Notify = lambda _: None,
) -> RunReport:
    """Build every case and have workers run it on all of its data sets; see `harness.cases.pipeline.run`.

    Args:
        needs: The resources that each case asks for.
        cluster: Who runs them.
        cache: For what is compiled.
        bundle: What was built before, for a GPU; None to build it here.
        notify: Gets a line when something is compiled here, not when a report arrives.

    Raises:
        EnvironmentFault: No worker gave a report of some case; the other reports are lost then. Or as
            `Cluster.run_orders`.
    """
    build = Build(target=plan.target, sources=sources, cache=cache, notify=notify)
    seconds: dict[str, float] = {}
    prebuilt = bundle
    with temporary_folder() as folder:
        orders, errors = {}, {}
        runnable = [case for case in cases if case.refusal(plan.target) is None]
        if plan.backend == "simulator":
            sizes = {case.id: plan.case_to_run(case).sizes for case in runnable}
            codes = build_device_code(
                [size for each in sizes.values() for size in each], build, "llvm", seconds_by_case=seconds
            )
            for name, each in sizes.items():
                compiled = {size.id: codes[size.id] for size in each}
                device_ir = {size: texts for size, texts in compiled.items() if not isinstance(texts, CompileError)}
                if failed := [texts for texts in compiled.values() if isinstance(texts, CompileError)]:
                    errors[name] = failed[0]
                else:
                    case_order = CaseOrder(
                        case=name,
                        target=plan.target.name,
                        seed=plan.seed,
                        data_seed=plan.data_seed,
                        documented_size=plan.documented_size,
                        kind=sources.kind,
                        files=_read_kernel_files(sources, case_of(name)),
                        llvm={
                            size: tuple(_store_artifact(text.encode(), cache) for text in device_ir[size])
                            for size in device_ir
                        },
                        limits=_LIMITS,
                    )
                    keys = [key for texts in case_order.llvm.values() for key in texts]
                    orders[name] = ClusterOrder(name, "simulate", case_order, dict.fromkeys(keys, ROLE))
        else:
            if bundle is None and runnable:
                bundle, errors = _build_bundle(runnable, build, folder / "artifacts", seconds)
            for case in runnable if bundle else ():
                if case.id not in errors:
                    orders[case.id] = _make_order(case, plan, bundle, cache)
        reports = {case.id: _report_unrun(case, plan, sources, errors) for case in cases if case.id not in orders}
        for order, answer in cluster.run_orders(orders.values(), needs):
            report = _read_report(order.key, answer)
            reports[order.key] = replace(report, build_seconds=seconds.get(order.key, 0.0))
    facts = {**pipeline.environment(), "scheduler": cluster.address}
    if plan.data_seed is not None:
        facts["fresh data"] = f"drawn with data seed {plan.data_seed}"
    return RunReport(
        plan=plan,
        kernels=str(prebuilt) if prebuilt else sources.describe(cases),
        cases=tuple(reports[case.id] for case in cases),
        sources=None if prebuilt else sources,
        environment=facts,
    )


def _read_kernel_files(sources: Sources, case: Case) -> dict[str, KernelFile]:
    """Return a case's kernel file, by puzzle, if it overrides the harness's own; else empty: workers have that."""
    # Named as `harness.cases.frame_check` names it here.
    files = {name: sources.kernel_file(case) for name in sources.overrides if name == case.puzzle}
    return {name: KernelFile(display_path(path), path.read_text(encoding="utf-8")) for name, path in files.items()}


def _store_artifact(data: bytes, cache: Cache) -> str:
    """Store an artifact in the cache under a key that its content alone decides, and return the key."""
    key = make_key({"kind": "artifact", "digest": sha256_hex(data)})
    if cache.get(key, ROLE) is None:
        cache.put(key, dict.fromkeys(ROLE, data))
    return key


def _build_bundle(
    cases: Sequence[Case], build: Build, folder: Path, seconds: dict[str, float]
) -> tuple[Bundle | None, dict[str, CompileError]]:
    """Build the artifacts of cases for a GPU's worker; return them with the errors of cases that do not compile.

    None for the artifacts if no case compiles. `seconds` gets the time of each case.
    """
    built = build_graphs([size for case in cases for size in case.sizes], build, surrounded=True)
    seconds |= built.seconds
    errors = {case.id: built.errors[size.id] for case in cases for size in case.sizes if size.id in built.errors}
    compiled = [case for case in cases if all(size.id in built.artifacts for size in case.sizes)]
    if not compiled:
        return None, errors
    artifacts.write_bundle(built, compiled, build, folder)
    return artifacts.read_bundle(folder), errors


def _make_order(case: Case, plan: LaunchPlan, bundle: Bundle | None, cache: Cache) -> ClusterOrder:
    """Make the order of one case of a bundle: its part of the manifest, and the keys of its files, which go into the
    cache.
    """
    assert bundle is not None
    manifest = json.loads((bundle.folder / MANIFEST).read_bytes())
    manifest["cases"] = {size.id: manifest["cases"][size.id] for size in case.sizes}
    needed = {entry["mef"] for part in ("cases", "around") for entry in manifest[part].values()}
    manifest["files"] = {file: entry_of_file for file, entry_of_file in manifest["files"].items() if file in needed}
    files = {file: _store_artifact((bundle.folder / file).read_bytes(), cache) for file in sorted(needed)}
    order = ArtifactsOrder(case=case.id, seed=plan.seed, data_seed=plan.data_seed, manifest=manifest, files=files)
    return ClusterOrder(case.id, "run", order, dict.fromkeys(files.values(), ROLE))


def _report_unrun(case: Case, plan: LaunchPlan, sources: Sources, errors: Mapping[str, CompileError]) -> CaseReport:
    """Report a case that needs no worker: skipped, or not compiled."""
    simulator_plan = replace(plan, backend="simulator")
    compiled = CompiledCases(code={case.id: errors[case.id]} if case.id in errors else {})
    with Runner([case], simulator_plan, sources, compiled=compiled) as runner:
        return replace(runner.report(case), backend=plan.backend, device=plan.device)


def _read_report(name: str, answer: Any) -> CaseReport:
    """Return an answer as the report of a case; EnvironmentFault if the order was lost, or it is no such report."""
    if isinstance(answer, LostOrder):
        raise EnvironmentFault(f"{name} could not be run: {answer.reason}")
    try:
        report = codec.build_record(CaseReport, answer)
        if report.case != name:
            raise ValueError("another report")
    except ValueError as error:
        raise EnvironmentFault(f"{name} could not be run: a worker answered what is no report ({error}).") from None
    return report


def simulate_case(order: CaseOrder, stop: Callable[[], bool]) -> CaseReport:
    """Run one case in a child, on a worker.

    Raises:
        EnvironmentFault: Its process gave no report, or an artifact is not in the cache any more.
        StoppedError: The report is not wanted any more.
    """
    cache = Cache.default()
    llvm = {size: tuple(_load_artifact(key, cache).decode() for key in keys) for size, keys in order.llvm.items()}
    complete_order = replace(order, llvm=llvm)
    outcome = case_stage.STAGE.ask(complete_order, get_pool("limits"), stop=stop)
    if outcome.result is None:
        raise EnvironmentFault(f"its process {outcome.process_exit}: {(outcome.noise.splitlines() or ['silent'])[-1]}")
    return outcome.result


def run_on_gpu(order: ArtifactsOrder, _: Callable[[], bool]) -> CaseReport:
    """Run one case on the GPU of this worker, to its end; the report names the worker as its device.

    The second argument, which says whether to stop, is never called.

    Raises:
        EnvironmentFault: An artifact is not in the cache any more.
        ArtifactError: What was built does not fit this machine.
    """
    cache = Cache.default()
    with temporary_folder() as folder:
        for file, key in order.files.items():
            (folder / Path(file).name).write_bytes(_load_artifact(key, cache))
        (folder / MANIFEST).write_bytes(codec.encode(order.manifest))
        bundle = artifacts.read_bundle(folder)
        run_report = pipeline.run(
            bundle.select([order.case]),
            plan=replace(pipeline.plan_artifacts(bundle), seed=order.seed, data_seed=order.data_seed),
            sources=Sources(),
            bundle=bundle,
        )
    (report,) = run_report.cases
    return replace(report, device=_device_name())


def _device_name() -> str:
    """Return the worker's name, which names its GPU: each worker sees its own as the first one."""
    from distributed import get_worker

    return str(get_worker().name)


def _load_artifact(key: str, cache: Cache) -> bytes:
    blobs = cache.get(key, ROLE)
    if blobs is None:
        raise EnvironmentFault("an artifact was removed from the cache while it was needed.")
    return blobs[ROLE[0]].data
