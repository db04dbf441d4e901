"""Memory as a recording shows it: buffers of cells, and values as texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.events import AccessEvent
from harness.simt.observe import RunningLaunch
from harness.simt.run.phase_barrier import VALID, is_token, phase_of
from harness.simt.state.allocation import Allocation, Octets
from harness.simt.state.lanes import LaneSet

__all__ = ["MOST", "CellArray", "Cells", "Texts", "runs"]

UNDEFINED = "?"
SHOWN = ("global", "shared", "private")
MOST = 1 << 16  # cells of a buffer whose first contents are kept
LARGEST = 8 * MOST


def runs(numbers: Integers) -> tuple[int, ...]:
    """Ascending numbers as where each run of neighbours begins and how long it is."""
    if not len(numbers):
        return ()
    breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
    starts = np.concatenate(([0], breaks))
    sizes = np.diff(np.concatenate((starts, [len(numbers)])))
    return tuple(np.stack((numbers[starts], sizes), 1).reshape(-1).tolist())


class Texts:
    """Values as they are printed, each text with a number: equal on every screen, and small."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._told = 0

    def number(self, text: str) -> int:
        """The number of a text."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def every(self) -> list[str]:
        """All texts, in the order of their numbers."""
        return list(self._numbers)

    def taken(self) -> list[str]:
        """The texts that are new since the last time."""
        every = list(self._numbers)
        new, self._told = every[self._told :], len(every)
        return new

    def many(self, values: Array, undefined: Booleans | None = None) -> list[int]:
        """The numbers of the texts of some values; one where all are equal."""
        if values.ndim > 1:
            numbers = [self.number("(" + ", ".join(map(str, row)) + ")") for row in values]
        else:
            own = np.ascontiguousarray(values)
            keys = own if own.dtype == object else own.view(f"u{own.dtype.itemsize}")
            _, first, which = np.unique(keys, return_index=True, return_inverse=True)
            distinct = np.array([self.number(str(own[at])) for at in first.tolist()], np.int64)
            numbers = distinct[which].tolist()
        if undefined is not None and undefined.any():
            marks = np.broadcast_to(undefined, (max(len(undefined), len(numbers)),))
            numbers = numbers * len(marks) if len(numbers) == 1 else numbers
            numbers = [self.number(UNDEFINED) if mark else number for number, mark in zip(numbers, marks, strict=True)]
        return numbers[:1] if len(set(numbers)) == 1 else numbers


@dataclass(slots=True, eq=False)
class CellArray:
    """An allocation as cells.

    Attributes:
        number: Among the buffers.
        allocation: What it shows.
        dtype: Of a cell.
        first: The bytes it began with, for global memory; which of them nobody wrote.
    """

    number: int
    allocation: Allocation
    dtype: np.dtype[Any]
    first: Octets | None = None
    unwritten: Booleans | None = None

    @property
    def count(self) -> int:
        """Cells of a row."""
        return self.allocation.size // self.dtype.itemsize


class Cells:
    """The buffers of a launch.

    Attributes:
        buffers: Those that were accessed, and the kernel's arguments whose elements are known.
        names: What the source calls an allocation, by its number.
    """

    def __init__(
        self, engine: RunningLaunch, texts: Texts, dtypes: Mapping[str, np.dtype[Any]], most: int = MOST
    ) -> None:
        self._engine, self._texts, self._most = engine, texts, most
        self.buffers: dict[int, CellArray] = {}
        self.names: dict[int, str] = {}
        self._first: dict[int, tuple[Octets, Booleans | None]] = {}
        self._pending: dict[int, list[tuple[Integers, Integers]]] = {}
        known = [*engine.memory.allocations, *engine.memory.device.values()]
        for allocation in known:
            plain = allocation.space == "global" and allocation.rows == "grid" and not allocation.freed
            if plain and 0 < allocation.size <= LARGEST:
                unwritten = None if allocation.shadow is None else allocation.shadow[: allocation.size] != 0
                self._first[allocation.number] = allocation.data.copy(), unwritten
        for allocation in known:
            if allocation.name in dtypes and allocation.number in self._first:
                self._add(allocation, np.dtype(dtypes[allocation.name]))

    def name(self, pointer: int, name: str) -> None:
        """The source has a name for where a pointer goes."""
        allocation = self._engine.memory.find(pointer)
        if allocation is not None:
            self.names.setdefault(allocation.number, name)

    def _add(self, allocation: Allocation, dtype: np.dtype[Any]) -> CellArray:
        first, unwritten = self._first.get(allocation.number, (None, None))
        buffer = CellArray(len(self.buffers), allocation, dtype, first, unwritten)
        self.buffers[allocation.number] = buffer
        return buffer

    def buffer(self, allocation: Allocation, event: AccessEvent) -> CellArray | None:
        """The buffer that is accessed, or None for what is not shown: parameters, and variables without a name."""
        if allocation.space not in SHOWN or (allocation.rows == "lane" and allocation.number not in self.names):
            return None
        return self.buffers.get(allocation.number) or self._add(allocation, _element(event))

    def touched(
        self, buffer: CellArray, event: AccessEvent, lanes: LaneSet, positions: Integers | None
    ) -> tuple[int, list[int], list[int]]:
        """The cells that lanes touch, and the values there; of an atomic what it is given.

        Returns:
            How many cells each lane touches; the first one of each lane; and for each lane and cell the number of a
            text, one where all are equal, and none where the accesses are not of whole cells.
        """
        offsets, rows, values = (
            part if positions is None or len(part) == 1 else part[positions]
            for part in (event.offsets, event.rows, event.values)
        )
        size, allocation = buffer.dtype.itemsize, buffer.allocation
        owner = self._owners(allocation, np.asarray(rows))
        cells = offsets // size + owner * buffer.count
        whole = event.size // event.elements == size and event.operation != "mbarrier"  # whose counts settle later
        if event.kind == "atomic" or (event.kind == "store" and not whole):
            place = offsets + rows * allocation.stride
            self._pending.setdefault(allocation.number, []).append(
                ((place // size)[:, None] * size + np.arange(0, max(size, event.size), size), cells)
            )
        listed = np.asarray(cells).tolist()
        if not whole:
            return -(-event.size // size), listed, []
        flat = np.ascontiguousarray(values).reshape(-1)
        if event.kind == "store" and (texts := self._mbarriers(buffer, flat, offsets + rows * allocation.stride)):
            return 1, listed, texts
        undefined = None
        if event.taint is not None and event.taint.any():
            by_lane = event.taint if event.taint.ndim == 1 else event.taint.max(1)
            marks: Booleans = np.not_equal(by_lane, 0)
            marks = marks if positions is None or len(marks) == 1 else marks[positions]
            undefined = np.repeat(np.broadcast_to(marks, (len(values),)), len(flat) // len(values))
        return event.size // size, listed, self._texts.many(_as(flat, buffer.dtype), undefined)

    def _owners(self, allocation: Allocation, rows: Integers) -> Integers:
        """The number in the grid of the block or lane whose row it is."""
        geometry = self._engine.geometry
        if allocation.rows == "block":
            return np.asarray(geometry.blocks)[rows]
        if allocation.rows == "lane":
            return np.asarray(geometry.blocks)[rows // geometry.threads] * geometry.threads + rows % geometry.threads
        return np.zeros(1, np.int64)

    def settled(self) -> Iterator[tuple[int, list[int], list[int]]]:
        """What lies in the cells that atomics and accesses of other sizes changed: buffer, cells, texts."""
        for number, places in self._pending.items():
            buffer = self.buffers[number]
            for starts, cells in places:
                steps = np.arange(starts.shape[1])
                octets = buffer.allocation.data[starts[..., None] + np.arange(buffer.dtype.itemsize)]
                held = np.ascontiguousarray(octets).view(buffer.dtype).reshape(-1)
                numbers = np.broadcast_to(np.asarray(cells), (len(starts),))[:, None] + steps
                texts = self._mbarriers(buffer, held, starts.reshape(-1)) or self._texts.many(held)
                yield buffer.number, numbers.reshape(-1).tolist(), texts
        self._pending.clear()

    def _mbarriers(self, buffer: CellArray, words: Array, starts: Integers) -> list[int]:
        """Return the numbers of texts with the counts of the `mbarrier`s in some cells; none if a cell holds none.

        Args:
            buffer: Whose cells.
            words: Their values, (n,) or one for all.
            starts: The byte of the allocation at which each begins.
        """
        if words.dtype.itemsize != 8 or words.dtype.kind not in "iu" or not (words == VALID).all():
            return []
        texts = [self._engine.mbarrier_text(buffer.allocation, octet) for octet in starts.tolist()]
        if not all(texts):
            return []
        numbers = [self._texts.number(text) for text in texts if text]
        return numbers[:1] if len(set(numbers)) == 1 else numbers

    def values(self, values: Array, undefined: Booleans | None) -> list[int]:
        """Return the numbers of the texts of a variable's values; a token of an `mbarrier` is known by its phase."""
        if values.dtype == np.int64 and values.ndim == 1 and undefined is None and is_token(values).all():
            return self._texts.many(np.array([f"token {phase}" for phase in phase_of(values).tolist()], object))
        return self._texts.many(values, undefined)

    def described(self, buffer: CellArray) -> dict[str, Any]:
        """A buffer, with the texts that it began with; `null` where nobody wrote."""
        allocation = buffer.allocation
        first: list[int | None] | None = None
        if buffer.first is not None and buffer.count <= self._most:
            held = buffer.first[: buffer.count * buffer.dtype.itemsize].view(buffer.dtype)
            texts = [self._texts.number(str(value)) for value in held]
            unwritten: Booleans = np.zeros(buffer.count, bool)
            if buffer.unwritten is not None:
                by_byte = buffer.unwritten[: len(held) * buffer.dtype.itemsize]
                unwritten = np.not_equal(by_byte.reshape(len(held), -1).max(1), 0)
            first = [None if gone else text for text, gone in zip(texts, unwritten.tolist(), strict=True)]
        return {
            "name": self.names.get(allocation.number, allocation.name),
            "space": "local" if allocation.space == "private" else allocation.space,
            "rows": allocation.rows,
            "cells": buffer.count,
            "dtype": str(buffer.dtype),
            "called": allocation.name,
            "first": first,
        }


def _element(event: AccessEvent) -> np.dtype[Any]:
    """What a cell holds, by the first access to it."""
    size, kind = event.size // event.elements, event.values.dtype.kind
    if kind == "f" and size in (4, 8):
        return np.dtype(f"f{size}")
    if kind == "f" and size == 2:
        return np.dtype(np.float16)
    return np.dtype(f"i{size}") if size in (1, 2, 4, 8) else np.dtype(np.uint8)


def _as(values: Array, dtype: np.dtype[Any]) -> Array:
    """Values as what a cell holds; integers may be unsigned there."""
    if values.dtype == object or (values.dtype.kind == "f" and dtype.kind == "f"):
        return values if values.dtype == object else values.astype(dtype)
    if dtype.kind == "f":  # the bits of a float, moved as an integer
        bits = values.astype(f"i{dtype.itemsize}")
        return bits.view(dtype)
    return values.astype(dtype)
