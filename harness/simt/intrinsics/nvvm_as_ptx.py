"""NVIDIA's float arithmetic, extremes and conversions, each as one PTX instruction; also `saturate` and `prmt`.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions
"""

from collections.abc import Iterator

from harness.simt.compile.expanding import expands, expands_to_ptx
from harness.simt.compile.lowering import Lowering
from harness.simt.intrinsics.ptx_floats import comparison_type, flush, splat
from harness.simt.ir.module import Const, Operand, Zero
from harness.simt.ir.types import Float, Int, element_of

__all__: list[str] = []

NAME = "llvm.nvvm"
MODES = ("rn", "rz", "rm", "rp")
NARROW = ("f16", "f16x2", "bf16", "bf16x2")
# How many operands an instruction takes.
COUNTS = {"add": 2, "mul": 2, "fma": 3, "div": 2, "sqrt": 1}
ONE = {"half": 0x3C00, "bfloat": 0x3F80, "float": 0x3F800000, "double": 0x3FF0000000000000}


def _declare(words: str, kind: str, count: int, suffix: str | None = None, spelling: str = "") -> None:
    """Declare an intrinsic as a PTX instruction with `count` operands of a type besides the result.

    Args:
        words: The intrinsic's name without `llvm.nvvm.` and the type.
        kind: The type in PTX, such as `f32`.
        suffix: The type in the intrinsic's name; if it is None or empty, that is `kind`.
        spelling: The instruction's name without the type; if it is empty, that is `words`.
    """
    operands = ", ".join(f"${number}" for number in range(count + 1))
    expands_to_ptx(f"{NAME}.{words}.{suffix or kind}".rstrip("."), f"{spelling or words}.{kind} {operands};")


def _arithmetic() -> Iterator[tuple[str, str, int, str]]:
    """Yield (words, type, number of operands, LLVM's suffix) of 32- and 64-bit arithmetic, to nearest or saturated."""
    for name, count in COUNTS.items():
        yield f"{name}.rn", "f32", count, "f"
        yield f"{name}.rn.ftz", "f32", count, "f"
        yield f"{name}.rn", "f64", count, "d"
        if name in ("add", "mul", "fma"):
            for mode in MODES:
                yield f"{name}.{mode}.sat", "f32", count, "f"
                yield f"{name}.{mode}.ftz.sat", "f32", count, "f"


for words, kind, count, letter in _arithmetic():
    _declare(words, kind, count, letter)
