"""Cases, run by the workers of a scheduler: compiled here, sent by content, run there, reported here.

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
from harness.build.cache import Cache, digest, key_of
from harness.build.device_code import device_code
from harness.build.graphs import build_graphs
from harness.build.unit import Build
from harness.cases import pipeline
from harness.cases.runner import Runner
from harness.catalogue import case as case_of
from harness.cluster import case_stage
from harness.cluster.boxes import warm
from harness.cluster.case_stage import CaseOrder, KernelFile
from harness.cluster.orders import Cluster, Lost, Order
from harness.errors import CompileError, EnvironmentFault
from harness.model import codec
from harness.model.case import Case
from harness.model.report import CaseReport, Plan, RunReport
from harness.model.sources import MANIFEST, Sources, shown
from harness.process.child import Limits, temporary_folder

__all__ = ["ArtifactsOrder", "run", "run_on_gpu", "simulated"]

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
    plan: Plan,
    needs: Sequence[str],
    sources: Sources,
    cluster: Cluster,
    cache: Cache,
    seed: int | None = None,
    bundle: Bundle | None = None,
    data_seed: int | None = None,
    notify: Notify = lambda _: None,
) -> RunReport:
    """Builds every case and has it run on all of its data sets; see `harness.cases.pipeline.run`.

    Args:
        needs: The resources that each case asks for.
        cluster: Who runs them.
        cache: For what is compiled.

    Raises:
        EnvironmentFault: A case could not be run by anybody.
    """
    build = Build(target=plan.target, sources=sources, cache=cache, notify=notify)
    seconds: dict[str, float] = {}
    given = bundle
    with temporary_folder() as folder:
        orders, errors = {}, {}
        wanted = [case for case in cases if case.refusal(plan.target) is None]
        if plan.backend == "simulator":
            sizes = {case.id: plan.sized(case).sizes for case in wanted}
            codes = device_code([size for each in sizes.values() for size in each], build, "llvm", spent=seconds)
            for name, each in sizes.items():
                own = {size.id: codes[size.id] for size in each}
                good = {size: texts for size, texts in own.items() if not isinstance(texts, CompileError)}
                if wrong := [texts for texts in own.values() if isinstance(texts, CompileError)]:
                    errors[name] = wrong[0]
                else:
                    asked = CaseOrder(
                        case=name,
                        target=plan.target.name,
                        seed=seed,
                        data_seed=data_seed,
                        documented_size=plan.documented_size,
                        kind=sources.kind,
                        files=_files(sources, case_of(name)),
                        llvm={size: tuple(_kept(text.encode(), cache) for text in good[size]) for size in good},
                        limits=_LIMITS,
                    )
                    keys = [key for texts in asked.llvm.values() for key in texts]
                    orders[name] = Order(name, "simulate", asked, dict.fromkeys(keys, ROLE))
        else:
            if bundle is None and wanted:
                bundle, errors = _bundle(wanted, build, folder / "artifacts", seconds)
            for case in wanted if bundle else ():
                if case.id not in errors:
                    orders[case.id] = _order(case, bundle, cache, seed, data_seed)
        reports = {case.id: _unrun(case, plan, sources, errors) for case in cases if case.id not in orders}
        for order, answer in cluster.answers(orders.values(), needs):
            report = _report(order.key, answer)
            reports[order.key] = replace(report, build_seconds=seconds.get(order.key, 0.0))
    facts = {**pipeline.environment(), "scheduler": cluster.address}
    if data_seed is not None:
        facts["fresh data"] = f"drawn with data seed {data_seed}"
    return RunReport(
        plan=plan,
        kernels=str(given) if given else sources.shown(cases),
        cases=tuple(reports[case.id] for case in cases),
        sources=None if given else sources,
        environment=facts,
    )


def _files(sources: Sources, case: Case) -> dict[str, KernelFile]:
    """The kernels' file of a case, where a worker has no such file."""
    # Named as `harness.cases.frame_check` names it here.
    files = {name: sources.kernel_file(case) for name in sources.overrides if name == case.puzzle}
    return {name: KernelFile(shown(path), path.read_text(encoding="utf-8")) for name, path in files.items()}


def _kept(data: bytes, cache: Cache) -> str:
    """Keeps an artifact in the cache under a key that its content alone decides."""
    key = key_of({"kind": "artifact", "digest": digest(data)})
    if cache.get(key, ROLE) is None:
        cache.put(key, dict.fromkeys(ROLE, data))
    return key


