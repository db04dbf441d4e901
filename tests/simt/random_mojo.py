"""Random kernels in Mojo, each with a NumPy evaluation of the same program.

A program is a tree of statements over a few variables; each statement can print
itself as Mojo and run itself on arrays of all threads under a mask. Everything
is exact: integers wrap, and floats are brought back to small whole numbers
before they could round, so that fused or not, all targets must agree.
"""

import random
from dataclasses import dataclass

import numpy as np

__all__ = ["BLOCK", "GRID", "Program", "module_source"]

GRID, BLOCK, WARP = 2, 64, 32
THREADS = GRID * BLOCK
TOTALS = 8
VARIABLES = {
    "a": "int32",
    "b": "int32",
    "c": "uint32",
    "d": "int64",
    "e": "int16",
    "u": "uint8",
    "f": "float32",
    "g": "float32",
    "h": "float16",
}
INTEGERS = [name for name, dtype in VARIABLES.items() if "int" in dtype]
# A float variable holds a whole number from 0 to this; products stay exact.
LARGEST = {"float32": 2047, "float16": 255}
SIZES = {
    "results": ("int64", THREADS * len(VARIABLES)),
    "floats": ("float32", THREADS),
    "halves": ("float16", THREADS),
    "totals": ("int32", TOTALS),
    "inputs": ("int32", 2 * THREADS),
}
HEADER = """\"\"\"Random kernels.\"\"\"

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import barrier, block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from max.gpu.primitives.warp import shuffle_xor
from std.atomic import Atomic

"""


@dataclass
class State:
    """The variables of all threads, the totals, and the thread numbers."""

    values: dict
    totals: np.ndarray
    thread: np.ndarray

    def assign(self, name, value, mask):
        """Stores to a variable where the mask holds."""
        dtype = np.dtype(VARIABLES[name])
        new = np.broadcast_to(value, mask.shape).astype(dtype)
        self.values[name] = np.where(mask, new, self.values[name])


# Expressions: (Mojo text, function of the state), all of one dtype.


def _constant(value, dtype):
    array = np.array([value]).astype(dtype)
    return f"Scalar[DType.{dtype}]({array[0]})", lambda state: array


def _cast(expression, dtype):
    text, run = expression
    return f"({text}).cast[DType.{dtype}]()", lambda state: run(state).astype(dtype)


def _binary(symbol, function, left, right):
    return (
        f"({left[0]} {symbol} {right[0]})",
        lambda state: function(left[1](state), right[1](state)),
    )


def _call(name, function, left, right):
    return (
        f"{name}({left[0]}, {right[0]})",
        lambda state: function(left[1](state), right[1](state)),
    )


INTEGER = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
}
COMPARE = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


