"""Times and peak memory: of the simulator here, of its peers in processes of their own."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Peer", "fresh", "numba", "oclgrind", "peak_bytes", "pocl", "timed"]

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]


@dataclass(frozen=True)
class Peer:
    """What a peer measured, or why it did not.

    Attributes:
        seconds: Median seconds by `ALGORITHM:THREADS`.
        spent: The least seconds of the processor, likewise; None where that is not asked for.
        peak_bytes: Of its process; likewise.
        missing: Why there are none, or None.
    """

    name: str
    version: str = ""
    seconds: dict | None = None
    spent: dict | None = None
    peak_bytes: int | None = None
    missing: str | None = None


def timed(run: Callable[[], object], repeats: int) -> tuple[float, float]:
    """(median seconds, least seconds of the processor) of a call, after one that is not counted."""
    run()
    seconds, spent = [], []
    for _ in range(repeats):
        start, before = time.perf_counter(), time.process_time()
        run()
        seconds.append(time.perf_counter() - start)
        spent.append(time.process_time() - before)
    return statistics.median(seconds), min(spent)


def peak_bytes() -> int:
    """The most memory that this process had: where Linux says it, without what whoever started it had."""
    status = Path("/proc/self/status")
    if status.is_file():
        return 1024 * int(re.findall(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def fresh(workload: str, repeats: int, how: str) -> dict:
    """Seconds, those of the processor and peak bytes of a workload in a process of its own.

    Args:
        how: `plain`, `observed` or `native`.
    """
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.simulator",
        "--alone",
        workload,
        "--repeats",
        str(repeats),
        "--how",
        how,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def _peer(name: str, command: list[str], limit_seconds: float, **environment: str) -> Peer:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=limit_seconds,
            check=False,
            env={**os.environ, **environment},
        )
    except subprocess.TimeoutExpired:
        return Peer(name, missing=f"did not end within {limit_seconds:g} s")
    except OSError as error:
        return Peer(name, missing=f"cannot be started: {error.strerror}")
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not lines:
        said = done.stderr.strip().splitlines()
        return Peer(name, missing=said[-1] if said else f"exit status {done.returncode}")
    figures = json.loads(lines[-1])
    if figures.get("platform", name).split()[0] not in (name.split()[0], "Portable"):
        return Peer(name, missing=f"the OpenCL platform is {figures['platform']}")
    return Peer(name, figures["version"], figures["seconds"], figures.get("spent"), figures.get("peak_bytes"))


def numba(python: str, repeats: int, workloads: list[str]) -> Peer:
    """Numba's CUDA simulator."""
    command = [python, str(FOLDER / "peer_numba.py"), str(repeats), *workloads]
    return _peer("Numba CUDA simulator", command, 300, NUMBA_ENABLE_CUDASIM="1")


def oclgrind(python: str, repeats: int, workloads: list[str], *, checks: bool = False) -> Peer:
    """Oclgrind, with its race detector and its memory checks or without."""
    name = "Oclgrind --data-races --uninitialized" if checks else "Oclgrind"
    program = shutil.which("oclgrind")
    if program is None:
        return Peer(name, missing="oclgrind is not installed")
    options = ["--data-races", "--uninitialized"] if checks else []
    command = [program, *options, python, str(FOLDER / "peer_opencl.py"), str(repeats), *workloads]
    return _peer(name, command, 600)


def pocl(python: str, repeats: int, workloads: list[str], threads: int = 0) -> Peer:
    """PoCL: the kernels compiled for the CPU, the limit of what is possible.

    Args:
        threads: How many of the host it may take; 0 for as many as there are processors.
    """
    command = [python, str(FOLDER / "peer_opencl.py"), str(repeats), *workloads]
    limit = {"POCL_MAX_PTHREAD_COUNT": str(threads)} if threads else {}
    return _peer("PoCL", command, 300, **limit)
