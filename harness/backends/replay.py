"""`Replay` executes a host function's journal on a simulated device, and finds results that the host itself wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from harness import simt
from harness.model.case import Launch
from harness.model.launcher import Launcher
from harness.model.messages import make_finding
from harness.simt.events import AccessEvent, CopyEvent
from harness.simt.findings import name_empty_buffer
from harness.simt.ir.values import FIRST
from harness.simt.observe import Observer
from harness.simt.state.allocation import Allocation
from harness.simt.state.device import Device

__all__ = ["Replay"]

MOST_BYTES = 1 << 30  # of the memory of one device
Observers = Callable[[], tuple[Observer, ...]]


@dataclass(slots=True)
class Replay:
    """A device on which a journal is followed.

    Args:
        launcher: Makes the launches.
        arguments: The buffers of the call, written in place.
        kernels: By symbol, each decoded.
        observers: Makes fresh observers for each launch.
        options: The options of each launch.
        seeds: The other orders of the threads to try.

    Attributes:
        launches: The launches, as (kernel, geometry).
        results: What came of each.
    """

    launcher: Launcher
    arguments: Sequence[simt.Buffer]
    kernels: Mapping[str, simt.Module]
    observers: Observers
    options: simt.Options
    seeds: Sequence[int]
    launches: list[tuple[str, Launch]] = field(default_factory=list)
    results: list[simt.LaunchResult] = field(default_factory=list)
    _device: Device = field(default_factory=Device)
    _by_host: dict[int, np.ndarray] = field(default_factory=dict)  # by allocation, the bytes that the host wrote
    # By their place among the buffers that are given: where they lie, and the bytes of theirs that the host wrote.
    _mapped: dict[int, tuple[Allocation, np.ndarray]] = field(default_factory=dict)
    _bytes: int = 0

    def follow(self, journal: Sequence[Any]) -> None:
        """Execute the journal's entries up to the first launch with a fault, which is not raised; then mark in
        `undefined`, of each buffer of the call that has it, which bytes are undefined.

        Raises:
            ValueError: An entry is malformed, or not possible on a device.
            SimtError: A launch cannot be made.
        """
        for entry in journal:
            try:
                self._execute(entry)
            except (TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
                raise ValueError("an entry of a journal that is none") from error
            if self.results and self.results[-1].fault is not None:
                break
        for place, (allocation, _) in self._mapped.items():
            undefined = self.arguments[place].undefined
            if undefined is not None:
                undefined[...] = False if allocation.shadow is None else allocation.shadow != 0

    def find_host_writes(self) -> Iterator[simt.Finding]:
        """Yield a finding for each call buffer that in the end holds bytes that the host itself wrote."""
        for place, (_, by_host) in self._mapped.items():
            buffer = self.arguments[place]
            elements = by_host.reshape(-1, buffer.array.itemsize).any(1)
            if elements.any():
                first = np.unravel_index(int(elements.argmax()), buffer.array.shape)
                index = ", ".join(str(int(part)) for part in first)
                details: dict[str, Any] = {"count": int(elements.sum()), "total": elements.size, "index": f"[{index}]"}
                yield make_finding("check.by-host", argument=buffer.name, **details)

    def rename_buffers(self, finding: simt.Finding) -> simt.Finding:
        """Return a finding of the host's process with the caller's names of buffers, in its values too."""
        names = {_name(allocation.number): allocation.name for allocation, _ in self._mapped.values()}
        values = {
            key: names.get(value, value) if isinstance(value, str) else value for key, value in finding.values.items()
        }
        return replace(finding, argument=names.get(str(finding.argument), finding.argument), values=values)

    def _execute(self, entry: Any) -> None:
        """Do one entry of the journal; ValueError, or Python's own error, if it is malformed."""
        match entry:
            case ["buffer", int(number), int(size)]:
                self._allocate(number, size)
            case ["given", int(), int(place), int(number)]:
                self._map_argument(place, number)
            case ["freed", int(number)]:
                if number in self._device.allocations:  # or it belongs to the call before
                    self._device.free(self._find_allocation(number))
            case ["fill", int(number), int(offset), int(size), str(pattern)]:
                self._fill(number, offset, size, _octets(pattern))
            case ["host", int(number), int(offset), int(size), str(data), str(undefined)]:
                octets = _octets(data)
                unwritten = _octets(undefined) if undefined else None
                if len(octets) != size or (unwritten is not None and len(unwritten) != size):
                    raise ValueError("bytes are missing")
                self._write(number, offset, octets, unwritten)
            case ["copy", int(number), int(offset), int(source), int(begin), int(size)]:
                self._copy(number, offset, source, begin, size)
            case ["launch", str(symbol), list(grid), list(block), list(cluster), int(shared), list(given), dict(held)]:
                self._launch(symbol, (grid, block, cluster), shared, given, held)
            case _:
                raise ValueError("an entry of a journal that is none")

    def _allocate(self, number: int, size: int) -> None:
        """Allocate memory, also of 0 bytes, under a number; ValueError if it is in use, the size is negative, or all
        that was ever allocated is over `MOST_BYTES`.
        """
        self._bytes += size
        if size < 0 or self._bytes > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES >> 30} GiB of memory")
        if (existing := self._device.allocations.get(number)) and not existing.freed:
            raise ValueError("memory that is there already")
        self._device.allocate(size, _name(number), number=number)
        self._by_host[number] = np.zeros(size, bool)

    def _map_argument(self, place: int, number: int) -> None:
        """Replace an allocation's memory by a buffer of the call, so that launches read and write the caller's array.

        ValueError if their sizes differ, or either of them was mapped before.

        Args:
            place: The index of the buffer in `arguments`.
            number: The allocation's.
        """
        buffer, allocation = self.arguments[place], self._find_allocation(number)
        octets = buffer.array.reshape(-1).view(np.uint8)
        is_mapped = any(allocation is other for other, _ in self._mapped.values())
        if place < 0 or len(octets) != len(allocation.data) or place in self._mapped or is_mapped:
            raise ValueError("another buffer than the one that was given")
        mapped = self._device.allocate(len(octets), str(buffer.name), data=octets, initialised=True, number=number)
        mapped.writable, mapped.argument, mapped.granule = buffer.writable, place, buffer.array.itemsize
        if buffer.undefined is not None and buffer.undefined.any():
            mapped.shadow = buffer.undefined * np.int32(self._device.origins.number("argument", mapped.name))
        self._mapped[place] = mapped, self._by_host[number]

    def _find_allocation(self, number: int) -> Allocation:
        allocation = self._device.allocations[number]
        if allocation.freed:
            raise ValueError("memory that was freed")
        return allocation

    def _span(self, number: int, offset: int, size: int) -> tuple[Allocation, slice]:
        allocation = self._find_allocation(number)
        if not 0 <= offset <= offset + size <= allocation.size:
            raise ValueError("bytes outside of their memory")
        return allocation, slice(offset, offset + size)

    def _fill(self, number: int, offset: int, size: int, pattern: np.ndarray) -> None:
        """Fill bytes with a repeated pattern, and mark them as defined. Zeroed bytes no longer count as written by the
        host; bytes that another pattern changes do count.

        Kernels begin with zeros; with another pattern for each element the host could write any result. ValueError if
        the bytes are outside of their memory, the memory was freed, or the pattern is empty.
        """
        self._span(number, offset, size)  # before as many bytes are made
        if not len(pattern):
            raise ValueError("a pattern is missing")
        zeros = not pattern.any()
        self._write(number, offset, np.resize(pattern, size), by_host=not zeros)
        if zeros:
            self._by_host[number][offset : offset + size] = False

    def _write(
        self, number: int, offset: int, octets: np.ndarray, undefined: np.ndarray | None = None, *, by_host: bool = True
    ) -> None:
        """Write bytes and their undefined marks (none without `undefined`).

        With `by_host`, those that change count as written by the host from then on. ValueError if they are outside of
        their memory, or it was freed.
        """
        allocation, span = self._span(number, offset, len(octets))
        self._by_host[number][span] |= by_host & (allocation.data[span] != octets)
        allocation.data[span] = octets
        if undefined is not None:
            allocation.writable_shadow()[span] = undefined * np.int32(
                self._device.origins.number("argument", allocation.name)
            )
        elif allocation.shadow is not None:
            allocation.writable_shadow()[span] = 0

    def _copy(self, number: int, offset: int, source: int, begin: int, size: int) -> None:
        (target, to), (origin, out) = self._span(number, offset, size), self._span(source, begin, size)
        target.data[to] = origin.data[out]
        self._by_host[number][to] = self._by_host[source][out]
        if target.shadow is not None or origin.shadow is not None:
            target.writable_shadow()[to] = 0 if origin.shadow is None else origin.shadow[out]

    def _launch(
        self,
        symbol: str,
        extents: tuple[list[int], list[int], list[int]],
        shared_bytes: int,
        parameters: list[str],
        constants: dict[str, str],
    ) -> None:
        """Launch a kernel in several orders of the threads; append (kernel, geometry) to `launches`, and one result for
        all orders to `results`.

        Memory then holds what the first order left. A fault is in the result. ValueError if the program has no such
        kernel; SimtError if it cannot be launched.

        Args:
            symbol: The kernel's.
            extents: Grid, block and cluster.
            shared_bytes: Dynamic shared memory.
            parameters: The bytes of each, in hexadecimal.
            constants: The initial bytes of global variables by name, in hexadecimal.
        """
        if symbol not in self.kernels:
            raise ValueError(f"no kernel {symbol} in the program")
        grid, block, cluster = ((int(x), int(y), int(z)) for x, y, z in extents)
        launch = Launch(grid=grid, block=block, cluster=cluster, shared_bytes=shared_bytes)
        parameter_bytes = [bytes.fromhex(raw) for raw in parameters]
        constant_bytes = {name: bytes.fromhex(raw) for name, raw in constants.items()}

        def run(observers: Iterable[Observer], options: simt.Options) -> simt.LaunchResult:
            all_observers = (*observers, _KernelWrites(self._by_host))
            module = self.kernels[symbol]
            return self.launcher.launch_on(
                self._device, module, symbol, launch, parameter_bytes, constant_bytes, all_observers, options
            )

        live = [allocation for allocation in self._device.allocations.values() if not allocation.freed]
        result = simt.run_in_orders(
            run,
            [(allocation.name, self._elements(allocation)) for allocation in live],
            [allocation.writable_shadow() for allocation in live],
            observers=self.observers,
            options=self.options,
            seeds=self.seeds,
        )
        if empty := [allocation.name for allocation in live if not allocation.size]:
            # For one Mojo's library leaves the parameter as it finds it.
            values = (int.from_bytes(raw, "little") for raw in parameter_bytes if len(raw) == 8)
            strange = {value: " or ".join(empty) for value in values if not any(map(partial(_holds, value), live))}
            result = replace(result, findings=tuple(name_empty_buffer(finding, strange) for finding in result.findings))
        self.launches.append((result.kernel, launch))
        self.results.append(result)

    def _elements(self, allocation: Allocation) -> np.ndarray:
        """Return the caller's array if a buffer of the call is mapped there, else the allocation's bytes; no copy."""
        place = allocation.argument
        return allocation.data if place is None else self.arguments[place].array


