"""Compile cases to MAX graphs, cached by content.

All missing cases are compiled in one MAX module in one child process; the cache stores them apart, so that a changed
file costs only its own cases.
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
from harness.build.stage import GraphBuilder
from harness.build.unit import (
    Build,
    BuildUnit,
    assert_launches,
    case_names,
    compiled_parameters,
    group_values_by_case,
    make_units,
    split_group,
)
from harness.errors import CompileError, EnvironmentFault
from harness.model.case import Case

__all__ = ["TOOLS", "Artifact", "Graphs", "build_graphs", "find_stored_graphs"]

# What they make depends on them. Keys have their whole text, so that no change is forgotten; a changed comment builds
# every artifact again, too.
TOOLS = tuple(Path(__file__).with_name(f"{name}.py") for name in ("max_compiler", "stage", "graphs"))


@dataclass(frozen=True, slots=True)
class Artifact:
    """A case in a compiled MEF file.

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
    """The result of `build_graphs`.

    Attributes:
        artifacts: By case id.
        errors: The compile errors, by case id.
        seconds: By case id, its share of the time spent now; cached cases are missing.
        around: The kernels launched around a case on a GPU, by id; empty if not requested.
    """

    artifacts: dict[str, Artifact] = field(default_factory=dict)
    errors: dict[str, CompileError] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    around: dict[str, Artifact] = field(default_factory=dict)

    def graph_text(self, case: Case) -> str:
        """Return the MLIR of a case's graph.

        Raises:
            CompileError: The case does not compile.
            KeyError: It was not built, as one that the target refuses.
        """
        if case.id in self.errors:
            raise self.errors[case.id]
        return self.artifacts[case.id].mlir


def build_graphs(cases: Sequence[Case], build: Build, *, surrounded: bool = False) -> Graphs:
    """Load the graphs of cases from the cache, and compile and store those that are missing.

    Compile errors of cases are in the result, not raised.

    Args:
        cases: The cases; those that the target refuses are left out.
        build: The build's options, for a target that MAX builds graphs for.
        surrounded: Build the kernels launched around a case on a GPU too.

    Raises:
        EnvironmentFault: MAX cannot build for the target, or does not run here; or code of the harness itself does not
            compile.
        ArtifactError: A graph does not hold the documented launch.
    """
    if not build.reference and not build.target.max_can_build:
        raise EnvironmentFault(f"MAX builds no graphs for {build.target} yet: only its device code can be built.")
    surrounding = around.surrounding_cases(build.target) if surrounded and not build.reference else ()
    groups = _group_by_case([*cases, *surrounding], build)
    graphs = Graphs()
    if missing := _load_cached(groups, graphs, build):
        build.cache.require_writable()
        build.cache.build_locked(
            {_key(launches, build): launches for launches in missing},
            lambda free: _compile_missing(_load_cached(free, graphs, build), graphs, build),
        )
    for case in surrounding:
        graphs.seconds.pop(case.id, None)
        if error := graphs.errors.pop(case.id, None):
            raise versions.make_own_fault(f"what is launched around a case to {case.title}", error)
        graphs.around[case.id] = graphs.artifacts.pop(case.id)
    return graphs


def find_stored_graphs(cases: Sequence[Case], build: Build) -> frozenset[str]:
    """Return the ids of the cases whose graphs are in the cache; compiles nothing.

    Raises ArtifactError if a stored graph does not hold the documented launch.
    """
    graphs = Graphs()
    _load_cached(_group_by_case(cases, build), graphs, build)
    return frozenset(graphs.artifacts)


Launches = tuple[BuildUnit, ...]  # of one case


def _group_by_case(cases: Sequence[Case], build: Build) -> list[Launches]:
    """Return a tuple of units, one for each launch of a kernel, for each case that the target takes.

    After these, return a tuple of one unit for each case whose graph calls an op of its file.
    """
    launched = group_values_by_case((unit, unit) for unit in make_units(cases, build)).values()
    called = (
        case
        for case in cases
        if case.graph and _device(build) in case.graph.devices and (build.reference or not case.refusal(build.target))
    )
    return [*launched, *((_unit_of_graph(case, build),) for case in called)]


def _device(build: Build) -> str:
    return "cpu" if build.reference else "gpu"


def _unit_of_graph(case: Case, build: Build) -> BuildUnit:
    """Return the unit for the file with the op of a case's graph."""
    return BuildUnit(case, 0, case.geometry(build.target.warp_width), build.sources.kernel_file(case), case.module)


def _load_cached(groups: Sequence[Launches], graphs: Graphs, build: Build) -> list[Launches]:
    """Add cached graphs to `graphs`, and return the launches of the others.

    Raises ArtifactError if a cached graph does not hold the documented launch.
    """
    missing = []
    for launches in groups:
        if blobs := build.cache.get(_key(launches, build), ("mef", "mlir")):
            _add_artifact(launches, graphs, build, blobs)
        else:
            missing.append(launches)
    return missing


