"""Holds the functions of the prelude against their oracles, in both engines: bit for bit, but for payloads of NaNs."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from harness.simt.compile.prelude import FOLDER, intrinsic_name, load_module
from harness.simt.ir.types import Float, Int, Vector
from tests.simt.against_llvm.device import simulated
from tests.simt.against_llvm.operands import operands
from tests.simt.against_llvm.row import Row
from tests.simt.against_llvm.shapes import Shape
from tests.simt.oracles import modules  # noqa: F401 - they declare
from tests.simt.oracles.declared import ORACLES, Call

__all__ = ["FILES", "compare", "compare_entries", "expected", "functions", "rows_of"]

FILES = tuple(sorted(path.stem for path in FOLDER.glob("*.ll")))
SHOWN = 3  # differences of a function
AT_ONCE = 24  # functions of a kernel
IMMEDIATE = {"llvm.nvvm.idp2a": 2}  # the operand that LLVM takes as a constant alone


def functions(file):
    """The functions of a file of the prelude, without their bodies."""
    module = load_module(file)
    return [module.function(name, body=False) for name in module.function_names]


def rows_of(file):
    """The functions that have an oracle, as rows of a table, each with that oracle."""
    return [entry for function in functions(file) for entry in _rows(function)]


def _rows(function):
    """A function's row, or one for each value of an operand that must be an immediate."""
    name, called = intrinsic_name(function.name), function.name.strip('@"')
    if name not in ORACLES:
        return
    takes = tuple(param.type for param in function.params)
    oracle = ORACLES[name](Call(name, function.returns, takes))
    place = next((place for start, place in IMMEDIATE.items() if name.startswith(start)), None)
    for value in (None,) if place is None else (0, 1):
        names = iter("abcd")
        given = [f"{ty} {value if at == place else f'%{next(names)}'}" for at, ty in enumerate(takes)]
        others = tuple(ty for at, ty in enumerate(takes) if at != place)
        text = f'%r = call {function.returns} @"{called}"({", ".join(given)})'
        row = Row(name, text, tuple(map(str, others)), str(function.returns))
        yield row, oracle if place is None else _with(oracle, place, value), others, function.returns


def _with(oracle, place, value):
    """An oracle that is given one operand as a constant."""
    constant = np.array([value], bool)
    return lambda *columns: oracle(*columns[:place], constant, *columns[place:])


def compare(files, seed=0, more=1, engines=("reference", "native"), keep=None):
    """Compute the functions of some files on edges crossed with edges, and on random values.

    Args:
        keep: Says of a row whether it is compared; None for all.

    Returns:
        How many results were compared, and a line for each difference, the first ones of each function.
    """
    entries = (entry for file in files for entry in rows_of(file) if keep is None or keep(entry[0]))
    return compare_entries(entries, seed, more, engines)


def compare_entries(entries, seed=0, more=1, engines=("reference", "native")):
    """Compute rows that come with an oracle, the types that they take and the one that they give; see `compare`."""
    found, count, wrong = list(entries), 0, []
    found.sort(key=lambda entry: entry[0].operands)
    for types, same in groupby(found, key=lambda entry: entry[0].operands):
        entries = list(same)
        values = operands(types, seed, more)
        for start in range(0, len(entries), AT_ONCE):
            group = entries[start : start + AT_ONCE]
            rights = [expected(oracle, takes, returns, values) for _, oracle, takes, returns in group]
            for engine in engines:
                results = simulated([row for row, *_ in group], values, {}, engine)
                for (row, *_), (got, _undefined), other in zip(group, results, rights, strict=True):
                    lines = list(_differences(row, values, got, other, engine))
                    count += len(other)
                    wrong += lines[:SHOWN]
    return count, wrong


def expected(oracle, takes, returns, values):
    """What an oracle makes of patterns, as patterns."""
    columns = [_array(ty, Shape(str(ty)).pack(column)) for ty, column in zip(takes, values, strict=True)]
    with np.errstate(all="ignore"):
        return Shape(str(returns)).unpack(_octets(returns, oracle(*columns)))


def _array(ty, octets):
    """Bytes in memory as values, the way that the interpreter has them."""
    element = ty.element if isinstance(ty, Vector) else ty
    match element:
        case Int(1):
            return (octets & 1).astype(bool)
        case Int(bits):
            values = octets.view(f"i{bits // 8}")
        case Float("bfloat"):
            values = (octets.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        case Float(name):
            values = octets.view({"half": np.float16, "float": np.float32, "double": np.float64}[name])
    return values.reshape(-1, ty.length) if isinstance(ty, Vector) else values


def _octets(ty, values):
    """The other way."""
    element = ty.element if isinstance(ty, Vector) else ty
    if element == Int(1):
        return np.where(values, np.uint8(255), np.uint8(0))
    if element == Float("bfloat"):
        return (np.ascontiguousarray(values).view(np.uint32) >> 16).astype(np.uint16).ravel().view(np.uint8)
    return np.ascontiguousarray(values).ravel().view(np.uint8)


def _differences(row, values, got, expected, engine):
    shape = row.shape
    for lane, (own, other) in enumerate(zip(got, expected, strict=True)):
        if own != other and not (shape.is_nan(own) and shape.is_nan(other)):
            given = "; ".join(f"{column[lane]:#x}" for column in values)
            yield f"{engine}: {row.name} {row.operands} of {given}: {own:#x}, but {other:#x} is expected"
