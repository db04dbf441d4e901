"""Bit patterns, and pointers through integers; other conversions are in `test_against_llvm.py`."""

import math

import numpy as np
import pytest

from harness.simt.ir.types import Float, Int
from harness.simt.ops.cast import make_converter
from tests.simt.exact import same
from tests.simt.snippets import evaluate


@pytest.mark.parametrize(
    ("start", "value", "end", "expected"),
    [
        ("float", [1.0], "i32", [0x3F800000]),
        ("i32", [0x7FC00001], "float", [math.nan]),
        ("<2 x i16>", [[1, -1]], "i32", [-65535]),
        ("i64", [0x3FF0000000000000], "double", [1.0]),
        ("i16", [0x3F80], "bfloat", [1.0]),
        ("bfloat", [-2.0], "i16", [-16384]),
        ("<4 x i8>", [[0, 0, -128, 63]], "float", [1.0]),
        ("i128", [(7 << 64) + 5], "<2 x i64>", [[5, 7]]),
        ("half", [1.0], "<2 x i8>", [[0, 60]]),
    ],
)
def test_bits_keep_their_pattern(start, value, end, expected):
    """`bitcast` between scalars and vectors, the lowest element first."""
    same(evaluate(f"%r = bitcast {start} %a to {end}", end, (start, value)).tolist(), expected)


def test_pointers_keep_their_allocation_through_integers():
    """`ptrtoint` and back, also of 32 bits, still knows where it belongs."""
    body = """
      %n = ptrtoint ptr %out to i64
      %m = add i64 %n, 8
      %q = inttoptr i64 %m to ptr
      %s = addrspacecast ptr %q to ptr addrspace(1)
      %g = addrspacecast ptr addrspace(1) %s to ptr
      %d = ptrtoint ptr %g to i64
      %r = sub i64 %d, %n"""

    assert evaluate(body, "i64", ("i32", [0])).tolist() == [8]


def test_bits_of_a_byte_are_a_vector_of_booleans():
    """In registers; the lowest bit is element 0."""
    order = f"<{', '.join(f'i32 {n}' for n in range(7, -1, -1))}>"
    body = f"""
      %v = bitcast i8 %a to <8 x i1>
      %w = shufflevector <8 x i1> %v, <8 x i1> poison, <8 x i32> {order}
      %r = bitcast <8 x i1> %w to i8"""

    assert evaluate(body, "i8", ("i8", [5, -128, 0x35])).tolist() == [-96, 1, -84]


@pytest.mark.parametrize("opcode", ["uitofp", "sitofp"])
def test_an_integer_wider_than_every_double_becomes_infinity(opcode):
    convert = make_converter(opcode, Int(2048), Float("float"))
    values = np.array([1 << 1030, -(1 << 1030) if opcode == "sitofp" else 3, 1 << 100], object)

    assert convert(values).tolist() == [math.inf, -math.inf if opcode == "sitofp" else 3.0, 2.0**100]
