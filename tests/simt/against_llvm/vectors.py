"""Rows of what moves and joins the elements of vectors."""

from __future__ import annotations

import random

from tests.simt.against_llvm.left_open import UNSAID
from tests.simt.against_llvm.row import Row
from tests.simt.against_llvm.shapes import Shape
from tests.simt.against_llvm.sixteen import exactly

__all__ = ["vector_rows"]

REDUCTIONS = {
    False: ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"),
    True: ("fmax", "fmin", "fmaximum", "fminimum"),
}


def vector_rows(text):
    """All rows of a type of vectors."""
    shape = Shape(text)
    yield from _elements(shape)
    yield from _parts(shape)
    yield from _reductions(shape)


def _elements(shape):
    t, one, count = shape.text, shape.element, shape.count
    rng = random.Random(t)

    def beyond(*given):
        return not 0 <= given[-2][0] < count

    for kind in ("i8", "i32", "i64"):
        yield Row("extractelement", f"%r = extractelement {t} %a, {kind} %b", (t, kind), one, True, beyond, whole=True)
        text = f"%r = insertelement {t} %a, {one} %b, {kind} %c"
        yield Row("insertelement", text, (t, one, kind), t, True, beyond, whole=True)
    for index in range(count):
        yield Row("extractelement", f"%r = extractelement {t} %a, i64 {index}", (t,), one, True, whole=True)
        yield Row("insertelement", f"%r = insertelement {t} %a, {one} %b, i64 {index}", (t, one), t, True, whole=True)
    for length in (1, 2, count, count + 1, 2 * count):
        mask = ", ".join(f"i32 {rng.randrange(2 * count)}" for _ in range(length))
        text = f"%r = shufflevector {t} %a, {t} %b, <{length} x i32> <{mask}>"
        yield Row("shufflevector", text, (t, t), f"<{length} x {one}>", True, whole=True)
    text = f"%r = shufflevector {t} %a, {t} %b, <{count} x i32> zeroinitializer"
    yield Row("shufflevector", text, (t, t), t, True, whole=True)
    pair = f"{{ i32, [2 x {t}] }}"
    text = f"%s = insertvalue {pair} zeroinitializer, {t} %b, 1, 0\n  %p = insertvalue {pair} %s, {t} %a, 1, 1\n"
    for name, last in (("insertvalue", 0), ("extractvalue", 1)):
        yield Row(name, f"{text}  %r = extractvalue {pair} %p, 1, {last}", (t, t), t, True, whole=True)


def _parts(shape):
    t, one, count, suffix = shape.text, shape.element, shape.count, shape.suffix
    yield Row("llvm.vector.reverse", f"%r = call {t} @llvm.vector.reverse.{suffix}({t} %a)", (t,), t, True, whole=True)
    if count % 2 == 0:
        half = Shape(f"<{count // 2} x {one}>")
        for start in (0, count // 2):
            text = f"%r = call {half.text} @llvm.vector.extract.{half.suffix}.{suffix}({t} %a, i64 {start})"
            yield Row("llvm.vector.extract", text, (t,), half.text, True, whole=True)
            text = f"%r = call {t} @llvm.vector.insert.{suffix}.{half.suffix}({t} %a, {half.text} %b, i64 {start})"
            yield Row("llvm.vector.insert", text, (t, half.text), t, True, whole=True)
    for side, sign in (("left", 1), ("right", -1)):
        for offset in range(side == "right", count):
            given, old = f"({t} %a, {t} %b, i32 ", f"%r = call {t} @llvm.vector.splice.{suffix}"
            text = f"%r = call {t} @llvm.vector.splice.{side}.{suffix}{given}{offset})"
            # The host's LLVM has one name for both, and a sign.
            host = f"{old}{given}{sign * offset})"
            yield Row(f"llvm.vector.splice.{side}", text, (t, t), t, True, host=host, whole=True)


def _reductions(shape):
    t, one = shape.text, shape.element
    for name in REDUCTIONS[shape.is_float]:
        full = f"llvm.vector.reduce.{name}"
        unsaid = UNSAID[full](one) if full in UNSAID else None
        text = f"%r = call {one} @{full}.{shape.suffix}({t} %a)"
        exact = exactly(full, one) if shape.is_float and shape.bits == 16 else None
        yield Row(full, text, (t,), one, unsaid=unsaid, exact=exact, whole=True)
    for name in ("fadd", "fmul") if shape.is_float else ():
        full = f"llvm.vector.reduce.{name}"
        exact = exactly(full, one) if shape.bits == 16 else None
        text = f"%r = call {one} @{full}.{shape.suffix}({one} %a, {t} %b)"
        yield Row(full, text, (one, t), one, exact=exact, whole=True)
