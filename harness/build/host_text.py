"""Generate the Mojo program that calls host functions of puzzles, or the library that calls and times them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.build import generate
from harness.build.unit import BuildUnit
from harness.model.arguments import ScalarArgument, TensorArgument

__all__ = ["generate_host_program"]


def generate_host_program(units: Sequence[BuildUnit], *, native: bool = False) -> str:
    """Generate a program that calls host functions, or with `native` a shared library.

    The program's first argument is the number of the unit, from 0, its second the number of data sets: it calls once
    for each, up to the first error. The library exports `harness_call(which, table)`, which calls once and returns 1 if
    an error was raised, else 0. Its `harness_time(which, table, times)` calls once, then `times` more times. It returns
    the nanoseconds of the latter together, or -1 after an error. `table` is an address, see `host_data.mojo`.
    """
    tensors = [tensor for unit in units for tensor in unit.tensors]
    ops = dict.fromkeys(_operand_type(tensor) for tensor in tensors if tensor.form == "op")
    head = [
        '"""Calls of host functions."""',
        *([f"from extensibility import {', '.join(sorted([*ops, 'StaticTensorSpec']))}"] if ops else []),
        *generate.type_imports(tensors),
        "from max.gpu.host import DeviceContext",
        "from std.time import perf_counter_ns" if native else "from std.sys import argv",
        *(["from std.utils import IndexList"] if ops else []),
        "from host_data import Data",
        *generate.module_imports(units),
    ]
    branches = [
        f'if argv()[1] == "{number}":\n                _call_{number}(ctx, data)' for number in range(len(units))
    ]
    main = [
        "def main() raises:",
        "var ctx = DeviceContext()",
        "for number in range(atol(argv()[2])):",
        "    var data = Data(number)",
        "    try:",
        *(f"        {lines}" for lines in branches),
        "    except error:",
        "        data.failed(String(error))",
        "        return",
    ]
    calls = [_generate_call(unit, number, native) for number, unit in enumerate(units)]
    last = _generate_exports(len(calls)) if native else "\n    ".join(main)
    return "\n\n\n".join(["\n".join(head), *calls, last]) + "\n"


def _generate_exports(calls: int) -> str:
    """Generate the two functions that a library exports; they select a call by its number."""
    branches = [
        f"if which == {number}:\n            return _call_{number}(ctx, data, times)" for number in range(calls)
    ]
    return "\n    ".join(
        [
            '@export("harness_time", ABI="C")\ndef harness_time(which: Int, table: Int, times: Int) -> Int:',
            "var data = Data(table)",
            "try:",
            "    var ctx = DeviceContext()",
            *(f"    {lines}" for lines in branches),
            "except error:",
            "    data.failed(String(error))",
            'return -1\n\n\n@export("harness_call", ABI="C")\ndef harness_call(which: Int, table: Int) -> Int:',
            "return 1 if harness_time(which, table, 0) < 0 else 0",
        ]
    )


def _generate_call(unit: BuildUnit, number: int, native: bool) -> str:
    """Generate the function that makes the buffers of a call, calls the host function, and reads them back.

    With `native` it then repeats the call `times` times, and returns the nanoseconds that this took.
    """
    buffers = {tensor.name: f"b{at}" for at, tensor in enumerate(unit.tensors)}
    scalars = {scalar.name: at for at, scalar in enumerate(unit.scalars)}
    lines = [f"comptime assert {condition}, {json.dumps(text)}" for condition, text in generate.size_checks(unit)]
    for at, tensor in enumerate(unit.tensors):
        lines.append(f"var w{at} = data.whole[DType.{tensor.dtype.name}](ctx, {at}, {tensor.elements})")
        lines.append(f"var b{at} = data.part(w{at}, {tensor.elements})")
    parameters = ", ".join(unit.host.parameters).replace("file.", f"{unit.module}.")
    passed = [
        f"data.scalar[DType.{part.dtype.name}]({scalars[part.name]})"
        if isinstance(part, ScalarArgument)
        else _argument_expression(part, buffers[part.name])
        for part in unit.arguments
    ]
    call = [
        f"{unit.module}.{unit.host.name}" + (f"[{parameters}]" if parameters else "") + "(",
        *(f"    {argument}," for argument in (*passed, "ctx")),
        ")",
    ]
    lines += [
        *call,
        "ctx.synchronize()",
        *(f"data.left(ctx, {at}, w{at})" for at in range(len(buffers))),
        "ctx.synchronize()",
        *(_generate_timing(call) if native else []),
        "data.done()",
        *(f"_ = b{at}^\n    _ = w{at}^" for at in range(len(buffers))),  # Mojo would free them after their last use
        *(["return took"] if native else []),
    ]
    takes, returns = (", times: Int", " -> Int") if native else ("", "")
    head = f"def _call_{number}(ctx: DeviceContext, data: Data{takes}) raises{returns}:"
    head += f'\n    """{unit.case.id}: {unit.host.name}."""'
    return "\n    ".join([head, *lines])


def _generate_timing(call: Sequence[str]) -> list[str]:
    """Return the lines that repeat a call `times` times and measure it."""
    return [
        "var began = Int(perf_counter_ns())",
        "for _ in range(times):",
        *(f"    {line}" for line in call),
        "ctx.synchronize()",
        "var took = Int(perf_counter_ns()) - began",
    ]


def _operand_type(tensor: TensorArgument) -> str:
    """Return the Mojo type of an op's operand or result."""
    return {"input": "InputTensor", "inout": "_MutableInputTensor"}.get(tensor.role, "OutputTensor")


def _argument_expression(tensor: TensorArgument, buffer: str) -> str:
    """Return the Mojo expression for a buffer as the function takes it, by its form: pointer, op, tile or layout."""
    if tensor.form == "pointer":
        return f"{buffer}.unsafe_ptr().as_unsafe_any_origin()"
    if tensor.form == "op":
        spec = f"StaticTensorSpec[DType.{tensor.dtype.name}, {len(tensor.shape)}, ...].get_unknown()"
        shape = f"IndexList[{len(tensor.shape)}]({', '.join(map(str, tensor.shape))})"
        return f"{_operand_type(tensor)}[static_spec={spec}]({buffer}.unsafe_ptr(), {shape})"
    layout = f", {generate.mojo_layout(tensor)}" if tensor.form == "tile" else ""
    return f"{generate.mojo_type(tensor)}({buffer}{layout})"
