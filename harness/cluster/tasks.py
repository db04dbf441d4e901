"""Do an order on a worker: JSON in, JSON out, without unpickling anything that a stranger wrote.

Dask carries both as bytes. A submission runs in a box below the worker (`harness.process.box`): one that is killed or
that takes too much is an answer, and the worker goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import get_type_hints

from harness.model import codec

__all__ = ["KINDS", "Reply", "WorkerOrder", "work"]

Stop = Callable[[], bool]
Entries = Mapping[str, Mapping[str, str]]  # as `harness.cluster.entries` has them
# By the kind of an order, who does it: imported late, since the scheduler imports this module too.
KINDS: Mapping[str, str] = {
    "grade": "harness.cluster.grading:graded",
    "simulate": "harness.cluster.running:simulated",
    "run": "harness.cluster.running:run_on_gpu",
}


@dataclass(frozen=True, slots=True)
class WorkerOrder:
    """The request to a worker.

    Attributes:
        order: What the function of its kind takes.
        entries: Of the cache, what it needs.
        blobs: Those that are sent along, by digest.
        wanted: The entries that it makes, with what each consists of.
    """

    order: object
    entries: Entries
    blobs: Mapping[str, str]
    wanted: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Reply:
    """A worker's reply: an answer with the wanted entries, or the missing blobs, or the machine's fault."""

    answer: object = None
    entries: Entries = field(default_factory=dict)
    blobs: Mapping[str, str] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()
    fault: str = ""


def work(kind: str, data: bytes) -> bytes:
    """Does what an order asks.

    Args:
        kind: One of `KINDS`.
        data: A `WorkerOrder`.

    Returns:
        A `Reply`.

    Raises:
        Reschedule: Nobody waits for this any more, or this worker is on its way out: elsewhere, if anywhere.
    """
    from distributed import Reschedule

    from harness.build.cache import Cache
    from harness.cluster import entries
    from harness.errors import HarnessError
    from harness.process.box import Stopped

    try:
        sent = codec.decoded(WorkerOrder, data)
        cache = Cache.default()
        if lacks := entries.settled(cache, sent.entries, sent.blobs):
            return codec.encoded(Reply(lacks=tuple(lacks)))
        do = resolve_name(KINDS[kind])
        answer = do(codec.read(get_type_hints(do)["order"], sent.order), _unwanted())
        held = entries.described(cache, sent.wanted)
        names = [name for roles in held.values() for name in roles.values()]
        told = Reply(answer, held, entries.packed(cache, sent.wanted, names))
    except Stopped:
        raise Reschedule from None
    except HarnessError as error:
        told = Reply(fault=str(error))
    except Exception as error:  # whatever it is, it is this machine's, and must not travel as an object
        told = Reply(fault=f"a fault of the harness, {type(error).__name__}: {error}")
    return codec.encoded(told)


def _unwanted() -> Stop:
    """Asks the worker whether its scheduler still wants what this thread does."""
    from distributed import get_worker
    from distributed.worker import thread_state

    worker, key = get_worker(), thread_state.key

    def unwanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state != "executing" or worker.status.name != "running"

    return unwanted
