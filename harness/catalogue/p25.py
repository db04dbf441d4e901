"""Cases of puzzle 25: values shuffled down the lanes of a warp, and broadcast from lane 0."""

from __future__ import annotations

from functools import partial

import numpy as np

from harness.catalogue.data import FACTOR_DRAW, one_hot, random_factors, random_fractions, with_infinities
from harness.catalogue.parts import WARPS
from harness.catalogue.promises import READ_ONCE
from harness.catalogue.warps import (
    ALONE,
    WARPS_OF_A_BLOCK,
    add_larger_launch,
    data,
    make_instance,
    make_launch,
    make_line_printer,
    reshape_by_warp,
)
from harness.model.case import Arrays, Case, CodeClaim, CounterClaim, Dataset, Instance, Within
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(WARPS, ("p24",))

AVERAGED = 64
_COMPLETE = "Puzzle 25 complete ✅"


def _neighbour(width: int) -> Instance:
    lanes = np.arange(width)
    return make_instance(
        width,
        data("documented", lanes**2, "the documents' own data: squares"),
        data("negatives", -1 - 3 * lanes, "a difference of the wrong sign"),
        data("infinity", with_infinities(lanes, {width // 2: np.inf}), "an element of a lane further down"),
        data(
            "last-infinite",
            with_infinities(lanes, {width - 1: np.inf}),
            "a last lane that takes itself for the next one",
        ),
        data("random-25", random_fractions((width,), seed=25), "anything that the patterns above hide"),
    )


def _average(width: int) -> Instance:
    index = np.arange(AVERAGED)
    return make_instance(
        width,
        data("documented", (index + 1) * (index + 2) // 2, "the documents' own data: 1, 3, 6, 10, ..."),
        data("ranges-by-warp", np.where(index < 32, index, -200 - index), "a mean over the edge of a warp"),
        *(
            data(f"one-at-{place}", one_hot((AVERAGED,), place, 6), "a mean that counts another element")
            for place in (0, 31, 32, 33, 63)
        ),
        data("random-25", random_fractions((AVERAGED,), seed=25), "anything that the patterns above hide"),
        size="SIZE_2",
    )


def _shift_down(values: np.ndarray, distance: int) -> np.ndarray:
    """Return the value of the lane `distance` further down, shape (warps, width); 0 past the end of the warp."""
    return np.pad(values, ((0, 0), (0, distance)))[:, distance:]


def _compute_differences(inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    values = reshape_by_warp(inputs, width)
    with np.errstate(invalid="ignore"):
        result = _shift_down(values, 1) - values
    result[:, -1] = 0
    return {"output": result.ravel()}


def _means(inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    values = reshape_by_warp(inputs, width)
    counted = np.minimum(3, width - np.arange(width))
    return {"output": ((values + _shift_down(values, 1) + _shift_down(values, 2)) / counted).ravel()}


def _first_of_block(values: np.ndarray, count: int, threads: int) -> np.ndarray:
    """Return, for each element, the first `count` elements of its block of `threads` threads, shape (elements,
    count).
    """
    starts = np.arange(values.size) // threads * threads
    return np.asarray(values.ravel()[starts[:, None] + np.arange(count)])


def _coordinated(warps: int, inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    values = reshape_by_warp(inputs, width)
    scale = _first_of_block(values, 4, warps * width).mean(axis=1)
    return {"output": (values + _shift_down(values, 1)).ravel() * scale}


def _summed(warps: int, inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    values = reshape_by_warp(inputs, width)
    return {"output": values.ravel() + _first_of_block(values, 4, warps * width).sum(axis=1)}


def _halved(warps: int, inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    values = reshape_by_warp(inputs, width).ravel()
    threshold = _first_of_block(values, 8, warps * width).max(axis=1) / 2
    return {"output": np.where(values >= threshold, values * 2, values / 2)}


def _make_isolating_data(width: int, first: int, catches: str) -> tuple[Dataset, ...]:
    """Make data that distinguishes the first `first` elements of a block from those after them.

    Four data sets of `width` ones with a single 9: at index 0, `first - 1`, `first`, or `width - 1`.
    """
    places = (0, first - 1, first, width - 1)
    return tuple(data(f"{place}-largest", 1 + one_hot((width,), place, 8), catches) for place in places)


def _coordination(width: int) -> Instance:
    later = np.arange(width) - 4
    documented = np.where(later < 0, 2 * (later + 5), later % 4 * 2 + 1)
    return make_instance(
        width,
        data("documented", documented, "the documents' own data: 2, 4, 6, 8, then 1, 3, 5, 7 again and again"),
        *_make_isolating_data(width, 4, "a mean that leaves out one of the first four, or takes another"),
        data("random-25", random_factors((width,), seed=25), "anything that the patterns above hide"),
    )


def _basic(width: int) -> Instance:
    return make_instance(
        width,
        data("documented", 1 + np.arange(width), "the documents' own data: 1..W"),
        *_make_isolating_data(width, 4, "a sum that leaves out one of the first four, or takes another"),
        data("random-25", random_fractions((width,), seed=25), "anything that the patterns above hide"),
    )


def _conditional(width: int) -> Instance:
    lanes = np.arange(width)
    return make_instance(
        width,
        data("documented", np.resize([3, 1, 7, 2, 9, 4, 6, 8], width), "the documents' own data, eight by eight"),
        *_make_isolating_data(width, 8, "a maximum that leaves out one of the first eight, or takes another"),
        data("first-eight-lower", 1 + lanes, "a maximum of other elements, which the documents' data repeats"),
        data("at-the-threshold", np.where(lanes % 8, 4, 8), "a comparison that leaves out the threshold itself"),
        data("negatives", np.where(lanes < 8, -8 - lanes, -1 - lanes % 4), "a maximum that starts from zero"),
        data("random-25", random_fractions((width,), seed=25), "anything that the patterns above hide"),
    )


_SHUFFLED = "the puzzle is about `shuffle_down`, by which a lane reads the register of one further down"
_SPREAD = "the puzzle is about `broadcast`, by which all lanes take what lane 0 alone made"


def _claims(shuffles: int, sentence: str, why: str) -> tuple[CounterClaim | CodeClaim, ...]:
    return (
        CounterClaim(sentence, "shuffles_per_lane", lambda _: shuffles, why=why),
        *ALONE,
    )


_ROUNDED = Within(
    rtol=2.0**-21,
    atol=2.0**-14,
    why="a mean of three rounds where it divides: five times at most, if each of three elements below 256 is divided "
    "before they are added, and once or twice if their sum is",
)

_MODES = (
    Case(
        puzzle="p25",
        mode="neighbor",
        title="difference from the next lane",
        steps=make_launch("neighbor_difference"),
        resolve=_neighbour,
        oracle=_compute_differences,
        printed=make_line_printer("Neighbor difference test: passed", _COMPLETE, form="{}"),
        claims=(*_claims(1, "one shuffle for each lane", _SHUFFLED), READ_ONCE),
    ),
    Case(
        puzzle="p25",
        mode="average",
        title="mean of three lanes",
        steps=make_launch("moving_average_3", "SIZE_2"),
        resolve=_average,
        oracle=_means,
        within={"output": _ROUNDED},
        printed=make_line_printer("Moving average test: passed", _COMPLETE, size="SIZE_2"),
        claims=(*_claims(2, "two shuffles for each lane", _SHUFFLED), READ_ONCE),
    ),
    Case(
        puzzle="p25",
        mode="broadcast-shuffle-coordination",
        title="a mean for all lanes, and the next lane's element",
        steps=make_launch("broadcast_shuffle_coordination"),
        resolve=_coordination,
        oracle=partial(_coordinated, 1),
        draw=FACTOR_DRAW,
        printed=make_line_printer("Broadcast + shuffle coordination test: passed", _COMPLETE),
        claims=_claims(2, "a broadcast and a shuffle for each lane", _SPREAD),
    ),
    Case(
        puzzle="p25",
        mode="broadcast-basic",
        title="a sum for all lanes",
        steps=make_launch("basic_broadcast"),
        resolve=_basic,
        oracle=partial(_summed, 1),
        printed=make_line_printer("Basic broadcast test: passed", _COMPLETE),
        claims=_claims(1, "one broadcast for each lane", _SPREAD),
    ),
    Case(
        puzzle="p25",
        mode="broadcast-conditional",
        title="a threshold for all lanes",
        steps=make_launch("conditional_broadcast"),
        resolve=_conditional,
        oracle=partial(_halved, 1),
        printed=make_line_printer("Conditional broadcast test: passed", _COMPLETE),
        claims=_claims(1, "one broadcast for each lane", _SPREAD),
    ),
)
# Of blocks of several warps all take what the first elements of the block come to.
_OF_BLOCKS = {
    "broadcast-shuffle-coordination": partial(_coordinated, WARPS_OF_A_BLOCK),
    "broadcast-basic": partial(_summed, WARPS_OF_A_BLOCK),
    "broadcast-conditional": partial(_halved, WARPS_OF_A_BLOCK),
}
CASES = tuple(
    add_larger_launch(entry, "SIZE_2" if entry.mode == "average" else "SIZE", _OF_BLOCKS.get(entry.mode or ""))
    for entry in _MODES
)
