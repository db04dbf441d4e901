"""Start a GPU's worker early, while a command loads its modules; `start_worker` returns it once, or starts another.

MAX takes longer to start than all the rest. This module imports next to nothing, NumPy least of all: what stands in its
way delays every run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from harness.backends.devices import restrict_to_gpu
from harness.process.worker import Worker

__all__ = ["WORKER", "begun_ahead", "start_worker"]

WORKER = "harness.backends.worker"
_ahead: list[tuple[Mapping[str, str], Worker]] = []  # at most one


@contextmanager
def begun_ahead(vendor: str) -> Iterator[None]:
    """Start the worker process of a vendor's first GPU early, without looking whether there is one.

    At the block's end it is closed, unless `start_worker` has returned it.
    """
    environment = restrict_to_gpu(vendor, 0)
    _ahead[:] = [(environment, start_worker("gpu", environment))]
    try:
        yield
    finally:
        while _ahead:
            _ahead.pop()[1].close()


def start_worker(kind: str, environment: Mapping[str, str]) -> Worker:
    """Return the worker that was begun ahead, once, if it is of this kind and environment; else start a new one.

    `kind` is `gpu` or `cpu`; only one for a GPU is begun ahead.
    """
    if kind == "gpu" and _ahead and _ahead[0][0] == environment:
        return _ahead.pop()[1]
    return Worker(WORKER, [kind], environment=environment)