for kind in NARROW:
    # Bfloats are neither flushed nor saturated.
    for more in ("", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu") if kind[0] == "f" else ("", ".relu"):
        _declare(f"fma.rn{more}", kind, 3)
for kind, letter in {"f32": "f", **{kind: kind for kind in NARROW}}.items():
    for name in ("min", "max"):
        for start in (name, f"{name}.ftz") if kind[0] == "f" else (name,):
            for more in ("", ".nan", ".xorsign.abs", ".nan.xorsign.abs"):
                words = f"{start}{more}"
                if (kind, words) != ("f32", name):  # which `llvm_float.py` declares for all vendors
                    _declare(f"f{words}", kind, 2, letter, words.replace("nan", "NaN"))
for kind in ("bf16", "bf16x2"):
    _declare("neg", kind, 1)


def _conversions() -> Iterator[tuple[str, str, int]]:
    """Yield (intrinsic without `llvm.nvvm.`, PTX instruction, number of operands besides the result) of conversions."""
    for mode in ("rn", "rz"):
        for more in ("", ".relu", ".satfinite", ".relu.satfinite"):
            for kind in ("f16", "bf16"):
                yield f"f2{kind}.{mode}{more}", f"cvt.{mode}{more}.{kind}.f32", 1
                yield f"ff2{kind}x2.{mode}{more}", f"cvt.{mode}{more}.{kind}x2.f32", 2
            yield f"f2tf32.{mode}{more}", f"cvt.{mode}{more}.tf32.f32", 1
    for more in ("", ".satfinite"):
        yield f"f2tf32.rna{more}", f"cvt.rna{more}.tf32.f32", 1
    for more in ("", ".ftz"):
        yield f"bf2h.rn{more}", f"cvt.rn{more}.f16.bf16", 1
    for pair in ("e4m3x2", "e5m2x2"):
        for more in ("", ".relu"):
            yield f"ff.to.{pair}.rn{more}", f"cvt.rn.satfinite{more}.{pair}.f32", 2
            yield f"f16x2.to.{pair}.rn{more}", f"cvt.rn.satfinite{more}.{pair}.f16x2", 1
        yield f"{pair}.to.f16x2.rn", f"cvt.rn.f16x2.{pair}", 1


for words, text, count in _conversions():
    expands_to_ptx(f"{NAME}.{words}", f"{text} {', '.join(f'${number}' for number in range(count + 1))};")


@expands(f"{NAME}.saturate", f"{NAME}.saturate.d")
def saturate(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns a number clamped to [0, 1]; a NaN and -0.0 become 0."""
    kind = element_of(value.type)
    assert isinstance(kind, Float)
    for edge, predicate in ((Zero(value.type), "ogt"), (splat(low, value.type, ONE[kind.name]), "olt")):
        value = low.select(low.op("fcmp", comparison_type(value.type), value, edge, predicate=predicate), value, edge)
    return value


@expands(f"{NAME}.saturate.ftz")
def saturate_flushed(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns a number clamped to [0, 1] after flushing subnormal numbers to 0."""
    return saturate(low, flush(low, value))


# By permutation mode and lowest two bits of the operand: the selector, a nibble for each of four bytes.
PERMUTATIONS = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543),
    "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210),
    "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}


@expands(f"{NAME}.prmt")
def permute_bytes(low: Lowering, first: Operand, second: Operand, selector: Operand) -> Operand:
    """Emit code that returns four of the eight bytes of two words, by nibbles of a selector; bit 3 of a nibble
    replicates the byte's sign. Byte 0 is the lowest of `first`.
    """
    wide, word, byte = Int(64), Int(32), Int(8)
    upper = low.op("shl", wide, low.cast(second, wide), Const(wide, 32))
    octets = low.op("or", wide, upper, low.cast(first, wide))
    total: Operand = Const(word, 0)
    for place in range(4):
        if isinstance(selector, Const):
            nibble = selector.value >> 4 * place & 15
            amount: Operand = Const(wide, 8 * (nibble & 7))
            selected: Operand = low.cast(low.op("lshr", wide, octets, amount), byte)
            selected = low.op("ashr", byte, selected, Const(byte, 7)) if nibble > 7 else selected
        else:
            shifted = low.op("lshr", word, selector, Const(word, 4 * place))
            shift = low.op("and", word, low.op("shl", word, shifted, Const(word, 3)), Const(word, 56))
            selected = low.cast(low.op("lshr", wide, octets, low.cast(shift, wide)), byte)
            bit = low.op("and", word, shifted, Const(word, 8))
            sign = low.op("ashr", byte, selected, Const(byte, 7))
            selected = low.select(low.compare("ne", bit, Const(word, 0)), sign, selected)
        moved = low.op("shl", word, low.cast(selected, word), Const(word, 8 * place))
        total = low.op("or", word, total, moved)
    return total


def selector_of_mode(low: Lowering, mode: str, selector: Operand) -> Operand:
    """Emit code that returns what a mode of `PERMUTATIONS` stands for: the selector of four nibbles for the lowest two
    bits of the operand `selector`.
    """
    word, wide = Int(32), Int(64)
    table = sum(row << 16 * number for number, row in enumerate(PERMUTATIONS[mode]))
    if isinstance(selector, Const):
        return Const(word, table >> 16 * (selector.value & 3) & 0xFFFF)
    place = low.op("shl", word, low.op("and", word, selector, Const(word, 3)), Const(word, 4))
    entry = low.cast(low.op("lshr", wide, Const(wide, table), low.cast(place, wide)), word)
    return low.op("and", word, entry, Const(word, 0xFFFF))


def _declare_mode(mode: str) -> None:
    @expands(f"{NAME}.prmt.{mode}")
    def by_mode(low: Lowering, first: Operand, *others: Operand) -> Operand:
        *second, selector = others
        return permute_bytes(
            low, first, second[0] if second else Const(Int(32), 0), selector_of_mode(low, mode, selector)
        )


for mode in PERMUTATIONS:
    _declare_mode(mode)
