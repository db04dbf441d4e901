"""The race shadow against a checker that keeps a vector clock for each thread.

Random traces of vector accesses and synchronisation: of the places of an event,
the same ones must be found racy. The checker keeps everything, so it is right by
its definition of happens-before.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from harness.simt.events import AccessEvent, BarrierEvent, ClusterEvent, PhaseEvent, WarpEvent
from harness.simt.observing import race_clocks
from harness.simt.observing.race_clocks import PhaseVectorClocks
from harness.simt.observing.race_shadow import Shadow, ThreadNumbering
from harness.simt.observing.races import RaceDetector
from harness.simt.state.allocation import Allocation
from harness.simt.state.chunk import LiveLanes
from harness.simt.state.lanes import Geometry

pytestmark = pytest.mark.slow

BOTH = frozenset({"global", "shared"})
WARP, CELLS = 4, 30


class Place:
    """An instruction that is alone at its place in the source."""

    @property
    def where(self):
        """See `Site`."""
        return self


class Heard(RaceDetector):
    """The observer, which hands over the places that race."""

    def add_unordered(self, pairs):
        """See `RaceDetector`."""
        self.cells.update(pairs.access.locations[pairs.at].tolist())


class Trace:
    """A launch of (clusters x blocks x threads) lanes, and the checker of its trace."""

    def __init__(self, random, clusters, blocks, threads):
        count = clusters * blocks
        self.random, self.accesses = random, 0
        self.geometry = Geometry(np.arange(count), (count, 1, 1), (threads, 1, 1), (blocks, 1, 1), WARP)
        n = self.n = self.geometry.lanes
        self.engine = SimpleNamespace(
            grid=(count, 1, 1),
            block=(threads, 1, 1),
            cluster_size=blocks,
            check_time=lambda: None,
            program=SimpleNamespace(segments=()),
            target=SimpleNamespace(warp=WARP, vendor="nvidia"),
            chunk=SimpleNamespace(live=LiveLanes(self.geometry)),
            geometry=self.geometry,
        )
        self.observer = Heard()
        self.observer.engine = self.engine
        self.observer.launch_begin(self.engine)
        self.observer.chunk_begin(self.geometry)
        data = np.zeros(CELLS * 4, np.uint8)
        self.place = Allocation(1, "x", "global", len(data), data=data)
        self.clocks = np.eye(n, dtype=np.int64)
        self.stamps = {kind: np.zeros((CELLS, n), np.int64) for kind in ("load", "store")}
        self.row = self.geometry.value("row")
        self.warp = self.geometry.value("warp")
        self.group = self.row // blocks
        self.arrived, self.waited = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.gathered = {}
        self.copies = []  # lanes and places of copies that have yet to land
        self.phases = np.zeros(2 * count, np.int64)  # of two barriers in each block's shared memory
        self.told = {}  # what arrived there, by barrier and phase

    def lanes(self, chosen):
        """A lane set of a mask."""
        return self.geometry.root.sub(np.flatnonzero(chosen))

    def some(self):
        """Some lanes, at least one."""
        chosen = self.random.random(self.n) < self.random.choice([0.1, 0.4, 0.9])
        chosen[self.random.integers(self.n)] = True
        return chosen

    def most(self):
        """All lanes, or some."""
        return self.some() | (self.random.random() < 0.5)

    def join(self, mask):
        """The checker: lanes learn what each of them knows."""
        self.clocks[mask] = self.clocks[mask].max(0)
        own = np.flatnonzero(mask)
        self.clocks[own, own] += 1

    def access(self):
        """An access; returns the places found by the observer and by the checker."""
        return self.touch("load" if self.random.random() < 0.6 else "store", *self.chosen())

    def chosen(self):
        """Some lanes, and a place for each."""
        lanes = self.lanes(self.some())
        spread = self.random.integers(1, CELLS + 1)
        return lanes, self.random.integers(0, spread, lanes.n)

    def begin_copy(self):
        """Some lanes begin to copy: nothing is written yet."""
        self.copies.append(self.chosen())

    def end_copy(self):
        """The lanes of a copy wait for it, and that is when they store."""
        if not self.copies:
            return set(), set()
        return self.touch("store", *self.copies.pop(self.random.integers(len(self.copies))))

    def phase_arrive(self):
        """Some lanes of a block arrive at a barrier of it; a phase may end with them."""
        place = self.random.integers(len(self.phases))
        mask = self.some() & (self.row == place // 2)
        if not mask.any():
            return
        lanes, phase = self.lanes(mask), int(self.phases[place])
        phases = np.full(lanes.n, phase)
        self.observer.phase(PhaseEvent("arrive", Place(), lanes, np.full(lanes.n, place), phases, True, "block"))
        before = self.told.get((place, phase), np.zeros(self.n, np.int64))
        self.told[place, phase] = np.maximum(before, self.clocks[lanes.idx].max(0))
        self.clocks[lanes.idx, lanes.idx] += 1
        self.phases[place] += self.random.random() < 0.7

    def phase_wait(self):
        """Some lanes go on because a phase has ended: they know of all arrivals up to it."""
        place = self.random.integers(len(self.phases))
        mask = self.some() & (self.row == place // 2)
        if not mask.any() or not self.phases[place]:
            return
        lanes, phase = self.lanes(mask), int(self.random.integers(self.phases[place]))
        phases = np.full(lanes.n, phase)
        self.observer.phase(PhaseEvent("wait", Place(), lanes, np.full(lanes.n, place), phases, True, "block"))
        for (other, ended), known in self.told.items():
            if other == place and ended <= phase:
                self.clocks[lanes.idx] = np.maximum(self.clocks[lanes.idx], known)

    def touch(self, kind, lanes, cells):
        """Lanes access places; see `access`."""
        expected = set()
        for other in ("load", "store") if kind == "store" else ("store",):
            ahead = self.stamps[other][cells] > self.clocks[lanes.idx]
            ahead[np.arange(lanes.n), lanes.idx] = False
            expected.update(cells[ahead.any(1)].tolist())
        self.stamps[kind][cells, lanes.idx] = self.clocks[lanes.idx, lanes.idx]
        if kind == "store":
            touched, times = np.unique(cells, return_counts=True)
            expected.update(touched[times > 1].tolist())
        self.observer.cells = set()
        self.observer.access(
            AccessEvent(
                kind,
                Place(),
                lanes,
                self.place,
                cells * 4,
                np.zeros(1, np.int64),
                4,
                np.arange(lanes.n, dtype=np.int32),
            )
        )
        self.accesses += lanes.n
        return self.observer.cells, expected

    def barrier(self):
        """One or all blocks pass a barrier."""
        rows = np.unique(self.random.integers(0, self.row[-1] + 1, self.random.integers(1, 4)))
        mask = np.isin(self.row, rows)
        self.observer.barrier(
            BarrierEvent(((Place(), self.lanes(mask)),), 0, rows, np.zeros(len(rows), np.int64), BOTH, True)
        )
        for row in rows.tolist():
            self.join(self.row == row)

    def warp_sync(self):
        """Some whole warps synchronise."""
        warps = np.unique(self.random.integers(0, self.warp[-1] + 1, 3))
        lanes = self.lanes(np.isin(self.warp, warps))
        self.observer.warp_sync(WarpEvent(Place(), lanes, np.array([-1]), BOTH))
        for warp in warps.tolist():
            self.join(self.warp == warp)

    def half_warp(self):
        """Lanes 0 and 1 of some warp synchronise with a mask of their own."""
        mask = (self.warp == self.random.integers(self.warp[-1] + 1)) & (self.geometry.value("lane") < 2)
        self.observer.warp_sync(WarpEvent(Place(), self.lanes(mask), np.array([3]), BOTH))
        self.join(mask)

    def first_warps(self):
        """The first two warps of a block meet at a counted barrier."""
        row = self.random.integers(self.row[-1] + 1)
        mask = (self.row == row) & (self.geometry.value("warp_in_block") < 2)
        self.observer.barrier(
            BarrierEvent(((Place(), self.lanes(mask)),), 1, np.array([row]), np.zeros(1, np.int64), BOTH, True)
        )
        self.join(mask)

    def arrive(self, order="release"):
        """Lanes arrive at the barriers of their clusters."""
        mask = self.most() & (self.arrived == self.waited)
        if not mask.any():
            return
        lanes, phases = self.lanes(mask), self.arrived[mask]
        self.observer.cluster(ClusterEvent("arrive", Place(), lanes, order, phases))
        for lane in lanes.idx.tolist():
            key = self.group[lane], self.arrived[lane]
            before = self.gathered.get(key, np.zeros(self.n, np.int64))
            given = self.clocks[lane] if order == "release" else 0
            self.gathered[key] = np.maximum(before, given)
            self.clocks[lane, lane] += 1
            self.arrived[lane] += 1

    def relaxed(self):
        """Lanes arrive without ordering anything."""
        self.arrive("relaxed")

    def wait(self):
        """Lanes leave the barrier that all of their cluster have arrived at."""
        least = np.array([self.arrived[self.group == group].min() for group in range(self.group[-1] + 1)])
        mask = self.most() & (self.arrived > self.waited) & (self.arrived <= least[self.group])
        if not mask.any():
            return
        lanes = self.lanes(mask)
        self.observer.cluster(ClusterEvent("wait", Place(), lanes, "acquire", self.arrived[mask]))
        for lane in lanes.idx.tolist():
            key = self.group[lane], self.waited[lane]
            self.clocks[lane] = np.maximum(self.clocks[lane], self.gathered[key])
            self.waited[lane] += 1


def compare(seed, steps, launches, size=(2, 2, 10)):
    """Runs traces; returns accesses, racy places, missed and false ones."""
    random = np.random.default_rng(seed)
    totals = np.zeros(4, np.int64)
    for _ in range(launches):
        trace = Trace(random, *size)
        for _ in range(40):
            step = random.choice(["access", *steps], p=[0.5, *[0.5 / len(steps)] * len(steps)])
            outcome = getattr(trace, step)()
            if outcome is None:
                continue
            seen, expected = outcome
            totals[1:] += len(expected), len(expected - seen), len(seen - expected)
        totals[0] += trace.accesses
    return totals.tolist()


HIERARCHY = ("warp_sync", "barrier", "barrier")
COPIES = ("begin_copy", "end_copy")
PHASES = ("phase_arrive", "phase_wait", "phase_arrive", "phase_wait")
SPLIT = ("arrive", "wait", "arrive", "wait")


@pytest.mark.parametrize("launches", [40, pytest.param(150, marks=pytest.mark.full)])
@pytest.mark.parametrize(("seed", "steps"), [(1, HIERARCHY), (2, SPLIT)])
def test_the_shadow_agrees_with_vector_clocks(seed, steps, launches):
    """Barriers, warp syncs and split cluster barriers: the same places, on all accesses."""
    accesses, racy, missed, false = compare(seed, steps, launches, (3, 2, 18))

    assert accesses > 700 * launches
    assert racy > 7 * launches
    assert (missed, false) == (0, 0)


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param((*HIERARCHY, *SPLIT), id="mixed"),
        pytest.param((*SPLIT, "relaxed"), id="relaxed"),
        pytest.param((*HIERARCHY, "half_warp", "first_warps"), id="partial"),
        pytest.param((*HIERARCHY, *COPIES), id="copies"),
        pytest.param((*PHASES, *COPIES, "barrier"), id="phases"),
        pytest.param((*HIERARCHY, *SPLIT, *PHASES, *COPIES), id="all"),
    ],
)
@pytest.mark.parametrize("launches", [4, pytest.param(12, marks=pytest.mark.full)])
def test_what_is_not_hierarchical_is_followed_exactly(steps, launches):
    """Parts of warps and blocks, arrivals that order nothing, barriers between arrival and wait."""
    accesses, racy, missed, false = compare(3, steps, launches)

    assert accesses > 320 * launches
    assert racy > 40 * launches
    assert false == 0
    assert missed == 0


def test_who_waits_late_knows_of_no_more_than_the_phase():
    """Two barriers of one block, and so many phases of each; of who touched a place the shadow keeps a few."""
    _, racy, missed, false = compare(5, PHASES, 60, (1, 1, 10))

    assert racy > 2000
    assert false == 0
    assert missed < racy / 200


def test_phases_of_another_barrier_in_the_same_memory_say_nothing():
    """Who arrived at the one before, and was not waited for, is not known to those who wait here."""
    clocks, place = PhaseVectorClocks(4, 4), np.zeros(1, np.int64)
    for lane, phase in ((0, 5), (1, 0)):
        clocks.arrive(np.array([lane]), place, np.array([phase]), 10 + phase)
    clocks.wait(np.array([2]), place, place)

    assert clocks.known_times(np.full(4, 2), np.arange(4)).tolist() == [0, 10, 0, 0]


def test_of_what_too_many_lanes_know_nothing_is_kept(monkeypatch):
    """It is less than is true, and the log knows the rest."""
    monkeypatch.setattr(race_clocks, "MOST_BYTES", 8 * 8 * 4)  # four rows
    clocks, place = PhaseVectorClocks(8, 8), np.zeros(1, np.int64)
    known = []
    for lane in range(8):
        clocks.arrive(np.array([lane]), place, np.array([lane]), 10 + lane)
        clocks.wait(np.array([lane]), place, np.array([lane]))
        known.append(clocks.known_times(np.full(8, lane), np.arange(8)).tolist())

    assert all(told == [10 + other if other <= lane else 0 for other in range(8)] for lane, told in enumerate(known))
    assert clocks.known_times(np.zeros(1, int), np.zeros(1, int)).tolist() == [0]


def test_a_place_becomes_smaller_for_smaller_and_for_straddling_accesses():
    """The unit of a shadow goes down as accesses need it, and keeps what is known."""
    shape = ThreadNumbering(4, 8, 1, 1)
    shadow = Shadow(shape, 64, 16)
    first = shadow.at(np.array([0, 16]), 16)
    shadow.add(1, 0, first.reshape(-1), np.array([0, 1], np.int32), 7)
    units = [shadow.unit]
    for start, size in ((8, 8), (4, 8), (18, 4), (3, 2)):
        places = shadow.at(np.array([start]), size)
        units.append(shadow.unit)
        assert places.shape == (1, size // shadow.unit)
    who, events = next(shadow.users_of(1, np.arange(32)))

    assert units == [16, 8, 4, 2, 1]
    assert who.tolist() == [0] * 16 + [1] * 16
    assert set(events.tolist()) == {7}


def test_the_level_of_two_threads_is_the_narrowest_that_holds_both():
    """A warp of 4, blocks of 6 threads that take two warps, clusters of two blocks."""
    shape = ThreadNumbering(4, 6, 2, 4)
    numbers = np.array([1, 4, 8, 16])

    assert (shape.block, shape.cluster, shape.total) == (8, 16, 32)
    assert shape.level(np.zeros(4, int), numbers).tolist() == [0, 1, 2, 3]
