"""Emit Python for `getelementptr`, `alloca`, loads, stores, fences and atomics, as calls of the interpreter."""

import numpy as np

from harness.simt.compile.declarations import Fence
from harness.simt.compile.emitters import define_result, emits
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
def emit_getelementptr(w: Writer, op: Op) -> None:
    pointer, *indices = op.operands
    fixed, terms = 0, []
    for index, scale in strides(op.attrs["source_type"], indices):
        if isinstance(index, int):
            fixed += index * scale
            continue
        name = w.value(index)
        if element_of(index.type) != Int(64):
            name = f"wrap_int({name}, 64)" if bits_of(index.type) > 64 else name
            name = f"{'-' * (element_of(index.type) == Int(1))}{name}.astype(i8)"  # an index is signed
        terms.append(name if scale == 1 else f"{name} * {scale}")
    expression = " + ".join([w.value(pointer), *terms])
    if fixed := to_signed(fixed):
        expression += f" + {fixed}"
    define_result(w, op, expression, *op.operands)


@emits("alloca")
def emit_alloca(w: Writer, op: Op) -> None:
    (number,) = op.operands  # the allocation's number, see `number_local_variables`
    assert isinstance(number, Const)
    place = w.bind("K", np.array([base_of(number.value)]))
    w.add_line(f"M.begin_lifetime(A, {number.value}, {w.bind('S', op.site)})")
    w.define(op, [place], ["None"])


@emits("load")
def emit_load(w: Writer, op: Op) -> None:
    (pointer,) = op.operands
    p, site = w.value(pointer), w.bind("S", op.site)
    for leaf, (ty, offset) in enumerate(leaves(op.type)):
        access = w.bind("M", _leaf_access(op, op.type, ty, offset))
        at = f"{p} + {offset}" if offset else p
        taint = w.collapsed_taint(w.taints(pointer)[0])
        w.add_line(f"v{op.result}_{leaf}, t{op.result}_{leaf} = M.load(A, {at}, {taint}, {access}, {site})")
        w.defined.add((op.result, leaf))


@emits("store")
def emit_store(w: Writer, op: Op) -> None:
    value, pointer = op.operands
    p, site = w.value(pointer), w.bind("S", op.site)
    for name, taint, (ty, offset) in zip(w.values(value), w.taints(value), leaves(value.type), strict=True):
        access = w.bind("M", _leaf_access(op, value.type, ty, offset))
        at = f"{p} + {offset}" if offset else p
        taints = f"({w.collapsed_taint(w.taints(pointer)[0])}, {taint})"
        if isinstance(ty, Pointer):
            w.add_line(f"X.checks.check_escape(A, {name}, {at}, {site})")
        w.add_line(f"M.store(A, {at}, {name}, {access}, {site}, {taints})")


def _leaf_access(op: Op, value_type: Type, ty: Type, offset: int) -> Access:
    """Return the type `ty` and the alignment of one leaf of a value in memory; an `Access` has no address or ordering.

    The alignment is what the value's (the `align` of `op`, or its type's) and the leaf's offset in bytes ensure.
    """
    alignment = op.attrs.get("align") or align_of(value_type)
    return Access(ty, alignment if not offset else min(alignment, offset & -offset))


@emits("fence")
def emit_fence(w: Writer, op: Op) -> None:
    order = Fence(op.attrs.get("ordering", "seq_cst"), scope_of(op.attrs.get("scope", "")))
    w.add_line(f"X.fence(A, {w.bind('S', op.site)}, {w.bind('F', order)})")


@emits("atomicrmw")
def emit_atomicrmw(w: Writer, op: Op) -> None:
    pointer, value = op.operands
    access = w.bind("M", Access(op.type, op.attrs.get("align")))
    site, operation = w.bind("S", op.site), op.attrs["operation"]
    taints = f"({w.combined_taint(pointer)}, {w.combined_taint(value)})"
    w.add_line(
        f"v{op.result}_0, t{op.result}_0 = X.atomics.update(A, {operation!r}, "
        f"{w.value(pointer)}, {w.value(value)}, {access}, {site}, {taints})"
    )
    w.defined.add((op.result, 0))


@emits("cmpxchg")
def emit_cmpxchg(w: Writer, op: Op) -> None:
    pointer, expected, new = op.operands
    access = w.bind("M", Access(expected.type, op.attrs.get("align")))
    site = w.bind("S", op.site)
    taints = f"({w.combined_taint(pointer)}, {w.combined_taint(expected, new)})"
    w.add_line(
        f"v{op.result}_0, v{op.result}_1, t{op.result}_0 = X.atomics.exchange(A, "
        f"{w.value(pointer)}, {w.value(expected)}, {w.value(new)}, {access}, {site}, "
        f"{taints})"
    )
    w.add_line(f"t{op.result}_1 = t{op.result}_0")
    w.defined |= {(op.result, 0), (op.result, 1)}
