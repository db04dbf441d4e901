"""Who finds what: this simulator and NVIDIA's compute-sanitizer on the same kernels.

    python -m tests.hazards.sanitizers compile DIR     writes the PTX; needs no GPU
    python -m tests.hazards.sanitizers run DIR         on a GPU; prints a markdown table of those whose PTX is there

A cell of the table is a tick where the tool reports the faulty kernel, a dash where
it does not, and an exclamation mark where it (also) reports the clean twin.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import simt
from harness.backends.compute_sanitizer.tool import TOOLS, find, parse
from tests.hazards.pairs import PAIRS, header, name, run

FOLDER = Path(__file__).parent
TIME_LIMIT_SECONDS = 25
WORKERS = 12


def pairs() -> list[Path]:
    """The pairs of NVIDIA kernels."""
    return [path for path in PAIRS if header(path, "target").startswith("nvidia")]


def compile_all(folder: Path) -> None:
    """Writes `class-name.ptx` for each pair; those that LLVM's NVPTX back end does not know end their own process."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.hazards.sanitizers", "emit"]

    def left_out(path: Path) -> bool:
        return subprocess.run([*command, str(path), str(_ptx(folder, path))], capture_output=True).returncode != 0

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        names = [name(path) for path, out in zip(pairs(), pool.map(left_out, pairs()), strict=True) if out]
    if names:
        print("not compiled:", ", ".join(names), file=sys.stderr)


def emit(pair: Path, ptx: Path) -> None:
    """The PTX of one pair, made by LLVM's own NVPTX back end."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(
        cpu="sm_90", features="+ptx80", opt=0
    )
    ptx.write_text(machine.emit_assembly(llvm.parse_assembly(pair.read_text(encoding="utf-8"))))


def reported(tool: str, ptx: Path, kernel: str, header: Path) -> str:
    """`yes`, `no`, `hang`, or `none` when the tool gave no summary."""
    driver = [sys.executable, str(FOLDER / "gpu_driver.py"), str(ptx), kernel, str(header)]
    # A session of its own: a kernel that hangs leaves the driver behind when only
    # the sanitizer is killed.
    run = subprocess.Popen(
        [find(), "--tool", tool, *driver],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        text, _ = run.communicate(timeout=TIME_LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        return "hang"
    errors = parse(text).errors
    if errors is None:
        return "none"
    return "yes" if errors else "no"


def ours(path: Path, kernel: str) -> str:
    """Whether the simulator reports what the pair is about, or anything that is not mere information."""
    kind, _ = header(path, "caught").split(", ")
    findings = [
        finding for finding in run(path, kernel).findings if finding.kind == kind or finding.severity != "information"
    ]
    return "yes" if findings else "no"


def run_all(folder: Path) -> list[str]:
    """The rows of the table."""
    tasks = {}
    compiled = [path for path in pairs() if _ptx(folder, path).exists()]
    with ThreadPoolExecutor(WORKERS) as pool:
        for path in compiled:
            for tool in TOOLS:
                for kernel in ("caught", "clean"):
                    tasks[path, tool, kernel] = pool.submit(reported, tool, _ptx(folder, path), kernel, path)
    rows = [["kernel", "this simulator", *TOOLS], ["---"] * (2 + len(TOOLS))]
    for path in compiled:
        cells = [_cell(ours(path, "caught"), ours(path, "clean"))]
        cells += [_cell(*(tasks[path, tool, kernel].result() for kernel in ("caught", "clean"))) for tool in TOOLS]
        rows.append([name(path), *cells])
    return ["| " + " | ".join(row) + " |" for row in rows]


def _ptx(folder: Path, pair: Path) -> Path:
    return folder / f"{pair.parent.name}-{pair.stem}.ptx"


def _cell(caught: str, clean: str) -> str:
    text = {"yes": "✓", "no": "-", "hang": "hangs", "none": "no summary"}[caught]
    return text if clean == "no" else f"{text} ! ({clean})"


def main(verb: str, folder: str, *more: str) -> int:
    """Compiles or runs."""
    if verb == "compile":
        compile_all(Path(folder))
    elif verb == "emit":  # for `compile`
        emit(Path(folder), Path(*more))
    else:
        print(simt.__name__, "beside compute-sanitizer", file=sys.stderr)
        print("\n".join(run_all(Path(folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
