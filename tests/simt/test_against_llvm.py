"""What the simulator computes is, bit for bit, what LLVM computes on this machine; see `tests.simt.against_llvm`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.simt.against_llvm.compare import compare, planned
from tests.simt.against_llvm.table import MORE, OUTSIDE, QUICK, SOME, declared, rows_of

EVERY_NIGHT = 5_000_000
PLACES = (0, 1, 2)


def agrees(text, **given):
    """Fails with the operands for which the simulator and LLVM differ."""
    _, wrong = compare(rows_of(text), **given)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("text", [pytest.param(text, marks=[pytest.mark.slow] * (text not in QUICK)) for text in SOME])
def test_arithmetic_is_that_of_llvm(text):
    """Edges with edges, and random values; poison only where LLVM says so."""
    agrees(text)


@pytest.mark.full
@pytest.mark.parametrize("text", [*SOME, *MORE])
def test_arithmetic_is_that_of_llvm_on_more_types_and_values(text):
    agrees(text, seed=1, more=2)


@pytest.mark.full
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", SOME)
def test_arithmetic_with_a_constant_is_that_of_llvm(text, place):
    """Which the simulator keeps once for all lanes."""
    agrees(text, alike=place)


@pytest.mark.full
def test_so_many_results_are_compared():
    assert sum(planned(rows_of(text), seed=1, more=2) for text in (*SOME, *MORE)) > EVERY_NIGHT


def test_what_is_declared_has_a_row():
    """Or stands among what cannot be compared; and nothing stands there for nothing."""
    compared = {row.name for text in SOME for row in rows_of(text)}

    assert declared() - compared == OUTSIDE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"host": "%r = sub i8 %a, %b"}, "of 0x0; 0x1: 0x1, but LLVM has 0xff"),
        ({"poison": lambda a, _b, _r: a == 0}, "of 0x0; 0x0: no poison, but LLVM has the other"),
        ({"text": "%r = add nuw i8 %a, %b"}, "of 0x1; 0xff: poison, but LLVM has the other"),
    ],
)
def test_a_difference_is_told(other, told):
    """Of an instruction beside another one, or with other rules of poison."""
    add = next(row for row in rows_of("i8") if row.name == "add" and not row.poison)
    count, wrong = compare([replace(add, **other)])

    assert wrong[0].endswith(told)
    assert count > len(wrong) > 0
