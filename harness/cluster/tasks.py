"""Run an order on a worker, JSON to JSON: store blobs sent along, call its kind's function, pack its artifacts.

Dask carries both as bytes. A submission runs in a box below the worker (`harness.process.box`): one that is killed or
that takes too much is an answer, and the worker goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import get_type_hints

from harness.model import codec

__all__ = ["KINDS", "Reply", "WorkerOrder", "run_order"]

Stop = Callable[[], bool]
Entries = Mapping[str, Mapping[str, str]]  # as `harness.cluster.entries` has them
# By the kind of an order, who does it: imported late, since the scheduler imports this module too.
KINDS: Mapping[str, str] = {
    "grade": "harness.cluster.grading:judge_file",
    "simulate": "harness.cluster.running:simulate_case",
    "run": "harness.cluster.running:run_on_gpu",
}


@dataclass(frozen=True, slots=True)
class WorkerOrder:
    """The request to a worker.

    Attributes:
        order: What the function of its kind takes.
        entries: Of the cache, what it needs.
        blobs: Those that are sent along, by digest.
        outputs: The entries that it makes, with what each consists of.
    """

    order: object
    entries: Entries
    blobs: Mapping[str, str]
    outputs: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Reply:
    """A worker's reply: an answer with the wanted entries, or the missing blobs, or the machine's fault."""

    answer: object = None
    entries: Entries = field(default_factory=dict)
    blobs: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    fault: str = ""


def run_order(kind: str, data: bytes) -> bytes:
    """Run an order of a kind, and return its reply; missing blobs and faults of any kind are replies too.

    Args:
        kind: One of `KINDS`.
        data: A `WorkerOrder`.

    Returns:
        A `Reply` as JSON: the answer with the cache entries made for it, the digests of missing blobs, or a fault's
        text. Blobs that were sent are stored in the cache.

    Raises:
        Reschedule: Nobody waits for this any more, or this worker is ending: Dask may send it to another.
    """
    from distributed import Reschedule

    from harness.build.cache import Cache
    from harness.cluster import entries
    from harness.errors import HarnessError
    from harness.process.box import StoppedError

    try:
        sent = codec.decode(WorkerOrder, data)
        cache = Cache.default()
        if missing := entries.store_entries(cache, sent.entries, sent.blobs):
            return codec.encode(Reply(missing=tuple(missing)))
        function = resolve_name(KINDS[kind])
        answer = function(codec.build_record(get_type_hints(function)["order"], sent.order), _stop_signal())
        available = entries.describe_entries(cache, sent.outputs)
        names = [name for roles in available.values() for name in roles.values()]
        reply = Reply(answer, available, entries.pack_blobs(cache, sent.outputs, names))
    except StoppedError:
        raise Reschedule from None
    except HarnessError as error:
        reply = Reply(fault=str(error))
    except Exception as error:  # whatever it is, it is this machine's, and must not travel as an object
        reply = Reply(fault=f"a fault of the harness, {type(error).__name__}: {error}")
    return codec.encode(reply)


def _stop_signal() -> Stop:
    """Return a function that says whether the scheduler no longer wants this thread's task, or the worker is to end."""
    from distributed import get_worker
    from distributed.worker import thread_state

    worker, key = get_worker(), thread_state.key

    def is_unwanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state != "executing" or worker.status.name != "running"

    return is_unwanted
