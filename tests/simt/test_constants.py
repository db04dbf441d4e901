"""Constants as LLVM prints them."""

import pytest

from harness.simt.ir.constants import parse_float_bits
from harness.simt.ir.types import Float


@pytest.mark.parametrize(
    ("ty", "text", "bits"),
    [
        ("half", "0x7FF8000000000000", 0x7E00),
        ("half", "0xFFFC040000000000", 0xFF01),
        ("half", "0x7FF0000000000001", 0x7D00),
        ("bfloat", "0xFFF8000000000000", 0xFFC0),
        ("bfloat", "0x7FF0000000000001", 0x7FA0),
        ("float", "0x7FF8000020000000", 0x7FC00001),
        ("float", "0x7FF0000000000001", 0x7FA00000),
        ("double", "0x7FF0000000000001", 0x7FF0000000000001),
    ],
)
def test_a_nan_is_cut_to_its_type(ty, text, bits):
    """It keeps its sign and the upper bits of its payload, and stays a NaN."""
    assert parse_float_bits(Float(ty), text) == bits
