"""Permutations of bytes: AMD's `v_perm_b32`, NVIDIA's `prmt`.

See: "Instinct MI300" ISA, V_PERM_B32; https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prmt
"""

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.compile.registry import pure
from harness.simt.ops.integer import parts

__all__: list[str] = []


def _octets(low: Array, high: Array) -> Integers:
    """The eight bytes of two words, (n, 8)."""
    return np.concatenate([parts(word, 8, False) for word in np.broadcast_arrays(low, high)], 1)


def _word(octets: list[Array]) -> Array:
    total = sum(octet.astype(np.int64) << 8 * number for number, octet in enumerate(octets))
    return np.asarray(total, np.int64).astype(np.uint32).view(np.int32)


def _at(octets: Integers, place: Integers) -> Integers:
    count = max(len(octets), len(place))
    taken: Integers = np.broadcast_to(octets, (count, 8))[np.arange(count), np.broadcast_to(place, (count,))]
    return taken


@pure("llvm.amdgcn.perm")
def permute_amd(high: Array, low: Array, selector: Array) -> Array:
    """Each byte of the selector names one of eight, the sign of an odd one (8 to 11), 0 (12) or 255."""
    octets, result = _octets(low, high), []
    for number in range(4):
        chosen = selector.astype(np.int64) >> 8 * number & 0xFF
        signs = 0xFF * (_at(octets, 2 * (chosen & 3) + 1) >> 7)
        plain = _at(octets, chosen & 7)
        result.append(np.where(chosen < 8, plain, np.where(chosen < 12, signs, np.where(chosen == 12, 0, 0xFF))))
    return _word(result)


@pure("llvm.nvvm.prmt")
def permute_nvidia(low: Array, high: Array, selector: Array) -> Array:
    """Each of the selector's lowest four nibbles names one of eight bytes, or with its upper bit that byte's sign."""
    octets, result = _octets(low, high), []
    for number in range(4):
        chosen = selector.astype(np.int64) >> 4 * number & 15
        plain = _at(octets, chosen & 7)
        result.append(np.where(chosen < 8, plain, 0xFF * (plain >> 7)))
    return _word(result)
