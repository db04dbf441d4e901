"""The functions that hardware approximates: their errors, their special cases, and that they call no library."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from harness.model.sources import ROOT
from harness.simt.compile.registry import all_intrinsics
from harness.simt.ops import exponentials
from harness.simt.ops.elementary import FUNCTIONS
from harness.simt.ops.terms import define_function
from tests.simt.oracles.elementary import EXACT, largest_error

PAGE = ROOT / "docs" / "accuracy.md"
ROW = re.compile(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|", re.MULTILINE)
SLACK = 0.15  # how much more than was measured the page may say
INF, NAN = math.inf, math.nan
FULL = 20  # times as many values


def claims():
    """The largest errors that the page claims: of doubles and of floats."""
    return {name: (float(double), float(single)) for name, double, single in ROW.findall(PAGE.read_text("utf-8"))}


def spread(rng, count, low, high):
    """Numbers of either sign whose sizes are powers of ten between two."""
    return rng.choice([-1.0, 1.0], count) * 10.0 ** rng.uniform(low, high, count)


def any_bits(rng, count):
    """Finite numbers of any bits."""
    values = rng.integers(0, 1 << 64, count, dtype=np.uint64).view(np.float64)
    return values[np.isfinite(values)]


def arguments(name, count=60, seed=0):
    """Edges, subnormal and large numbers, and random ones, where a function is defined."""
    rng = np.random.default_rng([seed, *map(ord, name)])
    tiny = np.array([0.0, 5e-324, 1e-310, 2.0**-1022, 2.0**-60, 2.0**-28, 2.0**-27])
    one = np.array([1.0, np.nextafter(1, 0), np.nextafter(1, 2), 2.0, 0.5, 3.0, 0.25, 0.75])
    usual = np.concatenate([tiny, -tiny, one, -one, rng.uniform(-2, 2, count), spread(rng, count, -20, 2)])
    match name:
        case "exp" | "exp2" | "exp10" | "sinh" | "cosh":
            least = {"exp": -745.0, "exp2": -1074.0, "exp10": -323.3}.get(name, -711.0)
            most = {"exp": 709.7, "exp2": 1023.9, "exp10": 308.2}.get(name, 710.4)
            return (np.concatenate([usual, [least, most, -708.5, 709.9], rng.uniform(least, most, 2 * count)]),)
        case "tanh":
            return (np.concatenate([usual, [300.0, -300.0, 22.0], rng.uniform(-23, 23, count)]),)
        case "log" | "log2" | "log10":
            near = 1 + spread(rng, count, -15, -1)
            values = np.concatenate(
                [usual, any_bits(rng, count), near, spread(rng, count, -323, -300), rng.uniform(0.5, 2, count)]
            )
            return (np.abs(values[values != 0]),)
        case "sin" | "cos" | "tan":
            quarters = rng.integers(1, 1 << 40, count) * (np.pi / 2)
            large = np.array([2.0**20, np.nextafter(2.0**20, 0), 6381956970095103 * 2.0**797, 1.7e308, 3.4e38])
            return (np.concatenate([usual, large, -large, quarters, any_bits(rng, count), spread(rng, count, 0, 300)]),)
        case "asin" | "acos":
            values = np.concatenate([usual, 1 - 10 ** rng.uniform(-16, 0, count), rng.uniform(-1, 1, count)])
            return (np.clip(values, -1, 1),)
        case "atan":
            return (np.concatenate([usual, any_bits(rng, count), spread(rng, count, -3, 3)]),)
        case "atan2":
            x = np.concatenate([any_bits(rng, count), spread(rng, 2 * count, -3, 3), [0.0, -1.0, 1.0, -1e-310, 1e300]])
            near = x * rng.uniform(-1.2, 1.2, len(x))
            y = np.where(rng.random(len(x)) < 0.5, near, rng.permutation(x))
            return y[y != 0], x[y != 0]
        case "pow":
            x = np.abs(
                np.concatenate(
                    [spread(rng, count, -300, 300), 1 + spread(rng, count, -10, -2), rng.uniform(0.5, 2, count)]
                )
            )
            y = np.concatenate([spread(rng, count, -3, 0.3), spread(rng, count, 2, 6), rng.uniform(-1000, 1000, count)])
            return x, y
        case "sin_turns" | "cos_turns":
            return (np.concatenate([usual, rng.integers(-9, 9, count) / 4, spread(rng, count, -3, 6)]),)
        case "div":
            x = spread(rng, 4 * count, -100, 100)
            return rng.permutation(x), x
    values = np.abs(np.concatenate([usual, any_bits(rng, 2 * count)]))
    return (values[values > 1e-300],) if name == "rcp" else (values[values > 0],)


def in_float(name, values):
    """The same as floats, of which nothing is infinite or undefined."""
    floats = [value.astype(np.float32) for value in values]
    usable = np.all([np.isfinite(each) for each in floats], axis=0)
    if name.startswith("log") or name in ("pow", "rcp", "rsqrt", "div"):
        usable &= np.all([np.abs(each) > 1e-38 for each in floats], axis=0)
    if name == "atan2":
        usable &= np.all([each != 0 for each in floats], axis=0)
    return [each[usable] for each in floats]


def errors(name, count=60, seed=0):
    """The largest errors of doubles and of floats that were measured."""
    function, values = FUNCTIONS[name], arguments(name, count, seed)
    with np.errstate(all="ignore"):
        double = largest_error(name, function(*values), *values)
        floats = in_float(name, values)
        results = function(*(each.astype(np.float64) for each in floats)).astype(np.float32)
    return double, largest_error(name, results, *floats)


def test_the_page_has_every_function():
    assert claims().keys() == FUNCTIONS.keys() == EXACT.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_error_is_larger_than_the_page_says(name):
    double, single = errors(name)
    most_double, most_single = claims()[name]

    assert double <= most_double
    assert single <= most_single


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_nor_is_one_of_many_values_and_the_page_says_little_more(name):
    double, single = errors(name, 60 * FULL, 1)
    most_double, most_single = claims()[name]

    assert most_double - SLACK <= double <= most_double
    assert single <= most_single


def test_a_wrong_coefficient_shows(monkeypatch):
    wrong = list(exponentials.EXPONENTIAL)
    wrong[2] *= 1 + 2.0**-20
    monkeypatch.setattr(exponentials, "EXPONENTIAL", tuple(wrong))

    assert errors("exp")[0] > claims()["exp"][0]


# What C says of each where a result has no error: operands and results.
SPECIAL = {
    "exp": [(NAN, NAN), (INF, INF), (-INF, 0.0), (0.0, 1.0), (-0.0, 1.0), (1e308, INF), (-1e308, 0.0)],
    "exp2": [(NAN, NAN), (INF, INF), (-INF, 0.0), (-1074.0, 5e-324), (-1076.0, 0.0), (1024.0, INF), (10.0, 1024.0)],
    "exp10": [(NAN, NAN), (INF, INF), (-INF, 0.0), (2.0, 100.0), (22.0, 1e22), (-330.0, 0.0)],
    "log": [(NAN, NAN), (INF, INF), (-INF, NAN), (-1.0, NAN), (0.0, -INF), (-0.0, -INF), (1.0, 0.0)],
    "log2": [(NAN, NAN), (INF, INF), (-1.0, NAN), (0.0, -INF), (1.0, 0.0), (5e-324, -1074.0), (8.0, 3.0)],
    "log10": [(NAN, NAN), (INF, INF), (-1.0, NAN), (0.0, -INF), (1.0, 0.0), (1000.0, 3.0)],
    "sinh": [(NAN, NAN), (INF, INF), (-INF, -INF), (0.0, 0.0), (-0.0, -0.0), (-1000.0, -INF)],
    "cosh": [(NAN, NAN), (INF, INF), (-INF, INF), (0.0, 1.0), (-1000.0, INF)],
    "tanh": [(NAN, NAN), (INF, 1.0), (-INF, -1.0), (0.0, 0.0), (-0.0, -0.0), (-5e-324, -5e-324)],
    "sin": [(NAN, NAN), (INF, NAN), (-INF, NAN), (0.0, 0.0), (-0.0, -0.0), (5e-324, 5e-324)],
    "cos": [(NAN, NAN), (INF, NAN), (-INF, NAN), (0.0, 1.0), (-0.0, 1.0)],
    "tan": [(NAN, NAN), (INF, NAN), (-INF, NAN), (0.0, 0.0), (-0.0, -0.0), (-5e-324, -5e-324)],
    "asin": [(NAN, NAN), (1.5, NAN), (-INF, NAN), (0.0, 0.0), (-0.0, -0.0), (-1.0, -math.pi / 2)],
    "acos": [(NAN, NAN), (1.5, NAN), (-INF, NAN), (1.0, 0.0), (-1.0, math.pi), (0.0, math.pi / 2)],
    "atan": [(NAN, NAN), (INF, math.pi / 2), (-INF, -math.pi / 2), (0.0, 0.0), (-0.0, -0.0), (1.0, math.pi / 4)],
    "sin_turns": [(NAN, NAN), (INF, NAN), (0.0, 0.0), (0.25, 1.0), (0.5, 0.0), (1e300, 0.0), (-0.25, -1.0)],
    "cos_turns": [(NAN, NAN), (-INF, NAN), (0.0, 1.0), (0.25, 0.0), (0.5, -1.0), (1e300, 1.0)],
    "sqrt": [(NAN, NAN), (INF, INF), (-1.0, NAN), (-0.0, -0.0), (4.0, 2.0)],
    "rsqrt": [(NAN, NAN), (INF, 0.0), (-1.0, NAN), (0.0, INF), (-0.0, -INF), (4.0, 0.5)],
    "rcp": [(NAN, NAN), (INF, 0.0), (-INF, -0.0), (0.0, INF), (-0.0, -INF), (4.0, 0.25)],
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_cases_are_those_of_c(name):
    operands, expected = (np.array(column) for column in zip(*SPECIAL[name], strict=True))
    with np.errstate(all="ignore"):
        results = FUNCTIONS[name](operands)

    np.testing.assert_array_equal(results, expected)
    known = ~np.isnan(expected)
    if "turns" not in name:  # the sign of such a zero says nothing
        np.testing.assert_array_equal(np.signbit(results)[known], np.signbit(expected)[known])


@pytest.mark.parametrize(("name", "right"), [("pow", np.power), ("atan2", np.arctan2), ("div", np.divide)])
def test_so_are_those_of_two_operands(name, right):
    edges = [0.0, 1.0, 0.5, 2.0, 3.0, 4.0, 1e300, 5e-324, 2.0**53, 2.0**53 + 2, INF]
    edges = np.array([*edges, *(-edge for edge in edges), NAN])
    first, second = np.repeat(edges, len(edges)), np.tile(edges, len(edges))
    with np.errstate(all="ignore"):
        results, expected = FUNCTIONS[name](first, second), right(first, second)

    exact = np.isnan(expected) | np.isinf(expected) | (expected == 0)
    np.testing.assert_array_equal(results[exact], expected[exact])
    np.testing.assert_allclose(results, expected, rtol=4e-16, atol=0)
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(results)[known], np.signbit(expected)[known])


def test_every_approximate_function_of_one_element_has_one_definition():
    """What is not exact and only computes is a function of the table, or is written in the prelude."""
    for intrinsic in all_intrinsics().values():
        if intrinsic.kind in ("pure", "typed") and not intrinsic.exact:
            word, _, function = intrinsic.compiled.partition(".")
            assert (word, function.removeprefix("ftz.") in FUNCTIONS) == ("approximate", True), intrinsic.name


def test_bits_depend_on_no_library():
    """The compiled form calls nothing but what IEEE 754 rounds in one way."""
    for name, function in FUNCTIONS.items():
        text = "\n".join(define_function(name, function))
        called = set(re.findall(r"call double @([\w.]+)", text))
        assert called <= {f"llvm.{each}.f64" for each in ("fabs", "sqrt", "rint", "copysign")}
        assert not re.search(r"\b(fast|contract|reassoc|nnan|ninf|nsz|arcp|afn)\b|llvm\.fma|fmuladd", text)
