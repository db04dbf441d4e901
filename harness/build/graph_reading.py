"""What a box told of a puzzle's Python, beside the documented graph: each difference is a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.build import mlir
from harness.build.graph_stage import Recorded
from harness.errors import ArtifactError, CompileError, PythonError
from harness.model.case import Instance
from harness.model.messages import finding
from harness.model.sources import shown
from harness.model.steps import Graph
from harness.simt.findings import Finding
from harness.simt.plain import one_line

__all__ = ["assert_documented", "no_graph", "quoted", "reading"]

_WIDEST = 300  # characters of what somebody else's text is quoted with
_MALFORMED = ("SyntaxError", "IndentationError", "TabError")  # what Python finds before it runs a line
_UNKNOWN = "?"  # a tensor that is none of those that were handed in


def reading(graph: Graph, instance: Instance, device: str, file: Path, said: Recorded) -> tuple[Finding, ...]:
    """What is wrong with the graph that a box tells of; nothing if it is the documented one.

    Args:
        graph: The documented one.
        instance: The case that it is of, at the target's warp width.
        device: For which it was built.
        file: The puzzle's Python.
        said: What its process told.

    Raises:
        PythonError: The Python ends with an exception.
        CompileError: It is no Python.
    """
    if said.error:
        place = f"{shown(file)}:{max(said.line, 1)}:1"
        fault = no_graph(graph, file, "it ends with an error", f"{place}: error: {quoted(said.error)}")
        raise fault if said.error.startswith(_MALFORMED) else PythonError(str(fault), fault.diagnostics)
    if not said.graphs:
        return (finding("graph.uncalled" if graph.torch else "graph.none", function=graph.name),)
    if len(said.graphs) > 1:
        return (finding("graph.several", function=graph.name, graphs=len(said.graphs)),)
    try:
        text = mlir.read(said.graphs[0])
    except mlir.GraphTextError as error:
        return (finding("graph.unreadable", function=graph.name, line=quoted(error)),)
    places = [f"{shown(file)}:{line}:1" if line > 0 else shown(file) for line in next(iter(said.lines), ())]
    return tuple(_Reading(graph, instance, f"{device}:0", text, places, said.executed, said.returned).faults())


def assert_documented(graph: Graph, instance: Instance, device: str, file: Path, text: str) -> None:
    """Reads a graph that was built here to be executed, as strictly as anybody's.

    Args:
        graph: The documented one.
        instance: The case that it is of, at the target's warp width.
        device: For which it was built.
        file: With its op.
        text: Its MLIR.

    Raises:
        ArtifactError: It is another one.
    """
    operands, results = (range(len(names.split())) for names in (graph.operands, graph.results))
    said = Recorded(graphs=(text,), executed=(tuple(operands),), returned=tuple(-1 - number for number in results))
    if found := reading(graph, instance, device, file, said):
        raise ArtifactError(f"the graph of {graph.op} that was built for {shown(file)} is another: {found[0].message}.")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A graph that was read, beside the documented one.

    Attributes:
        device: Where it is to run: `gpu:0`.
        places: Where its operations were built, as far as it is known.
        executed: For each execution the numbers of the operands that it got, in the order of the graph's inputs.
        returned: The numbers of what was given back.
    """

    graph: Graph
    instance: Instance
    device: str
    text: mlir.GraphText
    places: Sequence[str]
    executed: Sequence[Sequence[int | None]]
    returned: Sequence[int | None]

    def faults(self) -> Iterator[Finding]:
        """What differs; where the rest would only follow from it, that alone."""
        graph, operations = self.graph, self.text.operations
        for place, operation in zip(self._places(), operations, strict=True):
            if isinstance(operation, mlir.Other):
                yield finding("graph.more", operation=quoted(operation.name), op=graph.op, place=place)
                return
        calls = [operation for operation in operations if isinstance(operation, mlir.Custom)]
        if len(calls) != 1:
            yield finding("graph.calls", calls=len(calls), op=graph.op, function=graph.name)
            return
        call, place = calls[0], self._places()[0]
        if call.symbol != graph.op:
            yield finding("graph.op", got=quoted(call.symbol), op=graph.op, place=place)
            return
        if call.device != self.device:
            yield finding("graph.device", got=call.device, documented=self.device, op=graph.op, place=place)
        yield from self._parameters(call, place)
        yield from (others := list(self._operands(call, place)))
        yield from self._types(call, place, results_alone=bool(others))
        if self.text.outputs != call.results:
            yield finding("graph.output", op=graph.op, function=graph.name)
        elif list(self.returned) != [-1 - number for number in range(len(call.results))]:
            yield finding("graph.unfilled" if graph.torch else "graph.returned", function=graph.name)

    def _places(self) -> list[str]:
        """For each operation its place, behind that of the chain with which each graph begins."""
        count = len(self.text.operations)
        return [*self.places[1 : count + 1], *[self.graph.name] * count][:count]

    def _parameters(self, call: mlir.Custom, place: str) -> Iterator[Finding]:
        graph = self.graph
        wanted = {name: mlir.parameter(value) for name, value in {**graph.parameters, **graph.defaults}.items()}
        for name in dict.fromkeys((*wanted, *call.parameters)):
            got = call.parameters.get(name)
            if got != wanted.get(name) and not (got is None and name in graph.defaults):
                told: dict[str, Any] = {"got": _value(got), "documented": _value(wanted.get(name)), "place": place}
                yield finding("graph.parameter", argument=quoted(name), op=graph.op, **told)

    def _operands(self, call: mlir.Custom, place: str) -> Iterator[Finding]:
        """Whether each operand is the array that it is to be: by way of the graph's inputs to what was handed in."""
        names, inputs, function = self.graph.operands.split(), list(self.text.inputs), self.graph.name
        if len(self.executed) != 1:
            yield finding("graph.executed", function=function, executions=len(self.executed))
            return
        given = [names[at] if at is not None and 0 <= at < len(names) else _UNKNOWN for at in self.executed[0]]
        if len(given) != len(inputs):
            yield finding("graph.handed", function=function, got=len(given), inputs=len(inputs))
            return
        held = dict(zip(inputs, given, strict=True))
        got = [held.get(operand, _UNKNOWN) for operand in call.operands]
        if got != names:
            told: dict[str, Any] = {"got": ", ".join(got), "documented": ", ".join(names), "place": place}
            yield finding("graph.operands", op=self.graph.op, **told)

    def _types(self, call: mlir.Custom, place: str, *, results_alone: bool) -> Iterator[Finding]:
        results = self.instance.tensors_of(self.graph.results)
        operands = self.instance.tensors_of("" if results_alone else self.graph.operands)
        held = [*call.types, *(self.text.inputs.get(operand, "") for operand in call.operands)]
        for number, tensor in enumerate((*results, *operands)):
            got, wanted = held[number] if number < len(held) else "", mlir.tensor(tensor, self.device)
            if got != wanted:
                told: dict[str, Any] = {"got": _type(got), "documented": _type(wanted), "place": place}
                yield finding("graph.type", argument=tensor.name, **told)


def no_graph(graph: Graph, file: Path, why: str, diagnostics: str = "") -> CompileError:
    """The error of a file that builds no graph."""
    return CompileError(f"{graph.name} in {shown(file)} builds no graph: {why}", diagnostics)


def quoted(text: object) -> str:
    """Somebody else's text in one line that a terminal may show."""
    return one_line(str(text))[:_WIDEST]


def _value(text: str | None) -> str:
    """A parameter for people."""
    return "nothing" if text is None else quoted(text.removesuffix(" : index"))


def _type(text: str) -> str:
    """A tensor's type for people: `[15], f32, gpu:0`."""
    return quoted(text.removeprefix("!mo.tensor<").removesuffix(">")) or "nothing"
