"""Lowering of AMD's and Apple's matrix products in the lanes of a warp: sums of doubles, rounded once."""

from typing import Protocol, cast

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.graph import Op, Value
from harness.simt.compile.segments import intrinsic_of
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, Int, Vector, element_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import text
from harness.simt.native.emit.ir_values import IrValue, zero
from harness.simt.native.emit.lane_values import LANE
from harness.simt.native.lower.exchanges import SNAPSHOT, by_lane, exchanged_values
from harness.simt.native.lower.registry import forms
from harness.simt.ops.lanes import Layout, ProductLayout

__all__: list[str] = []

MOST = 512  # products that a lane adds up
FLOATS = {Float("float"): "f32", Float("half"): "f16", Float("bfloat"): "bf16"}


class _Product(Protocol):
    layout: ProductLayout
    kinds: tuple[str, str]


@forms("fragments")
def fragments(body: Body, op: Op, _how: str) -> None:
    """Emit A times B plus C: a vector of the elements of the sum that the lane holds, in the layout of C.

    They are added up in double precision and rounded once, to float.

    Raises:
        Declined: An operand after C, an option, is not the constant 0; a lane would add up more than 512 products; C is
            not of floats of 32 bits; a factor has an unsupported type; or see `_Factor.element`.
    """
    build = Builder(body)
    intrinsic = intrinsic_of(op)
    assert intrinsic is not None
    product = cast("_Product", intrinsic.handler)
    form, kinds = product.layout, product.kinds
    a, b, c, *others = op.operands
    rows, columns = form.c.rows, form.c.columns
    sums, deep = rows.shape[1], int(form.a.columns.max()) + 1
    if any(not isinstance(element, Const) or element.value for element in others) or sums * deep > MOST:
        raise Declined(Reason.INTRINSIC, name=intrinsic.name)
    if element_of(c.type) != Float("float") or not {*kinds} <= {"", *FLOATS.values()}:
        raise Declined(Reason.INTRINSIC, name=intrinsic.name)
    a_factor, b_factor = _Factor(body, a, form.a, kinds[0]), _Factor(body, b, form.b, kinds[1])
    vector, result = build.value(c), zero(text(op.type))
    for place in range(sums):
        element = build.extract_element(vector, place)
        total = build.fpext(element, "double")
        for depth in range(deep):
            across = np.full(len(rows), depth)
            element, other = a_factor.element(rows[:, place], across), b_factor.element(across, columns[:, place])
            total = build.fadd(total, build.fmul(element, other))
        result = build.insert_element(result, build.fptrunc(total, "float"), place)
    build.define(op, result)


class _Factor:
    """A or B, of which each lane brought a fragment.

    Args:
        layout: Where its elements lie.
        kind: What they are, or empty for any floats.
    """

    def __init__(self, body: Body, operand: Value, layout: Layout, kind: str) -> None:
        self._body, self._given, self._kind = body, operand, element_of(operand.type)
        self._packed = kind == "bf16" and self._kind == Int(16)
        float_kind = FLOATS.get(self._kind) if isinstance(self._kind, Float) else None
        if not self._packed and (float_kind is None or kind not in ("", float_kind)):
            raise Declined(Reason.PRODUCT, type=operand.type)
        places = layout.rows, layout.columns
        shape = [int(numbers.max()) + 1 for numbers in places]
        self._lane, self._position = np.zeros(shape, int), np.zeros(shape, int)
        self._lane[places], self._position[places] = np.indices(places[0].shape)
        self._found: dict[tuple[int, ...], IrValue] = {}

    def element(self, rows: Integers, columns: Integers) -> IrValue:
        """Emit, as a scalar double, the element of the matrix that the lane itself needs, whichever lane holds it.

        The same request returns the earlier value and emits nothing.

        Args:
            rows, columns: For each lane of the warp, the row and the column of the element that it needs.

        Raises:
            Declined: The elements of this request are at different positions of the fragments that lanes hold.
        """
        lanes, positions = self._lane[rows, columns].tolist(), set(self._position[rows, columns].tolist())
        if len(positions) > 1:
            raise Declined(Reason.FRAGMENTS)
        key = *lanes, *positions
        if key not in self._found:
            self._found[key] = self._load(lanes, positions.pop())
        return self._found[key]

    def _load(self, lanes: list[int], position: int) -> IrValue:
        build, body, ty = Builder(self._body), self._body, text(self._kind)
        if (number := exchanged_values(body, self._given)) is not None:
            first, source = build.and_(LANE, -len(lanes)), build.zext(by_lane(body, lanes), "i64")
            row = build.add(first, source)
            _, place = build.lane_storage(number, 0, row, SNAPSHOT)
            value = build.load(build.gep(place, position, ty), ty, align=1)
        elif isinstance(self._given.type, Vector):
            value = build.extract_element(build.value(self._given), position)
        else:
            value = build.value(self._given)
        if self._packed:
            wide = build.zext(value, "i32")
            value, ty = build.bitcast(build.shl(wide, 16), "float"), "float"
        if ty == "half":
            value, ty = build.fpext(value, "float"), "float"
        return build.fpext(value, "double")
