"""What orders the accesses of different threads.

`Clocks` has, for each lane of the chunk, up to when it knows what its warp and
its block did, and the phases of its cluster's barrier that it waited for: enough
where all of a group synchronise, and never more than is true. `Log` keeps all
synchronisation; from it `Reach` follows one access forward, exactly: through
barriers of a part of a block, partial warps, fences, atomics with their scopes,
and arrivals that are ordered by a fence only.
"""

import numpy as np

__all__ = ["RELEASES", "SCOPES", "SPACES", "Clocks", "Log", "Reach"]

SPACES = ("global", "shared")
SCOPES = {"thread": -1, "warp": 0, "block": 1, "cluster": 2, "device": 3, "system": 3}
RELEASES = frozenset({"release", "acq_rel", "seq_cst"})
ACQUIRES = frozenset({"acquire", "acq_rel", "seq_cst"})


class Clocks:
    """What each lane of a chunk knows, as times; what is earlier is ordered.

    Attributes:
        warp, block: By space and lane, when the lane last met all of its group.
        phases: How often each lane arrived at its cluster's barrier.
        waited: The phases before this one are ordered.
    """

    def __init__(self, lanes):
        self.warp = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.block = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.released = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.pending = {space: np.zeros(lanes, np.int64) for space in SPACES}
        self.phases = np.zeros(lanes, np.int64)
        self.waited = np.zeros(lanes, np.int64)
        self.relaxed = set()

    def meet_block(self, space, idx, time):
        """All of some blocks meet at a barrier."""
        self.block[space][idx] = time
        self.warp[space][idx] = time

    def meet_unfenced(self, space, idx, rows, blocks):
        """All of some blocks meet; what they fenced before may be acquired."""
        least = np.full(blocks, np.iinfo(np.int64).max)
        np.minimum.at(least, rows, self.released[space][idx])
        self.pending[space][idx] = least[rows]

    def fence(self, space, idx, ordering, time):
        """Lanes fence at the scope of a block or wider."""
        if ordering in ACQUIRES:
            known = self.pending[space][idx]
            for clock in (self.block[space], self.warp[space]):
                clock[idx] = np.maximum(clock[idx], known)
        if ordering in RELEASES:
            self.released[space][idx] = time

    def arrive(self, idx, clusters, phases, relaxed):
        """Lanes arrive at the barrier of their cluster."""
        self.phases[idx] = phases + 1
        if relaxed:
            self.relaxed.update(zip(clusters.tolist(), phases.tolist(), strict=True))

    def wait(self, idx, clusters, phases):
        """Lanes leave the barrier of their cluster that they arrived at."""
        if self.relaxed:
            pairs = zip(clusters.tolist(), (phases - 1).tolist(), strict=True)
            good = np.array([pair not in self.relaxed for pair in pairs], bool)
            idx, phases = idx[good], phases[good]
        self.waited[idx] = phases


class Log:
    """All synchronisation, in order; the entry at `n` happened at time n + 1.

    Attributes:
        partial: Whether something was seen that `Clocks` does not know of.
    """

    def __init__(self):
        self.entries = []
        self.partial = False

    @property
    def time(self):
        """The time of what happens next."""
        return len(self.entries)

    def add(self, *entry):
        """Adds an entry; returns its time."""
        self.entries.append(entry)
        return len(self.entries)


class Reach:
    """Which threads know of one access, as the log goes on.

    Args:
        space: The address space of the access.
        who, time: Whose it was, and when.
    """

    def __init__(self, shape, space, who, time):
        self.shape, self.space, self.at = shape, space, time
        self.known = np.zeros(shape.total, bool)
        self.fenced = np.full(shape.total, -2, np.int8)
        self.pending = np.zeros(shape.total, bool)
        self.places, self.arrived, self.read = {}, set(), {}
        self.known[who] = True

    def advance(self, log):
        """Follows the log to its end."""
        entries = log.entries
        while self.at < len(entries):
            kind, spaces, *rest = entries[self.at]
            self.at += 1
            if self.space in spaces:
                getattr(self, f"_{kind}")(*rest)

    def _meet(self, givers, giving, takers, taking):
        """Groups meet: what a giver knows all takers of its group know."""
        self._spread(self.known[givers], giving, takers, taking, self.known)

    def _spread(self, known, giving, takers, taking, target):
        if known.any():
            groups = np.unique(giving[known])
            target[takers[np.isin(taking, groups)]] = True

    def _unfenced(self, givers, giving, takers, taking):
        self._spread(self.fenced[givers] >= 1, giving, takers, taking, self.pending)

    def _fence(self, who, ordering, scope):
        if ordering in ACQUIRES:
            self.known[who[self.pending[who] & (scope >= 1)]] = True
            for one in who[~self.known[who]].tolist() if self.read else ():
                if any(self._covers(one, min(scope, own), givers) for own, givers in self.read.get(one, ())):
                    self.known[one] = True
        if ordering in RELEASES:
            here = who[self.known[who]]
            self.fenced[here] = np.maximum(self.fenced[here], scope)

    def _covers(self, who, scope, givers):
        """Whether an acquire with a scope meets one of (scope, thread)."""
        return any(
            min(scope, own) >= int(self.shape.level(np.int64(who), np.int64(giver)))
            for (_, own), giver in givers.items()
        )

    def _atomic(self, kind, places, who, ordering, scope):
        """Strong accesses: `load`, `store` or `atomic`, of places given by a key."""
        if kind != "load":
            self._publish(kind, places, who, ordering, scope)
        if kind == "store" or not self.places:
            return
        for place, one in zip(places.tolist(), who.tolist(), strict=True):
            givers = self.places.get(place)
            if not givers or self.known[one]:
                continue
            if ordering in ACQUIRES and self._covers(one, scope, givers):
                self.known[one] = True
            self.read.setdefault(one, []).append((scope, dict(givers)))
        if kind == "atomic":
            self._publish(kind, places, who, ordering, scope)

    def _publish(self, kind, places, who, ordering, scope):
        if kind == "store" and self.places:
            for place in places.tolist():
                self.places.pop(place, None)
        if ordering in RELEASES:
            own = np.where(self.known[who], scope, -2)
        else:
            own = np.minimum(self.fenced[who], scope)
        for at in np.flatnonzero(own > -2).tolist():
            givers = self.places.setdefault(int(places[at]), {})
            width = int(self.shape.block) if own[at] < 3 else self.shape.total
            key = int(who[at]) // width, int(own[at])
            givers.setdefault(key, int(who[at]))

    def _arrive(self, who, clusters, phases, release):
        give = self.known[who] if release else self.fenced[who] >= 2
        pairs = np.stack((clusters, phases), 1)[give]
        self.arrived.update(map(tuple, np.unique(pairs, axis=0).tolist()))

    def _wait(self, who, clusters, phases):
        for cluster, phase in self.arrived:
            self.known[who[(clusters == cluster) & (phases == phase + 1)]] = True
