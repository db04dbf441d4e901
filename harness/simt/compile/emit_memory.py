"""How addresses, loads, stores and atomics are written into a segment's function."""

import numpy as np

from harness.simt.compile.declarations import Fence
from harness.simt.compile.emitters import emits, result
from harness.simt.compile.graph import Op
from harness.simt.compile.writer import Writer
from harness.simt.ir.module import Const
from harness.simt.ir.opcodes import scope_of
from harness.simt.ir.sizes import to_signed
from harness.simt.ir.types import Int, Pointer, Type, align_of, bits_of, element_of, leaves
from harness.simt.ir.values import base_of, strides
from harness.simt.state.allocation import Access

__all__ = []


@emits("getelementptr")
def address(w: Writer, op: Op) -> None:
    pointer, *indices = op.operands
    fixed, parts = 0, []
    for index, scale in strides(op.attrs["source_type"], indices):
        if isinstance(index, int):
            fixed += index * scale
            continue
        name = w.value(index)
        if element_of(index.type) != Int(64):
            name = f"wrap_int({name}, 64)" if bits_of(index.type) > 64 else name
            name = f"{'-' * (element_of(index.type) == Int(1))}{name}.astype(i8)"  # an index is signed
        parts.append(name if scale == 1 else f"{name} * {scale}")
    expression = " + ".join([w.value(pointer), *parts])
    if fixed := to_signed(fixed):
        expression += f" + {fixed}"
    result(w, op, expression, *op.operands)


@emits("alloca")
def allocate(w: Writer, op: Op) -> None:
    (number,) = op.operands  # of its allocation, see `program`
    assert isinstance(number, Const)
    place = w.bind("K", np.array([base_of(number.value)]))
    w.line(f"M.begin_lifetime(A, {number.value}, {w.bind('S', op.site)})")
    w.define(op, [place], ["None"])


@emits("load")
def load(w: Writer, op: Op) -> None:
    (pointer,) = op.operands
    p, site = w.value(pointer), w.bind("S", op.site)
    for leaf, (ty, offset) in enumerate(leaves(op.type)):
        access = w.bind("M", _part(op, op.type, ty, offset))
        at = f"{p} + {offset}" if offset else p
        taint = w.whole(w.taints(pointer)[0])
        w.line(f"v{op.result}_{leaf}, t{op.result}_{leaf} = M.load(A, {at}, {taint}, {access}, {site})")
        w.have.add((op.result, leaf))


@emits("store")
def store(w: Writer, op: Op) -> None:
    value, pointer = op.operands
    p, site = w.value(pointer), w.bind("S", op.site)
    for name, taint, (ty, offset) in zip(w.values(value), w.taints(value), leaves(value.type), strict=True):
        access = w.bind("M", _part(op, value.type, ty, offset))
        at = f"{p} + {offset}" if offset else p
        taints = f"({w.whole(w.taints(pointer)[0])}, {taint})"
        if isinstance(ty, Pointer):
            w.line(f"X.checks.check_escape(A, {name}, {at}, {site})")
        w.line(f"M.store(A, {at}, {name}, {access}, {site}, {taints})")


def _part(op: Op, whole: Type, ty: Type, offset: int) -> Access:
    """A part of what is loaded or stored: aligned as far as the whole and its offset say, so not in a packed struct."""
    promised = op.attrs.get("align") or align_of(whole)
    return Access(ty, promised if not offset else min(promised, offset & -offset))


@emits("fence")
def fence(w: Writer, op: Op) -> None:
    order = Fence(op.attrs.get("ordering", "seq_cst"), scope_of(op.attrs.get("scope", "")))
    w.line(f"X.fence(A, {w.bind('S', op.site)}, {w.bind('F', order)})")


@emits("atomicrmw")
def atomic(w: Writer, op: Op) -> None:
    pointer, value = op.operands
    access = w.bind("M", Access(op.type, op.attrs.get("align")))
    site, operation = w.bind("S", op.site), op.attrs["operation"]
    taints = f"({w.joined(pointer)}, {w.joined(value)})"
    w.line(
        f"v{op.result}_0, t{op.result}_0 = X.atomics.update(A, {operation!r}, "
        f"{w.value(pointer)}, {w.value(value)}, {access}, {site}, {taints})"
    )
    w.have.add((op.result, 0))


@emits("cmpxchg")
def compare_exchange(w: Writer, op: Op) -> None:
    pointer, expected, new = op.operands
    access = w.bind("M", Access(expected.type, op.attrs.get("align")))
    site = w.bind("S", op.site)
    taints = f"({w.joined(pointer)}, {w.joined(expected, new)})"
    w.line(
        f"v{op.result}_0, v{op.result}_1, t{op.result}_0 = X.atomics.exchange(A, "
        f"{w.value(pointer)}, {w.value(expected)}, {w.value(new)}, {access}, {site}, "
        f"{taints})"
    )
    w.line(f"t{op.result}_1 = t{op.result}_0")
    w.have |= {(op.result, 0), (op.result, 1)}
