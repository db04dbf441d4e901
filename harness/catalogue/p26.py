"""Cases of puzzle 26: butterfly exchange with `shuffle_xor`, prefix sums and a partition of a warp."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from harness.catalogue.data import EXACT, one_hot, random_fractions, with_infinities
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import WARPS
from harness.catalogue.promises import READ_ONCE
from harness.catalogue.warps import (
    ALONE,
    WARPS_OF_A_BLOCK,
    add_larger_launch,
    data,
    halvings_of_warp,
    make_instance,
    make_launch,
    make_line_printer,
    reshape_by_warp,
)
from harness.model.case import Arrays, Case, CodeClaim, CounterClaim, Instance, ScalarArgument
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(WARPS, ("p14", "p25"))

SIZE_2 = 64  # whatever the warp width
PIVOT = 5.0
IDLE_BLOCKS = 2  # of the further launch of the partition


def _pair_swap_instance(width: int) -> Instance:
    lanes = np.arange(width)
    return make_instance(
        width,
        data("documented", lanes, "the documents' own data: 0..W-1"),
        data("squares-descending", -((width - lanes) ** 2), "an exchange that computes i ^ 1"),
        data("infinities", with_infinities(lanes, {0: np.inf, width - 1: -np.inf}), "a detour through arithmetic"),
        data("random-26", random_fractions((width,), seed=26), "anything that the patterns above hide"),
    )


def _parallel_max_instance(width: int) -> Instance:
    lanes = np.arange(width)
    documented = 2 * lanes
    documented[-1] = 1000
    peaks = (0, width // 2 - 1, width // 2, width - 1)
    return make_instance(
        width,
        data("documented", documented, "the documents' own data: 2 * i, the last one 1000"),
        *(
            data(f"peak-at-lane-{lane}", one_hot((width,), lane, 7.0), "a butterfly without one of its steps")
            for lane in peaks
        ),
        data("negatives", -1 - lanes, "a maximum that starts from zero"),
        data("infinities", with_infinities(-lanes, {1: -np.inf, 2: np.inf}), "a maximum with a finite start"),
        data("random-26", random_fractions((width,), seed=26), "anything that the patterns above hide"),
    )


def _conditional_documented() -> np.ndarray:
    first = [3, 1, 7, 2, 9, 4, 8, 5, 6]
    return np.array([*first, *(i % 10 for i in range(9, 32)), *range(32, SIZE_2)])


def _conditional_max_instance(width: int) -> Instance:
    index = np.arange(SIZE_2)
    peaks = (0, 15, 16, 31)
    ranges = np.where(index < 32, index, 100 + index)
    return make_instance(
        width,
        data("documented", _conditional_documented(), "the documents' own data, ranges apart in the two halves"),
        data("ranges-by-warp", ranges[::-1], "a maximum over the grid instead of the warp"),
        *(
            data(
                f"extremes-at-lane-{lane}",
                one_hot((SIZE_2,), lane, 9.0) + one_hot((SIZE_2,), 63 - lane, -9.0),
                "a butterfly without one of its steps",
            )
            for lane in peaks
        ),
        data("negatives", -5 - index, "an extreme that starts from zero"),
        data("infinities", with_infinities(index, {3: np.inf, 40: -np.inf}), "an extreme with a finite start"),
        data("random-26", random_fractions((SIZE_2,), seed=26), "anything that the patterns above hide"),
        size="SIZE_2",
    )


def _prefix_sum_instance(width: int) -> Instance:
    lanes = np.arange(width)
    return make_instance(
        width,
        data("documented", 1 + lanes, "the documents' own data: 1..W"),
        *(
            data(f"one-at-lane-{lane}", one_hot((width,), lane), "a scan without one of its steps")
            for lane in (0, width // 2 - 1, width // 2, width - 1)
        ),
        data("negatives", -1 - lanes, "a sum that keeps only what is positive"),
        data("infinity", with_infinities(lanes, {width // 2: np.inf}), "a lane in a sum before it"),
        data("random-26", random_fractions((width,), seed=26), "anything that the patterns above hide"),
    )


def _partition_instance(width: int) -> Instance:
    lanes = np.arange(width)
    documented = np.resize([3, 7, 1, 8, 2, 9, 4, 6, 0, 10, 3, 11, 1, 12, 4, 13], width)
    return make_instance(
        width,
        data("documented", documented, "the documents' own data, no element of which is the pivot"),
        data("pivot-among-them", lanes % 7 + 2, "an element that is the pivot on the wrong side"),
        data("all-below", 4 - lanes, "a count of those below that leaves out one"),
        data("none-below", 5 + lanes, "a place behind the last one"),
        data("one-below", with_infinities(1 + lanes + PIVOT, {width - 1: -np.inf}), "a count without one of its steps"),
        data("falling", width // 2 + 4.5 - lanes, "an order that is not the one in which elements came"),
        data("another-pivot", documented, "a pivot that is known before", pivot=3.5),
        data("random-26", random_fractions((width,), seed=26), "anything that the patterns above hide"),
        scalars=(ScalarArgument("pivot", PIVOT, np.dtype(np.float32)),),
    )


def _draw_near_pivot(entry: Instance, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw fractions below 8 in magnitude, so that any other pivot splits them differently."""
    (tensor,) = entry.initialized
    return {tensor.name: random_fractions(tensor.shape, int(generator.integers(1 << 32)), addends=EXACT // 512)}


def _prefix_sum(inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    return {"output": reshape_by_warp(inputs, width).cumsum(axis=1).ravel()}


def _partition(inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    warps = reshape_by_warp(inputs, width)
    order = np.argsort(warps >= inputs.get("pivot", PIVOT), axis=1, kind="stable")
    return {"output": np.take_along_axis(warps, order, axis=1).ravel()}


def _pair_swap(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    values = inputs["input"].astype(np.float64)
    return {"output": values[np.arange(values.size) ^ 1]}


def _parallel_max(inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    warps = reshape_by_warp(inputs, width)
    return {"output": np.repeat(warps.max(axis=1), width)}


def _conditional_max(inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    warps = reshape_by_warp(inputs, width)
    is_even = np.arange(width) % 2 == 0
    output = np.where(is_even, warps.max(axis=1, keepdims=True), warps.min(axis=1, keepdims=True))
    return {"output": output.ravel()}


def _passed(test: str) -> str:
    return f"✅ {test} test passed!"


def _extremes_in_torch(torch: Any, values: Any, _output: Any) -> Callable[[], object]:
    warps = values.view(2, -1)
    is_even = torch.arange(warps.shape[1], device="cuda") % 2 == 0
    return lambda: torch.where(is_even, torch.amax(warps, 1, True), torch.amin(warps, 1, True))


_BUTTERFLY = "the puzzle is about `shuffle_xor`, by which a lane reads another one's register without any memory"

_STEPS = (
    "a `shuffle_xor` reads another lane's register without any memory, and each doubles how many lanes' elements a "
    "lane has seen: fewer leave some out, more see some again"
)
_SCANNED = "each step of a scan doubles the number of lanes whose elements a sum has"


def _claims(shuffles: Callable[[int], int], steps: str) -> tuple[CounterClaim | CodeClaim, ...]:
    return (
        CounterClaim(steps, "shuffles_per_lane", shuffles, why=_STEPS),
        READ_ONCE,
        *ALONE,
        CodeClaim(
            "the exchange is a shuffle",
            "nvidia",
            has=("shfl.sync.bfly",),
            lacks=("bar.sync", "barrier.sync", ".shared"),
            why=_BUTTERFLY,
        ),
        CodeClaim(
            "the exchange is a permutation of registers",
            "amd",
            has=("ds_bpermute_b32",),
            lacks=("s_barrier",),
            why=_BUTTERFLY,
        ),
        CodeClaim(
            "the exchange is a SIMD-group shuffle",
            "apple",
            has=("simd_shuffle_xor",),
            lacks=("wg.barrier",),
            why=_BUTTERFLY,
        ),
    )


_MODES = (
    Case(
        puzzle="p26",
        mode="pair-swap",
        title="butterfly pair swap",
        steps=make_launch("butterfly_pair_swap"),
        resolve=_pair_swap_instance,
        oracle=_pair_swap,
        printed=make_line_printer(_passed("Butterfly pair swap"), form="{}"),
        peers={"torch": lambda torch, input, _: lambda: torch.flip(input.view(-1, 2), (1,))},
        claims=_claims(lambda _: 1, "one shuffle for each lane"),
    ),
    Case(
        puzzle="p26",
        mode="parallel-max",
        title="butterfly maximum",
        steps=make_launch("butterfly_parallel_max"),
        resolve=_parallel_max_instance,
        oracle=_parallel_max,
        printed=make_line_printer(_passed("Butterfly parallel max"), form="{}"),
        peers={"torch": lambda torch, input, _: lambda: torch.amax(input, 0)},
        claims=_claims(halvings_of_warp, "log2(W) steps, every lane in every step"),
    ),
    Case(
        puzzle="p26",
        mode="conditional-max",
        title="butterfly maximum and minimum",
        steps=make_launch("butterfly_conditional_max", "SIZE_2"),
        resolve=_conditional_max_instance,
        oracle=_conditional_max,
        printed=make_line_printer(_passed("Butterfly conditional max"), size="SIZE_2", form="{}"),
        peers={"torch": _extremes_in_torch},
        claims=_claims(lambda width: 2 * halvings_of_warp(width), "log2(W) steps with two values in registers"),
    ),
    Case(
        puzzle="p26",
        mode="prefix-sum",
        title="prefix sum of a warp",
        steps=make_launch("warp_inclusive_prefix_sum"),
        resolve=_prefix_sum_instance,
        oracle=_prefix_sum,
        printed=make_line_printer(_passed("Warp inclusive prefix sum"), form="{}"),
        claims=(
            CounterClaim("log2(W) shuffles for each lane", "shuffles_per_lane", halvings_of_warp, why=_SCANNED),
            READ_ONCE,
            *ALONE,
        ),
    ),
)

_PARTITION = Case(
    puzzle="p26",
    mode="partition",
    title="partition of a warp",
    steps=make_launch("warp_partition", arguments="output input pivot"),
    resolve=_partition_instance,
    oracle=_partition,
    draw=_draw_near_pivot,
    printed=make_line_printer(f"pivot: {PIVOT}", _passed("Warp partition")),
    claims=(READ_ONCE, *ALONE),
)


def _with_idle_warps(entry: Case) -> Case:
    """Add a further launch of more blocks and warps on one warp's elements to a case: its kernel takes no more."""
    (step,) = entry.kernel_steps
    more = replace(step, grid=IDLE_BLOCKS, block=lambda width: WARPS_OF_A_BLOCK * width)
    redefined = {
        "SIZE_2": "2 * SIZE",
        "BLOCKS_PER_GRID": f"({IDLE_BLOCKS}, 1)",
        "THREADS_PER_BLOCK": f"({WARPS_OF_A_BLOCK} * WARP_SIZE, 1)",
    }
    return with_further(entry, make_further(replace(entry, steps=(more,)), redefined))


CASES = (
    *(add_larger_launch(entry, "SIZE_2" if entry.mode == "conditional-max" else "SIZE") for entry in _MODES),
    _with_idle_warps(_PARTITION),
)
