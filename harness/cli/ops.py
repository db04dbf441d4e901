"""`op`: an op of a MAX library of custom ops, on arrays from the command line.

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
from harness.cli.files import require_folders
from harness.cli.values import DTYPES, Values
from harness.errors import UsageError, unknown
from harness.model import exit_code
from harness.report import console, findings, sarif
from harness.report.told import of_cases
from harness.simt.plain import printable

__all__ = ["call"]

_TENSOR = re.compile(r"(?P<type>\w+)\[(?P<shape>[^\]]*)\](?:=(?P<fill>.+))?")


def call(arguments: Namespace) -> int:
    """Calls the op, prints what is wrong and what it gave; exit code 0 only if nothing is wrong."""
    require_folders(arguments.sarif)
    values = Values()
    inputs = [_input(values, number, text) for number, text in enumerate(arguments.input)]
    outputs = [_output(text) for text in arguments.output]
    expected = [_array(values, f"expected {number}", str(path)) for number, path in enumerate(arguments.expect)]
    folder = arguments.folder
    with console.show_progress() as notify:
        called = op.op(
            folder,
            arguments.name,
            inputs,
            outputs or None,
            parameters=dict(_parameter(text) for text in arguments.parameter),
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
    return exit_code.of_statuses([called.report.verdict])


def _input(values: Values, number: int, text: str) -> Any:
    """A tensor or a number that the op takes."""
    if text.endswith(".npy"):
        return _array(values, f"input {number}", text)
    if match := _TENSOR.fullmatch(text):
        fill, colon, seed = (match["fill"] or "").partition(":")
        if fill in ("zeros", "ones", "arange", "random"):
            shape = "x".join(map(str, _extents(text, match["shape"])))
            return _array(values, f"input {number}", f"{fill}:{match['type']}:{shape}{colon}{seed}")
    elif (equals := text.find("=")) > 0:
        value = values.read(f"input {number}", f"{text[:equals]}:{text[equals + 1 :]}")
        if isinstance(value, np.generic):
            return value
    raise UsageError(f"--input {text!r} is not like f32[4,6]=arange (zeros, ones, random:7), FILE.npy or f32=1.5.")


def _array(values: Values, name: str, text: str) -> np.ndarray:
    held = values.read(name, text)
    if not isinstance(held, simt.Buffer):
        raise UsageError(f"{text} is no array: name a file that ends in .npy.")
    return held.array


def _output(text: str) -> tuple[tuple[int, ...], np.dtype]:
    match = _TENSOR.fullmatch(text)
    if match is None or match["fill"]:
        raise UsageError(f"--output {text!r} is not like f32[4]: an element type and a shape.")
    if match["type"] not in DTYPES:
        raise unknown("element type", match["type"], DTYPES)
    return _extents(text, match["shape"]), np.dtype(DTYPES[match["type"]])


def _extents(text: str, shape: str) -> tuple[int, ...]:
    parts = tuple(part.strip() for part in shape.split(","))
    if not all(part.isascii() and part.isdecimal() and int(part) for part in parts):
        raise UsageError(f"{text!r}: the shape [{shape}] is not like [4,6].")
    return tuple(map(int, parts))


def _parameter(text: str) -> tuple[str, int | str]:
    name, equals, value = text.partition("=")
    if not name or not equals or not value:
        raise UsageError(f"--parameter {text!r} is not NAME=VALUE.")
    return name, int(value) if re.fullmatch(r"-?\d+", value, re.ASCII) else value
