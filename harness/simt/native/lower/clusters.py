"""Lanes arrive at a cluster's barrier and wait there, and name the shared memory of other blocks."""

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.values import PEER_SHIFT
from harness.simt.native.analysis.notes import CLUSTERS
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import text
from harness.simt.native.lower.registry import forms

__all__: list[str] = []


@forms("arrive")
def _arrive(body: Body, op: Op, _how: str) -> None:
    if CLUSTERS not in body.notes:
        raise Declined(Reason.UNAWAITED, name=op.callee.removeprefix("@"))
    body.unless(body.new("load i1, ptr %arrived"))
    body.line("store i1 true, ptr %arrived")


@forms("waited")
def _waited(_body: Body, _op: Op, _how: str) -> None:
    """It has come here because all arrived."""


@forms("mapped")
def _mapped(body: Body, op: Op, _how: str) -> None:
    """The same place in a peer's memory."""
    pointer, rank = map(body.value, op.operands)
    own = body.new(f"and i64 {pointer}, {(1 << PEER_SHIFT) - 1}")
    wide = body.new(f"zext {text(op.operands[1].type)} {rank} to i64")
    number = body.new(f"shl i64 {body.new(f'add i64 {wide}, 1')}, {PEER_SHIFT}")
    body.define(op, body.new(f"or i64 {own}, {number}"))
