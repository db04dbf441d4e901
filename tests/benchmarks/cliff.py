"""What `auto` costs beside the interpreter: `python -m tests.benchmarks.cliff [WORD ...] [--write]`.

For each kernel the CPU time of its first launch and of its first ten, in a process that has written no machine code
yet, with an empty cache: once, or the median of several if that is near the bound. What compiles in between counts.
`auto` may take 1.5 times what the interpreter takes, and 30 ms; with `--write` it becomes `docs/auto-benchmark.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from harness import simt
from harness.model.sources import ROOT
from harness.simt.options import Engine
from tests.benchmarks.cliff_kernels import GROUPS, Kernel

__all__ = ["FACTOR", "LAUNCHES", "SLACK", "Times", "is_within", "main", "measure"]

FACTOR, SLACK = 1.5, 0.03
LAUNCHES, REPEATS = 10, 5
SEEDS = 300  # random kernels
PAGE = ROOT / "docs" / "auto-benchmark.md"
LARGE, WORST = ("hazards", "random"), 10  # groups of which the page has only the worst
CLOSE = 1.15  # times what was measured once may be more of: what is closer to the bound is measured again
ENGINES: tuple[Engine, Engine] = "reference", "auto"
TABLE = (
    "| kernel | interpreted, first | `auto`, first | interpreted, ten | `auto`, ten | the tenth ran |",
    "| --- | ---: | ---: | ---: | ---: | --- |",
)
HEAD = """# What `auto` costs beside the interpreter

CPU time in milliseconds, each in a process that has written no machine code yet and with an empty cache: of a kernel's
first launch, and of its first ten together, with all checks but counters. Where that is near the bound or beyond it,
these are medians of {repeats}. `auto` may take {factor} times the interpreter's time, and {slack:.0f} ms; what it
compiles counts. Made by `python -m tests.benchmarks.cliff --write`: `--random 2000` takes as many random kernels, and
`--log FILE` goes on where it stopped.

{count} kernels, {beyond} beyond that. The worst: {worst}.
"""


class Times(NamedTuple):
    """Seconds of CPU of the first launch and of the first ten, and whether machine code ran the last of them."""

    first: float
    ten: float
    compiled: bool


class Row(NamedTuple):
    """What was measured of a kernel of a group."""

    group: str
    name: str
    interpreted: Times
    auto: Times

    @property
    def excess(self) -> float:
        """Return the seconds beyond `FACTOR` times what the interpreter takes; `SLACK` of them are allowed."""
        pairs = zip(self.interpreted[:2], self.auto[:2], strict=True)
        return max(auto - FACTOR * interpreted for interpreted, auto in pairs)


def excess(row: Row) -> float:
    """Return a row's excess."""
    return row.excess


def measure(kernel: Kernel, engine: Engine) -> Times:
    """Launch a kernel ten times in a process of its own."""
    here, there = os.pipe()
    child = os.fork()
    if not child:
        try:
            with os.fdopen(there, "wb") as to:
                pickle.dump(_times(kernel, engine), to)
        finally:
            os._exit(0)
    os.close(there)
    with os.fdopen(here, "rb") as source:
        text = source.read()
    os.waitpid(child, 0)
    if not text:
        raise RuntimeError(f"{kernel.name} did not end with {engine}")
    found: Times = pickle.loads(text)
    return found


def _times(kernel: Kernel, engine: Engine) -> Times:
    spent, compiled = [], False
    launch = (
        partial(_launched, kernel, simt.decode(kernel.text), engine) if kernel.case is None else kernel.case(engine)
    )
    for _ in range(LAUNCHES):
        before = time.process_time()
        compiled = launch()
        spent.append(time.process_time() - before)
    return Times(spent[0], sum(spent), compiled)


def _launched(kernel: Kernel, module: simt.Module, engine: Engine) -> bool:
    given = kernel.arguments() if callable(kernel.arguments) else kernel.arguments
    result = simt.launch(
        module,
        kernel=kernel.symbol,
        target=kernel.target,
        grid=kernel.grid,
        block=kernel.block,
        cluster=kernel.cluster,
        dynamic_shared_bytes=kernel.shared,
        args=[one.copy() if isinstance(one, np.ndarray) else one for one in given],
        observers=simt.observers(counters=False, unwritten=False),
        options=simt.Options(engine=engine),
    )
    return bool(result.engine.native)


