"""The Mojo that calls host functions, made from the catalogue."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.build import generate
from harness.build.unit import BuildUnit
from harness.model.arguments import ScalarArgument, TensorArgument

__all__ = ["host_program"]


def host_program(together: Sequence[BuildUnit], *, native: bool = False) -> str:
    """The text of a program that makes one of these calls, the number of which is its first argument, and as many times
    as its second argument says; or of a library with a function that makes one, by its number, with a table of data,
    and one that times it: nanoseconds of as many calls more, in a row, or -1 where it raises an error.
    """
    tensors = [tensor for unit in together for tensor in unit.tensors]
    ops = dict.fromkeys(_operand(tensor) for tensor in tensors if tensor.form == "op")
    head = [
        '"""Calls of host functions."""',
        *([f"from extensibility import {', '.join(sorted([*ops, 'StaticTensorSpec']))}"] if ops else []),
        *generate.types(tensors),
        "from max.gpu.host import DeviceContext",
        "from std.time import perf_counter_ns" if native else "from std.sys import argv",
        *(["from std.utils import IndexList"] if ops else []),
        "from host_data import Data",
        *generate.imports(together),
    ]
    chosen = [
        f'if argv()[1] == "{number}":\n                _call_{number}(ctx, data)' for number in range(len(together))
    ]
    main = [
        "def main() raises:",
        "var ctx = DeviceContext()",
        "for number in range(atol(argv()[2])):",
        "    var data = Data(number)",
        "    try:",
        *(f"        {lines}" for lines in chosen),
        "    except error:",
        "        data.failed(String(error))",
        "        return",
    ]
    calls = [_call(unit, number, native) for number, unit in enumerate(together)]
    last = _library(len(calls)) if native else "\n    ".join(main)
    return "\n\n\n".join(["\n".join(head), *calls, last]) + "\n"


def _library(calls: int) -> str:
    chosen = [f"if which == {number}:\n            return _call_{number}(ctx, data, times)" for number in range(calls)]
    return "\n    ".join(
        [
            '@export("harness_time", ABI="C")\ndef harness_time(which: Int, table: Int, times: Int) -> Int:',
            "var data = Data(table)",
            "try:",
            "    var ctx = DeviceContext()",
            *(f"    {lines}" for lines in chosen),
            "except error:",
            "    data.failed(String(error))",
            'return -1\n\n\n@export("harness_call", ABI="C")\ndef harness_call(which: Int, table: Int) -> Int:',
            "return 1 if harness_time(which, table, 0) < 0 else 0",
        ]
    )


def _call(unit: BuildUnit, number: int, native: bool) -> str:
    held = {tensor.name: f"b{at}" for at, tensor in enumerate(unit.tensors)}
    scalars = {scalar.name: at for at, scalar in enumerate(unit.scalars)}
    lines = [f"comptime assert {condition}, {json.dumps(text)}" for condition, text in generate.sizes(unit)]
    for at, tensor in enumerate(unit.tensors):
        lines.append(f"var w{at} = data.whole[DType.{tensor.dtype.name}](ctx, {at}, {tensor.elements})")
        lines.append(f"var b{at} = data.part(w{at}, {tensor.elements})")
    parameters = ", ".join(unit.host.parameters).replace("file.", f"{unit.module}.")
    passed = [
        f"data.scalar[DType.{part.dtype.name}]({scalars[part.name]})"
        if isinstance(part, ScalarArgument)
        else _passed(part, held[part.name])
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
        *(f"data.left(ctx, {at}, w{at})" for at in range(len(held))),
        "ctx.synchronize()",
        *(_timed(call) if native else []),
        "data.done()",
        *(f"_ = b{at}^\n    _ = w{at}^" for at in range(len(held))),  # Mojo would free them after their last use
        *(["return took"] if native else []),
    ]
    takes, gives = (", times: Int", " -> Int") if native else ("", "")
    head = f"def _call_{number}(ctx: DeviceContext, data: Data{takes}) raises{gives}:"
    head += f'\n    """{unit.case.id}: {unit.host.name}."""'
    return "\n    ".join([head, *lines])


def _timed(call: Sequence[str]) -> list[str]:
    """The same call in a row, on what the ones before it left."""
    return [
        "var began = Int(perf_counter_ns())",
        "for _ in range(times):",
        *(f"    {line}" for line in call),
        "ctx.synchronize()",
        "var took = Int(perf_counter_ns()) - began",
    ]


def _operand(tensor: TensorArgument) -> str:
    """The type of an operand or a result of an op."""
    return {"input": "InputTensor", "inout": "_MutableInputTensor"}.get(tensor.role, "OutputTensor")


def _passed(tensor: TensorArgument, buffer: str) -> str:
    """A buffer as the host function takes it."""
    if tensor.form == "pointer":
        return f"{buffer}.unsafe_ptr().as_unsafe_any_origin()"
    if tensor.form == "op":
        spec = f"StaticTensorSpec[DType.{tensor.dtype.name}, {len(tensor.shape)}, ...].get_unknown()"
        shape = f"IndexList[{len(tensor.shape)}]({', '.join(map(str, tensor.shape))})"
        return f"{_operand(tensor)}[static_spec={spec}]({buffer}.unsafe_ptr(), {shape})"
    layout = f", {generate.layout_of(tensor)}" if tensor.form == "tile" else ""
    return f"{generate.type_of(tensor)}({buffer}{layout})"
