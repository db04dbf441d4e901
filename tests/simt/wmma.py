"""Matrices as `wmma` has them: their registers, and how they lie in memory."""

from __future__ import annotations

import numpy as np

__all__ = ["KINDS", "RNG", "counts", "numbers", "packed", "struct", "unpacked"]

RNG = np.random.default_rng(77)
# By kind: LLVM's type of a register, its bits, those of an element.
KINDS = {
    "f16": ("<2 x half>", 32, 16),
    "bf16": ("i32", 32, 16),
    "tf32": ("i32", 32, 32),
    "f32": ("float", 32, 32),
    "s32": ("i32", 32, 32),
    "f64": ("double", 64, 64),
    **dict.fromkeys(("s8", "u8"), ("i32", 32, 8)),
    **dict.fromkeys(("s4", "u4"), ("i32", 32, 4)),
    "b1": ("i32", 32, 1),
}
# Registers of A and B, as LLVM and CUDA count them.
COUNTS = {
    ("f16", "m16n16k16"): (8, 8),
    ("f16", "m32n8k16"): (8, 8),
    ("f16", "m8n32k16"): (8, 8),
    ("bf16", "m16n16k16"): (4, 4),
    ("bf16", "m32n8k16"): (8, 2),
    ("bf16", "m8n32k16"): (2, 8),
    ("s8", "m16n16k16"): (2, 2),
    ("s8", "m32n8k16"): (4, 1),
    ("s8", "m8n32k16"): (1, 4),
    ("tf32", "m16n16k8"): (4, 4),
}
SUMS = {"f16": 4, "f32": 8, "s32": 8}


def counts(kind, shape):
    """Return the registers of A, B and a sum by its kind."""
    a, b = COUNTS.get((kind.replace("u8", "s8"), shape), (1, 1))
    return a, b, (lambda to: 2 if shape.startswith("m8n8") else SUMS[to])


def packed(matrix, kind, layout, stride):
    """Return the bytes of a matrix in memory, rows or columns of a stride."""
    lines = matrix if layout == "row" else matrix.T
    whole = np.zeros((len(lines), stride), lines.dtype)
    whole[:, : lines.shape[1]] = lines
    match kind:
        case "f16":
            return whole.astype(np.float16).view(np.uint8).reshape(-1)
        case "bf16":
            return (whole.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16).view(np.uint8).reshape(-1)
        case "tf32" | "f32":
            return whole.astype(np.float32).view(np.uint8).reshape(-1)
        case "f64":
            return whole.astype(np.float64).view(np.uint8).reshape(-1)
        case "s32":
            return whole.astype(np.int32).view(np.uint8).reshape(-1)
        case "s8" | "u8":
            return whole.astype(np.int64).astype(np.uint8).reshape(-1)
        case "s4" | "u4":
            nibbles = whole.astype(np.int64).reshape(-1, 2) & 15
            return (nibbles[:, 0] | nibbles[:, 1] << 4).astype(np.uint8)
    return np.packbits(whole.reshape(-1).astype(np.uint8), bitorder="little")


def unpacked(data, kind, layout, stride, rows, columns):
    """Return the matrix that lies in memory so."""
    dtype = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}[kind]
    lines = data.view(dtype).reshape(-1, stride)
    return (lines[:, :columns] if layout == "row" else lines[:, :rows].T).astype(np.float64)


def struct(ty, count):
    """Return the type of some registers."""
    return ty if count == 1 else "{ " + ", ".join([ty] * count) + " }"


def numbers(kind, shape):
    """Return a matrix of numbers whose products are exact in every kind."""
    if kind == "b1":
        return RNG.integers(0, 2, shape)
    return RNG.integers(0 if kind[0] == "u" else -8, 8, shape)
