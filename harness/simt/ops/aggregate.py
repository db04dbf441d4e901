"""Choosing and moving values: select, vector elements, shuffles of vectors."""

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.ops.integer import to_int64

__all__ = ["extract", "insert", "select", "shuffle"]


def select(condition: Booleans, yes: Array, no: Array) -> Array:
    """`yes` where the condition holds, lane by lane or element by element."""
    if condition.ndim == 1:
        if len(condition) == 1:
            return yes if condition[0] else no
        if yes.ndim == 2:
            condition = condition[:, None]
    return np.where(condition, yes, no)


def extract(vector: Array, index: Integers) -> Array:
    """One element of each vector; `index` is an array. Of an index out of range any one will do."""
    index = to_int64(index) % vector.shape[1]
    rows = max(len(vector), len(index))
    if len(vector) != rows:
        vector = np.broadcast_to(vector, (rows, vector.shape[1]))
    if len(index) == 1:
        return vector[:, int(index[0])]
    return np.take_along_axis(vector, index[:, None], 1)[:, 0]


def insert(vector: Array, value: Array, index: Integers) -> Array:
    """A copy of each vector with one element replaced; by an index out of range any one."""
    index = to_int64(index) % vector.shape[1]
    rows = max(len(vector), len(value), len(index))
    result = np.repeat(vector, rows, 0) if len(vector) != rows else vector.copy()
    if len(index) == 1:
        result[:, int(index[0])] = value
    else:
        result[np.arange(rows), index] = value
    return result


def shuffle(left: Array, right: Array, mask: Integers) -> Array:
    """Elements of two vectors in the order of a constant mask."""
    rows = max(len(left), len(right))
    if len(left) != rows:
        left = np.repeat(left, rows, 0)
    if len(right) != rows:
        right = np.repeat(right, rows, 0)
    return np.concatenate((left, right), 1)[:, mask]
