"""Mutants of every mode's Mojo text, and what became of them at every launch that the mode has.

`python -m tests.mutants.coincident [MODE ...] [--target T ...] [--jobs N] [--out FILE] [--resume] [--write]` makes them
(`source_operators.py`), runs batches of them in processes of their own, and prints tables and what is left over. Each
fate is a line of JSON that is appended to FILE as soon as it is known. `--resume` runs only what FILE lacks; `--write`
puts the tables of FILE into docs/mutants.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness.catalogue import CASES, find_case
from harness.model.case import Case
from harness.model.sources import ROOT
from harness.model.target import DEFAULT_ARCHITECTURES, Target
from tests.generate.files import between
from tests.mutants.source_fates import OUTCOMES, Fate, find_fates, mode_edits

__all__ = ["DOCUMENT", "Batch", "batches", "format_left_over", "format_tables", "main", "read_fates"]

DOCUMENT = ROOT / "docs" / "mutants.md"
LEFT_OVER = ROOT / "tests" / "mutants" / "left_over_text.txt"
BEGIN, END = (
    "<!-- made by `python -m tests.mutants.coincident --write`: begin mutants of the text -->",
    "<!-- made: end mutants of the text -->",
)
RESULTS = "build/coincident.jsonl"
KERNELS, CALLS = 48, 12  # mutants of a batch; a program that calls functions of the host takes longer to compile
Key = tuple[str, str, str, str]
Batch = tuple[str, str, int, int]  # target, mode, and from which to which of its mutants


def batches(cases: Sequence[Case], targets: Sequence[str], known: Iterable[Key] = ()) -> Iterator[Batch]:
    """Yields what is run together: mutants of one mode for one target. Leaves out batches that are known in full."""
    known = set(known)
    for entry in cases:
        mutants = mode_edits(entry)
        most = CALLS if entry.called else KERNELS
        for target in targets:
            if entry.refusal(Target.parse(target)) is not None:
                continue
            for start in range(0, len(mutants), most):
                own = mutants[start : start + most]
                if any((target, entry.id, mutant.function, str(mutant)) not in known for mutant in own):
                    yield target, entry.id, start, start + most


def read_fates(file: Path) -> dict[Key, Fate]:
    """Returns the fates in a file, the last one of each mutant; a line that was cut off is left out."""
    fates = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        try:
            fate = Fate(**json.loads(line))
        except (ValueError, TypeError):
            continue
        fates[_key(fate)] = fate
    return fates


def format_tables(fates: Sequence[Fate]) -> str:
    """Return the tables by target, operator and mode, in Markdown."""
    by_target = _table("target", [(fate.target, fate) for fate in fates])
    by_operator = _table("operator", [(fate.operator, fate) for fate in fates])
    by_mode = _table("mode", [(fate.case, fate) for fate in fates])
    return "\n".join(["", *by_target, "", *by_operator, "", *by_mode, ""])


def _table(head: str, named: Sequence[tuple[str, Fate]]) -> list[str]:
    columns = ("mutants", *OUTCOMES)
    counts = Counter((name, fate.outcome) for name, fate in named)
    rows = [f"| {head} | {' | '.join(columns)} |", "| --- |" + " ---: |" * len(columns)]
    for name in dict.fromkeys(name for name, _ in named):
        own = [counts[name, outcome] for outcome in OUTCOMES]
        rows.append(f"| {name} | " + " | ".join(map(str, (sum(own), *own))) + " |")
    sums = [sum(fate.outcome == outcome for _, fate in named) for outcome in OUTCOMES]
    return [*rows, "| all | " + " | ".join(map(str, (sum(sums), *sums))) + " |"]


def format_left_over(fates: Sequence[Fate]) -> str:
    """Return a line for each mutant that is neither killed nor proved equivalent, with its vendors."""
    targets: dict[tuple[str, str, str], list[str]] = {}
    for fate in fates:
        if fate.outcome == "left over":
            targets.setdefault((fate.case, fate.function, fate.edit), []).append(fate.target.partition(":")[0])
    lines = [
        f"{mode}, {function}: {edit} ({', '.join(dict.fromkeys(where))})\n"
        for (mode, function, edit), where in targets.items()
    ]
    return "".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the mutants, prints the tables; returns 1 if a batch failed."""
    options = _parser().parse_args(arguments)
    if options.batch:
        return _run_batch(options.modes[0], options.target[0], *map(int, options.batch.split(":")))
    cases = [find_case(name) for name in options.modes] or list(CASES)
    targets = [Target.parse(name).name for name in options.target or DEFAULT_ARCHITECTURES]
    if options.write and (options.modes or len(targets) < len(DEFAULT_ARCHITECTURES)):
        raise SystemExit("--write needs all modes and targets: name none")
    file = Path(options.out)
    if not options.resume and file.exists():
        raise SystemExit(f"{file} exists: add --resume, or name another --out")
    fates = read_fates(file)
    failed = _run_all(list(batches(cases, targets, fates)), options.jobs, file, fates)
    order = {entry.id: at for at, entry in enumerate(CASES)}
    wanted = {entry.id for entry in cases}
    ended = [fate for fate in fates.values() if fate.case in wanted and fate.target in targets]
    ended.sort(key=lambda fate: (order[fate.case], targets.index(fate.target)))
    print(format_tables(ended), format_left_over(ended), sep="\n")
    if options.write and not failed:
        LEFT_OVER.write_text(format_left_over(ended), encoding="utf-8")
        text = between(DOCUMENT.read_text(encoding="utf-8"), BEGIN, END, format_tables(ended), DOCUMENT)
        DOCUMENT.write_text(text, encoding="utf-8")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.coincident", description=__doc__.partition("\n")[0])
    parser.add_argument("modes", nargs="*", metavar="MODE", help="modes to run (default: all)")
    parser.add_argument("--target", action="append", metavar="T", help="target, repeatable (default: one a vendor)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a processor)")
    parser.add_argument("--out", default=RESULTS, metavar="FILE", help="results (default: %(default)s)")
    parser.add_argument("--resume", action="store_true", help="run only what FILE lacks")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/mutants.md")
    parser.add_argument("--batch", help=argparse.SUPPRESS)
    return parser


