"""How each instruction is written into a segment's function.

An emitter takes the `Writer` and the `Op` and adds lines that define the
result's leaves (and their taints, when those are tracked).
"""

import numpy as np

from . import registry
from .errors import Unsupported
from .fidelity import note
from .ir import Asm, Const, Undef
from .memory import Access
from .ops import floating, integer
from .ops.cast import cast
from .types import (
    Float,
    Int,
    Other,
    Pointer,
    Struct,
    Vector,
    dtype_of,
    field_offset,
    leaves,
    size_of,
)
from .values import base_of

__all__ = ["EMITTERS"]

EMITTERS = {}
POWER_LIMIT = 1 << 62


def emits(*opcodes):
    """Declares the emitter of some opcodes."""

    def declare(function):
        for opcode in opcodes:
            if opcode in EMITTERS:
                raise ValueError(f"{opcode} already has an emitter")
            EMITTERS[opcode] = function
        return function

    return declare


def _element(ty):
    return ty.element if isinstance(ty, Vector) else ty


def _rounded(ty, expression):
    return (
        f"bfloat_round({expression})" if _element(ty) == Float("bfloat") else expression
    )


def _result(w, op, expression, *sources):
    w.define(op, [expression], [w.joined(*sources)])


@emits(*integer.BINARY)
def integer_binary(w, op):
    left, right = op.operands
    a, b = w.value(left), w.value(right)
    bits = _element(op.type).bits
    if bits == 1:
        template = integer.BOOLEAN[op.opcode]
    elif op.opcode == "sdiv" and _power(right, bits):
        shift = right.value.bit_length() - 1
        top = 8 * dtype_of(op.type).itemsize - 1
        template = f"sdiv_power({{a}}, {shift}, {right.value - 1}, {top})"
    else:
        template = integer.BINARY[op.opcode]
        if bits in (8, 16, 32, 64):
            template = integer.NATIVE.get(op.opcode, template)
    expression = template.format(a=a, b=b, bits=bits)
    if bits not in (1, 8, 16, 32, 64):
        expression = f"wrap_int({expression}, {bits})"
    if op.opcode in ("sdiv", "udiv", "srem", "urem") and type(right) is not Const:
        w.line(f"X.check_divisor(A, {b}, {w.bind('S', op.site)})")
    _result(w, op, expression, left, right)


def _power(operand, bits):
    if type(operand) is not Const or bits > 64:
        return False
    value = operand.value
    return 1 < value < min(POWER_LIMIT, 1 << (bits - 1)) and value & (value - 1) == 0


@emits(*floating.BINARY)
def float_binary(w, op):
    left, right = op.operands
    note(
        w.program, op.opcode, "may fuse" if op.flags & {"contract", "fast"} else "exact"
    )
    expression = floating.BINARY[op.opcode].format(a=w.value(left), b=w.value(right))
    _result(w, op, _rounded(op.type, expression), left, right)


@emits("fneg")
def negate(w, op):
    _result(w, op, f"-{w.value(op.operands[0])}", *op.operands)


@emits("icmp")
def compare_integers(w, op):
    left, right = op.operands
    ty = _element(left.type)
    bits = 64 if isinstance(ty, Pointer) else ty.bits
    table = integer.COMPARE_BOOLEAN if bits == 1 else integer.COMPARE
    template = table[op.attrs["predicate"]]
    expression = template.format(a=w.value(left), b=w.value(right), bits=bits)
    _result(w, op, expression, left, right)


@emits("fcmp")
def compare_floats(w, op):
    left, right = op.operands
    template = floating.COMPARE[op.attrs["predicate"]]
    expression = template.format(a=w.value(left), b=w.value(right))
    _result(w, op, expression, left, right)


