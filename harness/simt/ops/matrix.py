"""Matrix products of tensor cores, and how a warp's lanes hold the matrices.

Products are exact. How they are added up is documented nowhere; this follows what public
measurements of the hardware agree on: the sum and some products at a time (a step) are
aligned to the largest exponent among them, cut a few bits below the last place of a
float32, added exactly, and cut to a float32, or rounded to a half.
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.ops import floating
from harness.simt.ops.lanes import Form, Layout
from harness.simt.targets import SimulatedTarget

__all__ = ["FRACTION", "Sum", "form", "layout_of_sum", "multiply", "multiply_doubles", "sum_on"]

FRACTION = 23
# Bytes of the products that are added at a time, and bits that are kept; by compute capability.
SUMS = {9: (32, 2), 8: (16, 1), 0: (8, 0)}


@dataclass(frozen=True, slots=True)
class Sum:
    """How products are added up.

    Attributes:
        step: Products at a time.
        bits: That are kept below the last place of a float32.
    """

    step: int
    bits: int


def sum_on(target: SimulatedTarget, packed: int) -> Sum:
    """How products are added up on an NVIDIA GPU, of elements of which a register of 4 bytes has so many."""
    major = int("".join(letter for letter in target.gpu.architecture if letter.isdigit())) // 10
    octets, bits = SUMS[max(known for known in SUMS if known <= major)]
    return Sum(octets * packed // 4, bits)


def layout_of_sum(rows: int, columns: int) -> Layout:
    """How 32 lanes hold a sum."""
    halves = rows // 8
    return Layout.of(
        32,
        rows * columns // 32,
        lambda lane, at: (lane // 4 + 8 * (at // 2 % halves), 8 * (at // 2 // halves) + 2 * (lane % 4) + at % 2),
    )


def form(rows: int, depth: int, packed: int) -> Form:
    """How 32 lanes hold A (rows, depth), B (depth, 8) and the sum (rows, 8).

    Args:
        rows: 8 or 16.
        packed: Elements of A and B in a register: neighbours in a row of A, in a column of B.

    See: https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-fragment
    """
    halves = rows // 8

    def inner(lane: Integers, register: Integers, at: Integers) -> Integers:
        return packed * (lane % 4 + 4 * register) + at % packed

    return Form(
        a=Layout.of(
            32,
            rows * depth // 32,
            lambda lane, at: (lane // 4 + 8 * (at // packed % halves), inner(lane, at // packed // halves, at)),
        ),
        b=Layout.of(32, depth * 8 // 32, lambda lane, at: (inner(lane, at // packed, at), lane // 4)),
        c=layout_of_sum(rows, 8),
    )


def _cut(values: Array) -> Array:
    """To float32, toward zero."""
    near = values.astype(np.float32)
    over = np.abs(near.astype(np.float64)) > np.abs(values)
    return np.where(over, np.nextafter(near, np.float32(0)), near)


def multiply(a: Array, b: Array, c: Array, how: Sum) -> Array:
    """A times B plus C for many matrices, in the type of C.

    Args:
        a, b: (n, rows, depth) and (n, depth, columns), float64 that hold narrower floats.
        c: (n, rows, columns), float32 or float16.
    """
    total, half = c.astype(np.float64), c.dtype == np.float16
    place_a, place_b = np.frexp(a)[1] - 1, np.frexp(b)[1] - 1
    with np.errstate(all="ignore"):
        for start in range(0, a.shape[2], how.step):
            here = slice(start, start + how.step)
            products = a[:, :, here, None] * b[:, None, here, :]
            terms = np.concatenate((products, total[:, :, None, :]), 2)
            places = np.where(products != 0, place_a[:, :, here, None] + place_b[:, None, here, :], -1100)
            own = np.where(total != 0, np.frexp(total)[1] - 1, -1100)
            highest = np.maximum(places.max(2), own)
            shift = (FRACTION + how.bits - highest)[:, :, None, :]
            exact = np.ldexp(np.trunc(np.ldexp(terms, shift)).sum(2), -shift[:, :, 0, :])
            total = np.where(np.isfinite(terms).all(2), exact, terms.sum(2))
            if not half:
                total = _cut(total).astype(np.float64)
        return total.astype(c.dtype)


def multiply_doubles(a: Array, b: Array, c: Array) -> Array:
    """A times B plus C in float64, each product added by an `fma`, in the order of the depth."""
    total = c
    for depth in range(a.shape[2]):
        left, right = np.broadcast_arrays(a[:, :, depth, None], b[:, None, depth, :])
        total = floating.fma(left, right, total)
    return total
