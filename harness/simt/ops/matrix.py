"""NVIDIA's matrix products, with a tensor core's truncated sums, or doubles by `fma`; layouts of `mma` fragments.

Products are exact. How hardware adds them up is not documented; this follows what public measurements agree on. The sum
and a few products (a step) are aligned to the largest exponent among them, truncated a few bits below the last place of
a float32, added exactly, and truncated to a float32, or rounded to a half.
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.ops import floating
from harness.simt.ops.lanes import Layout, ProductLayout
from harness.simt.targets import SimulatedTarget

__all__ = [
    "FRACTION",
    "Accumulation",
    "accumulation_on",
    "accumulator_layout",
    "multiply",
    "multiply_doubles",
    "product_layout",
]

FRACTION = 23
# By compute capability: (bytes of products that are added at a time, bits that are kept).
SUMS = {9: (32, 2), 8: (16, 1), 0: (8, 0)}


@dataclass(frozen=True, slots=True)
class Accumulation:
    """How a tensor core adds up products.

    Attributes:
        step: How many products are added at a time.
        bits: How many bits below the last place of a float32 are kept.
    """

    step: int
    bits: int


def accumulation_on(target: SimulatedTarget, packed: int) -> Accumulation:
    """Return how an NVIDIA GPU adds up products of elements of which a 4-byte register holds `packed`.

    The entry of `SUMS` is the highest that is not above the GPU's major compute capability.
    """
    major = int("".join(letter for letter in target.gpu.architecture if letter.isdigit())) // 10
    octets, bits = SUMS[max(capability for capability in SUMS if capability <= major)]
    return Accumulation(octets * packed // 4, bits)


def accumulator_layout(rows: int, columns: int) -> Layout:
    """Return how 32 lanes hold an accumulator of `rows` (8 or 16) x `columns` (a multiple of 8)."""
    halves = rows // 8
    return Layout.of(
        32,
        rows * columns // 32,
        lambda lane, at: (lane // 4 + 8 * (at // 2 % halves), 8 * (at // 2 // halves) + 2 * (lane % 4) + at % 2),
    )


def product_layout(rows: int, depth: int, packed: int) -> ProductLayout:
    """Return how 32 lanes hold A (rows, depth), B (depth, 8) and the accumulator (rows, 8).

    Args:
        rows: 8 or 16.
        depth: The columns of A and rows of B.
        packed: How many elements of A and B a register holds, adjacent in a row of A or a column of B.

    See: https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-fragment
    """
    halves = rows // 8

    def inner(lane: Integers, register: Integers, at: Integers) -> Integers:
        return packed * (lane % 4 + 4 * register) + at % packed

    return ProductLayout(
        a=Layout.of(
            32,
            rows * depth // 32,
            lambda lane, at: (lane // 4 + 8 * (at // packed % halves), inner(lane, at // packed // halves, at)),
        ),
        b=Layout.of(32, depth * 8 // 32, lambda lane, at: (inner(lane, at // packed, at), lane // 4)),
        c=accumulator_layout(rows, 8),
    )


def _truncate_to_float32(values: Array) -> Array:
    """Round doubles toward zero to an array of float32; a finite one that is too large becomes the largest float."""
    rounded = values.astype(np.float32)
    over = np.abs(rounded.astype(np.float64)) > np.abs(values)
    return np.where(over, np.nextafter(rounded, np.float32(0)), rounded)


def multiply(a: Array, b: Array, c: Array, accumulation: Accumulation) -> Array:
    """Return A times B plus C for many matrices at once, in the dtype of C, accumulated as a tensor core does.

    An element with an infinity or a NaN among its terms gets their plain sum.

    Args:
        a, b: (n, rows, depth) and (n, depth, columns); float64 that hold narrower floats.
        c: (n, rows, columns), float32 or float16.
    """
    total, half = c.astype(np.float64), c.dtype == np.float16
    place_a, place_b = np.frexp(a)[1] - 1, np.frexp(b)[1] - 1
    with np.errstate(all="ignore"):
        for start in range(0, a.shape[2], accumulation.step):
            step = slice(start, start + accumulation.step)
            products = a[:, :, step, None] * b[:, None, step, :]
            terms = np.concatenate((products, total[:, :, None, :]), 2)
            places = np.where(products != 0, place_a[:, :, step, None] + place_b[:, None, step, :], -1100)
            total_place = np.where(total != 0, np.frexp(total)[1] - 1, -1100)
            highest = np.maximum(places.max(2), total_place)
            shift = (FRACTION + accumulation.bits - highest)[:, :, None, :]
            exact = np.ldexp(np.trunc(np.ldexp(terms, shift)).sum(2), -shift[:, :, 0, :])
            total = np.where(np.isfinite(terms).all(2), exact, terms.sum(2))
            if not half:
                total = _truncate_to_float32(total).astype(np.float64)
        return total.astype(c.dtype)


def multiply_doubles(a: Array, b: Array, c: Array) -> Array:
    """Return A times B plus C in float64, adding one product at a time by `fma` in order of depth."""
    total = c
    for depth in range(a.shape[2]):
        left, right = np.broadcast_arrays(a[:, :, depth, None], b[:, None, depth, :])
        total = floating.fma(left, right, total)
    return total
