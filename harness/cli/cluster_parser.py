"""What can be said of a Dask scheduler and of its workers."""

from __future__ import annotations

import argparse

from harness.cli.flags import command_of, natural

__all__ = ["scheduler", "worker"]


def scheduler(command: argparse.ArgumentParser) -> None:
    """Adds whose workers do the work."""
    command.add_argument(
        "--scheduler",
        metavar="local|tcp://...|tls://...",
        help="let the workers of a Dask scheduler do it (docs/cluster.md; default: this process, without Dask)",
    )


def worker(command: argparse.ArgumentParser) -> None:
    """Adds what a host offers, and to whom."""
    command.add_argument(
        "scheduler", metavar="SCHEDULER", help="tcp://127.0.0.1:8786 on this machine, tls://HOST:8786 anywhere"
    )
    command.add_argument(
        "--simulators",
        type=natural,
        metavar="N",
        help="jobs of the simulator at a time (default: one more than processors, fewer where memory is short)",
    )
    command.add_argument("--devices", default="all", metavar="all|N,...", help="GPUs, one worker each (default: all)")
    command.add_argument(
        "--port", type=natural, default=0, metavar="N", help="listen on N, the next worker on the next (default: any)"
    )
    command_of(command, "worker", "run")
