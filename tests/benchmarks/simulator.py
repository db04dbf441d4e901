"""Times the simulator beside its peers, in one run, on the same algorithms.

    python -m tests.benchmarks.simulator [--peers PYTHON] [--json FILE] [--markdown FILE]

PYTHON is an interpreter with numba and pyopencl; Oclgrind and PoCL are packages of
the system. What is not there is said to be missing. The plot goes beside the tables. The
exit status is 1 when a target is missed; the aims of machine code do not count.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import sys
from pathlib import Path

from harness import simt
from harness.process.processors import count_processors
from harness.simt.observing.default import ALL
from tests.benchmarks import measure
from tests.benchmarks.aims import BIG, aims
from tests.benchmarks.page import drawing, markdown
from tests.benchmarks.workloads import CASES, LARGER, SIZES, SUMS, large

CASE_LIMIT, OBSERVED_LIMIT = 5e-3, 50e-3  # seconds
NUMBA_FACTOR, OCLGRIND_FACTOR = 50, 3
SMALL = ["axis_sum:32", "block_sum:1024"]
GRIDS = [f"{name}:{threads}" for name in SUMS for threads in (*SIZES[name], *LARGER[name])]
OBSERVED = {"plain": tuple, "observed": simt.observers, "native": lambda: simt.observers(counters=False)}


def main() -> int:
    """Measures, prints, writes; 1 when a target is missed, or an aim could not be measured."""
    options = _options()
    if options.alone:
        return _alone(options)
    results = {"about": _about(), "cases": _cases(options.repeats)}
    results["small"] = {w: measure.timed(large(w).run, options.repeats)[0] for w in SMALL}
    peers = [measure.numba(options.peers, 3, SMALL)]
    one, two = (measure.pocl(options.peers, 9, SMALL + BIG, threads) for threads in (1, 2))
    peers.append(two)
    if not options.quick:
        peers += [
            measure.oclgrind(options.peers, 1, SMALL + BIG),
            measure.oclgrind(options.peers, 0, BIG, checks=True),
        ]
    results["aims"] = []
    for aim in aims(one, two):
        results["aims"].append(aim)
        _keep(options, results)
    results["grids"] = _grids(options.peers)
    results["peers"] = [
        {"name": p.name, "version": p.version, "seconds": p.seconds, "missing": p.missing} for p in peers
    ]
    results["targets"] = _targets(results)
    text = markdown(results)
    print(text)
    _keep(options, results)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
        options.markdown.with_suffix(".svg").write_text(drawing(results), encoding="utf-8")
    missed = any(not target["met"] for target in results["targets"] if target["met"] is not None)
    return int(missed or any(aim["failed"] for aim in results["aims"]))


def _keep(options, results) -> None:
    """Write what is measured so far: whatever comes next may fail."""
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def _options():
    parser = argparse.ArgumentParser(prog="simulator", description=__doc__.splitlines()[0])
    parser.add_argument("--peers", default=sys.executable, help="a Python with numba and pyopencl")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--markdown", type=Path, help="where to write the tables")
    parser.add_argument("--repeats", type=int, default=21, help="launches of a median")
    parser.add_argument("--quick", action="store_true", help="leave Oclgrind out")
    parser.add_argument("--alone", metavar="ALGORITHM:THREADS", help=argparse.SUPPRESS)
    parser.add_argument("--how", choices=tuple(OBSERVED), default="plain", help=argparse.SUPPRESS)
    return parser.parse_args()


def _alone(options) -> int:
    """One workload in this process, so that its peak memory is its own."""
    before = measure.peak_bytes()
    workload = large(options.alone)

    engine, results = "native" if options.how == "native" else "reference", []

    def run():
        results.append(workload.run(OBSERVED[options.how](), engine=engine, max_seconds=600))
        workload.check(results[-1])

    seconds, spent = measure.timed(run, options.repeats)
    peak = measure.peak_bytes()
    figures = {
        "seconds": seconds,
        "spent": spent,
        "peak_bytes": peak,
        "grown_bytes": peak - before,
        "array_bytes": sum(array.nbytes for array in workload.arrays),
        "native": results[-1].engine.native,
    }
    print(json.dumps(figures))
    return 0


def _about():
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": f"{count_processors()} cores, {platform.machine()}, no GPU used",
        "python": platform.python_version(),
        "numpy": importlib.metadata.version("numpy"),
        "llvmlite": importlib.metadata.version("llvmlite"),
        "load": round(os.getloadavg()[0], 1),
    }


def _cases(repeats):
    """Median seconds by case: without observers, with each, with all."""
    table = {}
    for name, make in CASES.items():
        workload = make()
        workload.check(workload.run())
        workload.check(workload.run(simt.observers()))
        row = {"none": measure.timed(workload.run, repeats)[0]}
        for observer in ALL:
            kind = ALL[observer]
            row[observer] = measure.timed(lambda w=workload, k=kind: w.run((k(),)), repeats)[0]
        row["all"] = measure.timed(lambda w=workload: w.run(simt.observers()), repeats)[0]
        table[name] = row
    return table


def _grids(peers):
    """By `ALGORITHM:THREADS` what each way takes, each in a process of its own, and PoCL on one thread."""
    table = {}
    for name in GRIDS:
        repeats = 3 if int(name.partition(":")[2]) <= max(SIZES["block_sum"]) else 1
        table[name] = {how: measure.fresh(name, repeats, how) for how in OBSERVED}
        pocl = measure.pocl(peers, 9, [name], 1)
        if pocl.seconds is not None:
            figures = {"seconds": pocl.seconds[name], "spent": pocl.spent[name], "peak_bytes": pocl.peak_bytes}
            table[name]["pocl"] = figures
    return table


def _own(results, workload):
    return results["small"][workload] if workload in SMALL else results["grids"][workload]["plain"]["seconds"]


def _targets(results):
    """What was asked for, what was measured, and whether it is met (None: not measured)."""
    cases = results["cases"].values()
    slowest, observed = max(c["none"] for c in cases), max(c["all"] for c in cases)
    targets = [
        {
            "target": "each documented case, warm, at most 5 ms",
            "measured": f"{1e3 * slowest:.1f} ms",
            "met": slowest <= CASE_LIMIT,
        },
        {
            "target": "each documented case with all observers at most 50 ms",
            "measured": f"{1e3 * observed:.1f} ms",
            "met": observed <= OBSERVED_LIMIT,
        },
    ]
    for peer, factor, workloads in (
        ("Numba CUDA simulator", NUMBA_FACTOR, SMALL),
        ("Oclgrind", OCLGRIND_FACTOR, BIG),
    ):
        text = f"at least {factor} times as fast as {peer}"
        seconds = next((p["seconds"] for p in results["peers"] if p["name"] == peer), None)
        if not seconds:
            targets.append({"target": text, "measured": "not measured", "met": None})
            continue
        ratios = {w: seconds[w] / _own(results, w) for w in workloads}
        shown = ", ".join(f"{w} {ratio:.0f} times" for w, ratio in ratios.items())
        targets.append({"target": text, "measured": shown, "met": min(ratios.values()) >= factor})
    return targets


if __name__ == "__main__":
    sys.exit(main())
