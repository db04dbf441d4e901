"""Cases and a target to artifacts, cached by content: MEFs, device IR, assembly.

Every puzzle that is missing is compiled in one MAX module in one child
process; the cache keeps them apart, so that a changed file costs its own
puzzle only.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.build import graphs, toolchain
from harness.build.cache import Blob, Cache
from harness.build.device_code import device_code, stored_kernels
from harness.build.graphs import GraphSpec, Job, Product
from harness.build.unit import BuildUnit, assert_launch, parameters_of, units
from harness.catalogue.warmup import DIRTY_SHARED, dirty_shared
from harness.errors import CompileError, EnvironmentFault
from harness.model.case import Case
from harness.model.report import BuildReport
from harness.model.sources import Sources
from harness.model.target import Target
from harness.process import channel
from harness.process.child import Worker

__all__ = ["Artifact", "Graphs", "artifacts", "build_graphs", "device_code"]

Notify = Callable[[str], None]
COMPILE_SECONDS = 600.0
REFERENCE_WIDTH = 32


@dataclass(frozen=True, slots=True)
class Artifact:
    """A case in a compiled MEF.

    Attributes:
        mef: The file; cases built together share it.
        graph: The model's name in it.
        mlir: The graph before compilation.
        parameters: The op's compile-time parameters: sizes, scalars and launch.
    """

    mef: Path
    graph: str
    mlir: str
    parameters: Mapping[str, int]


@dataclass(slots=True)
class Graphs:
    """What `build_graphs` found or made.

    Attributes:
        target: None for the reference on the host CPU.
        artifacts: By case id.
        errors: By case id, why it does not compile.
        seconds: By case id, its share of the time spent now; cached cases are absent.
    """

    target: Target | None
    artifacts: dict[str, Artifact] = field(default_factory=dict)
    errors: dict[str, CompileError] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def hygiene(self) -> Artifact | None:
        """The graph that fills shared memory before each launch, if it was built too."""
        return self.artifacts.get(DIRTY_SHARED)

    def graph_text(self, case: Case) -> str:
        """The MLIR of a case's graph.

        Raises:
            CompileError: The case does not compile.
        """
        if case.id in self.errors:
            raise self.errors[case.id]
        return self.artifacts[case.id].mlir


def build_graphs(
    cases: Sequence[Case],
    target: Target | None,
    sources: Sources,
    notify: Notify = lambda _: None,
    *,
    width: int | None = None,
    cache: Cache | None = None,
    force: bool = False,
) -> Graphs:
    """Compiles what is missing and finds the rest.

    Args:
        cases: What is wanted; a case that the target refuses is left out.
        target: None for the sequential reference on the host CPU.
        sources: Whose kernels.
        notify: Gets one line when something is compiled.
        width: Lanes of a warp; the target's unless told (32 for the reference).
        cache: The default one unless told.
        force: Compiles also what the target refuses.

    Raises:
        EnvironmentFault: MAX cannot build for the target, or cannot be run here.
        ArtifactError: A graph does not hold the documented launch.
    """
    if target is not None and not target.max_can_build:
        raise EnvironmentFault(f"MAX builds no graphs for {target} yet: only its device code can be built.")
    store = cache or Cache.default()
    width = width or (target.warp_width if target else REFERENCE_WIDTH)
    groups = units(cases, target, sources, width, force=force)
    built = Graphs(target)
    missing = [group for group in groups if not _stored(group, built, store)]
    if missing:
        store.require_writable()

        def build(groups: list[BuildUnit]) -> None:
            groups = [group for group in groups if not _stored(group, built, store)]
            if groups:
                _compile(groups, built, store, notify)

        store.in_turn({_key(group, target): group for group in missing}, build)
    return built


def artifacts(
    cases: Sequence[Case],
    target: Target,
    sources: Sources,
    notify: Notify = lambda _: None,
    *,
    cache: Cache | None = None,
    code: bool = True,
) -> tuple[BuildReport, ...]:
    """Builds for a target: MEFs and, side by side, LLVM IR and assembly.

    Args:
        code: Whether to build IR and assembly too where MAX builds graphs; what
            is left out is built when it is first asked for.
    """
    levels = toolchain.LEVELS if code or not target.max_can_build else ()
    store = cache or Cache.default()
    wanted = [case for case in cases if case.refusal(target) is None]
    groups = units(wanted, target, sources, target.warp_width)
    cached = {
        case.id
        for group in groups
        if all(stored_kernels(group, target, level, store) for level in levels)
        and (not target.max_can_build or _stored(group, Graphs(target), store))
        for case in group.cases
    }
    started = time.perf_counter()
    with ThreadPoolExecutor(3) as pool:
        graphs = None
        if target.max_can_build:
            graphs = pool.submit(build_graphs, [*wanted, dirty_shared(target)], target, sources, notify, cache=store)
        codes = {
            level: pool.submit(device_code, wanted, target, sources, level, notify, cache=store) for level in levels
        }
        errors = dict(graphs.result().errors) if graphs else {}
        for code in codes.values():
            errors |= {name: text for name, text in code.result().items() if isinstance(text, CompileError)}
    share = (time.perf_counter() - started) / max(1, len(wanted) - len(cached))
    kinds = ("mef", *levels) if target.max_can_build else levels

    def report(case: Case) -> BuildReport:
        def made(status, reason="", kinds=(), seconds=0.0) -> BuildReport:
            return BuildReport(
                case=case.id,
                target=target.name,
                status=status,
                reason=reason,
                artifacts=tuple(kinds),
                seconds=seconds,
            )

        if refusal := case.refusal(target):
            return made("skipped", refusal)
        if error := errors.get(case.id):
            return made("failed", f"{error}\n{error.diagnostics}".strip(), seconds=share)
        only = "" if target.max_can_build else "device code only: MAX builds no graphs for Metal yet"
        return made("cached", only, kinds) if case.id in cached else made("built", only, kinds, share)

    return tuple(report(case) for case in cases)


def _name(target: Target | None) -> str:
    return target.name if target else "cpu"


def _key(group: BuildUnit, target: Target | None) -> str:
    # The module that builds the graphs is a source of them too.
    files = [group.kernel, group.op, Path(graphs.__file__)]
    return group.key("mef", files, target=_name(target), host=os.uname().machine)


def _stored(group: BuildUnit, built: Graphs, cache: Cache) -> bool:
    blobs = cache.get(_key(group, built.target), ["mef", *(case.id for case in group.cases)])
    if blobs is not None:
        _add(group, built, blobs)
    return blobs is not None


def _add(group: BuildUnit, built: Graphs, blobs: Mapping[str, Blob]) -> None:
    for case in group.cases:
        mlir, parameters = blobs[case.id].text, parameters_of(group.instance(case))
        assert_launch(case, mlir, parameters)
        built.artifacts[case.id] = Artifact(blobs["mef"].path, case.op, mlir, parameters)


def _compile(groups: Sequence[BuildUnit], built: Graphs, cache: Cache, notify: Notify) -> None:
    target = built.target
    graphs = [case for group in groups for case in group.cases]
    notify(f"compiling {', '.join(case.id for case in graphs)} for {_name(target)}")
    started = time.perf_counter()
    with TemporaryDirectory(prefix="graphs-") as folder, _Compiler(target) as compiler:
        stage = Path(folder).resolve()
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            failed = pool.map(lambda group: _precompiled(group, stage), groups)
            errors = dict(zip([group.puzzle for group in groups], failed, strict=True))
        good = [group for group in groups if errors[group.puzzle] is None]
        product = compiler.compile(good, stage) if good else None
        if product is not None and product.error and len(good) > 1:
            # One of them does not compile: alone, each costs only its own cases.
            for group in good:
                errors[group.puzzle] = _finish([group], compiler.compile([group], stage), stage, built, cache)
        elif product is not None:
            errors |= dict.fromkeys((group.puzzle for group in good), _finish(good, product, stage, built, cache))
    share = (time.perf_counter() - started) / len(graphs)
    for group in groups:
        for case in group.cases:
            built.seconds[case.id] = share
            if error := errors[group.puzzle]:
                built.errors[case.id] = error


def _precompiled(group: BuildUnit, stage: Path) -> CompileError | None:
    try:
        toolchain.precompile(group.kernel, group.module, stage)
        toolchain.precompile(group.op, f"{group.module}_op", stage)
    except CompileError as error:
        return error
    return None


def _finish(
    groups: Sequence[BuildUnit], product: Product, stage: Path, built: Graphs, cache: Cache
) -> CompileError | None:
    if product.error:
        origins = {}
        for group in groups:
            origins[str(stage / "src" / group.module / "__init__.mojo")] = group.kernel
            origins[str(stage / "src" / f"{group.module}_op" / "__init__.mojo")] = group.op
        puzzle = " and ".join(group.puzzle for group in groups)
        text = toolchain.diagnostics(product.error, origins)
        return CompileError(f"{puzzle} does not compile for {_name(built.target)}", text)
    data = _mef(stage, groups).read_bytes()
    for group in groups:
        graphs = {case.id: product.mlir[case.op].encode() for case in group.cases}
        _add(group, built, cache.put(_key(group, built.target), {"mef": data, **graphs}))
    return None


def _mef(stage: Path, groups: Sequence[BuildUnit]) -> Path:
    return stage / f"{'-'.join(group.module for group in groups)}.mef"


class _Compiler:
    """One child process that compiles for one target; a new one after a crash."""

    def __init__(self, target: Target | None) -> None:
        self._where = [target.max_api, target.architecture] if target else ["cpu", ""]
        self._child = Worker("harness.build.graphs", self._where)

    def __enter__(self) -> _Compiler:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.close()

    def compile(self, groups: Sequence[BuildUnit], stage: Path) -> Product:
        """Compiles the groups into `_mef(stage, groups)`."""
        specs = tuple(_spec(group, case) for group in groups for case in group.cases)
        packages = tuple(str(stage / f"{group.module}{suffix}.mojoc") for group in groups for suffix in ("", "_op"))
        job = Job(specs, packages, str(_mef(stage, groups)))
        try:
            self._child.send(job)
            product = self._child.receive(COMPILE_SECONDS)
        except channel.TimeUpError:
            self._restart()
            return Product({}, f"error: the compiler did not end within {COMPILE_SECONDS:.0f} s")
        except (channel.ClosedError, channel.GarbageError):
            fate, noise = self._child.fate(), self._child.noise()
            if "asked MAX for" in noise or "ModuleNotFoundError" in noise:
                raise EnvironmentFault(f"MAX cannot build here: {noise.splitlines()[-1]}.") from None
            self._restart()
            return Product({}, f"error: the compiler {fate}\n{noise}")
        if not product.error and not Path(job.out).is_file():
            return Product({}, "error: the compiler wrote nothing")
        return product

    def _restart(self) -> None:
        self._child.close()
        self._child = Worker("harness.build.graphs", self._where)


def _spec(group: BuildUnit, case: Case) -> GraphSpec:
    instance = group.instance(case)
    buffers = tuple((buffer.shape, buffer.dtype.name, buffer.role != "input") for buffer in instance.buffers)
    return GraphSpec(case.op, buffers, parameters_of(instance))
