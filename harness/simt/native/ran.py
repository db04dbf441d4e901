"""Which engine ran a launch, for whoever reads results and simulates nothing."""

from dataclasses import dataclass

__all__ = ["Ran"]


@dataclass(frozen=True, slots=True)
class Ran:
    """What ran a launch.

    Attributes:
        native: How many of its blocks machine code of the host ran.
        python: How many the engine in Python ran.
        why: Why that did, for people; empty where machine code was not asked for, or ran all.
    """

    native: int = 0
    python: int = 0
    why: str = ""
