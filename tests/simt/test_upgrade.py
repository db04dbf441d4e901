"""Numbers that only a newer LLVM reads are written as the older one reads them."""

from __future__ import annotations

import struct

import pytest

from harness.simt.ir.upgrade import to_accepted


@pytest.mark.parametrize(
    ("number", "written"),
    [
        ("half 1.001360e-05", "half 0xH00A8"),
        ("bfloat 1.001360e-05", "bfloat 0xR3728"),
        ("bfloat 3.389531e+38", "bfloat 0xR7F7F"),
        ("bfloat -1.000000e-40", "bfloat 0xR8001"),
        ("bfloat 0.000000e+00", "bfloat 0xR0000"),
        ("float 1.000000e-01", "float 0x3FB99999A0000000"),
        ("float 1.500000e+00", "float 1.500000e+00"),
        ("double 1.000000e-01", "double 1.000000e-01"),
        ("float f0xFF7FFFFF", "float 0xC7EFFFFFE0000000"),
        ("double -inf", "double 0xFFF0000000000000"),
        ("half 6.551900e+04", "half 0xH7BFF"),
        ("half 7.000000e+04", "half 0xH7C00"),
        ("half -6.552000e+04", "half 0xHFC00"),
        ("float 1.000000e+40", "float 0x7FF0000000000000"),
        ("bfloat -1.000000e+400", "bfloat 0xRFF80"),
    ],
)
def test_a_number_is_written_so_that_the_parser_takes_it(number, written):
    line = "  %1 = fadd {} , %0\n"
    assert to_accepted(line.format(number)) == line.format(written)


def test_every_number_of_16_bits_is_itself():
    """And half way between two the even one is taken."""

    def number(bits):
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]

    def written(value):
        return int(to_accepted(f"  ret bfloat {value:.60e}")[-4:], 16)

    for bits in range(0, 0x7F7F, 97):
        assert written(number(bits)) == bits and written(-number(bits)) == bits | 0x8000
        assert written((number(bits) + number(bits + 1)) / 2) == bits + (bits & 1)


def test_texts_and_metadata_stay():
    text = '@a = constant [9 x i8] c"f0x123456"\n!5 = !{!"f0x123456"}\n'
    assert to_accepted(text) == text
