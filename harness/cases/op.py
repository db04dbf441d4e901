"""An op of a MAX library of custom ops, called on arrays: in the simulator through its own host code, or on a GPU
natively and through a graph, with the checks that the puzzles have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.backends.base import Backend, Outcome, Request
from harness.backends.guarded import bits
from harness.build import signatures
from harness.cases import pipeline
from harness.cases.asked import Argument, array_of, asked, module_name, ordered, scalar_of
from harness.cases.case_run import run_case
from harness.cases.check import index
from harness.cases.op_library import OPERANDS, RESULT, Op, found_op
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

__all__ = ["Called", "case_of", "op"]

Arrays = Mapping[str, np.ndarray]
Given = Mapping[str, Any] | Sequence[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """An op that was called.

    Attributes:
        report: The verdict and the findings; of the graph where the call alone was right.
        outputs: What the results held afterwards, by name, and operands that are updated in place.
        graph: What a graph with the op came to; None where none was asked for.
    """

    report: CaseReport
    outputs: Arrays
    graph: CaseReport | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, errors first."""
        return self.report.findings

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
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
    """Calls an op.

    Args:
        folder: The library: a folder with an `__init__.mojo`, or one Mojo file.
        name: Under which the op is registered.
        inputs: NumPy arrays, and numbers for scalars, by name or in the order in which `execute` takes them.
        outputs: The same of its results: arrays for their shape and type, or pairs (shape, type). May be left out where
            results are expected.
        parameters: Compile-time parameters by name, without `target` and those that follow from the tensors.
        expected: What the results must hold, by name or in order. Without it values are not judged; all else is.
        rtol: How far a result may lie from it, relative to it.
        atol: How far beside that.
        target: `vendor:architecture`; this machine's GPU, else `nvidia`, if None.
        backend: `auto`, `max` or `simulator`.
        graph: Whether the op is run through a MAX graph too, which needs a GPU, and must give the same bits.
        seed: Shuffles the simulator's schedule.
        notify: Gets one line when something is compiled.
        fail_on: The least severity of findings that make the call fail.

    Raises:
        UsageError: There is no such library, op or severity, or it does not take what is given.
        CompileError: It does not compile.
        EnvironmentFault: Nothing here can run it.
    """
    if backend == "cpu":
        raise UsageError("an op is called on a GPU or in the simulator: backend is auto, max or simulator.")
    for tolerance, value in (("rtol", rtol), ("atol", atol)):
        if not isinstance(value, int | float) or not 0 <= value < float("inf"):
            raise UsageError(f"{tolerance} is a number from 0 on, but got {value!r}.")
    found = found_op(Path(folder).resolve(), name)
    answers = {} if expected is None else _answers(found, expected, outputs)
    called_as = case_of(found, inputs, outputs, parameters or {}, None if expected is None else answers)
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
    sources = Sources() if found.package else Sources(overrides={case.puzzle: found.file})
    report, outcome = _run(replace(case, graph=None), plan, sources, notify)
    called = Called(report=report, outputs=_values(outcome))
    if not graph or not report.ok:
        return called
    through, other = _run(case, plan, sources, notify)
    differing = tuple(_differing(called.outputs, _values(other))) if through.ok else ()
    if differing:
        through = replace(through, verdict=Verdict.MISMATCH, findings=(*differing, *through.findings))
    return replace(called, report=report if through.ok else through, graph=through)


