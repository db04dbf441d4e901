"""Emit Python for `select`, `freeze`, `shufflevector`, and to read or replace elements of vectors and structs."""

import numpy as np

from harness.simt.compile.emitters import element_bytes, emits
from harness.simt.compile.graph import Op, Value, shuffle_indices
from harness.simt.compile.writer import Writer
from harness.simt.ir.module import Const, Undef
from harness.simt.ir.types import Vector, leaves_of

__all__ = []


@emits("select")
def emit_select(w: Writer, op: Op) -> None:
    condition, yes, no = op.operands
    c = w.value(condition)
    pairs = list(zip(w.values(yes), w.values(no), strict=True))
    condition_taint, both = w.taints(condition)[0], zip(w.taints(yes), w.taints(no), strict=True)
    taints = [f"select_taint({c}, {condition_taint}, {a}, {b})" for a, b in both]
    w.define(op, [f"select({c}, {a}, {b})" for a, b in pairs], taints)


@emits("freeze")
def emit_freeze(w: Writer, op: Op) -> None:
    names = w.values(op.operands[0])
    w.define(op, names, ["None"] * len(names))


@emits("extractvalue")
def emit_extract_value(w: Writer, op: Op) -> None:
    (value,) = op.operands
    start, stop = leaves_of(value.type, op.attrs["indices"])
    w.define(op, w.values(value)[start:stop], w.taints(value)[start:stop])


@emits("insertvalue")
def emit_insert_value(w: Writer, op: Op) -> None:
    aggregate, part = op.operands
    start, stop = leaves_of(aggregate.type, op.attrs["indices"])
    names, taints = list(w.values(aggregate)), list(w.taints(aggregate))
    names[start:stop], taints[start:stop] = w.values(part), w.taints(part)
    w.define(op, names, taints)


@emits("extractelement")
def emit_extract_element(w: Writer, op: Op) -> None:
    vector, index = op.operands
    name = w.value(index)
    taint = f"extract_taint({w.taints(vector)[0]}, {name}, {element_bytes(vector.type)})"
    _define_indexed(w, op, f"extract({w.value(vector)}, {name})", taint, index, vector)


@emits("insertelement")
def emit_insert_element(w: Writer, op: Op) -> None:
    vector, value, index = op.operands
    name, new = w.value(index), w.taints(value)[0]
    taint = f"insert_taint({w.taints(vector)[0]}, {new}, {name}, {element_bytes(vector.type)}, {_length(vector)})"
    _define_indexed(w, op, f"insert({w.value(vector)}, {w.value(value)}, {name})", taint, index, vector)


def _define_indexed(w: Writer, op: Op, expression: str, taint: str, index: Value, vector: Value) -> None:
    """Define the result of an access to a vector element; where the index is out of range the result is poison.

    Where the index is undefined, so is the result.
    """
    unknown = w.combined_taint(index)
    w.define(op, [expression], [taint if unknown == "None" else f"combine_bytewise({taint}, {unknown})"])
    if not (isinstance(index, Const) and 0 <= index.value < _length(vector)):
        name, taint_name = w.value(index), f"t{op.result}_0"
        beyond = f"({name} < 0) | ({name} >= {_length(vector)})"
        w.add_line(f"{taint_name} = mark_poison({taint_name}, {beyond}, {w.origin('range', op.opcode)})")


def _length(vector: Value) -> int:
    assert isinstance(vector.type, Vector)
    return vector.type.length


@emits("shufflevector")
def emit_shuffle_vector(w: Writer, op: Op) -> None:
    left, right, _ = op.operands
    numbers = shuffle_indices(op)
    order = w.bind("K", np.maximum(numbers, 0))
    expression = f"shuffle({w.value(left)}, {w.value(right)}, {order})"
    size, length = element_bytes(left.type), _length(left)
    octets = np.repeat(numbers, size) * size + np.tile(np.arange(size), len(numbers))
    octets[np.repeat(np.array(numbers) < 0, size)] = -1
    first = w.taints(left)[0] if any(0 <= number < length for number in numbers) else "None"
    second = w.taints(right)[0] if any(number >= length for number in numbers) else "None"
    literal = w.literal_taint(Undef(left.type, True)) if -1 in numbers else "None"
    values = f"({first}, {length * size}), ({second}, {_length(right) * size})"
    taint = f"rearrange_taint({w.bind('K', octets)}, {values}, literal={literal})"
    w.define(op, [expression], [taint])
