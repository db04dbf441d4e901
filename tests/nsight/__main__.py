"""What the simulator counts beside what Nsight Compute counts, on an NVIDIA GPU: `python -m tests.nsight [CASE ...]`.

Runs the cases on the GPU below `ncu`, which is on the PATH, and in the simulator with `--profile`, and prints a row for
each kernel and figure; `--patterns` does so with kernels of `patterns.mojo`, one for each width and stride.
It ends with 1 where a figure differs. Only cases whose documented size the simulator takes can be compared.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.build import toolchain
from harness.model.target import Target
from harness.report.screen import Screen

CASES = ("p32", "p16:tiled", "p16:idiomatic-tiled", "p28", "p35", "p15")
PATTERNS = Path(__file__).with_name("patterns.mojo")
REGISTERS = "launch__registers_per_thread"
LEAST_REGISTERS = 16  # that an H200's driver gives a thread: kernels with 10, 12 and 14 were seen with 16
# What the rows of a profile are called, what is summed of them, and the metric that is to be equal.
# Nsight Compute may count asynchronous copies apart from loads and stores: without them is tried too.
METRICS = {
    ("global load", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    ("global load", "sectors"): "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    ("global store", "requests"): "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    ("global store", "sectors"): "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    ("shared load", "passes"): "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    ("shared load", "conflicts"): "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    ("shared store", "passes"): "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    ("shared store", "conflicts"): "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    ("shared atomic", "passes"): "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
}
# Shown beside them; nothing of the simulator's equals them.
SHOWN = (
    "smsp__inst_executed_op_ldgsts.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
)
LEAST_LETTERS = 8  # of a name that is cut
CUT = re.compile(r"(6A){2}(6A|oA)*$")  # stands where parts of a long symbol were
DIFFERS, SAME_ALONE = "differs", "the same without asynchronous copies"
Figures = Mapping[str, float]


def measured(text: str) -> dict[str, Figures]:
    """The metrics of the first launch of each kernel, by its name in the code, from `ncu --csv --page raw`."""
    rows = [row for row in csv.reader(line for line in text.splitlines() if line.startswith('"')) if len(row) > 1]
    found: dict[str, Figures] = {}
    for row in rows[1:]:
        entry = dict(zip(rows[0], row, strict=False))
        if entry["ID"].isdigit():  # below the heads stand their units
            figures = {name: _number(value) for name, value in entry.items() if "__" in name}
            found.setdefault(
                entry["Kernel Name"], {name: value for name, value in figures.items() if value is not None}
            )
    return found


def is_of(symbol: str, name: str) -> bool:
    """Whether a symbol is that of a kernel: it stands behind its file's name and before a number, cut if it is long."""
    if re.search(rf"(^|_){re.escape(name)}(_|\(|$)", symbol):
        return True
    cut = CUT.sub("", symbol.rsplit("_", 1)[0])
    begins = (found.end() for found in re.finditer("^|_", cut) if len(cut) - found.end() >= LEAST_LETTERS)
    return any(name.startswith(cut[at:]) for at in begins)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def compared(profile: Mapping[str, Any], figures: Figures) -> list[tuple[str, float, float, str]]:
    """Each figure that both have: its name, the simulator's, the GPU's, and whether they are the same."""
    told = []
    for (what, count), metric in METRICS.items():
        if metric not in figures:
            continue
        own = [row for row in profile["rows"] if row["what"] == what]
        every = sum(row[count] for row in own)
        alone = sum(row[count] for row in own if _place(row) not in _copies(profile["rows"]))
        verdict = "" if every == figures[metric] else SAME_ALONE if alone == figures[metric] else DIFFERS
        told.append((f"{what} {count}", every, figures[metric], verdict))
    if profile["resources"] and REGISTERS in figures:
        registers = max(LEAST_REGISTERS, profile["resources"]["registers"])
        told.append(("registers", registers, figures[REGISTERS], "" if registers == figures[REGISTERS] else DIFFERS))
    return told


def _copies(rows: Sequence[Mapping[str, Any]]) -> set[object]:
    """Where what is loaded of global memory is stored to shared memory by one instruction."""
    loads, stores = ({_place(row) for row in rows if row["what"] == what} for what in ("global load", "shared store"))
    return loads & stores


def _place(row: Mapping[str, Any]) -> object:
    return row["file"], row["line"], row["column"]


def _counted(command: Sequence[str], report: Path) -> list[dict[str, Any]]:
    """The profiles of a command of ours."""
    subprocess.run([sys.executable, "-m", "harness", *command, "--json", str(report)], check=True, stdout=sys.stderr)
    told = json.loads(report.read_text())
    return [profile for each in told.get("cases") or told["programs"] for profile in each["profiles"]]


def _on_gpu(command: Sequence[str], folder: Path) -> dict[str, Figures]:
    """What `ncu` measures of kernels while a command runs."""
    known = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True, check=True).stdout
    wanted = [*METRICS.values(), *SHOWN]
    there = [name for name in wanted if re.search(rf"^{re.escape(name.removesuffix('.sum'))}\s", known, re.MULTILINE)]
    if missing := set(wanted) - set(there):
        print(f"not known to ncu here: {', '.join(sorted(missing))}", file=sys.stderr)
    log = folder / "ncu.csv"
    flags = ["--target-processes", "all", "--csv", "--page", "raw", "--log-file", str(log)]
    subprocess.run(
        ["ncu", *flags, "--metrics", ",".join([REGISTERS, *there]), *command], stdout=sys.stderr, check=False
    )
    return measured(log.read_text(errors="replace"))


def main() -> int:
    """1 where a figure differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.nsight", description=__doc__)
    parser.add_argument("cases", nargs="*", default=CASES, metavar="CASE")
    parser.add_argument("--patterns", action="store_true")
    parser.add_argument("--target", default="nvidia:sm_90")
    arguments = parser.parse_args()
    if shutil.which("ncu") is None:
        print("there is no ncu here: put Nsight Compute on the PATH.", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if arguments.patterns:
            counted = _counted(["exec", str(PATTERNS), "--target", arguments.target, "--profile"], folder / "r.json")
            program = folder / "patterns"
            architecture = Target.parse(arguments.target).architecture
            toolchain.build_executable(PATTERNS, architecture, program, defines={}, includes=[])
            command = [str(program)]
        else:
            cases = list(arguments.cases)
            counted = _counted(["run", *cases, "--target", arguments.target, "--profile"], folder / "r.json")
            command = [sys.executable, "-m", "harness", "run", *cases, "--backend", "max"]
        seen = _on_gpu(command, folder)
    rows, differs = [], False
    for profile in counted:
        name = str(profile["kernel"])
        own = next((figures for kernel, figures in seen.items() if is_of(kernel, name)), None)
        if own is None:
            rows.append((name, "not seen on the GPU", "", "", ""))
            differs = True
            continue
        for what, ours, theirs, verdict in compared(profile, own):
            differs |= verdict == DIFFERS
            rows.append((name, what, f"{ours:,.0f}", f"{theirs:,.0f}", verdict))
        rows += [(name, metric, "", f"{own[metric]:,.0f}", "shown") for metric in SHOWN if metric in own]
    Screen().table(("kernel", "figure", "simulator", "Nsight Compute", ""), rows)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
