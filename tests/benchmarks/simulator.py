"""Times the simulator beside its peers, in one run, on the same algorithms.

    python -m tests.benchmarks.simulator [--peers PYTHON] [--json FILE] [--markdown FILE]

PYTHON is an interpreter with numba and pyopencl; Oclgrind and PoCL are packages of
the system. What is not there is said to be missing. The exit status is 1 when a
target is missed.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import resource
import sys
from pathlib import Path

from harness import simt
from harness.simt.observing.default import ALL
from tests.benchmarks import measure
from tests.benchmarks.workloads import CASES, ENGINES, SIZES, SUMS, large

CASE_LIMIT, OBSERVED_LIMIT = 5e-3, 50e-3  # seconds
NUMBA_FACTOR, OCLGRIND_FACTOR = 50, 3
SMALL = ["axis_sum:32", "block_sum:1024"]
BIG = [f"{name}:{max(sizes)}" for name, sizes in SIZES.items()]


def main() -> int:
    """Measures, prints, writes; 1 when a target is missed."""
    options = _options()
    if options.alone:
        return _alone(options)
    results = {"about": _about(), "cases": _cases(options.repeats)}
    results["engines"] = _engines()
    results["grids"] = _grids()
    results["small"] = {w: measure.median_seconds(large(w).run, options.repeats) for w in SMALL}
    peers = [measure.numba(options.peers, 3, SMALL)]
    if not options.quick:
        peers += [
            measure.pocl(options.peers, 9, SMALL + BIG),
            measure.oclgrind(options.peers, 1, SMALL + BIG),
            measure.oclgrind(options.peers, 0, BIG, checks=True),
        ]
    results["peers"] = [
        {"name": p.name, "version": p.version, "seconds": p.seconds, "missing": p.missing} for p in peers
    ]
    results["targets"] = _targets(results)
    text = markdown(results)
    print(text)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    return int(any(not target["met"] for target in results["targets"] if target["met"] is not None))


def _options():
    parser = argparse.ArgumentParser(prog="simulator", description=__doc__.splitlines()[0])
    parser.add_argument("--peers", default=sys.executable, help="a Python with numba and pyopencl")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--markdown", type=Path, help="where to write the tables")
    parser.add_argument("--repeats", type=int, default=21, help="launches of a median")
    parser.add_argument("--quick", action="store_true", help="leave OpenCL out")
    parser.add_argument("--alone", metavar="ALGORITHM:THREADS", help=argparse.SUPPRESS)
    parser.add_argument("--observed", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def _alone(options) -> int:
    """One workload in this process, so that its peak memory is its own."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    workload = large(options.alone)

    def run():
        workload.check(workload.run(simt.observers() if options.observed else ()))

    seconds = measure.median_seconds(run, options.repeats)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    arrays = sum(array.nbytes for array in workload.arrays)
    scale = 1 if sys.platform == "darwin" else 1024
    print(
        json.dumps(
            {
                "seconds": seconds,
                "peak_bytes": peak * scale,
                "grown_bytes": (peak - before) * scale,
                "array_bytes": arrays,
            }
        )
    )
    return 0


def _about():
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, no GPU used",
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
        row = {"none": measure.median_seconds(workload.run, repeats)}
        for observer in ALL:
            kind = ALL[observer]
            row[observer] = measure.median_seconds(lambda w=workload, k=kind: w.run((k(),)), repeats)
        row["all"] = measure.median_seconds(lambda w=workload: w.run(simt.observers()), repeats)
        table[name] = row
    return table


def _engines():
    """Seconds of the processor by workload, with the observers that machine code can prove silent."""
    table = {}
    for name, (make, left_out) in ENGINES.items():
        workload, off = make(), dict.fromkeys(left_out, False)

        def run(engine, w=workload, off=off):
            return w.run(simt.observers(**off), engine=engine)

        assert run("native").engine.native, name
        seconds = {engine: measure.least_spent(lambda e=engine, r=run: r(e), 3) for engine in ("reference", "native")}
        table[name] = {"left_out": list(left_out), **seconds}
    return table


def _grids():
    """Seconds and peak bytes by algorithm and threads, with and without observers."""
    return [
        {"algorithm": name, "threads": threads, "observed": observed, **measure.fresh(f"{name}:{threads}", 3, observed)}
        for name in SUMS
        for threads in SIZES[name]
        for observed in (False, True)
    ]


