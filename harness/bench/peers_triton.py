"""Reductions in Triton, to time beside the scaled cases: sum and maximum of each row, sum of a vector."""

from __future__ import annotations

# ruff: noqa: N803 - Triton's compile-time arguments are written in capitals
from collections.abc import Callable

import torch
import triton
import triton.language as tl

__all__ = ["row_max", "row_sum", "whole_sum"]

BLOCK = 4096
SHARE = 16  # blocks of a vector for each program


@triton.jit
def _row_sum(source, output, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, columns, BLOCK):
        offsets = first + tl.arange(0, BLOCK)
        total += tl.load(source + row * columns + offsets, mask=offsets < columns, other=0.0)
    tl.store(output + row, tl.sum(total))


@triton.jit
def _row_max(source, output, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    largest = tl.full([BLOCK], float("-inf"), tl.float32)
    for first in range(0, columns, BLOCK):
        offsets = first + tl.arange(0, BLOCK)
        values = tl.load(source + row * columns + offsets, mask=offsets < columns, other=float("-inf"))
        largest = tl.maximum(largest, values)
    tl.store(output + row, tl.max(largest))


@triton.jit
def _share_sum(source, output, size, BLOCK: tl.constexpr, SHARE: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * (BLOCK * SHARE)
    total = tl.zeros([BLOCK], tl.float32)
    for step in range(SHARE):
        offsets = start + step * BLOCK + tl.arange(0, BLOCK)
        total += tl.load(source + offsets, mask=offsets < size, other=0.0)
    tl.store(output + tl.program_id(0), tl.sum(total))


def row_sum(values: torch.Tensor, output: torch.Tensor) -> Callable[[], object]:
    """Return a call that writes the sum of each row of a matrix, float32 on the GPU."""
    return _reduce_rows(_row_sum, values, output)


def row_max(values: torch.Tensor, output: torch.Tensor) -> Callable[[], object]:
    """Return a call that writes the largest element of each row of a matrix, float32 on the GPU."""
    return _reduce_rows(_row_max, values, output)


def whole_sum(values: torch.Tensor, output: torch.Tensor) -> Callable[[], object]:
    """Return a call that writes the sum of a vector to `output[0]`, both float32 on the GPU.

    A call launches two kernels; the memory for partial sums is allocated once, before the first.
    """
    size = values.numel()
    programs = triton.cdiv(size, BLOCK * SHARE)
    partials = torch.empty(programs, device="cuda")

    def launch_both() -> None:
        _share_sum[(programs,)](values, partials, size, BLOCK, SHARE, num_warps=8)
        _row_sum[(1,)](partials, output, programs, BLOCK, num_warps=8)

    return launch_both


def _reduce_rows(kernel, values: torch.Tensor, output: torch.Tensor) -> Callable[[], object]:
    row_count, columns = values.shape
    block = min(BLOCK, triton.next_power_of_2(columns))
    warps = max(1, min(8, block // 128))
    return lambda: kernel[(row_count,)](values, output, columns, block, num_warps=warps)
