"""Enter `run`: with `--artifacts`, start a worker that loads MAX before the command's module, `running`, loads."""

from __future__ import annotations

import json
from argparse import Namespace
from contextlib import AbstractContextManager, nullcontext

from harness.backends.ahead import begun_ahead
from harness.cli.late import single_threaded_blas
from harness.model.plain_file import read_plain_file
from harness.model.sources import MANIFEST

__all__ = ["run"]

MOST_BYTES = 16 << 20  # of a manifest, which has a few KiB


def run(arguments: Namespace) -> int:
    """Run cases as `harness.cli.running.run` does, and return its exit code; begins to load MAX first if there are
    artifacts.
    """
    with _preload_engine(arguments):
        with single_threaded_blas():
            from harness.cli import running

        return running.run(arguments)


def _preload_engine(arguments: Namespace) -> AbstractContextManager[None]:
    """Return a context that starts a worker for the artifacts' target, which loads MAX; its end closes it if unused.

    The context does nothing without `--artifacts`, with `--devices` or `--scheduler`, and if the manifest cannot be
    read: whoever reads the artifacts in full reports that.
    """
    if arguments.artifacts is None or arguments.devices or arguments.scheduler:
        return nullcontext()
    try:
        target = json.loads(read_plain_file(arguments.artifacts / MANIFEST, MOST_BYTES) or b"")["target"]
        return begun_ahead(target.partition(":")[0])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return nullcontext()
