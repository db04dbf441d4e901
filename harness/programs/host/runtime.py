"""One run of a program: its device, its queues, and who is told of what."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness import simt
from harness.model.gpus import Gpu
from harness.model.target import Target
from harness.programs.host import memory
from harness.programs.host.abi import Address, Entry, Held, HostError
from harness.programs.host.calls import callers
from harness.programs.host.checks import Checks
from harness.programs.host.memory import HostMemory
from harness.programs.host.objects import Buffer, Context, Handles, Storage
from harness.programs.host.options import Options
from harness.programs.host.queue import Clock, Event, Operation, Stream, merge
from harness.simt.ir.parse import Module
from harness.simt.observing.unwritten import Unwritten
from harness.simt.state.device import Device

__all__ = ["Runtime"]

Tell = Callable[[str, Any], None]
_libc = ctypes.CDLL(None)
_libc.strdup.restype = ctypes.c_void_p
_libc.strdup.argtypes = [ctypes.c_char_p]
_libc.free.argtypes = [ctypes.c_void_p]


class Runtime:
    """The state of a run.

    Attributes:
        target: The GPU that the program was compiled for.
        kernels: IR of each kernel, by symbol.
        tell: Takes a message for whoever started the program: its kind and its facts.
        device: The memory, as the simulator has it.
        fault: The error that ended all work of the device, or None.
    """

    def __init__(self, target: Target, kernels: Mapping[str, str], tell: Tell, options: Options) -> None:
        self.target, self.kernels, self.tell, self.options = target, kernels, tell, options
        self.device = Device()
        self.handles = Handles()
        self.checks = Checks(tell)
        self.fault: str | None = None
        self.launches: dict[str, int] = {}
        self._clock: Clock = {}  # the host's
        self._streams: list[Stream] = []
        self._storages: list[Storage] = []
        self._modules: dict[str, Module] = {}
        self._texts: dict[str, ctypes.Array[ctypes.c_char]] = {}

    @property
    def gpu(self) -> Gpu:
        """What is known of the target."""
        return self.target.gpu

    @property
    def used_bytes(self) -> int:
        """Memory of the device that is in use."""
        return sum(one.allocation.size for one in self._storages if one.host is None)

    # Texts.

    def text(self, text: str) -> ctypes.Array[ctypes.c_char]:
        """A text that stays where it is as long as the program runs."""
        return self._texts.setdefault(text, ctypes.create_string_buffer(text.encode()))

    def owned_text(self, text: str) -> Address:
        """A text that the program frees."""
        return Address(_libc.strdup(text.encode()))

    def free_text(self, text: Address) -> None:
        """Frees a text that the program got."""
        _libc.free(text)

    # Devices and kernels.

    def open(self, api: str) -> Context:
        """A new context, with a stream of its own."""
        return self.handles.add(Context(api, [self.new_stream(api)]))

    def new_stream(self, api: str) -> Stream:
        """A new queue."""
        stream = self.handles.add(Stream(len(self._streams), api))
        self._streams.append(stream)
        return stream

    def module(self, symbol: str) -> Module:
        """The decoded IR of a kernel.

        Raises:
            HostError: The program was not compiled with it.
        """
        if symbol not in self._modules:
            if symbol not in self.kernels:
                raise HostError(f"kernel {symbol!r} is not of this program: only kernels compiled from Mojo can be run")
            try:
                self._modules[symbol] = simt.decode(self.kernels[symbol])
            except simt.SimtError as error:
                raise self.incomplete(symbol, error) from error
        return self._modules[symbol]

    def observers(self) -> tuple[simt.Observer, ...]:
        """Fresh observers for a launch: all but that of elements which one launch leaves out."""
        return tuple(one for one in simt.observers() if not isinstance(one, Unwritten))

    # Memory.

    def device_buffer(self, context: Context, size: int) -> Buffer:
        """A new buffer on the device."""
        if size > self.gpu.memory_bytes - self.used_bytes:
            raise HostError(f"out of memory: {size} bytes, but {self.gpu.name} has {self.gpu.memory_bytes} in all")
        allocation = self.device.allocate(size, f"buffer {self.device.made}")
        return self._buffer(context, Storage(allocation, allocation.base), 0, size)

    def host_buffer(self, context: Context, size: int) -> Buffer:
        """A new buffer in the host's memory, which the device can reach too."""
        pages = HostMemory(size)
        allocation = self.device.allocate(size, f"host buffer {self.device.made}", data=pages.data)
        return self._buffer(context, Storage(allocation, pages.address, pages), 0, size)

    def wrapped(self, context: Context, address: int, size: int) -> Buffer:
        """A buffer over memory that is there already, the device's or the host's.

        Raises:
            HostError: It would lie outside the memory that the address belongs to.
        """
        storage = self.storage(address)
        if storage is None and not size:
            return self._buffer(context, Storage(self.device.allocate(0, "empty buffer"), address), 0, 0)
        if storage is None:
            data = memory.view(address, size)
            allocation = self.device.allocate(size, f"host memory {self.device.made}", data=data, initialised=True)
            storage = Storage(allocation, address)
            return self._buffer(context, storage, 0, size)
        offset = address - storage.address
        if offset + size > storage.allocation.size:
            raise HostError(
                f"{size} bytes from byte {offset} do not lie in {storage.allocation.name} "
                f"of {storage.allocation.size} bytes"
            )
        return self._buffer(context, storage, offset, size)

    def view(self, context: Context, storage: Storage, address: int, size: int) -> Buffer:
        """A range of a storage for one operation, which no handle stands for."""
        return Buffer(context, storage, address - storage.address, size, lambda _: None)

    def storage(self, address: int) -> Storage | None:
        """The memory that an address lies in, the device's or the host's; the freed too."""
        for storage in reversed(self._storages):
            if storage.address <= address < storage.address + max(storage.allocation.size, 1):
                return storage
        return None

    def host_storage(self, address: int) -> Storage | None:
        """The host buffer that an address lies in."""
        storage = self.storage(address)
        return storage if storage is not None and storage.host is not None else None

    def _buffer(self, context: Context, storage: Storage, offset: int, size: int) -> Buffer:
        if storage.users == 0 and storage not in self._storages:
            self._storages.append(storage)
        return self.handles.add(Buffer(context, storage, offset, size, self._released))

    def part(self, buffer: Buffer, offset: int, size: int) -> Buffer:
        """A buffer over a part of another."""
        return self._buffer(buffer.context, buffer.storage, buffer.offset + offset, size)

    def _released(self, buffer: Buffer) -> None:
        """Frees in stream order: what was queued before may still use it."""
        storage = buffer.storage

        def run() -> None:
            storage.users -= 1
            if not storage.users and storage.owned:
                self.checks.ended(storage)
                self.device.free(storage.allocation)
                self._storages.remove(storage)

        self._enqueue(buffer.context.stream, "", run)

    # Order.

    def queue(
        self,
        where: Context | Stream,
        what: str,
        run: Callable[[], None],
        *,
        reads: Sequence[Buffer] = (),
        writes: Sequence[Buffer] = (),
    ) -> None:
        """Queues work.

        Args:
            where: A stream, or a context for its own.
            what: For people.
            run: Does it.
            reads: Buffers that it reads.
            writes: Buffers that it writes.

        Raises:
            HostError: The device failed before, or the work ran at once and failed.
        """
        if self.fault is not None:
            raise HostError(self.fault)
        operation = self._enqueue(where.stream if isinstance(where, Context) else where, what, run)
        self.checks.queued(operation, reads, writes)

    def _enqueue(self, stream: Stream, what: str, run: Callable[[], None]) -> Operation:
        def checked() -> None:
            self.checks.begins(operation)
            try:
                run()
            except HostError as error:
                self.fault = str(error)
                raise

        operation = stream.add(what, checked, self._clock, callers() if what else ())
        if self.options.eager:
            stream.run()
        return operation

    def wait(self, stream: Stream) -> None:
        """The host waits for all work of a stream.

        Raises:
            HostError: Some of it failed, now or before.
        """
        if self.fault is None:
            stream.run()
        if self.fault is not None:
            raise HostError(self.fault)
        merge(self._clock, stream.clock)

    def wait_for(self, event: Event) -> None:
        """The host waits for an event."""
        event.reach()
        merge(self._clock, event.clock)

    def record(self, stream: Stream, event: Event) -> None:
        """Marks the end of what is queued in a stream."""
        event.stream, event.mark = stream, self._enqueue(stream, "", lambda: None)
        event.clock = dict(stream.clock)

    def follow(self, stream: Stream, event: Event) -> None:
        """Lets a stream's later work wait for an event as it is recorded now."""
        merge(stream.clock, event.clock)
        if event.stream is not None and event.mark is not None:
            other, mark = event.stream, event.mark
            self._enqueue(stream, "", lambda: other.run(mark))

    def after(self, stream: Stream, other: Stream) -> None:
        """Lets a stream's later work wait for all that another holds now."""
        if stream is not other and other.waiting:
            merge(stream.clock, other.clock)
            mark = other.waiting[-1]
            self._enqueue(stream, "", lambda: other.run(mark))
        elif stream is not other:
            merge(stream.clock, other.clock)

    # For the interface.

    def held(self, pointer: int, kind: type[Held]) -> Held:
        """The object behind an opaque pointer; see `Handles.get`."""
        return self.handles.get(pointer, kind)

    def failed(self, entry: Entry, message: str) -> int:
        """What C gets for a call that failed."""
        if entry.fails:
            return self.owned_text(message)
        self.checks.misuse(entry.name, message)
        return 0

    def unsupported(self, name: str) -> int:
        """What C gets for a function that is not here."""
        self.tell("unsupported", name)
        return self.owned_text(f"{name} is not supported by the simulated device")

    def incomplete(self, kernel: str, reason: object) -> HostError:
        """The simulator does not know all of a kernel: it ends with this error."""
        self.tell("incomplete", {"kernel": kernel, "reason": str(reason)})
        return HostError(f"the simulator does not know all of this kernel: {reason}")

    def broken(self, trace: str) -> None:
        """This harness has a fault: the program cannot go on."""
        self.tell("broken", trace)

    def close(self) -> None:
        """The program came to its end."""
        for stream in self._streams if self.fault is None else ():
            for operation in stream.waiting:
                if operation.what:
                    self.checks.never_awaited(operation)
        for stream in self._streams:  # what they find still counts
            if self.fault is None:
                try:
                    stream.run()
                except HostError:
                    break
        self.checks.close(self._storages, self.handles.of(Buffer))
