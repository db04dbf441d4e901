"""How much of the inputs a kernel is told that there is, and at which size a case runs."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["OtherSize", "Size"]


@dataclass(frozen=True, slots=True)
class Size:
    """A scalar argument that says how much of the inputs there is.

    Attributes:
        argument: Its name.
        most: Its documented value, which is its largest; it counts along the last axis of every input.
        least: From which on the documents' own kernel is right.
    """

    argument: str
    most: int
    least: int = 1


@dataclass(frozen=True, slots=True)
class OtherSize:
    """What a case has instead of a documented size.

    Attributes:
        constant: The name under which the kernel's file states the size, `SIZE`, or a host function takes it.
        value: With which the file is compiled.
        documented: In the file; None where that depends on the warp width.
    """

    constant: str
    value: int
    documented: int | None = None