def case_of(
    found: Op, inputs: Given, outputs: Given | None, parameters: Mapping[str, Any], expected: Arrays | None
) -> Case:
    """A call of an op as a case, with its graph; arguments are those of `op`.

    Args:
        found: The op.
        expected: For the results' shapes and types, where `outputs` is None.

    Raises:
        UsageError: It does not take what is given.
    """
    given = ordered(found.name, found.taken, inputs)
    shapes = expected
    if outputs is not None or expected is None:
        if outputs is None:
            raise UsageError(f"say what {found.name} gives, {', '.join(found.results)}: its shape and type.")
        shapes = ordered(f"the result of {found.name}", found.results, outputs)
    assert shapes is not None
    arguments: list[Argument] = []
    held: dict[str, np.ndarray] = {}
    for part in found.signature.arguments:
        name, kind = part.name, found.kinds[part.name]
        if kind == RESULT:
            shape, dtype = _form(found.name, name, shapes[name])
            arguments.append(TensorArgument(name, "output", shape, dtype, form="op"))
        elif kind in OPERANDS:
            array, _ = array_of(found.name, name, given[name])
            held[name] = np.array(array, array.dtype.newbyteorder("="), order="C")
            arguments.append(TensorArgument(name, OPERANDS[kind], array.shape, held[name].dtype, form="op"))
        else:
            type_ = signatures.resolve_alias(found.text, part.type)
            arguments.append(scalar_of(found.name, name, type_, given[name], found.text))
    if "target" in parameters:
        raise UsageError(f"target of {found.name} is no parameter to give: it is gpu here.")
    own = {"target": "gpu"} if any(part.name == "target" for part in found.signature.parameters) else {}
    bound = signatures.bind_parameters(found.signature, {**own, **parameters})
    step = HostStep(f"{found.struct}.execute", "", tuple(f"{name}={value}" for name, value in bound.items()), ANY)
    instance = Instance(width=1, arguments=tuple(arguments), datasets=(Dataset("given", held, ""),))
    compiled = {name: _plain(value) for name, value in bound.items() if name not in own}
    return replace(
        asked(module_name(found.file.stem), found.name, (step,), arguments),
        resolve=lambda width: replace(instance, width=width),
        graph=Graph(found.name, found.name, " ".join(held), " ".join(found.results), compiled),
        file=found.package and found.file,
        package=found.package,
    )


def _form(of: str, name: str, value: Any) -> tuple[tuple[int, ...], np.dtype]:
    """The shape and the element type of a result."""
    if isinstance(value, np.ndarray):
        value = value.shape, value.dtype
    try:
        shape, dtype = value
        array = np.lib.stride_tricks.as_strided(np.empty(1, dtype), tuple(shape), [0] * len(shape))
    except (TypeError, ValueError, SyntaxError):
        raise UsageError(f"{name} of {of} is given by an array, or by (shape, type), but got {value!r}.") from None
    array_of(of, name, array)
    return array.shape, array.dtype.newbyteorder("=")


def _answers(found: Op, expected: Given, outputs: Given | None) -> dict[str, np.ndarray]:
    """What the results must hold; all of them, or by name some."""
    if isinstance(expected, Mapping) and outputs is not None:
        for name in expected:
            if name not in found.results:
                raise unknown_name("result", str(name), found.results)
        answers = dict(expected)
    else:
        answers = ordered(f"the result of {found.name}", found.results, expected)
    return {name: array_of(found.name, name, value)[0] for name, value in answers.items()}


def _run(case: Case, plan: LaunchPlan, sources: Sources, notify: Callable[[str], None]) -> tuple[CaseReport, Outcome]:
    with Runner([case], plan, sources, notify, graphs={}) as runner:
        if error := runner.failed(case):
            raise error
        kept = _Kept(runner.backend_for(case))
        return run_case(case, plan, kept), kept.outcomes[0]


class _Kept:
    """A backend, and what its launches came to."""

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
        """The runner does."""


def _values(outcome: Outcome) -> dict[str, np.ndarray]:
    return {name: observed.values for name, observed in outcome.results.items()}


def _differing(natively: Arrays, through: Arrays) -> Iterator[Finding]:
    """Where a graph gave other bits than the call."""
    for name, array in natively.items():
        if name in through and (differs := np.flatnonzero(bits(array) != bits(through[name]))).size:
            at = int(differs[0])
            one, other = str(array.flat[at]), str(through[name].flat[at])
            place = index(at, array.shape)
            yield make_finding(
                "check.graph-differs", argument=name, count=differs.size, index=place, one=one, other=other
            )


def _require_graph(case: Case) -> None:
    for name, value in case.graph.parameters.items() if case.graph else ():
        if isinstance(value, str) and value.startswith("DType."):
            raise UsageError(f"a graph takes element types that NumPy has, and {name} is {value}.")
    arguments = case.instance(1).arguments
    other = [part.name for part in arguments if isinstance(part, ScalarArgument) or part.role == "inout"]
    if other:
        raise UsageError(f"a graph is made of tensors that are read and of results, and {other[0]} is neither.")


def _plain(value: str) -> int | str | np.dtype:
    """A compile-time parameter as a graph takes it."""
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
