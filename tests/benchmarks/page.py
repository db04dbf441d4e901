"""The page that the benchmark of the simulator writes, and its plot."""

from __future__ import annotations

import math

from tests.benchmarks.aims import BIG

__all__ = ["WAYS", "drawing", "markdown"]

WAYS = {"plain": "Python", "observed": "Python, all observers", "native": "machine code", "pocl": "PoCL"}


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
    lines += ["", *_aims(results["aims"]), "", *_sizes(results["grids"])]
    return "\n".join(lines) + "\n"


def _aims(aims):
    lines = [
        "## Machine code",
        "",
        "What machine code (`--engine native`) is asked to reach, with bounds and races always checked. Milliseconds",
        "are of the processor, the least of several: they are the code's own, whatever else the machine does. PoCL",
        "checks nothing. What Python ran is not proved: something is told of it, or machine code has no form for it.",
        "Three seconds of such launches come before each: once they have saved several times what that costs, their",
        "code is optimised for blocks of their shape; until then they take longer.",
        "",
    ]
    sign = {True: "at least", False: "at most"}
    rows = [
        [
            aim["what"],
            aim["ran"],
            f"failed: {aim['failed']}" if aim["failed"] else _figure(aim["measured"], aim["unit"]),
            "" if aim["failed"] else f"{sign[aim['least']]} {aim['aim']:,g}{' ms' if aim['unit'] == 'ms' else ''}",
            "failed" if aim["failed"] else "met" if aim["met"] else "missed",
            aim["beside"],
        ]
        for aim in aims
    ]
    return lines + _table(["what", "ran by", "measured", "asked", "", "compared"], rows)


def _figure(value, unit):
    return f"{value:.1f} times" if unit == "x" else f"{value:,.0f} ms" if value >= 1000 else f"{value:.3g} ms"


def _table(head, rows):
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *(f"| {' | '.join(r)} |" for r in rows)]


def _seconds(value):
    return "-" if value is None else f"{value:.2g}" if value < 1 else f"{value:.1f}"


def _peers(results):
    workloads = [*results["small"], *BIG]
    plain = {name: row["plain"]["seconds"] for name, row in results["grids"].items()} | results["small"]
    observed = {name: row["observed"]["seconds"] for name, row in results["grids"].items()}
    rows = [["this simulator", *(_seconds(plain[w]) for w in workloads)]]
    rows.append(["this simulator, all observers", *(_seconds(observed.get(w)) for w in workloads)])
    for peer in results["peers"]:
        if peer["missing"]:
            rows.append([f"{peer['name']}: missing, {peer['missing']}", *("-" for _ in workloads)])
        else:
            rows.append([peer["name"], *(_seconds(peer["seconds"].get(w)) for w in workloads)])
    versions = dict.fromkeys(" ".join(p["version"].split()[:4]) for p in results["peers"] if p["version"])
    return [*_table(["", *workloads], rows), "", f"{'; '.join(versions) or 'No peer'} measured."]


def _sizes(grids):
    lines = [
        "## By the size of the grid",
        "",
        "![Two panels for each sum, by the number of threads on logarithmic axes: seconds of the processor, and the",
        "peak of memory, of Python with and without observers, of machine code and of PoCL](simulator-benchmark.svg)",
        "",
        "Milliseconds of the processor, the least of three (one above 1,048,576 threads), warm, results checked, and",
        "the peak of the process in MiB; each figure from a process of its own. Machine code has all observers but",
        "counters; PoCL one thread, and no checks.",
        "",
    ]
    head = ["sum", "threads"]
    head += [f"{unit}, {way}" for unit in ("ms", "MiB") for way in WAYS.values()]
    rows = []
    for name, row in grids.items():
        sum_, threads = name.split(":")
        figures = [row.get(way) for way in WAYS]
        cells = ["-" if one is None else _three(1e3 * one["spent"]) for one in figures]
        cells += ["-" if one is None else f"{one['peak_bytes'] / 2**20:,.0f}" for one in figures]
        if not row["native"]["native"]:
            cells[2] += " (Python)"
        rows.append([sum_, f"{int(threads):,}", *cells])
    return lines + _table(head, rows)


def _three(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# The plot.

COLOURS = {"plain": "#0072b2", "observed": "#d55e00", "native": "#009e73", "pocl": "#777"}
WIDE, HIGH, LEFT, TOP, GAP = 300, 210, 62, 56, 84
STYLE = (
    "<style>text{font:12px system-ui,sans-serif;fill:#333}.axis{stroke:#999;fill:none}.grid{stroke:#9995}"
    "@media (prefers-color-scheme:dark){text{fill:#ddd}}</style>"
)


def drawing(results) -> str:
    """The plot, an SVG: time and memory against the size, a row of panels for each sum."""
    sums = list(dict.fromkeys(name.split(":")[0] for name in results["grids"]))
    parts = []
    for place, (way, label) in enumerate(WAYS.items()):
        x = LEFT + 170 * place
        parts.append(f'<line x1="{x}" y1="16" x2="{x + 22}" y2="16" stroke="{COLOURS[way]}" stroke-width="2"/>')
        parts.append(f'<text x="{x + 28}" y="20">{label}</text>')
    for row, one in enumerate(sums):
        figures = {int(name.split(":")[1]): ways for name, ways in results["grids"].items() if name.startswith(one)}
        y = TOP + row * (HIGH + GAP)
        parts += _panel(figures, "spent", 1e3, f"{one}: ms of the processor", LEFT, y)
        parts += _panel(figures, "peak_bytes", 2.0**-20, f"{one}: peak memory, MiB", LEFT + WIDE + GAP, y)
    wide, high = LEFT + 2 * WIDE + GAP + 20, TOP + len(sums) * (HIGH + GAP)
    size = f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    return "\n".join([head, "<title>The simulator's time and memory by size</title>", STYLE, *parts, "</svg>\n"])


def _panel(figures, what, scale, title, left, top):
    points = {
        way: [(threads, scale * ways[way][what]) for threads, ways in figures.items() if way in ways] for way in WAYS
    }
    values = [value for line in points.values() for _, value in line]
    low, high = math.floor(math.log10(min(values))), math.floor(math.log10(max(values))) + 1
    first, last = math.log2(min(figures)), math.log2(max(figures))

    def at(threads, value):
        x = left + WIDE * (math.log2(threads) - first) / (last - first)
        return x, top + HIGH * (high - math.log10(value)) / (high - low)

    yield f'<text x="{left}" y="{top - 8}">{title}</text>'
    yield f'<rect class="axis" x="{left}" y="{top}" width="{WIDE}" height="{HIGH}"/>'
    for power in range(low, high + 1):
        y = at(min(figures), 10.0**power)[1]
        yield f'<line class="grid" x1="{left}" y1="{y:.1f}" x2="{left + WIDE}" y2="{y:.1f}"/>'
        yield f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:,g}</text>'
    for power in range(10, int(last) + 1, 4):
        x, label = at(2**power, 10.0**low)[0], f"{2 ** (power - 10)}Ki" if power < 20 else f"{2 ** (power - 20)}Mi"
        yield f'<text x="{x:.1f}" y="{top + HIGH + 18}" text-anchor="middle">{label}</text>'
    for way, line in points.items():
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in line))
        yield f'<polyline points="{places}" fill="none" stroke="{COLOURS[way]}" stroke-width="2"/>'
