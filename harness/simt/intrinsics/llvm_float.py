"""Float functions of LLVM and all vendors: `exp`, `sin`, `pow`... (approximate), `fma`, rounding, extremes, classes.

Both engines compute an approximate function in double precision by `ops.elementary`, and round it. The GPU's
instruction may differ in the last places; the fidelity record says so.
"""

import numpy as np

from harness.simt.arrays import Array, Booleans
from harness.simt.compile.graph import Op
from harness.simt.compile.registry import pure, typed
from harness.simt.intrinsics.handlers import Pure
from harness.simt.ir.types import Float, Vector
from harness.simt.ops.elementary import FUNCTIONS
from harness.simt.ops.floating import MAXIMUM, MAXNUM, MINIMUM, MINNUM, flush_subnormals, fma, fma_bfloat

__all__: list[str] = []


def _of_floats(function: Pure) -> Pure:
    """Return a function of doubles as one of any floats, computed in double precision and rounded once."""

    def apply(*values: Array) -> Array:
        dtype = values[0].dtype
        result: Array = function(*(value.astype(np.float64) for value in values))
        return result.astype(dtype)

    return apply


def _flushing(function: Pure) -> Pure:
    """Return a function that flushes subnormal operands and results, except doubles, to zeros of the same sign."""

    def apply(*values: Array) -> Array:
        return flush_subnormals(function(*map(flush_subnormals, values)))

    return apply


def approximate(function: str, *names: str, flushes: bool = False) -> None:
    """Declare intrinsics for a function that hardware approximates, as not exact; ValueError if a name is declared
    already.

    Args:
        function: Its name in `ops.elementary`, whose definition both engines use.
        names: The intrinsics.
        flushes: Whether subnormal operands and results are flushed to zero.
    """
    handler = _of_floats(FUNCTIONS[function])
    compiled = f"approximate.{'ftz.' * flushes}{function}"
    pure(*names, exact=False, compiled=compiled)(_flushing(handler) if flushes else handler)


UNARY = ("exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "sinh", "cosh")
for name in (*UNARY, "asin", "acos", "atan"):
    approximate(name, f"llvm.{name}", f"air.{name}", f"air.fast_{name}")
approximate("pow", "llvm.pow", "air.pow", "air.fast_pow", "air.powr", "air.fast_powr")
approximate("atan2", "llvm.atan2", "air.atan2", "air.fast_atan2")
approximate("sqrt", "air.sqrt", "air.fast_sqrt", "llvm.amdgcn.sqrt")
approximate("rsqrt", "air.rsqrt", "air.fast_rsqrt", "llvm.amdgcn.rsq")
approximate("exp2", "llvm.amdgcn.exp2")
approximate("log2", "llvm.amdgcn.log")
approximate("rcp", "llvm.amdgcn.rcp")
approximate("sin_turns", "llvm.amdgcn.sin")
approximate("cos_turns", "llvm.amdgcn.cos")
approximate("tanh", "llvm.amdgcn.tanh")

# NVIDIA's approximate functions, by the first two words of the name in PTX.
NVVM = {
    "sqrt.approx": "sqrt",
    "rsqrt.approx": "rsqrt",
    "rcp.approx": "rcp",
    "sin.approx": "sin",
    "cos.approx": "cos",
    "ex2.approx": "exp2",
    "lg2.approx": "log2",
    "tanh.approx": "tanh",
    "div.approx": "div",
    "div.full": "div",
}
IN_ASSEMBLY = ("rcp.approx", "tanh.approx", "ex2.approx")  # what inline assembly is lowered to
for name, function in NVVM.items():
    if name not in ("rcp.approx", "tanh.approx"):  # in assembly alone
        approximate(function, f"llvm.nvvm.{name}")
    if name != "tanh.approx":
        approximate(function, f"llvm.nvvm.{name}.ftz", flushes=True)
    if name in IN_ASSEMBLY:
        approximate(function, f"asm:{name}")

pure("llvm.sqrt", compiled="llvm.sqrt")(np.sqrt)


@typed("llvm.fma", "llvm.fmuladd", "air.fma", compiled="llvm.fma")
def multiply_add(op: Op) -> Pure:
    """Return the function that computes the fused multiply-add for the call's type."""
    ty = op.type.element if isinstance(op.type, Vector) else op.type
    return fma_bfloat if ty == Float("bfloat") else fma


pure("llvm.fabs", "air.fabs", "air.fast_fabs", "llvm.nvvm.fabs", compiled="llvm.fabs")(np.abs)
pure("llvm.copysign", "air.copysign", compiled="llvm.copysign")(np.copysign)
pure("llvm.floor", "air.floor", "air.fast_floor", "llvm.nvvm.floor", compiled="llvm.floor")(np.floor)
pure("llvm.ceil", "air.ceil", "air.fast_ceil", "llvm.nvvm.ceil", compiled="llvm.ceil")(np.ceil)
pure("llvm.trunc", "air.trunc", "air.fast_trunc", "llvm.nvvm.trunc", compiled="llvm.trunc")(np.trunc)
NEAREST = ("llvm.rint", "llvm.nearbyint", "llvm.roundeven", "air.rint", "air.fast_rint", "llvm.nvvm.round")
pure(*NEAREST, compiled="llvm.rint")(np.rint)


pure("air.fmax", "air.fast_fmax", compiled="extreme.high")(MAXNUM)
pure("air.fmin", "air.fast_fmin", compiled="extreme.low")(MINNUM)
pure("llvm.maxnum", "llvm.maximumnum", "llvm.nvvm.fmax", "llvm.nvvm.fmax.d", compiled="extreme.high")(MAXNUM)
pure("llvm.minnum", "llvm.minimumnum", "llvm.nvvm.fmin", "llvm.nvvm.fmin.d", compiled="extreme.low")(MINNUM)
pure("llvm.maximum", compiled="extreme.high.nan")(MAXIMUM)
pure("llvm.minimum", compiled="extreme.low.nan")(MINIMUM)


@pure("llvm.is.fpclass", compiled="class")
def classify(value: Array, mask: Array) -> Booleans:
    """Return whether a float is in one of the classes of a bit mask, LLVM's; the mask is the same in all lanes."""
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
