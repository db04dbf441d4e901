"""The size at which a case runs where it is not the documented one."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SmallSize"]


@dataclass(frozen=True, slots=True)
class SmallSize:
    """What the simulator has instead of a documented size.

    Attributes:
        constant: The name under which the kernel's file states the size, `SIZE`.
        value: In the simulator.
        documented: In the file, and on a GPU.
    """

    constant: str
    value: int
    documented: int
