"""Kernels as clang emits them: recursion, calls through pointers, atomics of a scope, registers; against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simt.clang import THREADS, given, simulated

T = np.arange(THREADS)
SEEDS = pytest.mark.parametrize("seed", [None, 1])


def fibonacci(count):
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2])
    return np.array(numbers)


@pytest.mark.slow
@SEEDS
def test_functions_call_themselves_and_one_another(seed):
    few = T % 13
    expected = fibonacci(13)[few] << 1 | (few % 2 == 0)

    assert simulated("recursion", seed)[:THREADS].tolist() == expected.tolist()


@pytest.mark.slow
@SEEDS
def test_each_lane_calls_what_its_pointer_says(seed):
    few = given()[:THREADS] & 7
    first = np.choose(T % 3, [few * few, ~few, fibonacci(8)[few]])
    expected = np.where(first & 1, ~first, first * first)

    assert simulated("pointers", seed)[:THREADS].tolist() == expected.tolist()


@SEEDS
def test_atomics_of_a_scope_return_what_was_there(seed):
    values = given()[:THREADS].astype(np.int64)
    written = simulated("scopes", seed)
    added = (values + T).astype(np.int32).astype(np.int64)
    largest = np.maximum(added, -5)
    least = np.minimum(largest, 77)
    turned = least ^ values
    counted = np.where(turned.astype(np.uint32) >= 100, 0, turned + 1)
    # The exchange compares with what was there before the count.
    same = counted == turned
    before_exchange = np.where(same, 9, counted)
    expected = np.stack([T, values, added, largest, least, turned, counted ^ before_exchange], 1)

    assert written[: 7 * THREADS].tolist() == expected.ravel().tolist()
    assert written[1000] == values.sum().astype(np.int32)


@SEEDS
def test_registers_are_those_of_the_lane(seed):
    lane = T % 32
    every = (1 << 32) - 1
    below = (1 << lane) - 1
    here = np.where(lane < 11, (1 << 11) - 1, 0)
    columns = [lane, below, every & ~below, T * 0 + THREADS * 32, here, T * 0 + 1, T * 0, T * 0]

    written = simulated("registers", seed)[: 8 * THREADS].view(np.uint32)
    assert written.tolist() == np.stack(columns, 1).ravel().tolist()
