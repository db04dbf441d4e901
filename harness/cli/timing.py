"""`bench`: expand ranges of cases, and call `harness.bench.run`, which times them on this machine's GPU."""

from __future__ import annotations

from argparse import Namespace

from harness.bench import run
from harness.cli.names import expand_names

__all__ = ["bench"]


def bench(arguments: Namespace) -> int:
    """Time cases on this machine's GPU, or compile what another machine times; exit code 1 if a result is wrong, or 0.
    Ranges in `arguments.cases` are expanded in place.

    Raises:
        HarnessError: There is no GPU, or something does not compile.
    """
    arguments.cases = expand_names(arguments.cases)
    return run.run(arguments)
