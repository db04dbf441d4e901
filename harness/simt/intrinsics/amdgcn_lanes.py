"""AMD's lane exchanges that expand to others: row permutations, swaps, `mov.dpp`, compare ballots; and reductions.

`ds_bpermute` gives 0 for an inactive lane: reading a constant 1 tells whether a lane is active. See: "RDNA3" ISA,
V_PERMLANE16_B32 and V_PERMLANEX16_B32; "CDNA4" ISA, V_PERMLANE16_SWAP_B32; https://llvm.org/docs/AMDGPUUsage.html
"""

from dataclasses import dataclass

import numpy as np

from harness.simt.arrays import Array
from harness.simt.compile.expanding import expands
from harness.simt.compile.lowering import Lowering, NotKnown
from harness.simt.compile.registry import declare_effect
from harness.simt.intrinsics.amdgcn_integer import constant, require_flag
from harness.simt.intrinsics.exchanges import Reduction
from harness.simt.intrinsics.handlers import Call, Result
from harness.simt.ir.module import Const, Operand, Undef
from harness.simt.ir.ptx_types import register_bits
from harness.simt.ir.types import Int, Type

__all__: list[str] = []

NAME = "llvm.amdgcn"
WORD = Int(32)
ROW = 16


def emit_lane_number(low: Lowering) -> Operand:
    """Emit code that returns the number of the lane in its wave."""
    below = low.value(f"{NAME}.mbcnt.lo", WORD, constant(-1), constant(0))
    return low.value(f"{NAME}.mbcnt.hi", WORD, constant(-1), below)


def _bpermute(low: Lowering, lane: Operand, value: Operand) -> Operand:
    address = low.op("shl", WORD, lane, constant(2))
    return low.value(f"{NAME}.ds.bpermute", WORD, address, value)


def read_lane(low: Lowering, lane: Operand, value: Operand, missing: Operand | None) -> Operand:
    """Emit code that returns another lane's value, of any type; from an inactive lane `missing`, or an undefined value
    if that is None. The lane's number wraps at the wave's width.
    """
    bits = register_bits(value.type)
    is_active = low.compare("ne", _bpermute(low, lane, constant(1)), constant(0))
    wide: Type = Int(max(32, bits))
    bits_of_value = low.cast(low.cast(value, Int(bits)), wide)
    total: Operand | None = None
    for place in range(0, bits, 32):
        moved = low.op("lshr", wide, bits_of_value, Const(wide, place)) if place else bits_of_value
        part = low.cast(_bpermute(low, lane, low.cast(moved, WORD)), wide)
        part = low.op("shl", wide, part, Const(wide, place)) if place else part
        total = part if total is None else low.op("or", wide, total, part)
    assert total is not None
    result = low.cast(low.cast(total, Int(bits)), value.type)
    if missing is None:
        return low.value("asm:fetched", value.type, result, is_active)
    return low.select(is_active, result, missing)


def zero(ty: Type) -> Operand:
    """Return the constant of a type whose bits are all 0."""
    return Const(ty, 0)


def _inactive_value(old: Operand, fetches: bool, bounded: bool) -> Operand | None:
    """Return what reading an inactive lane gives: None if it `fetches` the register, whose value is undefined here;
    else 0 if `bounded`, and the old value if not.
    """
    return None if fetches else zero(old.type) if bounded else old


def _lane_in_row(low: Lowering, lane: Operand, place: Operand, crosses: bool) -> Operand:
    """Emit code that returns the number of a lane in the row of 16 that `lane` is in or, if `crosses`, in the other row
    of the pair. The low four bits of `place` say which of the row's lanes it is.
    """
    row = low.op("and", WORD, lane, constant(~(ROW - 1)))
    row = low.op("xor", WORD, row, constant(ROW)) if crosses else row
    return low.op("or", WORD, row, low.op("and", WORD, place, constant(ROW - 1)))


def _declare_rows(crosses: bool) -> None:
    name = f"{NAME}.permlane{'x' if crosses else ''}16"

    @expands(name)
    def by_scalars(
        low: Lowering, old: Operand, value: Operand, first: Operand, second: Operand, fetch: Operand, bound: Operand
    ) -> Operand:
        """Emit code that returns the value of the lane that a nibble selects, in the lane's own row of 16 or, for
        `permlanex16`, in the other row of the pair.

        The nibbles of lanes 0 to 7 of a row are in the scalar `first`, the others in `second`. From an inactive lane
        comes an undefined value if `fetch` is set, else 0 if `bound` is, else `old`. Raises `NotKnown` if one of these
        two flags is not constant.
        """
        lane = emit_lane_number(low)
        upper = low.compare("ne", low.op("and", WORD, lane, constant(8)), constant(0))
        nibbles = low.select(upper, second, first)
        by = low.op("shl", WORD, low.op("and", WORD, lane, constant(7)), constant(2))
        source = _lane_in_row(low, lane, low.op("lshr", WORD, nibbles, by), crosses)
        return read_lane(low, source, value, _inactive_value(old, require_flag(fetch), require_flag(bound)))

    @expands(f"{name}.var")
    def by_vector(
        low: Lowering, old: Operand, value: Operand, place: Operand, fetch: Operand, bound: Operand
    ) -> Operand:
        """Emit code that returns the value of the lane that the low four bits of each lane's `place` select, in its own
        row of 16 or, for `permlanex16`, in the other row of the pair.

        From an inactive lane comes an undefined value if `fetch` is set, else 0 if `bound` is, else `old`. Raises
        `NotKnown` if one of these two flags is not constant.
        """
        source = _lane_in_row(low, emit_lane_number(low), place, crosses)
        return read_lane(low, source, value, _inactive_value(old, require_flag(fetch), require_flag(bound)))