class Maker:
    """Draws expressions and statements."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.loops = 0

    def variable(self, name, dtype):
        """A variable, cast to a dtype."""
        own = VARIABLES[name]
        expression = name, lambda state: state.values[name]
        return expression if own == dtype else _cast(expression, dtype)

    def integer(self, dtype, depth=0):
        """An integer expression."""
        rng = self.rng
        if depth > 2 or rng.random() < 0.25:
            if rng.random() < 0.3:
                low = 0 if dtype[0] == "u" else -100
                return _constant(rng.randrange(low, 100), dtype)
            return self.variable(rng.choice(INTEGERS), dtype)
        left = self.integer(dtype, depth + 1)
        bits = int(dtype.lstrip("uint"))
        kind = rng.choice(["plain", "plain", "plain", "shift", "divide", "extreme", "choice", "float"])
        match kind:
            case "shift":
                symbol, function = rng.choice([("<<", np.left_shift), (">>", np.right_shift)])
                amount = _constant(rng.randrange(bits), dtype)
                return _binary(symbol, function, left, amount)
            case "divide":
                symbol, function = rng.choice([("//", np.floor_divide), ("%", np.remainder)])
                return _binary(symbol, function, left, self.divisor(dtype))
            case "extreme":
                name, function = rng.choice([("min", np.minimum), ("max", np.maximum)])
                return _call(name, function, left, self.integer(dtype, depth + 1))
            case "choice":
                (text, test), (other, run) = (
                    self.condition(),
                    self.integer(dtype, depth + 1),
                )
                return (
                    f"({left[0]} if {text} else {other})",
                    lambda state: np.where(test(state), left[1](state), run(state)),
                )
            case "float":
                name = rng.choice(["f", "g", "h"])
                return _cast(_cast(self.variable(name, VARIABLES[name]), "int32"), dtype)
        symbol = rng.choice(sorted(INTEGER))
        return _binary(symbol, INTEGER[symbol], left, self.integer(dtype, depth + 1))

    def divisor(self, dtype):
        """A constant or a variable made positive."""
        if self.rng.random() < 0.5:
            return _constant(self.rng.randrange(1, 100), dtype)
        name = self.rng.choice(INTEGERS)
        low = _binary("&", np.bitwise_and, self.variable(name, dtype), _constant(63, dtype))
        return _binary("+", np.add, low, _constant(1, dtype))

    def condition(self):
        """A comparison."""
        symbol = self.rng.choice(sorted(COMPARE))
        if self.rng.random() < 0.3:
            left, right = self.variable("f", "float32"), self.variable("g", "float32")
        else:
            dtype = VARIABLES[self.rng.choice(INTEGERS)]
            left, right = self.integer(dtype, 2), self.integer(dtype, 2)
        return _binary(symbol, COMPARE[symbol], left, right)

    def floating(self, dtype):
        """A float expression whose value and parts are exact, then made small."""
        rng = self.rng

        def leaf():
            if rng.random() < 0.4:
                low = _binary("&", np.bitwise_and, self.integer("int32", 2), _constant(LARGEST[dtype], "int32"))
                return _cast(low, dtype)
            names = [n for n, own in VARIABLES.items() if own == dtype]
            return self.variable(rng.choice(names), dtype)

        kind = rng.choice(["sum", "difference", "half", "extreme", "product"])
        one, two = leaf(), leaf()
        match kind:
            case "sum":
                result = _binary("+", np.add, one, two)
            case "difference":
                result = _binary("-", np.subtract, one, two)
            case "half":
                half = _constant(0.5, dtype)
                result = _binary("*", np.multiply, _binary("-", np.subtract, one, two), half)
            case "extreme":
                name, function = rng.choice([("min", np.minimum), ("max", np.maximum)])
                result = _call(name, function, one, two)
            case "product" if dtype == "float16":
                result = _binary("*", np.multiply, one, _constant(7, dtype))
            case "product":
                result = _binary("*", np.multiply, one, two)
                result = _binary("+", np.add, result, leaf())
        low = _binary("&", np.bitwise_and, _cast(result, "int32"), _constant(LARGEST[dtype], "int32"))
        return _cast(low, dtype)

    # Statements.

    def block(self, depth, count, uniform=False):
        """Some statements."""
        result = []
        for _ in range(count):
            choices = [self.assignment] * 4 + [self.total]
            if depth < 3:
                choices += [self.branch, self.branch, self.loop, self.loop]
            if uniform:
                choices += [self.exchange, self.exchange, self.shuffle, self.shuffle, self.uniform_loop]
            result.append(self.rng.choice(choices)(depth))
        return result

    def assignment(self, _depth):
        """A new value of a variable."""
        name = self.rng.choice(sorted(VARIABLES))
        dtype = VARIABLES[name]
        value = self.floating(dtype) if "float" in dtype else self.integer(dtype)
        return Assign(name, value)

    def total(self, _depth):
        """An atomic addition."""
        return Total(self.rng.randrange(TOTALS), self.integer("int32", 1))

    def branch(self, depth):
        """An if, mostly with an else."""
        other = self.block(depth + 1, 2) if self.rng.random() < 0.6 else []
        return Branch(self.condition(), self.block(depth + 1, 2), other)

    def _counter(self):
        self.loops += 1
        return f"k{self.loops}"

    def loop(self, depth):
        """As often as the data say, perhaps with a way out or a short cut."""
        count = _binary(
            "&",
            np.bitwise_and,
            self.variable(self.rng.choice("abde"), "int32"),
            _constant(self.rng.choice([1, 3, 7]), "int32"),
        )
        counter = self._counter()
        jump = self.rng.choice([None, None, "break", "continue"])
        test = self.condition() if jump else None
        return Loop(counter, count, self.block(depth + 1, 2), jump, test, self.block(depth + 1, 1))

    def uniform_loop(self, depth):
        """All threads go round together, so that they may wait in it."""
        count = _constant(self.rng.randrange(1, 4), "int32")
        return Loop(self._counter(), count, self.block(depth + 2, 2, uniform=True))

    def exchange(self, _depth):
        """A value of another thread of the block, by shared memory."""
        name = self.rng.choice(["a", "b", "c"])
        return Exchange(name, self.rng.randrange(1, BLOCK))

    def shuffle(self, _depth):
        """A value of another lane."""
        name = self.rng.choice(["a", "b", "c", "f", "g"])
        return Shuffle(name, self.rng.choice([1, 2, 3, 4, 8, 15, 16, 31]))


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
        yield from _indented(self.body)
        if self.other:
            yield "else:"
            yield from _indented(self.other)

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
        yield from _indented(self.body)
        if self.jump:
            yield f"    if {self.test[0]}:"
            yield f"        {self.jump}"
        yield from _indented(self.rest)

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


def _indented(statements):
    for one in statements:
        for line in one.lines():
            yield f"    {line}"


class Program:
    """A kernel `kernel_N(out, floats, halves, totals, inputs)`."""

    def __init__(self, seed):
        self.seed = seed
        maker = Maker(seed)
        self.body = maker.block(0, 8, uniform=True)

    def source(self):
        """The kernel in Mojo."""
        width = len(VARIABLES)
        parameters = [
            f"    {name}: TileTensor[mut={name != 'inputs'}, DType.{dtype}, "
            f"type_of(row_major[{size}]()), "
            f"{'Immut' if name == 'inputs' else 'Mut'}AnyOrigin],"
            for name, (dtype, size) in SIZES.items()
        ]
        lines = [
            f"def kernel_{self.seed}(",
            *parameters,
            "):",
            "    var shared = stack_allocation[",
            "        dtype=DType.int32, address_space=AddressSpace.SHARED",
            f"    ](row_major[{BLOCK}]())",
            "    var thread = Int(thread_idx.x)",
            f"    var i = Int(block_idx.x) * {BLOCK} + thread",
            "    var a = inputs[2 * i]",
            "    var b = inputs[2 * i + 1]",
        ]
        for name, dtype in VARIABLES.items():
            if name > "b":
                masked = f"(b & {LARGEST[dtype]})" if "float" in dtype else "b"
                lines.append(f"    var {name} = {masked}.cast[DType.{dtype}]()")
        lines += _indented(self.body)
        lines += [
            f"    results[{width} * i + {place}] = {name}.cast[DType.int64]()" for place, name in enumerate(VARIABLES)
        ]
        lines += ["    floats[i] = f * 0.25", "    halves[i] = h * 0.5"]
        return "\n".join(lines) + "\n\n\n"

    def inputs(self):
        """Two whole numbers for each thread."""
        rng = np.random.default_rng(self.seed)
        values = rng.integers(-(2**31), 2**31, 2 * THREADS).astype(np.int32)
        small = rng.random(len(values)) < 0.6
        values[small] = rng.integers(-40, 300, small.sum())
        return values

    def outputs(self):
        """Arrays for a launch, in the order of the parameters."""
        return [
            np.full(THREADS * len(VARIABLES), -1, np.int64),
            np.full(THREADS, np.nan, np.float32),
            np.full(THREADS, np.nan, np.float16),
            np.zeros(TOTALS, np.int32),
        ]

    def evaluate(self):
        """What NumPy makes of the program: the same arrays as `outputs`, filled."""
        a, b = self.inputs().reshape(-1, 2).T.copy()
        values = {"a": a, "b": b}
        for name, dtype in VARIABLES.items():
            if name > "b":
                start = b & LARGEST[dtype] if "float" in dtype else b
                values[name] = start.astype(dtype)
        state = State(values, np.zeros(TOTALS, np.int32), np.arange(THREADS))
        everyone = np.ones(THREADS, bool)
        for one in self.body:
            one.run(state, everyone)
        columns = [state.values[name].astype(np.int64) for name in VARIABLES]
        f, h = state.values["f"], state.values["h"]
        return [np.stack(columns, 1).ravel(), f * np.float32(0.25), h * np.float16(0.5), state.totals]


def module_source(programs):
    """A Mojo file with all kernels and a `main` that enqueues each."""
    lines = ["def main() raises:", "    with DeviceContext() as ctx:"]
    for name, (dtype, size) in SIZES.items():
        mutable = name != "inputs"
        lines += [
            f"        var {name}_buffer = ctx.enqueue_create_buffer[DType.{dtype}]({size})",
            f"        var {name} = TileTensor[mut={mutable}]({name}_buffer, row_major[{size}]())",
        ]
    for one in programs:
        lines.append(
            f"        ctx.enqueue_function[kernel_{one.seed}]({', '.join(SIZES)}, grid_dim={GRID}, block_dim={BLOCK})"
        )
    return HEADER + "".join(one.source() for one in programs) + "\n".join(lines) + "\n"
