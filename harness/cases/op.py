"""Call a MAX library's op on arrays, as a case, and judge it; on a GPU, compare its bits with those from a graph."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.backends.base import Backend, Outcome, Request
from harness.backends.guarded import view_bits
from harness.build import signatures
from harness.cases import pipeline
from harness.cases.case_run import run_case
from harness.cases.check import index
from harness.cases.kernel_launch import (
    Argument,
    check_array,
    make_case_without_data,
    make_scalar,
    module_name,
    order_arguments,
)
from harness.cases.op_library import OPERANDS, RESULT, Op, find_op
from harness.cases.runner import Runner
from harness.errors import EnvironmentFault, UsageError, unknown_name
from harness.model.case import Case, Dataset, Graph, HostStep, Instance, ScalarArgument, TensorArgument, Within
from harness.model.launch_plan import FAIL_ON, LaunchPlan
from harness.model.messages import make_finding
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.model.steps import ANY
from harness.model.verdict import Verdict
from harness.simt.findings import SEVERITIES, Finding, Severity

__all__ = ["Called", "make_op_case", "op"]

Arrays = Mapping[str, np.ndarray]
Given = Mapping[str, Any] | Sequence[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """The outcome of calling an op.

    Attributes:
        report: The verdict and the findings of the call; of the graph if the call was right and the graph is not.
        outputs: The results, and operands that are updated in place, by name, as the call left them.
        graph: The report of a graph with the op; None if none was asked for, or the call was not right.
    """

    report: CaseReport
    outputs: Arrays
    graph: CaseReport | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the findings, errors first."""
        return self.report.findings

    @property
    def ok(self) -> bool:
        """Return True if nothing is wrong."""
        return self.report.ok


def op(
    folder: str | Path,
    name: str,
    inputs: Given,
    outputs: Given | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    expected: Given | None = None,
    rtol: float = 0.0,
    atol: float = 0.0,
    target: str | None = None,
    backend: str = "auto",
    graph: bool = False,
    seed: int | None = None,
    notify: Callable[[str], None] = lambda _: None,
    fail_on: Severity = FAIL_ON,
) -> Called:
    """Call an op of a library, check its results, and return them with the report; wrong results raise nothing.

    Args:
        folder: The library: a folder with an `__init__.mojo`, or one Mojo file.
        name: The name under which the op is registered.
        inputs: NumPy arrays, and numbers for scalars, by name or in the order in which `execute` takes them.
        outputs: The results by name or in order: arrays for their shape and type, or pairs (shape, type). May be left
            out where results are expected.
        parameters: Compile-time parameters by name, without `target` and those that follow from the tensors.
        expected: The arrays that the results must hold, by name or in order. Without it values are not judged; all else
            is.
        rtol: The relative tolerance of a result.
        atol: The absolute tolerance, which is added.
        target: `vendor:architecture`; this machine's GPU, else `nvidia`, if None.
        backend: `auto`, `max` or `simulator`.
        graph: Whether the op, if its call is right, is run through a MAX graph too, which needs a GPU and must give the
            same bits.
        seed: Shuffles the simulator's schedule.
        notify: Gets one line when something is compiled.
        fail_on: The least severity of findings that make the call fail.

    Raises:
        UsageError: There is no such library, op, backend or severity, it does not take what is given, or a tolerance is
            negative or not finite.
        CompileError: It does not compile.
        EnvironmentFault: Nothing here can run it, or a graph is asked for without a GPU.
    """
    if backend == "cpu":
        raise UsageError("an op is called on a GPU or in the simulator: backend is auto, max or simulator.")
    for tolerance, value in (("rtol", rtol), ("atol", atol)):
        if not isinstance(value, int | float) or not 0 <= value < float("inf"):
            raise UsageError(f"{tolerance} is a number from 0 on, but got {value!r}.")
    library_op = find_op(Path(folder).resolve(), name)
    answers = {} if expected is None else _order_expected(library_op, expected, outputs)
    called_as = make_op_case(library_op, inputs, outputs, parameters or {}, None if expected is None else answers)
    for result in called_as.instance(1).results:
        if result.name in answers and (shape := answers[result.name].shape) != result.shape:
            raise UsageError(f"{result.name} of {name} has shape {result.shape}, but what is expected has {shape}.")
    case = replace(
        called_as,
        oracle=lambda _inputs, _width: answers,
        within={result: Within(rtol, atol, "asked for") for result in answers if rtol or atol},
    )
    if fail_on not in SEVERITIES:
        raise unknown_name("severity", str(fail_on), SEVERITIES)
    plan = replace(pipeline.plan(target, backend), seed=seed, fail_on=fail_on)
    if graph and plan.backend != "max":
        raise EnvironmentFault(f"a graph runs on a GPU, and there is none for {plan.target} here: leave it out.")
    if graph:
        _require_graph(case)
    sources = Sources() if library_op.package else Sources(overrides={case.puzzle: library_op.file})
    report, outcome = _run(replace(case, graph=None), plan, sources, notify)
    called = Called(report=report, outputs=_values(outcome))
    if not graph or not report.ok:
        return called
    through, other = _run(case, plan, sources, notify)
    differing = tuple(_find_graph_differences(called.outputs, _values(other))) if through.ok else ()
    if differing:
        through = replace(through, verdict=Verdict.MISMATCH, findings=(*differing, *through.findings))
    return replace(called, report=report if through.ok else through, graph=through)


