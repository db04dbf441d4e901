"""Rows of floats, and of what is made of them."""

from __future__ import annotations

from tests.simt.against_llvm.left_open import UNSAID, no_finite, no_number, unfit
from tests.simt.against_llvm.row import Row
from tests.simt.against_llvm.shapes import SUFFIX, Shape
from tests.simt.against_llvm.sixteen import exactly

__all__ = ["float_rows"]

ARITHMETIC = ("fadd", "fsub", "fmul", "fdiv", "frem")
PREDICATES = ("false", *(a + b for a in "ou" for b in ("eq", "gt", "ge", "lt", "le", "ne")), "ord", "uno", "true")
# By the fast-math flag, when the result is poison. The others let the compiler round otherwise; they forbid nothing.
PROMISES = {"nnan": no_number, "ninf": no_finite, "nsz arcp contract afn reassoc": None}
UNARY = ("floor", "ceil", "trunc", "rint", "nearbyint", "roundeven", "round", "sqrt", "canonicalize", "fabs")
BINARY = ("minnum", "maxnum", "minimumnum", "maximumnum", "minimum", "maximum", "copysign")
BITWISE = ("fabs", "copysign")
INTEGERS = (1, 2, 8, 16, 24, 32, 33, 63, 64, 65, 100, 128)
ROUNDED = {"lround": "i32", "llround": "i64", "lrint": "i32", "llrint": "i64"}
CLASSES = (*(1 << number for number in range(10)), 0, 3, 0x1F8, 0x264, 1023)


def float_rows(text):
    """All rows whose first operand is a float, or a vector of some.

    Args:
        text: The operands' type.
    """
    shape = Shape(text)
    yield from _instructions(shape)
    yield from _intrinsics(shape)
    yield from _conversions(shape)


def _row(shape, name, text, operands, result, **more):
    """A row of arithmetic: of 16 bits fractions judge it."""
    some = {Shape(operand).bits for operand in (*operands, result) if Shape(operand).is_float}
    exact = exactly(name, Shape(result).element) if 16 in some else None
    unsaid = UNSAID.get(name)
    return Row(name, text, operands, result, exact=exact, unsaid=unsaid and unsaid(shape.element), **more)


def _instructions(shape):
    t, flag = shape.text, shape.like("i1")
    for opcode in ARITHMETIC:
        yield _row(shape, opcode, f"%r = {opcode} {t} %a, %b", (t, t), t)
        for flags, rule in PROMISES.items():
            yield _row(shape, opcode, f"%r = {opcode} {flags} {t} %a, %b", (t, t), t, poison=rule)
    yield Row("fneg", f"%r = fneg {t} %a", (t,), t, bitwise=True)
    yield Row("fneg", f"%r = fneg nnan ninf {t} %a", (t,), t, poison=lambda *a: no_number(*a) or no_finite(*a))
    for predicate in PREDICATES:
        yield Row("fcmp", f"%r = fcmp {predicate} {t} %a, %b", (t, t), flag)
    for flags in ("nnan", "ninf"):
        yield Row("fcmp", f"%r = fcmp {flags} olt {t} %a, %b", (t, t), flag, poison=PROMISES[flags])
    yield Row("freeze", f"%r = freeze {t} %a", (t,), t, bitwise=True)
    for condition in dict.fromkeys((flag, "i1")):
        yield Row("select", f"%r = select {condition} %a, {t} %b, {t} %c", (condition, t, t), t, bitwise=True)
    for octets in (8, 16, 32, 64):
        count = shape.bits * shape.count // octets
        if count * octets == shape.bits * shape.count:
            other = f"i{octets}" if count == 1 else f"<{count} x i{octets}>"
            yield Row("bitcast", f"%r = bitcast {t} %a to {other}", (t,), other, bitwise=True, whole=True)


def _call(shape, name, arguments, flags=""):
    given = ", ".join(f"{shape.text} %{place}" for place in arguments)
    return f"call {flags}{shape.text} @llvm.{name}.{shape.suffix}({given})"