for other in (False, True):
    _declare_rows(other)


def _declare_swap(lanes: int) -> None:
    @expands(f"{NAME}.permlane{lanes}.swap")
    def swap(low: Lowering, first: Operand, second: Operand, fetch: Operand, bound: Operand) -> tuple[Operand, Operand]:
        """Emit code that exchanges the odd rows of `first` with the even rows of `second`, and returns both, changed.

        A row has 16 or 32 lanes. In place of an inactive lane's value there is an undefined one if `fetch` is set, else
        0 if `bound` is, else the reading lane's own value stays. Raises `NotKnown` if one of these two flags is not
        constant.
        """
        lane = emit_lane_number(low)
        odd = low.compare("ne", low.op("and", WORD, lane, constant(lanes)), constant(0))
        other = low.op("xor", WORD, lane, constant(lanes))
        fallbacks = [_inactive_value(each, require_flag(fetch), require_flag(bound)) for each in (first, second)]
        upper = low.select(odd, read_lane(low, other, second, fallbacks[0]), first)
        lower = low.select(odd, second, read_lane(low, other, first, fallbacks[1]))
        return upper, lower


for rows in (16, 32):
    _declare_swap(rows)


@expands(f"{NAME}.permlane64")
def read_other_half(low: Lowering, value: Operand) -> Operand:
    """Emit code that returns the value of the lane with the same number in the other half of a wave of 64; of a wave of
    32, its own. The value of an inactive lane is undefined.
    """
    wide = low.compare("eq", low.value(f"{NAME}.wavefrontsize", WORD), constant(64))
    lane = emit_lane_number(low)
    other = low.select(wide, low.op("xor", WORD, lane, constant(32)), lane)
    return read_lane(low, other, value, None)


@expands(f"{NAME}.ds.bpermute.fi.b32")
def fetch_inactive(low: Lowering, address: Operand, value: Operand) -> Operand:
    """Emit code that returns the value of the lane at a byte address; that of an inactive lane is undefined."""
    return read_lane(low, low.op("lshr", WORD, address, constant(2)), value, None)


@expands(f"{NAME}.mov.dpp")
def move(low: Lowering, value: Operand, *controls: Operand) -> Operand:
    """Emit code that moves values between lanes by a DPP control, see `update_dpp`, whose old value is undefined here.

    So the result is undefined in lanes that are masked out and, unless the last control asks for 0, in those without an
    active source.
    """
    return low.value(f"{NAME}.update.dpp", value.type, Undef(value.type), value, *controls)


@expands(f"{NAME}.mov.dpp8")
def move_by_eight(low: Lowering, value: Operand, selectors: Operand) -> Operand:
    """Emit code that returns the value of the lane, within groups of eight, that a list of eight constants of 3 bits
    selects; 0 of an inactive lane. Raises `NotKnown` if the list is not constant.
    """
    if not isinstance(selectors, Const):
        raise NotKnown
    lane = emit_lane_number(low)
    by = low.op("mul", WORD, low.op("and", WORD, lane, constant(7)), constant(3))
    place = low.op("and", WORD, low.op("lshr", WORD, constant(selectors.value), by), constant(7))
    source = low.op("or", WORD, low.op("and", WORD, lane, constant(~7)), place)
    return read_lane(low, source, value, zero(value.type))


# LLVM's predicates by number.
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
        """Emit code that returns the bit mask of the wave's active lanes in which two values satisfy a predicate, by
        LLVM's number.

        Raises `NotKnown` if there is no such predicate, or it is not constant.
        """
        if not isinstance(predicate, Const) or predicate.value not in predicates:
            raise NotKnown
        condition = low.op(opcode, Int(1), left, right, predicate=predicates[predicate.value])
        return low.value(f"{NAME}.ballot.i{bits}", Int(bits), condition)


for size in (32, 64):
    _declare_ballot("icmp", INTEGER, size)
    _declare_ballot("fcmp", FLOAT, size)


@dataclass(frozen=True, kw_only=True)
class _Negated(Reduction):
    """A sum with its sign flipped: 0 minus all values."""

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
    # The order in which floats are added is not specified.
    declare_effect(f"{NAME}.wave.reduce.{operation}", of=reduction, exact=operation != "fadd")
for operation in ("sub", "fsub"):
    negated = _Negated(f"wave.reduce.{operation}", ufunc=np.add)
    declare_effect(f"{NAME}.wave.reduce.{operation}", of=negated, exact=operation != "fsub")