def make_op_case(
    library_op: Op, inputs: Given, outputs: Given | None, parameters: Mapping[str, Any], expected: Arrays | None
) -> Case:
    """Return a call of an op as a case, with its graph; arguments are those of `op`.

    A compile-time parameter `target` is set to `gpu`, and may not be given. The case expects nothing; its one data set
    has the operands.

    Args:
        library_op: The op.
        expected: The expected results, which give the shapes and types if `outputs` is None.

    Raises:
        UsageError: It does not take what is given.
    """
    values = order_arguments(library_op.name, library_op.inputs, inputs)
    shapes = expected
    if outputs is not None or expected is None:
        if outputs is None:
            raise UsageError(f"say what {library_op.name} gives, {', '.join(library_op.results)}: its shape and type.")
        shapes = order_arguments(f"the result of {library_op.name}", library_op.results, outputs)
    assert shapes is not None
    arguments: list[Argument] = []
    operands: dict[str, np.ndarray] = {}
    for part in library_op.signature.arguments:
        name, kind = part.name, library_op.kinds[part.name]
        if kind == RESULT:
            shape, dtype = _parse_shape(library_op.name, name, shapes[name])
            arguments.append(TensorArgument(name, "output", shape, dtype, form="op"))
        elif kind in OPERANDS:
            array, _ = check_array(library_op.name, name, values[name])
            operands[name] = np.array(array, array.dtype.newbyteorder("="), order="C")
            arguments.append(TensorArgument(name, OPERANDS[kind], array.shape, operands[name].dtype, form="op"))
        else:
            type_ = signatures.resolve_alias(library_op.text, part.type)
            arguments.append(make_scalar(library_op.name, name, type_, values[name], library_op.text))
    if "target" in parameters:
        raise UsageError(f"target of {library_op.name} is no parameter to give: it is gpu here.")
    implied = {"target": "gpu"} if any(part.name == "target" for part in library_op.signature.parameters) else {}
    bound = signatures.bind_parameters(library_op.signature, {**implied, **parameters})
    step = HostStep(f"{library_op.struct}.execute", "", tuple(f"{name}={value}" for name, value in bound.items()), ANY)
    instance = Instance(width=1, arguments=tuple(arguments), datasets=(Dataset("given", operands, ""),))
    compiled = {name: _convert_parameter(value) for name, value in bound.items() if name not in implied}
    return replace(
        make_case_without_data(module_name(library_op.file.stem), library_op.name, (step,), arguments),
        resolve=lambda width: replace(instance, width=width),
        graph=Graph(library_op.name, library_op.name, " ".join(operands), " ".join(library_op.results), compiled),
        file=library_op.package and library_op.file,
        package=library_op.package,
    )


