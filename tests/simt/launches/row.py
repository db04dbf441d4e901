"""A row of a table of launches, and how it is run and compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from harness import simt
from harness.simt.declined import Reason
from harness.simt.observing.counters import Counters
from tests.simt.engines import LANES, OUT, VALUE, alike, at_once, made, run
from tests.simt.reference import NotModelledError, Reference

__all__ = ["ANY", "NOTHING", "Row", "check", "rows", "whole"]

ANY = "any"  # findings or none
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Row:
    """A launch and what comes of it.

    Attributes:
        name: Names the row in the test's id.
        body: A kernel's lines over `%a`, read, and `%o`, written, or a module; see `engines.run`.
        how: Geometry, arguments, target, observers and options, as `engines.run` takes them; observers are made anew
            for each engine, and arrays are copied.
        compiled: How many blocks the compiled engine proves; None for all, a predicate for others.
        found: The kinds of the findings that tell of faults, or their ids where one has a dot: in their order, or as a
            set; None for some, whichever; a string for one that is among them, or `ANY`.
        noted: The kinds or ids of the findings that only inform, in their order; None if the row does not say.
        places: Of each finding, how many threads it is about; None if the row does not say.
        scalar: Whether the scalar reference knows all of its instructions; None if it is not asked.
        expected: The beginning of the output, where it does not follow from the other engines alone.
        ordered: Whether the order of the threads is known not to matter; None if the row does not say.
        reason: Why blocks were interpreted, or that text; None if the row does not say.
        counters: The counters that both engines must agree on: True for all, False for none.
        workers: The numbers of workers with which it is compiled once more, all of them at work from the start.
    """

    name: str
    body: str | simt.Module
    how: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    compiled: int | Callable[[int], bool] | None = None
    found: tuple[str, ...] | frozenset[str] | str | None = ()
    scalar: bool | None = True
    expected: Any = None
    ordered: bool | None = None
    noted: tuple[str, ...] | None = None
    places: tuple[int, ...] | None = None
    reason: Reason | str | None = None
    counters: Collection[str] | bool = False
    workers: tuple[int, ...] = ()


def whole(lines: str) -> str:
    """A body of lines that make `%w` of `%v`."""
    return f"{VALUE}\n  {lines}{OUT}"


def rows(group: str, bodies: Mapping[str, str] | tuple[str, ...], **facts: Any) -> tuple[Row, ...]:
    """A row for each of some lines that make `%w` of `%v`, named by themselves or by a key."""
    named = bodies.items() if isinstance(bodies, Mapping) else ((body.replace("\n  ", "; "), body) for body in bodies)
    return tuple(Row(f"{group}: {name}", whole(body), **facts) for name, body in named)


def check(row: Row) -> None:
    """Run a row by the interpreter and the compiler, and one lane at a time if nothing is wrong with it."""
    expected, left = _run(row, "reference")
    result, output = _run(row, "native")
    for ran, arrays in ((result, output), *(_run(row, "native", workers) for workers in row.workers)):
        assert [array.tobytes() for array in arrays] == [array.tobytes() for array in left]
        alike(ran, expected)
        _compiled(row, ran)
        _counted(row, ran, expected)
    _findings(row, result)
    assert row.ordered in (None, result.ordered)
    assert row.reason in (None, result.engine.why, result.engine.cause and result.engine.cause.reason)
    if row.expected is not None:
        np.testing.assert_array_equal(output[-1][: len(row.expected)], row.expected)
    if row.found == () and row.scalar is not None:
        assert _scalar(row, output) == row.scalar


def _run(row: Row, engine: str, workers: int | None = None) -> tuple[simt.LaunchResult, list[np.ndarray]]:
    """Return the result and what it left in the arrays."""
    how = {name: value() if name == "observers" else value for name, value in row.how.items()}
    if row.counters:
        names = None if row.counters is True else row.counters
        how["observers"] = [Counters(names), *simt.observers(counters=False)]
    if "arguments" in how:
        how["arguments"] = [array.copy() for array in how["arguments"]]
    with nullcontext() if workers is None else at_once():
        result, output = run(row.body, engine, **how | ({} if workers is None else {"workers": workers}))
    return result, how.get("arguments", [output])


def _findings(row: Row, result: simt.LaunchResult) -> None:
    by_id = "." in "".join((*(row.found or ""), *(row.noted or ())))
    all_of_them = [(finding.id if by_id else finding.kind, finding.severity) for finding in result.findings]
    kinds = tuple(name for name, severity in all_of_them if severity != "information")
    assert row.found != () or result.verdict == "clean"
    match row.found:
        case None:
            assert result.findings
        case str():
            assert row.found in (*dict(all_of_them), ANY)
        case frozenset():
            assert set(kinds) == row.found
        case _:
            assert kinds == row.found
    assert row.noted in (None, tuple(name for name, severity in all_of_them if severity == "information"))
    assert row.places in (None, tuple(finding.count for finding in result.findings))


def _counted(row: Row, result: simt.LaunchResult, expected: simt.LaunchResult) -> None:
    if row.counters:
        names = expected.counters if row.counters is True else row.counters
        same = [name for name in names if name != "steps"]  # these are each engine's own
        assert [result.counters[name] for name in same] == [expected.counters[name] for name in same]
        assert row.counters is not True or list(result.counters) == list(expected.counters)


def _compiled(row: Row, result: simt.LaunchResult) -> None:
    blocks = int(np.prod(row.how.get("grid", 1)))
    match row.compiled:
        case None:
            assert (result.engine.native, result.engine.python) == (blocks, 0), result.engine
        case int():
            assert (result.engine.native, result.engine.python) == (row.compiled, blocks - row.compiled), result.engine
        case _:
            assert row.compiled(result.engine.native)


def _scalar(row: Row, output: list[np.ndarray]) -> bool:
    """Whether one lane at a time leaves the same, after it was found to; no if it does not know an instruction."""
    size = row.how.get("size", LANES)
    values = row.how.get("values")
    given = np.arange(size, dtype=np.int32) - 7 if values is None else values
    arrays = row.how.get("arguments", (given, np.full(size, -1, np.int32)))
    left = [bytearray(array.tobytes()) for array in arrays]
    text = (
        row.body
        if isinstance(row.body, simt.Module)
        else simt.decode(made(row.body, row.how.get("target", "nvidia:sm_90")))
    )
    reference = Reference(text, "k", row.how.get("grid", 1), row.how.get("block", LANES))
    try:
        reference.run(left)
    except NotModelledError:
        return False
    assert [bytes(one) for one in left[-len(output) :]] == [array.tobytes() for array in output]
    return True
