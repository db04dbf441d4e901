"""Comparisons of two packed floats in inline assembly, combined with a predicate."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import evaluate, kernel

JOINS = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}


@pytest.mark.parametrize("joins", JOINS)
@pytest.mark.parametrize("holds", [False, True])
@pytest.mark.parametrize("form", ["set.f16x2", "set.u32", "setp"])
def test_a_comparison_of_packed_floats_is_combined_with_a_predicate(form, joins, holds):
    """The halves 1.0 and 2.5 are compared with 2.0; each result is joined with the same predicate."""
    head = f"{{ .reg .pred c, p, q; setp.eq.b32 c, 1, {int(holds)};"
    text = {
        "set.f16x2": f"{head} set.lt.{joins}.f16x2.f16x2 $0, $1, 0x40004000, c; }}",
        "set.u32": f"{head} set.lt.{joins}.u32.f16x2 $0, $1, 0x40004000, c; }}",
        "setp": f"{head} setp.lt.{joins}.f16x2 p|q, $1, 0x40004000, c; selp.b32 $0, 1, 0, p; @q add.s32 $0, $0, 2; }}",
    }[form]
    low, high = (JOINS[joins](less, holds) for less in (True, False))
    yes = {"set.f16x2": (0x3C00, 0x3C000000), "set.u32": (0xFFFF, 0xFFFF0000), "setp": (1, 2)}[form]
    found = evaluate(f'%r = call i32 asm "{text}", "=r,r"(i32 %a)', "i32", ("i32", [0x41003C00]))[0]

    assert int(found) & 0xFFFFFFFF == low * yes[0] + high * yes[1]


@pytest.mark.parametrize("text", ["set.lt.f16x2.f16x2 $0, $1, 0, 1;", "set.lt.and.f16x2.f16x2 $0, $1, 0;"])
def test_a_packed_comparison_has_a_predicate_if_it_is_combined_with_one(text):
    body = kernel(f'%r = call i32 asm "{text}", "=r,r"(i32 %t)')
    refused = simt.launch(body, target="nvidia:sm_90", grid=1, block=1, args=[np.zeros(1, np.int32)])

    assert refused.verdict == "incomplete"
    assert "set.lt" in str(refused.fault)
