"""Statements over vectors, structs and arrays of a thread's own, and functions that take them or call themselves."""

from dataclasses import dataclass

import numpy as np

from tests.simt.random_mojo.expressions import VARIABLES

DEFINITIONS = '''@fieldwise_init
struct Inner(TrivialRegisterPassable):
    """A struct within the others."""

    var low: Int32
    var middle: Int16
    var small: Int16


@fieldwise_init
struct Settings(DevicePassable, TrivialRegisterPassable):
    """What the host gives every kernel: a vector, a number, and a struct."""

    var four: SIMD[DType.int32, 4]
    var wide: Int64
    var inner: Inner
    comptime device_type: AnyType = Self

    def _to_device_type(
        self, mut encoder: Some[DeviceTypeEncoder], target: MutOpaquePointer[_]
    ):
        encoder.encode(self, target)

    @staticmethod
    def get_type_name() -> String:
        return "Settings"


@fieldwise_init
struct Record(Copyable, Movable):
    """A struct with a struct and an array in it."""

    var first: Int32
    var inner: Inner
    var list: Array[Int16, 3]


@no_inline
def changed(var record: Record, by: Int32) -> Int32:
    """Changes its own copy."""
    record.first += by
    record.list[Int(by & 1)] = Int16(by & 127)
    record.inner.low ^= 5
    return (
        record.first
        + Int32(record.list[0]) * Int32(record.list[1])
        + record.inner.low * Int32(record.list[2])
    )


@no_inline
def recurse(a: Int32, n: Int32) -> Int32:
    """Calls itself once or twice, to another depth in each thread."""
    if n <= 0:
        return a ^ 77
    var x = recurse(a * 3 + 1, n - 1)
    if x & 1 == 1:
        x += recurse(x, n // 2)
    return x - a


'''


def wrapped(value):
    """As an int32, whatever it would be."""
    return (int(value) + (1 << 31)) % (1 << 32) - (1 << 31)


