"""`op`: call an op of a MAX library on tensors parsed from the command line.

f32[4,6]=arange       a tensor 0, 1, 2, ...; so too `zeros`, `ones`
f32[4,6]=random:7     floats, normally distributed, or integers from -100
                      (0 if unsigned) to 100; seed 7, 0 unless told
FILE.npy              a tensor from a file
f32=1.5               a number
f32[4]                a result: its element type and its shape
"""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np

from harness import simt
from harness.cases import op
from harness.cli.files import require_writable_reports
from harness.cli.values import DTYPES, Values
from harness.errors import UsageError, unknown_name
from harness.model import exit_code
from harness.report import console, findings, sarif
from harness.report.told import of_cases
from harness.simt.plain import printable

__all__ = ["call"]

_TENSOR = re.compile(r"(?P<type>\w+)\[(?P<shape>[^\]]*)\](?:=(?P<fill>.+))?")


def call(arguments: Namespace) -> int:
    """Call the op, print the findings and the outputs, and write SARIF if asked; exit code 0 if all is right,
    1 if something is wrong, 3 if it could not be judged.

    Raises:
        UsageError: An input, an output, a parameter or an expected array is wrong.
    """
    require_writable_reports(arguments.sarif)
    values = Values()
    inputs = [_parse_input(values, number, text) for number, text in enumerate(arguments.input)]
    outputs = [_parse_output(text) for text in arguments.output]
    expected = [_read_array(values, f"expected {number}", str(path)) for number, path in enumerate(arguments.expect)]
    folder = arguments.folder
    with console.show_progress() as notify:
        called = op.op(
            folder,
            arguments.name,
            inputs,
            outputs or None,
            parameters=dict(_parse_parameter(text) for text in arguments.parameter),
            expected=expected or None,
            rtol=arguments.rtol,
            atol=arguments.atol,
            target=arguments.target,
            backend=arguments.backend,
            graph=arguments.graph,
            seed=arguments.seed,
            notify=notify,
            fail_on=arguments.fail_on,
        )
    show = findings.make_renderer(None, folder)
    home = f"{folder}:1:1" if arguments.format == "lines" else ""
    for line in findings.format_case(called.report, show, remarks=True, home=home):
        print(line)
    for name, array in called.outputs.items():
        print(printable(f"{name} = {np.array2string(array, threshold=64)}"))
    if called.graph and called.ok:
        print(f"through a graph on {called.graph.device}: the same bits")
    if arguments.sarif:
        sarif.write(arguments.sarif, of_cases([called.report]), show, root=Path.cwd())
    return exit_code.combine_statuses([called.report.verdict])


def _parse_input(values: Values, number: int, text: str) -> Any:
    """Parse an input of the op: a NumPy array (`f32[4,6]=arange`, a `.npy` file) or a NumPy scalar (`f32=1.5`).

    `values` keeps an array as `input NUMBER`.

    Raises:
        UsageError: It is neither.
    """
    if text.endswith(".npy"):
        return _read_array(values, f"input {number}", text)
    if match := _TENSOR.fullmatch(text):
        fill, colon, seed = (match["fill"] or "").partition(":")
        if fill in ("zeros", "ones", "arange", "random"):
            shape = "x".join(map(str, _parse_extents(text, match["shape"])))
            return _read_array(values, f"input {number}", f"{fill}:{match['type']}:{shape}{colon}{seed}")
    elif (equals := text.find("=")) > 0:
        value = values.read(f"input {number}", f"{text[:equals]}:{text[equals + 1 :]}")
        if isinstance(value, np.generic):
            return value
    raise UsageError(f"--input {text!r} is not like f32[4,6]=arange (zeros, ones, random:7), FILE.npy or f32=1.5.")


def _read_array(values: Values, name: str, text: str) -> np.ndarray:
    value = values.read(name, text)
    if not isinstance(value, simt.Buffer):
        raise UsageError(f"{text} is no array: name a file that ends in .npy.")
    return value.array


def _parse_output(text: str) -> tuple[tuple[int, ...], np.dtype]:
    match = _TENSOR.fullmatch(text)
    if match is None or match["fill"]:
        raise UsageError(f"--output {text!r} is not like f32[4]: an element type and a shape.")
    if match["type"] not in DTYPES:
        raise unknown_name("element type", match["type"], DTYPES)
    return _parse_extents(text, match["shape"]), np.dtype(DTYPES[match["type"]])


def _parse_extents(text: str, shape: str) -> tuple[int, ...]:
    texts = tuple(part.strip() for part in shape.split(","))
    if not all(part.isascii() and part.isdecimal() and int(part) for part in texts):
        raise UsageError(f"{text!r}: the shape [{shape}] is not like [4,6].")
    return tuple(map(int, texts))


def _parse_parameter(text: str) -> tuple[str, int | str]:
    name, equals, value = text.partition("=")
    if not name or not equals or not value:
        raise UsageError(f"--parameter {text!r} is not NAME=VALUE.")
    return name, int(value) if re.fullmatch(r"-?\d+", value, re.ASCII) else value
