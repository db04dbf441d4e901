"""Dataclasses exchanged with the MAX engine, also between processes: `LaunchOrder`, `LaunchReply`, `Ready`, `Phase`.

`harness.process.channel` transmits them. `OnDevice` stays in the engine's process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.backends.guarded import Fill

__all__ = ["Argument", "Around", "LaunchOrder", "LaunchReply", "OnDevice", "Phase", "Ready"]


@dataclass(frozen=True, slots=True)
class Ready:
    """The device that the worker holds: its name, its interface and its architecture."""

    name: str
    api: str
    architecture: str


@dataclass(frozen=True, slots=True)
class Phase:
    """The name of the phase that begins now."""

    name: str


@dataclass(frozen=True, slots=True)
class Argument:
    """One tensor of an op.

    Attributes:
        name: In the kernel's signature.
        array: Its contents, for an engine of the same process also a buffer on
            its device; None for a result that holds the fill.
        shape: Of a result, which lies between `LaunchOrder.guard` guard elements, or None for an input.
        dtype: Of a result.
    """

    name: str
    array: np.ndarray | Any | None
    shape: tuple[int, ...] | None = None
    dtype: np.dtype = field(default_factory=lambda: np.dtype(np.float32))


@dataclass(frozen=True, slots=True)
class Around:
    """A launch of the harness's own, see `harness.build.around`.

    Attributes:
        mef: The compiled artifact.
        graph: The model in it.
        witnesses: Elements of its witness, which it gets first.
        words: Of 4 bytes, in each of its other arguments.
    """

    mef: str
    graph: str
    witnesses: int
    words: int


@dataclass(frozen=True, slots=True)
class LaunchOrder:
    """One launch on each of several kinds of memory.

    Attributes:
        mef: The compiled artifact.
        graph: The model in it.
        arguments: In the op's order.
        guard: Elements of a guard.
        fills: What results hold before the launch, one kind of memory after the other.
        repeats: Executions on the first of them, each on results as they were given.
        warmup: What is launched first on each, with the same fill, or None: it fills all shared memory.
        compare: What compares results where they lie, or None.
        scalars: In the op's order, behind the arguments; they stay in the host's memory.
        returned: The names of what the model itself gives, in memory of the engine's, without guards.
    """

    mef: str
    graph: str
    arguments: tuple[Argument, ...]
    guard: int
    fills: tuple[Fill, ...] = ("poison",)
    repeats: int = 1
    warmup: Around | None = None
    compare: Around | None = None
    scalars: tuple[np.generic, ...] = ()
    returned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LaunchReply:
    """The results of a launch on one kind of memory.

    Attributes:
        arrays: What an execution left, by name: inputs that it changed; on the first kind of memory the results, on
            others those that are not, bit for bit, what they were there. An engine of this process gives all.
        traced: (kernel, grid, block) of each launch that the driver saw, or None.
        seconds: From the first launch to the end of its synchronisation.
        unstable: The results that a later execution left otherwise.
        error: The engine's text if it failed; it is of no use afterwards.
        phase: In which it failed.
        buffers: Every argument as it lies on the device, for an engine of this process.
    """

    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    traced: tuple[tuple[str, tuple[int, int, int], tuple[int, int, int]], ...] | None = None
    seconds: float = 0.0
    unstable: tuple[str, ...] = ()
    error: str = ""
    phase: str = ""
    buffers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OnDevice:
    """The state of a launch on the device; it never leaves the engine's process.

    Attributes:
        buffers: Every argument and what was returned, by name; results that are arguments with their guards.
        model: What was executed.
        arguments: On what, in the op's order; results without their guards, and scalars last.
        pristine: The results as they were given, if the launch is repeated.
        traced: As in `LaunchReply`.
        seconds: As in `LaunchReply`.
    """

    buffers: dict[str, Any]
    model: Any
    arguments: list[Any]
    pristine: dict[str, Any]
    traced: tuple[tuple[str, tuple[int, int, int], tuple[int, int, int]], ...] | None
    seconds: float
