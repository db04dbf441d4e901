"""`Cluster`: a scheduler's workers and their resources; sends orders (a case, a file to judge), again if lost.

Dask places a task at once, and a worker that comes later gets none of those: only as many are under way as keep all
busy. A task is named by its work. After a restart of the scheduler, only what was not answered is sent again.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Self

from harness.build.cache import Cache, sha256_hex
from harness.cluster import boxes, connect, entries, resources
from harness.cluster.entries import Roles
from harness.cluster.tasks import Reply, WorkerOrder, run_order
from harness.errors import EnvironmentFault
from harness.model import codec

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["LOCAL", "Cluster", "ClusterOrder", "LostOrder"]

LOCAL = "local"
ORDERS_PER_SLOT = 2  # orders under way for each that can be done at a time: the next one is there when one is done
POLL_SECONDS = 5.0  # between two looks at who is there
ABSENCE_SECONDS = 600.0  # a scheduler, or the last worker for these orders, may be away
MAX_LOSSES = 3  # by so many times Dask's own `allowed-failures`
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LostOrder:
    """The end of an order without an answer: its workers were lost again and again, or one reported a fault."""

    reason: str


@dataclass(frozen=True, slots=True)
class ClusterOrder:
    """An order that is answered once.

    Attributes:
        key: The same for the same work.
        kind: One of `harness.cluster.tasks.KINDS`.
        order: What the function of its kind takes: a record.
        entries: Of the cache, what it needs or makes.
    """

    key: str
    kind: str
    order: object
    entries: Roles = field(default_factory=dict)


@dataclass(slots=True)
class _PendingOrder:
    """An order under way.

    Attributes:
        missing: Digests that are sent along because some worker does not have them.
        tries: How often its workers were lost; a part of the task's name, since Dask remembers how one ended.
    """

    order: ClusterOrder
    missing: set[str] = field(default_factory=set)
    tries: int = 0
    future: Future[bytes] | None = None


class Cluster:
    """The workers of a scheduler.

    Args:
        address: Of the scheduler, or `local` for one in this process, with one worker and no port.
        slots: Of the local worker.
        cache: Where artifacts are taken from, and where those go that a worker made.
        notify: Gets a line when somebody is waited for.

    Raises:
        UsageError: It is no address, or one that is not safe.
        EnvironmentFault: There is no Dask here, or no scheduler there.
    """

    def __init__(self, address: str, slots: int, cache: Cache, notify: Notify = lambda _: None) -> None:
        connect.require_dask()
        self.address = address if address == LOCAL else connect.check_address(address)
        self._cache, self._notify = cache, notify
        self._known_workers: set[str] = set()  # the addresses of workers
        self._resources_to_close = contextlib.ExitStack()
        self._finished: SimpleQueue[Future[bytes]] = SimpleQueue()
        import_module("distributed")  # which sets the levels of these: what is to be told is told here
        for name in ("distributed", "distributed.client", "tornado", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._local: Any = None
            if address == LOCAL:
                offer = resources.Offer(what=resources.SIMULATOR, slots=slots, device="SIMT simulator")
                self._resources_to_close.callback(boxes.close)  # its worker is this process, which may go on
                self._local = self._resources_to_close.enter_context(
                    connect.start_local_cluster(slots, offer.resources)
                )
            self._client = self._connect(time.monotonic() + connect.SECONDS)
        except BaseException:
            self._resources_to_close.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close_client()
        self._resources_to_close.close()

    def list_workers(self) -> list[Mapping[str, float]]:
        """Return the resources of each worker with this harness.

        Raises:
            EnvironmentFault: There is no worker, or all have another harness.
        """
        offers = [worker["resources"] for worker in self._client.scheduler_info(n_workers=-1)["workers"].values()]
        if not offers:
            raise EnvironmentFault(f"nobody works for {self.address}: start `puzzles worker {self.address}`.")
        compatible = [offered for offered in offers if resources.harness_resource() in offered]
        if not compatible:
            raise EnvironmentFault(
                f"all {len(offers)} workers of {self.address} have another harness, MAX, Mojo, NumPy or llvmlite than "
                "this machine: install the same on both."
            )
        return compatible

    def sum_resources(self) -> dict[str, float]:
        """Return the sum of the resources of all workers with this harness; raises as `list_workers`."""
        total: Counter[str] = Counter()
        for offered in self.list_workers():
            total.update(offered)
        return dict(total)

    def run_orders(self, orders: Iterable[ClusterOrder], needs: Iterable[str]) -> Iterator[tuple[ClusterOrder, Any]]:
        """Yield each order once with its answer, as answers arrive; closing the iterator cancels the others.

        An answer is a JSON value, or a `LostOrder` if workers were lost `MAX_LOSSES` times, or one reported a fault.

        Args:
            orders: With different keys.
            needs: The resources that each of them asks for.

        Raises:
            EnvironmentFault: No worker has them, or scheduler or workers stay away for `ABSENCE_SECONDS`.
        """
        needed = dict.fromkeys((*needs, resources.harness_resource()), 1.0)
        waiting = deque(_PendingOrder(order) for order in orders)
        in_flight: dict[str, _PendingOrder] = {}
        slots, last_poll, last_seen = self._count_slots(needed), time.monotonic(), time.monotonic()
        if not slots:
            raise self._no_worker_error(needed)
        try:
            while waiting or in_flight:
                while waiting and len(in_flight) < max(1, slots) and self._is_connected():
                    in_flight[self._submit(waiting[0], needed)] = waiting[0]
                    waiting.popleft()
                futures = self._wait_for_tasks()
                if not self._is_connected() or any(future.status in ("cancelled", "lost") for future in futures):
                    waiting.extendleft(in_flight.values())
                    in_flight.clear()
                    self._reconnect()
                    continue
                finished = {
                    future.key: (future, in_flight.pop(future.key)) for future in futures if future.key in in_flight
                }
                replies = self._fetch_replies([future for future, _ in finished.values()])
                for key, (future, pending) in finished.items():
                    answer = self._read_answer(future, pending, replies.get(key))
                    if answer is None:
                        waiting.appendleft(pending)
                    else:
                        yield pending.order, answer
                if time.monotonic() - last_poll > POLL_SECONDS:
                    slots, last_poll = self._count_slots(needed), time.monotonic()
                    last_seen = last_poll if slots else last_seen
                    if not slots and last_poll - last_seen > ABSENCE_SECONDS:
                        raise self._no_worker_error(needed)
                    if not slots:
                        self._notify(f"no worker is left: waiting for one, at most {ABSENCE_SECONDS / 60:.0f} min")
            self._count_slots(needed)  # who was lost since is told
        finally:
            if futures := [pending.future for pending in in_flight.values() if pending.future is not None]:
                with contextlib.suppress(Exception):  # whoever asked has enough; the scheduler may be gone as well
                    self._client.cancel(futures)

    def _submit(self, pending: _PendingOrder, needed: Mapping[str, float]) -> str:
        """Send an order as a task, set `pending.future`, and return the task's name, even if the connection broke."""
        order, cache = pending.order, self._cache
        available = entries.describe_entries(cache, order.entries)
        outputs = {key: tuple(roles) for key, roles in order.entries.items() if key not in available}
        data = codec.encode(
            WorkerOrder(order.order, available, entries.pack_blobs(cache, order.entries, pending.missing), outputs)
        )
        # The work, its data and settings: another grading's task of the same file is another one.
        key = f"{order.kind}-{order.key}-{sha256_hex(data)[:16]}-{pending.tries}"
        try:
            pending.future = self._client.submit(run_order, order.kind, data, key=key, resources=dict(needed))
            pending.future.add_done_callback(self._finished.put)
        except Exception:  # of any kind, where the connection broke in this moment: it is sent again with the others
            if self._is_connected():
                raise
        return key

    def _is_connected(self) -> bool:
        return bool(self._client.status == "running")

    def _wait_for_tasks(self) -> list[Future[bytes]]:
        """Return the tasks that ended since the last call; wait up to `POLL_SECONDS` for the first; maybe none."""
        ready = []
        with contextlib.suppress(Empty):
            ready.append(self._finished.get(timeout=POLL_SECONDS))
            while True:
                ready.append(self._finished.get_nowait())
        return ready

    def _fetch_replies(self, futures: list[Future[bytes]]) -> dict[str, bytes]:
        """Fetch the answers of all finished tasks in one round trip, by the name of the task; empty if that fails."""
        finished = [future for future in futures if future.status == "finished"]
        try:
            replies = (
                self._client.sync(self._gather_futures, finished, callback_timeout=connect.SECONDS) if finished else []
            )
        except Exception:  # each is asked for alone then, and what is wrong with it is told there
            return {}
        return {future.key: data for future, data in zip(finished, replies, strict=True)}

    async def _gather_futures(self, futures: list[Future[bytes]]) -> list[bytes]:
        gathered: list[bytes] = await self._client.gather(futures, asynchronous=True)
        return gathered

    def _read_answer(self, future: Future[bytes], pending: _PendingOrder, data: bytes | None) -> Any:
        """Return an order's answer, or None if it has to be sent again; store the cache entries that its worker made.

        The answer is a `LostOrder` after a fault, an unreadable reply or too many losses. If `data` is None, it is
        fetched. Notes losses and missing blobs in `pending`. EnvironmentFault if the scheduler has another harness.
        """
        from distributed import KilledWorker

        try:
            reply = codec.decode(Reply, future.result(timeout=connect.SECONDS) if data is None else data)
        except KilledWorker:
            pending.tries += 1
            return LostOrder("its worker was lost again and again") if pending.tries >= MAX_LOSSES else None
        except (OSError, TimeoutError, CancelledError):  # its worker or the scheduler went with the answer
            return None
        except ValueError:
            return LostOrder("its worker's answer cannot be read")
        except (RuntimeError, ImportError, AttributeError) as error:
            raise EnvironmentFault(
                f"the scheduler at {self.address} cannot pass on this harness's work: run it where the same harness is "
                f"installed ({type(error).__name__})."
            ) from None
        finally:
            future.release()
        if reply.missing:
            if pending.missing.issuperset(reply.missing):  # they were sent along
                return LostOrder("an artifact did not reach its worker whole")
            pending.missing.update(reply.missing)
            return None
        if reply.fault:
            return LostOrder(reply.fault)
        requested = {key: names for key, names in reply.entries.items() if key in pending.order.entries}
        entries.store_entries(self._cache, requested, reply.blobs)
        return reply.answer

    def _count_slots(self, needed: Mapping[str, float]) -> int:
        """Return how many orders may be under way: `ORDERS_PER_SLOT` for each slot of workers that have all needed.

        0 without such a worker, 1 if the scheduler does not answer. Notifies of workers lost since the last call.
        """
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, TimeoutError, RuntimeError):  # it is gone: the next round sees to that
            return 1
        if lost := len(self._known_workers - set(workers)):
            subject = "a worker is" if lost == 1 else f"{lost} workers are"
            self._notify(f"{subject} gone, {len(workers)} left: what was not finished there goes to others")
        self._known_workers = set(workers)
        all_offered = [worker["resources"] for worker in workers.values()]
        suitable = [offered for offered in all_offered if all(name in offered for name in needed)]
        return ORDERS_PER_SLOT * int(sum(min(offered[name] for name in needed) for offered in suitable))

    def _no_worker_error(self, needed: Mapping[str, float]) -> EnvironmentFault:
        names = ", ".join(name for name in needed if name != resources.harness_resource())
        return EnvironmentFault(f"no worker of {self.address} has {names}, with this harness: start one that has.")

    def _connect(self, deadline: float) -> Client:
        from distributed import Client

        if self.address == LOCAL:
            return Client(self._local, set_as_default=False)
        return connect.connect_client(self.address, deadline)

    def _reconnect(self) -> None:
        """Replace the lost client, waiting up to `ABSENCE_SECONDS` (then EnvironmentFault); drop its finished tasks."""
        self._close_client()
        message = f"the scheduler at {self.address} was lost: waiting for it, at most {ABSENCE_SECONDS / 60:.0f} min"
        self._notify(message)
        self._finished = SimpleQueue()
        self._client = self._connect(time.monotonic() + ABSENCE_SECONDS)

    def _close_client(self) -> None:
        with contextlib.suppress(Exception):  # a connection that is broken already
            self._client.close(timeout=connect.SECONDS)
