"""Shared memory that all blocks touch alike is looked at in one of them; what differs in another is found there."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native import module as _lowerings
from harness.simt.native.evenness import alike
from harness.simt.targets import target_of
from tests.simt.engines import BARRIER, OUT, SHARED, VALUE, both
from tests.simt.snippets import kernel

assert _lowerings
S = """
  %t64 = zext i32 %t to i64
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64"""
SET = "\n  store i32 %v, ptr addrspace(3) %s"
TAKEN = "\n  %w = load i32, ptr addrspace(3) %at"
LOCAL = "\n  %l = alloca i32\n  store i32 %bx, ptr %l\n  %b = load i32, ptr %l"
B = "\n  %b = add i32 %bx, 0"
DATA = "\n  %bp = getelementptr i32, ptr %a, i64 %b64\n  %b = load i32, ptr %bp"
LOOP = """
  br label %loop
loop:
  %b = phi i32 [ 0, %0 ], [ %bn1, %loop ]
  %bn1 = add i32 %b, 1
  %more = icmp ult i32 %b, %bx
  br i1 %more, label %loop, label %behind
behind:"""
CHOSEN = """
  %first = icmp eq i32 %bx, 0
  br i1 %first, label %no, label %yes
no:
  br label %behind
yes:
  br label %behind
behind:
  %b = phi i32 [ 0, %no ], [ 1, %yes ]"""
THROUGH = f"""
  %o0 = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 %t64
  store i32 %bx, ptr addrspace(3) %o0
  {BARRIER}
  %b = load i32, ptr addrspace(3) %o0"""
UPDATED = "\n  %b = atomicrmw add ptr %o, i32 0 monotonic"
# Each makes %b, which is 0 in the first block and 1 in the second.
DIFFERENT = {
    "a block's number": B,
    "a local variable": LOCAL,
    "data": "\n  %b64 = zext i32 %bx to i64" + DATA,
    "how often a loop goes round": LOOP,
    "a way that a block took": CHOSEN,
    "shared memory": THROUGH,
}
# What is wrong where %b is 1.
WRONG = {
    "a place out of bounds": (
        "\n  %far = mul i32 %b, 64\n  %k = add i32 %t, %far"
        f"\n  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %k{TAKEN}",
        "out-of-bounds",
    ),
    "a place of another thread": (
        f"\n  %k = xor i32 %t, %b\n  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %k{TAKEN}",
        "race",
    ),
    "a store that is left out": (
        f"""
  %c = icmp eq i32 %b, 0
  br i1 %c, label %one, label %all
one:
  %q0 = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 %t64
  store i32 %v, ptr addrspace(3) %q0
  br label %all
all:
  %at = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 %t64{TAKEN}""",
        "uninitialised",
    ),
}


def values():
    """Of which the first are 0 and 1."""
    return np.arange(64, dtype=np.int32)


TAKES_BOTH = ("shared memory", "a store that is left out")  # arrays


@pytest.mark.parametrize(("how", "what"), [pair for pair in product(DIFFERENT, WRONG) if pair != TAKES_BOTH])
def test_what_the_second_block_does_otherwise_is_found(how, what):
    wrong, kind = WRONG[what]
    body = f"{VALUE}{S}{DIFFERENT[how]}{SET}{wrong}{OUT}"
    result = both(body, grid=2, block=32, values=values())

    assert kind in {found.kind for found in result.findings}


def numbers(body):
    """The name of the shared variable, if it is alike."""
    program = compile_kernel(simt.decode(kernel(body, "ptr %a, ptr %o", SHARED)), None, target_of("nvidia:sm_90"))
    names = {variable.number: variable.symbol for variable in program.variables}
    return {names[number] for number in alike(program)} & {"tile"}


EXCHANGE = f"{VALUE}{S}{SET}\n  {BARRIER}\n  %r = xor i32 %t, 1"
AT = f"\n  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %r{TAKEN}{OUT}"
ROUND = f"""{VALUE}{S}{SET}
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %j1, %loop ]
  {BARRIER}
  %r = xor i32 %t, %j
  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %r{TAKEN}
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j1, 4
  br i1 %more, label %loop, label %end
end:{OUT}"""


@pytest.mark.parametrize("body", [EXCHANGE + AT, ROUND], ids=["places of threads", "a loop"])
def test_what_blocks_do_alike_is_looked_at_once(body):
    """And proved for all."""
    assert numbers(body) == {"tile"}
    result = both(body, grid=2, block=32, values=values())
    assert (result.engine.native, result.findings) == (2, ())


@pytest.mark.parametrize("how", DIFFERENT)
def test_what_blocks_may_do_otherwise_is_not_alike(how):
    wrong, _ = WRONG["a place of another thread"]
    assert numbers(f"{VALUE}{S}{DIFFERENT[how]}{SET}{wrong}{OUT}") == set()


ESCAPED = (
    f"{VALUE}{S}{SET}\n  %l = alloca ptr addrspace(3)\n  store ptr addrspace(3) %s, ptr %l\n  %w = add i32 %v, 0{OUT}"
)
GUARDED = f"""{VALUE}{S}
  %c = icmp ult i32 %b1, 40
  br i1 %c, label %some, label %all
some:{SET}
  br label %all
all:
  %w = add i32 %v, 0{OUT}"""
BEHIND = f"""{VALUE}{S}
  %c = icmp ult i32 %b1, 40
  br i1 %c, label %some, label %all
some:
  br label %all
all:{SET}
  %w = add i32 %v, 0{OUT}"""
WAITED = GUARDED.replace(SET, f"\n  {BARRIER}").replace("%w = add", f"{SET.strip()}\n  %w = add")


@pytest.mark.parametrize(
    ("body", "expected"),
    [(ESCAPED, set()), (GUARDED, set()), (BEHIND, {"tile"}), (WAITED, set())],
    ids=["an address that is kept", "behind a branch", "where all have come together", "a barrier behind a branch"],
)
def test_where_blocks_go_different_ways_nothing_is_alike(body, expected):
    assert numbers(body) == expected