def _holds(address: int, allocation: Allocation) -> bool:
    return allocation.base <= address <= allocation.base + allocation.size


class _KernelWrites(Observer):
    """Clears `by_host` for the bytes that kernels write: they are the host's no more.

    Args:
        by_host: By allocation, whether the host wrote each byte; changed in place.
    """

    def __init__(self, by_host: Mapping[int, np.ndarray]) -> None:
        self._by_host = by_host

    def access(self, event: AccessEvent) -> None:
        """Note the bytes that a store or an atomic writes to global memory."""
        if event.kind != "load" and event.allocation.space == "global":
            self._wrote(event.allocation.number, event.offsets, event.size)

    def copy(self, event: CopyEvent) -> None:
        """Note the bytes that a copy writes to global memory."""
        for places in event.places:
            if places.role != "source" and places.allocation.space == "global":
                self._wrote(places.allocation.number, places.starts, places.size)

    def _wrote(self, number: int, offsets: np.ndarray, size: int) -> None:
        host_bytes = self._by_host.get(number)
        if host_bytes is not None:
            host_bytes[(offsets[:, None] + np.arange(size)).reshape(-1)] = False


def _name(number: int) -> str:
    """Return the name that the host's process gives a buffer."""
    return f"buffer {number - FIRST}"


def _octets(text: str) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(text), np.uint8)