def recurse(a, n):
    """`recurse` of the Mojo text, of one thread."""
    if n <= 0:
        return wrapped(a ^ 77)
    x = recurse(wrapped(a * 3 + 1), n - 1)
    if x & 1:
        x = wrapped(x + recurse(x, n // 2))
    return wrapped(x - a)


@dataclass
class Recursion:
    """`name` takes what the function of itself and a depth makes of it."""

    name: str
    depth: tuple

    def lines(self):
        """Mojo."""
        depth = f"({self.depth[0]} & 3)"
        yield f"{self.name} = recurse({self.name}.cast[DType.int32](), {depth}).cast[DType.{VARIABLES[self.name]}]()"

    def run(self, state, mask):
        """NumPy."""
        own = state.values[self.name].astype(np.int32)
        depth = np.broadcast_to(self.depth[1](state) & 3, mask.shape)
        found = np.zeros(mask.shape, np.int32)
        for thread in np.flatnonzero(mask):
            found[thread] = recurse(int(own[thread]), int(depth[thread]))
        state.assign(self.name, found.astype(VARIABLES[self.name]), mask)


@dataclass
class Records:
    """A function changes its copy of a struct; the struct stays as it was."""

    number: int
    first: tuple
    inner: tuple
    by: tuple

    def lines(self):
        """Mojo."""
        name, (low, middle) = f"record{self.number}", (part[0] for part in self.inner)
        yield f"var {name} = Record({self.first[0]}, Inner({low}, {middle}, 3), [1, {middle}, 2])"
        yield f"var changed{self.number} = changed({name}.copy(), {self.by[0]})"
        yield f"a ^= changed{self.number}"
        yield f"b += {name}.first + Int32({name}.list[Int(b & 1)]) * {name}.inner.low"

    def run(self, state, mask):
        """NumPy."""
        first, low, middle, by = (
            np.broadcast_to(part[1](state), mask.shape) for part in (self.first, *self.inner, self.by)
        )
        inserted = (by & 127).astype(np.int16)
        lists = np.stack([np.full(mask.shape, 1, np.int16), middle, np.full(mask.shape, 2, np.int16)], 1)
        own = lists.copy()
        own[np.arange(len(own)), by & 1] = inserted
        own = own.astype(np.int32)
        result = first + by + own[:, 0] * own[:, 1] + (low ^ 5) * own[:, 2]
        state.assign("a", state.values["a"] ^ result, mask)
        b = state.values["b"]
        element = lists[np.arange(len(lists)), b & 1].astype(np.int32)
        state.assign("b", b + (first + element * low), mask)


@dataclass
class List:
    """An array of the thread's own, written and read by indices of its own."""

    number: int
    values: tuple
    place: tuple
    value: tuple

    def lines(self):
        """Mojo."""
        name = f"list{self.number}"
        yield f"var {name}: Array[Int32, 4] = [{', '.join(value[0] for value in self.values)}]"
        yield f"{name}[Int({self.place[0]} & 3)] = {self.value[0]}"
        yield f"a ^= {name}[Int(b & 3)]"

    def run(self, state, mask):
        """NumPy."""
        values = [np.broadcast_to(value[1](state), mask.shape) for value in self.values]
        array, rows = np.stack(values, 1), np.arange(len(mask))
        array[rows, np.broadcast_to(self.place[1](state) & 3, mask.shape)] = self.value[1](state)
        state.assign("a", state.values["a"] ^ array[rows, state.values["b"] & 3], mask)


@dataclass
class Vector:
    """A vector is put together, goes through some operations, and ends in `name`.

    Attributes:
        steps: (what, arguments): see `_step`.
        place: The element that is read in the end, or None for the sum of all.
    """

    number: int
    name: str
    dtype: str
    values: tuple
    steps: list
    place: tuple | None

    def lines(self):
        """Mojo."""
        dtype, width = self.dtype, len(self.values)
        name = f"vector{self.number}x0"
        yield f"var {name} = SIMD[DType.{dtype}, {width}]({', '.join(value[0] for value in self.values)})"
        for turn, (what, *rest) in enumerate(self.steps, 1):
            before, name = name, f"vector{self.number}x{turn}"
            match what:
                case "with":
                    symbol, _, value = rest
                    yield f"var {name} = {before} {symbol} SIMD[DType.{dtype}, {width}]({value[0]})"
                case "order":
                    yield f"var {name} = {before}.shuffle[{', '.join(map(str, rest[0]))}]()"
                case "turn":
                    yield f"var {name} = {before}.rotate_left[{rest[0]}]()"
                case "set":
                    place, value = rest
                    yield f"var {name} = {before}"
                    yield f"{name}[Int({place[0]} & {width - 1})] = {value[0]}"
                case "least":
                    other = f"SIMD[DType.{dtype}, {width}]({rest[0][0]})"
                    yield f"var {name} = {before}.lt({other}).select({before} * 3, {other})"
                case "halves":
                    low, high = (f"{before}.slice[{width // 2}, offset={at}]()" for at in (0, width // 2))
                    yield f"var {name} = {high}.join({low})"
        end = f"{name}.reduce_add()" if self.place is None else f"{name}[Int({self.place[0]} & {width - 1})]"
        yield f"{self.name} ^= {end}.cast[DType.{VARIABLES[self.name]}]()"

    def run(self, state, mask):
        """NumPy."""
        shape, width, rows = mask.shape, len(self.values), np.arange(len(mask))

        def each(value):
            return np.broadcast_to(value[1](state), shape)

        vector = np.stack([each(value) for value in self.values], 1)
        for what, *rest in self.steps:
            match what:
                case "with":
                    vector = rest[1](vector, each(rest[2])[:, None])
                case "order":
                    vector = vector[:, rest[0]]
                case "turn":
                    vector = np.roll(vector, -rest[0], 1)
                case "set":
                    place, value = map(each, rest)
                    vector = vector.copy()
                    vector[rows, place & (width - 1)] = value
                case "least":
                    other = each(rest[0])[:, None]
                    vector = np.where(vector < other, vector * vector.dtype.type(3), other)
                case "halves":
                    vector = np.concatenate([vector[:, width // 2 :], vector[:, : width // 2]], 1)
        if self.place is None:
            end = vector.sum(1, dtype=self.dtype)
        else:
            end = vector[rows, each(self.place) & (width - 1)]
        own = state.values[self.name]
        state.assign(self.name, own ^ end.astype(VARIABLES[self.name]), mask)
