"""What the simulator computes is, bit for bit, what LLVM computes on this machine; see `tests.simt.against_llvm`."""

from __future__ import annotations

import pytest

from tests.simt.against_llvm.compare import compare, planned
from tests.simt.against_llvm.table import MORE, OUTSIDE, SOME, declared, rows_of

EVERY_NIGHT = 500_000


def agrees(text, **given):
    """Fails with the operands for which the simulator and LLVM differ."""
    _, wrong = compare(rows_of(text), **given)
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("text", SOME)
def test_arithmetic_is_that_of_llvm(text):
    """Edges with edges, and random values; poison only where LLVM says so."""
    agrees(text)


@pytest.mark.full
@pytest.mark.parametrize("text", [*SOME, *MORE])
def test_arithmetic_is_that_of_llvm_on_more_types_and_values(text):
    agrees(text, seed=1, more=4)


@pytest.mark.full
def test_so_many_results_are_compared():
    assert sum(planned(rows_of(text), seed=1, more=4) for text in (*SOME, *MORE)) > EVERY_NIGHT


def test_what_is_declared_has_a_row():
    """Or stands among what cannot be compared; and nothing stands there for nothing."""
    compared = {row.name for text in SOME for row in rows_of(text)}

    assert declared() - compared == OUTSIDE


def test_a_wrong_instruction_is_told():
    """A row whose lines for the host are another instruction's, and one with another rule of poison."""
    add = next(row for row in rows_of("i8") if row.text.startswith("%r = add  i8"))
    _, wrong = compare([add.__class__(add.name, add.text, add.operands, add.result, host="%r = sub i8 %a, %b")])
    assert wrong[0] == "%r = add i8 %a, %b of 0x0; 0x1: 0x1, but LLVM has 0xff"
    _, wrong = compare([add.__class__(add.name, add.text, add.operands, add.result, poison=lambda a, b, r: a == 0)])
    assert wrong[0] == "%r = add i8 %a, %b of 0x0; 0x0: no poison, but LLVM has the other"
