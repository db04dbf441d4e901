"""Which engine ran a launch, for whoever reads results and simulates nothing."""

from dataclasses import dataclass

__all__ = ["Ran"]

LONG = 0.1  # seconds: what takes less is interpreted for its size anyway


@dataclass(frozen=True, slots=True)
class Ran:
    """What ran a launch.

    Attributes:
        native: How many of its blocks machine code of the host ran.
        python: How many the engine in Python ran.
        why: Why that did, for people; empty where machine code was not asked for, or ran all.
        observers: The observers for which all of it was interpreted, by the names of their classes: others can take
            the proof of machine code in place of events, see `Observer.adopt`.
    """

    native: int = 0
    python: int = 0
    why: str = ""
    observers: tuple[str, ...] = ()

    def is_reported(self, engine: str, seconds: float) -> bool:
        """Return whether a note is worth printing: machine code was asked for, or an observer makes a launch long."""
        return engine == "native" or (bool(self.observers) and seconds > LONG)

    def told(self, kernel: str) -> str:
        """A line for whoever asked for machine code."""
        if self.native:
            others = f" with these; {self.python} ran in Python because of {self.why}" if self.python else ""
            return f"note: {kernel} ran as machine code, {self.native} blocks, which proved that all is well{others}."
        return f"note: {kernel} ran in Python because of {self.why}."
