"""Cases to compiled graphs, cached by content.

Every case that is missing is compiled in one MAX module in one child process;
the cache keeps them apart, so that a changed file costs its own cases only.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from harness.build import around, blame, generate, graph_check, versions
from harness.build.cache import Blob
from harness.build.graph_reading import assert_documented
from harness.build.max_compiler import GraphSpec, OpCall
from harness.build.stage import Stage
from harness.build.unit import Build, BuildUnit, assert_launches, by_case, case_names, parameters_of, smaller, units
from harness.errors import CompileError, EnvironmentFault
from harness.model.case import Case

__all__ = ["TOOLS", "Artifact", "Graphs", "build_graphs", "stored_graphs"]

# What they make depends on them.
TOOLS = tuple(Path(__file__).with_name(f"{name}.py") for name in ("max_compiler", "stage", "graphs"))


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
    parameters: Mapping[str, int | float | str]


@dataclass(slots=True)
class Graphs:
    """What `build_graphs` found or made.

    Attributes:
        artifacts: By case id.
        errors: By case id, why it does not compile.
        seconds: By case id, its share of the time spent now; cached cases are absent.
        around: What is launched around a case on a GPU, by its id; empty if it was not asked for.
    """

    artifacts: dict[str, Artifact] = field(default_factory=dict)
    errors: dict[str, CompileError] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    around: dict[str, Artifact] = field(default_factory=dict)

    def graph_text(self, case: Case) -> str:
        """The MLIR of a case's graph.

        Raises:
            CompileError: The case does not compile.
        """
        if case.id in self.errors:
            raise self.errors[case.id]
        return self.artifacts[case.id].mlir


def build_graphs(cases: Sequence[Case], build: Build, *, surrounded: bool = False) -> Graphs:
    """Compiles what is missing and finds the rest.

    Args:
        cases: What is wanted; a case that the target refuses is left out.
        build: For a target that MAX builds graphs for.
        surrounded: Builds also what is launched around a case on a GPU.

    Raises:
        EnvironmentFault: MAX cannot build for the target, or cannot be run here; or what is the harness's own does
            not compile: what is generated around a kernel, or what is launched around a case.
        ArtifactError: A graph does not hold the documented launch.
    """
    if not build.reference and not build.target.max_can_build:
        raise EnvironmentFault(f"MAX builds no graphs for {build.target} yet: only its device code can be built.")
    own = around.around(build.target) if surrounded and not build.reference else ()
    wanted = _grouped([*cases, *own], build)
    graphs = Graphs()
    if missing := _add_stored(wanted, graphs, build):
        build.cache.require_writable()
        build.cache.in_turn(
            {_key(launches, build): launches for launches in missing},
            lambda free: _compile(_add_stored(free, graphs, build), graphs, build),
        )
    for case in own:
        graphs.seconds.pop(case.id, None)
        if error := graphs.errors.pop(case.id, None):
            raise versions.own_fault(f"what is launched around a case to {case.title}", error)
        graphs.around[case.id] = graphs.artifacts.pop(case.id)
    return graphs


def stored_graphs(cases: Sequence[Case], build: Build) -> frozenset[str]:
    """The ids of the cases whose graphs are in the cache."""
    graphs = Graphs()
    _add_stored(_grouped(cases, build), graphs, build)
    return frozenset(graphs.artifacts)


Launches = tuple[BuildUnit, ...]  # of one case


def _grouped(cases: Sequence[Case], build: Build) -> list[Launches]:
    launched = by_case((unit, unit) for unit in units(cases, build)).values()
    called = (
        case
        for case in cases
        if case.graph and _device(build) in case.graph.devices and (build.reference or not case.refusal(build.target))
    )
    return [*launched, *((_op(case, build),) for case in called)]


def _device(build: Build) -> str:
    return "cpu" if build.reference else "gpu"


def _op(case: Case, build: Build) -> BuildUnit:
    """The step of a case in whose file the op of its graph stands."""
    return BuildUnit(case, 0, case.geometry(build.target.warp_width), build.sources.kernel_file(case), case.module)


def _add_stored(wanted: Sequence[Launches], graphs: Graphs, build: Build) -> list[Launches]:
    """Adds what the cache holds, and returns what it lacks."""
    missing = []
    for launches in wanted:
        if blobs := build.cache.get(_key(launches, build), ("mef", "mlir")):
            _add(launches, graphs, build, blobs)
        else:
            missing.append(launches)
    return missing


def _key(launches: Launches, build: Build) -> str:
    first = launches[0]
    if graph := first.case.graph:
        called = [repr(call) for call in _spec(launches).calls]
        text = graph_check.interface(graph, first.instance)
        return first.key("mef", build, text, TOOLS, called=called, host=os.uname().machine)
    text = generate.ops(launches, reference=build.reference)
    parameters = [unit.launch.parameters() for unit in launches]
    return first.key("mef", build, text, TOOLS, launches=parameters, host=os.uname().machine)


def _add(launches: Launches, graphs: Graphs, build: Build, blobs: Mapping[str, Blob]) -> None:
    case, mlir = launches[0].case, blobs["mlir"].text
    if case.graph:
        assert_documented(case.graph, launches[0].instance, _device(build), launches[0].file, mlir)
    else:
        assert_launches(case, mlir, [unit.launch.parameters() for unit in launches])
    parameters = parameters_of(case, launches[0].instance.width)
    graphs.artifacts[case.id] = Artifact(blobs["mef"].path, case.op, mlir, parameters)


def _compile(missing: Sequence[Launches], graphs: Graphs, build: Build) -> None:
    if not missing:
        return
    names = [launches[0].case.id for launches in missing]
    build.notify(f"compiling {case_names(launches[0] for launches in missing)} for {build.where}")
    started = time.perf_counter()
    with Stage(build) as stage:
        stage.add_kernels([launches[0] for launches in missing])
        sound = []
        for name, launches in zip(names, missing, strict=True):
            if error := stage.errors.get(launches[0].module):
                graphs.errors[name] = blame.attribute(error, launches, partial(_compile_alone, build))
            else:
                sound.append(launches)
        for together in _group_by_ops(sound):
            try:
                _finish(together, stage, graphs, build)
            except CompileError as error:
                _blame(error, together, stage, graphs, build)
    share = (time.perf_counter() - started) / len(missing)
    graphs.seconds |= dict.fromkeys(names, share)


def _group_by_ops(sound: Sequence[Launches]) -> list[list[Launches]]:
    """Divide cases into as few groups as possible that MAX can compile together.

    MAX refuses packages that register an op twice. Two puzzles may name their ops alike, and a file that is compiled
    again with other constants registers its ops again.
    """
    groups: list[tuple[dict[str, str], list[Launches]]] = []  # where each op is from, by its name, and the cases
    for launches in sound:
        first = launches[0]
        names = [first.case.graph.op] if first.case.graph else [unit.op for unit in launches]
        home = first.module if first.case.graph else f"generated for {first.case.id}"
        ops = dict.fromkeys(names, home) | dict.fromkeys(first.registered_ops, first.module)
        fitting = (each for each in groups if all(each[0].get(op, home) == home for op, home in ops.items()))
        homes, group = next(fitting, ({}, []))
        if not group:
            groups.append((homes, group))
        homes |= ops
        group.append(launches)
    return [group for _, group in groups]


def _blame(error: CompileError, sound: Sequence[Launches], stage: Stage, graphs: Graphs, build: Build) -> None:
    """Together they do not compile: in smaller groups, what is wrong costs only itself."""
    if len(sound) == 1 and sound[0][0].case.graph:
        graphs.errors[sound[0][0].case.id] = blame.attribute(error, sound[0], partial(_compile_alone, build))
        return
    if len(sound) == 1:
        again = None if build.reference else partial(_compile_alone, build)
        graphs.errors[sound[0][0].case.id] = generate.at_home(error, sound[0], again)
        return
    for group in smaller(sound):
        try:
            _finish(group, stage, graphs, build)
        except CompileError as own:
            _blame(own, group, stage, graphs, build)


def _finish(together: Sequence[Launches], stage: Stage, graphs: Graphs, build: Build) -> None:
    if not together:
        return
    mlir, data = stage.compile([unit for launches in together for unit in launches], list(map(_spec, together)))
    for launches in together:
        blobs = {"mef": data, "mlir": mlir[launches[0].case.op].encode()}
        _add(launches, graphs, build, build.cache.put(_key(launches, build), blobs))


def _compile_alone(build: Build, launches: Launches) -> None:
    """Compiles a case for its errors alone."""
    with Stage(build) as stage:
        stage.add_kernels(launches[:1])
        stage.compile(launches, [_spec(launches)])


def _spec(launches: Launches) -> GraphSpec:
    """One graph, with a call for each launch, or with that of its op."""
    case, instance = launches[0].case, launches[0].instance
    if graph := case.graph:
        operands, results = (instance.tensors_of(names) for names in (graph.operands, graph.results))
        parameters = {**graph.parameters, **graph.defaults}
        given = tuple((tensor.shape, tensor.dtype.name) for tensor in results)
        call = OpCall(graph.op, tuple(range(len(operands))), parameters, results=given)
        return GraphSpec(case.op, tuple((tensor.shape, tensor.dtype.name, False) for tensor in operands), (call,))
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
    buffers = tuple((tensor.shape, tensor.dtype.name, tensor.writable) for tensor in tensors)
    return GraphSpec(launches[0].case.op, buffers, tuple(calls))
