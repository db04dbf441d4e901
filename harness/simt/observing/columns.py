"""Make a recording's tables of steps, accesses, shuffles, barriers, variables; pack columns and unpack rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, TypeAlias

__all__ = ["ATOMIC", "LOAD", "SETTLED", "STORE", "Columns", "make_tables", "pack", "unpack_rows"]

LOAD, STORE, ATOMIC, SETTLED = range(4)  # kinds of accesses; the last is the content of a cell when the step ends
Columns: TypeAlias = dict[str, list[Any]]
COLUMNS = {
    "steps": ("line", "kind", "active", "waiting", "ended"),
    "accesses": ("step", "kind", "buffer", "set", "span", "cells", "values"),
    "shuffles": ("step", "set", "sources", "given", "got", "operation"),
    "barriers": ("step", "kind", "set"),
    "variables": ("step", "variable", "set", "values"),
}
# Columns of numbers, or of lists of numbers, that are stored as differences.
DELTAS = ("line", "step", "cells", "sources")


def make_tables() -> dict[str, Columns]:
    """Return empty tables: by name, a dict of empty columns by name."""
    return {table: {name: [] for name in names} for table, names in COLUMNS.items()}


def pack(columns: Mapping[str, Columns]) -> dict[str, dict[str, list[Any]]]:
    """Return the columns of the tables that have rows; numbers in the columns `DELTAS` become differences.

    Each is the difference from the one before, the first from 0; in a column of lists, within each list.
    """
    return {
        table: {name: _differences(column) if name in DELTAS else column for name, column in table_columns.items()}
        for table, table_columns in columns.items()
        if next(iter(table_columns.values()))
    }


def _differences(column: list[Any]) -> list[Any]:
    if column and isinstance(column[0], list):
        return [_differences(item) for item in column]
    return [value - before for value, before in zip(column, [0, *column], strict=False)]


def unpack_rows(part: Mapping[str, Mapping[str, list[Any]]], table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table, as dicts by column, from what `pack` returned; nothing if it lacks the table.

    The differences that `pack` stored are added up again.
    """
    columns = {name: _sums(column) if name in DELTAS else column for name, column in part.get(table, {}).items()}
    for row in zip(*columns.values(), strict=True):
        yield dict(zip(columns, row, strict=True))


def _sums(column: list[Any]) -> list[Any]:
    if column and isinstance(column[0], list):
        return [_sums(item) for item in column]
    return list(accumulate(column))
