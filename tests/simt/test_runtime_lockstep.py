"""Warps in lockstep, by the run-time library alone: Python stands in for the code of a lane."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from harness.simt.arrays import address_of
from harness.simt.native.emit.context import SLOTS, WAITING
from harness.simt.native.runtime.counts import BLOCK_COUNTS
from harness.simt.native.runtime.kernel_tables import table, wait_function
from harness.simt.native.runtime.library import WARPS
from tests.simt.runtime_library import machine_code

END, FAILED = -1, -2
BARRIER, WARP = 8, 9  # pieces before which threads wait
STATE = ["i1", "i64", "i64", "i64", *["i32"] * 10, "ptr", "ptr"]
C_TYPES = {"i1": ctypes.c_bool, "i32": ctypes.c_int32, "i64": ctypes.c_int64, "ptr": ctypes.c_void_p}
Step = Callable[[int, int], int]  # of a thread and a piece: the next one, or beyond WAITING what it waits for
HOOKS = ("begin_block", "end_step", "end_block")


def waits_for(piece: int) -> int:
    """Return what a lane's function returns if the thread waits before a piece, or has ended."""
    return WAITING + 1 + piece


def kernel(warp: int, loops: Mapping[int, int]) -> str:
    """Return the IR of a kernel whose lanes are run by a function whose address is in a global variable."""
    state = ", ".join(f"{ty} %a{number}" for number, ty in enumerate(STATE))
    types = ", ".join(STATE)
    return "\n".join(
        [
            "@step = global ptr null\n@hook = global ptr null\n@piece = global i32 0",
            f"define internal i32 @lane(ptr %ctx, i64 %thread, {state}, i64 %when, ptr %taken) {{",
            "  %f = load ptr, ptr @step\n  %p = load i32, ptr @piece",
            "  %r = call i32 %f(i64 %thread, i32 %p, i64 %when, ptr %taken)\n  ret i32 %r\n}",
            f"define internal i32 @run_set(ptr %ctx, i32 %piece, i64 %from, i64 %to, {state}, i64 %when, "
            f"i{warp} %set, ptr %where) {{",
            "  store i32 %piece, ptr @piece",
            f"  %r = call i32 @run_lanes(ptr @lane, i1 true, ptr %ctx, i64 %from, {state}, i64 %when, "
            f"i{warp} %set, ptr %where)\n  ret i32 %r\n}}",
            *(
                f"define internal void @{name}(ptr %ctx) {{\n  %f = load ptr, ptr @hook\n"
                f"  call void %f(i32 {number})\n  ret void\n}}"
                for number, name in enumerate(HOOKS)
            ),
            "define i32 @interval(ptr %ctx, i32 %piece, i64 %from, i64 %to) {",
            "  %r = call i32 @run_interval(ptr %ctx, i32 %piece, i64 %from, i64 %to, "
            f"{', '.join(f'{ty} zeroinitializer' for ty in types.split(', '))})\n  ret i32 %r\n}}",
            *wait_function([WARP], [], [], []),
            *table("end_of_loop", "i32", "i32", loops, END),
        ]
    )


class Warp:
    """Runs intervals of a block of some threads; `ran` has what ran: when, the piece and the thread.

    Args:
        loops: For each piece in a loop the last piece of that loop.
        turns: Whether a thread takes the first of several edges, by thread and piece.
    """

    def __init__(
        self, step: Step, *, size: int, warp: int = 32, loops=None, turns=lambda _thread, _piece: False
    ) -> None:
        self.ran, self.hooks = list[tuple[int, int, int]](), list[str]()
        self.counts, self.slots = np.zeros(len(BLOCK_COUNTS), np.int64), np.zeros(len(SLOTS), np.int64)
        self.slots[[SLOTS["size"], SLOTS["blocks"], SLOTS["fuel"]]] = size, address_of(self.counts), 1 << 20
        code = machine_code(f"lockstep.warp{warp}", (), kernel(warp, loops or {}))

        def lane(thread: int, piece: int, when: int, taken: int) -> int:
            self.ran.append((when, piece, thread))
            ctypes.c_int64.from_address(taken).value += turns(thread, piece)
            return step(thread, piece)

        functions = {
            "step": ctypes.CFUNCTYPE(ctypes.c_int32, *(C_TYPES[ty] for ty in ("i64", "i32", "i64", "ptr")))(lane),
            "hook": ctypes.CFUNCTYPE(None, ctypes.c_int32)(lambda number: self.hooks.append(HOOKS[number])),
        }
        self._kept = functions
        for name, function in functions.items():
            where = ctypes.c_void_p.from_address(code.get_global_value_address(name))
            where.value = ctypes.cast(function, ctypes.c_void_p).value
        types = [C_TYPES[ty] for ty in ("ptr", "i32", "i64", "i64")]
        self._run = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(code.get_function_address("interval"))

    def run(self, piece: int, first: int, end: int) -> int:
        """Run threads from a piece on; returns where all wait, or FAILED."""
        return self._run(address_of(self.slots), piece, first, end)

    def __getitem__(self, name: str) -> int:
        return int(self.counts[BLOCK_COUNTS[name]])