def _key(launches: Launches, build: Build) -> str:
    first = launches[0]
    if graph := first.case.graph:
        called = [repr(call) for call in _describe_graph(launches).calls]
        text = graph_check.generate_interface(graph, first.instance)
        return first.make_key("mef", build, text, TOOLS, called=called, host=os.uname().machine)
    text = generate.generate_ops(launches, reference=build.reference)
    parameters = [unit.launch.parameters() for unit in launches]
    return first.make_key("mef", build, text, TOOLS, launches=parameters, host=os.uname().machine)


def _add_artifact(launches: Launches, graphs: Graphs, build: Build, blobs: Mapping[str, Blob]) -> None:
    """Add a case's artifact to `graphs`; ArtifactError if its MLIR does not hold the documented launches or op."""
    case, mlir = launches[0].case, blobs["mlir"].text
    if case.graph:
        assert_documented(case.graph, launches[0].instance, _device(build), launches[0].file, mlir)
    else:
        assert_launches(case, mlir, [unit.launch.parameters() for unit in launches])
    parameters = compiled_parameters(case, launches[0].instance.width)
    graphs.artifacts[case.id] = Artifact(blobs["mef"].path, case.op, mlir, parameters)


def _compile_missing(missing: Sequence[Launches], graphs: Graphs, build: Build) -> None:
    """Compile and store cases; add artifacts, errors and each case's equal share of the time to `graphs`."""
    if not missing:
        return
    names = [launches[0].case.id for launches in missing]
    build.notify(f"compiling {case_names(launches[0] for launches in missing)} for {build.target_name}")
    started = time.perf_counter()
    with GraphBuilder(build) as stage:
        stage.add_kernels([launches[0] for launches in missing])
        compilable = []
        for name, launches in zip(names, missing, strict=True):
            if error := stage.errors.get(launches[0].module):
                graphs.errors[name] = blame.attribute_error(error, launches, partial(_compile_alone, build))
            else:
                compilable.append(launches)
        for together in _group_by_ops(compilable):
            try:
                _compile_and_store(together, stage, graphs, build)
            except CompileError as error:
                _isolate_errors(error, together, stage, graphs, build)
    share = (time.perf_counter() - started) / len(missing)
    graphs.seconds |= dict.fromkeys(names, share)


def _group_by_ops(candidates: Sequence[Launches]) -> list[list[Launches]]:
    """Divide cases into groups that MAX can compile together: each joins the first group whose ops it does not clash
    with.

    MAX refuses packages that register an op twice. Two puzzles may name their ops alike, and a file that is compiled
    again with other constants registers its ops again.
    """
    groups: list[tuple[dict[str, str], list[Launches]]] = []  # where each op is from, by its name, and the cases
    for launches in candidates:
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


def _isolate_errors(
    error: CompileError, failed: Sequence[Launches], stage: GraphBuilder, graphs: Graphs, build: Build
) -> None:
    """Compile launches that failed together in smaller groups, down to one, so that only the faulty ones get an
    error, in `graphs.errors`; the others are stored.
    """
    if len(failed) == 1 and failed[0][0].case.graph:
        graphs.errors[failed[0][0].case.id] = blame.attribute_error(error, failed[0], partial(_compile_alone, build))
        return
    if len(failed) == 1:
        recompile = None if build.reference else partial(_compile_alone, build)
        graphs.errors[failed[0][0].case.id] = generate.relocate_error(error, failed[0], recompile)
        return
    for group in split_group(failed):
        try:
            _compile_and_store(group, stage, graphs, build)
        except CompileError as group_error:
            _isolate_errors(group_error, group, stage, graphs, build)


def _compile_and_store(together: Sequence[Launches], stage: GraphBuilder, graphs: Graphs, build: Build) -> None:
    """Compile cases into one MEF, store it for each, and add the artifacts to `graphs`; CompileError if one fails."""
    if not together:
        return
    mlir, data = stage.compile(
        [unit for launches in together for unit in launches], list(map(_describe_graph, together))
    )
    for launches in together:
        blobs = {"mef": data, "mlir": mlir[launches[0].case.op].encode()}
        _add_artifact(launches, graphs, build, build.cache.put(_key(launches, build), blobs))


def _compile_alone(build: Build, launches: Launches) -> None:
    """Compile a case only to raise its errors, such as CompileError; nothing is stored."""
    with GraphBuilder(build) as stage:
        stage.add_kernels(launches[:1])
        stage.compile(launches, [_describe_graph(launches)])


def _describe_graph(launches: Launches) -> GraphSpec:
    """Return the graph of a case: a call for each launch, or the one call of its op.

    Its buffers are the tensors of the instance, or the op's operands; scalars are inputs of the graph.
    """
    case, instance = launches[0].case, launches[0].instance
    if graph := case.graph:
        operands, results = (instance.tensors_of(names) for names in (graph.operands, graph.results))
        parameters = {**graph.parameters, **graph.defaults}
        result_types = tuple((tensor.shape, tensor.dtype.name) for tensor in results)
        call = OpCall(graph.op, tuple(range(len(operands))), parameters, results=result_types)
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