def is_within(interpreted: float, auto: float) -> bool:
    """Return whether `auto` took no more than it may."""
    return auto <= FACTOR * interpreted + SLACK


def _medians(kernel: Kernel, repeats: int) -> tuple[Times, Times]:
    """Measure a kernel by both engines once; if `auto` may be beyond what it may take, as often as asked."""
    found: tuple[list[Times], list[Times]] = ([], [])
    for number in range(repeats):
        if number == 1 and all(
            is_within(CLOSE * a, b / CLOSE) for a, b in zip(found[0][0][:2], found[1][0][:2], strict=True)
        ):
            break
        for each, engine in zip(found, ENGINES, strict=True):
            each.append(measure(kernel, engine))
    first, second = (
        Times(statistics.median(a for a, _, _ in each), statistics.median(b for _, b, _ in each), each[-1].compiled)
        for each in found
    )
    return first, second


def _rows(groups: Sequence[str], words: Sequence[str], repeats: int, seeds: int, log: Path | None) -> Iterator[Row]:
    """Yield what is measured of kernels, and what a file says of them; what is measured is added to it."""
    lines = log.read_text(encoding="utf-8").splitlines() if log is not None and log.exists() else []
    known = {name: (Times(*a), Times(*b)) for name, a, b in map(json.loads, lines)}
    for group in groups:
        for kernel in GROUPS[group](seeds):
            if words and not any(word in kernel.name for word in words):
                continue
            if (pair := known.get(kernel.name)) is None:
                pair = _medians(kernel, repeats)
                if log is not None:
                    with log.open("a", encoding="utf-8") as file:
                        print(json.dumps([kernel.name, *pair]), file=file)
            row = Row(group, kernel.name, *pair)
            print(_line(row) + (" beyond" if row.excess > SLACK else ""), flush=True)
            yield row


def _line(row: Row) -> str:
    times = row.interpreted.first, row.auto.first, row.interpreted.ten, row.auto.ten
    ran = "compiled" if row.auto.compiled else "interpreted"
    return f"| {row.name} | {' | '.join(f'{1000 * one:.1f}' for one in times)} | {ran} |"


def _page(rows: Sequence[Row], repeats: int) -> str:
    """Return the page: how many kernels of each group are beyond, and of the large groups only the worst."""
    facts = {"repeats": repeats, "factor": FACTOR, "slack": 1000 * SLACK, "count": len(rows)}
    lines = [HEAD.format(**facts, beyond=sum(row.excess > SLACK for row in rows), worst=max(rows, key=excess).name)]
    lines += ["| kernels | number | beyond | tenth compiled |", "| --- | ---: | ---: | ---: |"]
    listed = list[Row]()
    for name in GROUPS:
        group = [row for row in rows if row.group == name]
        beyond, compiled = sum(row.excess > SLACK for row in group), sum(row.auto.compiled for row in group)
        lines.append(f"| {name} | {len(group)} | {beyond} | {compiled} |")
        listed += sorted(group, key=excess, reverse=True)[:WORST] if name in LARGE else group
    lines += ["", f"Of hazards and random kernels these are the {WORST} worst.", "", *TABLE]
    return "\n".join([*lines, *map(_line, listed)]) + "\n"


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print each kernel, and return 1 if `auto` took longer than it may of any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="measure only kernels whose name holds one of these")
    parser.add_argument("--groups", default=",".join(GROUPS), help="which groups (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--random", type=int, default=SEEDS, help="how many random kernels (default: %(default)s)")
    parser.add_argument("--log", type=Path, help="a line for each kernel, which is not measured again")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    given = parser.parse_args(words)
    rows = list(_rows(given.groups.split(","), given.words, given.repeats, given.random, given.log))
    beyond = [row.name for row in rows if row.excess > SLACK]
    print(f"{len(rows)} kernels, {len(beyond)} beyond: {', '.join(beyond)}")
    if given.write:
        PAGE.write_text(_page(rows, given.repeats), encoding="utf-8")
    return int(bool(beyond))


if __name__ == "__main__":
    sys.exit(main())
