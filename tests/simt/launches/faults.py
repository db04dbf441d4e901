"""Faults: the compiled engine proves none of them clean, and what is said of them is the interpreter's."""

from __future__ import annotations

from itertools import product

from tests.simt.engines import BARRIER, FROM_TILE, IN_TILE, OUT, VALUE
from tests.simt.launches.row import Row

__all__ = ["FAULTS", "SCOPED"]

WRONG = {
    "bounds": (
        f"{VALUE}\n  %w = add i32 %v, 1\n  %n = add i64 %i, 60\n  %q = getelementptr i32, ptr %o, i64 %n\n"
        "  store i32 %w, ptr %q"
    ),
    "alignment": f"{VALUE}\n  %n = getelementptr i8, ptr %a, i64 1\n  %w = load i32, ptr %n{OUT}",
    "read-only": f"{VALUE}\n  %w = add i32 %v, 1\n  store i32 %w, ptr %p{OUT}",
    "race in shared memory": f"{VALUE}{IN_TILE}{FROM_TILE}{OUT}",
    "race in global memory": f"{VALUE}\n  %w = add i32 %v, 1\n  store i32 %v, ptr %o{OUT}",
    "undefined": f"{FROM_TILE}{OUT}",
    "never written": f"{VALUE}\n  %w = add i32 %v, 1\n  %h = lshr i64 %i, 1\n  %q = getelementptr i32, ptr %o, i64 %h",
    "division": f"{VALUE}\n  %w = sdiv i32 1, %v{OUT}",
    "shift": f"{VALUE}\n  %w = shl i32 1, %v{OUT}",
    "overflow": f"{VALUE}\n  %w = mul nuw i32 %v, 3{OUT}",
    "absent": f"""{VALUE}
  %c = icmp slt i64 %i, 7
  br i1 %c, label %here, label %end
here:
  {BARRIER}
  br label %end
end:
  %w = add i32 %v, 1{OUT}""",
}
FAULTS = tuple(Row(f"fault: {name}", body, compiled=0, found=None) for name, body in WRONG.items())

# Two updates with a barrier in between, or by one block each: a place of a block's scope no other block may update.
SCOPES = {"device": "", "block": 'syncscope("block") '}
PLACES = {
    "one of all": "add i64 0, 5",
    "one of the block": "and i64 %i, 32",
    "one of two threads": "and i64 %i, 62",
}


def _updates(first: str, second: str, place: str, halves: bool) -> str:
    one, two = (f"atomicrmw add ptr %p4, i32 %v {SCOPES[scope]}monotonic" for scope in (first, second))
    head = f"{VALUE}\n  %at = {PLACES[place]}\n  %p4 = getelementptr i32, ptr %o, i64 %at"
    if not halves:
        return f"{head}\n  %x = {one}\n  {BARRIER}\n  %y = {two}"
    return f"""{head}
  %c = icmp eq i32 %bx, 0
  br i1 %c, label %low, label %high
low:
  %x = {one}
  br label %end
high:
  %y = {two}
  br label %end
end:"""


def _scoped(first: str, second: str, place: str, halves: bool) -> Row:
    alone = place != "one of all" or first == second == "device"
    return Row(
        f"{first}, {second}, {place}{', by one block each' * halves}",
        _updates(first, second, place, halves),
        {"grid": 2, "block": 32, "initialised": True},
        None if alone else 0,
        () if alone else frozenset({"race"}),
    )


SCOPED = tuple(_scoped(*facts) for facts in product(SCOPES, SCOPES, PLACES, (False, True)))
