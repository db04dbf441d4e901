"""What machine code is asked to reach, measured in one run beside PoCL, which checks nothing.

Each figure is the least of several, of the processor: it is the code's own, whatever else the machine does.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.declined import Declined
from harness.simt.native.analysis.notes import NEEDS
from harness.simt.native.jit import compiler as machine
from harness.simt.native.module import write_module
from harness.simt.observing.default import ALL
from harness.simt.targets import target_of
from tests.benchmarks import documented, measure
from tests.benchmarks.first import CACHES, first_launches
from tests.benchmarks.workloads import CASES, SIZES, TARGET, Workload, large, meetings, rounds
from tests.simt.declined import puzzles

__all__ = ["BIG", "aims", "measured"]

BIG = [f"{name}:{max(sizes)}" for name, sizes in SIZES.items()]
WATCHED: dict[str, Callable[[], tuple[simt.Observer, ...]]] = {
    "bounds and races": lambda: (ALL["races"](),),
    "all but counters": lambda: simt.observers(counters=False),
    "all": simt.observers,
}
# How often what PoCL takes, by the sum and what is watched for.
TIMES = {"axis_sum": (2.0, 6.0, 15.0), "block_sum": (0.8, 1.5, 3.0)}
FASTER = 50  # than Python with all observers
BLOCK = {"bounds and races": 0.1, "all but counters": 0.25}  # ms for a launch of 1,024 threads
CASE, ROUNDS, ROUND, COMMAND = 0.3, 3.0, 0.08, 450.0  # ms
# ms, by how, for the median kernel of the puzzles and for the largest.
COMPILED = {"not optimised": (0, 25.0, 300.0), "O1": (1, 150.0, 3000.0)}
LINKED = 1.0
DOCUMENTED = 10_000.0
FIRST = 1.05  # times what it takes in Python alone: no slower, within what one run differs from another
WARM = 3.0  # seconds of launches of a kind before it is measured: by then their code is optimised
FIVE = ("p15", "p26:pair-swap", "p26:parallel-max", "p26:conditional-max", "p34:reduction")


@dataclass(frozen=True)
class Aim:
    """One of them.

    Attributes:
        aim: The most that it may be, or with `least` the least.
        unit: `ms`, or `x` for a ratio.
        ran: What did: `machine code` or `Python`.
        beside: What is worth knowing beside it.
        failed: Why it could not be measured; empty if it was.
    """

    what: str
    measured: float
    aim: float
    unit: str
    ran: str = ""
    beside: str = ""
    least: bool = False
    failed: str = ""

    @property
    def met(self) -> bool:
        if self.failed:
            return False
        return self.measured >= self.aim if self.least else self.measured <= self.aim


def aims(one: measure.Peer, two: measure.Peer) -> Iterator[dict]:
    """Measure all of them; yields each as soon as it is there.

    Args:
        one, two: PoCL on so many threads, with the figures of `BIG`.
    """
    groups = {
        "sums": lambda: _sums(one, two),
        "small launches": _small,
        "loops": _loops,
        "first launches": _first,
        "documented sizes": _documented,
        "a command": lambda: iter([_command()]),
        "compiling": _compiling,
    }
    for name, group in groups.items():
        for aim in measured(name, group):
            yield asdict(aim) | {"met": aim.met}


def measured(name: str, group: Callable[[], Iterator[Aim]]) -> Iterator[Aim]:
    """Yield the aims of a group; one that cannot be measured is the last of its group, and says why."""
    try:
        yield from group()
    except Exception as error:
        last = str(error).strip().splitlines()[-1:] or [""]
        yield Aim(f"{name}: the next one", math.nan, math.nan, "ms", failed=f"{type(error).__name__}: {last[0]}")


def _timed(workload: Workload, watched: Callable[[], tuple], repeats: int, engine: str = "native"):
    """(what ran it, median seconds, least seconds of the processor), with the code that such launches come to."""

    def run() -> simt.LaunchResult:
        return workload.run(watched(), engine=engine, max_seconds=600)

    if not run().engine.native:
        return ("Python", *measure.timed(run, 2))
    warm = time.perf_counter() + WARM
    while time.perf_counter() < warm:
        run()
    return ("machine code", *measure.timed(run, repeats))


def _sums(one: measure.Peer, two: measure.Peer) -> Iterator[Aim]:
    for name in BIG:
        workload = large(name)
        reference = _timed(workload, simt.observers, 1, "reference")[2]
        for (watched, observers), most in zip(WATCHED.items(), TIMES[workload.name], strict=True):
            ran, seconds, spent = _timed(workload, observers, 7)
            if one.spent is not None and two.seconds is not None:
                beside = (
                    f"{1e3 * spent:.1f} ms against {1e3 * one.spent[name]:.2f}; by the clock {1e3 * seconds:.1f} ms, "
                    f"{seconds / one.seconds[name]:.1f} times, of PoCL on two threads {seconds / two.seconds[name]:.1f}"
                )
                ratio = spent / one.spent[name]
                yield Aim(f"{name}, {watched}, times PoCL on one thread", ratio, most, "x", ran, beside)
            if watched == "all but counters":
                faster, beside = reference / spent, f"{1e3 * reference:.0f} ms against {1e3 * spent:.1f}"
                yield Aim(f"{name}, {watched}, as fast as Python", faster, FASTER, "x", ran, beside, least=True)


def _small() -> Iterator[Aim]:
    workload = large("block_sum:1024")
    for watched, aim in BLOCK.items():
        ran, seconds, spent = _timed(workload, WATCHED[watched], 101)
        yield Aim(f"block_sum:1024, {watched}", 1e3 * spent, aim, "ms", ran, f"by the clock {1e3 * seconds:.2f} ms")
    for name, make in CASES.items():
        ran, seconds, spent = _timed(make(), WATCHED["all but counters"], 101)
        yield Aim(f"{name}, all but counters", 1e3 * spent, CASE, "ms", ran, f"by the clock {1e3 * seconds:.2f} ms")


def _loops() -> Iterator[Aim]:
    for what, workload, many, aim in (
        ("one thread, 1,000,000 rounds with a load and a store", rounds(1_000_000), 1, ROUNDS),
        ("16,384 threads, a round with two barriers", meetings(100), 100, ROUND),
    ):
        ran, seconds, spent = _timed(workload, WATCHED["all but counters"], 5)
        beside = f"by the clock {1e3 * seconds / many:.3g} ms"
        yield Aim(f"{what}, all but counters", 1e3 * spent / many, aim, "ms", ran, beside)


def _first() -> Iterator[Aim]:
    for what, workloads, repeats in (("the documented cases", list(CASES), 7), *((name, [name], 3) for name in BIG)):
        seconds = first_launches(workloads, repeats)
        for cache in CACHES:
            auto, python = (1e3 * seconds[cache, engine] for engine in ("auto", "reference"))
            beside = f"{auto:.0f} ms against {python:.0f}, by the clock"
            what_of_it = f"first launch of {what}, {cache} cache, times Python's"
            yield Aim(what_of_it, auto / python, FIRST, "x", "auto", beside)


def _documented() -> Iterator[Aim]:
    clock = "by the clock"
    for name in documented.CASES:
        what = f"{name} on its documented data, at its documented size, all observers"
        yield Aim(what, 1e3 * documented.case(name), DOCUMENTED, "ms", "auto", clock)
    for rows, seconds in documented.PRODUCTS.items():
        what = f"`python -m harness exec` of a product of {rows} x {rows} matrices, once it is compiled"
        yield Aim(what, 1e3 * documented.product(rows), 1e3 * seconds, "ms", "auto", clock)


def _command() -> Aim:
    """The documented cases by the command, with what the runs before left in the cache."""
    command, spent = [sys.executable, "-m", "harness", "run", *FIVE, "--target", TARGET], []
    for _ in range(4):
        before = _children()
        subprocess.run(command, cwd=measure.ROOT, env=dict(os.environ), check=True, capture_output=True)
        spent.append(_children() - before)
    return Aim(f"`python -m harness run {' '.join(FIVE)}`", 1e3 * min(spent[1:]), COMMAND, "ms", "auto")


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _compiling() -> Iterator[Aim]:
    """Each kernel of the puzzles compiled, and linked from what was kept."""
    texts = []
    for text in puzzles(TARGET):
        with contextlib.suppress(Declined):
            texts.append(
                write_module(compile_kernel(simt.decode(text), None, target_of(TARGET)), frozenset({NEEDS})).text
            )
    linked = []
    for how, (level, median, most) in COMPILED.items():
        took = []
        for text in texts:
            start = time.process_time()
            code = machine._object(text, level)
            made = time.process_time()
            machine._linked(code)
            took.append(made - start)
            linked.append(time.process_time() - made)
        for what, aim, seconds in (("median", median, statistics.median(took)), ("largest", most, max(took))):
            beside = f"{len(took)} kernels"
            yield Aim(f"compiling the {what} kernel of the puzzles, {how}", 1e3 * seconds, aim, "ms", "", beside)
    yield Aim("linking the median kernel from the cache", 1e3 * statistics.median(linked), LINKED, "ms")
