"""Map a function over items in forks of this process, on Linux, results in order; choose how many forks.

The forks share all that is loaded in this process. The items wait in one pipe; each fork takes the next one when it is
free; with `costs` the longest items begin first. The result of an item, or its error, goes back through a pipe of its
fork. A fork ends with this process, however that ends, and everything that it started ends with it.

Only Linux forks: elsewhere a process with libraries may not go on after a fork. There this process does all items.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import select
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from harness.errors import EnvironmentFault, HarnessError
from harness.process import child, reaper
from harness.process.free_memory import choose_concurrency

__all__ = ["choose_jobs", "map_in_forks"]

T = TypeVar("T")
R = TypeVar("R")
_NUMBER, _HEAD = struct.Struct("<I"), struct.Struct("<IBQ")
_DONE, _FAILED, _INTERRUPTED = 0, 1, 2
_PR_SET_PDEATHSIG = 1
_PATIENCE = 10.0  # seconds for a fork to end what it has started
_MOST_ITEMS = 1 << 14  # of 4 bytes each: what a pipe holds, so that nobody has to wait to fill it


def choose_jobs(items: int, requested: int | None = None) -> int:
    """Return how many forks do so many items; one, which is this process, where nothing can be forked."""
    return choose_concurrency(items, requested) if reaper.LINUX and items > 1 else 1


def map_in_forks(
    items: Sequence[T], do: Callable[[T], R], jobs: int, costs: Sequence[float] | None = None
) -> Iterator[R]:
    """Yield the result of each item, in the order of the items, whichever is done first.

    Nothing begins before the first result is asked for. All is done in this process outside Linux, for one job or item,
    and for more than 16384 items.

    Args:
        items: What is to be done.
        do: Does one; what it returns has to be picklable.
        jobs: How many forks at most.
        costs: About how long each item takes, in any unit: the longest are begun first.

    Raises:
        EnvironmentFault: A fork was killed, or ended with another status than 0.
        Exception: As `do` raises it for the first item that fails; from a fork only a `HarnessError` or `MemoryError`
            keeps its type, others become a `RuntimeError`. What runs besides is ended.
    """
    jobs = min(jobs, len(items))
    if jobs < 2 or not reaper.LINUX or len(items) > _MOST_ITEMS:
        yield from map(do, items)
        return
    order = list(range(len(items)))
    if costs is not None:
        order.sort(key=lambda number: -costs[number])
    forks = _Forks(order, lambda number: do(items[number]), jobs)
    outcomes: dict[int, tuple[int, Any]] = {}
    try:
        for number in range(len(items)):
            while number not in outcomes:
                outcomes.update(forks.receive())
            kind, value = outcomes.pop(number)
            if kind == _FAILED:
                raise value
            yield value
    finally:  # who asks may have enough
        forks.close()


class _Forks:
    """The forks that take numbers, and the pipes to and from them."""

    def __init__(self, order: Sequence[int], do: Callable[[int], Any], jobs: int) -> None:
        todo, fill = os.pipe()
        os.write(fill, b"".join(map(_NUMBER.pack, order)))
        os.close(fill)
        self._pids: dict[int, int] = {}  # by the pipe that each writes to
        self._buffers: dict[int, bytearray] = {}
        self._running: dict[int, int] = {}
        # A fork has no threads, but keeps what they have locked; nor has it the fork servers.
        child.wait_for_abandoned()
        sys.stdout.flush()
        sys.stderr.flush()
        gc.collect()
        gc.freeze()  # what is here by now is shared with each fork
        parent = os.getpid()
        # An interrupt waits until a fork heeds it: before, it would go on in the fork as if that were this process.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for _ in range(jobs):
                ours, theirs = os.pipe()
                pid = os.fork()
                if pid == 0:
                    _serve(todo, theirs, do, parent, [ours, *self._pids])
                os.close(theirs)
                self._pids[ours], self._buffers[ours] = pid, bytearray()
        except BaseException:
            self.close()
            raise
        finally:
            gc.unfreeze()
            os.close(todo)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def receive(self) -> dict[int, tuple[int, Any]]:
        """Wait until a fork sends something or ends, and return, by number, the outcomes that came: it may be none.

        An outcome is `_DONE` and the result, or `_FAILED` and the error.

        Raises:
            EnvironmentFault: A fork was killed or failed, or none is left.
            KeyboardInterrupt: A fork was interrupted.
        """
        if not self._buffers:
            raise EnvironmentFault("the processes of this run ended before it was done.")
        results: dict[int, tuple[int, Any]] = {}
        for pipe in select.select(list(self._buffers), [], [])[0]:
            octets = os.read(pipe, 1 << 20)
            if not octets:
                self._note_exit(pipe)
                continue
            buffer = self._buffers[pipe]
            buffer += octets
            while len(buffer) >= _HEAD.size:
                number, kind, size = _HEAD.unpack_from(buffer)
                if len(buffer) < _HEAD.size + size:
                    break
                value = pickle.loads(buffer[_HEAD.size : _HEAD.size + size])
                del buffer[: _HEAD.size + size]
                if kind == _INTERRUPTED:
                    raise KeyboardInterrupt
                results[number] = kind, value
        return results

    def _note_exit(self, pipe: int) -> None:
        """Reap the fork that has closed its end of `pipe`, close this end too, and forget both.

        Raises:
            EnvironmentFault: The fork was killed, or ended with another status than 0.
        """
        os.close(pipe)
        del self._buffers[pipe]
        _, status = os.waitpid(self._pids.pop(pipe), 0)
        code = os.waitstatus_to_exitcode(status)
        if code < 0:
            name = signal.Signals(-code).name
            why = f"a process of this run was killed by {name}"
            raise EnvironmentFault(f"{why}: with fewer --jobs it takes less memory.")
        if code:
            raise EnvironmentFault(f"a process of this run ended with status {code}.")

    def close(self) -> None:
        """End what still runs, and what it has started: by SIGINT, and after `_PATIENCE` seconds by SIGKILL."""
        for pid in self._pids.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
        deadline = time.monotonic() + _PATIENCE
        for pipe, pid in self._pids.items():
            with contextlib.suppress(ChildProcessError):
                while not os.waitpid(pid, os.WNOHANG)[0]:
                    select.select([], [], [], 0.005)
                    _drain(pipe)
                    if time.monotonic() > deadline:
                        os.kill(pid, signal.SIGKILL)
                        os.waitpid(pid, 0)
                        break
            os.close(pipe)
        self._pids.clear()
        self._buffers.clear()


def _drain(pipe: int) -> None:
    """Read what lies in a pipe, so that nobody waits to write more."""
    while select.select([pipe], [], [], 0)[0] and os.read(pipe, 1 << 20):
        pass


def _serve(todo: int, out: int, do: Callable[[int], Any], parent: int, others: Sequence[int]) -> NoReturn:
    """In a fork, do one number after another until none is left or it is interrupted, and exit the process.

    Numbers come from the pipe `todo`, their outcomes go to the pipe `out`; the pipes `others` are closed. The status is
    0, or 1 if an answer cannot be sent or `parent` has ended. SIGINT is blocked at the beginning and at the end.
    """
    status = 1
    try:
        try:
            signal.signal(signal.SIGINT, _interrupt)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            reaper.find_prctl()(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:  # it has ended meanwhile
                os._exit(1)
            for pipe in others:
                os.close(pipe)
            _do_each(todo, out, do)
            status = 0
        except KeyboardInterrupt:
            status = 0
        finally:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    finally:
        with contextlib.suppress(BaseException):
            child.wait_for_abandoned()  # what it has started ends with it
        os._exit(status)


def _do_each(todo: int, out: int, do: Callable[[int], Any]) -> None:
    """Do each number that comes down the pipe, and send its outcome back, until none is left or it is interrupted."""
    while octets := os.read(todo, _NUMBER.size):
        (number,) = _NUMBER.unpack(octets)
        kind, value = _call_for(do, number)
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        rest = memoryview(_HEAD.pack(number, kind, len(data)) + data)
        while rest:
            rest = rest[os.write(out, rest) :]
        if kind == _INTERRUPTED:
            return


def _interrupt(*_: object) -> NoReturn:
    """Raise KeyboardInterrupt and ignore further SIGINTs: a second Ctrl-C must not stop the cleanup."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _call_for(do: Callable[[int], Any], number: int) -> tuple[int, Any]:
    """Do one item; return `_DONE` and its result, `_INTERRUPTED` and None, or `_FAILED` and the error.

    An error other than `HarnessError` and `MemoryError` becomes a `RuntimeError` that names its type; one that cannot
    be pickled becomes an `EnvironmentFault`.
    """
    try:
        return _DONE, do(number)
    except KeyboardInterrupt:
        return _INTERRUPTED, None
    except BaseException as error:
        ours = isinstance(error, HarnessError | MemoryError)
        plain = error if ours else RuntimeError(f"{type(error).__name__}: {error}")
        try:
            pickle.loads(pickle.dumps(plain))
        except Exception:  # what cannot be sent, or not be made again there, raises whatever it likes
            plain = EnvironmentFault(str(error))
        return _FAILED, plain
