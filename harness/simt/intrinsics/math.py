"""Floating-point functions, exact ones and those that hardware approximates.

An approximate function is computed in double precision and rounded; its
instruction on a GPU may differ in the last places, which the fidelity record
says.
"""

from collections.abc import Callable

import numpy as np

from harness.simt.arrays import Array, Booleans
from harness.simt.compile.graph import Op
from harness.simt.compile.registry import pure, typed
from harness.simt.intrinsics.handlers import Pure
from harness.simt.ir.types import Float, Vector
from harness.simt.ops.floating import MAXIMUM, MAXNUM, MINIMUM, MINNUM, flush, fma, fma_bfloat

__all__ = ["NVVM", "approximate", "flushing", "in_c"]


def _wide(function: Pure) -> Pure:
    def apply(*values: Array) -> Array:
        dtype = values[0].dtype
        result: Array = function(*(value.astype(np.float64) for value in values))
        return result.astype(dtype)

    return apply


def approximate(native: str, *names: str) -> Callable[[Pure], Pure]:
    """Declares a function that hardware approximates, by what it is for `harness.simt.native.lower.approximate` too."""
    return pure(*names, exact=False, native=f"approximate.{native}")


UNARY: dict[str, Pure] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "exp10": lambda x: np.power(10.0, x),
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
}
for name, function in UNARY.items():
    approximate(name, f"llvm.{name}", f"air.{name}", f"air.fast_{name}")(_wide(function))
approximate("pow", "llvm.pow", "air.pow", "air.fast_pow", "air.powr", "air.fast_powr")(_wide(np.power))
approximate("atan2", "llvm.atan2", "air.atan2", "air.fast_atan2")(_wide(np.arctan2))

pure("llvm.sqrt", native="llvm.sqrt")(np.sqrt)
approximate("sqrt", "air.sqrt", "air.fast_sqrt", "llvm.amdgcn.sqrt")(np.sqrt)
reciprocal_root = _wide(lambda x: 1.0 / np.sqrt(x))
approximate("rsqrt", "air.rsqrt", "air.fast_rsqrt", "llvm.amdgcn.rsq")(reciprocal_root)
approximate("exp2", "llvm.amdgcn.exp2")(_wide(np.exp2))
approximate("log2", "llvm.amdgcn.log")(_wide(np.log2))
approximate("rcp", "llvm.amdgcn.rcp")(_wide(lambda x: 1.0 / x))
approximate("sin_turns", "llvm.amdgcn.sin")(_wide(lambda x: np.sin(2 * np.pi * x)))
approximate("cos_turns", "llvm.amdgcn.cos")(_wide(lambda x: np.cos(2 * np.pi * x)))
approximate("tanh", "llvm.amdgcn.tanh")(_wide(np.tanh))


def flushing(function: Pure) -> Pure:
    """Subnormal inputs and results become zero of the same sign."""

    def apply(*values: Array) -> Array:
        return flush(function(*map(flush, values)))

    return apply


# What NVIDIA approximates, by the first two words of its name in PTX.
NVVM: dict[str, Pure] = {
    "sqrt.approx": np.sqrt,
    "rsqrt.approx": reciprocal_root,
    "rcp.approx": _wide(lambda x: 1.0 / x),
    "sin.approx": _wide(np.sin),
    "cos.approx": _wide(np.cos),
    "ex2.approx": _wide(np.exp2),
    "lg2.approx": _wide(np.log2),
    "tanh.approx": _wide(np.tanh),
    "div.approx": np.divide,
    "div.full": np.divide,
}


def in_c(name: str) -> str:
    """What the first word of such a name is called in C."""
    word = name.partition(".")[0]
    return {"ex2": "exp2", "lg2": "log2"}.get(word, word)


for name, function in NVVM.items():
    if name not in ("rcp.approx", "tanh.approx"):  # in assembly alone
        approximate(in_c(name), f"llvm.nvvm.{name}")(function)
    if name != "tanh.approx":
        approximate(f"ftz.{in_c(name)}", f"llvm.nvvm.{name}.ftz")(flushing(function))


@typed("llvm.fma", "llvm.fmuladd", "air.fma", native="llvm.fma")
def multiply_add(op: Op) -> Pure:
    """A product and a sum, rounded once."""
    ty = op.type.element if isinstance(op.type, Vector) else op.type
    return fma_bfloat if ty == Float("bfloat") else fma


pure("llvm.fabs", "air.fabs", "air.fast_fabs", "llvm.nvvm.fabs", native="llvm.fabs")(np.abs)
pure("llvm.copysign", "air.copysign", native="llvm.copysign")(np.copysign)
pure("llvm.floor", "air.floor", "air.fast_floor", "llvm.nvvm.floor", native="llvm.floor")(np.floor)
pure("llvm.ceil", "air.ceil", "air.fast_ceil", "llvm.nvvm.ceil", native="llvm.ceil")(np.ceil)
pure("llvm.trunc", "air.trunc", "air.fast_trunc", "llvm.nvvm.trunc", native="llvm.trunc")(np.trunc)
NEAREST = ("llvm.rint", "llvm.nearbyint", "llvm.roundeven", "air.rint", "air.fast_rint", "llvm.nvvm.round")
pure(*NEAREST, native="llvm.rint")(np.rint)


pure("air.fmax", "air.fast_fmax", native="extreme.high")(MAXNUM)
pure("air.fmin", "air.fast_fmin", native="extreme.low")(MINNUM)
pure("llvm.maxnum", "llvm.maximumnum", "llvm.nvvm.fmax", "llvm.nvvm.fmax.d", native="extreme.high")(MAXNUM)
pure("llvm.minnum", "llvm.minimumnum", "llvm.nvvm.fmin", "llvm.nvvm.fmin.d", native="extreme.low")(MINNUM)
pure("llvm.maximum", native="extreme.high.nan")(MAXIMUM)
pure("llvm.minimum", native="extreme.low.nan")(MINIMUM)


@pure("llvm.is.fpclass", native="class")
def classify(value: Array, mask: Array) -> Booleans:
    """Whether a float is of one of the classes of a bit mask."""
    bits = int(mask[0])
    tiny = np.finfo(value.dtype).tiny
    negative = np.signbit(value)
    zero, nan = value == 0, np.isnan(value)
    infinite, subnormal = np.isinf(value), (np.abs(value) < tiny) & (value != 0)
    normal = ~(zero | nan | infinite | subnormal)
    raw = value.view(f"u{value.dtype.itemsize}")
    quiet_bit = {2: 9, 4: 22, 8: 51}[value.dtype.itemsize]
    quiet = nan & (raw >> raw.dtype.type(quiet_bit) & raw.dtype.type(1) != 0)
    classes = (
        nan & ~quiet,
        quiet,
        infinite & negative,
        normal & negative,
        subnormal & negative,
        zero & negative,
        zero & ~negative,
        subnormal & ~negative,
        normal & ~negative,
        infinite & ~negative,
    )
    result = np.zeros(value.shape, bool)
    for number, members in enumerate(classes):
        if bits >> number & 1:
            result |= members
    return result
