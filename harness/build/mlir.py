"""Reads the text of a MAX graph that somebody else made: what it takes, what it calls and what it gives, or why not.

Only the few forms are read that a graph of custom ops has. Anything else is an operation that only its name is known
of, or no text of MAX at all. A text may be a stranger's: reading it takes time in proportion to its length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from harness.model.arguments import TensorArgument
from harness.model.steps import Parameter

__all__ = ["MOST_CHARACTERS", "Custom", "GraphText", "GraphTextError", "Other", "parameter", "read", "tensor"]

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


def _call(attributes: str) -> re.Pattern[str]:
    """Return the pattern of a call whose attributes are written so."""
    return re.compile(
        rf"(?P<result>%\d+)(?::(?P<count>\d\d?))? = mo\.custom {attributes}"
        rf"\((?P<operands>{_VALUES})\) : \({_TYPES}\) -> (?P<types>{_TYPE}|\({_TYPES}\))"
    )


_CUSTOM = (
    _call(rf"\[{_SYMBOL}(?:, {_DEVICE})?(?:, {_PARAMETERS})?\]"),
    _call(rf"\{{(?:{_DEVICE}, )?(?:{_PARAMETERS}, )?{_SYMBOL}\}}"),  # MAX 26.6
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
    """A text that is no graph of MAX: its first line that is none."""


@dataclass(frozen=True, slots=True)
class Custom:
    """A call of a custom op.

    Attributes:
        symbol: The name under which the op is registered.
        device: `gpu:0`.
        parameters: Its compile-time parameters as `parameter` writes them.
        operands: The values that it takes.
        results: The values that it gives.
        types: Theirs, as `tensor` writes them.
    """

    symbol: str
    device: str
    parameters: Mapping[str, str]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """An operation that is no call of a custom op in its usual form, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class GraphText:
    """What the text of a graph says.

    Attributes:
        inputs: By value, the types of what it takes, as `tensor` writes them; without the buffers that it fills.
        operations: In order; behind one that is not known nothing is read.
        outputs: The values that it gives, or of one that fills buffers those that go there, in the buffers' order.
    """

    inputs: Mapping[str, str]
    operations: tuple[Custom | Other, ...]
    outputs: tuple[str, ...]


def tensor(argument: TensorArgument, device: str) -> str:
    """The type of a tensor in a graph.

    Args:
        argument: Its shape and element type count.
        device: `gpu:0`, or `cpu:0`, which MAX leaves out.
    """
    shape = ", ".join(map(str, argument.shape))
    where = "" if device == "cpu:0" else f", {device}"
    return f"!mo.tensor<[{shape}], {_dtype(argument.dtype)}{where}>"


def parameter(value: Parameter) -> str:
    """A compile-time parameter of an op in a graph."""
    if isinstance(value, int):
        return f"{value} : index"
    return json.dumps(value) if isinstance(value, str) else _dtype(value)


def read(text: str) -> GraphText:
    """What a text says.

    Args:
        text: One `mo.graph`, as MAX prints it.

    Raises:
        GraphTextError: It is too long, or is none.
    """
    if len(text) > MOST_CHARACTERS:
        raise GraphTextError(f"{text[:40]}...")
    lines = [line.strip() for line in text.strip().split("\n")]
    head = _GRAPH.fullmatch(lines[0])
    if head is None:
        raise GraphTextError(lines[0])
    inputs = dict(re.findall(rf"(%arg\d+): ({_TYPE})", head["inputs"]))
    operations: list[Custom | Other] = []
    filled: dict[str, str] = {}
    for number, line in enumerate(lines[1:], 1):
        if found := _OUTPUT.fullmatch(line):
            if lines[number + 1 :] != ["}"]:
                raise GraphTextError(lines[-1])
            outputs = (found["values"] or "").split(", ")
            if filled and not found["values"]:
                outputs = [filled[name] for name in inputs if name in filled]
                inputs = {name: type_ for name, type_ in inputs.items() if name not in filled}
            return GraphText(inputs, tuple(operations), tuple(outputs))
        stored = _STORE.fullmatch(line)
        if stored and stored["buffer"] not in filled and stored["into"] == stored["type"]:
            filled[stored["buffer"]] = stored["value"]
            continue
        operations += _operation(line)
        if operations and isinstance(operations[-1], Other):
            return GraphText(inputs, tuple(operations), ())
    raise GraphTextError(lines[-1])


def _operation(line: str) -> Iterator[Custom | Other]:
    if _CHAIN.fullmatch(line):
        return
    if found := next(filter(None, (form.fullmatch(line) for form in _CUSTOM)), None):
        name, count = found["result"], found["count"]
        yield Custom(
            symbol=found["symbol"],
            device=f"{found['kind'] or 'cpu'}:{found['number'] or 0}",
            parameters=dict(re.findall(_PARAMETER, found["parameters"] or "")),
            operands=tuple(found["operands"].split(", ")),
            results=tuple(f"{name}#{place}" for place in range(int(count))) if count else (name,),
            types=tuple(re.findall(_TYPE, found["types"])),
        )
    elif (found := _OTHER.match(line)) and found["name"] != "mo.output":
        yield Other(found["name"])
    else:
        raise GraphTextError(line)


def _dtype(dtype: np.dtype) -> str:
    return f"{_DTYPES[dtype.kind]}{dtype.itemsize * 8}"