def _own(results, workload):
    if workload in results["small"]:
        return results["small"][workload]
    name, _, threads = workload.partition(":")
    for grid in results["grids"]:
        if (grid["algorithm"], grid["threads"], grid["observed"]) == (name, int(threads), False):
            return grid["seconds"]
    raise KeyError(workload)


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


def markdown(results) -> str:
    """The report."""
    about = results["about"]
    lines = [
        "# The simulator's speed",
        "",
        f"{about['date']}, {about['machine']}; Python {about['python']}, NumPy {about['numpy']}, llvmlite "
        f"{about['llvmlite']}. Load average at the start: {about['load']}.",
        "",
        "Made by `nox -s bench-simulator`. Times are medians of wall time of whole launches, warm: the",
        "code is decoded and compiled, arrays are bound, results checked. sm_90 code throughout. Numba,",
        "Oclgrind and PoCL use several threads, this simulator one: other load slows them down more.",
        "",
        "## Targets",
        "",
        "| target | measured | |",
        "| --- | --- | --- |",
    ]
    for target in results["targets"]:
        met = {True: "met", False: "missed", None: "-"}[target["met"]]
        lines.append(f"| {target['target']} | {target['measured']} | {met} |")
    lines += ["", "## Documented cases", "", "Milliseconds; a column for each observer alone.", ""]
    columns = list(next(iter(results["cases"].values())))
    lines += _table(
        ["case", *columns],
        [[name, *(f"{1e3 * row[c]:.2f}" for c in columns)] for name, row in results["cases"].items()],
    )
    lines += ["", "## Peers", "", "Seconds; the same algorithm and size, in the same run.", ""]
    lines += _peers(results)
    lines += [
        "",
        "## Machine code",
        "",
        "Milliseconds of the processor, the least of three, warm; with all observers but those named, in Python and as",
        "machine code (`--engine native`), which says nothing and proves that nothing is to be said.",
        "",
        *_table(
            ["workload", "left out", "Python", "machine code", "times as fast"],
            [
                [
                    name,
                    ", ".join(row["left_out"]),
                    f"{1e3 * row['reference']:.1f}",
                    f"{1e3 * row['native']:.1f}",
                    f"{row['reference'] / row['native']:.0f}",
                ]
                for name, row in results["engines"].items()
            ],
        ),
        "",
        "## By the size of the grid",
        "",
        "Each row from two fresh processes, one without and one with all observers. Memory is the",
        "peak of the process in MiB, of which an idle process takes about 72.",
        "",
    ]
    lines += _sizes(results)
    return "\n".join(lines) + "\n"


def _table(head, rows):
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *(f"| {' | '.join(r)} |" for r in rows)]


def _seconds(value):
    return "-" if value is None else f"{value:.2g}" if value < 1 else f"{value:.1f}"


def _peers(results):
    workloads = SMALL + BIG
    rows = [["this simulator", *(_seconds(_own(results, w)) for w in workloads)]]
    observed = {f"{g['algorithm']}:{g['threads']}": g["seconds"] for g in results["grids"] if g["observed"]}
    rows.append(["this simulator, all observers", *(_seconds(observed.get(w)) for w in workloads)])
    for peer in results["peers"]:
        if peer["missing"]:
            rows.append([f"{peer['name']}: missing, {peer['missing']}", *("-" for _ in workloads)])
        else:
            rows.append([peer["name"], *(_seconds(peer["seconds"].get(w)) for w in workloads)])
    versions = dict.fromkeys(" ".join(p["version"].split()[:4]) for p in results["peers"] if p["version"])
    return [*_table(["", *workloads], rows), "", f"{'; '.join(versions) or 'No peer'} measured."]


def _sizes(results):
    rows = []
    for name in SUMS:
        for threads in SIZES[name]:
            plain, observed = (
                next(
                    g
                    for g in results["grids"]
                    if (g["algorithm"], g["threads"], g["observed"]) == (name, threads, flag)
                )
                for flag in (False, True)
            )
            rows.append(
                [
                    name,
                    f"{threads:,}",
                    f"{1e3 * plain['seconds']:.1f}",
                    f"{1e9 * plain['seconds'] / threads:.0f}",
                    f"{plain['peak_bytes'] / 2**20:.0f}",
                    f"{1e3 * observed['seconds']:.1f}",
                    f"{observed['peak_bytes'] / 2**20:.0f}",
                ]
            )
    head = ["algorithm", "threads", "ms", "ns a thread", "MiB", "ms, observed", "MiB, observed"]
    return _table(head, rows)


if __name__ == "__main__":
    sys.exit(main())
