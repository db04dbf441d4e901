"""Parse the text of a MAX graph from an untrusted source, and format tensor types and parameters as MLIR does.

Only the few forms of a graph of custom ops are parsed. Anything else is an operation of which only the name is known,
or no text of MAX at all. Parsing takes time in proportion to the text's length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from harness.model.arguments import TensorArgument
from harness.model.steps import Parameter

__all__ = [
    "MOST_CHARACTERS",
    "CustomCall",
    "GraphText",
    "GraphTextError",
    "UnknownOperation",
    "format_parameter",
    "format_tensor_type",
    "parse_graph",
]

MOST_CHARACTERS = 1 << 16  # the graph of a puzzle has less than one thousand
_TYPE = r"![\w.]+(?:<[^<>]*>)?"
_TYPES = rf"{_TYPE}(?:, {_TYPE})*"
_VALUE = r"%\w+(?:#\d+)?"
_VALUES = rf"{_VALUE}(?:, {_VALUE})*"
_PARAMETER = r'(\w+) = (-?\d+ : index|"[^"\\]*"|\w+)'
_GRAPH = re.compile(
    rf"mo\.graph @[\w.$-]+\((?P<inputs>(?:%arg\d+: {_TYPE}(?:, )?)*)\)(?: -> (?:{_TYPE}|\({_TYPES}\)))?"
    r"(?: attributes \{.*\})? \{"
)
_SYMBOL = r"symbol = \"(?P<symbol>[^\"\\]*)\""
_DEVICE = r"device = #M\.device_ref<\"(?P<kind>\w+)\", (?P<number>\d+)>"
_PARAMETERS = rf"parameters = \{{(?P<parameters>{_PARAMETER}(?:, {_PARAMETER})*)\}}"


def _call_pattern(attributes: str) -> re.Pattern[str]:
    """Return the pattern of a call of a custom op whose attributes match a pattern."""
    return re.compile(
        rf"(?P<result>%\d+)(?::(?P<count>\d\d?))? = mo\.custom {attributes}"
        rf"\((?P<operands>{_VALUES})\) : \({_TYPES}\) -> (?P<types>{_TYPE}|\({_TYPES}\))"
    )


_CUSTOM = (
    _call_pattern(rf"\[{_SYMBOL}(?:, {_DEVICE})?(?:, {_PARAMETERS})?\]"),
    _call_pattern(rf"\{{(?:{_DEVICE}, )?(?:{_PARAMETERS}, )?{_SYMBOL}\}}"),  # MAX 26.6
)
_OUTPUT = re.compile(rf"mo\.output(?: (?P<values>{_VALUES}) : {_TYPES})?")
# A result that goes to a buffer which the caller has made, as a whole.
_STORE = re.compile(
    r"%\d+ = (?P<name>rmo\.mo\.mutable\.store)\((?P<buffer>%arg\d+), (?P<value>%\w+(?:#\d+)?), %\d+\)"
    r" : \(!mo\.buffer(?P<into><[^<>]*>), !mo\.tensor(?P<type><[^<>]*>), !mo\.chain\) -> !mo\.chain"
)
_CHAIN = re.compile(r"%\d+ = mo\.chain\.create\(\)")  # each graph of MAX begins with one
_OTHER = re.compile(r"(?:%\d+(?::\d+)?(?:, %\d+(?::\d+)?)* = )?(?P<name>[a-z]\w*(?:\.\w+)+)\b")
_DTYPES = {"f": "f", "i": "si", "u": "ui"}


class GraphTextError(ValueError):
    """A text that is no MAX graph; the message is its first line that does not fit."""


@dataclass(frozen=True, slots=True)
class CustomCall:
    """A call of a custom op.

    Attributes:
        symbol: The name under which the op is registered.
        device: `gpu:0`.
        parameters: Its compile-time parameters, as `format_parameter` writes them.
        operands: The names of the values it takes.
        results: The names of the values it gives.
        types: The results' types, as `format_tensor_type` writes them.
    """

    symbol: str
    device: str
    parameters: Mapping[str, str]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnknownOperation:
    """An operation that is no call of a custom op in its usual form."""

    name: str


@dataclass(frozen=True, slots=True)
class GraphText:
    """The parsed text of a graph.

    Attributes:
        inputs: The types of its inputs by name, as `format_tensor_type` writes them; without the buffers that it fills.
        operations: The operations in order; the last one may be unknown, and then nothing after it is parsed.
        outputs: The names of its outputs, or of the values it stores in buffers, in the buffers' order.
    """

    inputs: Mapping[str, str]
    operations: tuple[CustomCall | UnknownOperation, ...]
    outputs: tuple[str, ...]


def format_tensor_type(argument: TensorArgument, device: str) -> str:
    """Return the MLIR type of a tensor in a graph.

    Args:
        argument: The tensor, of which the shape and element type count.
        device: `gpu:0`, or `cpu:0`, which MAX leaves out.
    """
    shape = ", ".join(map(str, argument.shape))
    where = "" if device == "cpu:0" else f", {device}"
    return f"!mo.tensor<[{shape}], {_dtype(argument.dtype)}{where}>"


def format_parameter(value: Parameter) -> str:
    """Return an op's compile-time parameter as MLIR writes it: `8 : index`, a quoted text, or an element type."""
    if isinstance(value, int):
        return f"{value} : index"
    return json.dumps(value) if isinstance(value, str) else _dtype(value)


