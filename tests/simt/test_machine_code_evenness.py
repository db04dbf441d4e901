"""Shared memory that all blocks touch alike is looked at in one of them; what differs in another is found there."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.analysis.block_invariance import find_block_invariance
from harness.simt.targets import target_of
from tests.simt.compare import all_counted
from tests.simt.engines import BARRIER, OUT, SHARED, VALUE, both
from tests.simt.snippets import kernel

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


@pytest.mark.slow
@pytest.mark.parametrize(("how", "what"), [pair for pair in product(DIFFERENT, WRONG) if pair != TAKES_BOTH])
def test_what_the_second_block_does_otherwise_is_found(how, what):
    wrong, kind = WRONG[what]
    body = f"{VALUE}{S}{DIFFERENT[how]}{SET}{wrong}{OUT}"
    result = both(body, grid=2, block=32, values=values())

    assert kind in {found.kind for found in result.findings}


def found(body, target="nvidia:sm_90"):
    """The names of the shared variables that are alike, and whether blocks have to go the same ways for that."""
    text = kernel(body, "ptr %a, ptr %o", SHARED, target)
    program = compile_kernel(simt.decode(text), None, target_of(target))
    names = {variable.number: variable.symbol for variable in program.variables}
    variables, ways, *_ = find_block_invariance(program)
    return {names[number] for number in variables} & {"tile"}, bool(ways)


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


@pytest.mark.slow
@pytest.mark.parametrize("body", [EXCHANGE + AT, ROUND], ids=["places of threads", "a loop"])
def test_what_blocks_do_alike_is_looked_at_once(body):
    """And proved for all."""
    assert found(body) == ({"tile"}, False)
    result = both(body, grid=2, block=32, values=values())
    assert (result.engine.native, result.findings) == (2, ())


# A thread takes what the one as far from the end of its block gave, which it finds by the block's width.
MIRRORED = f"""{VALUE}{S}{SET}
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %e = call ptr addrspace(4) @llvm.amdgcn.{{where}}.ptr()
  %ex = getelementptr i8, ptr addrspace(4) %e, i32 {{at}}
  %width = load i16, ptr addrspace(4) %ex
  %n = zext i16 %width to i32
  %last = sub i32 %n, 1
  %r = xor i32 %t, %last"""


@pytest.mark.slow
@pytest.mark.parametrize(("where", "at"), [("implicitarg", 12), ("dispatch", 4)])
def test_blocks_have_the_extents_alike_that_a_launch_tells_in_memory(where, at):
    body = MIRRORED.format(where=where, at=at) + AT
    assert found(body, "amd:gfx942") == ({"tile"}, False)
    given = np.arange(128, dtype=np.int32)
    result = all_counted(body, grid=4, block=32, values=given, size=128, target="amd:gfx942", initialised=True)
    assert (result.engine.native, result.engine.python, result.findings) == (3, 1, ())


def test_which_extent_a_block_looks_at_may_differ():
    """The width in the first, the height in the second."""
    body = MIRRORED.format(where="implicitarg", at="%far").replace(
        "%e =", "%by = mul i32 %bx, 2\n  %far = add i32 %by, 12\n  %e ="
    )
    assert found(body + AT, "amd:gfx942") == (set(), False)
    both(body + AT, grid=2, block=32, values=values(), target="amd:gfx942", initialised=True)


BY_WAYS = ("how often a loop goes round", "a way that a block took")


@pytest.mark.parametrize("how", DIFFERENT)
def test_what_blocks_may_do_otherwise_is_not_alike(how):
    """Or only where they go the same ways."""
    wrong, _ = WRONG["a place of another thread"]
    expected = ({"tile"}, True) if how in BY_WAYS else (set(), False)
    assert found(f"{VALUE}{S}{DIFFERENT[how]}{SET}{wrong}{OUT}") == expected


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
    [(ESCAPED, (set(), False)), (GUARDED, ({"tile"}, True)), (BEHIND, ({"tile"}, True)), (WAITED, ({"tile"}, True))],
    ids=["an address that is kept", "behind a branch", "where all have come together", "a barrier behind a branch"],
)
def test_what_is_alike_where_blocks_may_go_different_ways(body, expected):
    assert found(body) == expected


# The last blocks have less to load; what a thread loads it gives to the next one.
TAIL = f"""{VALUE}{S}
  %bound = icmp ult i32 %b1, {{bound}}
  br i1 %bound, label %some, label %none
some:{SET}
  br label %all
none:
  store i32 7, ptr addrspace(3) %s
  br label %all
all:
  {BARRIER}
  %r = xor i32 %t, 1
  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %r{TAKEN}"""
LATE = f"""{VALUE}{S}{SET}
  %q = getelementptr i32, ptr %o, i64 %i
  %before = load i32, ptr %q
  %after = add i32 %before, %v
  store i32 %after, ptr %q
  {BARRIER}
  %bound = icmp ult i32 %b1, {{bound}}
  br i1 %bound, label %some, label %none
some:
  %r = xor i32 %t, 1
  %at = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i32 %r{TAKEN}
  br label %none
none:"""
MISSING = TAIL.replace("  store i32 7, ptr addrspace(3) %s\n", "")


def at_tail(body, bound, launch=both, **how):
    """Blocks of four threads, those from some place on by another way."""
    return launch(body.replace("{bound}", str(bound)), grid=16, block=4, values=np.arange(64, dtype=np.int32), **how)


@pytest.mark.slow
@pytest.mark.parametrize("bound", [0, 2, 21, 38, 64])
def test_a_block_that_goes_another_way_begins_anew(bound):
    """And is proved clean too."""
    result = at_tail(TAIL + OUT, bound)
    assert (result.engine.native, result.engine.python, result.findings) == (16, 0, ())


@pytest.mark.slow
@pytest.mark.parametrize("body", [TAIL + OUT, LATE], ids=["one block", "the launch"])
@pytest.mark.parametrize("bound", [2, 21, 38, 63])
def test_what_was_done_before_it_begins_anew_is_counted_once(body, bound):
    ways = (bound > 3) + (bound % 4 > 0) + (bound < 61)
    result = at_tail(body, bound, all_counted, initialised=True)
    assert (result.engine.native, result.engine.python) == (16 - ways, ways)


@pytest.mark.slow
def test_a_block_that_goes_another_way_is_looked_at():
    result = at_tail(MISSING + OUT, 38)
    assert {one.kind for one in result.findings} == {"uninitialised"}


@pytest.mark.slow
def test_where_a_block_stored_before_it_goes_another_way_the_launch_begins_anew():
    """Others may have seen what it stored."""
    result = at_tail(LATE, 38, initialised=True)
    assert (result.engine.native, result.engine.python, result.findings) == (16, 0, ())


@pytest.mark.slow
def test_where_many_blocks_go_other_ways_all_are_looked_at():
    """As many as there are go each its own, in turns."""
    turns = TAIL.replace("icmp ult i32 %b1, {bound}", "icmp ult i32 %odd, 1").replace(
        S, S + "\n  %odd = and i32 %bx, 1"
    )
    result = at_tail(turns + OUT, 0)
    assert (result.engine.native, result.engine.python, result.findings) == (16, 0, ())
