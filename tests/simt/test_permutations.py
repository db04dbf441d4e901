"""NVIDIA's permutations of bytes, against the tables of the PTX ISA, by both engines."""

from __future__ import annotations

import numpy as np
import pytest

from tests.simt.snippets import evaluate

pytestmark = pytest.mark.slow  # together they take seconds

NAME = "llvm.nvvm"
RNG = np.random.default_rng(91)
MODES = {
    "f4e": lambda place, by: place + by,
    "b4e": lambda place, by: (by - place) % 8,
    "rc8": lambda _place, by: by,
    "ecl": max,
    "ecr": min,
    "rc16": lambda place, by: 2 * (by & 1) + (place & 1),
}
WORDS = RNG.integers(0, 1 << 32, (64, 3), dtype=np.uint32).tolist()


def octets(*words):
    """Return the bytes of words, the lowest first."""
    return b"".join(word.to_bytes(4, "little") for word in words)


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("spelling", ["intrinsic", "assembly", "constant"])
@pytest.mark.parametrize("mode", MODES)
def test_a_permutation_selects_bytes_by_its_mode(mode, spelling, engine):
    """Forward and backward extraction, replication of bytes and of halves, and clamping to an edge."""
    second = mode in ("f4e", "b4e")
    select = "i32 2" if spelling == "constant" else "i32 %c"
    operands = f"i32 %a, {'i32 %b, ' if second else ''}{select}"
    body = f"%r = call i32 @{NAME}.prmt.{mode}({operands})"
    if spelling == "assembly":
        body = f'%r = call i32 asm "prmt.b32.{mode} $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)'
    given = [("i32", [row[place] for row in WORDS]) for place in range(3)]

    got = evaluate(body, "i32", *given, engine=engine)

    for (first, other, selector), word in zip(WORDS, got.tolist(), strict=True):
        by = 2 if spelling == "constant" else selector & 3
        source = octets(first, other)
        assert octets(word & 0xFFFFFFFF) == bytes(source[MODES[mode](place, by)] for place in range(4))


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("constant", [None, 0x5410, 0xFEDC, 0x3B7])
def test_a_permutation_selects_bytes_or_their_signs(constant, engine):
    given = [("i32", [row[place] for row in WORDS]) for place in range(3)]
    body = f"%r = call i32 @{NAME}.prmt(i32 %a, i32 %b, i32 {'%c' if constant is None else constant})"

    got = evaluate(body, "i32", *given, engine=engine)

    for (first, other, selector), word in zip(WORDS, got.tolist(), strict=True):
        nibbles = [(selector if constant is None else constant) >> 4 * place & 15 for place in range(4)]
        source = octets(first, other)
        wanted = bytes(0xFF * (source[n & 7] >> 7) if n & 8 else source[n & 7] for n in nibbles)
        assert octets(word & 0xFFFFFFFF) == wanted
