"""Draws expressions and statements."""

import random

import numpy as np

from tests.simt.random_mojo.aggregates import List, Records, Recursion, Vector
from tests.simt.random_mojo.expressions import (
    BLOCK,
    COMPARE,
    INTEGER,
    INTEGERS,
    LARGEST,
    TOTALS,
    VARIABLES,
    Settings,
    binary,
    call,
    cast,
    constant,
)
from tests.simt.random_mojo.statements import Assign, Branch, Exchange, Loop, Shuffle, Total


class Maker:
    """Draws expressions and statements."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.loops = self.others = 0
        self.settings = Settings.drawn(self.rng)

    def variable(self, name, dtype):
        """A variable, cast to a dtype."""
        own = VARIABLES[name]
        expression = name, lambda state: state.values[name]
        return expression if own == dtype else cast(expression, dtype)

    def integer(self, dtype, depth=0):
        """An integer expression."""
        rng = self.rng
        if depth > 2 or rng.random() < 0.25:
            if rng.random() < 0.3:
                low = 0 if dtype[0] == "u" else -100
                return constant(rng.randrange(low, 100), dtype)
            if rng.random() < 0.15:
                return self.setting(dtype)
            return self.variable(rng.choice(INTEGERS), dtype)
        left = self.integer(dtype, depth + 1)
        bits = int(dtype.lstrip("uint"))
        kind = rng.choice(["plain", "plain", "plain", "shift", "divide", "extreme", "choice", "float"])
        match kind:
            case "shift":
                symbol, function = rng.choice([("<<", np.left_shift), (">>", np.right_shift)])
                amount = constant(rng.randrange(bits), dtype)
                return binary(symbol, function, left, amount)
            case "divide":
                symbol, function = rng.choice([("//", np.floor_divide), ("%", np.remainder)])
                return binary(symbol, function, left, self.divisor(dtype))
            case "extreme":
                name, function = rng.choice([("min", np.minimum), ("max", np.maximum)])
                return call(name, function, left, self.integer(dtype, depth + 1))
            case "choice":
                (text, test), (other, run) = (
                    self.condition(),
                    self.integer(dtype, depth + 1),
                )
                # Two variables would be a reference, which must not stand beside another to one of them.
                return (
                    f"({left[0]} if {text} else {other}).cast[DType.{dtype}]()",
                    lambda state: np.where(test(state), left[1](state), run(state)),
                )
            case "float":
                name = rng.choice(["f", "g", "h"])
                return cast(cast(self.variable(name, VARIABLES[name]), "int32"), dtype)
        symbol = rng.choice(sorted(INTEGER))
        return binary(symbol, INTEGER[symbol], left, self.integer(dtype, depth + 1))

    def setting(self, dtype):
        """A number of the struct that the host gave the kernel."""
        if self.rng.random() < 0.3:
            four = np.array(self.settings.four, np.int32)
            return cast(("settings.four[Int(b & 3)]", lambda state: four[state.values["b"] & 3]), dtype)
        text, value, own = self.rng.choice(list(self.settings.numbers()))
        array = np.array([value], own)
        return cast((text, lambda state: array), dtype)

    def divisor(self, dtype):
        """A constant or a variable made positive."""
        if self.rng.random() < 0.5:
            return constant(self.rng.randrange(1, 100), dtype)
        name = self.rng.choice(INTEGERS)
        low = binary("&", np.bitwise_and, self.variable(name, dtype), constant(63, dtype))
        return binary("+", np.add, low, constant(1, dtype))

    def condition(self):
        """A comparison."""
        symbol = self.rng.choice(sorted(COMPARE))
        if self.rng.random() < 0.3:
            left, right = self.variable("f", "float32"), self.variable("g", "float32")
        else:
            dtype = VARIABLES[self.rng.choice(INTEGERS)]
            left, right = self.integer(dtype, 2), self.integer(dtype, 2)
        return binary(symbol, COMPARE[symbol], left, right)

    def floating(self, dtype):
        """A float expression whose value and parts are exact, then made small."""
        rng = self.rng

        def leaf():
            if rng.random() < 0.4:
                low = binary("&", np.bitwise_and, self.integer("int32", 2), constant(LARGEST[dtype], "int32"))
                return cast(low, dtype)
            names = [n for n, own in VARIABLES.items() if own == dtype]
            return self.variable(rng.choice(names), dtype)

        kind = rng.choice(["sum", "difference", "half", "extreme", "product"])
        one, two = leaf(), leaf()
        match kind:
            case "sum":
                result = binary("+", np.add, one, two)
            case "difference":
                result = binary("-", np.subtract, one, two)
            case "half":
                half = constant(0.5, dtype)
                result = binary("*", np.multiply, binary("-", np.subtract, one, two), half)
            case "extreme":
                name, function = rng.choice([("min", np.minimum), ("max", np.maximum)])
                result = call(name, function, one, two)
            case "product" if dtype == "float16":
                result = binary("*", np.multiply, one, constant(7, dtype))
            case "product":
                result = binary("*", np.multiply, one, two)
                result = binary("+", np.add, result, leaf())
        low = binary("&", np.bitwise_and, cast(result, "int32"), constant(LARGEST[dtype], "int32"))
        return cast(low, dtype)

    # Statements.

    def block(self, depth, count, uniform=False):
        """Some statements."""
        result = []
        for _ in range(count):
            choices = [self.assignment] * 4 + [self.total, self.vector, self.vector, self.list, self.records]
            choices += [self.recursion]
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

    def _number(self):
        self.others += 1
        return self.others

    def vector(self, _depth):
        """A vector of two to eight integers."""
        rng = self.rng
        dtype, width = rng.choice(["int32", "int32", "int16", "int64", "uint8"]), rng.choice([2, 4, 8])
        steps = []
        for _ in range(rng.randrange(1, 5)):
            kind = rng.choice(["with", "with", "order", "turn", "set", "least", "halves"])
            symbol = rng.choice(sorted(INTEGER))
            steps.append(
                {
                    "with": (symbol, INTEGER[symbol], self.integer(dtype, 2)),
                    "order": ([rng.randrange(width) for _ in range(width)],),
                    "turn": (rng.randrange(1, width),),
                    "set": (self.variable("b", "int32"), self.integer(dtype, 2)),
                    "least": (self.integer(dtype, 2),),
                    "halves": (),
                }[kind]
            )
            steps[-1] = (kind, *steps[-1])
        values = tuple(self.integer(dtype, 2) for _ in range(width))
        place = self.variable(rng.choice("ab"), "int32") if rng.random() < 0.6 else None
        return Vector(self._number(), rng.choice(["a", "c", "d", "e"]), dtype, values, steps, place)

    def list(self, _depth):
        """An array of four."""
        values = tuple(self.integer("int32", 2) for _ in range(4))
        return List(self._number(), values, self.integer("int32", 2), self.integer("int32", 2))

    def records(self, _depth):
        """A struct as an argument."""
        inner = self.integer("int32", 2), self.integer("int16", 2)
        return Records(self._number(), self.integer("int32", 2), inner, self.integer("int32", 2))

    def recursion(self, _depth):
        """A call of a function that calls itself."""
        return Recursion(self.rng.choice(["a", "b", "d"]), self.integer("int32", 2))

    def branch(self, depth):
        """An if, mostly with an else."""
        other = self.block(depth + 1, 2) if self.rng.random() < 0.6 else []
        return Branch(self.condition(), self.block(depth + 1, 2), other)

    def _counter(self):
        self.loops += 1
        return f"k{self.loops}"

    def loop(self, depth):
        """As often as the data say, perhaps with a way out or a short cut."""
        count = binary(
            "&",
            np.bitwise_and,
            self.variable(self.rng.choice("abde"), "int32"),
            constant(self.rng.choice([1, 3, 7]), "int32"),
        )
        counter = self._counter()
        jump = self.rng.choice([None, None, "break", "continue"])
        test = self.condition() if jump else None
        return Loop(counter, count, self.block(depth + 1, 2), jump, test, self.block(depth + 1, 1))

    def uniform_loop(self, depth):
        """All threads go round together, so that they may wait in it."""
        count = constant(self.rng.randrange(1, 4), "int32")
        return Loop(self._counter(), count, self.block(depth + 2, 2, uniform=True))

    def exchange(self, _depth):
        """A value of another thread of the block, by shared memory."""
        name = self.rng.choice(["a", "b", "c"])
        return Exchange(name, self.rng.randrange(1, BLOCK))

    def shuffle(self, _depth):
        """A value of another lane."""
        name = self.rng.choice(["a", "b", "c", "f", "g"])
        return Shuffle(name, self.rng.choice([1, 2, 3, 4, 8, 15, 16, 31]))
