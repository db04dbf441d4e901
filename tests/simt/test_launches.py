"""Tables of launches: each row is run by the interpreter, the compiler, and one lane at a time if nothing is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

import pytest

from tests.simt import launches
from tests.simt.launches.row import Row, check

# The files of kernels that LLVM could make something else of where it optimises.
OPTIMISED = {"basics", "faults", "instructions", "parts", "phis", "promises", "values"}

pytestmark = pytest.mark.slow


def rows_of(file: str) -> Iterator[Row]:
    """Yield the rows of all tables that a file exports."""
    module = import_module(f"{launches.__name__}.{file}")
    for table in (getattr(module, name) for name in module.__all__):
        if isinstance(table, tuple):
            yield from (row for row in table if isinstance(row, Row))


ROWS = {file: list(rows_of(file)) for _, file, _ in iter_modules(launches.__path__)}


@pytest.mark.optimised
@pytest.mark.parametrize(
    "row", [row for file in ROWS for row in ROWS[file] if file in OPTIMISED], ids=lambda row: row.name
)
def test_every_engine_leaves_and_finds_the_same(row):
    check(row)


@pytest.mark.parametrize(
    "row", [row for file in ROWS for row in ROWS[file] if file not in OPTIMISED], ids=lambda row: row.name
)
def test_every_engine_leaves_and_finds_the_same_where_code_is_compiled_as_it_is(row):
    check(row)


def test_each_file_has_rows_and_each_row_a_name_of_its_own():
    assert [file for file, rows in ROWS.items() if not rows] == ["row"]
    counts = Counter(row.name for rows in ROWS.values() for row in rows)
    assert [name for name, count in counts.items() if count > 1] == []
