"""`run`: with artifacts, MAX is on its way to the GPU before the rest of the command is loaded."""

from __future__ import annotations

import json
from argparse import Namespace
from contextlib import AbstractContextManager, nullcontext

from harness.backends.ahead import begun_ahead
from harness.cli.late import numpy_alone
from harness.model.plain_file import plain_bytes
from harness.model.sources import MANIFEST

__all__ = ["run"]

MOST_BYTES = 16 << 20  # of a manifest, which has a few KiB


def run(arguments: Namespace) -> int:
    """Runs cases; see `harness.cli.running`."""
    with _engine(arguments):
        with numpy_alone():
            from harness.cli import running

        return running.run(arguments)


def _engine(arguments: Namespace) -> AbstractContextManager[None]:
    """An engine for the first GPU, where artifacts are going to ask for it; what is wrong with them is told later."""
    if arguments.artifacts is None or arguments.devices or arguments.scheduler:
        return nullcontext()
    try:
        target = json.loads(plain_bytes(arguments.artifacts / MANIFEST, MOST_BYTES) or b"")["target"]
        return begun_ahead(target.partition(":")[0])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return nullcontext()
