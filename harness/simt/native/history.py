"""Store in the object cache how long past processes interpreted a kernel, and whether it is compiled or hopeless.

A process by itself may not run a kernel long enough for machine code to be worth making; many of them together do.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.simt.compile.program import Program
from harness.simt.options import Objects

__all__ = ["History", "history_of"]

FORMAT = 2  # raise it when what is kept changes its meaning
LEAST = 0.05  # seconds that are worth noting
GROWTH = 1.5  # how many times more it must be to be noted again


@dataclass(slots=True, eq=False)
class History:
    """Facts of a kernel from processes before this one.

    Attributes:
        usual: The seconds of CPU that its launches took interpreted in one process, at most.
        total: Those of all processes together.
        rate: Those of its last launch for each thread.
        is_compiled: Whether there is optimised machine code of it, made by now.
        is_hopeless: Whether it cannot be compiled, or its compiled launches are not proved clean.
    """

    usual: float = 0.0
    total: float = 0.0
    rate: float = 0.0
    is_compiled: bool = False
    is_hopeless: bool = False
    _noted: float = field(default=0.0, repr=False)

    def note(self, program: Program, objects: Objects | None, *, is_compiled: bool = False) -> None:
        """Store the history, with the time for which this process interpreted the kernel, in the object cache.

        It is stored if that time is 0.05 s or more and 1.5 times the time last stored, or if the kernel is compiled for
        the first time and that time plus `usual` is 0.05 s or more. Only then is the attribute `is_compiled` set. Does
        nothing without an object cache or for a hopeless kernel.
        """
        spent = program.cache.cpu_seconds
        has_grown = spent >= max(LEAST, GROWTH * self._noted)
        is_new = is_compiled and not self.is_compiled and self.usual + spent >= LEAST
        if objects is not None and not self.is_hopeless and (has_grown or is_new):
            self.is_compiled, self._noted = self.is_compiled or is_compiled, spent
            self._write(program, objects)

    def give_up(self, program: Program, objects: Objects | None) -> None:
        """Set `is_hopeless` and store the history, if there is an object cache and an earlier process noted the kernel.

        Otherwise, or if it is set, nothing changes.
        """
        if objects is not None and not self.is_hopeless and self.usual:
            self.is_hopeless = True
            self._write(program, objects)

    def _write(self, program: Program, objects: Objects) -> None:
        """Write this history, with this process's time added, to the object cache; the attributes do not change."""
        cache = program.cache
        seconds = (
            max(self.usual, cache.cpu_seconds),
            self.total + cache.cpu_seconds,
            cache.rate or self.rate,
        )
        facts = [f"{each:.1e}" for each in seconds] + [
            str(int(is_so)) for is_so in (self.is_compiled, self.is_hopeless)
        ]
        objects.put(_key(program), " ".join(facts).encode())


def history_of(program: Program, objects: Objects | None) -> History:
    """Return the history of a kernel, which is kept with the program.

    The first call reads it from the object cache, or makes an empty one if there is no cache or it has none of this
    kernel; later calls return the same object.
    """
    cache = program.cache
    if cache.history is None:
        cache.history = History()
        stored = objects.get(_key(program)) if objects is not None else None
        if stored is not None:
            usual, total, rate, is_compiled, is_hopeless = map(float, stored.split())
            cache.history = History(usual, total, rate, bool(is_compiled), bool(is_hopeless))
    history: History = cache.history
    return history


def _key(program: Program) -> str:
    return f"interpreted {FORMAT} {program.cache.identity}"
