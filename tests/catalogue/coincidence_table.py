"""What is equal at each mode's documented launch and what tells it apart, in a table, with what the documents fix."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import takewhile

import numpy as np

from harness.cases.fresh import add_fresh_data
from harness.catalogue import CASES
from harness.model.case import Case
from tests.catalogue.coincidences import FIXED, coincidences, unexplained, views
from tests.catalogue.definitions import classes
from tests.catalogue.guards import idle_axes
from tests.catalogue.quantities import FRESH_SEEDS, widths_of
from tests.generate.files import table

__all__ = ["coincidences_table", "exponents"]

_HEADS = (
    *("mode", "further launches", "idle threads", "data"),
    *("equal", "told apart by a launch", "by a fresh size", "fixed", "left", "by definition"),
)


@cache
def coincidences_table() -> str:
    """Return a row for each mode, and a line for each launch that the documents do not allow."""
    return "".join([table(_HEADS, map(_row, CASES), numbers=6), "\n", *map("- {}\n".format, _fixed_lines())])


def _row(case: Case) -> list[str]:
    entry, width = case.simulated, widths_of(case)[0]
    further = "; ".join(str(launch) for one in entry.further if (launch := one.further_launch(width)))
    subjects = [*takewhile(lambda subject: (subject.case, subject.width) == (entry, width), views(case))]
    pairs = Counter(found.broken or found.explained for subject in subjects for found in coincidences(subject, FIXED))
    idle = {axis for subject in subjects if subject.kernel for axis in idle_axes(subject)}
    return [
        f"`{case.id}`",
        further or "none",
        " and ".join(sorted(idle)) or "none",
        _ranges(entry, width),
        str(pairs.total() - pairs["axis"]),
        str(pairs["launch"]),
        str(pairs["size"]),
        str(pairs["documents"]),
        str(len(unexplained(case))),
        str(sum(math.comb(len(names), 2) for subject in subjects for names in classes(subject))),
    ]


def _ranges(case: Case, width: int) -> str:
    """Return the finest unit and the largest magnitude of all inputs, as powers of two, floats before whole numbers."""
    floats: list[tuple[int, int]] = []
    largest = 0
    for array in _inputs(case, width):
        if array.dtype.kind == "f":
            floats += exponents(array)
        elif array.size:
            largest = max(largest, int(np.abs(array.astype(np.int64)).max()))
    texts = []
    if floats:
        texts.append(f"2^{min(low for low, _ in floats)} to 2^{max(high for _, high in floats)}")
    if largest:
        texts.append(f"whole, to 2^{math.ceil(math.log2(largest))}")
    return "; ".join(texts)


def _inputs(case: Case, width: int) -> Iterator[np.ndarray]:
    """Yield the inputs of all data sets of all launches, fresh ones of one seed among them."""
    for entry in case.sizes:
        instance = add_fresh_data(entry, entry.instance(width), FRESH_SEEDS[0])
        for dataset in instance.datasets:
            yield from (dataset.inputs[name] for name in dataset.inputs)


def exponents(array: np.ndarray) -> list[tuple[int, int]]:
    """Return the exponents of the finest unit and of the bound of an array's numbers; nothing if all are 0."""
    values = np.abs(array[np.isfinite(array) & (array != 0)]).astype(np.float64)
    if not values.size:
        return []
    fractions, exponents = np.frexp(values)
    whole = (fractions * 2.0**53).astype(np.int64)
    units = np.frexp((whole & -whole).astype(np.float64))[1] - 1 + exponents - 53
    return [(int(units.min()), math.ceil(math.log2(values.max())))]


def _fixed_lines() -> Iterator[str]:
    """Yield what the documents fix, by mode."""
    for entry in FIXED:
        launch = entry.launch.further_launch(widths_of(entry.launch)[0])
        equal = " = ".join(f"`{name}`" for name in entry.equal)
        yield f"`{entry.case}`, {equal}: {entry.verdict} with {launch}: {entry.why}."
