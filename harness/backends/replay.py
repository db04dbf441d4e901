"""What a host function did with its device, done again on a device of ours.

The function runs natively, in a process of its own, and whatever that process says is a stranger's word. So it says
only what was done: memory made and filled, kernels launched. Kernels run here, observed, and what they leave is what is
judged; what the host itself put into a result is told.
"""

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
        given: The buffers of the call, written in place.
        kernels: By symbol, each decoded.
        observers: Makes fresh observers for each launch.
        options: The options of each launch.
        seeds: The other orders of the threads to try.

    Attributes:
        made: The launches, as (kernel, geometry).
        results: What came of each.
    """

    launcher: Launcher
    given: Sequence[simt.Buffer]
    kernels: Mapping[str, simt.Module]
    observers: Observers
    options: simt.Options
    seeds: Sequence[int]
    made: list[tuple[str, Launch]] = field(default_factory=list)
    results: list[simt.LaunchResult] = field(default_factory=list)
    _device: Device = field(default_factory=Device)
    _by_host: dict[int, np.ndarray] = field(default_factory=dict)  # by allocation, the bytes that the host wrote
    # By their place among the buffers that are given: where they lie, and the bytes of theirs that the host wrote.
    _held: dict[int, tuple[Allocation, np.ndarray]] = field(default_factory=dict)
    _bytes: int = 0

    def follow(self, journal: Sequence[Any]) -> None:
        """Does what the journal says, up to a launch that ends early.

        Raises:
            ValueError: It says what no device does.
            SimtError: A launch cannot be made.
        """
        for entry in journal:
            try:
                self._do(entry)
            except (TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
                raise ValueError("an entry of a journal that is none") from error
            if self.results and self.results[-1].fault is not None:
                break
        for place, (allocation, _) in self._held.items():
            undefined = self.given[place].undefined
            if undefined is not None:
                undefined[...] = False if allocation.shadow is None else allocation.shadow != 0

    def by_host(self) -> Iterator[simt.Finding]:
        """A finding for each of the given buffers that in the end holds what the host itself wrote there."""
        for place, (_, by_host) in self._held.items():
            buffer = self.given[place]
            elements = by_host.reshape(-1, buffer.array.itemsize).any(1)
            if elements.any():
                first = np.unravel_index(int(elements.argmax()), buffer.array.shape)
                index = ", ".join(str(int(part)) for part in first)
                told: dict[str, Any] = {"count": int(elements.sum()), "total": elements.size, "index": f"[{index}]"}
                yield make_finding("check.by-host", argument=buffer.name, **told)

    def named(self, found: simt.Finding) -> simt.Finding:
        """What the host's process found, with a given buffer's name in the place of that process's own for it."""
        names = {_name(allocation.number): allocation.name for allocation, _ in self._held.values()}
        values = {
            key: names.get(value, value) if isinstance(value, str) else value for key, value in found.values.items()
        }
        return replace(found, argument=names.get(str(found.argument), found.argument), values=values)

    def _do(self, entry: Any) -> None:
        match entry:
            case ["buffer", int(number), int(size)]:
                self._make(number, size)
            case ["given", int(), int(place), int(number)]:
                self._give(place, number)
            case ["freed", int(number)]:
                if number in self._device.allocations:  # or it belongs to the call before
                    self._device.free(self._live(number))
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

    def _make(self, number: int, size: int) -> None:
        self._bytes += size
        if size < 0 or self._bytes > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES >> 30} GiB of memory")
        if (known := self._device.allocations.get(number)) and not known.freed:
            raise ValueError("memory that is there already")
        self._device.allocate(size, _name(number), number=number)
        self._by_host[number] = np.zeros(size, bool)

    def _give(self, place: int, number: int) -> None:
        buffer, allocation = self.given[place], self._live(number)
        octets = buffer.array.reshape(-1).view(np.uint8)
        held = any(allocation is other for other, _ in self._held.values())
        if place < 0 or len(octets) != len(allocation.data) or place in self._held or held:
            raise ValueError("another buffer than the one that was given")
        made = self._device.allocate(len(octets), str(buffer.name), data=octets, initialised=True, number=number)
        made.writable, made.argument, made.granule = buffer.writable, place, buffer.array.itemsize
        if buffer.undefined is not None and buffer.undefined.any():
            made.shadow = buffer.undefined * np.int32(self._device.origins.number("argument", made.name))
        self._held[place] = made, self._by_host[number]

    def _live(self, number: int) -> Allocation:
        allocation = self._device.allocations[number]
        if allocation.freed:
            raise ValueError("memory that was freed")
        return allocation

    def _span(self, number: int, offset: int, size: int) -> tuple[Allocation, slice]:
        allocation = self._live(number)
        if not 0 <= offset <= offset + size <= allocation.size:
            raise ValueError("bytes outside of their memory")
        return allocation, slice(offset, offset + size)

    def _fill(self, number: int, offset: int, size: int, pattern: np.ndarray) -> None:
        """Zeros are where a kernel begins; with another pattern for each element the host could write anything."""
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
        if symbol not in self.kernels:
            raise ValueError(f"no kernel {symbol} in the program")
        grid, block, cluster = ((int(x), int(y), int(z)) for x, y, z in extents)
        launch = Launch(grid=grid, block=block, cluster=cluster, shared_bytes=shared_bytes)
        given = [bytes.fromhex(raw) for raw in parameters]
        held = {name: bytes.fromhex(raw) for name, raw in constants.items()}

        def run(observers: Iterable[Observer], options: simt.Options) -> simt.LaunchResult:
            all_observers = (*observers, _OnDevice(self._by_host))
            module = self.kernels[symbol]
            return self.launcher.launch_on(self._device, module, symbol, launch, given, held, all_observers, options)

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
            values = (int.from_bytes(raw, "little") for raw in given if len(raw) == 8)
            strange = {value: " or ".join(empty) for value in values if not any(map(partial(_holds, value), live))}
            result = replace(result, findings=tuple(name_empty_buffer(found, strange) for found in result.findings))
        self.made.append((result.kernel, launch))
        self.results.append(result)

    def _elements(self, allocation: Allocation) -> np.ndarray:
        """Its bytes, as the elements that they are where that is known."""
        place = allocation.argument
        return allocation.data if place is None else self.given[place].array


def _holds(address: int, allocation: Allocation) -> bool:
    return allocation.base <= address <= allocation.base + allocation.size


class _OnDevice(Observer):
    """Notes which bytes kernels write.

    Args:
        by_host: By allocation, the bytes that the host wrote; what a kernel writes is the host's no more.
    """

    def __init__(self, by_host: Mapping[int, np.ndarray]) -> None:
        self._by_host = by_host

    def access(self, event: AccessEvent) -> None:
        """See `Observer`."""
        if event.kind != "load" and event.allocation.space == "global":
            self._wrote(event.allocation.number, event.offsets, event.size)

    def copy(self, event: CopyEvent) -> None:
        """See `Observer`."""
        for places in event.places:
            if places.role != "source" and places.allocation.space == "global":
                self._wrote(places.allocation.number, places.starts, places.size)

    def _wrote(self, number: int, offsets: np.ndarray, size: int) -> None:
        held = self._by_host.get(number)
        if held is not None:
            held[(offsets[:, None] + np.arange(size)).reshape(-1)] = False


def _name(number: int) -> str:
    """What the host's process calls a buffer."""
    return f"buffer {number - FIRST}"


def _octets(text: str) -> np.ndarray:
    return np.frombuffer(bytes.fromhex(text), np.uint8)
