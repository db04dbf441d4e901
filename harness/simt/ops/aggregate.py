"""`select`, and LLVM's vector instructions (extract, insert or shuffle elements), over arrays of lanes."""

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.ops.integer import to_int64

__all__ = ["extract", "insert", "select", "shuffle"]


def select(condition: Booleans, yes: Array, no: Array) -> Array:
    """Return `yes` where the condition holds, and `no` elsewhere; vectors are (lanes, elements).

    A condition by lane, (lanes,), chooses whole vectors, and one by element, (lanes, elements), single elements. A
    condition (1,) stands for all lanes and returns `yes` or `no` itself, not a copy.
    """
    if condition.ndim == 1:
        if len(condition) == 1:
            return yes if condition[0] else no
        if yes.ndim == 2:
            condition = condition[:, None]
    return np.where(condition, yes, no)


def extract(vector: Array, index: Integers) -> Array:
    """Return one element of each lane's vector (lanes, elements); an index out of range wraps, so its result is
    arbitrary.

    An array with one row stands for all lanes; the result may be a view.
    """
    index = to_int64(index) % vector.shape[1]
    count = max(len(vector), len(index))
    if len(vector) != count:
        vector = np.broadcast_to(vector, (count, vector.shape[1]))
    if len(index) == 1:
        return vector[:, int(index[0])]
    return np.take_along_axis(vector, index[:, None], 1)[:, 0]


def insert(vector: Array, value: Array, index: Integers) -> Array:
    """Return a copy of each lane's vector (lanes, elements) with one element replaced; an index out of range wraps.

    An array with one row stands for all lanes.
    """
    index = to_int64(index) % vector.shape[1]
    count = max(len(vector), len(value), len(index))
    result = np.repeat(vector, count, 0) if len(vector) != count else vector.copy()
    if len(index) == 1:
        result[:, int(index[0])] = value
    else:
        result[np.arange(count), index] = value
    return result


def shuffle(left: Array, right: Array, mask: Integers) -> Array:
    """Return elements of two vectors (lanes, elements) laid end to end, in the order of a constant mask of indices.

    An array with one row stands for all lanes; a negative index counts from the end.
    """
    count = max(len(left), len(right))
    if len(left) != count:
        left = np.repeat(left, count, 0)
    if len(right) != count:
        right = np.repeat(right, count, 0)
    return np.concatenate((left, right), 1)[:, mask]
