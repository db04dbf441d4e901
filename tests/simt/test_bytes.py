"""Permutations of bytes against a byte at a time."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simt.snippets import evaluate

COUNT = 512


def words(rng):
    return rng.integers(-(1 << 31), 1 << 31, COUNT)


def of_amd(high, low, selector):
    """As the ISA document writes it down."""
    octets = [*int(low & 0xFFFFFFFF).to_bytes(4, "little"), *int(high & 0xFFFFFFFF).to_bytes(4, "little")]

    def octet(number):
        if number > 12:
            return 0xFF
        if number == 12:
            return 0
        return octets[number] if number < 8 else 0xFF * (octets[{8: 1, 9: 3, 10: 5, 11: 7}[number]] >> 7)

    return int.from_bytes(bytes(octet(selector >> 8 * at & 0xFF) for at in range(4)), "little", signed=True)


def of_nvidia(low, high, selector):
    """As the PTX document does."""
    octets = [*int(low & 0xFFFFFFFF).to_bytes(4, "little"), *int(high & 0xFFFFFFFF).to_bytes(4, "little")]

    def octet(nibble):
        octet = octets[nibble & 7]
        return octet if nibble < 8 else 0xFF * (octet >> 7)

    return int.from_bytes(bytes(octet(selector >> 4 * at & 15) for at in range(4)), "little", signed=True)


@pytest.mark.parametrize(
    ("name", "target", "rule", "most"),
    [("amdgcn.perm", "amd:gfx942", of_amd, 14), ("nvvm.prmt", "nvidia:sm_90", of_nvidia, 256)],
)
def test_bytes_are_taken_from_both_words(name, target, rule, most):
    """By every kind of selector."""
    rng = np.random.default_rng(4)
    a, b = words(rng), words(rng)
    chosen = rng.integers(0, most, (COUNT, 4))
    selector = (chosen << 8 * np.arange(4)).sum(1)
    selector = np.where(selector >= 1 << 31, selector - (1 << 32), selector)

    result = evaluate(
        f"  %r = call i32 @llvm.{name}(i32 %a, i32 %b, i32 %c)",
        "i32",
        ("i32", a),
        ("i32", b),
        ("i32", selector),
        target=target,
    )

    assert result.tolist() == [
        rule(*operands) for operands in zip(a.tolist(), b.tolist(), selector.tolist(), strict=True)
    ]
