"""What the benchmark runs: the documented cases, and two sums of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness import simt

__all__ = ["CASES", "LARGER", "SIZES", "SUMS", "Workload", "large", "meetings", "rounds"]

TARGET = "nvidia:sm_90"
CASE_FOLDER = Path(__file__).parents[1] / "solutions"
FOLDER = Path(__file__).parent / "kernels"


@dataclass(frozen=True)
class Workload:
    """A kernel with arguments and the result it must have.

    Attributes:
        arrays: The output first.
        expected: What the output must hold.
        launch: Grid, block and cluster.
    """

    name: str
    module: simt.Module
    arrays: tuple
    expected: np.ndarray
    launch: dict

    def run(self, observers=(), **options) -> simt.LaunchResult:
        """One launch."""
        how = {"observers": observers, "options": simt.Options(**options)}
        return simt.launch(self.module, target=TARGET, args=list(self.arrays), **how, **self.launch)

    def check(self, result) -> None:
        """Fails if the launch was not right: a wrong run has no time."""
        result.raise_for_fault()
        np.testing.assert_array_equal(self.arrays[0].ravel(), self.expected.ravel())


def _module(folder, name):
    return simt.decode((folder / f"{name}.sm_90.ll").read_text(encoding="utf-8"))


def _axis_sum(threads=32):
    rows = threads // 8
    matrix = (np.arange(rows * 6) % 7 if rows > 4 else np.arange(24)).astype(np.float32).reshape(rows, 6)
    return Workload(
        "axis_sum",
        _module(CASE_FOLDER, "p15"),
        (np.zeros((rows, 1), np.float32), matrix, np.int32(6)),
        matrix.sum(1),
        {"grid": (1, rows), "block": 8},
    )


def _block_sum(threads=1024):
    blocks = threads // 1024
    values = (np.arange(threads) % 7).astype(np.float32)
    return Workload(
        "block_sum",
        _module(FOLDER, "block_sum"),
        (np.zeros(blocks, np.float32), values),
        values.reshape(blocks, 1024).sum(1),
        {"grid": blocks, "block": 1024},
    )


def rounds(count: int) -> Workload:
    """One thread that loads and stores as often."""
    launch = {"grid": 1, "block": 1}
    return Workload("rounds", _module(FOLDER, "rounds"), (np.zeros(1, np.int32), np.int32(count)), None, launch)


def meetings(count: int) -> Workload:
    """16,384 threads with two barriers a round."""
    launch = {"grid": 16, "block": 1024}
    arrays = np.zeros(16_384, np.int32), np.int32(count)
    return Workload("meetings", _module(FOLDER, "meetings"), arrays, None, launch)


def _butterfly(name, expected, blocks=1):
    values = np.arange(32 * blocks, dtype=np.float32)
    return Workload(
        name,
        _module(CASE_FOLDER, f"p26_{name}"),
        (np.zeros_like(values), values),
        expected(values),
        {"grid": blocks, "block": 32},
    )


def _cluster_sum():
    values = np.arange(1024, dtype=np.float32)
    arrays = np.zeros(1, np.float32), values, np.zeros(4, np.float32), np.int32(1024)
    launch = {"grid": 4, "block": 256, "cluster": 4}
    return Workload("cluster_sum", _module(CASE_FOLDER, "p34_reduction"), arrays, values.sum(keepdims=True), launch)


def _alternating(values):
    warps = values.reshape(-1, 32)
    return np.where(np.arange(32) % 2 == 0, warps.max(1)[:, None], warps.min(1)[:, None])


CASES: dict[str, Callable[[], Workload]] = {
    "p15 axis sum": _axis_sum,
    "p26 pair swap": lambda: _butterfly("pair_swap", lambda v: v.reshape(-1, 2)[:, ::-1]),
    "p26 parallel max": lambda: _butterfly("parallel_max", lambda v: np.full(32, v.max())),
    "p26 conditional max": lambda: _butterfly("conditional_max", _alternating, 2),
    "p34 cluster sum": _cluster_sum,
}
SUMS: dict[str, Callable[[int], Workload]] = {"axis_sum": _axis_sum, "block_sum": _block_sum}
_UP_TO = (1024, 4096, 16_384, 65_536, 262_144)
SIZES = {
    "axis_sum": (*_UP_TO, 524_280),  # its rows lie along y, where an NVIDIA GPU takes 65,535 blocks at most
    "block_sum": (*_UP_TO, 1_048_576),
}
"""Threads of each sum."""
LARGER = {"axis_sum": (), "block_sum": (4_194_304, 16_777_216)}
"""Those that take Python longer than it is worth to time often."""


def large(workload: str) -> Workload:
    """A sum by `ALGORITHM:THREADS`."""
    name, _, threads = workload.partition(":")
    return SUMS[name](int(threads))
