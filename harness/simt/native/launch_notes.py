"""Ask observers what compiled code should count; separate those who take a proof from those who need events."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from harness.simt.native.analysis.notes import CLUSTERS, LOCKSTEP
from harness.simt.observe import Observer, RunningLaunch

__all__ = ["LaunchNotes", "ask_observers", "in_lockstep"]


class LaunchNotes(NamedTuple):
    """The observers of a launch, by whether they take a proof, and what compiled code notes for them.

    Attributes:
        with_proof: The observers that take a proof in place of all that they would see.
        unknown: The others; blocks are interpreted for them.
        notes: What compiled code notes for those that take a proof.
    """

    with_proof: list[Observer]
    unknown: list[Observer]
    notes: frozenset[str]


def ask_observers(engine: RunningLaunch, observers: Iterable[Observer]) -> LaunchNotes:
    """Ask each observer once what it wants noted, and return them by whether they take a proof.

    An observer takes none if its class does not override `adopt`, or its `notes` returns None. `CLUSTERS` is added for
    a launch with clusters. The notes are those of lockstep if the launch has one block and `ways` (counts by control
    path) is noted, or if `ways` or `global` is noted and an earlier launch of the kernel needed lockstep.
    """
    with_proof: list[Observer] = []
    unknown: list[Observer] = []
    notes: set[str] = set()
    for observer in observers:
        noted = None if type(observer).adopt is Observer.adopt else observer.notes()
        if noted is None:
            unknown.append(observer)
        else:
            with_proof.append(observer)
            notes |= noted
    if engine.cluster_size > 1:
        notes.add(CLUSTERS)
    alone = "ways" in notes and math.prod(engine.grid) == 1
    if alone or (notes & {"global", "ways"} and engine.program.cache.lockstep):
        return LaunchNotes(with_proof, unknown, in_lockstep(notes))
    return LaunchNotes(with_proof, unknown, frozenset(notes))


def in_lockstep(notes: Iterable[str]) -> frozenset[str]:
    """Return notes by which code counts every block, in lockstep: without `ways`, with `elements` and `global`."""
    return frozenset(notes) - {"ways"} | {"elements", "global", LOCKSTEP}
