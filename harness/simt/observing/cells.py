"""Describe buffers, accesses and printed values for a recording: `Cells`, `Texts`; `to_runs` compresses numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from harness.simt.arrays import Array, Booleans, Integers
from harness.simt.events import AccessEvent
from harness.simt.observe import RunningLaunch
from harness.simt.observing.cell_array import CellArray, convert_to_cells, element_type
from harness.simt.run.mbarrier import INITIALISED, is_token, token_phase
from harness.simt.state.allocation import Allocation, Octets

__all__ = ["MAX_INITIAL_CELLS", "Cells", "Texts", "to_runs"]

UNDEFINED = "?"
SHOWN_SPACES = ("global", "shared", "private")
MAX_INITIAL_CELLS = 1 << 16  # cells of a buffer whose first contents are kept
MAX_BYTES = 8 * MAX_INITIAL_CELLS


def to_runs(numbers: Integers) -> tuple[int, ...]:
    """Return ascending numbers as a flat tuple of runs: first number, length, first number, ...; () for none."""
    if not len(numbers):
        return ()
    breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
    starts = np.concatenate(([0], breaks))
    sizes = np.diff(np.concatenate((starts, [len(numbers)])))
    return tuple(np.stack((numbers[starts], sizes), 1).reshape(-1).tolist())


class Texts:
    """The texts of printed values, each with a number: one text for equal values."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._popped = 0

    def number(self, text: str) -> int:
        """Return the number of a text; a new text gets the next number."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def all_texts(self) -> list[str]:
        """All texts, in the order of their numbers."""
        return list(self._numbers)

    def pop_new(self) -> list[str]:
        """Return the texts that are new since the last call, in the order of their numbers."""
        texts = list(self._numbers)
        new, self._popped = texts[self._popped :], len(texts)
        return new

    def numbers_of(self, values: Array, undefined: Booleans | None = None) -> list[int]:
        """Return the numbers of the texts of some values, `?` for undefined ones; only one number if all are equal.

        New texts get numbers. A row of a 2-D array is one value, with a text such as `(1, 2)`. If there is one value
        but `undefined` is longer, the value is repeated.
        """
        if values.ndim > 1:
            numbers = [self.number("(" + ", ".join(map(str, row)) + ")") for row in values]
        else:
            array = np.ascontiguousarray(values)
            keys = array if array.dtype == object else array.view(f"u{array.dtype.itemsize}")
            _, first, which = np.unique(keys, return_index=True, return_inverse=True)
            distinct = np.array([self.number(str(array[at])) for at in first.tolist()], np.int64)
            numbers = distinct[which].tolist()
        if undefined is not None and undefined.any():
            is_undefined = np.broadcast_to(undefined, (max(len(undefined), len(numbers)),))
            numbers = numbers * len(is_undefined) if len(numbers) == 1 else numbers
            numbers = [
                self.number(UNDEFINED) if mark else number for number, mark in zip(numbers, is_undefined, strict=True)
            ]
        return numbers[:1] if len(set(numbers)) == 1 else numbers


class Cells:
    """The buffers of a launch.

    Attributes:
        buffers: By allocation number, the buffers that were accessed, and the arguments whose element types are known.
        names: The names of allocations in the source, by allocation number.
    """

    def __init__(
        self,
        engine: RunningLaunch,
        texts: Texts,
        dtypes: Mapping[str, np.dtype[Any]],
        max_initial_cells: int = MAX_INITIAL_CELLS,
    ) -> None:
        self._engine, self._texts, self._max_initial_cells = engine, texts, max_initial_cells
        self.buffers: dict[int, CellArray] = {}
        self.names: dict[int, str] = {}
        self._initial: dict[int, tuple[Octets, Booleans | None]] = {}
        self._pending: dict[int, list[tuple[Integers, Integers]]] = {}
        allocations = [*engine.memory.allocations, *engine.memory.device.values()]
        for allocation in allocations:
            is_recordable = allocation.space == "global" and allocation.rows == "grid" and not allocation.freed
            if is_recordable and 0 < allocation.size <= MAX_BYTES:
                unwritten = None if allocation.shadow is None else allocation.shadow[: allocation.size] != 0
                self._initial[allocation.number] = allocation.data.copy(), unwritten
        for allocation in allocations:
            if allocation.name in dtypes and allocation.number in self._initial:
                self._add(allocation, np.dtype(dtypes[allocation.name]), is_declared=True)

    def set_name(self, pointer: int, name: str) -> None:
        """Note the source's name of the allocation that a pointer points to, unless it has one.

        A pointer to no allocation is ignored.
        """
        allocation = self._engine.memory.allocation_of(pointer)
        if allocation is not None:
            self.names.setdefault(allocation.number, name)

    def _add(self, allocation: Allocation, dtype: np.dtype[Any], is_declared: bool = False) -> CellArray:
        first, unwritten = self._initial.get(allocation.number, (None, None))
        buffer = CellArray(len(self.buffers), allocation, dtype, is_declared, first=first, unwritten=unwritten)
        self.buffers[allocation.number] = buffer
        return buffer

    def buffer_of(self, allocation: Allocation, event: AccessEvent) -> CellArray | None:
        """Return the buffer of an accessed allocation, made at its first access with that access's element type.

        Integers may be the bits of floats that are moved or cleared. So the first access to floats of that size makes
        the cells floats, unless their type is declared; texts recorded before stay.

        None for what is not shown: variables of a lane without a name, and all but global, shared and local memory.
        """
        if allocation.space not in SHOWN_SPACES or (allocation.rows == "lane" and allocation.number not in self.names):
            return None
        buffer = self.buffers.get(allocation.number) or self._add(allocation, element_type(event))
        if event.values.dtype.kind == "f" and not buffer.is_declared and not buffer.is_bfloat:
            dtype = element_type(event)
            if buffer.dtype.itemsize == dtype.itemsize:
                buffer.dtype, buffer.is_bfloat = dtype, event.values.dtype.itemsize > dtype.itemsize
        return buffer

    def describe_access(
        self, buffer: CellArray, event: AccessEvent, positions: Integers | None
    ) -> tuple[int, list[int], list[int]]:
        """Return the cells that lanes access, and the values there; for an atomic its operands.

        What atomics, and stores of other sizes than a cell, change is queued for `read_pending`.

        Args:
            positions: The positions of the lanes in the event, or None for all.

        Returns:
            How many cells each lane accesses, rounded up; the first one of each lane (one if it is the same for all),
            counted through the grid's blocks or lanes; and for each lane and cell the number of a text: one number if
            all are equal, none if the accesses are not of whole cells. A stored `mbarrier` is shown by its counts.
        """
        offsets, lane_rows, values = (
            array if positions is None or len(array) == 1 else array[positions]
            for array in (event.offsets, event.rows, event.values)
        )
        size, allocation = buffer.dtype.itemsize, buffer.allocation
        owner = self._row_owners(allocation, np.asarray(lane_rows))
        cells = offsets // size + owner * buffer.count
        is_whole = event.size // event.elements == size and event.operation != "mbarrier"  # whose counts settle later
        if event.kind == "atomic" or (event.kind == "store" and not is_whole):
            offset = offsets + lane_rows * allocation.stride
            self._pending.setdefault(allocation.number, []).append(
                ((offset // size)[:, None] * size + np.arange(0, max(size, event.size), size), cells)
            )
        listed = np.asarray(cells).tolist()
        if not is_whole:
            return -(-event.size // size), listed, []
        flat = np.ascontiguousarray(values).reshape(-1)
        if event.kind == "store" and (texts := self._mbarriers(buffer, flat, offsets + lane_rows * allocation.stride)):
            return 1, listed, texts
        undefined = None
        if event.taint is not None and event.taint.any():
            by_lane = event.taint if event.taint.ndim == 1 else event.taint.max(1)
            is_undefined: Booleans = np.not_equal(by_lane, 0)
            is_undefined = is_undefined if positions is None or len(is_undefined) == 1 else is_undefined[positions]
            undefined = np.repeat(np.broadcast_to(is_undefined, (len(values),)), len(flat) // len(values))
        return event.size // size, listed, self._texts.numbers_of(convert_to_cells(flat, buffer), undefined)

    def _row_owners(self, allocation: Allocation, lane_rows: Integers) -> Integers:
        """Return the number in the grid of the block or lane that owns each row; (1,) 0 if the whole grid owns it.

        Args:
            lane_rows: The rows, each the number in the chunk of its block or lane.
        """
        geometry = self._engine.geometry
        if allocation.rows == "block":
            return np.asarray(geometry.blocks)[lane_rows]
        if allocation.rows == "lane":
            return (
                np.asarray(geometry.blocks)[lane_rows // geometry.threads] * geometry.threads
                + lane_rows % geometry.threads
            )
        return np.zeros(1, np.int64)

    def read_pending(self) -> Iterator[tuple[int, list[int], list[int]]]:
        """Yield (buffer number, cells, texts' numbers) for each queued atomic, or store of another size than a cell.

        The texts show the values that the cells have now, a single one if all are equal. The queue is emptied once all
        are yielded.
        """
        for number, pending in self._pending.items():
            buffer = self.buffers[number]
            for starts, cells in pending:
                steps = np.arange(starts.shape[1])
                octets = buffer.allocation.data[starts[..., None] + np.arange(buffer.dtype.itemsize)]
                values = buffer.read(octets)
                numbers = np.broadcast_to(np.asarray(cells), (len(starts),))[:, None] + steps
                texts = self._mbarriers(buffer, values, starts.reshape(-1)) or self._texts.numbers_of(values)
                yield buffer.number, numbers.reshape(-1).tolist(), texts
        self._pending.clear()

    def _mbarriers(self, buffer: CellArray, words: Array, starts: Integers) -> list[int]:
        """Return the numbers of texts with the counts of the `mbarrier`s in some cells; one number if all are equal.

        Empty unless all words are 8-byte integers that an initialised `mbarrier` holds, and the state of each is known.

        Args:
            buffer: The buffer of the cells.
            words: Their values, (n,) or one for all.
            starts: The byte of the allocation at which each begins.
        """
        if words.dtype.itemsize != 8 or words.dtype.kind not in "iu" or not (words == INITIALISED).all():
            return []
        texts = [self._engine.mbarrier_text(buffer.allocation, octet) for octet in starts.tolist()]
        if not all(texts):
            return []
        numbers = [self._texts.number(text) for text in texts if text]
        return numbers[:1] if len(set(numbers)) == 1 else numbers

    def number_values(self, values: Array, undefined: Booleans | None) -> list[int]:
        """Return the numbers of the texts of a variable's values, as `Texts.numbers_of` does.

        If all are tokens of an `mbarrier`, and none is undefined, they are shown by their phases, such as `token 3`.
        """
        if values.dtype == np.int64 and values.ndim == 1 and undefined is None and is_token(values).all():
            return self._texts.numbers_of(
                np.array([f"token {phase}" for phase in token_phase(values).tolist()], object)
            )
        return self._texts.numbers_of(values, undefined)

    def as_dict(self, buffer: CellArray) -> dict[str, Any]:
        """Return a buffer as JSON; texts that are new get numbers.

        `called` is the allocation's name; `name` is the source's name if it is known, else the same. `rows` says who
        owns a row: `grid`, `block` or `lane`; `cells` is the count in a row. `space` is `local` for private memory.
        `first` lists the number of the text of each cell's initial value, None for a cell that nobody had written.
        `first` itself is None if the buffer is not in global memory, is newer than the launch, or too large.
        """
        allocation = buffer.allocation
        first: list[int | None] | None = None
        if buffer.first is not None and buffer.count <= self._max_initial_cells:
            initial = buffer.read(buffer.first[: buffer.count * buffer.dtype.itemsize])
            texts = [self._texts.number(str(value)) for value in initial]
            unwritten: Booleans = np.zeros(buffer.count, bool)
            if buffer.unwritten is not None:
                by_byte = buffer.unwritten[: len(initial) * buffer.dtype.itemsize]
                unwritten = np.not_equal(by_byte.reshape(len(initial), -1).max(1), 0)
            first = [
                None if is_unwritten else text for text, is_unwritten in zip(texts, unwritten.tolist(), strict=True)
            ]
        return {
            "name": self.names.get(allocation.number, allocation.name),
            "space": "local" if allocation.space == "private" else allocation.space,
            "rows": allocation.rows,
            "cells": buffer.count,
            "dtype": str(buffer.dtype),
            "called": allocation.name,
            "first": first,
        }