def _bundle(
    cases: Sequence[Case], build: Build, folder: Path, seconds: dict[str, float]
) -> tuple[Bundle | None, dict[str, CompileError]]:
    """Build the artifacts of cases for a GPU's worker; return them with the errors of cases that do not compile."""
    built = build_graphs([size for case in cases for size in case.sizes], build, surrounded=True)
    seconds |= built.seconds
    errors = {case.id: built.errors[size.id] for case in cases for size in case.sizes if size.id in built.errors}
    good = [case for case in cases if all(size.id in built.artifacts for size in case.sizes)]
    if not good:
        return None, errors
    artifacts.write(built, good, build, folder)
    return artifacts.read(folder), errors


def _order(case: Case, bundle: Bundle | None, cache: Cache, seed: int | None, data_seed: int | None) -> Order:
    """One case of a bundle: its part of the manifest, and where its files are found by content."""
    assert bundle is not None
    manifest = json.loads((bundle.folder / MANIFEST).read_bytes())
    manifest["cases"] = {size.id: manifest["cases"][size.id] for size in case.sizes}
    needed = {entry["mef"] for part in ("cases", "around") for entry in manifest[part].values()}
    manifest["files"] = {file: whole for file, whole in manifest["files"].items() if file in needed}
    files = {file: _kept((bundle.folder / file).read_bytes(), cache) for file in sorted(needed)}
    order = ArtifactsOrder(case=case.id, seed=seed, data_seed=data_seed, manifest=manifest, files=files)
    return Order(case.id, "run", order, dict.fromkeys(files.values(), ROLE))


def _unrun(case: Case, plan: Plan, sources: Sources, errors: Mapping[str, CompileError]) -> CaseReport:
    """The report of a case that nobody has to be asked for: skipped, or not compiled."""
    here = replace(plan, backend="simulator")
    with Runner([case], here, sources, code={case.id: errors[case.id]} if case.id in errors else {}) as runner:
        return replace(runner.report(case), backend=plan.backend, device=plan.device)


def _report(name: str, answer: Any) -> CaseReport:
    if isinstance(answer, Lost):
        raise EnvironmentFault(f"{name} could not be run: {answer.reason}")
    try:
        report = codec.read(CaseReport, answer)
        if report.case != name:
            raise ValueError("another report")
    except ValueError as error:
        raise EnvironmentFault(f"{name} could not be run: a worker answered what is no report ({error}).") from None
    return report


def simulated(order: CaseOrder, stop: Callable[[], bool]) -> CaseReport:
    """On a worker: runs one case in a child.

    Raises:
        EnvironmentFault: It has no report.
    """
    cache = Cache.default()
    llvm = {size: tuple(_artifact(key, cache).decode() for key in keys) for size, keys in order.llvm.items()}
    whole = replace(order, llvm=llvm)
    done = case_stage.STAGE.ask(whole, warm("limits"), stop=stop)
    if done.result is None:
        raise EnvironmentFault(f"its process {done.ended}: {(done.noise.splitlines() or ['silent'])[-1]}")
    return done.result


def run_on_gpu(order: ArtifactsOrder, _: Callable[[], bool]) -> CaseReport:
    """On a worker: runs one case on its GPU."""
    cache = Cache.default()
    with temporary_folder() as folder:
        for file, key in order.files.items():
            (folder / Path(file).name).write_bytes(_artifact(key, cache))
        (folder / MANIFEST).write_bytes(codec.encoded(order.manifest))
        bundle = artifacts.read(folder)
        whole = pipeline.run(
            bundle.select([order.case]),
            plan=pipeline.plan_for(bundle),
            sources=Sources(),
            seed=order.seed,
            bundle=bundle,
            data_seed=order.data_seed,
        )
    (report,) = whole.cases
    return replace(report, device=_device())


def _device() -> str:
    """A GPU and whose it is: each worker sees its own as the first one."""
    from distributed import get_worker

    return str(get_worker().name)


def _artifact(key: str, cache: Cache) -> bytes:
    held = cache.get(key, ROLE)
    if held is None:
        raise EnvironmentFault("an artifact was removed from the cache while it was needed.")
    return held[ROLE[0]].data
