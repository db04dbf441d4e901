"""`bench`: times cases on this machine's GPU."""

from __future__ import annotations

from argparse import Namespace

from harness.bench import run
from harness.cli.names import spread

__all__ = ["bench"]


def bench(arguments: Namespace) -> int:
    """Times cases, or compiles what a GPU times elsewhere; exit code 1 if a result is wrong after its loop."""
    arguments.cases = spread(arguments.cases)
    return run.run(arguments)
