"""Permutations of bytes: AMD's `v_perm_b32`.

See: "Instinct MI300" ISA, V_PERM_B32
"""

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.compile.registry import pure
from harness.simt.ops.integer import parts

__all__: list[str] = []


def _taken(low: Array, high: Array, places: Integers) -> Integers:
    """Some of the eight bytes of two words, (n, 4)."""
    octets = np.concatenate([parts(word, 8, False) for word in np.broadcast_arrays(low, high)], 1)
    count = max(len(octets), len(places))
    taken: Integers = np.broadcast_to(octets, (count, 8))[np.arange(count)[:, None], places]
    return taken


def _word(octets: Array) -> Array:
    return np.ascontiguousarray(octets.astype(np.uint8)).view(np.int32)[:, 0]


@pure("llvm.amdgcn.perm")
def permute_amd(high: Array, low: Array, selector: Array) -> Array:
    """Each byte of the selector names one of eight, the sign of an odd one (8 to 11), 0 (12) or 255."""
    chosen = parts(selector, 8, False)
    plain, signs = _taken(low, high, chosen & 7), 0xFF * (_taken(low, high, 2 * (chosen & 3) + 1) >> 7)
    return _word(np.where(chosen < 8, plain, np.where(chosen < 12, signs, np.where(chosen == 12, 0, 0xFF))))
