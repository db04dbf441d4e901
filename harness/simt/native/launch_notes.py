"""What the observers of a launch have machine code note."""

from __future__ import annotations

import math
from collections.abc import Iterable

from harness.simt.declined import UnknownObserver
from harness.simt.native.analysis.notes import CLUSTERS, LOCKSTEP
from harness.simt.observe import Observer, RunningLaunch

__all__ = ["in_lockstep", "notes_of", "unknown_observers"]


def notes_of(engine: RunningLaunch, observers: list[Observer]) -> frozenset[str]:
    """Return what observers want noted.

    Raises:
        Declined: The compiler does not know one of them, or there is nothing that the notes save.
    """
    if unknown := unknown_observers(observers):
        raise UnknownObserver.of(unknown)
    notes = {name for one in observers for name in one.notes() or ()}
    if engine.cluster_size > 1:
        notes.add(CLUSTERS)
    alone = "ways" in notes and math.prod(engine.grid) == 1
    if alone or (notes & {"global", "ways"} and engine.program.cache.lockstep):
        return in_lockstep(notes)
    return frozenset(notes)


def in_lockstep(notes: Iterable[str]) -> frozenset[str]:
    """Return notes by which all is counted of each block, where some stood for others before."""
    return frozenset(notes) - {"ways"} | {"elements", "global", LOCKSTEP}


def unknown_observers(observers: Iterable[Observer]) -> list[Observer]:
    """Return those that have no part for launches that machine code proves."""
    return [one for one in observers if type(one).adopt is Observer.adopt or one.notes() is None]
