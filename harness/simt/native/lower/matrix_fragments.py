"""Products of matrices that lanes hold together, where floats are added in double precision and rounded once."""

from typing import Protocol, cast

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.graph import Op, Value
from harness.simt.compile.segments import intrinsic_of
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Float, Int, Vector, element_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import text
from harness.simt.native.lower.exchanges import by_lane, exchanged_values
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
    """A times B plus C: of each lane the elements of the sum that it holds."""
    intrinsic = intrinsic_of(op)
    assert intrinsic is not None
    product = cast("_Product", intrinsic.handler)
    form, kinds = product.layout, product.kinds
    a, b, c, *others = op.operands
    rows, columns = form.c.rows, form.c.columns
    sums, deep = rows.shape[1], int(form.a.columns.max()) + 1
    if any(not isinstance(one, Const) or one.value for one in others) or sums * deep > MOST:
        raise Declined(Reason.INTRINSIC, name=intrinsic.name)
    if element_of(c.type) != Float("float") or not {*kinds} <= {"", *FLOATS.values()}:
        raise Declined(Reason.INTRINSIC, name=intrinsic.name)
    left, right = _Factor(body, a, form.a, kinds[0]), _Factor(body, b, form.b, kinds[1])
    vector, ty = body.value(c), text(op.type)
    result = "zeroinitializer"
    for place in range(sums):
        one = body.new(f"extractelement {ty} {vector}, i32 {place}")
        total = body.new(f"fpext float {one} to double")
        for depth in range(deep):
            across = np.full(len(rows), depth)
            one, other = left.element(rows[:, place], across), right.element(across, columns[:, place])
            total = body.new(f"fadd double {total}, {body.new(f'fmul double {one}, {other}')}")
        one = body.new(f"fptrunc double {total} to float")
        result = body.new(f"insertelement {ty} {result}, float {one}, i32 {place}")
    body.define(op, result)


class _Factor:
    """A or B, of which each lane brought a fragment.

    Args:
        layout: Where its elements lie.
        kind: What they are, or empty for any floats.
    """

    def __init__(self, body: Body, given: Value, layout: Layout, kind: str) -> None:
        self._body, self._given, self._kind = body, given, element_of(given.type)
        self._packed = kind == "bf16" and self._kind == Int(16)
        known = FLOATS.get(self._kind) if isinstance(self._kind, Float) else None
        if not self._packed and (known is None or kind not in ("", known)):
            raise Declined(Reason.PRODUCT, type=given.type)
        places = layout.rows, layout.columns
        shape = [int(numbers.max()) + 1 for numbers in places]
        self._lane, self._position = np.zeros(shape, int), np.zeros(shape, int)
        self._lane[places], self._position[places] = np.indices(places[0].shape)
        self._found: dict[tuple[int, ...], str] = {}

    def element(self, rows: Integers, columns: Integers) -> str:
        """That at a place which each lane of the warp has its own of, as a double."""
        lanes, positions = self._lane[rows, columns].tolist(), set(self._position[rows, columns].tolist())
        if len(positions) > 1:
            raise Declined(Reason.FRAGMENTS)
        key = *lanes, *positions
        if key not in self._found:
            self._found[key] = self._load(lanes, positions.pop())
        return self._found[key]

    def _load(self, lanes: list[int], position: int) -> str:
        body, ty = self._body, text(self._kind)
        new = body.new
        if (number := exchanged_values(body, self._given)) is not None:
            first, source = new(f"and i64 %lane, {-len(lanes)}"), new(f"zext i32 {by_lane(body, lanes)} to i64")
            row = new(f"add i64 {first}, {source}")
            _, place = body.kept(number, 0, row, "%snapshot")
            value = new(f"load {ty}, ptr {new(f'getelementptr {ty}, ptr {place}, i64 {position}')}, align 1")
        elif isinstance(self._given.type, Vector):
            value = new(f"extractelement {text(self._given.type)} {body.value(self._given)}, i32 {position}")
        else:
            value = body.value(self._given)
        if self._packed:
            wide = new(f"zext i16 {value} to i32")
            value, ty = new(f"bitcast i32 {new(f'shl i32 {wide}, 16')} to float"), "float"
        if ty == "half":
            value, ty = new(f"fpext half {value} to float"), "float"
        return new(f"fpext float {value} to double")
