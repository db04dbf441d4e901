"""AMD's exchanges between lanes that are written with `ds_bpermute`: permutations of rows, swaps, DPP; and reductions.

An inactive lane has nothing to give: whether a lane is active shows in what it gives of a one. See: "RDNA3" ISA,
V_PERMLANE16_B32 and V_PERMLANEX16_B32; "CDNA4" ISA, V_PERMLANE16_SWAP_B32; https://llvm.org/docs/AMDGPUUsage.html
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering, NotKnown
from harness.simt.compile.registry import effect
from harness.simt.intrinsics.amdgcn_integer import flag, word
from harness.simt.intrinsics.exchanges import Reduction
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ir.module import Const, Operand, Undef
from harness.simt.ir.ptx_types import register_bits
from harness.simt.ir.types import Int, Type

__all__: list[str] = []

NAME = "llvm.amdgcn"
WORD = Int(32)
ROW = 16


def lane_number(low: Lowering) -> Operand:
    """Return the number of the lane in its wave."""
    below = low.value(f"{NAME}.mbcnt.lo", WORD, word(-1), word(0))
    return low.value(f"{NAME}.mbcnt.hi", WORD, word(-1), below)


def _bpermute(low: Lowering, lane: Operand, value: Operand) -> Operand:
    address = low.op("shl", WORD, lane, word(2))
    return low.value(f"{NAME}.ds.bpermute", WORD, address, value)


def from_lane(low: Lowering, lane: Operand, value: Operand, missing: Operand | None) -> Operand:
    """Return the value of another lane, or what stands for that of an inactive one; without it that is not defined."""
    bits = register_bits(value.type)
    there = low.compare("ne", _bpermute(low, lane, word(1)), word(0))
    whole: Type = Int(max(32, bits))
    given = low.cast(low.cast(value, Int(bits)), whole)
    total: Operand | None = None
    for place in range(0, bits, 32):
        moved = low.op("lshr", whole, given, Const(whole, place)) if place else given
        part = low.cast(_bpermute(low, lane, low.cast(moved, WORD)), whole)
        part = low.op("shl", whole, part, Const(whole, place)) if place else part
        total = part if total is None else low.op("or", whole, total, part)
    assert total is not None
    found = low.cast(low.cast(total, Int(bits)), value.type)
    if missing is None:
        return low.value("asm:fetched", value.type, found, there)
    return low.select(there, found, missing)


def zero(ty: Type) -> Operand:
    """Return the constant whose bits are all 0."""
    return Const(ty, 0)


def _missing(old: Operand, fetches: bool, bounded: bool) -> Operand | None:
    """Return what stands for the value of an inactive lane: what is in its register, 0, or the old value."""
    return None if fetches else zero(old.type) if bounded else old


def _of_row(low: Lowering, lane: Operand, place: Operand, crosses: bool) -> Operand:
    """Return a lane of a row of 16, or of the other row of a pair."""
    row = low.op("and", WORD, lane, word(~(ROW - 1)))
    row = low.op("xor", WORD, row, word(ROW)) if crosses else row
    return low.op("or", WORD, row, low.op("and", WORD, place, word(ROW - 1)))


def _declare_rows(crosses: bool) -> None:
    name = f"{NAME}.permlane{'x' if crosses else ''}16"

    @expands(name)
    def by_scalars(
        low: Lowering, old: Operand, value: Operand, first: Operand, second: Operand, fetch: Operand, bound: Operand
    ) -> Operand:
        """Return the value of a lane of a row that one of 16 nibbles names."""
        lane = lane_number(low)
        upper = low.compare("ne", low.op("and", WORD, lane, word(8)), word(0))
        nibbles = low.select(upper, second, first)
        by = low.op("shl", WORD, low.op("and", WORD, lane, word(7)), word(2))
        source = _of_row(low, lane, low.op("lshr", WORD, nibbles, by), crosses)
        return from_lane(low, source, value, _missing(old, flag(fetch), flag(bound)))

    @expands(f"{name}.var")
    def by_vector(
        low: Lowering, old: Operand, value: Operand, place: Operand, fetch: Operand, bound: Operand
    ) -> Operand:
        """Return the value of a lane of a row that each lane names."""
        source = _of_row(low, lane_number(low), place, crosses)
        return from_lane(low, source, value, _missing(old, flag(fetch), flag(bound)))


for other in (False, True):
    _declare_rows(other)


def _declare_swap(lanes: int) -> None:
    @expands(f"{NAME}.permlane{lanes}.swap")
    def swap(low: Lowering, first: Operand, second: Operand, fetch: Operand, bound: Operand) -> tuple[Operand, Operand]:
        """Exchange the odd rows of the first value with the even rows of the second."""
        lane = lane_number(low)
        odd = low.compare("ne", low.op("and", WORD, lane, word(lanes)), word(0))
        other = low.op("xor", WORD, lane, word(lanes))
        kept = [_missing(each, flag(fetch), flag(bound)) for each in (first, second)]
        upper = low.select(odd, from_lane(low, other, second, kept[0]), first)
        lower = low.select(odd, second, from_lane(low, other, first, kept[1]))
        return upper, lower


for rows in (16, 32):
    _declare_swap(rows)


@expands(f"{NAME}.permlane64")
def halves(low: Lowering, value: Operand) -> Operand:
    """Return the value of the lane with the same number in the other half of a wave of 64; of 32 there is one half."""
    wide = low.compare("eq", low.value(f"{NAME}.wavefrontsize", WORD), word(64))
    lane = lane_number(low)
    other = low.select(wide, low.op("xor", WORD, lane, word(32)), lane)
    return from_lane(low, other, value, None)


@expands(f"{NAME}.ds.bpermute.fi.b32")
def fetched(low: Lowering, address: Operand, value: Operand) -> Operand:
    """Return the value of the lane that an address names, also of an inactive one."""
    return from_lane(low, low.op("lshr", WORD, address, word(2)), value, None)


@expands(f"{NAME}.mov.dpp")
def move(low: Lowering, value: Operand, *controls: Operand) -> Operand:
    """Move values between lanes of a row: where there is no lane, what comes of it is not defined."""
    return low.value(f"{NAME}.update.dpp", value.type, Undef(value.type), value, *controls)


@expands(f"{NAME}.mov.dpp8")
def move_by_eight(low: Lowering, value: Operand, selectors: Operand) -> Operand:
    """Return the value of the lane of eight that one of eight numbers names; of an inactive one 0."""
    if not isinstance(selectors, Const):
        raise NotKnown
    lane = lane_number(low)
    by = low.op("mul", WORD, low.op("and", WORD, lane, word(7)), word(3))
    place = low.op("and", WORD, low.op("lshr", WORD, word(selectors.value), by), word(7))
    source = low.op("or", WORD, low.op("and", WORD, lane, word(~7)), place)
    return from_lane(low, source, value, zero(value.type))


# LLVM's numbers of comparisons.
INTEGER = dict(enumerate(("eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"), 32))
FLOAT = dict(
    enumerate(
        (
            "false",
            "oeq",
            "ogt",
            "oge",
            "olt",
            "ole",
            "one",
            "ord",
            "uno",
            "ueq",
            "ugt",
            "uge",
            "ult",
            "ule",
            "une",
            "true",
        )
    )
)


def _declare_ballot(opcode: str, predicates: dict[int, str], bits: int) -> None:
    @expands(f"{NAME}.{opcode}.i{bits}")
    def compared(low: Lowering, left: Operand, right: Operand, predicate: Operand) -> Operand:
        """Return the bits of the lanes for which two values compare so."""
        if not isinstance(predicate, Const) or predicate.value not in predicates:
            raise NotKnown
        held = low.op(opcode, Int(1), left, right, predicate=predicates[predicate.value])
        return low.value(f"{NAME}.ballot.i{bits}", Int(bits), held)


for size in (32, 64):
    _declare_ballot("icmp", INTEGER, size)
    _declare_ballot("fcmp", FLOAT, size)


@dataclass(frozen=True, kw_only=True)
class _Negated(Reduction):
    """The sum of all values with the other sign: what is left of nothing once each is taken away."""

    def __call__(self, call: Call) -> Result:
        total, mark = super().__call__(call)
        assert total is not None and not isinstance(total, tuple)
        negated: Array = -total
        return negated, mark


REDUCTIONS = {
    **dict.fromkeys(("add", "fadd"), np.add),
    **dict.fromkeys(("min", "umin"), np.minimum),
    **dict.fromkeys(("max", "umax"), np.maximum),
    "fmin": np.fmin,
    "fmax": np.fmax,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
for operation, ufunc in REDUCTIONS.items():
    reduction = Reduction(f"wave.reduce.{operation}", ufunc=ufunc, unsigned=operation.startswith("u"))
    # In which order floats are added nothing says.
    effect(f"{NAME}.wave.reduce.{operation}", of=reduction, exact=operation != "fadd")
for operation in ("sub", "fsub"):
    negated = _Negated(f"wave.reduce.{operation}", ufunc=np.add)
    effect(f"{NAME}.wave.reduce.{operation}", of=negated, exact=operation != "fsub")
