"""Which launches of the corpus are compiled, and which are interpreted and why.

python -m tests.simt.corpus.table                    compare with the table, and print what differs
python -m tests.simt.corpus.table --write            write the table again
python -m tests.simt.corpus.table --before FOLDER    also measure the checkout that the table compares with
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.simt.corpus.launching import Ran, Recorder, has_library, programs

__all__ = ["COMMIT", "HOSTS", "MODES", "Measured", "host_launches", "known", "measure", "measured"]

HERE = Path(__file__).parent
STORED, PAGE = HERE / "launches.json", HERE / "README.md"
COMMIT = "24f83de3"  # with which the table compares
MODES = {"checks": False, "counters": True}  # whether everything is counted
HOSTS = ("numbers", "floats")  # programs in Mojo, which `puzzles exec` runs
Measured = dict[str, dict[str, list[list[Any]]]]  # by mode and program, each launch as of `EngineUsage`
CHILD = "import json, sys; from tests.simt.corpus.table import measure; json.dump(measure(), sys.stdout)"
HEAD = """# The corpus: which engine runs a launch

Small programs in CUDA C++ and Mojo, written for this table: reductions, scans, sorts, histograms, stencils,
hashes, graphs, attention and molecular dynamics, some with NVIDIA's library for devices. Each asserts its
result. `kernels/` holds the CUDA sources and what clang makes of them (`-O2`, see `corpus.h`); the library is
linked where the tests run. `programs/` are whole Mojo programs, which `puzzles exec` runs.

Every launch is tried with `engine="native"`, once with all checks and once with all counters too. A launch
counts as compiled when machine code ran its blocks, but for blocks that stand for others in counts. `python
-m tests.simt.corpus.table --write` makes the table again.
"""


def measure(names: Sequence[str] = ()) -> Measured:
    """Run the programs, all or those of some names, in both modes, and return which engine ran each launch."""
    found: Measured = {}
    for mode, counters in MODES.items():
        found[mode] = {}
        for one in programs():
            if (names and one.name not in names) or (one.needs_library and not has_library()):
                continue
            run = Recorder(one.module, counters)
            one.check(run)
            found[mode][one.name] = [list(launch) for launch in run.ran]
        for name in HOSTS:
            if not names or name in names:
                found[mode][name] = [list(launch) for launch in host_launches(name, counters)]
    return found


def host_launches(name: str, counters: bool, engine: str = "native") -> Iterator[Ran]:
    """Run a program of `programs/`, which asserts its own results, and yield which engine ran each launch."""
    from harness.programs import Options, execute

    options = Options(engine=engine, counters=counters)  # type: ignore[arg-type]
    done = execute(HERE / "programs" / f"{name}.mojo", target="nvidia", backend="simulator", options=options)
    wrong = [str(finding) for finding in done.findings if finding.severity != "information"]
    assert done.status == 0 and not wrong, (done.output, wrong)
    for launch in done.launches:
        yield Ran(launch.kernel, launch.engine.native, launch.engine.python, launch.engine.why)


def known() -> dict[str, Measured]:
    """Return what was measured of each checkout: `COMMIT`, and `now`."""
    stored: dict[str, Measured] = json.loads(STORED.read_text(encoding="utf-8"))
    return stored


def measured(folder: Path) -> Measured:
    """Return what another checkout does with the same programs."""
    paths = os.pathsep.join([str(folder), str(HERE.parents[2])])
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-P", "-c", CHILD], env=environment, check=True, stdout=subprocess.PIPE)
    found: Measured = json.loads(done.stdout)
    return found


def _launches(stored: dict[str, Measured]) -> Iterator[tuple[str, str, str, list[Any], list[Any]]]:
    """Yield mode, program, kernel, and a launch before and now."""
    for mode, after in stored["now"].items():
        for name, launches in after.items():
            for old, new in zip(stored[COMMIT][mode][name], launches, strict=True):
                yield mode, name, new[0], old, new


def _page(stored: dict[str, Measured]) -> str:
    lines = [HEAD]
    every = list(_launches(stored))
    lines += [f"| launches | all | compiled at {COMMIT} | compiled now |", "| --- | --- | --- | --- |"]
    for mode in MODES:
        rows = [(old, new) for one, _, _, old, new in every if one == mode]
        before, now = (sum(bool(row[side][1]) for row in rows) for side in (0, 1))
        lines.append(f"| with {mode} | {len(rows)} | {before} | {now} ({100 * now // len(rows)}%) |")
    lines += ["", "Why launches were interpreted:", "", "| reason | before | now |", "| --- | --- | --- |"]
    whys = [Counter(row[side][3] for row in every if not row[side][1]) for side in (3, 4)]
    for why in sorted(whys[0] | whys[1], key=lambda one: (-whys[0][one], one)):
        lines.append(f"| {why} | {whys[0][why]} | {whys[1][why]} |")
    lines += [
        "",
        f"| program | kernel | mode | launches | at {COMMIT} | now |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    groups: dict[tuple[str, str, str], list[tuple[list[Any], list[Any]]]] = {}
    for mode, name, kernel, old, new in every:
        groups.setdefault((name, kernel, mode), []).append((old, new))
    for (name, kernel, mode), rows in sorted(groups.items()):
        before, now = (_ran([row[side] for row in rows]) for side in (0, 1))
        lines.append(f"| {name} | {kernel} | {mode} | {len(rows)} | {before} | {now} |")
    return "\n".join(lines) + "\n"


def _ran(launches: Sequence[list[Any]]) -> str:
    """Return how some launches of one kernel ran, in words."""
    compiled = sum(bool(launch[1]) for launch in launches)
    if compiled == len(launches):
        return "compiled"
    why = "; ".join(dict.fromkeys(launch[3] for launch in launches if not launch[1]))
    return f"{f'{compiled} compiled, others ' if compiled else ''}interpreted: {why}"


def main() -> None:
    """Measure, and write the table or print what differs from it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="measure these programs alone; the others stay as they are")
    parser.add_argument("--write", action="store_true", help="write the table again")
    parser.add_argument("--before", type=Path, help="measure this checkout as the one that the table compares with")
    given = parser.parse_args()
    stored = known() if STORED.exists() else {}
    if given.before is not None:
        stored[COMMIT] = measured(given.before)
    now = measure(given.names)
    for mode, name, kernel, old, new in _launches({COMMIT: stored.get("now", now), "now": now}):
        if old != new:
            print(f"{name}, {kernel}, with {mode}: {_ran([old])} -> {_ran([new])}")
    stored["now"] = {mode: stored.get("now", {}).get(mode, {}) | now[mode] for mode in now}
    if given.write:
        STORED.write_text(json.dumps(stored, indent=0), encoding="utf-8")
        PAGE.write_text(_page(stored), encoding="utf-8")


if __name__ == "__main__":
    main()
