"""Matrices that a warp loads from shared memory, a row by each lane."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from harness import simt
from tests.simt.engines import BARRIER, VALUE
from tests.simt.launches.row import Row
from tests.simt.snippets import kernel

__all__ = ["MATRIX_ROWS", "WRONG_MATRIX_ROWS"]

GLOBALS = "@rows = internal addrspace(3) global [512 x i16] undef, align 16\n"
STORED = f"""{VALUE}
  %n = mul i32 %t, 1103515245
  %n4 = insertelement <4 x i32> poison, i32 %n, i32 0
  %n5 = insertelement <4 x i32> %n4, i32 %v, i32 1
  %n6 = insertelement <4 x i32> %n5, i32 %t, i32 2
  %row = insertelement <4 x i32> %n6, i32 7, i32 3
  %at = getelementptr i8, ptr addrspace(3) @rows, i64 %t16
  store <4 x i32> %row, ptr addrspace(3) %at, align 16
  {BARRIER}"""
ADDRESS = "\n  %t64 = zext i32 %t to i64\n  %t16 = mul i64 %t64, 16"
OTHER = """
  %far = xor i64 %t16, {}
  %from = getelementptr i8, ptr addrspace(3) @rows, i64 %far"""


def loaded(matrices: int, transposed: bool) -> str:
    """Return the load, and its elements put together."""
    name = f"@llvm.nvvm.ldmatrix.sync.aligned.m8n8.x{matrices}{'.trans' if transposed else ''}.b16.p3"
    ty = "i32" if matrices == 1 else "{ " + ", ".join(["i32"] * matrices) + " }"
    lines = [f"\n  %x = call {ty} {name}(ptr addrspace(3) %from)"]
    if matrices == 1:
        return f"{lines[0]}\n  %w = add i32 %x, 0"
    lines += [f"  %x{n} = extractvalue {ty} %x, {n}\n  %y{n} = mul i32 %x{n}, {2 * n + 3}" for n in range(matrices)]
    lines += ["  %z0 = add i32 %y0, 1", *(f"  %z{n} = xor i32 %z{n - 1}, %y{n}" for n in range(1, matrices))]
    return "\n".join([*lines, f"  %w = add i32 %z{matrices - 1}, 0"])


OUT = "\n  %q = getelementptr i32, ptr %o, i64 %i\n  store i32 %w, ptr %q"
AGAIN = "\n  store <4 x i32> zeroinitializer, ptr addrspace(3) {}, align 16"
WRONG = {
    "a row that another lane reads": (STORED, OTHER.format(16), loaded(4, False), AGAIN.format("%at")),
    "a row that another warp wrote": (STORED.replace(BARRIER, ""), OTHER.format(512), loaded(1, False)),
    "a row past the end": (STORED, OTHER.format(1 << 16), loaded(1, False)),
    "a row that is misaligned": (STORED, OTHER.format(8), loaded(1, False)),
}
# Lanes that are not asked for a row may point anywhere.
LOW = """
  %lane = and i64 %t64, 31
  %some = icmp ult i64 %lane, 8
  %far = select i1 %some, i64 %t16, i64 -4096
  %from = getelementptr i8, ptr addrspace(3) @rows, i64 %far"""
QUIET = {"observers": partial(simt.observers, counters=False, redundant=False)}


def _row(name: str, *lines: str, **facts: Any) -> Row:
    body = simt.decode(kernel("".join((ADDRESS, *lines, OUT)), "ptr %a, ptr %o", GLOBALS))
    return Row(f"rows: {name}", body, QUIET, **facts)


MATRIX_ROWS = (
    *(
        _row(
            f"{n} matrices, {apart} apart{', transposed' * turned}",
            STORED,
            OTHER.format(apart),
            loaded(n, turned),
            scalar=None,
        )
        for n, turned, apart in product((1, 2, 4), (False, True), (0, 48, 512))
    ),
    # What a lane stores after the load does not come to others.
    *(
        _row(
            f"stored after{', transposed' * turned}",
            STORED,
            OTHER.format(0),
            loaded(4, turned),
            AGAIN.format("%at"),
            scalar=None,
        )
        for turned in (False, True)
    ),
    _row("lanes that are not asked", STORED, LOW, loaded(1, False), scalar=None),
)
KINDS = dict(zip(WRONG, ("race", "race", "out-of-bounds", "misaligned"), strict=True))
WRONG_MATRIX_ROWS = tuple(_row(name, *lines, compiled=0, found=KINDS[name]) for name, lines in WRONG.items())
