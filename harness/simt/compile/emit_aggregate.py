"""How values are chosen, taken apart and put together."""

import numpy as np

from harness.simt.compile.emitters import element_bytes, emits
from harness.simt.ir.module import Const, Undef
from harness.simt.ir.types import Struct, leaves

__all__ = []


@emits("select")
def choose(w, op):
    condition, yes, no = op.operands
    c = w.value(condition)
    pairs = list(zip(w.values(yes), w.values(no), strict=True))
    taints = ["None"] * len(pairs)
    if w.tracked:
        own = w.taints(condition)[0]
        both = zip(w.taints(yes), w.taints(no), strict=True)
        taints = [f"select_taint({c}, {own}, {a}, {b})" for a, b in both]
    w.define(op, [f"select({c}, {a}, {b})" for a, b in pairs], taints)


@emits("freeze")
def freeze(w, op):
    names = w.values(op.operands[0])
    w.define(op, names, ["None"] * len(names))


def _range(ty, indices):
    """The leaves of an aggregate that a path of indices names."""
    start = 0
    for index in indices:
        if isinstance(ty, Struct):
            start += sum(len(leaves(one)) for one in ty.fields[:index])
            ty = ty.fields[index]
        else:
            start += index * len(leaves(ty.element))
            ty = ty.element
    return start, start + len(leaves(ty))


@emits("extractvalue")
def extract_value(w, op):
    (value,) = op.operands
    start, stop = _range(value.type, op.attrs["indices"])
    taints = w.taints(value)[start:stop] if w.tracked else ()
    w.define(op, w.values(value)[start:stop], taints)


@emits("insertvalue")
def insert_value(w, op):
    whole, part = op.operands
    start, stop = _range(whole.type, op.attrs["indices"])
    names, taints = list(w.values(whole)), []
    names[start:stop] = w.values(part)
    if w.tracked:
        taints = list(w.taints(whole))
        taints[start:stop] = w.taints(part)
    w.define(op, names, taints)


@emits("extractelement")
def extractelement_of(w, op):
    vector, index = op.operands
    if type(index) is Const:
        expression = f"{w.value(vector)}[:, {index.value}]"
    else:
        expression = f"extract({w.value(vector)}, {w.value(index)})"
    taint = w.joined(vector, index)
    if w.tracked and type(index) is Const:
        size, name = element_bytes(vector.type), w.taints(vector)[0]
        taint = f"part({name}, {index.value * size}, {(index.value + 1) * size})"
    w.define(op, [expression], [taint])


@emits("insertelement")
def insertelement_of(w, op):
    vector, value, index = op.operands
    expression = f"insert({w.value(vector)}, {w.value(value)}, {w.value(index)})"
    taint = w.joined(*op.operands)
    if w.tracked and type(index) is Const:
        size, (own,), (new,) = element_bytes(vector.type), w.taints(vector), w.taints(value)
        start = index.value * size
        taint = f"inserted({own}, {new}, {start}, {start + size}, {vector.type.length * size})"
    w.define(op, [expression], [taint])


@emits("shufflevector")
def shuffle_vector(w, op):
    left, right, mask = op.operands
    length = left.type.length
    if hasattr(mask, "elements"):
        numbers = [-1 if isinstance(one, Undef) else getattr(one, "value", 0) for one in mask.elements]
    else:
        numbers = [-1 if isinstance(mask, Undef) else 0] * op.type.length
    order = w.bind("K", np.maximum(numbers, 0))
    expression = f"shuffle({w.value(left)}, {w.value(right)}, {order})"
    taint = "None"
    if w.tracked:
        size = element_bytes(left.type)
        octets = np.repeat(numbers, size) * size + np.tile(np.arange(size), len(numbers))
        octets[np.repeat(np.array(numbers) < 0, size)] = -1
        names = [
            w.taints(one)[0] if used else "None"
            for one, used in ((left, any(0 <= n < length for n in numbers)), (right, any(n >= length for n in numbers)))
        ]
        literal = w.undefined(Undef(left.type, True)) if -1 in numbers else "None"
        taint = f"shuffled({', '.join(names)}, {length * size}, {w.bind('K', octets)}, {literal})"
    w.define(op, [expression], [taint])
