"""What orders the accesses of different threads, exactly.

`Log` keeps all synchronisation; from it `Reach` follows one access forward:
through barriers of a part of a block, partial warps, fences, atomics with their
scopes, and arrivals that are ordered by a fence only. Where all of a group
synchronise, `harness.simt.observing.race_clocks` knows as much, at once.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from harness.simt.arrays import Booleans, Integers, distinct
from harness.simt.compile.program import Program
from harness.simt.compile.segments import intrinsic_calls
from harness.simt.ir.opcodes import ACQUIRES, RELEASES
from harness.simt.ir.site import Site
from harness.simt.observing.race_clocks import COPY
from harness.simt.observing.race_fences import WIDEST, FenceOrder
from harness.simt.observing.race_shadow import Shape

__all__ = ["Log", "Reach", "Reaches", "beginnings"]

REACHES = 64  # accesses of one event that are followed through the log
REACH_BYTES = 1 << 26
BEGIN = "llvm.nvvm.mbarrier.init"
FOLLOWED = 50_000  # entries of the log, in all
# Who published to a place: for (block or all, scope) one thread.
Givers: TypeAlias = dict[tuple[int, int], int]


class Log:
    """All synchronisation, in order; the entry at `n` happened at time n + 1.

    Attributes:
        partial: Whether something was seen that `Clocks` does not know of.
    """

    def __init__(self) -> None:
        self.entries: list[tuple[Any, ...]] = []
        self.partial = False

    @property
    def time(self) -> int:
        """The time of what happens next."""
        return len(self.entries)

    @property
    def settled(self) -> bool:
        """Whether who meets whom is the same in any order: whole groups do, and nobody has atomics or volatiles."""
        return not self.partial and all(kind != "atomic" for kind, *_ in self.entries)

    def add(self, *entry: Any) -> int:
        """Adds an entry; returns its time."""
        self.entries.append(entry)
        return len(self.entries)


class Reach:
    """Which threads know of one access, as the log goes on.

    Args:
        space: The address space of the access.
        who, time: Whose it was, and when.
        observed: Whether those who find what it left, itself or through other atomics, know of it.
        initial: Whether with it a barrier in shared memory began, which has a fence of its own.
        sequential: Whether sequentially consistent fences synchronize, as on NVIDIA.
    """

    def __init__(
        self,
        shape: Shape,
        space: str,
        who: int,
        time: int,
        observed: bool = False,
        initial: bool = False,
        sequential: bool = False,
    ) -> None:
        self.shape, self.space, self.at = shape, space, time
        self.who, self.begins, self.observed, self.initial = who, time, observed, initial
        self.place = self.left = -1  # its place, and which thread left what stands there, with a scope
        self.left_scope = COPY
        self.known: Booleans = np.zeros(shape.total, bool)
        self.fenced: Integers = np.full(shape.total, -2, np.int8)
        self.pending: Booleans = np.zeros(shape.total, bool)
        self.places: dict[int, Givers] = {}
        self.arrived: set[tuple[int, int]] = set()
        self.read: dict[int, list[tuple[int, Givers]]] = {}
        self.phased: dict[int, dict[int, Givers]] = {}  # who arrived, by place and phase
        self.known[who] = True
        self._fences = FenceOrder(shape.total) if sequential else None
        self._narrow = False  # whether somebody published to fewer than all threads

    def advance(self, log: Log, check_time: Callable[[], None]) -> None:
        """Follows the log to its end, which may take long."""
        entries = log.entries
        while self.at < len(entries):
            kind, spaces, *rest = entries[self.at]
            self.at += 1
            check_time()
            if self.space in spaces:
                getattr(self, f"_{kind}")(*rest)

    def _meet(self, givers: Integers, giving: Integers, takers: Integers, taking: Integers) -> None:
        """Groups meet: what a giver knows all takers of its group know."""
        self._spread(self.known[givers], giving, takers, taking, self.known)
        if self._fences:
            self._fences.meet(givers, giving, takers, taking)

    def _spread(self, known: Booleans, giving: Integers, takers: Integers, taking: Integers, target: Booleans) -> None:
        if known.any():
            groups = distinct(giving[known])
            target[takers[np.isin(taking, groups)]] = True

    def _unfenced(self, givers: Integers, giving: Integers, takers: Integers, taking: Integers) -> None:
        self._spread(self.fenced[givers] >= 1, giving, takers, taking, self.pending)

    def _fence(self, who: Integers, ordering: str, scope: int) -> None:
        if ordering in ACQUIRES:
            self.known[who[self.pending[who] & (scope >= 1)]] = True
            unknown = who[~self.known[who]] if self.read else who[:0]
            for at, thread in enumerate(unknown.tolist()):
                one = unknown[at : at + 1]
                if any(self._covers(one, min(scope, own), givers).any() for own, givers in self.read.get(thread, ())):
                    self.known[thread] = True
        if ordering in RELEASES or (ordering == "begin" and self.initial):
            here = who[self.known[who]]
            self.fenced[here] = np.maximum(self.fenced[here], scope)
        if self._fences and ordering == "seq_cst" and scope >= WIDEST:
            self._fences.fence(who, self.known)

    def _covers(self, who: Integers, scope: int, givers: Givers) -> Booleans:
        """Which of some threads meet one of (scope, thread) when they acquire with a scope."""
        met = np.zeros(len(who), bool)
        for (_, own), giver in givers.items():
            met |= (own == COPY) | (self.shape.level(who, np.array([giver])) <= min(scope, own))
        return met

    def _observe(self, kind: str, places: Integers, who: Integers, scope: int) -> None:
        """Follows what the access left at its place: each who finds it there knows of it, and may pass it on."""
        here = who[places == self.place]
        if self.at - 1 == self.begins:  # the entry of the access itself, whose threads are in the order of their turns
            begin = int(np.flatnonzero(who == self.who)[0])
            self.place = int(places[begin])
            here = who[begin:][places[begin:] == self.place]
            self.left, self.left_scope, here = self.who, scope, here[1:]
        if not len(here):
            return
        if kind == "store":
            self.observed = False
            return
        before = np.full(len(here), self.left)
        if kind == "atomic":
            before[1:] = here[:-1]
        scopes = np.full(len(here), scope)
        scopes[: 1 if kind == "atomic" else None] = min(scope, self.left_scope)
        finds = self.shape.level(before, here) <= scopes
        if kind == "atomic":
            finds = np.logical_and.accumulate(finds)
            self.left, self.left_scope, self.observed = int(here[-1]), scope, bool(finds[-1])
        self.known[here[finds]] = True

    def _atomic(
        self, kind: str, places: Integers, who: Integers, ordering: str, scope: int, finds: bool, reads: bool = True
    ) -> None:
        """Strong accesses: `load`, `store` or `atomic`, of places given by a key; whether they find what is there.

        Args:
            reads: See `FenceOrder.access`.
        """
        if self._fences:
            self._fences.access(kind, places, who, scope, reads)
        if self.observed and (finds or kind != "load"):
            self._observe(kind, places, who, scope)
        if kind == "store":
            self._publish(places, who, ordering, scope)
            return
        if not self.places and not (kind == "atomic" and self._publishes(who, ordering)):
            return
        if ordering in ACQUIRES and scope >= WIDEST and not self._narrow and (kind == "load" or ordering in RELEASES):
            self._pass_on(places, who, kind == "load")
            return
        # Turn by turn: who was earlier knows nothing of what a later one released.
        for place, thread in zip(places.tolist(), who.tolist(), strict=True):
            givers = self.places.get(place)
            if givers and not self.known[thread]:
                if ordering in ACQUIRES and self._covers(np.array([thread]), scope, givers).any():
                    self.known[thread] = True
                self.read.setdefault(thread, []).append((scope, dict(givers)))
            if kind == "atomic":
                own = int(self._own(thread, ordering, scope))
                if own > -2:
                    self._give(place, thread, own)

    def _pass_on(self, places: Integers, who: Integers, loads: bool) -> None:
        """As turn by turn, where no scope keeps anybody apart: all know who come to a place after one that knows."""
        order = np.argsort(places, kind="stable")
        places, who = places[order], who[order]
        begins = np.flatnonzero(np.diff(places, prepend=places[0] - 1))
        group = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(places)))
        heads = places[begins].tolist()
        turns = np.arange(len(places))
        given = np.array([place in self.places for place in heads])
        knowing = np.where(self.known[who] & (not loads), turns, len(places))
        first = np.where(given, -1, np.minimum.reduceat(knowing, begins))
        self.known[who[turns > first[group]]] = True
        for head in np.flatnonzero((first >= 0) & (first < len(places))).tolist():
            self._give(heads[head], int(who[first[head]]), WIDEST)

    def _own(self, who: Any, ordering: str, scope: int) -> Any:
        """How far what each of some threads leaves tells of the access; -2 for not at all."""
        return np.where(self.known[who], scope, -2) if ordering in RELEASES else np.minimum(self.fenced[who], scope)

    def _publishes(self, who: Integers, ordering: str) -> bool:
        return bool(self.known[who].any() if ordering in RELEASES else (self.fenced[who] > -2).any())

    def _give(self, place: int, thread: int, own: int) -> None:
        self._narrow |= own < WIDEST
        width = int(self.shape.block) if own < WIDEST else self.shape.total
        self.places.setdefault(place, {}).setdefault((thread // width, own), thread)

    def _publish(self, places: Integers, who: Integers, ordering: str, scope: int) -> None:
        for place in places.tolist() if self.places else ():
            self.places.pop(place, None)
        own = self._own(who, ordering, scope)
        for at in np.flatnonzero(own > -2).tolist():
            self._give(int(places[at]), int(who[at]), int(own[at]))

    def _phase_arrive(self, places: Integers, phases: Integers, who: Integers, strong: bool, scope: int) -> None:
        """Threads arrive at barriers in shared memory."""
        own = np.where(self.known[who], scope, -2) if strong else np.minimum(self.fenced[who], scope)
        at = np.flatnonzero(own > -2)[::-1]  # the first of those that are alike comes last, and stays
        alike = zip(*(part[at].tolist() for part in (places, phases, who // self.shape.block, own)), strict=True)
        for (place, phase, *key), giver in dict(zip(alike, who[at].tolist(), strict=True)).items():
            givers = self.phased.setdefault(place, {}).setdefault(phase, {})
            givers.setdefault((key[0], key[1]), giver)

    def _phase_wait(self, places: Integers, phases: Integers, who: Integers, strong: bool, scope: int) -> None:
        """Threads know that a phase of theirs has ended, and all before it."""
        if not self.phased or self.known[who].all():
            return
        for place in set(places.tolist()) & self.phased.keys():
            for arrived, givers in self.phased[place].items():
                here = who[(places == place) & (phases >= arrived)]
                here = here[~self.known[here]]
                if strong:
                    met = self._covers(here, scope, givers)
                    self.known[here[met]] = True
                    here = here[~met]
                for thread in here.tolist():
                    self.read.setdefault(thread, []).append((scope, dict(givers)))

    def _arrive(self, who: Integers, clusters: Integers, phases: Integers, release: bool) -> None:
        give = self.known[who] if release else self.fenced[who] >= 2
        pairs = np.stack((clusters, phases), 1)[give]
        self.arrived.update(map(tuple, np.unique(pairs, axis=0).tolist()))

    def _wait(self, who: Integers, clusters: Integers, phases: Integers) -> None:
        for cluster, phase in self.arrived:
            self.known[who[(clusters == cluster) & (phases == phase + 1)]] = True


class Reaches:
    """Follows accesses through the log, as far as that can be afforded.

    Attributes:
        given_up: The first access that was not followed, if any.
        sequential: See `Reach`.
    """

    def __init__(self, shape: Shape, log: Log, check_time: Callable[[], None], sequential: bool = False) -> None:
        self.shape, self.log, self._check_time, self.sequential = shape, log, check_time, sequential
        self.given_up: Site | None = None
        self._reaches: dict[tuple[str, int, int, bool, bool], Reach] = {}
        self._followed = 0

    def unreached(
        self,
        space: str,
        them: Integers,
        times: Integers,
        who: Integers,
        site: Site,
        observed: Booleans,
        initial: Booleans,
    ) -> Booleans:
        """Which of an access's threads do not know of earlier accesses, given by thread and time.

        Of those that were not followed, only what the log might order counts as known.

        Args:
            observed: Which of the earlier accesses are known to those who find what they left.
            initial: With which of them a barrier in shared memory began.
        """
        keys, inverse = np.unique(np.stack((them, times, observed, initial), 1), axis=0, return_inverse=True)
        inverse = inverse.reshape(-1)
        unknown = np.full(len(who), not self.log.partial)
        for number, (first, time, seen, begun) in enumerate(keys[:REACHES].tolist()):
            key = space, first, time, bool(seen), bool(begun)
            reach = self._reaches.get(key)
            if reach is None:
                if len(self._reaches) >= min(REACHES, 1 + REACH_BYTES // (3 * self.shape.total)):
                    self._reaches.clear()
                reach = self._reaches[key] = Reach(self.shape, *key, self.sequential)
            self._followed += self.log.time - reach.at
            if self._followed > FOLLOWED:
                self.given_up = self.given_up or (site if self.log.partial else None)
                break
            reach.advance(self.log, self._check_time)
            here = inverse == number
            unknown[here] = ~reach.known[who[here]]
        return unknown


def beginnings(program: Program) -> set[Site]:
    """Where barriers in shared memory begin."""
    return {site for site, intrinsic in intrinsic_calls(program.segments) if intrinsic.name.startswith(BEGIN)}
