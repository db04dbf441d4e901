"""Exact happens-before: log all synchronisation, and follow single accesses through the log, within limits.

`SyncLog` keeps all synchronisation; `AccessReach` follows one access forward through it: through barriers of a part of
a block, partial warps, fences, atomics with their scopes, and arrivals that only a fence orders. If whole groups
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
from harness.simt.observing.race_shadow import ThreadNumbering

__all__ = ["AccessReach", "HappensBefore", "SyncLog", "mbarrier_inits"]

MAX_REACHES = 64  # accesses whose reach is kept from event to event
REACH_BYTES = 1 << 26
MBARRIER_INIT = "llvm.nvvm.mbarrier.init"
MAX_ENTRIES = 50_000  # of the log, in all; as many again for the accesses beyond `MAX_REACHES` at one event
# The releases to a location: for (block, or 0 for all, and scope) one thread.
Releases: TypeAlias = dict[tuple[int, int], int]


class SyncLog:
    """All synchronisation, in order; the entry at index `n` happened at time n + 1.

    Attributes:
        partial: Whether something was seen that `VectorClocks` does not know of.
    """

    def __init__(self) -> None:
        self.entries: list[tuple[Any, ...]] = []
        self.partial = False

    @property
    def time(self) -> int:
        """The time of the last entry, 0 without any: what happens now comes after that one."""
        return len(self.entries)

    @property
    def is_order_invariant(self) -> bool:
        """True if every order of the threads synchronises the same: only whole groups do, and nothing is atomic."""
        return not self.partial and all(kind != "atomic" for kind, *_ in self.entries)

    def add(self, *entry: Any) -> int:
        """Append (kind, address spaces, arguments of `AccessReach`'s method for it); return its time, from 1 on."""
        self.entries.append(entry)
        return len(self.entries)


class AccessReach:
    """The threads that know of one access, as the log goes on.

    Args:
        space: The address space of the access.
        who, time: Its thread, and when it was.
        observed: Whether threads that read what it wrote, directly or through other atomics, know of it.
        initial: Whether it initialised an mbarrier, which has a fence of its own.
        sequential: Whether sequentially consistent fences synchronize, as on NVIDIA.
    """

    def __init__(
        self,
        shape: ThreadNumbering,
        space: str,
        who: int,
        time: int,
        observed: bool = False,
        initial: bool = False,
        sequential: bool = False,
    ) -> None:
        self.shape, self.space, self.at = shape, space, time
        self.who, self.begins, self.observed, self.initial = who, time, observed, initial
        self.location = self.last_writer = -1  # its location, and the thread that last wrote there, with its scope
        self.last_scope = COPY
        self.known: Booleans = np.zeros(shape.total, bool)
        self.fenced: Integers = np.full(shape.total, -2, np.int8)
        self.pending: Booleans = np.zeros(shape.total, bool)
        self.releases: dict[int, Releases] = {}
        self.arrived: set[tuple[int, int]] = set()
        self.read_releases: dict[int, list[tuple[int, Releases]]] = {}
        self.phase_releases: dict[int, dict[int, Releases]] = {}  # arrivals, by barrier and phase
        self.known[who] = True
        self._fences = FenceOrder(shape.total) if sequential else None
        self._narrow = False  # whether any release reaches fewer than all threads

    def advance(self, log: SyncLog, check_time: Callable[[], None]) -> None:
        """Apply the log's entries since the last call, or the access; call `check_time`, which may raise, for each."""
        entries = log.entries
        while self.at < len(entries):
            kind, spaces, *rest = entries[self.at]
            self.at += 1
            check_time()
            if self.space in spaces:
                getattr(self, f"_{kind}")(*rest)

    def _meet(self, givers: Integers, giving: Integers, takers: Integers, taking: Integers) -> None:
        """Let all takers of a group know of the access if one of its givers does; pass on `FenceOrder` likewise.

        `giving` has the number of each giver's group, `taking` that of each taker's.
        """
        self._spread(self.known[givers], giving, takers, taking, self.known)
        if self._fences:
            self._fences.join(givers, giving, takers, taking)

    def _spread(self, known: Booleans, giving: Integers, takers: Integers, taking: Integers, target: Booleans) -> None:
        if known.any():
            groups = distinct(giving[known])
            target[takers[np.isin(taking, groups)]] = True

    def _unfenced(self, givers: Integers, giving: Integers, takers: Integers, taking: Integers) -> None:
        self._spread(self.fenced[givers] >= 1, giving, takers, taking, self.pending)

    def _fence(self, who: Integers, ordering: str, scope: int) -> None:
        if ordering in ACQUIRES:
            self.known[who[self.pending[who] & (scope >= 1)]] = True
            unknown = who[~self.known[who]] if self.read_releases else who[:0]
            for position, thread in enumerate(unknown.tolist()):
                alone = unknown[position : position + 1]
                releases = self.read_releases.get(thread, ())
                if any(self._acquires(alone, min(scope, limit), givers).any() for limit, givers in releases):
                    self.known[thread] = True
        if ordering in RELEASES or (ordering == "begin" and self.initial):
            knowing = who[self.known[who]]
            self.fenced[knowing] = np.maximum(self.fenced[knowing], scope)
        if self._fences and ordering == "seq_cst" and scope >= WIDEST:
            self._fences.fence(who, self.known)

    def _acquires(self, who: Integers, scope: int, givers: Releases) -> Booleans:
        """Return for each thread whether it acquires any release: a copy's, or one if both scopes hold both threads."""
        acquires = np.zeros(len(who), bool)
        for (_, limit), giver in givers.items():
            acquires |= (limit == COPY) | (self.shape.level(who, np.array([giver])) <= min(scope, limit))
        return acquires

    def _observe(self, kind: str, locations: Integers, who: Integers, scope: int) -> None:
        """Let readers of what the access wrote, if in scope, know of it, also through atomics, until another store."""
        threads = who[locations == self.location]
        if self.at - 1 == self.begins:  # the entry of the access itself; its threads are in the order of their turns
            first = int(np.flatnonzero(who == self.who)[0])
            self.location = int(locations[first])
            threads = who[first:][locations[first:] == self.location]
            self.last_writer, self.last_scope, threads = self.who, scope, threads[1:]
        if not len(threads):
            return
        if kind == "store":
            self.observed = False
            return
        before = np.full(len(threads), self.last_writer)
        if kind == "atomic":
            before[1:] = threads[:-1]
        scopes = np.full(len(threads), scope)
        scopes[: 1 if kind == "atomic" else None] = min(scope, self.last_scope)
        observes = self.shape.level(before, threads) <= scopes
        if kind == "atomic":
            observes = np.logical_and.accumulate(observes)
            self.last_writer, self.last_scope, self.observed = int(threads[-1]), scope, bool(observes[-1])
        self.known[threads[observes]] = True

    def _atomic(
        self, kind: str, locations: Integers, who: Integers, ordering: str, scope: int, sees: bool, reads: bool = True
    ) -> None:
        """Follow what strong accesses acquire from their locations, given by keys, and what they release to them.

        `kind` is `load`, `store` or `atomic`; `sees`: loads read the last write; for `reads` see `FenceOrder.access`.
        """
        if self._fences:
            self._fences.access(kind, locations, who, scope, reads)
        if self.observed and (sees or kind != "load"):
            self._observe(kind, locations, who, scope)
        if kind == "store":
            self._publish_stores(locations, who, ordering, scope)
            return
        if not self.releases and not (kind == "atomic" and self._publishes(who, ordering)):
            return
        if ordering in ACQUIRES and scope >= WIDEST and not self._narrow and (kind == "load" or ordering in RELEASES):
            self._pass_on_at_widest(locations, who, kind == "load")
            return
        # Turn by turn: earlier ones know nothing of what a later one releases.
        for location, thread in zip(locations.tolist(), who.tolist(), strict=True):
            givers = self.releases.get(location)
            if givers and not self.known[thread]:
                if ordering in ACQUIRES and self._acquires(np.array([thread]), scope, givers).any():
                    self.known[thread] = True
                self.read_releases.setdefault(thread, []).append((scope, dict(givers)))
            if kind == "atomic":
                release_scope = int(self._release_scope(thread, ordering, scope))
                if release_scope > -2:
                    self._add_release(location, thread, release_scope)

    def _pass_on_at_widest(self, locations: Integers, who: Integers, loads: bool) -> None:
        """Do what `_atomic` does, if all acquire at the widest scope, and also release unless they are `loads`."""
        order = np.argsort(locations, kind="stable")
        locations, who = locations[order], who[order]
        begins = np.flatnonzero(np.diff(locations, prepend=locations[0] - 1))
        group = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(locations)))
        heads = locations[begins].tolist()
        turns = np.arange(len(locations))
        is_released = np.array([location in self.releases for location in heads])
        knowing = np.where(self.known[who] & (not loads), turns, len(locations))
        first = np.where(is_released, -1, np.minimum.reduceat(knowing, begins))
        self.known[who[turns > first[group]]] = True
        for head in np.flatnonzero((first >= 0) & (first < len(locations))).tolist():
            self._add_release(heads[head], int(who[first[head]]), WIDEST)

    def _release_scope(self, who: Any, ordering: str, scope: int) -> Any:
        """Return the scope at which each thread's write releases the access; -2 for not at all."""
        return np.where(self.known[who], scope, -2) if ordering in RELEASES else np.minimum(self.fenced[who], scope)

    def _publishes(self, who: Integers, ordering: str) -> bool:
        return bool(self.known[who].any() if ordering in RELEASES else (self.fenced[who] > -2).any())

    def _add_release(self, location: int, thread: int, scope: int) -> None:
        self._narrow |= scope < WIDEST
        width = int(self.shape.block) if scope < WIDEST else self.shape.total
        self.releases.setdefault(location, {}).setdefault((thread // width, scope), thread)

    def _publish_stores(self, locations: Integers, who: Integers, ordering: str, scope: int) -> None:
        for location in locations.tolist() if self.releases else ():
            self.releases.pop(location, None)
        scopes = self._release_scope(who, ordering, scope)
        for position in np.flatnonzero(scopes > -2).tolist():
            self._add_release(int(locations[position]), int(who[position]), int(scopes[position]))

    def _phase_arrive(self, barriers: Integers, phases: Integers, who: Integers, strong: bool, scope: int) -> None:
        """Note what arrivals at mbarriers release, by phase; those not strong release what their thread fenced."""
        scopes = np.where(self.known[who], scope, -2) if strong else np.minimum(self.fenced[who], scope)
        releasing = np.flatnonzero(scopes > -2)[::-1]  # the first of those that are alike comes last, and stays
        columns = barriers, phases, who // self.shape.block, scopes
        keys = zip(*(column[releasing].tolist() for column in columns), strict=True)
        for (barrier, phase, *key), giver in dict(zip(keys, who[releasing].tolist(), strict=True)).items():
            givers = self.phase_releases.setdefault(barrier, {}).setdefault(phase, {})
            givers.setdefault((key[0], key[1]), giver)

    def _phase_wait(self, barriers: Integers, phases: Integers, who: Integers, strong: bool, scope: int) -> None:
        """Follow waits at mbarriers: strong ones in scope acquire arrivals up to their phase, others at a fence."""
        if not self.phase_releases or self.known[who].all():
            return
        for barrier in set(barriers.tolist()) & self.phase_releases.keys():
            for arrived, givers in self.phase_releases[barrier].items():
                waiting = who[(barriers == barrier) & (phases >= arrived)]
                waiting = waiting[~self.known[waiting]]
                if strong:
                    acquires = self._acquires(waiting, scope, givers)
                    self.known[waiting[acquires]] = True
                    waiting = waiting[~acquires]
                for thread in waiting.tolist():
                    self.read_releases.setdefault(thread, []).append((scope, dict(givers)))

    def _arrive(self, who: Integers, clusters: Integers, phases: Integers, release: bool) -> None:
        releases = self.known[who] if release else self.fenced[who] >= 2
        pairs = np.stack((clusters, phases), 1)[releases]
        self.arrived.update(map(tuple, np.unique(pairs, axis=0).tolist()))

    def _wait(self, who: Integers, clusters: Integers, phases: Integers) -> None:
        for cluster, phase in self.arrived:
            self.known[who[(clusters == cluster) & (phases == phase + 1)]] = True


class HappensBefore:
    """Follow accesses through the log, within limits of time and memory.

    Attributes:
        given_up: The first access that was not followed, if any.
        sequential: See `AccessReach`.
    """

    def __init__(self, shape: ThreadNumbering, log: SyncLog, check_time: Callable[[], None], sequential: bool) -> None:
        self.shape, self.log, self._check_time, self.sequential = shape, log, check_time, sequential
        self.given_up: Site | None = None
        self._reaches: dict[tuple[str, int, int, bool, bool], AccessReach] = {}
        self._entries_followed = [0, 0]  # for the first `MAX_REACHES` accesses at each event, and for further ones

    def find_unordered(
        self,
        space: str,
        them: Integers,
        times: Integers,
        who: Integers,
        site: Site,
        observed: Booleans,
        initial: Booleans,
    ) -> Booleans:
        """Return for each thread of an access at `site` whether nothing orders it after its earlier access.

        `them`, `times`, `observed` and `initial` are of each thread's earlier access; see `AccessReach`. Once
        `MAX_ENTRIES` are followed, the rest counts as unordered; but if the log is partial, as ordered, and `given_up`
        becomes `site`, unless set.
        """
        keys, inverse = np.unique(np.stack((them, times, observed, initial), 1), axis=0, return_inverse=True)
        inverse = inverse.reshape(-1)
        unknown = np.full(len(who), not self.log.partial)
        for number, (first, time, is_observed, is_initial) in enumerate(keys.tolist()):
            key, is_further = (space, first, time, bool(is_observed), bool(is_initial)), number >= MAX_REACHES
            reach = self._reaches.get(key) or AccessReach(self.shape, *key, self.sequential)
            if not is_further and key not in self._reaches:
                if len(self._reaches) >= min(MAX_REACHES, 1 + REACH_BYTES // (3 * self.shape.total)):
                    self._reaches.clear()
                self._reaches[key] = reach
            self._entries_followed[is_further] += max(self.log.time - reach.at, is_further)  # a new reach costs time
            if self._entries_followed[is_further] > MAX_ENTRIES:
                self.given_up = self.given_up or (site if self.log.partial else None)
                break
            reach.advance(self.log, self._check_time)
            positions = inverse == number
            unknown[positions] = ~reach.known[who[positions]]
        return unknown


def mbarrier_inits(program: Program) -> set[Site]:
    """Return the instructions that initialise mbarriers."""
    return {site for site, intrinsic in intrinsic_calls(program.segments) if intrinsic.name.startswith(MBARRIER_INIT)}