def model(step: Step, threads: range) -> tuple[list[tuple[int, int, int]], int]:
    """Return what must run, the lowest piece first with all threads that are there, and where they wait."""
    places, ran, when = dict.fromkeys(threads, 0), list[tuple[int, int, int]](), 0
    while (lowest := min(places.values())) < WAITING:
        when += 1
        for thread in [one for one in threads if places[one] == lowest]:
            ran.append((when, lowest, thread))
            places[thread] = step(thread, lowest)
    return ran, lowest - WAITING - 1


@pytest.mark.parametrize("warp", WARPS)
@pytest.mark.parametrize("seed", range(15))
def test_the_lowest_piece_runs_next_with_all_threads_that_are_there(seed, warp):
    rng = random.Random(seed)
    first, count = rng.choice((0, 2 * warp)), rng.choice((1, 7, warp))
    threads, left = range(first, first + count), rng.randint(5, 40)
    ways = {(thread, piece): rng.randrange(7) for thread in threads for piece in range(7)}

    def walk() -> Step:
        steps = dict.fromkeys(threads, 0)

        def step(thread: int, piece: int) -> int:
            steps[thread] += 1
            return waits_for(BARRIER) if steps[thread] > left else ways[thread, piece]

        return step

    warps = Warp(walk(), size=4 * warp, warp=warp)
    stop = warps.run(0, first, first + count)

    assert (warps.ran, stop) == model(walk(), threads)
    assert warps["when"] == warps.ran[-1][0] and warps.slots[SLOTS["fuel"]] == (1 << 20) - warps["when"]


def test_threads_that_wait_at_different_places_prove_nothing():
    assert Warp(lambda thread, _piece: waits_for(BARRIER + thread), size=2).run(0, 0, 2) == FAILED


def test_a_check_that_fails_ends_the_warp_at_once():
    warps = Warp(lambda thread, _piece: FAILED if thread == 1 else waits_for(END), size=4)

    assert warps.run(0, 0, 4) == FAILED
    assert [thread for _, _, thread in warps.ran] == [0, 1] and not warps["when"]


@pytest.mark.parametrize("fuel", [0, 1, 2])
def test_a_warp_without_fuel_proves_nothing(fuel):
    warps = Warp(lambda _thread, _piece: waits_for(END), size=1)
    warps.slots[SLOTS["fuel"]] = fuel

    assert warps.run(0, 0, 1) == (END if fuel == 2 else FAILED)


@pytest.mark.parametrize(("takes", "divergent"), [((), 0), ((0, 1, 2), 0), ((1,), 1), ((0, 2), 1)])
def test_a_branch_that_some_threads_take_divides_a_warp(takes, divergent):
    warps = Warp(lambda _thread, _piece: waits_for(END), size=3, turns=lambda thread, _piece: thread in takes)
    warps.run(0, 0, 3)

    assert warps["divergent"] == divergent


def test_a_block_begins_passes_barriers_and_ends_with_its_first_and_its_last_warp():
    warps = Warp(lambda _thread, piece: waits_for({0: BARRIER, BARRIER: WARP}.get(piece, END)), size=40)
    places = [warps.run(piece, first, end) for piece in (0, BARRIER, WARP) for first, end in ((0, 32), (32, 40))]

    assert places == [BARRIER, BARRIER, WARP, WARP, END, END]
    assert warps.hooks == ["begin_block", "end_step", "end_block"]


def rounds_of(rounds: Mapping[int, int], behind: int) -> Warp:
    """Return a warp whose threads go round pieces 1 and 2 so often, and then through a piece behind that loop."""
    gone = dict.fromkeys(rounds, 0)

    def step(thread: int, piece: int) -> int:
        if piece == 2:
            gone[thread] += 1
            return 1 if gone[thread] <= rounds[thread] else behind
        return {0: 1, 1: 2}.get(piece, waits_for(END))

    return Warp(step, size=len(rounds), loops={1: 2, 2: 2})


def test_rounds_are_counted_of_warps_whose_threads_go_together():
    warps = rounds_of({0: 5, 1: 5}, behind=3)

    assert warps.run(0, 0, 2) == END
    assert [warps[f"{which} rounds"] for which in ("most", "all", "split")] == [5, 5, 0]


def test_rounds_are_counted_of_warps_that_some_threads_have_left():
    warps = rounds_of({0: 2, 1: 6, 2: 4}, behind=3)

    assert warps.run(0, 0, 3) == END
    assert [warps[f"{which} rounds"] for which in ("most", "all", "split")] == [6, 6, 6]


def test_no_loop_goes_on_for_ever():
    warps = Warp(lambda _thread, piece: piece, size=1, loops={0: 0})
    warps.slots[SLOTS["fuel"]] = 1000

    assert warps.run(0, 0, 1) == FAILED and len(warps.ran) == 999
