"""How much of the inputs a kernel is told that there is, and at which size a case runs."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Size", "SmallSize"]


@dataclass(frozen=True, slots=True)
class Size:
    """A scalar argument that says how much of the inputs there is.

    Attributes:
        argument: Its name.
        most: Its largest value, from 1 on; it counts along the last axis of every input.
    """

    argument: str
    most: int


@dataclass(frozen=True, slots=True)
class SmallSize:
    """What the simulator has instead of a documented size.

    Attributes:
        constant: The name under which the kernel's file states the size, `SIZE`, or a host function takes it.
        value: In the simulator.
        documented: In the file, and on a GPU.
    """

    constant: str
    value: int
    documented: int
