"""Holds rows in the simulator against LLVM: all results bit for bit, and which of them are poison."""

from __future__ import annotations

from itertools import groupby

from tests.simt.against_llvm.device import simulated
from tests.simt.against_llvm.host import Native
from tests.simt.against_llvm.operands import operands

__all__ = ["compare", "planned"]

SHOWN = 3  # what is wrong in a row
ALIKE, THIN = 5, 7  # how many constants, and every which lane beside each of them


def compare(rows, seed=0, more=1, alike=None, engine="reference"):
    """Runs rows on operands both ways.

    Args:
        seed: Of the random operands.
        more: How many times as many as usual.
        alike: The place of an operand that is a constant in the kernel, a few edges in turn. The simulator has such a
            value once for all lanes.
        engine: That runs them; where it is the compiled one, rows have no rules of poison.

    Returns:
        How many results were compared, and a line for each of those that are wrong, the first ones of each row.
    """
    rows, count, wrong = list(rows), 0, []
    here = [row for row in rows if row.exact is None]
    native, numbers = Native(here), {id(row): number for number, row in enumerate(here)}
    for group, values, constants in _launches(rows, seed, more, alike):
        for row, (got, poisoned) in zip(group, simulated(group, values, constants, engine), strict=True):
            expected = _exact(row, values) if row.exact else native(numbers[id(row)], values)
            judged, lines = _judge(row, values, got, poisoned, expected)
            count += judged
            wrong += lines[:SHOWN]
    return count, wrong


def planned(rows, seed=0, more=1):
    """How many lanes `compare` runs, of all rows."""
    return sum(
        len(group) * (len(values[0]) // group[0].shapes[0].count)
        for group, values, _ in _launches(rows, seed, more, None)
    )


def _launches(rows, seed, more, alike):
    """Rows that take the same operands, those operands, and which of them are constants: by its place the patterns."""
    for types, entries in groupby(sorted(rows, key=lambda row: row.operands), key=lambda row: row.operands):
        group = list(entries)
        for values, constants in _choices(group[0].shapes, operands(types, seed, more), alike):
            judged = sorted(((_kept(row, values), row) for row in group), key=lambda entry: entry[0])
            for kept, same in groupby(judged, key=lambda entry: entry[0]):
                if kept:  # there may be no vector without an element that faults
                    columns = zip(group[0].shapes, values, strict=True)
                    yield [row for _, row in same], [_lanes(*column, kept) for column in columns], constants


def _choices(shapes, values, alike):
    if alike is None:
        yield values, {}
        return
    if alike >= len(shapes):
        return
    lanes = len(values[0]) // shapes[0].count
    for lane in range(0, lanes, -(-lanes // ALIKE)):
        own = _lanes(shapes[alike], values[alike], [lane])
        some = [_lanes(shape, column, range(0, lanes, THIN)) for shape, column in zip(shapes, values, strict=True)]
        some[alike] = own * len(range(0, lanes, THIN))
        yield some, {alike: own}


def _kept(row, values):
    """The lanes whose operands no machine faults at."""
    if row.faults is None:
        return tuple(range(len(values[0]) // row.shapes[0].count))
    parts = _parts(row, values)
    return tuple(lane for lane, part in enumerate(parts) if not any(row.faults(*numbers) for numbers in part))


def _lanes(shape, column, kept):
    return [column[lane * shape.count + place] for lane in kept for place in range(shape.count)]


def _parts(row, values, patterns=False):
    """For each lane the elements that belong together: a list of tuples, or of one where a row is taken as a whole."""
    columns = []
    for shape, column in zip((*row.shapes, row.shape), values, strict=False):
        if not patterns:
            column = [shape.number(pattern) for pattern in column]
        columns.append([column[at : at + shape.count] for at in range(0, len(column), shape.count)])
    for lane in zip(*columns, strict=True):
        if row.whole:
            yield [tuple(map(tuple, lane))]
        else:
            most = max(map(len, lane))
            yield list(zip(*(part * (most // len(part)) for part in lane), strict=True))


def _exact(row, values):
    return [row.shape.pattern(row.exact(*numbers)) for part in _parts(row, values) for numbers in part]


def _judge(row, values, got, poisoned, expected):
    shape, wrong, count = row.shape, [], 0
    both = list(zip(*(_split(shape, column) for column in (got, expected)), strict=True))
    rules = list(_parts(row, (*values, expected))) if row.poison else None
    unsaid = list(_parts(row, values, patterns=True)) if row.unsaid else None
    for lane, (own, other) in enumerate(both):
        bad = [row.poison(*numbers) for numbers in rules[lane]] if rules else [False]
        count += 1
        if any(bad) != bool(poisoned[lane]):
            wrong.append(_line(row, values, lane, "poison" if poisoned[lane] else "no poison", "the other"))
        if any(bad) or (unsaid and any(row.unsaid(*patterns) for patterns in unsaid[lane])):
            continue
        count += len(own) - 1
        if own != other and not all(map(_same, own, other, [row] * len(own))):
            wrong.append(_line(row, values, lane, _hex(own), _hex(other)))
    return count, wrong


def _split(shape, column):
    return [column[at : at + shape.count] for at in range(0, len(column), shape.count)]


def _same(own, other, row):
    return own == other or (not row.bitwise and row.shape.is_nan(own) and row.shape.is_nan(other))


def _hex(values):
    return " ".join(f"{value:#x}" for value in values)


def _line(row, values, lane, got, expected):
    given = "; ".join(_hex(_lanes(shape, column, [lane])) for shape, column in zip(row.shapes, values, strict=True))
    return f"{' '.join(row.text.split())} of {given}: {got}, but LLVM has {expected}"
