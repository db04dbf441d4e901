"""What `tests/catalogue/fixed` says that the documents fix: their own kernels are wrong where it is otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness.build import toolchain
from harness.catalogue import find_case
from harness.catalogue.further import make_further
from harness.catalogue.promises import READ_ONCE
from harness.catalogue.simple import make_simple_case
from harness.model.case import Case, Kernel
from tests.catalogue.coincidences import FIXED, unexplained
from tests.catalogue.fixed.launch import Fixed
from tests.catalogue.fixed_reports import reports
from tests.puzzles.forms import forms, launched


def _pooled(a: np.ndarray) -> np.ndarray:
    return np.asarray([a[max(0, at - 2) : at + 1].sum() for at in range(a.size)])


def _pooling(size: int, blocks: int) -> Case:
    """Puzzle 11 at a launch of some blocks, of each of which the documents' kernel takes no neighbours."""
    kernel = Kernel("pooling", "output a size_dev", grid=blocks, block=8)
    made = make_simple_case(
        "p11",
        "pooling",
        kernel,
        {"a": np.arange(size)},
        _pooled,
        scalars={"size_dev": size},
        constants={"TPB": 8, "SIZE": size},
        claims=(READ_ONCE,),
    )
    return make_further(made, {"SIZE": size, "BLOCKS_PER_GRID": f"({blocks}, 1)"})


WRONG = Fixed("p11", ("grid_dim.x", "grid_dim.y"), _pooling(16, 2), "FINDING", "a sum ends at its block")
RIGHT = Fixed("p11", ("TPB", "SIZE"), _pooling(5, 1), "MISMATCH", "an entry that is wrong: the kernel is right here")
NAMES = [f"{entry.case} {' = '.join(entry.equal)}" for entry in FIXED]


def _without(entry: Fixed) -> tuple[Fixed, ...]:
    return tuple(other for other in FIXED if other is not entry)


@pytest.fixture(scope="module")
def judged():
    """Every entry's report, and those of two that are made up."""
    if toolchain.find_mojo() is None:
        pytest.skip("there is no `mojo` here")
    return reports([*FIXED, WRONG, RIGHT])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(FIXED)), ids=NAMES)
def test_the_documented_form_earns_the_verdict_there(judged, number):
    report = judged[number]

    assert report.verdict == FIXED[number].verdict, report.reason


@pytest.mark.slow
def test_an_entry_that_does_not_hold_would_be_seen(judged):
    *_, wrong, right = judged

    assert (wrong.verdict, right.verdict) == (WRONG.verdict, "PASS")


@pytest.mark.slow
@pytest.mark.parametrize("entry", FIXED, ids=NAMES)
def test_an_entry_names_a_mode_whose_kernel_the_documents_show(entry):
    documented = find_case(entry.case)

    assert entry.launch.documented_id == entry.case
    assert forms(documented) & launched(documented)


@pytest.mark.slow
@pytest.mark.parametrize("entry", FIXED, ids=NAMES)
def test_an_entry_is_needed(entry):
    """Without it something is unexplained that is not with it."""
    assert set(unexplained(find_case(entry.case), _without(entry))) - set(unexplained(find_case(entry.case)))


@pytest.mark.slow
@pytest.mark.parametrize("entry", FIXED, ids=NAMES)
def test_the_launch_of_an_entry_tells_the_numbers_apart(entry):
    """As a further launch it would make the entry unnecessary."""
    documented, others = find_case(entry.case), _without(entry)
    explained = set(unexplained(documented, others)) - set(unexplained(documented))
    small = documented.small and replace(documented.small, further=(*documented.small.further, entry.launch))
    judged_there = replace(documented, further=(*documented.further, entry.launch), small=small)

    assert not explained & set(unexplained(judged_there, others))
