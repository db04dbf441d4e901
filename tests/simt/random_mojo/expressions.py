"""The variables of all threads, and expressions over them: Mojo text and a function of the state."""

from dataclasses import dataclass

import numpy as np

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


@dataclass(frozen=True)
class Settings:
    """The struct that a kernel is given: a vector, a number, and a struct of three."""

    four: tuple
    wide: int
    inner: tuple

    @classmethod
    def drawn(cls, rng):
        """Of all sizes."""
        four = tuple(rng.randrange(-(1 << 31), 1 << 31) for _ in range(4))
        inner = (rng.randrange(-(1 << 31), 1 << 31), rng.randrange(-300, 300), rng.randrange(9))
        return cls(four, rng.randrange(-(1 << 62), 1 << 62), inner)

    def numbers(self):
        """(Mojo text, value, dtype) of each number."""
        yield from ((f"settings.four[{place}]", value, "int32") for place, value in enumerate(self.four))
        yield "settings.wide", self.wide, "int64"
        parts = zip(("low", "middle", "small"), self.inner, ("int32", "int16", "int16"), strict=True)
        yield from ((f"settings.inner.{name}", value, dtype) for name, value, dtype in parts)

    def mojo(self):
        """The host's text that makes it."""
        four, inner = (", ".join(map(str, parts)) for parts in (self.four, self.inner))
        return f"Settings(SIMD[DType.int32, 4]({four}), {self.wide}, Inner({inner}))"

    def argument(self):
        """For a launch in the simulator."""
        return np.array(self.four, np.int32), self.wide, self.inner


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


def constant(value, dtype):
    array = np.array([value]).astype(dtype)
    return f"Scalar[DType.{dtype}]({array[0]})", lambda state: array


def cast(expression, dtype):
    text, run = expression
    return f"({text}).cast[DType.{dtype}]()", lambda state: run(state).astype(dtype)


def binary(symbol, function, left, right):
    return (
        f"({left[0]} {symbol} {right[0]})",
        lambda state: function(left[1](state), right[1](state)),
    )


def call(name, function, left, right):
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