def _intrinsics(shape):
    t = shape.text
    ones = f"<{', '.join([f'{shape.element} 1.0'] * shape.count)}>"
    for name in UNARY:
        # LLVM has no code for the canonical form of some vectors: here a product is as good.
        host = f"%r = fmul {t} %a, {ones}" if name == "canonicalize" and t != shape.element else ""
        text = f"%r = {_call(shape, name, 'a')}"
        yield _row(shape, f"llvm.{name}", text, (t,), t, bitwise=name in BITWISE, host=host)
    for name in BINARY:
        yield _row(shape, f"llvm.{name}", f"%r = {_call(shape, name, 'ab')}", (t, t), t, bitwise=name in BITWISE)
    fused = f"%r = {_call(shape, 'fma', 'abc')}"
    yield _row(shape, "llvm.fma", fused, (t, t, t), t)
    # It may be rounded twice, as here; every GPU rounds it once.
    yield _row(shape, "llvm.fmuladd", f"%r = {_call(shape, 'fmuladd', 'abc')}", (t, t, t), t, host=fused)
    for flags, rule in PROMISES.items():
        text = f"%r = {_call(shape, 'fma', 'abc', f'{flags} ')}"
        yield _row(shape, "llvm.fma", text, (t, t, t), t, poison=rule, host=fused)
    for mask in CLASSES:
        result = shape.like("i1")
        call = f"%r = call {result} @llvm.is.fpclass.{shape.suffix}({t} %a, i32 {mask})"
        yield Row("llvm.is.fpclass", call, (t,), result)
    powers = shape.like("i32")
    scaled = f"%r = call {t} @llvm.ldexp.{shape.suffix}.{Shape(powers).suffix}({t} %a, {powers} %b)"
    yield _row(shape, "llvm.ldexp", scaled, (t, powers), t)
    pair = f"{{ {t}, {powers} }}"
    call = f"%s = call {pair} @llvm.frexp.{shape.suffix}.{Shape(powers).suffix}({t} %a)\n"
    for place, result in enumerate((t, powers)):
        text = f"{call}  %r = extractvalue {pair} %s, {place}"
        exact = exactly("llvm.frexp", place) if shape.bits == 16 else None
        yield Row(
            "llvm.frexp", text, (t,), result, unsaid=UNSAID["llvm.frexp"](shape.element) if place else None, exact=exact
        )


def _conversions(shape):
    t = shape.text
    for name in SUFFIX:
        other = shape.like(name)
        wide = Shape(other).bits
        if wide != shape.bits:
            opcode = "fpext" if wide > shape.bits else "fptrunc"
            yield _row(shape, opcode, f"%r = {opcode} {t} %a to {other}", (t,), other)
    for bits in INTEGERS:
        other = shape.like(f"i{bits}")
        for opcode, low, high in (("fptosi", -(1 << bits - 1), (1 << bits - 1) - 1), ("fptoui", 0, (1 << bits) - 1)):
            exact = [
                exactly(name, "", low, high) if shape.bits == 16 else None for name in (opcode, f"llvm.{opcode}.sat")
            ]
            rule = unfit(low, high)
            yield Row(opcode, f"%r = {opcode} {t} %a to {other}", (t,), other, poison=rule, exact=exact[0])
            call = f"%r = call {other} @llvm.{opcode}.sat.{Shape(other).suffix}.{shape.suffix}({t} %a)"
            yield Row(f"llvm.{opcode}.sat", call, (t,), other, exact=exact[1])
    if t == shape.element:  # of vectors LLVM has no code for some of these
        yield from _rounded(shape)


def _rounded(shape):
    for name, kind in ROUNDED.items():
        text = f"%r = call {kind} @llvm.{name}.{kind}.{shape.suffix}({shape.text} %a)"
        half, exact = 1 << int(kind[1:]) - 1, exactly(f"llvm.{name}", "") if shape.bits == 16 else None
        unsaid = lambda a, half=half: not -half < shape.number(a) < half - 1  # noqa: E731 - what rounds out of range
        yield Row(f"llvm.{name}", text, (shape.text,), kind, unsaid=unsaid, exact=exact)
