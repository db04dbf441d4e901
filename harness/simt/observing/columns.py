"""A recording's tables: columns of numbers, in parts, that compress well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, TypeAlias

__all__ = ["ATOMIC", "LOAD", "SETTLED", "STORE", "Columns", "fresh", "packed", "rows"]

LOAD, STORE, ATOMIC, SETTLED = range(4)  # kinds of accesses; the last: what a cell holds when the step ends
Columns: TypeAlias = dict[str, list[Any]]
COLUMNS = {
    "steps": ("line", "kind", "active", "waiting", "ended"),
    "accesses": ("step", "kind", "buffer", "set", "span", "cells", "values"),
    "shuffles": ("step", "set", "sources", "given", "got", "operation"),
    "barriers": ("step", "kind", "set"),
    "variables": ("step", "variable", "set", "values"),
}
# Columns, and columns of lists, that are kept as differences: neighbours are alike.
DELTAS = ("line", "step", "cells", "sources")


def fresh() -> dict[str, Columns]:
    """Empty tables."""
    return {table: {name: [] for name in names} for table, names in COLUMNS.items()}


def packed(columns: Mapping[str, Columns]) -> dict[str, dict[str, list[Any]]]:
    """The columns of a part, those of `DELTAS` as the difference of each number from the one before."""
    return {
        table: {name: _differences(column) if name in DELTAS else column for name, column in own.items()}
        for table, own in columns.items()
        if next(iter(own.values()))
    }


def _differences(column: list[Any]) -> list[Any]:
    if column and isinstance(column[0], list):
        return [_differences(part) for part in column]
    return [value - before for value, before in zip(column, [0, *column], strict=False)]


def rows(part: Mapping[str, Mapping[str, list[Any]]], table: str) -> Iterator[dict[str, Any]]:
    """The rows of a table of a part that `packed` made."""
    columns = {name: _sums(column) if name in DELTAS else column for name, column in part.get(table, {}).items()}
    for row in zip(*columns.values(), strict=True):
        yield dict(zip(columns, row, strict=True))


def _sums(column: list[Any]) -> list[Any]:
    if column and isinstance(column[0], list):
        return [_sums(part) for part in column]
    return list(accumulate(column))
