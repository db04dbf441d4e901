"""Undefined divisions, and how lanes branch on integers; what integers compute is in `test_against_llvm.py`."""

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import evaluate, kernel, undefined


@pytest.mark.parametrize("bits", [8, 32, 33, 64, 128])
@pytest.mark.parametrize("opcode", ["sdiv", "srem"])
def test_the_smallest_by_minus_one_is_undefined(opcode, bits):
    """The quotient does not fit: undefined, but the simulator goes on."""
    low, ty = -(1 << bits - 1), f"i{bits}"

    assert undefined(f"%r = {opcode} {ty} %a, %b", ty, (ty, [low, low + 1, low]), (ty, [-1, -1, 1])) == [
        True,
        False,
        False,
    ]


DIVISORS = {
    "i32": "%d = add i32 %t, 0",
    "i100": "%d = zext i32 %t to i100",
    "<2 x i32>": "%d = insertelement <2 x i32> <i32 1, i32 1>, i32 %t, i64 1",
    "<2 x i100>": "%w = zext i32 %t to i100\n%d = insertelement <2 x i100> <i100 1, i100 1>, i100 %w, i64 1",
}


@pytest.mark.parametrize("ty", DIVISORS)
@pytest.mark.parametrize("opcode", ["sdiv", "udiv", "srem", "urem"])
def test_division_by_zero_is_found(opcode, ty):
    """With the lane that does it, also where it is an element of a vector, or wider than NumPy's integers."""
    body = f"{DIVISORS[ty]}\n%r = {opcode} {ty} %d, %d\nstore i32 %t, ptr %o"
    result = simt.launch(kernel(body), target="nvidia:sm_90", grid=1, block=4, args=[np.zeros(1, np.int32)])

    assert [(finding.kind, finding.count, finding.who[0].thread) for finding in result.findings] == [
        ("division-by-zero", 1, (0, 0, 0))
    ]


def test_division_by_a_constant_zero_is_found():
    """Which no compiler leaves, but a kernel may be written by hand."""
    result = simt.launch(
        kernel("%r = udiv i32 %t, 0"), target="nvidia:sm_90", grid=1, block=4, args=[np.zeros(1, np.int32)]
    )

    assert [(finding.kind, finding.count) for finding in result.findings] == [("division-by-zero", 4)]


def test_switch_takes_the_case_or_the_default():
    """Negative and large cases; two cases with one target."""
    body = """
      switch i64 %a, label %d [ i64 -5, label %x
                                i64 4611686018427387904, label %y
                                i64 3, label %x ]
    x:
      br label %end
    y:
      br label %end
    d:
      br label %end
    end:
      %r = phi i32 [1, %x], [2, %y], [9, %d]"""
    values = [-5, 0, 1 << 62, 3, -6, 4]

    assert evaluate(body, "i32", ("i64", values)).tolist() == [1, 9, 2, 1, 9, 9]


def test_phis_read_before_they_write():
    """Two phis that swap each other's values."""
    body = """
      br label %loop
    loop:
      %x = phi i32 [1, %0], [%y, %loop]
      %y = phi i32 [2, %0], [%x, %loop]
      %n = phi i32 [0, %0], [%m, %loop]
      %m = add i32 %n, 1
      %c = icmp slt i32 %m, %a
      br i1 %c, label %loop, label %end
    end:
      %r = sub i32 %x, %y"""

    assert evaluate(body, "i32", ("i32", [1, 2, 3, 4])).tolist() == [-1, 1, -1, 1]