def _parse_shape(of: str, name: str, value: Any) -> tuple[tuple[int, ...], np.dtype]:
    """Return the shape and the element type of a result, given by an array or as a pair.

    Raises:
        UsageError: It is neither, or no array that a kernel takes.
    """
    if isinstance(value, np.ndarray):
        value = value.shape, value.dtype
    try:
        shape, dtype = value
        array = np.lib.stride_tricks.as_strided(np.empty(1, dtype), tuple(shape), [0] * len(shape))
    except (TypeError, ValueError, SyntaxError):
        raise UsageError(f"{name} of {of} is given by an array, or by (shape, type), but got {value!r}.") from None
    check_array(of, name, array)
    return array.shape, array.dtype.newbyteorder("=")


def _order_expected(library_op: Op, expected: Given, outputs: Given | None) -> dict[str, np.ndarray]:
    """Return what the results must hold, by name: all of them, or some if they are given by name with `outputs`.

    Raises:
        UsageError: A result is unknown or missing, or not an array that a kernel takes.
    """
    if isinstance(expected, Mapping) and outputs is not None:
        for name in expected:
            if name not in library_op.results:
                raise unknown_name("result", str(name), library_op.results)
        answers = dict(expected)
    else:
        answers = order_arguments(f"the result of {library_op.name}", library_op.results, expected)
    return {name: check_array(library_op.name, name, value)[0] for name, value in answers.items()}


def _run(case: Case, plan: LaunchPlan, sources: Sources, notify: Callable[[str], None]) -> tuple[CaseReport, Outcome]:
    with Runner([case], plan, sources, notify, graphs={}) as runner:
        if error := runner.find_compile_error(case):
            raise error
        recording = _RecordingBackend(runner.backend_for(case))
        return run_case(case, plan, recording), recording.outcomes[0]


class _RecordingBackend:
    """A backend that records the outcomes of its launches."""

    def __init__(self, backend: Backend) -> None:
        self.name, self.executes_kernel, self._backend = backend.name, backend.executes_kernel, backend
        self.outcomes: list[Outcome] = []

    @property
    def device(self) -> str:
        return self._backend.device

    def launch(self, request: Request) -> Outcome:
        self.outcomes.append(self._backend.launch(request))
        return self.outcomes[-1]

    def close(self) -> None:
        """Do nothing: the runner closes the backend."""


def _values(outcome: Outcome) -> dict[str, np.ndarray]:
    return {name: observed.values for name, observed in outcome.results.items()}


def _find_graph_differences(natively: Arrays, through: Arrays) -> Iterator[Finding]:
    """Yield a finding for each result of both whose bits in the graph differ from those of the call, with the first
    such element.
    """
    for name, array in natively.items():
        if name in through and (differs := np.flatnonzero(view_bits(array) != view_bits(through[name]))).size:
            at = int(differs[0])
            first, other = str(array.flat[at]), str(through[name].flat[at])
            place = index(at, array.shape)
            yield make_finding(
                "check.graph-differs", argument=name, count=differs.size, index=place, one=first, other=other
            )


def _require_graph(case: Case) -> None:
    for name, value in case.graph.parameters.items() if case.graph else ():
        if isinstance(value, str) and value.startswith("DType."):
            raise UsageError(f"a graph takes element types that NumPy has, and {name} is {value}.")
    arguments = case.instance(1).arguments
    other = [part.name for part in arguments if isinstance(part, ScalarArgument) or part.role == "inout"]
    if other:
        raise UsageError(f"a graph is made of tensors that are read and of results, and {other[0]} is neither.")


def _convert_parameter(value: str) -> int | str | np.dtype:
    """Return a parameter as a graph takes it: the NumPy type of `DType.float32`, the value of JSON (`4`), else the text
    itself, also of a `DType` that NumPy lacks.
    """
    try:
        if value.startswith("DType."):
            return np.dtype(value.removeprefix("DType."))
    except TypeError:  # NumPy has none of this name
        return value
    try:
        plain: int | str = json.loads(value)
    except ValueError:
        return value
    return plain
