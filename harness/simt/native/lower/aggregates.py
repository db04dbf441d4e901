"""Lowerings of `select`, `freeze`, `addrspacecast`, vector reductions; read, replace, shuffle elements and fields."""

from harness.simt.compile.graph import Op, shuffle_indices
from harness.simt.declined import Declined, Reason
from harness.simt.ir.module import Const
from harness.simt.ir.types import Vector, leaves, leaves_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import suffix, text
from harness.simt.native.emit.ir_values import IrValue, constant
from harness.simt.native.lower.registry import forms, lowers

__all__: list[str] = []


@lowers("select")
def select(body: Body, op: Op) -> None:
    build = Builder(body)
    condition, yes, no = op.operands
    by = build.value(condition)
    pairs = zip(build.all(yes), build.all(no), strict=True)
    build.define(op, *(build.select(by, a, b) for a, b in pairs))


@lowers("freeze")
def freeze(body: Body, op: Op) -> None:
    build = Builder(body)
    build.define(op, *build.all(op.operands[0]))


@lowers("addrspacecast")
def moved(body: Body, op: Op) -> None:
    build = Builder(body)
    build.define(op, build.raw(op.operands[0]))


@lowers("extractvalue")
def extract_value(body: Body, op: Op) -> None:
    build = Builder(body)
    (aggregate,) = op.operands
    start, stop = leaves_of(aggregate.type, op.attrs["indices"])
    build.define(op, *(build.raw(aggregate, leaf) for leaf in range(start, stop)))


@lowers("insertvalue")
def insert_value(body: Body, op: Op) -> None:
    build = Builder(body)
    aggregate, part = op.operands
    start, stop = leaves_of(aggregate.type, op.attrs["indices"])
    names = [build.raw(aggregate, leaf) for leaf in range(len(leaves(aggregate.type)))]
    names[start:stop] = [build.raw(part, leaf) for leaf in range(stop - start)]
    build.define(op, *names)


def _index(build: Builder, op: Op, position: int) -> IrValue:
    """Return an operand as the index of an element of the first operand, a vector.

    A check fails if the index, taken as unsigned, is outside of the vector.

    Args:
        position: Which of the operands is the index.

    Raises:
        Declined: The index is a constant outside of the vector.
    """
    index, ty = op.operands[position], op.operands[0].type
    assert isinstance(ty, Vector)
    length = ty.length
    if isinstance(index, Const):
        if not 0 <= index.value < length:
            raise Declined(Reason.NO_SUCH_ELEMENT)
        return constant("i64", index.value)
    # LLVM's own passes end the process where they would have to freeze a number that they bound.
    number = build.freeze(build.value(index))
    build.fail_if(build.icmp_unsigned(">=", number, length))
    return number


@lowers("extractelement")
def extract_element(body: Body, op: Op) -> None:
    build = Builder(body)
    index = _index(build, op, 1)
    build.define(op, build.extract_element(build.raw(op.operands[0]), index))


@lowers("insertelement")
def insert_element(body: Body, op: Op) -> None:
    build = Builder(body)
    vector, element, _ = op.operands
    index = _index(build, op, 2)
    part = build.value(element)
    build.define(op, build.insert_element(build.raw(vector), part, index))


@lowers("shufflevector")
def shuffle(body: Body, op: Op) -> None:
    build = Builder(body)
    lhs, rhs, _ = op.operands
    build.define(op, build.shuffle_vector(build.raw(lhs), build.raw(rhs), shuffle_indices(op)))


@forms("combine")
def _combined(body: Body, op: Op, name: str) -> None:
    """Emit the combination of all elements of a vector of integers, by `llvm.vector.reduce.NAME`."""
    build = Builder(body)
    (vector,) = op.operands
    name = f"llvm.vector.reduce.{name}.{suffix(vector.type)}"
    build.define(op, build.intrinsic(text(op.type), name, build.value(vector)))
