"""Times and peak memory: of the simulator here, of its peers in processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Peer", "fresh", "least_spent", "median_seconds", "numba", "oclgrind", "pocl"]

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]


@dataclass(frozen=True)
class Peer:
    """What a peer measured, or why it did not.

    Attributes:
        seconds: Median seconds by `ALGORITHM:THREADS`.
        missing: Why there are none, or None.
    """

    name: str
    version: str = ""
    seconds: dict | None = None
    missing: str | None = None


def median_seconds(run: Callable[[], object], repeats: int) -> float:
    """The median time of a call in seconds, after one that is not counted."""
    run()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def least_spent(run: Callable[[], object], repeats: int) -> float:
    """The least time of the processor that a call takes, in seconds, after one that is not counted."""
    run()
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds)


def fresh(workload: str, repeats: int, observed: bool) -> dict:
    """Seconds and peak bytes of a workload in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.simulator",
        "--alone",
        workload,
        "--repeats",
        str(repeats),
        *(["--observed"] if observed else []),
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
    return Peer(name, figures["version"], figures["seconds"])


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


def pocl(python: str, repeats: int, workloads: list[str]) -> Peer:
    """PoCL: the kernels compiled for the CPU, the limit of what is possible."""
    command = [python, str(FOLDER / "peer_opencl.py"), str(repeats), *workloads]
    return _peer("PoCL", command, 300)