@emits("trunc", "zext", "sext", "fptrunc", "fpext", "fptosi", "fptoui", "sitofp",
       "uitofp", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast")  # fmt: skip
def convert(w, op):
    (value,) = op.operands
    name = w.value(value)
    source, target = value.type, op.type
    simple = isinstance(source, Int) and isinstance(target, Int)
    if op.opcode == "sext" and simple and source.bits > 1:
        expression = f"{name}.astype({w.bind('D', dtype_of(target))})"
    elif (
        op.opcode == "trunc" and simple and target.bits in (8, 16, 32) and
        source.bits <= 64
    ):  # fmt: skip
        expression = f"{name}.astype({w.bind('D', dtype_of(target))})"
    else:
        function = cast(op.opcode, source, target)
        expression = (
            name if function.__name__ == "_same" else f"{w.bind('C', function)}({name})"
        )
    _result(w, op, expression, value)


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


@emits("getelementptr")
def address(w, op):
    pointer, *indices = op.operands
    ty = op.attrs["source_type"]
    fixed, parts = 0, []
    for number, index in enumerate(indices):
        if number == 0:
            scale = size_of(ty)
        elif isinstance(ty, Struct):
            fixed += field_offset(ty, index.value)
            ty = ty.fields[index.value]
            continue
        else:
            ty = ty.element
            scale = size_of(ty)
        if type(index) is Const:
            fixed += index.value * scale
            continue
        name = w.value(index)
        if _element(index.type) != Int(64):
            name = f"{name}.astype(i8)"
        parts.append(name if scale == 1 else f"{name} * {scale}")
    expression = " + ".join([w.value(pointer), *parts])
    if fixed:
        expression += f" + {fixed}"
    _result(w, op, expression, *op.operands)


@emits("alloca")
def allocate(w, op):
    number = op.operands[0]
    place = w.bind("K", np.array([base_of(number)]))
    if w.tracked:
        w.line(f"X.begin_life(A, {number}, {w.bind('S', op.site)})")
    w.define(op, [place], ["None"])


@emits("load")
def load(w, op):
    (pointer,) = op.operands
    p, site = w.value(pointer), w.bind("S", op.site)
    atomic = op.attrs.get("ordering") is not None
    if atomic:
        w.line(f"X.atomic_order({site}, A)")
    align = op.attrs.get("align")
    parts = leaves(op.type)
    for leaf, (ty, offset) in enumerate(parts):
        within = align if offset == 0 else None
        access = w.bind(
            "M", Access(ty, within if not isinstance(op.type, Struct) else None)
        )
        at = f"{p} + {offset}" if offset else p
        if w.tracked:
            taint = w.taints(pointer)[0]
            w.line(f"v{op.result}_{leaf}, t{op.result}_{leaf} = "
                   f"X.memory.load_tainted(A, {at}, {taint}, {access}, {site})")  # fmt: skip
        else:
            w.line(f"v{op.result}_{leaf} = X.memory.load(A, {at}, {access}, {site})")
        w.have.add((op.result, leaf))


@emits("store")
def store(w, op):
    value, pointer = op.operands
    p, site = w.value(pointer), w.bind("S", op.site)
    if op.attrs.get("ordering") is not None:
        w.line(f"X.atomic_order({site}, A)")
    align = op.attrs.get("align")
    names = w.values(value)
    taints = w.taints(value) if w.tracked else ["None"] * len(names)
    for name, taint, (ty, offset) in zip(
        names, taints, leaves(value.type), strict=True
    ):
        within = align if offset == 0 and not isinstance(value.type, Struct) else None
        access = w.bind("M", Access(ty, within))
        at = f"{p} + {offset}" if offset else p
        extra = f", ({w.taints(pointer)[0]}, {taint})" if w.tracked else ""
        w.line(f"X.memory.store(A, {at}, {name}, {access}, {site}{extra})")


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
def extract_element(w, op):
    vector, index = op.operands
    if type(index) is Const:
        expression = f"{w.value(vector)}[:, {index.value}]"
    else:
        expression = f"extract({w.value(vector)}, {w.value(index)})"
    _result(w, op, expression, vector, index)


@emits("insertelement")
def insert_element(w, op):
    vector, value, index = op.operands
    expression = f"insert({w.value(vector)}, {w.value(value)}, {w.value(index)})"
    # A vector that begins undefined is built element by element: its taint ends
    # when something defined goes in.
    sources = op.operands[1:] if isinstance(vector, Undef) else op.operands
    _result(w, op, expression, *sources)


@emits("shufflevector")
def shuffle_vector(w, op):
    left, right, mask = op.operands
    length = left.type.length
    if isinstance(mask, Undef):
        numbers = [0] * op.type.length
    elif hasattr(mask, "elements"):
        numbers = [getattr(one, "value", 0) for one in mask.elements]
    else:
        numbers = [0] * op.type.length
    order = w.bind("K", np.array(numbers))
    expression = f"shuffle({w.value(left)}, {w.value(right)}, {order})"
    uses = [left] if all(n < length for n in numbers) else [left, right]
    _result(w, op, expression, *uses)


@emits("fence")
def fence(w, op):
    w.line(f"X.fence(A, {w.bind('S', op.site)})")


@emits("atomicrmw")
def atomic(w, op):
    pointer, value = op.operands
    access = w.bind("M", Access(op.type, op.attrs.get("align")))
    site, operation = w.bind("S", op.site), op.attrs["operation"]
    taints = (
        f"({w.joined(pointer)}, {w.joined(value)})" if w.tracked else "(None, None)"
    )
    w.line(f"v{op.result}_0, t{op.result}_0 = X.atomic(A, {operation!r}, "
           f"{w.value(pointer)}, {w.value(value)}, {access}, {site}, {taints})")  # fmt: skip
    w.have.add((op.result, 0))


@emits("cmpxchg")
def compare_exchange(w, op):
    pointer, expected, new = op.operands
    access = w.bind("M", Access(expected.type, op.attrs.get("align")))
    site = w.bind("S", op.site)
    taints = (
        f"({w.joined(pointer)}, {w.joined(expected, new)})"
        if w.tracked
        else "(None, None)"
    )
    w.line(f"v{op.result}_0, v{op.result}_1, t{op.result}_0 = X.exchange(A, "
           f"{w.value(pointer)}, {w.value(expected)}, {w.value(new)}, {access}, {site}, "
           f"{taints})")  # fmt: skip
    w.line(f"t{op.result}_1 = t{op.result}_0")
    w.have |= {(op.result, 0), (op.result, 1)}


def _callee(op):
    callee = op.attrs["callee"]
    if isinstance(callee, Asm):
        return f"asm:{callee.text}"
    return getattr(callee, "name", None) or "a call through a pointer"


@emits("call")
def call(w, op):
    name = _callee(op)
    found = registry.find(name) if not name.startswith("a call") else None
    if found is None:
        note(w.program, name.removeprefix("@"), "unknown")
        raise Unsupported(name.removeprefix("@"))
    if found.kind == "ignored":
        return
    note(w.program, name.removeprefix("@"), "exact" if found.exact else "approximate")
    arguments = [n for one in op.operands for n in w.values(one)]
    parts = () if isinstance(op.type, Other) else leaves(op.type)
    targets = [f"v{op.result}_{leaf}" for leaf in range(len(parts))]
    joined = w.joined(*op.operands)
    if found.kind == "stateful":
        handler, site = w.bind("I", found.handler), w.bind("S", op.site)
        values = f"({', '.join(arguments)},)" if arguments else "()"
        marks = "None"
        if w.tracked and arguments:
            marks = ", ".join(n for one in op.operands for n in w.taints(one))
            marks = f"({marks},)"
        into = (
            f"({', '.join(targets)}{',' if len(targets) > 1 else ''})"
            if targets
            else "_"
        )
        w.line(f"{into}, t_ = {handler}(X, A, {site}, {values}, {marks})")
        for leaf in range(len(parts)):
            w.have.add((op.result, leaf))
            if w.tracked:
                w.line(f"t{op.result}_{leaf} = t_")
        return
    handler = found.handler(op) if found.kind == "typed" else found.handler
    handler = w.bind("I", handler)
    if found.kind == "lanes":
        arguments = ["X", "A", *arguments]
    expression = f"{handler}({', '.join(arguments)})"
    if len(parts) == 1:
        w.define(op, [_rounded(parts[0][0], expression)], [joined])
    elif parts:
        w.line(f"{', '.join(targets)} = {expression}")
        for leaf in range(len(parts)):
            w.have.add((op.result, leaf))
            if w.tracked:
                w.line(f"t{op.result}_{leaf} = {joined}")
    else:
        w.line(expression)