def parse_graph(text: str) -> GraphText:
    """Parse one `mo.graph`, as MAX prints it. At an unknown operation parsing stops, and there are no outputs.

    If the graph has no outputs but stores results in input buffers, those buffers are no inputs of the returned
    `GraphText`, and the stored values are its outputs.

    Raises:
        GraphTextError: The text has over 65536 characters, or its head, an operation or its end cannot be parsed.
    """
    if len(text) > MOST_CHARACTERS:
        raise GraphTextError(f"{text[:40]}...")
    lines = [line.strip() for line in text.strip().split("\n")]
    head = _GRAPH.fullmatch(lines[0])
    if head is None:
        raise GraphTextError(lines[0])
    inputs = dict(re.findall(rf"(%arg\d+): ({_TYPE})", head["inputs"]))
    operations: list[CustomCall | UnknownOperation] = []
    filled: dict[str, str] = {}
    for number, line in enumerate(lines[1:], 1):
        if match := _OUTPUT.fullmatch(line):
            if lines[number + 1 :] != ["}"]:
                raise GraphTextError(lines[-1])
            outputs = (match["values"] or "").split(", ")
            if filled and not match["values"]:
                outputs = [filled[name] for name in inputs if name in filled]
                inputs = {name: type_ for name, type_ in inputs.items() if name not in filled}
            return GraphText(inputs, tuple(operations), tuple(outputs))
        stored = _STORE.fullmatch(line)
        if stored and stored["buffer"] not in filled and stored["into"] == stored["type"]:
            filled[stored["buffer"]] = stored["value"]
            continue
        operations += _parse_operation(line)
        if operations and isinstance(operations[-1], UnknownOperation):
            return GraphText(inputs, tuple(operations), ())
    raise GraphTextError(lines[-1])


def _parse_operation(line: str) -> Iterator[CustomCall | UnknownOperation]:
    """Yield the operation of a line; nothing for the chain that each graph begins with.

    Raises GraphTextError for a line that is no operation.
    """
    if _CHAIN.fullmatch(line):
        return
    if match := next(filter(None, (form.fullmatch(line) for form in _CUSTOM)), None):
        name, count = match["result"], match["count"]
        yield CustomCall(
            symbol=match["symbol"],
            device=f"{match['kind'] or 'cpu'}:{match['number'] or 0}",
            parameters=dict(re.findall(_PARAMETER, match["parameters"] or "")),
            operands=tuple(match["operands"].split(", ")),
            results=tuple(f"{name}#{place}" for place in range(int(count))) if count else (name,),
            types=tuple(re.findall(_TYPE, match["types"])),
        )
    elif (match := _OTHER.match(line)) and match["name"] != "mo.output":
        yield UnknownOperation(match["name"])
    else:
        raise GraphTextError(line)


def _dtype(dtype: np.dtype) -> str:
    return f"{_DTYPES[dtype.kind]}{dtype.itemsize * 8}"
