"""What is said to an engine and what it answers: over a channel to a child, or within this process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["Argument", "LaunchOrder", "LaunchReply", "OnDevice", "Phase", "Ready", "Warmup"]


@dataclass(frozen=True, slots=True)
class Ready:
    """The device that the worker holds: its name, its interface and its architecture."""

    name: str
    api: str
    architecture: str


@dataclass(frozen=True, slots=True)
class Phase:
    """What begins now."""

    name: str


@dataclass(frozen=True, slots=True)
class Argument:
    """One tensor of an op.

    Attributes:
        name: In the kernel's signature.
        array: Its contents. With a shape it is flat, `LaunchOrder.guard` guard
            elements on both sides of a result of that shape; without, an input,
            for an engine of the same process also a buffer on its device.
        shape: Of a result, without its guards, or None for an input.
        upload: False for memory that stays as it was allocated.
    """

    name: str
    array: np.ndarray | Any
    shape: tuple[int, ...] | None = None
    upload: bool = True


@dataclass(frozen=True, slots=True)
class Warmup:
    """A launch that fills the shared memory of every multiprocessor (`harness/build/mojo/`).

    Attributes:
        mef: The compiled artifact.
        graph: The model in it.
        blocks: Elements of its witness, one for each block.
        word: The pattern, 4 bytes.
    """

    mef: str
    graph: str
    blocks: int
    word: int


@dataclass(frozen=True, slots=True)
class LaunchOrder:
    """One launch.

    Attributes:
        mef: The compiled artifact.
        graph: The model in it.
        arguments: In the op's order.
        guard: Elements of a guard.
        repeats: Executions, each on results as they were given.
        warmup: What is launched first, or None.
        scalars: In the op's order, behind the arguments; they stay in the host's memory.
        returned: The names of what the model itself gives, in memory of the engine's, without guards.
    """

    mef: str
    graph: str
    arguments: tuple[Argument, ...]
    guard: int
    repeats: int = 1
    warmup: Warmup | None = None
    scalars: tuple[np.generic, ...] = ()
    returned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LaunchReply:
    """What a launch left behind.

    Attributes:
        arrays: Every argument after the first execution, and what it returned, by name.
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
    """What a launch left on the device; it never leaves the engine's process.

    Attributes:
        buffers: Every argument and what was returned, by name; results that are arguments with their guards.
        model: What was executed.
        arguments: On what, in the op's order; results without their guards, and scalars last.
        pristine: The results as they were given, if the launch may be repeated.
        traced: As in `LaunchReply`.
        seconds: As in `LaunchReply`.
    """

    buffers: dict[str, Any]
    model: Any
    arguments: list[Any]
    pristine: dict[str, Any]
    traced: tuple[tuple[str, tuple[int, int, int], tuple[int, int, int]], ...] | None
    seconds: float
