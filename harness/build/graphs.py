"""Cases to compiled graphs, cached by content.

Every case that is missing is compiled in one MAX module in one child process;
the cache keeps them apart, so that a changed file costs its own cases only.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from harness.build import generate, max_compiler, toolchain
from harness.build.cache import Blob
from harness.build.compiler import KILLED, still_compiling, writing
from harness.build.diagnostics import diagnostics
from harness.build.max_compiler import GraphSpec, Job, OpCall, Product
from harness.build.unit import Build, BuildUnit, assert_launches, by_case, parameters_of, units
from harness.build.warmup import dirty_shared
from harness.errors import CompileError, CompileTimeout, EnvironmentFault
from harness.model.case import Case
from harness.model.sources import GENERATED
from harness.model.target import Target
from harness.process import channel, child
from harness.process.worker import Worker

__all__ = ["TOOLS", "Artifact", "Graphs", "Stage", "build_graphs", "stored_graphs", "warmup_parameters"]

COMPILE_SECONDS = 600.0
MEMORY_BYTES = 16 << 30  # all the puzzles together take one GiB; a `comptime` that never ends takes all
TOOLS = (Path(max_compiler.__file__), Path(__file__))  # what they make depends on them


@dataclass(frozen=True, slots=True)
class Artifact:
    """A case in a compiled MEF.

    Attributes:
        mef: The file; cases built together share it.
        graph: The model's name in it.
        mlir: The graph before compilation.
        parameters: What is compiled into it: sizes and launch.
    """

    mef: Path
    graph: str
    mlir: str
    parameters: Mapping[str, int | float]


@dataclass(slots=True)
class Graphs:
    """What `build_graphs` found or made.

    Attributes:
        artifacts: By case id.
        errors: By case id, why it does not compile.
        seconds: By case id, its share of the time spent now; cached cases are absent.
        warmup: Fills shared memory before a launch on a GPU; None if it was not asked for.
    """

    artifacts: dict[str, Artifact] = field(default_factory=dict)
    errors: dict[str, CompileError] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    warmup: Artifact | None = None

    def graph_text(self, case: Case) -> str:
        """The MLIR of a case's graph.

        Raises:
            CompileError: The case does not compile.
        """
        if case.id in self.errors:
            raise self.errors[case.id]
        return self.artifacts[case.id].mlir


def build_graphs(cases: Sequence[Case], build: Build, *, force: bool = False, warmup: bool = False) -> Graphs:
    """Compiles what is missing and finds the rest.

    Args:
        cases: What is wanted; a case that the target refuses is left out.
        build: For a target that MAX builds graphs for.
        force: Compiles also what the target refuses.
        warmup: Builds also the graph that fills a GPU's shared memory.

    Raises:
        EnvironmentFault: MAX cannot build for the target, or cannot be run here; or what is the harness's own does
            not compile: what is generated around a kernel, or what fills shared memory.
        ArtifactError: A graph does not hold the documented launch.
    """
    if not build.reference and not build.target.max_can_build:
        raise EnvironmentFault(f"MAX builds no graphs for {build.target} yet: only its device code can be built.")
    around = [dirty_shared(build.target)] if warmup and not build.reference else []
    wanted = _grouped([*cases, *around], build, force=force)
    graphs = Graphs()
    if missing := _add_stored(wanted, graphs, build):
        build.cache.require_writable()
        build.cache.in_turn(
            {_key(launches, build): launches for launches in missing},
            lambda free: _compile(_add_stored(free, graphs, build), graphs, build),
        )
    for case in around:
        graphs.seconds.pop(case.id, None)
        if error := graphs.errors.pop(case.id, None):
            raise generate.own_fault("what fills shared memory before a launch", error)
        graphs.warmup = graphs.artifacts.pop(case.id)
    return graphs


def stored_graphs(cases: Sequence[Case], build: Build) -> frozenset[str]:
    """The ids of the cases whose graphs are in the cache."""
    graphs = Graphs()
    _add_stored(_grouped(cases, build), graphs, build)
    return frozenset(graphs.artifacts)


def warmup_parameters(target: Target) -> dict[str, int | float]:
    """What is compiled into the graph that fills shared memory."""
    return parameters_of(dirty_shared(target), target.warp_width)


Launches = tuple[BuildUnit, ...]  # of one case


def _grouped(cases: Sequence[Case], build: Build, *, force: bool = False) -> list[Launches]:
    return list(by_case((unit, unit) for unit in units(cases, build, force=force)).values())


def _add_stored(wanted: Sequence[Launches], graphs: Graphs, build: Build) -> list[Launches]:
    """Adds what the cache holds, and returns what it lacks."""
    missing = []
    for launches in wanted:
        if blobs := build.cache.get(_key(launches, build), ("mef", "mlir")):
            _add(launches, graphs, blobs)
        else:
            missing.append(launches)
    return missing


def _key(launches: Launches, build: Build) -> str:
    text = generate.ops(launches, reference=build.reference)
    parameters = [unit.launch.parameters() for unit in launches]
    return launches[0].key("mef", build, text, TOOLS, launches=parameters, host=os.uname().machine)


def _add(launches: Launches, graphs: Graphs, blobs: Mapping[str, Blob]) -> None:
    case, mlir = launches[0].case, blobs["mlir"].text
    assert_launches(case, mlir, [unit.launch.parameters() for unit in launches])
    parameters = parameters_of(case, launches[0].instance.width)
    graphs.artifacts[case.id] = Artifact(blobs["mef"].path, case.op, mlir, parameters)


def _compile(missing: Sequence[Launches], graphs: Graphs, build: Build) -> None:
    if not missing:
        return
    names = [launches[0].case.id for launches in missing]
    build.notify(f"compiling {', '.join(names)} for {build.where}")
    started = time.perf_counter()
    with Stage(build) as stage:
        stage.add_kernels([launches[0] for launches in missing])
        sound = []
        for name, launches in zip(names, missing, strict=True):
            if error := stage.errors.get(launches[0].module):
                graphs.errors[name] = error
            else:
                sound.append(launches)
        try:
            _finish(sound, stage, graphs, build)
        except CompileError as error:
            _blame(error, sound, stage, graphs, build)
    share = (time.perf_counter() - started) / len(missing)
    graphs.seconds |= dict.fromkeys(names, share)


def _blame(error: CompileError, sound: Sequence[Launches], stage: Stage, graphs: Graphs, build: Build) -> None:
    """Together they do not compile: alone, what is wrong costs only itself."""
    if len(sound) == 1:
        again = None if build.reference else partial(_compile_alone, build)
        graphs.errors[sound[0][0].case.id] = generate.at_home(error, sound[0], again)
        return
    for launches in sound:
        try:
            _finish([launches], stage, graphs, build)
        except CompileError as own:
            _blame(own, [launches], stage, graphs, build)


def _finish(together: Sequence[Launches], stage: Stage, graphs: Graphs, build: Build) -> None:
    if not together:
        return
    mlir, data = stage.compile([unit for launches in together for unit in launches], list(map(_spec, together)))
    for launches in together:
        blobs = {"mef": data, "mlir": mlir[launches[0].case.op].encode()}
        _add(launches, graphs, build.cache.put(_key(launches, build), blobs))


def _compile_alone(build: Build, launches: Launches) -> None:
    """Compiles a case for its errors alone."""
    with Stage(build) as stage:
        stage.add_kernels(launches[:1])
        stage.compile(launches, [_spec(launches)])


def _spec(launches: Launches) -> GraphSpec:
    """One graph, with a call for each launch."""
    tensors = launches[0].instance.tensors
    numbers = {tensor.name: number for number, tensor in enumerate(tensors)}
    calls = [
        OpCall(
            unit.op,
            tuple(numbers[tensor.name] for tensor in unit.tensors),
            unit.launch.parameters(),
            tuple((scalar.dtype.name, None) for scalar in unit.scalars),  # one graph serves all their values
        )
        for unit in launches
    ]
    buffers = tuple((tensor.shape, tensor.dtype.name, tensor.role != "input") for tensor in tensors)
    return GraphSpec(launches[0].case.op, buffers, tuple(calls))


class Stage:
    """A temporary folder with precompiled packages, and a child that compiles graphs out of them.

    Args:
        build: For what.

    Attributes:
        errors: By module, why a file of kernels does not compile.
    """

    def __init__(self, build: Build) -> None:
        self.errors: dict[str, CompileError] = {}
        self._build = build
        self._files: dict[str, Path] = {}
        self._count = 0
        with ExitStack() as made:
            self._folder = made.enter_context(child.temporary_folder())
            self._compiler = _Compiler(build)
            made.callback(self._compiler.close)
            self._closing = made.pop_all()

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def add_kernels(self, wanted: Sequence[BuildUnit]) -> None:
        """Precompiles the files of kernels or references; see `errors`."""
        self._files |= {unit.module: unit.file for unit in wanted}

        def precompiled(module: str) -> None:
            try:
                toolchain.precompile(self._files[module], module, self._folder)
            except CompileError as error:
                self.errors[module] = error

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(precompiled, self._files))

    def compile(self, together: Sequence[BuildUnit], specs: Sequence[GraphSpec]) -> tuple[dict[str, str], bytes]:
        """Compiles graphs.

        Args:
            together: What their ops are made from; `add_kernels` had it.
            specs: The graphs.

        Returns:
            The MLIR of each graph by its name, and the MEF.

        Raises:
            CompileError: One of them does not compile.
        """
        self._count += 1
        ops, out = f"ops_{self._count}", self._folder / f"{self._count}.mef"
        source = self._folder / f"{ops}.mojo"
        with writing(self._folder):
            source.write_text(generate.ops(together, reference=self._build.reference), encoding="utf-8")
        toolchain.precompile(source, ops, self._folder, origin=GENERATED / "ops.mojo")
        modules = [*dict.fromkeys(unit.module for unit in together), ops]
        packages = tuple(str(self._folder / f"{module}.mojoc") for module in modules)
        who = " and ".join(dict.fromkeys(unit.case.id for unit in together))
        product = self._compiler.compile(Job(tuple(specs), packages, str(out)), who)
        if product.error:
            # By the end of its name: the engine keeps places of an earlier build of the same ops, in another folder.
            staged = {module: f"src/{module}/__init__.mojo" for module in modules}
            origins = {staged[module]: self._files.get(module, GENERATED / "ops.mojo") for module in modules}
            raise CompileError(f"{who} does not compile for {self._build.where}", diagnostics(product.error, origins))
        return product.mlir, out.read_bytes()


class _Compiler:
    """One child process that compiles for one target; a new one after a crash."""

    def __init__(self, build: Build) -> None:
        self._where = ["cpu", ""] if build.reference else [build.target.max_api, build.target.architecture]
        self._child = self._started()

    def close(self) -> None:
        """Ends the child."""
        self._child.close()

    def compile(self, job: Job, who: str) -> Product:
        """Compiles a job; an error of what is compiled is in the product.

        Args:
            job: What.
            who: Its cases, for people.

        Raises:
            CompileTimeout: It takes longer than the limit.
            EnvironmentFault: The machine is to blame.
        """
        try:
            self._child.send(job)
            product: Product = self._child.receive(COMPILE_SECONDS)
        except channel.TimeUpError:
            self._restart()
            raise CompileTimeout(still_compiling(who, COMPILE_SECONDS)) from None
        except (channel.ClosedError, channel.GarbageError):
            fate, noise = self._child.fate(), self._child.noise()
            if "asked MAX for" in noise or "ModuleNotFoundError" in noise:
                raise EnvironmentFault(f"MAX cannot build here: {noise.splitlines()[-1]}.") from None
            self._restart()
            if "SIGKILL" in fate:
                raise EnvironmentFault(f"MAX could not compile {who}: {KILLED}.") from None
            return Product({}, f"error: the compiler {fate}\n{noise}")
        if not product.error and not Path(job.out).is_file():
            return Product({}, "error: the compiler wrote nothing")
        return product

    def _restart(self) -> None:
        self._child.close()
        self._child = self._started()

    def _started(self) -> Worker:
        return Worker("harness.build.max_compiler", self._where, limits=child.Limits(memory_bytes=MEMORY_BYTES))
