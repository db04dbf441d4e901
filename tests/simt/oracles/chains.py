"""Random kernels of calls of the prelude, each on results of the ones before, in both engines and by the oracles."""

from __future__ import annotations

import random

import numpy as np

from harness import simt
from harness.simt.compile.prelude import intrinsic_name
from tests.simt.against_llvm.operands import operands
from tests.simt.against_llvm.shapes import Shape
from tests.simt.oracles.compare import FILES, expected, functions
from tests.simt.oracles.declared import ORACLES, Call
from tests.simt.snippets import kernel

__all__ = ["differences"]

TYPES = ("i16", "i32", "i64", "float", "double")
LANES, CALLS = 64, 12


def _callable(function):
    """Whether a function takes and gives those types, and none that must be an immediate."""
    kinds = {str(function.returns), *(str(param.type) for param in function.params)}
    return kinds <= set(TYPES) and intrinsic_name(function.name) in ORACLES


def _inputs(rng):
    """Values of each type, one for each lane; of floats numbers alone, since LLVM leaves the bits of a NaN open."""
    found = {}
    for ty in TYPES:
        shape = Shape(ty)
        column = [pattern for pattern in operands((ty,), 0, 1)[0] if not shape.is_nan(pattern)]
        found[ty] = [rng.choice(column) for _ in range(LANES)]
    return found


def _chain(seed):
    """A kernel: its inputs, its text, and by type and name what each of its values is."""
    rng = random.Random(seed)
    choices = [function for file in FILES for function in functions(file) if _callable(function)]
    values = {(ty, f"%in.{ty}"): column for ty, column in _inputs(rng).items()}
    inputs, lines = dict(values), []
    while len(lines) < CALLS:
        function = rng.choice(choices)
        takes = tuple(param.type for param in function.params)
        names = [rng.choice([name for ty, name in values if ty == str(wanted)][-3:]) for wanted in takes]
        given = ", ".join(f"{ty} {name}" for ty, name in zip(takes, names, strict=True))
        oracle = ORACLES[intrinsic_name(function.name)](Call(intrinsic_name(function.name), function.returns, takes))
        columns = [values[str(ty), name] for ty, name in zip(takes, names, strict=True)]
        result, returns = expected(oracle, takes, function.returns, columns), str(function.returns)
        if any(map(Shape(returns).is_nan, result)):
            continue
        called = function.name.strip('@"')
        lines.append(f'  %r{len(lines)} = call {returns} @"{called}"({given})')
        values[returns, f"%r{len(lines) - 1}"] = result
    return inputs, lines, {key: column for key, column in values.items() if key not in inputs}


def differences(seed, engines=("reference", "native")):
    """Names of the values that an engine has other bits of than the oracles, with the engine."""
    inputs, lines, results = _chain(seed)
    body = "".join(
        f"  %p.{ty} = getelementptr {ty}, ptr %a.{ty}, i64 %i\n  {name} = load {ty}, ptr %p.{ty}\n"
        for ty, name in inputs
    )
    body += "\n".join(lines) + "\n"
    for number, (ty, name) in enumerate(results):
        body += f"  %q.{number} = getelementptr {ty}, ptr %o.{number}, i64 %i\n  store {ty} {name}, ptr %q.{number}\n"
    params = ", ".join([*(f"ptr %a.{ty}" for ty, _ in inputs), *(f"ptr %o.{number}" for number in range(len(results)))])
    wrong = []
    for engine in engines:
        given = [Shape(ty).pack(column) for (ty, _), column in inputs.items()]
        outputs = [np.zeros(len(Shape(ty).pack(column)), np.uint8) for (ty, _), column in results.items()]
        launched = simt.launch(
            kernel(body, params),
            target="nvidia:sm_90",
            grid=2,
            block=LANES // 2,
            args=[*given, *outputs],
            options=simt.Options(engine=engine),
        )
        launched.raise_for_fault()
        assert bool(launched.engine.native) == (engine == "native"), launched.engine.why
        for ((ty, name), column), output in zip(results.items(), outputs, strict=True):
            if Shape(ty).unpack(output) != column:
                wrong.append((engine, name, lines))
    return wrong
