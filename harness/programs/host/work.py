"""Queue work in streams, wait for streams and events, and run what that needs, with checks; stop at a failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.programs.host.abi import HostError
from harness.programs.host.checks import Checks
from harness.programs.host.queue import Clock, Event, Operation, Stream, merge
from harness.programs.host.storage import Range, Storage

__all__ = ["Work"]


class Work:
    """All streams, and what the host knows of them.

    Args:
        checks: Follow what is queued and done.
        eager: Whether work runs at once.

    Attributes:
        fault: The error that ended all work, or None.
    """

    def __init__(self, checks: Checks, *, eager: bool) -> None:
        self.fault: str | None = None
        self._checks, self._eager = checks, eager
        self._clock: Clock = {}  # the host's
        self._streams: list[Stream] = []

    def new_stream(self, api: str) -> Stream:
        """Return a new queue of a device; streams are numbered from 0."""
        stream = Stream(len(self._streams), api)
        self._streams.append(stream)
        return stream

    def queue(
        self,
        stream: Stream,
        what: str,
        run: Callable[[Operation], None],
        *,
        reads: Sequence[Range] = (),
        writes: Sequence[Range] = (),
        behind: tuple[Stream, Operation] | None = None,
        uses: Sequence[Storage] = (),
    ) -> Operation:
        """Queue work and return it; with `eager` it runs at once, unless the device failed.

        If it fails when it runs, `fault` is set, and the device takes no more work.

        Args:
            what: For people; empty where nobody has to wait for it. Such work is queued also when the device failed;
                `wait` and `close` do not run it then.
            run: Does it.
            reads: What it reads.
            writes: What it writes.
            behind: Another stream, and the operation of that stream that is done before.
            uses: The host's memory of which it may use any.

        Raises:
            HostError: The device failed before, or the work ran at once and failed.
        """
        if what and self.fault is not None:
            raise HostError(self.fault)

        def checked(operation: Operation) -> None:
            with self._checks.opened():
                self._checks.begins(operation)
                try:
                    run(operation)
                except HostError as error:
                    self.fault = str(error)
                    raise
                finally:
                    self._checks.ends(operation)

        operation = stream.add(what, checked, self._clock, reads, writes)
        operation.behind, operation.uses = behind, uses
        if not self._eager:
            self._checks.queued(operation)
        elif self.fault is None:
            stream.run()
        return operation

    def wait(self, stream: Stream) -> None:
        """Run all work of a stream, for which the host waits and which it then knows to be done.

        Raises:
            HostError: Work of the device failed, now or before, in any stream; if before, nothing is run.
        """
        self._run_waiting(stream.run)
        merge(self._clock, stream.clock)

    def wait_for(self, event: Event) -> None:
        """Run what comes before an event, for which the host waits; nothing if it was not recorded.

        Raises:
            HostError: Work of the device failed, now or before, in any stream; if before, nothing is run.
        """
        self._run_waiting(event.reach)
        merge(self._clock, event.clock)

    def _run_waiting(self, run: Callable[[], None]) -> None:
        """Call `run` with the host's memory open, unless the device failed; HostError if it failed, now or before."""
        if self.fault is None:
            with self._checks.opened():
                run()
        if self.fault is not None:
            raise HostError(self.fault)

    def record(self, stream: Stream, event: Event) -> None:
        """Record an event at the end of what is queued in a stream, in place of an earlier record of it."""
        event.stream, event.mark = stream, self.queue(stream, "", lambda _: None)
        event.clock = dict(stream.clock)

    def follow(self, stream: Stream, event: Event) -> None:
        """Make a stream's later work wait for an event as it is recorded now, if it is."""
        merge(stream.clock, event.clock)
        if event.stream is not None and event.mark is not None:
            self._queue_behind(stream, event.stream, event.mark)

    def after(self, stream: Stream, other: Stream) -> None:
        """Make a stream's later work wait for all that another stream holds now."""
        if stream is other:
            return
        merge(stream.clock, other.clock)
        if other.waiting:
            self._queue_behind(stream, other, other.waiting[-1])

    def _queue_behind(self, stream: Stream, other: Stream, mark: Operation) -> None:
        self.queue(stream, "", lambda _: None, behind=(other, mark))

    def finish(self) -> None:
        """Report what still waits when a called function returns, run it, and let the host know that it is done.

        Raises:
            HostError: Some of it failed, now or before.
        """
        self.close(report_unawaited=True, returned=True)
        for stream in self._streams:
            self.wait(stream)

    def close(self, *, report_unawaited: bool, returned: bool = False) -> None:
        """Run the work that still waits at the program's end; stop at the first error, which is not raised.

        If the device failed before, nothing is run or reported.

        Args:
            report_unawaited: Whether to report the work that was never waited for.
            returned: Whether a called function returns, and not the program ends.
        """
        waiting = [operation for stream in self._streams for operation in stream.waiting if operation.what]
        if self.fault is not None:
            return
        for operation in waiting if report_unawaited else ():
            self._checks.never_awaited(operation, returned=returned)
        for stream in self._streams:
            try:
                with self._checks.opened():
                    stream.run()
            except HostError:
                break
