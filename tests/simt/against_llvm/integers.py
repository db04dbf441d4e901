"""Rows of integers, and of what is made of them."""

from __future__ import annotations

from functools import partial

from tests.simt.against_llvm.left_open import FAULTS, narrowed, overflowing, poison
from tests.simt.against_llvm.row import Row
from tests.simt.against_llvm.shapes import SUFFIX, Shape
from tests.simt.against_llvm.sixteen import exactly

__all__ = ["PREDICATES", "integer_rows"]

FLAGS = {
    "add": ("", "nsw", "nuw", "nuw nsw"),
    "sub": ("", "nsw", "nuw", "nuw nsw"),
    "mul": ("", "nsw", "nuw", "nuw nsw"),
    "shl": ("", "nsw", "nuw", "nuw nsw"),
    "lshr": ("", "exact"),
    "ashr": ("", "exact"),
    "udiv": ("", "exact"),
    "sdiv": ("", "exact"),
    "urem": ("",),
    "srem": ("",),
    "and": ("",),
    "or": ("", "disjoint"),
    "xor": ("",),
}
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
UNARY = {"abs": ", i1 false", "ctlz": ", i1 false", "cttz": ", i1 false", "ctpop": "", "bitreverse": "", "bswap": ""}
BINARY = ("smax", "smin", "umax", "umin", "sadd.sat", "ssub.sat", "uadd.sat", "usub.sat")
OVERFLOWING = ("sadd", "ssub", "smul", "uadd", "usub", "umul")
WIDTHS = (1, 7, 8, 16, 24, 32, 33, 64, 65, 100, 128)


def integer_rows(text):
    """All rows whose first operand is an integer, or a vector of some.

    Args:
        text: The operands' type.
    """
    shape = Shape(text)
    yield from _instructions(shape)
    yield from _by_constants(shape)
    yield from _intrinsics(shape)
    yield from _conversions(shape)


def _instructions(shape):
    t, bits = shape.text, shape.bits
    for opcode, choices in FLAGS.items():
        faults = overflowing(bits) if opcode in ("sdiv", "srem") else FAULTS.get(opcode)
        for flags in choices:
            rule = poison(opcode, flags.split(), bits)
            yield Row(opcode, f"%r = {opcode} {flags} {t} %a, %b", (t, t), t, poison=rule, faults=faults)
    for predicate in PREDICATES:
        for flags in ("", "samesign")[: 1 + (predicate[0] == "u")]:
            rule = poison("icmp", flags.split(), bits)
            yield Row("icmp", f"%r = icmp {flags} {predicate} {t} %a, %b", (t, t), shape.like("i1"), poison=rule)
    yield Row("freeze", f"%r = freeze {t} %a", (t,), t)
    for condition in dict.fromkeys((shape.like("i1"), "i1")):
        yield Row("select", f"%r = select {condition} %a, {t} %b, {t} %c", (condition, t, t), t)


