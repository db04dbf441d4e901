"""Compare the recording of a puzzle's Python with the documented graph: each difference is a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.build import mlir
from harness.build.graph_stage import GraphRecording
from harness.errors import ArtifactError, CompileError, PythonError
from harness.model.case import Instance
from harness.model.messages import make_finding
from harness.model.sources import display_path
from harness.model.steps import Graph
from harness.simt.findings import Finding
from harness.simt.plain import one_line

__all__ = ["assert_documented", "compare_graph", "make_no_graph_error", "quote"]

_WIDEST = 300  # characters of what somebody else's text is quoted with
_MALFORMED = ("SyntaxError", "IndentationError", "TabError")  # what Python finds before it runs a line
_UNKNOWN = "?"  # a tensor that is none of those that were handed in


def compare_graph(
    graph: Graph, instance: Instance, device: str, file: Path, recording: GraphRecording
) -> tuple[Finding, ...]:
    """Return how a recorded graph differs from the documented one; empty if it does not.

    No graph, several, or one that cannot be read are one finding each, and nothing else is compared.

    Args:
        graph: The documented graph.
        instance: Its case at the target's warp width.
        device: The device it was built for.
        file: The puzzle's Python.
        recording: The recording.

    Raises:
        PythonError: The Python ended with an exception.
        CompileError: The file is not valid Python.
    """
    if recording.error:
        place = f"{display_path(file)}:{max(recording.line, 1)}:1"
        fault = make_no_graph_error(graph, file, "it ends with an error", f"{place}: error: {quote(recording.error)}")
        raise fault if recording.error.startswith(_MALFORMED) else PythonError(str(fault), fault.diagnostics)
    if not recording.graphs:
        return (make_finding("graph.uncalled" if graph.torch else "graph.none", function=graph.name),)
    if len(recording.graphs) > 1:
        return (make_finding("graph.several", function=graph.name, graphs=len(recording.graphs)),)
    try:
        text = mlir.parse_graph(recording.graphs[0])
    except mlir.GraphTextError as error:
        return (make_finding("graph.unreadable", function=graph.name, line=quote(error)),)
    places = [
        f"{display_path(file)}:{line}:1" if line > 0 else display_path(file) for line in next(iter(recording.lines), ())
    ]
    return tuple(
        _GraphComparison(
            graph, instance, f"{device}:0", text, places, recording.executed, recording.returned
        ).find_differences()
    )


def assert_documented(graph: Graph, instance: Instance, device: str, file: Path, text: str) -> None:
    """Check a graph that was built here to be executed, as strictly as a learner's.

    Args:
        graph: The documented graph.
        instance: Its case at the target's warp width.
        device: The device it was built for.
        file: The file with its op.
        text: Its MLIR.

    Raises:
        ArtifactError: It differs from the documented graph.
    """
    operands, results = (range(len(names.split())) for names in (graph.operands, graph.results))
    recording = GraphRecording(
        graphs=(text,), executed=(tuple(operands),), returned=tuple(-1 - number for number in results)
    )
    if differences := compare_graph(graph, instance, device, file, recording):
        raise ArtifactError(
            f"the graph of {graph.op} that was built for {display_path(file)} is another: {differences[0].message}."
        )


@dataclass(frozen=True, slots=True)
class _GraphComparison:
    """A parsed graph beside the documented one.

    Attributes:
        device: Where it is to run: `gpu:0`.
        places: The source locations of its operations, as far as they are known.
        executed: For each execution, the numbers of its operands in the order of the graph's inputs.
        returned: The numbers of the returned values.
    """

    graph: Graph
    instance: Instance
    device: str
    text: mlir.GraphText
    places: Sequence[str]
    executed: Sequence[Sequence[int | None]]
    returned: Sequence[int | None]

    def find_differences(self) -> Iterator[Finding]:
        """Yield the differences; stop at one from which the rest would only follow."""
        graph, operations = self.graph, self.text.operations
        for place, operation in zip(self._locations(), operations, strict=True):
            if isinstance(operation, mlir.UnknownOperation):
                yield make_finding("graph.more", operation=quote(operation.name), op=graph.op, place=place)
                return
        calls = [operation for operation in operations if isinstance(operation, mlir.CustomCall)]
        if len(calls) != 1:
            yield make_finding("graph.calls", calls=len(calls), op=graph.op, function=graph.name)
            return
        call, place = calls[0], self._locations()[0]
        if call.symbol != graph.op:
            yield make_finding("graph.op", got=quote(call.symbol), op=graph.op, place=place)
            return
        if call.device != self.device:
            yield make_finding("graph.device", got=call.device, documented=self.device, op=graph.op, place=place)
        yield from self._compare_parameters(call, place)
        yield from (others := list(self._compare_operands(call, place)))
        yield from self._compare_types(call, place, results_alone=bool(others))
        documented = len(graph.results.split())
        if counts := {len(call.results), len(call.types)} - {documented}:
            yield make_finding("graph.results", got=max(counts), documented=documented, op=graph.op, place=place)
            return
        if self.text.outputs != call.results:
            yield make_finding("graph.output", op=graph.op, function=graph.name)
        elif list(self.returned) != [-1 - number for number in range(len(call.results))]:
            yield make_finding("graph.unfilled" if graph.torch else "graph.returned", function=graph.name)

    def _locations(self) -> list[str]:
        """Return the location of each operation; the first recorded one, the chain that each graph begins with, is
        skipped. The function's name stands for an unknown location.
        """
        count = len(self.text.operations)
        return [*self.places[1 : count + 1], *[self.graph.name] * count][:count]

    def _compare_parameters(self, call: mlir.CustomCall, place: str) -> Iterator[Finding]:
        """Yield a finding for each parameter that differs, is missing or is not documented; defaults may be missing."""
        graph = self.graph
        documented = {
            name: mlir.format_parameter(value) for name, value in {**graph.parameters, **graph.defaults}.items()
        }
        for name in dict.fromkeys((*documented, *call.parameters)):
            actual = call.parameters.get(name)
            if actual != documented.get(name) and not (actual is None and name in graph.defaults):
                values: dict[str, Any] = {
                    "got": _format_value(actual),
                    "documented": _format_value(documented.get(name)),
                    "place": place,
                }
                yield make_finding("graph.parameter", argument=quote(name), op=graph.op, **values)

    def _compare_operands(self, call: mlir.CustomCall, place: str) -> Iterator[Finding]:
        """Yield a finding unless each operand is the documented array, followed through the graph's inputs.

        At most one: a graph that is not executed exactly once, or with another number of arrays, is one too.
        """
        names, inputs, function = self.graph.operands.split(), list(self.text.inputs), self.graph.name
        if len(self.executed) != 1:
            yield make_finding("graph.executed", function=function, executions=len(self.executed))
            return
        handed_in = [names[at] if at is not None and 0 <= at < len(names) else _UNKNOWN for at in self.executed[0]]
        if len(handed_in) != len(inputs):
            yield make_finding("graph.handed", function=function, got=len(handed_in), inputs=len(inputs))
            return
        names_by_input = dict(zip(inputs, handed_in, strict=True))
        actual = [names_by_input.get(operand, _UNKNOWN) for operand in call.operands]
        if actual != names:
            values: dict[str, Any] = {"got": ", ".join(actual), "documented": ", ".join(names), "place": place}
            yield make_finding("graph.operands", op=self.graph.op, **values)

    def _compare_types(self, call: mlir.CustomCall, place: str, *, results_alone: bool) -> Iterator[Finding]:
        """Yield a finding for each result, and unless `results_alone` each operand, of another type.

        Results beyond the documented ones, and documented ones that are missing, are left out.
        """
        pairs = [*zip(self.instance.tensors_of(self.graph.results), call.types, strict=False)]
        if not results_alone:
            operand_types = (self.text.inputs.get(operand, "") for operand in call.operands)
            pairs += zip(self.instance.tensors_of(self.graph.operands), operand_types, strict=True)
        for tensor, actual in pairs:
            documented = mlir.format_tensor_type(tensor, self.device)
            if actual != documented:
                values: dict[str, Any] = {
                    "got": _format_type(actual),
                    "documented": _format_type(documented),
                    "place": place,
                }
                yield make_finding("graph.type", argument=tensor.name, **values)


def make_no_graph_error(graph: Graph, file: Path, why: str, diagnostics: str = "") -> CompileError:
    """Return the error for a file that builds no graph."""
    return CompileError(f"{graph.name} in {display_path(file)} builds no graph: {why}", diagnostics)


def quote(text: object) -> str:
    """Return foreign text in one line of at most 300 characters, without control characters."""
    return one_line(str(text))[:_WIDEST]


def _format_value(text: str | None) -> str:
    """Return a parameter's text for people."""
    return "nothing" if text is None else quote(text.removesuffix(" : index"))


def _format_type(text: str) -> str:
    """Return a tensor's type for people: `[15], f32, gpu:0`."""
    return quote(text.removeprefix("!mo.tensor<").removesuffix(">")) or "nothing"
