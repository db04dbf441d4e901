"""Table for both engines of functions that hardware approximates: `exponentials`, `trigonometry`, root, quotient.

A function takes and returns doubles, see `ops.terms`. Narrower floats become doubles, and the result is rounded once.
"""

from collections.abc import Callable

from harness.simt.ops import exponentials, trigonometry
from harness.simt.ops.terms import Number, square_root

__all__ = ["FUNCTIONS"]


def _reciprocal(value: Number) -> Number:
    return 1.0 / value


def _reciprocal_root(value: Number) -> Number:
    return 1.0 / square_root(value)


def _quotient(value: Number, divisor: Number) -> Number:
    return value / divisor


FUNCTIONS: dict[str, Callable[..., Number]] = {
    "exp": exponentials.exp,
    "exp2": exponentials.exp2,
    "exp10": exponentials.exp10,
    "log": exponentials.log,
    "log2": exponentials.log2,
    "log10": exponentials.log10,
    "pow": exponentials.power,
    "sinh": exponentials.sinh,
    "cosh": exponentials.cosh,
    "tanh": exponentials.tanh,
    "sin": trigonometry.sin,
    "cos": trigonometry.cos,
    "tan": trigonometry.tan,
    "asin": trigonometry.asin,
    "acos": trigonometry.acos,
    "atan": trigonometry.atan,
    "atan2": trigonometry.atan2,
    "sin_turns": trigonometry.sin_of_turns,
    "cos_turns": trigonometry.cos_of_turns,
    "sqrt": square_root,
    "rsqrt": _reciprocal_root,
    "rcp": _reciprocal,
    "div": _quotient,
}
