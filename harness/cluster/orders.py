"""Orders to the workers of a scheduler: each answered once, whatever becomes of workers or of the scheduler itself.

Dask places a task as soon as it is told of it, and a worker that comes later gets none of those. So only as many are
under way as keep everybody busy. A task is named by the work it is: when the scheduler is restarted, which forgets
everything, the rest is sent again, and what was answered is not.
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

from harness.build.cache import Cache, digest
from harness.cluster import boxes, connect, entries, resources
from harness.cluster.entries import Roles
from harness.cluster.tasks import Reply, WorkerOrder, work
from harness.errors import EnvironmentFault
from harness.model import codec

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["LOCAL", "Cluster", "Lost", "Order"]

LOCAL = "local"
AHEAD = 2  # orders under way for each that can be done at a time: the next one is there when one is done
LOOK_SECONDS = 5.0  # between two looks at who is there
GONE_SECONDS = 600.0  # a scheduler, or the last worker for these orders, may be away
MOST_LOSSES = 3  # by so many times Dask's own `allowed-failures`
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Lost:
    """The end of an order whose workers were lost again and again, so that it has no answer."""

    reason: str


@dataclass(frozen=True, slots=True)
class Order:
    """Something to be done once.

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
class _Flight:
    """An order under way.

    Attributes:
        lacks: Digests that are sent along: some worker said that it has not got them.
        tries: How often its workers were lost; a part of the task's name, since Dask remembers how one ended.
        future: Of Dask.
    """

    order: Order
    lacks: set[str] = field(default_factory=set)
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
        connect.require()
        self.address = address if address == LOCAL else connect.checked(address)
        self._cache, self._notify = cache, notify
        self._seen: set[str] = set()  # the addresses of workers
        self._closing = contextlib.ExitStack()
        self._done: SimpleQueue[Future[bytes]] = SimpleQueue()
        import_module("distributed")  # which sets the levels of these: what is to be told is told here
        for name in ("distributed", "distributed.client", "tornado", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._local: Any = None
            if address == LOCAL:
                offer = resources.Offer(what=resources.SIMULATOR, slots=slots, device="SIMT simulator")
                self._closing.callback(boxes.close)  # its worker is this process, which may go on
                self._local = self._closing.enter_context(connect.local(slots, offer.resources))
            self._client = self._connected(time.monotonic() + connect.SECONDS)
        except BaseException:
            self._closing.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._left()
        self._closing.close()

    def workers(self) -> list[Mapping[str, float]]:
        """The resources of each worker with this harness.

        Raises:
            EnvironmentFault: There is no worker, or all have another harness.
        """
        every = [worker["resources"] for worker in self._client.scheduler_info(n_workers=-1)["workers"].values()]
        if not every:
            raise EnvironmentFault(f"nobody works for {self.address}: start `puzzles worker {self.address}`.")
        alike = [offered for offered in every if resources.harness() in offered]
        if not alike:
            raise EnvironmentFault(
                f"all {len(every)} workers of {self.address} have another harness, MAX, Mojo, NumPy or llvmlite than "
                "this machine: install the same on both."
            )
        return alike

    def resources(self) -> dict[str, float]:
        """Return the sum of the resources of all workers with this harness.

        Raises:
            EnvironmentFault: As of `workers`.
        """
        total: Counter[str] = Counter()
        for offered in self.workers():
            total.update(offered)
        return dict(total)

    def answers(self, orders: Iterable[Order], needs: Iterable[str]) -> Iterator[tuple[Order, Any]]:
        """The answers, as they come, each once; a `Lost` in the place of one that nobody could give.

        Args:
            orders: With different keys.
            needs: The resources that each of them asks for.

        Raises:
            EnvironmentFault: No worker has them, or scheduler or workers stay away.
        """
        needed = dict.fromkeys((*needs, resources.harness()), 1.0)
        left = deque(_Flight(order) for order in orders)
        flying: dict[str, _Flight] = {}
        room, looked, seen = self._room(needed), time.monotonic(), time.monotonic()
        if not room:
            raise self._lack(needed)
        try:
            while left or flying:
                while left and len(flying) < max(1, room) and self._connection_holds():
                    flying[self._sent(left[0], needed)] = left[0]
                    left.popleft()
                futures = self._ready()
                if not self._connection_holds() or any(future.status in ("cancelled", "lost") for future in futures):
                    left.extendleft(flying.values())
                    flying.clear()
                    self._again()
                    continue
                arrived = {future.key: (future, flying.pop(future.key)) for future in futures if future.key in flying}
                gathered = self._gathered([future for future, _ in arrived.values()])
                for key, (future, flight) in arrived.items():
                    answer = self._answer(future, flight, gathered.get(key))
                    if answer is None:
                        left.appendleft(flight)
                    else:
                        yield flight.order, answer
                if time.monotonic() - looked > LOOK_SECONDS:
                    room, looked = self._room(needed), time.monotonic()
                    seen = looked if room else seen
                    if not room and looked - seen > GONE_SECONDS:
                        raise self._lack(needed)
                    if not room:
                        self._notify(f"no worker is left: waiting for one, at most {GONE_SECONDS / 60:.0f} min")
            self._room(needed)  # who was lost since is told
        finally:
            if futures := [flight.future for flight in flying.values() if flight.future is not None]:
                with contextlib.suppress(Exception):  # whoever asked has enough; the scheduler may be gone as well
                    self._client.cancel(futures)

    def _sent(self, flight: _Flight, needed: Mapping[str, float]) -> str:
        """Sends an order; the name of its task."""
        order, cache = flight.order, self._cache
        held = entries.described(cache, order.entries)
        wanted = {key: tuple(roles) for key, roles in order.entries.items() if key not in held}
        data = codec.encoded(WorkerOrder(order.order, held, entries.packed(cache, order.entries, flight.lacks), wanted))
        # The work, its data and settings: another grading's task of the same file is another one.
        key = f"{order.kind}-{order.key}-{digest(data)[:16]}-{flight.tries}"
        try:
            flight.future = self._client.submit(work, order.kind, data, key=key, resources=dict(needed))
            flight.future.add_done_callback(self._done.put)
        except Exception:  # of any kind, where the connection broke in this moment: it is sent again with the others
            if self._connection_holds():
                raise
        return key

    def _connection_holds(self) -> bool:
        return bool(self._client.status == "running")

    def _ready(self) -> list[Future[bytes]]:
        """Return the tasks that have ended; waits for the first for `LOOK_SECONDS`, and returns none if none ends."""
        ready = []
        with contextlib.suppress(Empty):
            ready.append(self._done.get(timeout=LOOK_SECONDS))
            while True:
                ready.append(self._done.get_nowait())
        return ready

    def _gathered(self, futures: list[Future[bytes]]) -> dict[str, bytes]:
        """Fetch the answers of several tasks at once, since each alone would take a round trip."""
        good = [future for future in futures if future.status == "finished"]
        try:
            told = self._client.sync(self._gather, good, callback_timeout=connect.SECONDS) if good else []
        except Exception:  # each is asked for alone then, and what is wrong with it is told there
            return {}
        return {future.key: data for future, data in zip(good, told, strict=True)}

    async def _gather(self, futures: list[Future[bytes]]) -> list[bytes]:
        gathered: list[bytes] = await self._client.gather(futures, asynchronous=True)
        return gathered

    def _answer(self, future: Future[bytes], flight: _Flight, data: bytes | None) -> Any:
        """Return the answer of an order, or None if the order has to be sent again.

        Args:
            future: It has ended.
            flight: The order.
            data: What `_gathered` has of it.
        """
        from distributed import KilledWorker

        try:
            told = codec.decoded(Reply, future.result(timeout=connect.SECONDS) if data is None else data)
        except KilledWorker:
            flight.tries += 1
            return Lost("its worker was lost again and again") if flight.tries >= MOST_LOSSES else None
        except (OSError, TimeoutError, CancelledError):  # its worker or the scheduler went with the answer
            return None
        except (RuntimeError, ImportError, AttributeError) as error:
            raise EnvironmentFault(
                f"the scheduler at {self.address} cannot pass on this harness's work: run it where the same harness is "
                f"installed ({type(error).__name__})."
            ) from None
        finally:
            future.release()
        if told.lacks:
            if flight.lacks.issuperset(told.lacks):  # they were sent along
                return Lost("an artifact did not reach its worker whole")
            flight.lacks.update(told.lacks)
            return None
        if told.fault:
            return Lost(told.fault)
        mine = {key: names for key, names in told.entries.items() if key in flight.order.entries}
        entries.settled(self._cache, mine, told.blobs)
        return told.answer

    def _room(self, needed: Mapping[str, float]) -> int:
        """How many orders may be under way; 0 where nobody has what they need."""
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, TimeoutError, RuntimeError):  # it is gone: the next round sees to that
            return 1
        if lost := len(self._seen - set(workers)):
            gone = "a worker is" if lost == 1 else f"{lost} workers are"
            self._notify(f"{gone} gone, {len(workers)} left: what was not finished there goes to others")
        self._seen = set(workers)
        fits = [
            worker["resources"] for worker in workers.values() if all(name in worker["resources"] for name in needed)
        ]
        return AHEAD * int(sum(min(offered[name] for name in needed) for offered in fits))

    def _lack(self, needed: Mapping[str, float]) -> EnvironmentFault:
        names = ", ".join(name for name in needed if name != resources.harness())
        return EnvironmentFault(f"no worker of {self.address} has {names}, with this harness: start one that has.")

    def _connected(self, deadline: float) -> Client:
        from distributed import Client

        if self.address == LOCAL:
            return Client(self._local, set_as_default=False)
        return connect.client(self.address, deadline)

    def _again(self) -> None:
        """After the scheduler was lost: another client, and none of the old one's answers."""
        self._left()
        self._notify(f"the scheduler at {self.address} was lost: waiting for it, at most {GONE_SECONDS / 60:.0f} min")
        self._done = SimpleQueue()
        self._client = self._connected(time.monotonic() + GONE_SECONDS)

    def _left(self) -> None:
        with contextlib.suppress(Exception):  # a connection that is broken already
            self._client.close(timeout=connect.SECONDS)
