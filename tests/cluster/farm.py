"""A scheduler and workers as processes of their own, as somebody would start them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from harness.model.sources import ROOT
from harness.process.reaper import list_descendants
from tests.processes import alive, comes_to, heed_signals

__all__ = ["Farm", "free_port"]


def free_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Farm:
    """Processes that are ended together.

    Args:
        folder: Gets what they print, `judged`, which the quick judges write, and their caches.
        judge: A module that the workers load first; None for the real judge.
        settings: Further variables.
        scheme: `tcp` or `tls`.
    """

    def __init__(
        self,
        folder: Path,
        judge: str | None = "tests.cluster.quick_judge",
        settings: Mapping[str, str] | None = None,
        scheme: str = "tcp",
    ) -> None:
        self.folder, self.port, self._scheme = folder, free_port(), scheme
        self.judged_file = folder / "judged"
        self.judged_file.touch()
        self._running: list[subprocess.Popen] = []
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "JUDGED": str(self.judged_file),
            # A second is the shortest that Dask takes for a worker that says nothing, with ten beats of its heart.
            "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "2s",
            **({"DASK_DISTRIBUTED__WORKER__PRELOAD": judge} if judge else {}),
            **(settings or {}),
        }

    def __enter__(self) -> Farm:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running:
            process.kill()
            process.wait()

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return f"{self._scheme}://127.0.0.1:{self.port}"

    def start(self, name: str, *command: str, folder: Path = ROOT) -> subprocess.Popen:
        """Starts a Python module, in a folder."""
        with open(self.folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=folder,
                env=self.environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                preexec_fn=heed_signals,
            )
        self._running.append(process)
        return process

    def scheduler(self, *flags: str, folder: Path = ROOT) -> subprocess.Popen:
        """Starts a scheduler, again on the same port."""
        words = ["--host", self.address, "--no-dashboard", "--dashboard-address", "127.0.0.1:0", *flags]
        return self.start("scheduler", "distributed.cli.dask_scheduler", *words, folder=folder)

    def worker(self, name: str, *flags: str, devices: str = "") -> subprocess.Popen:
        """Starts `puzzles worker`."""
        return self.start(name, "harness", "worker", self.address, "--devices", devices, *flags)

    def log(self, name: str) -> str:
        """What a process printed."""
        return (self.folder / f"{name}.log").read_text()

    def at_work(self, count: int) -> bool:
        """Waits until so many workers have reached the scheduler."""
        return comes_to(lambda: sum(log.read_text().count("works for") for log in self.folder.glob("*.log")) >= count)

    def judged(self, word: str) -> list[tuple[int, str]]:
        """Who has begun, or ended, what: the process, and the job."""
        lines = (line.split() for line in self.judged_file.read_text().splitlines())
        return [(int(pid), key) for pid, what, key in lines if what == word]

    def busy(self, worker: subprocess.Popen) -> int:
        """The process below `puzzles worker` that is judging something."""

        def judging() -> list[int]:
            done = self.judged("ends")
            own = set(list_descendants(worker.pid))
            return [pid for pid, key in self.judged("begins") if pid in own and alive(pid) and (pid, key) not in done]

        assert comes_to(lambda: bool(judging())), f"nobody below {worker.pid} judges"
        return judging()[-1]