def _run_batch(mode: str, target: str, start: int, stop: int) -> int:
    """Runs some mutants of a mode in this process; prints each fate as a line of JSON."""
    entry = find_case(mode)
    for fate in find_fates(entry, Target.parse(target), mode_edits(entry)[start:stop]):
        print(json.dumps(fate.record()), flush=True)
    return 0


def _run_all(wanted: Sequence[Batch], jobs: int, file: Path, fates: dict[Key, Fate]) -> int:
    """Runs batches in processes of their own, adds their fates to the file, and returns how many batches failed."""
    lock, started, done, failed = threading.Lock(), time.monotonic(), 0, 0

    def run(batch: Batch) -> None:
        nonlocal done, failed
        target, mode, start, stop = batch
        name = [mode, "--target", target, "--batch", f"{start}:{stop}"]
        command = [sys.executable, "-m", "tests.mutants.coincident", *name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
            assert process.stdout and process.stderr
            messages: list[str] = []
            reader = threading.Thread(target=lambda: messages.extend(process.stderr or ()))
            reader.start()
            for line in process.stdout:
                with lock, file.open("a", encoding="utf-8") as out:
                    fate = Fate(**json.loads(line))
                    fates[_key(fate)] = fate
                    out.write(line)
            reader.join()
        with lock:
            done += 1
            failed += process.returncode != 0
            minutes = (time.monotonic() - started) / 60
            print(f"{done}/{len(wanted)} {' '.join(name)}: {minutes:.1f} min", file=sys.stderr, flush=True)
            if process.returncode:
                print("".join(messages[-15:]), file=sys.stderr, flush=True)

    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, wanted[::-1]))  # those of later puzzles take longer
    return failed


def _key(fate: Fate) -> Key:
    return fate.target, fate.case, fate.function, fate.edit


if __name__ == "__main__":
    sys.exit(main())
