"""Who finds what: this simulator and NVIDIA's compute-sanitizer on the same kernels.

    python -m tests.hazards.sanitizers compile DIR [PAIR...]            writes the PTX; needs no GPU
    python -m tests.hazards.sanitizers run DIR --out ROWS [PAIR...]     on a GPU; a row of the table for each pair
    python -m tests.hazards.sanitizers write ROWS                       puts the rows into docs/sanitizers.md

PAIR is `class/name`, with wildcards; `--new` takes the pairs that the document has no row for. A row is printed and
written as soon as it is known, and a pair that ROWS has already is not run again: what a time limit ends goes on.

A cell of the table is a tick where the tool reports the faulty kernel, a dash where
it does not, and an exclamation mark where it (also) reports the clean twin.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from fnmatch import fnmatch
from pathlib import Path

from harness.backends.compute_sanitizer.tool import TOOLS, find, parse
from harness.model.sources import ROOT
from tests import cuda
from tests.generate.files import between
from tests.hazards.pairs import PAIRS, header, name, run

FOLDER = Path(__file__).parent
DOCUMENT = ROOT / "docs" / "sanitizers.md"
BEGIN, END = "<!-- made by `tests.hazards.sanitizers write`: begin {} -->", "<!-- made: end {} -->"
COLUMNS = ("this simulator", *TOOLS)
TIME_LIMIT_SECONDS = 15
# These may never end on a GPU: they come last, so that they keep no other one waiting.
ENDLESS = ("absent-lane", "cluster-protocol", "deadlock", "mbarrier", "missed-barrier")
# What the driver says of a kernel that did not begin.
NOT_BEGUN = re.compile(r"^cu(?!CtxSynchronize|MemFree)\w+: .*$", re.MULTILINE)


def pairs(chosen: Sequence[str] = ()) -> list[Path]:
    """The pairs of NVIDIA kernels, or those of them that a name or a pattern chooses."""
    ours = [
        path
        for path in PAIRS
        if header(path, "target").startswith("nvidia") and ":map:" not in header(path, "arguments")
    ]
    return [path for path in ours if not chosen or any(fnmatch(name(path), pattern) for pattern in chosen)]


def compile_all(folder: Path, chosen: Sequence[Path]) -> int:
    """Writes `class-name.ptx` for each pair; those that LLVM's NVPTX back end does not know end their own process."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.hazards.sanitizers", "emit", str(folder)]

    def said(path: Path) -> str:
        done = subprocess.run([*command, name(path)], capture_output=True, text=True)
        return f"{name(path)}: {done.stderr.strip()[-200:]}" if done.returncode else ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        refused = list(filter(None, pool.map(said, chosen)))
    for reason in refused:
        print("not compiled:", reason, file=sys.stderr)
    return 1 if refused else 0


def emit(pair: Path, ptx: Path) -> None:
    """The PTX of one pair, made by LLVM's own NVPTX back end."""
    ptx.write_text(cuda.ptx(pair.read_text(encoding="utf-8")), encoding="utf-8")


