"""How values are chosen, taken apart and put together."""

from collections.abc import Callable, Sequence

import numpy as np

from harness.simt.compile.emitters import element_bytes, emits
from harness.simt.compile.graph import Op, Value, chosen
from harness.simt.compile.registry import written
from harness.simt.compile.writer import Writer
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const, Undef
from harness.simt.ir.types import Vector, leaves_of

__all__ = []


@emits("select")
def choose(w: Writer, op: Op) -> None:
    condition, yes, no = op.operands
    c = w.value(condition)
    pairs = list(zip(w.values(yes), w.values(no), strict=True))
    own, both = w.taints(condition)[0], zip(w.taints(yes), w.taints(no), strict=True)
    taints = [f"select_taint({c}, {own}, {a}, {b})" for a, b in both]
    w.define(op, [f"select({c}, {a}, {b})" for a, b in pairs], taints)


@emits("freeze")
def freeze(w: Writer, op: Op) -> None:
    names = w.values(op.operands[0])
    w.define(op, names, ["None"] * len(names))


@emits("extractvalue")
def extract_value(w: Writer, op: Op) -> None:
    (value,) = op.operands
    start, stop = leaves_of(value.type, op.attrs["indices"])
    w.define(op, w.values(value)[start:stop], w.taints(value)[start:stop])


@emits("insertvalue")
def insert_value(w: Writer, op: Op) -> None:
    whole, part = op.operands
    start, stop = leaves_of(whole.type, op.attrs["indices"])
    names, taints = list(w.values(whole)), list(w.taints(whole))
    names[start:stop], taints[start:stop] = w.values(part), w.taints(part)
    w.define(op, names, taints)


@emits("extractelement")
def extractelement_of(w: Writer, op: Op) -> None:
    vector, index = op.operands
    name = w.value(index)
    taint = f"picked({w.taints(vector)[0]}, {name}, {element_bytes(vector.type)})"
    _by_index(w, op, f"extract({w.value(vector)}, {name})", taint, index, vector)


@emits("insertelement")
def insertelement_of(w: Writer, op: Op) -> None:
    vector, value, index = op.operands
    name, new = w.value(index), w.taints(value)[0]
    taint = f"placed({w.taints(vector)[0]}, {new}, {name}, {element_bytes(vector.type)}, {_length(vector)})"
    _by_index(w, op, f"insert({w.value(vector)}, {w.value(value)}, {name})", taint, index, vector)


def _by_index(w: Writer, op: Op, expression: str, taint: str, index: Value, vector: Value) -> None:
    """Defines what an index of each lane chooses: of no element there is no value."""
    unknown = w.joined(index)
    w.define(op, [expression], [taint if unknown == "None" else f"bytewise({taint}, {unknown})"])
    if not (isinstance(index, Const) and 0 <= index.value < _length(vector)):
        name, own = w.value(index), f"t{op.result}_0"
        beyond = f"({name} < 0) | ({name} >= {_length(vector)})"
        w.line(f"{own} = marked({own}, {beyond}, {w.origin('range', op.opcode)})")


def _length(vector: Value) -> int:
    assert isinstance(vector.type, Vector)
    return vector.type.length


@emits("shufflevector")
def shuffle_vector(w: Writer, op: Op) -> None:
    left, right, _ = op.operands
    _shuffle(w, op, left, right, chosen(op))


@written("llvm.vector.extract", native="extract")
def extract_vector(w: Writer, op: Op) -> None:
    """Some neighbouring elements of a vector."""
    whole, start = op.operands
    assert isinstance(start, Const)
    assert isinstance(op.type, Vector)
    _shuffle(w, op, whole, whole, [start.value + number for number in range(op.type.length)])


@written("llvm.vector.insert", native="insert")
def insert_vector(w: Writer, op: Op) -> None:
    """A vector with neighbouring elements replaced by those of a shorter one."""
    whole, part, start = op.operands
    assert isinstance(start, Const)
    numbers = list(range(_length(whole)))
    numbers[start.value : start.value + _length(part)] = range(_length(whole), _length(whole) + _length(part))
    _shuffle(w, op, whole, part, numbers)


@written("llvm.vector.reverse")
def reverse_vector(w: Writer, op: Op) -> None:
    """The last element first."""
    (whole,) = op.operands
    _shuffle(w, op, whole, whole, list(reversed(range(_length(whole)))))


@written("llvm.vector.splice.left")
def splice_left(w: Writer, op: Op) -> None:
    """As many elements of two vectors in a row, from an offset on."""
    _splice(w, op, lambda offset, _length: offset)


@written("llvm.vector.splice.right")
def splice_right(w: Writer, op: Op) -> None:
    """The last elements of the first vector, as many as the offset says, and then those of the second."""
    _splice(w, op, lambda offset, length: length - offset)


def _splice(w: Writer, op: Op, first: Callable[[int, int], int]) -> None:
    left, right, offset = op.operands
    if not isinstance(offset, Const):
        raise Unsupported("a splice of vectors by an offset that is not constant")
    start = first(offset.value, _length(left))
    _shuffle(w, op, left, right, range(start, start + _length(left)))


def _shuffle(w: Writer, op: Op, left: Value, right: Value, numbers: Sequence[int]) -> None:
    """Elements of two vectors, numbered through both, or -1 for none."""
    order = w.bind("K", np.maximum(numbers, 0))
    expression = f"shuffle({w.value(left)}, {w.value(right)}, {order})"
    size, length = element_bytes(left.type), _length(left)
    octets = np.repeat(numbers, size) * size + np.tile(np.arange(size), len(numbers))
    octets[np.repeat(np.array(numbers) < 0, size)] = -1
    first = w.taints(left)[0] if any(0 <= number < length for number in numbers) else "None"
    second = w.taints(right)[0] if any(number >= length for number in numbers) else "None"
    literal = w.undefined(Undef(left.type, True)) if -1 in numbers else "None"
    values = f"({first}, {length * size}), ({second}, {_length(right) * size})"
    taint = f"moved({w.bind('K', octets)}, {values}, literal={literal})"
    w.define(op, [expression], [taint])