def _by_constants(shape):
    """Division and shifts by a constant, which the simulator writes in another way."""
    t, bits = shape.text, shape.bits
    ones = (1 << bits) - 1
    numbers = {number & ones for number in (1, 2, 3, 4, 1 << bits - 1, 1 << max(bits - 2, 0), 1 << bits // 2, ones)}
    for number in sorted(numbers - {0}):
        constant = _splat(shape, number)
        for opcode in ("udiv", "sdiv", "urem", "srem"):
            faults = overflowing(bits) if opcode in ("sdiv", "srem") else None
            faults = faults and partial(faults, b=shape.number(number))
            yield Row(opcode, f"%r = {opcode} {t} %a, {constant}", (t,), t, faults=faults)
    for amount in sorted({0, 1, bits // 2, bits - 1} & set(range(bits))):
        for opcode in ("shl", "lshr", "ashr"):
            yield Row(opcode, f"%r = {opcode} {t} %a, {_splat(shape, amount)}", (t,), t)


def _splat(shape, number):
    number = shape.number(number) if shape.bits > 1 else number
    if shape.text == shape.element:
        return str(number)
    return f"<{', '.join([f'{shape.element} {number}'] * shape.count)}>"


def _call(shape, name, result, arguments, more=""):
    given = ", ".join(f"{shape.text} %{place}" for place in arguments)
    return f"call {result} @llvm.{name}.{shape.suffix}({given}{more})"


def _intrinsics(shape):
    t, bits = shape.text, shape.bits
    for name, more in UNARY.items():
        if name != "bswap" or bits % 16 == 0:
            yield Row(f"llvm.{name}", f"%r = {_call(shape, name, t, 'a', more)}", (t,), t)
    lowest = -(1 << bits - 1)
    for name, what in {"abs": lowest, "ctlz": 0, "cttz": 0}.items():
        text = f"%r = {_call(shape, name, t, 'a', ', i1 true')}"
        yield Row(f"llvm.{name}", text, (t,), t, poison=lambda a, _, what=what: a == what)
    for name in BINARY:
        yield Row(f"llvm.{name}", f"%r = {_call(shape, name, t, 'ab')}", (t, t), t)
    for name in ("sshl.sat", "ushl.sat"):
        text = f"%r = {_call(shape, name, t, 'ab')}"
        yield Row(f"llvm.{name}", text, (t, t), t, poison=poison("shl", [], bits))
        if bits & (bits - 1) == 0 and bits > 1:
            masked = f"%m = and {t} %b, {_splat(shape, bits - 1)}\n  {text.replace('%b', '%m')}"
            yield Row(f"llvm.{name}", masked, (t, t), t)
    for name in ("scmp", "ucmp"):
        for narrow in ("i2", "i8", "i32"):
            result = shape.like(narrow)
            call = f"%r = call {result} @llvm.{name}.{Shape(result).suffix}.{shape.suffix}({t} %a, {t} %b)"
            yield Row(f"llvm.{name}", call, (t, t), result)
    for name in OVERFLOWING:
        pair = f"{{ {t}, {shape.like('i1')} }}"
        call = f"%s = {_call(shape, f'{name}.with.overflow', pair, 'ab')}\n"
        for place, result in enumerate((t, shape.like("i1"))):
            text = f"{call}  %r = extractvalue {pair} %s, {place}"
            yield Row(f"llvm.{name}.with.overflow", text, (t, t), result)
    for name in ("f32", "f64") if t == "i16" else ():
        call, wide = f"%r = call {{}} @llvm.convert.from.fp16.{name}(i16 %a)", {"f32": "float", "f64": "double"}[name]
        host = (
            f"%h = bitcast i16 %a to half\n  %r = fpext half %h to {wide}"  # what the call was before half was a type
        )
        yield Row("llvm.convert.from.fp16", call.format(wide), (t,), wide, host=host)
    if t != shape.element and bits >= 8:  # narrower ones LLVM refuses
        text = f"%s = {_call(shape, 'stepvector', t, '')}\n  %r = add {t} %s, %a"
        yield Row("llvm.stepvector", text, (t,), t)
    for name in ("fshl", "fshr"):
        yield Row(f"llvm.{name}", f"%r = {_call(shape, name, t, 'abc')}", (t, t, t), t)
    if bits <= 64:
        for name, more in {"expect": "", "expect.with.probability": ", double 0.5"}.items():
            yield Row(f"llvm.{name}", f"%r = {_call(shape, name, t, 'ab', more)}", (t, t), t)


def _conversions(shape):
    t, bits = shape.text, shape.bits
    for wide in WIDTHS:
        other = shape.like(f"i{wide}")
        if wide < bits:
            for flags in ("", "nsw", "nuw", "nuw nsw"):
                rule = narrowed(flags.split(), wide)
                yield Row("trunc", f"%r = trunc {flags} {t} %a to {other}", (t,), other, poison=rule)
        elif wide > bits:
            for opcode, flags in (("zext", ""), ("zext", "nneg"), ("sext", "")):
                rule = poison(opcode, flags.split(), bits)
                yield Row(opcode, f"%r = {opcode} {flags} {t} %a to {other}", (t,), other, poison=rule)
    for name in SUFFIX:
        other = shape.like(name)
        for opcode, flags in (("sitofp", ""), ("uitofp", ""), ("uitofp", "nneg")):
            rule, exact = poison(opcode, flags.split(), bits), None
            if Shape(other).bits == 16:
                exact = exactly(opcode, name)
            if exact and opcode == "uitofp":
                exact = lambda a, inner=exact: inner(a % (1 << bits))  # noqa: E731 - the number without its sign
            text = f"%r = {opcode} {flags} {t} %a to {other}"
            yield Row(opcode, text, (t,), other, poison=rule, exact=exact)
    for other in _of_as_many_bits(shape):
        yield Row("bitcast", f"%r = bitcast {t} %a to {other}", (t,), other, bitwise=True, whole=True)


def _of_as_many_bits(shape):
    bits = shape.bits * shape.count
    if shape.count == 1:
        some = [name for name in SUFFIX if Shape(name).bits == bits]
        parts = [part for part in (8, 12, 16, 32, 64) if bits % part == 0 and part < bits]
        parts += [1] if bits in (8, 16) else []  # LLVM has no code for more of them
        some += [f"<{bits // part} x i{part}>" for part in parts]
        return some
    return [f"i{bits}"] if bits <= 128 else []
