"""Statements over single values: assignments, atomics, branches, loops, exchanges between threads."""

from dataclasses import dataclass

import numpy as np

from tests.simt.random_mojo.expressions import BLOCK, GRID, THREADS, VARIABLES


def indented(statements):
    for one in statements:
        for line in one.lines():
            yield f"    {line}"


@dataclass
class Assign:
    """`name = value`."""

    name: str
    value: tuple

    def lines(self):
        """Mojo."""
        yield f"{self.name} = {self.value[0]}"

    def run(self, state, mask):
        """NumPy."""
        state.assign(self.name, self.value[1](state), mask)


@dataclass
class Total:
    """An atomic addition to one of the totals."""

    place: int
    value: tuple

    def lines(self):
        """Mojo."""
        at = f"totals.unsafe_ptr().unsafe_offset({self.place})"
        yield f"_ = Atomic.fetch_add({at}, {self.value[0]})"

    def run(self, state, mask):
        """NumPy."""
        values = np.broadcast_to(self.value[1](state), mask.shape)[mask]
        state.totals[self.place : self.place + 1] += values.sum(keepdims=True, dtype=np.int32)


@dataclass
class Branch:
    """`if` and `else`."""

    test: tuple
    body: list
    other: list

    def lines(self):
        """Mojo."""
        yield f"if {self.test[0]}:"
        yield from indented(self.body)
        if self.other:
            yield "else:"
            yield from indented(self.other)

    def run(self, state, mask):
        """NumPy."""
        taken = np.broadcast_to(self.test[1](state), mask.shape)
        for way, body in ((mask & taken, self.body), (mask & ~taken, self.other)):
            for one in body:
                one.run(state, way)


@dataclass
class Loop:
    """`for`, with a `break` or a `continue` before the last statements."""

    counter: str
    count: tuple
    body: list
    jump: str | None = None
    test: tuple | None = None
    rest: list = ()

    def lines(self):
        """Mojo."""
        yield f"for {self.counter} in range(Int({self.count[0]})):"
        yield f"    a += Int32({self.counter})"
        yield from indented(self.body)
        if self.jump:
            yield f"    if {self.test[0]}:"
            yield f"        {self.jump}"
        yield from indented(self.rest)

    def run(self, state, mask):
        """NumPy."""
        counts = np.broadcast_to(self.count[1](state), mask.shape)
        inside = mask.copy()
        for turn in range(int(counts.max(initial=0))):
            here = inside & (turn < counts)
            state.assign("a", state.values["a"] + np.int32(turn), here)
            for one in self.body:
                one.run(state, here)
            if self.jump:
                leave = here & np.broadcast_to(self.test[1](state), mask.shape)
                here = here & ~leave
                if self.jump == "break":
                    inside = inside & ~leave
            for one in self.rest:
                one.run(state, here)


@dataclass
class Exchange:
    """Stores to shared memory, waits, loads what a neighbour stored, waits."""

    name: str
    distance: int

    def lines(self):
        """Mojo."""
        yield f"shared[thread] = {self.name}.cast[DType.int32]()"
        yield "barrier()"
        yield (f"{self.name} ^= shared[(thread + {self.distance}) % {BLOCK}].cast[DType.{VARIABLES[self.name]}]()")
        yield "barrier()"

    def run(self, state, mask):
        """NumPy."""
        own = state.values[self.name]
        there = np.roll(own.reshape(GRID, BLOCK), -self.distance, 1).ravel()
        state.assign(self.name, own ^ there, mask)


@dataclass
class Shuffle:
    """`shuffle_xor`, all lanes."""

    name: str
    distance: int

    def lines(self):
        """Mojo."""
        yield f"{self.name} = shuffle_xor({self.name}, {self.distance})"

    def run(self, state, mask):
        """NumPy."""
        own = state.values[self.name]
        state.assign(self.name, own[np.arange(THREADS) ^ self.distance], mask)