def reported(tool: str, ptx: Path, kernel: str, pair: Path) -> str:
    """`yes`, `no`, `hang`, or `none` when the kernel did not begin or the tool gave no summary."""
    driver = [sys.executable, str(FOLDER / "gpu_driver.py"), str(ptx), kernel, str(pair)]
    # A session of its own: a kernel that hangs leaves the driver behind when only
    # the sanitizer is killed.
    process = subprocess.Popen(
        [find(), "--tool", tool, *driver],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        text, _ = process.communicate(timeout=TIME_LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "hang"
    text = text.replace("=========", "\n=========")  # a kernel need not end its own last line
    refused, errors = NOT_BEGUN.search(text), parse(text).errors
    if refused or errors is None:
        print(f"{name(pair)} {kernel} {tool}: {refused[0] if refused else text[-300:]}", file=sys.stderr, flush=True)
        return "none"
    return "yes" if errors else "no"


def ours(path: Path, kernel: str) -> str:
    """Whether the simulator reports what the pair is about, or anything that is not mere information."""
    kind, _ = header(path, "caught").split(", ")
    findings = [
        finding for finding in run(path, kernel).findings if finding.kind == kind or finding.severity != "information"
    ]
    return "yes" if findings else "no"


def run_all(folder: Path, chosen: Sequence[Path], out: Path, workers: int) -> None:
    """Adds a row to a file for each pair that it has none of, in the order in which they end."""
    find()  # without the tool nothing begins
    there = rows(out.read_text(encoding="utf-8")) if out.exists() else {}
    wanted = [path for path in chosen if _ptx(folder, path).exists() and name(path) not in there]
    wanted.sort(key=lambda path: header(path, "caught").partition(",")[0] in ENDLESS)
    kernels = ("caught", "clean")
    with ThreadPoolExecutor(workers) as pool, out.open("a", encoding="utf-8") as file:
        tasks: dict[Future[str], Path] = {}
        cells: dict[Path, dict[tuple[str, str], Future[str]]] = {path: {} for path in wanted}
        for path in wanted:
            for tool in TOOLS:
                for kernel in kernels:
                    task = pool.submit(reported, tool, _ptx(folder, path), kernel, path)
                    tasks[task] = path
                    cells[path][tool, kernel] = task
        for task in as_completed(tasks):
            path = tasks[task]
            if all(cell.done() for cell in cells[path].values()) and path in wanted:
                wanted.remove(path)
                verdicts = [_cell(*(ours(path, kernel) for kernel in kernels))]
                verdicts += [_cell(*(cells[path][tool, kernel].result() for kernel in kernels)) for tool in TOOLS]
                line = _row([name(path), *verdicts])
                print(line, flush=True)
                print(line, file=file, flush=True)


def rows(text: str) -> dict[str, list[str]]:
    """The cells of each pair that has a row in a text."""
    table = [[cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines() if line[:2] == "| "]
    return {first: cells for first, *cells in table if "/" in first and len(cells) == len(COLUMNS)}


def write(text: str) -> str:
    """The document with more rows, and the counts of all rows by class."""
    document = DOCUMENT.read_text(encoding="utf-8")
    known = rows(document) | rows(text)
    told = {name(path): known[name(path)] for path in pairs() if name(path) in known}
    every = [_row(["kernel", *COLUMNS]), _row(["---"] * (1 + len(COLUMNS)))]
    every += [_row([pair, *cells]) for pair, cells in told.items()]
    counts = [_row(["class", "pairs", *COLUMNS]), _row(["---", *["---:"] * (1 + len(COLUMNS))])]
    for group in [*dict.fromkeys(pair.partition("/")[0] for pair in told), ""]:
        some = [cells for pair, cells in told.items() if pair.startswith(f"{group}/") or not group]
        ticks = (sum(cells[place].startswith("✓") for cells in some) for place in range(len(COLUMNS)))
        counts.append(_row([group or "all", str(len(some)), *map(str, ticks)]))
    for part, lines in (("classes", counts), ("kernels", every)):
        document = between(document, BEGIN.format(part), END.format(part), "\n".join(["", *lines, ""]) + "\n", DOCUMENT)
    return document


def _ptx(folder: Path, pair: Path) -> Path:
    return folder / f"{pair.parent.name}-{pair.stem}.ptx"


def _cell(caught: str, clean: str) -> str:
    text = {"yes": "✓", "no": "-", "hang": "hangs", "none": "no summary"}[caught]
    return text if clean == "no" or caught == clean == "none" else f"{text} ! ({clean})"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compiles, runs, or writes the document."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.hazards.sanitizers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("verb", choices=("compile", "emit", "run", "write"))
    parser.add_argument("place", type=Path, metavar="DIR|ROWS")
    parser.add_argument("pairs", nargs="*", metavar="PAIR")
    parser.add_argument("--new", action="store_true", help="only pairs that docs/sanitizers.md has no row for")
    parser.add_argument("--out", type=Path, metavar="ROWS", help="where `run` writes the rows (DIR/rows.md)")
    parser.add_argument("--workers", type=int, default=12, help="how many runs at once")
    options = parser.parse_intermixed_args(arguments)  # pairs may stand behind options
    chosen = pairs(options.pairs)
    if options.new:
        there = rows(DOCUMENT.read_text(encoding="utf-8"))
        chosen = [path for path in chosen if name(path) not in there]
    match options.verb:
        case "compile":
            return compile_all(options.place, chosen)
        case "emit":  # for `compile`
            for path in chosen:
                emit(path, _ptx(options.place, path))
        case "run":
            run_all(options.place, chosen, options.out or options.place / "rows.md", options.workers)
        case "write":
            DOCUMENT.write_text(write(options.place.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
