"""What machine code counts of a launch is what Python counts of it, and what it does not count Python does."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest

from harness import simt
from harness.simt.declined import Reason
from harness.simt.native import attempt
from harness.simt.native.execution.blocks import BlockRunner
from harness.simt.observing.counters import NOTES_BY_COUNTER, Counters
from tests.simt.compare import counted_natively
from tests.simt.counted import BEHIND, COUNTED, DIVIDED, IN_ROUNDS, NESTED, ROUND, WAITING
from tests.simt.engines import (
    BARRIER,
    FAR,
    IN_BLOCK,
    LOOKS,
    VALUE,
    WIDE,
    WORKERS,
    alike,
    at_once,
    looks,
    run,
)

pytestmark = pytest.mark.slow

NAMES = tuple(NOTES_BY_COUNTER)
ALONE_COUNTED = [
    name for name, notes in NOTES_BY_COUNTER.items() if "ways" not in notes
]  # without one block for others


@pytest.mark.parametrize("body", COUNTED.values(), ids=COUNTED)
@pytest.mark.parametrize("how", [{"block": 32, "grid": 2}, {"block": 64, "grid": 1}], ids=["two blocks", "two warps"])
def test_machine_code_counts_what_python_counts(body, how):
    counted(body, ALONE_COUNTED, **how)


@pytest.mark.parametrize("target", ["nvidia:sm_90", "amd:gfx942", "apple:apple-m4"])
@pytest.mark.parametrize(
    "what", ["loads and stores in order", "a warp that is divided", "vectors of which less is known"]
)
def test_a_block_that_is_no_multiple_of_a_warp_is_counted_too(what, target):
    counted((COUNTED | {"a warp that is divided": DIVIDED})[what], ALONE_COUNTED, block=40, target=target)


def counted(body, names, **how):
    """Machine code alone counts what Python counts."""
    expected, found = (run(body, engine, observers=[Counters(names)], **how)[0] for engine in ("reference", "native"))
    assert found.engine.native and not found.engine.python
    assert {name: expected.counters[name] for name in names} == {name: found.counters[name] for name in names}


@pytest.mark.parametrize(
    ("body", "names", "why"),
    [
        (BEHIND, ["global_transactions"], Reason.COUNTING_DIVERGENCE),
        (COUNTED["updates in shared memory"], ["reduction_steps"], Reason.COUNTING_ORDER),
        (COUNTED["updates in shared memory"], None, Reason.COUNTING_ORDER),
    ],
    ids=["rounds without others", "steps by updates", "all of a block with updates"],
)
def test_what_machine_code_does_not_count_python_does(body, names, why):
    observers = [Counters(names)]
    result, _ = run(body, "native", observers=observers, initialised=True)

    assert result.engine.cause.reason == why
    assert result.counters["instructions"]


@pytest.mark.parametrize("body", [IN_ROUNDS, BEHIND], ids=["in rounds", "behind a loop"])
def test_a_warp_that_is_divided_is_counted_by_elements(body):
    """Which way a thread goes is nothing to them."""
    counted(body, ["reads_per_input_element", "writes_per_output_element"], initialised=True)


THROUGH = f"{IN_BLOCK}\n  store i32 %v, ptr addrspace(3) %mine\n  {BARRIER}\n  %x = load i32, ptr addrspace(3) %theirs"
# Blocks of two warps, whose last thread alone looks outside, once all has been loaded, stored and given on.
LATE = looks(blocks=12)["values"].reshape(6, 2 * WIDE)
NUMBERS = {"elements": NAMES[:3], "shared": NAMES[3:8], "all": NAMES}


@pytest.mark.parametrize("names", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("wrong", [(0,), (5,), (1, 2)], ids=str)
def test_blocks_that_are_left_to_python_are_counted_there_and_the_others_here(wrong, names):
    """Of what a block did until it was found wrong nothing is counted twice, with any number of workers."""
    values = LATE.copy()
    values[list(wrong), -1] = 4 * values.size
    how = {"values": values.reshape(-1), "size": values.size, "grid": 6, "block": 2 * WIDE, "initialised": True}
    body = f"{VALUE}{LOOKS}{THROUGH}{FAR}"
    expected = run(body, "reference", observers=[Counters(), *simt.observers(counters=False)], **how)[0]
    for workers in WORKERS:
        with at_once():
            found = run(
                body, "native", observers=[Counters(names), *simt.observers(counters=False)], workers=workers, **how
            )[0]

        python = len(wrong) + any("ways" in NOTES_BY_COUNTER[name] for name in names)  # and one for all others
        assert (found.engine.native, found.engine.python) == (6 - python, python)
        assert {name: expected.counters[name] for name in names} == {
            name: value for name, value in found.counters.items() if name not in ("steps", "lanes")
        }
        alike(found, expected)


def test_blocks_run_once_more_without_those_that_are_left():
    """How much of what was counted is of these nobody knows."""
    ran: list[int] = []

    def run_counted(bound: BlockRunner, *given: Any, run: Callable[..., None] = BlockRunner.run) -> None:
        ran.append(len(bound.blocks))
        run(bound, *given)

    observers = [Counters(NAMES), *simt.observers(counters=False)]
    with mock.patch.object(BlockRunner, "run", run_counted):
        run(f"{VALUE}{LOOKS}{FAR}", "native", observers=observers, initialised=True, **looks(3, 7))

    assert ran == [12, 10]


def test_names_of_wanted_counters_reach_the_observer():
    made = {type(one).__name__: one for one in simt.observers(counted=["bank_conflicts"])}

    assert made["Counters"].notes() == {"ways"}
    assert {type(one).__name__: one for one in simt.observers()}["Counters"].notes() == {"elements", "global", "ways"}


def test_random_kernels_are_counted_as_python_counts_them():
    """Three launches of each: elements, requests, and what is counted of one block for others."""
    assert sum(map(counted_natively, (0, 1))) >= 3


def requests(body, **options):
    """Who ran a kernel whose requests were counted, as Python counts them."""
    how = {"block": 32, "grid": 3, "size": 96, "initialised": True, **options}
    found, expected = (
        run(body, engine, observers=[Counters(["global_transactions", "coalescing"])], **how)[0]
        for engine in ("native", "reference")
    )
    assert found.counters["global_transactions"] == expected.counters["global_transactions"]
    assert found.counters["coalescing"] == expected.counters["coalescing"]
    return found.engine


@pytest.mark.parametrize("body", [NESTED, WAITING], ids=["nested", "waiting"])
@pytest.mark.parametrize("long", [math.inf, 0.0], ids=["general", "of a shape"])
def test_where_lanes_of_a_warp_leave_loops_one_by_one_python_counts(body, long):
    """Those that have left make their requests before the others, once these went round for long."""
    with mock.patch.object(attempt, "LONG", long):
        assert requests(body).python == 3


@pytest.mark.parametrize(("turn", "native"), [(500, 3), (5, 0)])
def test_lanes_that_leave_a_loop_before_a_turn_ends_are_counted_natively(turn, native):
    assert requests(ROUND, spin_steps=turn).native == native
