"""What a worker does with an order: JSON in, JSON out, and nothing that a stranger wrote is unpickled on the way.

Dask carries both as bytes. A submission runs in a box below the worker (`harness.process.box`): one that is killed or
that takes too much is an answer, and the worker goes on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["KINDS", "work"]

Stop = Callable[[], bool]
# By the kind of an order, who does it: imported late, since the scheduler imports this module too.
KINDS: Mapping[str, str] = {"grade": "harness.cluster.grading", "run": "harness.cluster.running"}


def work(kind: str, data: bytes) -> bytes:
    """Does what an order asks.

    Args:
        kind: One of `KINDS`, whose module has `do(order, stop)`.
        data: JSON: the `order`, the `entries` of the cache that it needs with the `blobs` sent along, and the keys of
            those that are `wanted` back.

    Returns:
        JSON: the `answer` with the entries that were wanted; what it `lacks`; or the `fault` of this machine.

    Raises:
        Reschedule: Nobody waits for this any more, or this worker is on its way out: elsewhere, if anywhere.
    """
    from distributed import Reschedule

    from harness.build.cache import Cache
    from harness.cluster import entries
    from harness.errors import HarnessError
    from harness.process.box import Stopped

    try:
        asked = json.loads(data)
        cache = Cache.default()
        if lacks := entries.settled(cache, asked["entries"], asked["blobs"]):
            return json.dumps({"lacks": lacks}).encode()
        do: Callable[[Any, Stop], Any] = import_module(KINDS[kind]).do
        told: dict[str, Any] = {"answer": do(asked["order"], _unwanted())}
        held = entries.described(cache, asked["wanted"])
        names = [name for roles in held.values() for name in roles.values()]
        told |= {"entries": held, "blobs": entries.packed(cache, asked["wanted"], names)}
    except Stopped:
        raise Reschedule from None
    except HarnessError as error:
        told = {"fault": str(error)}
    except Exception as error:  # whatever it is, it is this machine's, and must not travel as an object
        told = {"fault": f"a fault of the harness, {type(error).__name__}: {error}"}
    return json.dumps(told).encode()


def _unwanted() -> Stop:
    """Asks the worker whether its scheduler still wants what this thread does."""
    from distributed import get_worker
    from distributed.worker import thread_state

    worker, key = get_worker(), thread_state.key

    def unwanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state != "executing" or worker.status.name != "running"

    return unwanted
