"""The state of a program's run: create and find buffers, decode kernels, report failed and unsupported calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from harness import simt
from harness.model.launcher import Launcher
from harness.model.target import Target
from harness.programs.host import pages
from harness.programs.host.abi import PREFIX, Address, Entry, Handle, Held, HostError
from harness.programs.host.calls import callers
from harness.programs.host.checks import Checks
from harness.programs.host.claims import Claims
from harness.programs.host.dependent import Written
from harness.programs.host.journal import Journal
from harness.programs.host.missing import MISSING
from harness.programs.host.objects import Context, DeviceBuffer, Handles
from harness.programs.host.options import Options
from harness.programs.host.orders import OtherOrders
from harness.programs.host.pages import HostMemory
from harness.programs.host.queue import Operation, Stream
from harness.programs.host.storage import Range, Storage
from harness.programs.host.unobserved import Unobserved
from harness.programs.host.work import Work
from harness.simt.gpus import Gpu
from harness.simt.ir.parse import Module
from harness.simt.state.allocation import Allocation
from harness.simt.state.device import Device

if TYPE_CHECKING:
    from harness.simt.observing.recording import Recorder

__all__ = ["UNIFIED", "Runtime"]

UNIFIED = ("metal", "cpu")  # devices that share the host's memory
REMEMBERED = 256  # freed buffers that an address is still known to belong to
Tell = Callable[[str, Any], None]
_libc = ctypes.CDLL(None)
_libc.strdup.restype = ctypes.c_void_p
_libc.strdup.argtypes = [ctypes.c_char_p]
_libc.free.argtypes = [ctypes.c_void_p]


class Runtime:
    """The state of a run.

    Attributes:
        launcher: Makes the launches as planned.
        kernels: The IR of each kernel, by symbol.
        tell: Called with a message for the parent process: its kind and its facts.
        device: The simulated device's memory.
        journal: Records memory operations and launches.
        lost: Why no kernel can run any more, since one failed; empty before.
        unobserved: How often each kernel was launched, and how often without checks.
        orders: Repeats launches in other orders of their threads.
        work: The queues.
    """

    def __init__(self, launcher: Launcher, kernels: Mapping[str, str], emit: Tell, options: Options) -> None:
        self.launcher, self.kernels, self.tell, self.options = launcher, kernels, emit, options
        self.device = Device()
        self.handles = Handles()
        self.checks = Checks(emit, self.device.allocations)
        self.work = Work(self.checks, eager=options.eager)
        self.journal = Journal()
        self.lost = ""
        self.unobserved = Unobserved(options)
        self.orders = OtherOrders(launcher, self.device.allocations)
        self.written: dict[int, tuple[int, Written]] = {}  # by stream: the last launch's place there, what it wrote
        self._storages, self._freed = Claims(), Claims(REMEMBERED)
        self._made: dict[int, Allocation] = {}  # what the program must give back
        self._modules: dict[str, Module] = {}
        self._texts: dict[str, ctypes.Array[ctypes.c_char]] = {}
        self._to_record, self._kept_bytes = dict(options.recorded), 0

    @property
    def target(self) -> Target:
        """The GPU that the program was compiled for."""
        return self.launcher.plan.target

    @property
    def gpu(self) -> Gpu:
        """The facts about the target."""
        return self.target.gpu

    @property
    def used_bytes(self) -> int:
        """Memory of the device that is in use."""
        return self._storages.used_bytes

    def release(self, handle: Handle) -> None:
        """Drop one reference to an object; free it if that was the last."""
        if self.handles.release(handle):
            handle.free()

    # Texts.

    def text(self, text: str) -> ctypes.Array[ctypes.c_char]:
        """Return a text that stays where it is as long as the program runs; the same for equal texts."""
        return self._texts.setdefault(text, ctypes.create_string_buffer(text.encode()))

    def owned_text(self, text: str) -> Address:
        """Return a copy of a text that the program frees."""
        return Address(_libc.strdup(text.encode()))

    def free_text(self, text: Address) -> None:
        """Free a text that the program got from `owned_text`."""
        _libc.free(text)

    # Devices and kernels.

    def open(self, api: str) -> Context:
        """Return a new context, with a stream of its own."""
        return self.handles.add(Context(api, [self.new_stream(api)]))

    def new_stream(self, api: str) -> Stream:
        """Return a new queue."""
        return self.handles.add(self.work.new_stream(api))

    def module(self, symbol: str) -> Module:
        """Return the decoded IR of a kernel, which is kept.

        Raises:
            HostError: It cannot be decoded, which is also reported; or the program was not compiled with it.
        """
        if symbol not in self._modules:
            if symbol not in self.kernels:
                raise HostError(f"kernel {symbol!r} is not of this program: only kernels compiled from Mojo can be run")
            try:
                self._modules[symbol] = simt.decode(self.kernels[symbol], variables=self.options.debug)
            except simt.SimtError as error:
                raise self.incomplete(symbol, error) from error
        return self._modules[symbol]

    def recorder(self) -> Recorder | None:
        """Return a recorder if the options name this launch and fewer than `LIMIT` bytes were kept; else None."""
        number = self.unobserved.launches.total()
        if number not in self._to_record:
            return None
        from harness.simt.observing.recording import LIMIT, Recorder  # late: few runs are recorded

        remaining = LIMIT - self._kept_bytes
        return Recorder(self._to_record[number], limit=remaining) if remaining > 0 else None

    def keep(self, recorder: Recorder, facts: Mapping[str, Any]) -> None:
        """Send a launch's recording and further facts, by key, as one message; its size counts towards `LIMIT`."""
        from harness.simt.observing.recorded import recording_to_dict

        self._kept_bytes += recorder.size
        self.tell("recorded", {**recording_to_dict(recorder), **facts})

    # Memory.

    def device_buffer(self, context: Context, size: int) -> DeviceBuffer:
        """Return a new buffer on the device, or `host_buffer` where memory is shared; HostError if no room is left."""
        if size > self.gpu.memory_bytes - self.used_bytes:
            raise HostError(f"out of memory: {size} bytes, but {self.gpu.name} has {self.gpu.memory_bytes} in all")
        if context.api in UNIFIED:
            return self.host_buffer(context, size, unified=True)
        allocation = self.device.allocate(size, f"buffer {self.device.allocated_count}")
        self.journal.record_allocation(allocation)
        self._made[allocation.number] = allocation
        return self._claimed(context, Storage(allocation, allocation.base))

    def host_buffer(self, context: Context, size: int, *, unified: bool = False) -> DeviceBuffer:
        """Return a new buffer in host memory that the device can reach; if `unified`, it is the device's own memory."""
        pages = HostMemory(size)
        kind = "buffer" if unified else "host buffer"
        allocation = self.device.allocate(size, f"{kind} {self.device.allocated_count}", data=pages.data)
        self.journal.record_allocation(allocation)
        self._made[allocation.number] = allocation
        return self._claimed(context, Storage(allocation, pages.address, pages, unified=unified))

    def wrapped(self, context: Context, address: int, size: int, *, owned: bool = False) -> DeviceBuffer:
        """Return a buffer over memory at an address: a further claim if the device knows the memory, freed memory too.

        Otherwise the claim is on the host's own memory, all of which counts as written. The memory is freed with the
        buffer if `owned`. HostError if the device knows the memory, and it has fewer bytes than `size`.
        """
        existing = self.storage(address)
        if existing is None:
            data = pages.view(address, size)
            allocation = self.device.allocate(
                size, f"host memory {self.device.allocated_count}", data=data, initialised=True
            )
            self.journal.record_allocation(allocation)
            return self._claimed(context, Storage(allocation, address, owned=owned, foreign=True))
        claim = Storage(existing.allocation, existing.address, existing.host, owned=owned)
        return self._claimed(context, claim, address - existing.address, size)

    def range(self, address: int, size: int) -> Range:
        """Return memory that the device can reach and an address points to, freed memory too; see `storage`.

        Raises:
            HostError: There is none, or fewer bytes than `size`.
        """
        storage = self.storage(address)
        if storage is None:
            raise HostError(f"no memory of the device at {address:#x}")
        return self._range(storage, address - storage.address, size)

    def host_range(self, address: int, size: int) -> Range | None:
        """Return memory of a host buffer that an address points to, or None; HostError if it is shorter than `size`."""
        storage = self.storage(address)
        if storage is None or storage.host is None:
            return None
        return self._range(storage, address - storage.address, size)

    def storage(self, address: int) -> Storage | None:
        """Return the last claim made on the memory at an address, else one of the last 256 freed, or None.

        Null lies in none, though buffers may be made of it: zeros are seldom addresses.
        """
        if not address:
            return None
        return self._storages.at(address) or self._freed.at(address)

    def notice_all(self) -> None:
        """Tell the journal what the host wrote to memory that the device can reach."""
        with self.checks.opened():
            for storage in self._storages:
                self.journal.notice(storage)

    def empty(self) -> list[Storage]:
        """Return all memory of no bytes that is not freed."""
        return list(self._storages.empty)

    def buffer(self, context: Context, range_: Range) -> DeviceBuffer:
        """Return a new buffer over a range, as a further user of its storage, with a reference to its context."""
        context.references += 1
        return self.handles.add(DeviceBuffer(context, range_, self._released))

    def _claimed(self, context: Context, storage: Storage, offset: int = 0, size: int | None = None) -> DeviceBuffer:
        claimed_range = self._range(storage, offset, storage.size if size is None else size)
        self._storages.add(storage)
        return self.buffer(context, claimed_range)

    def _range(self, storage: Storage, offset: int, size: int) -> Range:
        if offset + size > storage.size:
            raise HostError(
                f"{size} bytes from byte {offset} do not lie in {storage.allocation.name} of {storage.size} bytes"
            )
        return Range(storage, offset, size)

    def _released(self, buffer: DeviceBuffer) -> None:
        """Release a buffer's context; if it was the last buffer of its storage, queue the end of that claim.

        When that runs, undefined copies are reported, and owned memory is freed. If it was freed before, that is
        reported. If the device did not make it, that is reported and fails the device.
        """
        stream = buffer.context.stream
        self.release(buffer.context)
        storage = buffer.range.storage
        storage.users -= 1
        if storage.users:
            return
        calls = callers()
        foreign = storage.foreign and buffer.context.api != "cpu"  # the processor's own may come from anywhere

        def run(operation: Operation) -> None:
            if storage.host is not None:
                self.checks.release(storage)
            self._storages.remove(storage)
            if not storage.owned:
                return
            if foreign:  # as a driver does: the error surfaces at the next wait
                self.checks.freed_foreign(storage.allocation.name, calls)
                raise HostError(f"{storage.allocation.name} cannot be freed: the device did not make it")
            if storage.allocation.freed:
                self.checks.released_twice(storage.allocation.name, calls)
                return
            self.checks.released(operation, storage, calls)
            self.device.free(storage.allocation)
            self.journal.freed(storage.allocation)
            self._made.pop(storage.allocation.number, None)  # memory of the host's own was not made here
            self._freed.add(storage)

        self.work.queue(stream, "", run)

    # For the interface.

    def resolve(self, pointer: int, kind: type[Held]) -> Held:
        """Return the object behind an opaque pointer; see `Handles.get`."""
        return self.handles.get(pointer, kind)

    def failed(self, entry: Entry, message: str) -> int:
        """Return what C gets for a failed call: its error text, or 0 after a report of misuse if it cannot fail."""
        if entry.fails:
            return self.owned_text(message)
        self.checks.misuse(entry.name, message)
        return 0

    def unsupported(self, name: str) -> int:
        """Report a function that the simulated device does not have, and return the error text that C gets."""
        group = MISSING.get(name.removeprefix(PREFIX))
        self.tell("unsupported", f"{name} ({group})" if group else name)
        return self.owned_text(f"{name} is not supported by the simulated device")

    def incomplete(self, kernel: str, reason: object) -> HostError:
        """Report a kernel that the simulator does not fully support; return the error, for the caller to raise."""
        self.tell("incomplete", {"kernel": kernel, "reason": str(reason)})
        return HostError(f"the simulator does not know all of this kernel: {reason}")

    def unknown(self, what: str) -> HostError:
        """Report a fact that the simulated device cannot know; return the error, for the caller to raise."""
        self.tell("unsupported", what)
        return HostError(what)

    def broken(self, trace: str) -> None:
        """Report a fault of this harness, after which the program cannot go on."""
        self.tell("broken", trace)

    def close(self, status: int) -> None:
        """Run what still waits at the program's end, and report what is left; missing waits only if status is 0."""
        self.work.close(report_unawaited=status == 0)  # an error came before the wait
        self.checks.close(self._storages, self._made.values())
        self.unobserved.close(self.checks)
