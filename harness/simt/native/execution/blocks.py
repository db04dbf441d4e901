"""Run a launch's blocks in worker threads, sum up results, and check that workers' blocks do not conflict."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.declined import Declined, Reason
from harness.simt.native.analysis.notes import COUNTED, LOCKSTEP, NEEDS
from harness.simt.native.execution.lane_counts import check_same_schedule, lane_totals, most_of_lanes
from harness.simt.native.execution.launch_memory import LaunchMemory, WorkerNotes
from harness.simt.native.execution.worker import Worker
from harness.simt.native.jit.compiler import Code
from harness.simt.native.runtime.barriers import UNKNOWN, needs_of
from harness.simt.native.sanitize.counting import APART, UNEVEN, leaves_in_time, totals
from harness.simt.native.sanitize.exact_sums import is_exact
from harness.simt.observe import NONE, RunningLaunch
from harness.simt.options import Options
from harness.simt.state.lanes import clusters_of

if TYPE_CHECKING:
    from harness.simt.native.module import KernelModule

__all__ = ["BlockRunner", "meet"]

WAITS = 1 << 24  # how many a chunk may pass before Python looks whether that ever ends
ROUNDS = 100_000_000  # how often lanes may go round in a second of the time limit
FEW = 2  # blocks that may be left though they are more than half of those that ran
TRIED = 1024, 4  # threads, and blocks, that run first, by which the others are judged
LONG = 0.02  # seconds that a launch takes at least which several threads of the host run
WAYS = 16  # that blocks may go of which all is counted
PORTION = 0.002  # seconds that one of them is given at a time
PATIENCE = 0.1  # seconds, about, until the time is looked at where one runs all
STEP = 1 << 14  # cells that are looked at at once
KIND = 16  # the first bit of the kind of a writer's updates


@lru_cache
def _marked(octets: bytes) -> tuple[int, ...]:
    """Return the indices of the bytes that are not 0."""
    return tuple(np.frombuffer(octets, np.uint8).nonzero()[0].tolist())


class BlockRunner:
    """A launch that native code runs.

    Args:
        registers: What it begins with.
        credit: See `Worker`.
        without: Blocks that are left, of which nothing is to be counted.

    Attributes:
        blocks: The numbers of those that run, clusters one after another.
        memory: What blocks share.
        reached: The numbers of the segments that ran.
        needs: Which barriers were needed, where that is noted.
        exchanged: Whether blocks of a cluster were in each other's memory, before a wait of all.
        strong: Whether there were atomic or volatile accesses of what others may touch.
        left: The blocks that were not proved clean.
        waits: The number of barrier intervals that ran.
        totals, touched, writers, most, units: As of a `Proof`, where that is noted.

    Raises:
        Declined: Native code does not know such a launch.
    """

    needs = UNKNOWN
    totals: Mapping[str, int] = NONE
    touched: Mapping[int, tuple[Integers, Integers]] = NONE
    writers: Mapping[int, Booleans] = NONE
    most: Mapping[str, int] = NONE
    units: Mapping[int, int] = NONE

    def __init__(
        self,
        engine: RunningLaunch,
        module: KernelModule,
        registers: list[tuple[int, Array]],
        options: Options,
        credit: int,
        without: Sequence[int] = (),
    ) -> None:
        self.engine, self.module, self._options, self._credit = engine, module, options, credit
        blocks, self._cluster = clusters_of(engine.grid, engine.cluster).reshape(-1), engine.cluster_size
        self.blocks = blocks[~np.isin(blocks, without)] if without else blocks
        self.memory = LaunchMemory(engine, module, registers, options.max_bytes)
        self.left, self._without = list(without), without
        self._workers: list[Worker] = []
        self._notes: list[WorkerNotes] = []  # what each of these noted
        tried = self._round_up_to_clusters(max(TRIED[0] // math.prod(engine.block), TRIED[1]))
        self._first = min(len(self.blocks), tried)

    def _round_up_to_clusters(self, blocks: int) -> int:
        """Return a number of blocks, rounded up to whole clusters."""
        return -(-blocks // self._cluster) * self._cluster

    def run(self, code: Code, worker: Worker, side_by_side: int) -> None:
        """Run all blocks; those that are not proved clean are added to `left`, and the results become attributes.

        Memory stays as the blocks left it, also after an error; the caller settles or undoes it.

        Args:
            worker: The worker that runs the first blocks; others may join if the launch takes long.
            side_by_side: How many the interpreter would run side by side; whole clusters. For each such number of
                blocks the launch may run 2^24 barrier intervals.

        Raises:
            Declined: Too many blocks were not proved clean, they go on for too long, one worker's blocks wrote to what
                another's accessed, or what is counted may differ from the interpreter's counts.
            BudgetExceeded: The launch's time is over.
            CannotRestart: See `Worker.run`.
        """
        self._limits = WAITS * -(-len(self.blocks) // side_by_side), int(self._options.max_seconds * ROUNDS)
        self._join(worker)
        before = perf_counter()
        worker.run(code, self.blocks[: self._first])
        seconds = (perf_counter() - before) / self._first  # of a block
        self.engine.check_time()
        if self._first < len(self.blocks):
            self._run_others(code, worker, side_by_side, seconds)
        self._sum()

    def _run_others(self, code: Code, worker: Worker, side_by_side: int, seconds: float) -> None:
        """Run the blocks after the first ones, by several threads of the host if they should take over 0.02 s.

        It raises what `run` does; once one thread raises, the others begin no more blocks.

        Args:
            side_by_side: As for `run`.
            seconds: How long one block takes.
        """
        count = len(self.blocks)
        others = self._start_others(worker) if seconds * (count - self._first) > LONG else []
        portion = self._round_up_to_clusters(math.ceil(min(count, (PORTION if others else PATIENCE) / seconds)))
        size = min(side_by_side, portion) if others else max(side_by_side, portion)
        portions = iter(range(self._first, count, size))  # threads take them in turns: the interpreter has a lock

        def work(worker: Worker, check: Callable[[], None] = lambda: None) -> None:
            try:
                for start in portions:
                    worker.run(code, self.blocks[start : start + size])
                    check()
            except BaseException:
                for _ in portions:  # nobody begins another
                    pass
                raise

        if others:
            self._run_in_all(work, worker, others)
        else:
            work(worker, self.engine.check_time)

    def _join(self, worker: Worker) -> None:
        self._notes.append(
            worker.begin(self.memory, self._limits, self._credit, self._leave_cluster, all_blocks=not self._without)
        )
        self._workers.append(worker)

    def _start_others(self, first: Worker) -> list[Worker]:
        """Make further workers, begin the launch with each and return them; also adds them to `_workers`.

        They are as many as the options allow and there is memory for; there may be none. Lack of memory raises nothing.
        """
        each = self.memory.shadow + first.bytes + first.asked
        others: list[Worker] = []
        with suppress(MemoryError):  # this process may have less: those that have begun are enough
            for _ in range(min(self._options.workers - 1, self.memory.spare // max(1, each))):
                other = Worker(self.engine, self.module, self.memory.rows)
                self._join(other)
                other.joins(first)
                others.append(other)
        return others

    def _run_in_all(self, work: Callable[..., None], first: Worker, others: list[Worker]) -> None:
        """Call `work` with each worker at once, for `first` in this thread, and wait for all of them.

        An error in any of the calls is raised once all have ended; that of `first` before those of others.

        Raises:
            Declined: One worker's blocks wrote to what another's accessed, see `meet`.
        """
        from concurrent.futures import ThreadPoolExecutor  # late: few launches are worth it

        with ThreadPoolExecutor(len(others)) as pool:
            running = [pool.submit(work, other) for other in others]
            work(first, self.engine.check_time)
        for future in running:
            future.result()
        if meet([notes.cells for notes in self._notes]):
            raise Declined(Reason.DOUBT)

    def _leave_cluster(self, blocks: Integers) -> None:
        """Add the blocks of a cluster that was not proved clean to `left`; they stay there if this raises.

        Raises:
            Declined: The launch cannot be counted as the interpreter counts it, so the blocks may be clean after all;
                this run leaves out the blocks that an earlier run did not prove (`without`), and fails at others; or
                `left` has more blocks than two clusters have, plus half of those that ran before these (half of all, if
                these are not among the first ones).
        """
        self.left += blocks.tolist()
        if any(worker.slot_value("apart") & APART == APART for worker in self._workers):  # it may be clean
            raise Declined(Reason.COUNTING_DIVERGENCE)
        if self._without:  # which another run of the same has left: this one goes otherwise
            raise Declined(Reason.DOUBT)
        before = np.flatnonzero(self.blocks[: self._first] == blocks[0])  # of those that run first, in their order
        if len(self.left) > FEW * self._cluster + (int(before[0]) if len(before) else len(self.blocks)) // 2:
            raise Declined(Reason.DOUBT)

    def _sum(self) -> None:
        """Set the results of `run`: `waits`, `reached`, `exchanged`, `strong` and the attributes for a `Proof`.

        Adds up what the workers noted, sorts `left`, and empties `_workers`.

        Raises:
            Declined: A limit was reached, the order of float sums may matter, or something cannot be counted as the
                interpreter counts it.
        """
        worker, *others = self._workers
        for other in others:
            worker.add(other)
        self._workers.clear()
        self.waits, rounds = worker.spent
        if self.waits >= self._limits[0] or rounds > self._limits[1]:
            raise Declined(Reason.DOUBT)
        if not is_exact(worker.slots):
            raise Declined(Reason.FLOAT_SUM_ORDER)
        self.left.sort()
        facts, notes = worker.facts, self._notes[0]
        self.reached = _marked(facts["reached"].tobytes())
        if NEEDS in self.module.notes:
            self.needs = needs_of(self.module.lines, tuple(facts["passed"].tolist()), facts["needed"].tobytes())
        self.exchanged, self.strong = worker.slot_value("exchanged") != 0, worker.slot_value("strong") != 0
        if self.module.notes & COUNTED:
            lockstep, apart = LOCKSTEP in self.module.notes, worker.slot_value("apart")
            if apart & APART == APART or (apart & UNEVEN and not leaves_in_time(self.engine.program)):
                raise Declined(Reason.COUNTING_DIVERGENCE)
            self.totals = totals(self.module.traced, notes.sites, lockstep=lockstep)
            if lockstep:
                blocks = math.prod(self.engine.grid)
                check_same_schedule(self.engine.program, notes, blocks, self._options.spin_steps)
                self.totals = {**self.totals, **lane_totals(notes)}
                self.most, self.units = most_of_lanes(notes), self.memory.units(notes.sizes)
            self.touched = self.memory.touched(notes.counts)
            self.writers = self.memory.writers()

    def like(self) -> dict[int, int]:
        """Return how many blocks take each control path, by the number of its first block, ascending.

        Blocks that are left do not count. Empty if control paths are not noted.

        Raises:
            Declined: There are more than 16 control paths or one for each block, or shared memory is allocated
                dynamically.
        """
        if "ways" not in self.module.notes:
            return {}
        variables = {variable.number for variable in self.engine.program.variables}
        if any(item.rows == "block" and item.number not in variables for item in self.engine.memory.allocations):
            raise Declined(Reason.COUNTING_DYNAMIC_SHARED)
        blocks, paths = (
            np.concatenate(columns)
            for columns in zip(*(item for notes in self._notes for item in notes.paths), strict=True)
        )
        remaining, path_sizes = ~np.isin(blocks, self.left), dict[int, int]()
        count = np.count_nonzero(remaining)
        while remaining.any():
            same = remaining & (paths == paths[remaining.argmax()])
            path_sizes[int(blocks[same].min())] = int(np.count_nonzero(same))
            remaining &= ~same
            if len(path_sizes) > WAYS or len(path_sizes) == count:
                raise Declined(Reason.COUNTING_PATHS, limit=WAYS)
        return dict(sorted(path_sizes.items()))

    def settle(self) -> None:
        """Undo the stores of the blocks that are left, and mark in shadow memory what the others wrote as defined."""
        if self.left:
            self.memory.settle(self._notes)
        self.memory.finish()

    def users(self) -> dict[int, Integers]:
        """Return `Proof.cells`: by allocation that the code may store to, the shadow cells of all workers."""
        return self.memory.users(self._notes)


def meet(tables: Sequence[Integers]) -> bool:
    """Return True if blocks of one worker wrote what another's accessed, except by atomic updates of one kind.

    It compares location by location.

    Args:
        tables: The shadow cells of each worker, (n, 4); see `harness/simt/native/library/shadow_cells.h`.
    """
    for start in range(0, len(tables[0]), STEP):
        slices = (table[start : start + STEP] for table in tables)
        if len(there := [part for part in slices if part.view(np.uint32).max()]) > 1 and _meet(np.stack(there)):
            return True
    return False


def _meet(cells: Integers) -> bool:
    """Return the same as `meet` for a part of the cells of all workers: (workers, n, 4)."""
    wrote, read = cells[..., 1] != 0, cells[..., 3] != 0
    touched = wrote | read
    shared = (touched.sum(0) > 1) & wrote.any(0)
    if not shared.any():
        return False
    kinds, touched = cells[:, shared, 0] >> KIND, touched[:, shared]  # of a writer that did otherwise too below 0
    kind = kinds.max(0)
    same_kind = np.where(touched, (kinds == kind) & ~read[:, shared] & wrote[:, shared], True)
    return not bool((same_kind.all(0) & (kind > 0)).all())
