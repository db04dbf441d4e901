"""Arithmetic rounded toward zero, down or up: exactly, by rational numbers."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from harness.simt.arrays import Array, Booleans
from harness.simt.ir.values import bfloat_round
from harness.simt.ops.integer import limits, unsigned

if TYPE_CHECKING:  # most kernels round to the nearest
    from fractions import Fraction

__all__ = ["DIRECTIONS", "WHOLE", "directed", "from_integer", "narrowed", "to_integer"]

# To NumPy's function that makes a float whole.
WHOLE: dict[str, Callable[[Array], Array]] = {"rn": np.rint, "rz": np.trunc, "rm": np.floor, "rp": np.ceil}
DIRECTIONS = ("rz", "rm", "rp")
# What an exact result is above one that is near to it, or its sign: negative where the near one is too large.
Rest: TypeAlias = "Callable[..., Fraction]"
REST: dict[str, Rest] = {
    "add": lambda near, a, b: a + b - near,
    "mul": lambda near, a, b: a * b - near,
    "fma": lambda near, a, b, c: a * b + c - near,
    "div": lambda near, a, b: (a - near * b) * b,
    "rcp": lambda near, a: (1 - near * a) * a,
    "sqrt": lambda near, a: a - near * near,
}


def directed(name: str, mode: str, nearest: Callable[..., Array]) -> Callable[..., Array]:
    """A function of float32 or float64 whose result is rounded in a direction.

    Args:
        name: Which one, as `REST` has it.
        nearest: The same, rounded to the nearest.
    """
    rest = REST[name]

    def apply(*values: Array) -> Array:
        values = tuple(np.broadcast_arrays(*values))
        near = np.array(nearest(*values))
        for place in np.flatnonzero(np.logical_and.reduce([np.isfinite(value) for value in values])):
            given = [float(value[place]) for value in values]
            if (name in ("div", "rcp") and given[-1] == 0) or np.isnan(near[place]):
                continue
            # Of what overflowed the rest is as large as anything.
            exact = _beyond(near[place]) if np.isinf(near[place]) else rest(*map(_exact, (float(near[place]), *given)))
            near[place] = _toward(near[place], exact, mode)
            if mode == "rm" and exact == 0 and near[place] == 0 and name in ("add", "fma"):
                near[place] = _zero(name, given)
        return near

    return apply


def _exact(value: float) -> "Fraction":
    from fractions import Fraction

    return Fraction(value)


def _beyond(near: Any) -> "Fraction":
    return _exact(-1 if near > 0 else 1)


def _zero(name: str, given: Sequence[float]) -> float:
    """The zero that a sum gives which is rounded down: positive only if both parts were."""
    first = np.copysign(1.0, given[0]) * (np.copysign(1.0, given[1]) if name == "fma" else 1.0)
    return 0.0 if first > 0 and np.copysign(1.0, given[-1]) > 0 else -0.0


def _toward(near: Any, rest: "Fraction", mode: str) -> Any:
    """The float that a mode takes, beside the nearest one."""
    down = mode == "rm" or (mode == "rz" and (near > 0 or (near == 0 and rest > 0)))
    up = mode == "rp" or (mode == "rz" and not down)
    kind = type(near)
    if rest < 0 and down:
        return np.nextafter(near, kind(-np.inf))
    if rest > 0 and up:
        return np.nextafter(near, kind(np.inf))
    return near


def narrowed(values: Array, mode: str, kind: str) -> Array:
    """Floats as smaller ones, `half`, `bfloat` (kept as float32) or `float`, rounded as a mode says."""
    wide = values.astype(np.float64)
    if kind == "bfloat":
        near = bfloat_round(values)
        if mode == "rn":
            return near
        step = near.view(np.uint32)
        away = (step + np.uint32(0x10000)).view(np.float32)
        back = (step - np.uint32(0x10000)).view(np.float32)
        zero = np.array([0x10000], np.uint32).view(np.float32)
        larger = np.where(near == 0, zero, np.where(np.signbit(near), back, away))
        smaller = np.where(near == 0, -zero, np.where(np.signbit(near), away, back))
    else:
        near = values.astype(np.float16 if kind == "half" else np.float32)
        if mode == "rn":
            return near
        larger, smaller = (np.nextafter(near, near.dtype.type(end)) for end in (np.inf, -np.inf))
    above: Booleans = near.astype(np.float64) > wide
    below: Booleans = near.astype(np.float64) < wide
    negative = np.signbit(wide)
    lower = above & ((mode == "rm") | ((mode == "rz") & ~negative))
    raised = below & ((mode == "rp") | ((mode == "rz") & negative))
    result: Array = np.where(lower, smaller, np.where(raised, larger, near))
    return result


def to_integer(values: Array, mode: str, bits: int, signed: bool) -> Array:
    """Floats as integers of some bits, as PTX converts them: what does not fit is the nearest that does.

    Of a NaN it makes 0; of one of 64 bits, or for an integer of 64, the highest bit alone.
    """
    low, high = limits(bits, signed)
    odd = 1 << bits - 1 if bits == 64 or values.dtype == np.float64 else 0
    whole = WHOLE[mode](values).astype(np.float64)
    full = np.where(np.isnan(whole) | (whole <= low) | (whole >= high), 0, whole)
    exact = full.astype(np.uint64 if bits == 64 and not signed else np.int64).view(np.uint64)
    edge = np.where(whole >= high, np.uint64(high), np.uint64(low % (1 << 64)))
    inside = (whole > low) & (whole < high)
    raw = np.where(np.isnan(whole), np.uint64(odd), np.where(inside, exact, edge))
    return raw.astype(f"u{bits // 8}").view(f"i{bits // 8}")


def from_integer(values: Array, mode: str, kind: str, signed: bool) -> Array:
    """Integers of at most 64 bits as floats of a kind, rounded as a mode says.

    To the nearest they become `float` or `double` alone.
    """
    exact = values if signed else unsigned(values)
    near = exact.astype(np.float64 if kind == "double" else np.float32)
    if mode == "rn":
        return near
    rests = [_exact(int(whole)) - _exact(float(found)) for whole, found in zip(exact, near, strict=True)]
    wide = np.array([_toward(found, rest, mode) for found, rest in zip(near, rests, strict=True)], near.dtype)
    # Rounded twice in one direction is rounded once.
    return wide if kind in ("double", "float") else narrowed(wide, mode, kind)
