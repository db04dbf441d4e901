"""Streams that run queued operations in order, events, and their vector clocks; `Work` queues, records and waits.

A real device runs queued work at some time before the host waits for it. Here it runs at the last moment, so that a
program that forgets to wait sees what it would see on a slow day. Clocks tell which work comes before which: there is
one for each stream, and one for the host, which learns of a stream when it waits for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from harness.programs.host.abi import Handle
from harness.programs.host.calls import callers
from harness.programs.host.storage import Range, Storage

__all__ = ["Clock", "Event", "Operation", "Stream", "merge"]

Clock = dict[int, int]  # how much of each stream is known to be done, by its number


def merge(clock: Clock, other: Clock) -> None:
    """Raise each count of a clock, in place, to what another clock knows."""
    for stream, count in other.items():
        if clock.get(stream, 0) < count:
            clock[stream] = count


@dataclass(slots=True, eq=False)
class Operation:
    """A piece of work.

    Attributes:
        what: For people: `launch of axis_sum`; empty where nobody has to wait for it.
        run: Does it.
        stream: The number of its stream.
        position: Its place there, from 1.
        clock: What comes before it.
        calls: Return addresses of the call that queued it, innermost first.
        reads, writes: What it uses; of a launch that is found when it runs.
        uses: The host's memory of which a launch may use any.
        done: Whether it ran.
        behind: An operation of another stream that is done before it, and that stream; None for none.
    """

    what: str
    run: Callable[[Operation], None]
    stream: int
    position: int
    clock: Clock
    calls: tuple[int, ...] = ()
    reads: Sequence[Range] = ()
    writes: Sequence[Range] = ()
    done: bool = False
    behind: tuple[Stream, Operation] | None = None
    uses: Sequence[Storage] = ()

    def before(self, other: Operation) -> bool:
        """Return whether this operation is certain to be done when the other begins."""
        return other.clock.get(self.stream, 0) >= self.position


class Stream(Handle):
    """A queue of operations that run one after another.

    Attributes:
        number: Its own.
        api: Of its device.
        waiting: What was not run yet.
        clock: What comes before the next operation.
    """

    def __init__(self, number: int, api: str) -> None:
        super().__init__()
        self.number, self.api = number, api
        self.waiting: deque[Operation] = deque()
        self.clock: Clock = {}

    def add(
        self,
        what: str,
        run: Callable[[Operation], None],
        host: Clock,
        reads: Sequence[Range] = (),
        writes: Sequence[Range] = (),
    ) -> Operation:
        """Queue an operation after all others, and after what the host knows to be done; return it. Nothing runs.

        An operation with a `what` stores the return addresses of the call as its `calls`; without, they stay empty.

        Args:
            host: The host's clock; what it knows is merged into the stream's.
        """
        merge(self.clock, host)
        position = self.clock.get(self.number, 0) + 1
        calls = callers() if what else ()
        operation = Operation(what, run, self.number, position, dict(self.clock), calls, reads, writes)
        self.clock[self.number] = position
        self.waiting.append(operation)
        return operation

    def run(self, last: Operation | None = None) -> None:
        """Run all that waits, or up to and including `last`; operations of other streams that these wait for run first.

        Each operation is removed and counts as done before it runs.

        Raises:
            HostError: An operation failed; those after it go on waiting.
        """
        under_way: list[tuple[Stream, Operation | None]] = [(self, last)]  # no recursion: long chains may wait
        while under_way:
            stream, mark = under_way[-1]
            if not stream.waiting or (mark is not None and mark.done):
                under_way.pop()
                continue
            operation = stream.waiting[0]
            if operation.behind is not None:
                under_way.append(operation.behind)
                operation.behind = None
                continue
            stream.waiting.popleft()
            operation.done = True
            operation.run(operation)


@dataclass(eq=False)
class Event(Handle):
    """A point in a stream that others wait for; reached at once while it is not recorded.

    Attributes:
        stream: Where it was recorded last.
        mark: The operation that stands for the point.
        clock: What is done when it is reached.
    """

    stream: Stream | None = None
    mark: Operation | None = None
    clock: Clock = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def reach(self) -> None:
        """Run what comes before the event in its stream; nothing if it was not recorded."""
        if self.stream is not None and self.mark is not None:
            self.stream.run(self.mark)
